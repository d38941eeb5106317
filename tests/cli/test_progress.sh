# --progress: what is written on standard error during a run, for people and for programs.
. "$(dirname "$0")/lib.sh"
export COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"

cd "$TMP" || exit 1
recording times.json 'A=range(1, 9), B=[1, 2]' '(A + B) / 1000'
cat >times.yaml <<'Y'
name: times
backend: sim
file: times.json
params: {A: [1, 2, 3, 4, 5, 6, 7, 8], B: [1, 2]}
baseline: {A: 8, B: 2}
sim: {faults: [{when: A == 3, outcome: wrong_result}]}
Y

expect_events() { # expect_events EXPRESSION VALUE: of the lines of standard error, `events`
  local got
  got=$(python3 - "$1" "$TMP/stderr" <<'END'
import json, sys
events = [json.loads(line) for line in open(sys.argv[2])]
def of(kind): return [event for event in events if event["kind"] == kind]
print(eval(sys.argv[1]))
END
  )
  expect_same "$1" "$2" "$got"
}

case_begin "each event is one line of JSON"
run "$HONE" tune times.yaml --progress json --format json --strategy exhaustive
expect_status 0
expect_events '[e["text"] for e in of("phase")]' "['start', 'baseline', 'screen', 'race', 'confirm']"
expect_events 'of("phase")[0]["total"] > 0' True
expect_events 'sorted({(e["params"]["A"], e["outcome"]) for e in of("failure")})' "[(3, 'wrong_result')]"
expect_events 'all(e["evidence"] and e["config"] for e in of("failure"))' True
expect_events '{type(e["time_ns"]) for e in of("best")}, of("best")[-1]["params"]' "({<class 'float'>}, {'A': 1, 'B': 1})"
expect_events 'len(of("result")) == 13' True
expect_events '[of("progress")[-1][name] for name in ("done", "failed", "building", "best_config", "best_params")]' \
  "[15, 2, 0, 'A=1,B=1', {'A': 1, 'B': 1}]"
expect_events '{"workers", "rate", "elapsed_s", "best_speedup", "phase"} <= of("progress")[-1].keys()' True
expect_events '{value for e in events for value in e.values() if value is None}' "set()"

case_begin "so are notes, warnings and errors of the command"
run "$HONE" tune times.yaml --progress json --strategy exhaustive
expect_status 0
expect_events '[(e["kind"], e["text"].split()[:2]) for e in events if "text" in e]' "[('note', ['from', 'run'])]"
run "$HONE" tune missing.yaml --progress=json
expect_status 2
expect_events '[(e["kind"], e["text"]) for e in events]' "[('error', \"cannot open 'missing.yaml': no such file or directory\")]"
printf 'name: wrong\nparams: {A: [1, 2}\n' >wrong.yaml
run "$HONE" tune --progress json wrong.yaml
expect_status 2
expect_events '[(e["kind"], "wrong.yaml:2:" in e["text"]) for e in events]' "[('error', True)]"
run "$HONE" tune --top --progress json times.yaml
expect_status 2
expect_events '{e["kind"] for e in events}' "{'error'}"

case_begin "a sweep writes events, too"
cat >sweep.sh <<'S'
echo "result $1"
S
printf 'name: s\nfile: sweep.sh\nrun: {command: [sh, "{source}", "{A}"]}\nparams: {A: [1, 2]}\n' >sweep.yaml
run "$HONE" sweep sweep.yaml --progress json --verbose --format json
expect_events '{e["kind"] for e in events} >= {"phase", "progress"}' True

case_begin "none writes no progress, but errors"
run "$HONE" tune times.yaml --progress none --strategy exhaustive --fresh
expect_status 0
expect_err ""
run "$HONE" tune missing.yaml --progress none
expect_status 2
expect_err "hone: cannot open 'missing.yaml': no such file or directory"
run "$HONE" tune times.yaml --progress loud
expect_status 2
expect_err_contains "loud"

case_begin "events count the problems, and tell when one is done"
cat >two.yaml <<'Y'
name: two
backend: sim
file: two.json
params: {A: [1, 2, 3]}
problem: {N: [1, 2]}
baseline: {A: 3}
sim: {pace: 1}
Y
recording two.json 'A=range(1, 4)' 'A * 4' 30
run "$HONE" tune two.yaml --progress json --format json
expect_status 0
expect_events '[(e["problem"], e["problem_count"], e["run"] > 0) for e in of("end")]' "[(1, 2, True), (2, 2, True)]"
expect_events '{e["problem"] for e in of("progress")}' "{1, 2}"
expect_events '{e["phase"] for e in of("progress") if e.get("eta_s", -1) >= 0} >= {"screen", "confirm"}' True
expect_events 'max(e.get("eta_s", 0) for e in of("progress")) < 60' True
run "$HONE" tune two.yaml --progress json --format json
expect_events '[(e["problem"], e["reused"]) for e in of("end")]' "[(1, 1), (2, 1)]"

