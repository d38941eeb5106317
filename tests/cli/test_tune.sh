# hone tune and hone run, as a user types them: a verdict, failures of every kind, going on after an
# interruption, and what is shown meanwhile.
. "$(dirname "$0")/lib.sh"
export HONE COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
unset NO_COLOR

# A kernel that does its work WORK times: the fastest does it once.
kernel() { # kernel FILE WORKS [LINES]: lines of C at its end
  cat >"$1" <<END
/*@hone
name: $(basename "$1" .c)
params:
  WORK: $2
  KIND: [0, 1]
baseline: {WORK: 20, KIND: 0}
entry: f
args:
  - {name: x, type: f32, shape: [2000], fill: uniform}
  - {name: y, type: f32, shape: [2000], role: out}
reference: baseline
metrics: {GB/s: 8 * 2000 / time_ns}
*/
#include <stdio.h>
#include <stdlib.h>
void f(const float *x, float *y)
{
  for (volatile int k = 0; k < WORK; k++)
    for (int i = 0; i < 2000; i++)
      y[i] = 2 * x[i];
  ${3-}
}
END
}
kernel "$TMP/kernel.c" "[1, 20]"
kernel "$TMP/broken.c" "[1, 20, 30, 40, 50]" '
#if WORK == 30
  nowhere = 1;
#endif
  if (WORK == 40) { fputs("\033[31m\033]0;gotcha\007died\n", stderr); abort(); }
  if (WORK == 50) y[7] += 1;'
# Where the kernel itself does not matter, times are recorded: as fast as that kernel, or always the same.
recorded() { # recorded NAME WORKS [LINE]: LINE of the spec
  recording "$TMP/$1.json" "WORK=$2, KIND=[0, 1]" "WORK / 100"
  cat >"$TMP/$1.yaml" <<END
name: $1
backend: sim
file: $1.json
params:
  WORK: $2
  KIND: [0, 1]
baseline: {WORK: 20, KIND: 0}
metrics: {GB/s: 8 * 2000 / time_ns}
${3-}
END
}
recorded quick "[1, 20]"
recorded same "[20]"
# More configurations than anybody waits for, of which each build takes 20 ms: really, so that it can be interrupted.
recording "$TMP/many.json" "WORK=range(20, 3000)" "WORK / 1000" 20
printf '%s\n' 'name: many' 'backend: sim' 'file: many.json' 'sim: {pace: 1}' >"$TMP/many.yaml"
quick=$TMP/quick.yaml same=$TMP/same.yaml kernel=$TMP/kernel.c broken=$TMP/broken.c many=$TMP/many.yaml

escapes() { tr -dc '\033\007\r' <"$1" | wc -c; }

# ---- The command line

case_begin "the help has every option of the contract, within 80 columns"
run "$HONE" tune --help
expect_status 0
for option in store problem param filter shapes devices worker builders overlap strategy evals \
  budget effort patience seed-config learn-from no-warm-start seed random-seed fresh keep-going no-check top keep-slower no-confirm screen-samples no-cap margin \
  timeout memory-limit stop-after dry-run format require-improvement quiet verbose color help; do
  expect_out_contains " --$option"
done
expect_same "lines over 80 columns" "" "$(grep -E '.{81}' "$TMP/stdout")"
for command in run show cache; do
  run "$HONE" $command --help
  expect_status 0
  expect_same "lines over 80 columns" "" "$(grep -E '.{81}' "$TMP/stdout")"
done

case_begin "mistakes say what was expected"
run "$HONE" tune
expect_status 2
expect_err_contains "no file given: hone tune FILE..."
for time in x 0s 5q 5m- -3s 1..2s ''; do
  run "$HONE" tune "$quick" "--budget=$time"
  expect_status 2
  expect_err_contains "'--budget' needs a time such as 500ms, 60s, 5m or 1h30m, or a number of configurations, not '$time'"
done
run "$HONE" tune "$quick" --margin 1x
expect_status 2
expect_err_contains "'--margin' needs a percentage such as 1 or 0.5, not '1x'"
run "$HONE" tune "$quick" --top 0
expect_status 2
expect_err_contains "'--top' needs a number from 1 to 1000, not 0"
run "$HONE" tune "$quick" --evals 0
expect_status 2
expect_err_contains "'--evals' needs a number of at least 1, not 0"
run "$HONE" tune "$quick" --worker ' '
expect_status 2
expect_err_contains "'--worker' needs a command such as 'ssh host'"
run "$HONE" tune "$quick" --seed 3 --random-seed
expect_status 2
expect_err_contains "'--seed' and '--random-seed' cannot be combined: choose one"
run "$HONE" tune "$quick" --stop-after sreen
expect_status 2
expect_err_contains "did you mean 'screen'?"
run "$HONE" tune "$quick" --strategy nothing
expect_status 2
expect_err_contains "nothing"
run "$HONE" tune "$TMP/none.yaml"
expect_status 2
rm -rf "$HONE_STORE"*

case_begin "a dry run says what would be done and does nothing"
run "$HONE" tune "$kernel" --dry-run
expect_status 0
expect_out_contains "kernel"
expect_out_contains "-DWORK=20"
expect_out_contains "in pairs over 7 restarts" # a kernel on a CPU; programs and devices have 3
expect_same "store" "" "$(ls "$HONE_STORE" 2>/dev/null)"

case_begin "an empty space names the constraints that contradict each other"
sed 's/^baseline:.*/constraints: [WORK > 0, WORK > 30, KIND < 2, WORK < 25]/' "$kernel" >"$TMP/empty.c"
for command in "tune" "tune --dry-run" "run"; do
  run "$HONE" $command "$TMP/empty.c"
  expect_status 1
  expect_err_contains "'$TMP/empty.c' has no legal configuration: these constraints contradict each other:
  WORK > 30"
  case $ERR in *KIND* | *"WORK > 0"*) fail "these are no part of it: $ERR" ;; esac
done
run "$HONE" tune "$quick" --filter WORK=7
expect_status 1
expect_err_contains "has no legal configuration"

# ---- Verdicts

case_begin "a faster configuration is found and proved"
run "$HONE" tune "$quick"
expect_status 0
expect_out_contains "IMPROVED"
expect_out_contains "  baseline  WORK=20,KIND=0"
expect_out_contains "  winner    WORK=1,KIND="
expect_out_contains "GB/s"
expect_out_contains "  evaluated    4 of 4 legal: "
expect_out_contains "  store        $HONE_STORE"
expect_out_contains "hone show 1 --log"
expect_same "lines over 80 columns" "" \
  "$(grep -vE '^    hone |^ +-|^  store' "$TMP/stdout" | grep -E '.{81}')"
expect_err_contains "screening candidates"
expect_err_contains "best "
expect_same "control bytes in a log" 0 "$(escapes "$TMP/stderr")"
expect_same "control bytes in the results" 0 "$(escapes "$TMP/stdout")"

case_begin "the same command again is answered from the store"
run "$HONE" tune "$quick"
expect_status 0
expect_out_contains "IMPROVED"
when=$(sed -n '1s/.*run 1, \([0-9-]* [0-9]*:[0-9]*\):.*/\1/p' "$TMP/stdout")
expect_err_contains "from run 1 of $when: nothing was measured; use --fresh to measure again"
run "$HONE" tune "$quick" -q
expect_status 0
expect_err ""

case_begin "--fresh measures anew"
run "$HONE" tune "$quick" --fresh
expect_status 0
expect_out_contains "run 2"

case_begin "nothing to gain: exit status 0, or 3 if it was required"
run "$HONE" tune "$same" --require-improvement -q
expect_status 3
run "$HONE" tune "$same" -q
expect_status 0
run "$HONE" tune "$quick" --require-improvement -q
expect_status 0

case_begin "colour when asked for"
run "$HONE" tune "$quick" -q --color always
expect_out_contains $'\033[32mIMPROVED'

case_begin "json for scripts"
run "$HONE" tune "$quick" -q --format json
expect_status 0
if command -v python3 >/dev/null; then
  expect_same "run" "1 IMPROVED" "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
print(min(1, run["run"]), run["verdict"])' "$TMP/stdout")"
fi

case_begin "a random seed is printed, and part of the command that is kept"
run "$HONE" tune "$quick" --random-seed --format json
expect_status 0
seed=$(sed -n 's/^hone: seed //p' "$TMP/stderr")
expect_out_contains "--seed $seed"

case_begin "answers that were not checked are called so"
run "$HONE" tune "$kernel" --no-check
expect_status 0
expect_out_contains "answers were not checked"

case_begin "-v lists every candidate, and shortens nothing"
run "$HONE" tune "$quick" --fresh -v
expect_status 0
expect_err_contains "ok  "
expect_out_contains "configuration"

case_begin "it stops after a stage"
for stage in generate build screen; do
  run "$HONE" tune "$quick" --fresh --stop-after $stage --store "$TMP/$stage.db"
  expect_status 0
  expect_same "verdicts" 0 "$(grep -c 'IMPROVED' "$TMP/stdout")"
  word="no verdict:"
  if [ $stage = build ]; then word="built 4 of 4 configurations; timing was not requested"; fi
  expect_out_contains "$word"
done
expect_out_contains "compare the best with the baseline separately"
run "$HONE" show last --store "$TMP/build.db"
expect_out_contains "(built)"
expect_out_contains "  time the builds on the host with the device:
    hone tune $quick --store $TMP/build.db