on_terminal() { # on_terminal COLUMNS COMMAND...: `screen`, its lines, without colours
  run python3 - "$@" <<'END'
import fcntl, os, pty, re, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[1]), 0, 0))
    os.environ.pop("COLUMNS", None)
    os.execvp(sys.argv[2], sys.argv[2:])
said = b""
try:
    while part := os.read(terminal, 65536):
        said += part
except OSError: # the other end is closed
    pass
os.waitpid(pid, 0)
coloured = re.search(rb"\x1b\[[0-9;]*m", said)
text = re.sub("\x1b\\[[0-9;]*[mK]", "", said.decode("utf-8"))
lines = [line for line in re.split("[\r\n]+", text) if line]
status = [line for line in lines if re.match(r"(problem \d of \d  )?\[\d", line)]
first, second = (next((i for i, line in enumerate(lines) if re.match(what, line)), -1)
                 for what in ("IMPROVED", r"two  N=2  \(problem 2 of 2\)"))
commands = [line for line in lines if re.match("  +hone ", line)]
width = max(len(line) for line in lines if line not in commands)
print("fits" if width <= int(sys.argv[1]) else f"{width} columns",
      "report between" if 0 < first < second else "no report between",
      "problem" if any(line.startswith("problem 2 of 2") for line in status) else "no problem",
      "eta" if any("confirm" in line and " eta 0:" in line for line in status) else "no eta",
      "coloured" if coloured else "plain", "ascii" if text.isascii() else "utf-8")
END
}

if has_terminals; then
case_begin "a terminal shows the problem, the time left in every phase, and each report at once"
for columns in 60 200; do
  TERM=xterm on_terminal $columns "$HONE" tune two.yaml --fresh
  expect_out "fits report between problem eta coloured ascii"
done
TERM=xterm LC_ALL=C NO_COLOR=1 on_terminal 60 "$HONE" tune two.yaml --fresh
expect_out "fits report between problem eta plain ascii"
TERM=dumb LC_ALL=C on_terminal 80 "$HONE" tune two.yaml --fresh
expect_contains "screen" "report between" "$OUT"
expect_contains "screen" "plain ascii" "$OUT"
else
  case_skip "a terminal shows the problem, the time left in every phase, and each report at once" "$NO_TERMINALS"
fi

case_begin "a run whose reader is gone ends in good order"
sed 's/^sim:.*/sim: {pace: 1}/' times.yaml >slow.yaml
recording times.json 'A=range(1, 9), B=[1, 2]' '(A + B) / 1000' 300
run python3 - <<'END'
import json, os, subprocess
tune = subprocess.Popen([os.environ["HONE"], "tune", "slow.yaml", "--progress", "json", "--format", "json", "--builders", "1"],
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
for line in tune.stderr:
    if json.loads(line)["kind"] == "result":
        break
tune.stderr.close()
result = json.load(tune.stdout)
print(result["state"], len(result["evaluations"]) < 16, tune.wait())
END
expect_status 0
expect_out "interrupted True 130"

case_begin "the share of the time in which devices are idle"
idle() { # idle BUILD_MS: at the end of screening, with kernels of a second
  recording "idle$1.json" "K=range(12)" "1000 + K" "$1"
  run "$HONE" tune "idle$1.json" --strategy exhaustive --no-confirm --devices sim:0,sim:1 --builders 1 --progress json
  expect_status 0
}
idle 20000
expect_events 'of("progress")[-1]["idle"] > 0.7' True
idle 0
expect_events '0 <= of("progress")[-1]["idle"] < 0.4' True

case_begin "the time left goes down while nothing is finished, and without it the time since the start is shown"
recording "$TMP/builds.json" 'X=[1, 2, 3]' '0.001' '600'
printf 'backend: sim\nfile: builds.json\nbaseline: {X: 1}\nsim: {pace: 1}\n' >"$TMP/builds.yaml"
run "$HONE" tune "$TMP/builds.yaml" --progress json --builders 1 --stop-after screen
expect_status 0
printf '%s\n' "$ERR" | command python3 -c '
import json, sys
before, falls, rises = None, 0, []
for line in sys.stdin:
    event = json.loads(line)
    if event["kind"] != "progress": continue
    key, eta = [event[k] for k in ("phase", "done", "built")], event.get("eta_s")
    if before and before[0] == key and eta is not None and before[1] is not None:
        falls += eta < before[1]
        if eta > before[1] + 0.01: rises.append((key, before[1], eta))
    before = key, eta
print(falls > 1, *rises)' >"$TMP/falls"
expect_same "it fell, and never rose" "True" "$(cat "$TMP/falls")"

cases_end