"
expect_same "times of what was not timed" "" "$(grep -F '(screen)' "$TMP/stdout")"

case_begin "it is known how long devices were idle, and how long of that something waited for them"
run "$HONE" tune "$quick" -q --fresh --overlap --stop-after screen --store "$TMP/idle.db"
expect_status 0
run "$HONE" show last --format json --store "$TMP/idle.db"
expect_status 0
expect_same "what makes no sense" "" "$(python3 - "$TMP/stdout" 2>&1 <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
use = run["screening"]
def must(name, is_true):
    if not is_true:
        print(name, use)
must("overlap", use["overlap"] is True)
must("devices", use["devices"] == 1)
must("wall", 0 < use["wall_s"] <= run["wall_s"])
must("busy", 0 < use["busy_s"] <= use["wall_s"])
must("idle", abs(use["busy_s"] + use["idle_s"] - use["wall_s"]) < 1e-6)
must("waiting", 0 <= use["idle_ready_s"] <= use["idle_s"] + 1e-6)
must("log", any(" screening: {" in line for line in run["log"]))
END
)"
run "$HONE" show last --format json --store "$TMP/build.db"
expect_out_contains '"screening": null'

case_begin "a run that did nothing is a message, and no report"
run "$HONE" tune "$quick" --devices nowhere:1 --store "$TMP/nothing.db"
expect_status 2
expect_out ""
expect_err_contains "nowhere:1"

case_begin "a baseline that does not work is said with its evidence"
kernel "$TMP/hopeless.c" "[20]" 'nowhere = 1;'
run "$HONE" tune "$TMP/hopeless.c" --store "$TMP/nothing.db"
expect_status 1
expect_err_contains "compile_error"
expect_err_contains "'nowhere' undeclared"

case_begin "a configuration is counted once, however many devices there are"
if [ "$(nproc)" -ge 2 ]; then
  run "$HONE" tune "$kernel" --devices c:0,c:1 --no-confirm -q --store "$TMP/devices.db"
  expect_status 0
  expect_out_contains "  evaluated    4 of 4 legal: "
fi

case_begin "several problems end with a table of all"
recorded several "[1, 20]" "problem: {N: [1, 2]}"
run "$HONE" tune "$TMP/several.yaml" -q --store "$TMP/several.db"
expect_status 0
expect_same "the last table" "run 1 2" \
  "$(sed -n '/^all runs/,$p' "$TMP/stdout" | awk 'NR > 1 { print $1 }' | xargs)"
run "$HONE" tune "$TMP/several.yaml" --problem N=2 -q --store "$TMP/several.db"
expect_same "one problem" "" "$(grep '^all runs' "$TMP/stdout")"
run "$HONE" tune "$TMP/several.yaml" -q --format json --store "$TMP/several.db"
if command -v python3 >/dev/null; then
  expect_same "runs" "1 2" \
    "$(python3 -c 'import json, sys; print(*(r["run"] for r in json.load(sys.stdin)))' <"$TMP/stdout")"
fi

# ---- Failures

case_begin "failures are shown at once and counted, with evidence and a command"
run "$HONE" tune "$broken"
expect_status 0
expect_out_contains "IMPROVED"
for class in compile_error crash wrong_result; do
  expect_err_contains "FAILED  $class  WORK="
  expect_out_contains "     2  $class: "
done
expect_err_contains "error: "
expect_err_contains "hone run $broken --config WORK=30,KIND="
expect_out_contains "hone run $broken --config WORK=30,KIND="
expect_same "control bytes in a log" 0 "$(escapes "$TMP/stderr")"
expect_same "control bytes in the results" 0 "$(escapes "$TMP/stdout")"

case_begin "hone run tells of one configuration"
run "$HONE" run "$broken" --config WORK=1,KIND=0
expect_status 0
expect_out_contains "-DWORK=1"
run "$HONE" run "$broken"
expect_status 0
expect_out_contains "WORK=20,KIND=0"
for work in 30 40 50; do
  run "$HONE" run "$broken" --config WORK=$work,KIND=1
  expect_status 1
done
expect_out_contains "wrong_result"
run "$HONE" run "$broken" --config WORK=40,KIND=0
expect_same "control bytes of a candidate" 0 "$(escapes "$TMP/stdout")"
run "$HONE" run "$broken" --config WORK=50,KIND=0 --no-check
expect_status 0
run "$HONE" run "$broken" --config NOTHING=1
expect_status 1
expect_err_contains "unknown parameter 'NOTHING'"
run "$HONE" run
expect_status 2

# ---- Interruptions

case_begin "a signal ends it in good order, and the same command goes on"
is_measured() {
  [ "$(figure 'run["name"] == "many" and len(run["evaluations"]) > 1' 2>/dev/null)" = True ] || ! kill -0 $driver
}
interrupted() { # interrupted SIGNAL: once a candidate was measured
  "$HONE" tune "$many" --evals 100 >"$TMP/stdout" 2>"$TMP/stderr" &
  driver=$!
  wait_until is_measured
  kill "-$1" $driver
  wait $driver
  STATUS=$?
  COMMAND="hone tune, $1" OUT=$(cat "$TMP/stdout") ERR=$(cat "$TMP/stderr")
}
interrupted TERM
expect_status 130
expect_out_contains "interrupted"
expect_out_contains "hone tune $many --evals 100"
run "$HONE" tune "$many" --evals 100
expect_status 0
expect_err_contains "resuming run"

# ---- A terminal

if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
  case_skip "on a terminal one line is written over, and never wider than it" "no terminals here"
else
  case_begin "on a terminal one line is written over, and never wider than it"
  run python3 - "$HONE" "$broken" <<'END'
import fcntl, os, pty, re, struct, sys, termios
for columns in (80, 50, 30):
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", COLUMNS="200", LC_ALL="C.UTF-8")
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execv(sys.argv[1], [sys.argv[1], "tune", sys.argv[2], "--fresh"])
    text = b""
    try:
        while piece := os.read(terminal, 65536):
            text += piece
    except OSError:
        pass
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    lines = re.findall(r"\r(\[\d[^\r\n\x1b]*)\x1b\[K", text.decode())
    if status or not lines or max(map(len, lines)) >= columns:
        print(columns, status, lines, text.decode())
    if columns >= 50 and any("\u2026" in line and " best " not in line for line in lines):
        print(columns, "cut:", lines)
    for line in lines:
        if " screen " not in line and "/s" in line:
            print("what is no longer true:", line)
    for code in re.findall(rb"\x1b[^mK]*[a-zA-Z]|\x07", text):
        if not re.fullmatch(rb"\x1b\[[0-9;]*[mK]", code):
            print("stray", code)
END
  expect_status 0
  expect_out ""
fi

if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
  case_skip "the time left is that of the budget, and nothing once it is spent" "no terminals here"
else
  case_begin "the time left is that of the budget, and nothing once it is spent"
  recording "$TMP/hours.json" "WORK=range(20, 8000)" "WORK / 1000" 2000 # more than four hours
  run python3 - "$HONE" "$TMP/hours.json" <<'END'
import os, pty, re, sys
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="xterm")
    os.execv(sys.argv[1], [sys.argv[1], "tune", sys.argv[2], "--no-confirm", "--budget", "20m", "--builders", "1",
                           "--strategy", "exhaustive"])
text = b""
try:
    while piece := os.read(terminal, 65536):
        text += piece
except OSError:
    pass
os.waitpid(pid, 0)
left = re.findall(r" eta (\d+):(\d\d)", text.decode())
if not left:
    print("never said:", text.decode())
for minutes, seconds in left:
    if 60 * int(minutes) + int(seconds) > 20 * 60:
        print(f"more than the budget: {minutes}:{seconds}")
END
  expect_status 0
  expect_out ""
fi

case_begin "a configuration longer than a line goes on below, and what all share is said once"
recording "$TMP/wide.json" "FIRST_PARAMETER=[1, 2], SECOND_PARAMETER=[1, 2], THIRD_PARAMETER=[1, 2], \
FOURTH_PARAMETER=[1, 2], FIFTH_PARAMETER=[1, 2], SIXTH_PARAMETER=['adjacent'], SEVENTH_PARAMETER=[100000]" 1
run "$HONE" tune "$TMP/wide.json" --evals 6 --no-confirm
expect_status 0
expect_same "lines over 80 columns" "" \
  "$(grep -vE '^    hone |^ +-|^  store' "$TMP/stdout" | grep -E '.{81}')"
expect_out_contains "  baseline  FIRST_PARAMETER=1,SECOND_PARAMETER=1,THIRD_PARAMETER=1,
            FOURTH_PARAMETER=1,"
expect_out_contains "  all with SIXTH_PARAMETER=adjacent,SEVENTH_PARAMETER=100000"

# ---- The cache

case_begin "hone cache shows, verifies, prunes and clears"
run "$HONE" cache
expect_status 0
expect_out_contains "objects"
run "$HONE" cache verify
expect_status 0
expect_out_contains "all files are intact"
run "$HONE" cache prune --keep 1G
expect_status 0
expect_out "removed 0 files, 0 bytes"
run "$HONE" cache clear
expect_status 0
expect_out_contains "removed "
run "$HONE" cache show
expect_out_contains "  all             0  0 bytes"
run "$HONE" cache burn
expect_status 2
expect_err_contains "show, verify, prune or clear, not 'burn'"
run "$HONE" cache --keep 1G
expect_status 2

cases_end
