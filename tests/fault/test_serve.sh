#!/usr/bin/env bash
# Served programs that misbehave: each candidate is classified, the others are measured by a program that is
# started again, and nothing is left running.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
cd "$TMP" || exit 1

cat >bad.py <<'PY'
import json, os, signal, sys, time

act = ""


def say(text, end="\n"):
    sys.stdout.write(text + end)
    sys.stdout.flush()


def fork_child():
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)
        os._exit(0)


def deaf():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(1000)


def answer(request, **fields):
    say(json.dumps({"id": request["id"], **fields}))


def measure(request):
    acts = {
        "segv": lambda: os.kill(os.getpid(), signal.SIGSEGV),
        "exit0": lambda: os._exit(0),
        "exit3": lambda: (print("the last words", file=sys.stderr), sys.stderr.flush(), os._exit(3)),
        "raise": lambda: [][1],
        "hang": lambda: time.sleep(1000),
        "deaf": deaf,
        "stopped": lambda: os.kill(os.getpid(), signal.SIGSTOP),
        "closed": lambda: (os.close(1), time.sleep(1000)),
        "garbage": lambda: say("{this is no JSON}"),
        "text": lambda: (say("some text"), answer(request, samples_ns=[2e6])),
        "before": lambda: (say("progress 50 %", end=""), answer(request, samples_ns=[2e6]), time.sleep(1000)),
        "huge": lambda: say('{"id": 1, "text": "' + "x" * (3 << 20)),
        "flood": lambda: (say(("y" * 1000 + "\n") * 20000), answer(request, samples_ns=[2e6])),
        "binary": lambda: (os.write(1, bytes(range(256)) * 100 + b"\n"), answer(request, samples_ns=[2e6])),
        "twice": lambda: [answer(request, samples_ns=[2e6]) for _ in range(2)],
        "other": lambda: say('{"id": 100000, "samples_ns": [2]}'),
        "none": lambda: answer(request),
        "nan": lambda: answer(request, samples_ns=[float("nan")]),
        "zero": lambda: answer(request, samples_ns=[0]),
        "negative": lambda: answer(request, samples_ns=[-1]),
        "words": lambda: answer(request, samples_ns="fast"),
        "unknown": lambda: answer(request, outcome="sad"),
        "memory": lambda: answer(request, outcome="oom_device", text="17 GiB needed"),
        "fault": lambda: answer(request, outcome="device_fault", text="illegal address"),
        "child": lambda: (fork_child(), answer(request, samples_ns=[2e6])),
        "leaves": lambda: (answer(request, samples_ns=[2e6]), os._exit(0)),
        "silent": lambda: time.sleep(1000),
    }
    acts.get(act, lambda: answer(request, samples_ns=[2e6] * request["samples"]))()


for line in sys.stdin:
    request = json.loads(line)
    act = request.get("config", {}).get("act", "")
    if request["type"] == "bye":
        if os.environ.get("IGNORES_BYE"):
            deaf()
        break
    if request["type"] == "hello":
        answer(request, **json.loads(os.environ.get("WELCOME", '{"version": 1, "build": false}')))
    elif request["type"] == "build":
        if act == "uncompiled":
            answer(request, outcome="compile_error", text="line 3: no such thing")
        elif act == "crashes":
            os._exit(1)
        elif act == "builds":
            time.sleep(1000)
        else:
            answer(request)
    elif request["type"] == "check" and act == "wrong":
        answer(request, outcome="wrong_result", text="c[3] is 1, not 2")
    elif request["type"] == "check":
        answer(request)
    else:
        measure(request)
PY
spec() { # spec ACTS [MORE]: MORE are settings of `run`
  printf 'name: bad\nfile: bad.py\nrun: {mode: serve, start_timeout: 20%s}\nparams:\n  act: [%s]\n' "${2-}" "$1" >bad.yaml
}
RUN_TIMEOUT=150
sweep() { run "$HONE" sweep bad.yaml --plot none --timeout-secs 5 "$@"; }
failures() { # failures EXPRESSION: of each failure `f`
  python3 -c 'import json, sys
for f in json.load(open("kbench-output/output.failures.json"))["failures"]:
    print(eval(sys.argv[1]))' "$1"
}
outcomes() { failures '" ".join(f["params"].values()) + " " + f["outcome"]' | paste -sd ,; }
evidence() { failures 'f["evidence"] if "'"$1"'" in f["params"].values() else ""'; } # evidence VALUE
expect_evidence() { expect_contains "the evidence of $1" "$2" "$(evidence "$1")"; } # expect_evidence VALUE TEXT

expect_said() { expect_contains "standard error" "$1" "$(tr -s '\n ' ' ' <<<"$ERR")"; } # expect_said TEXT: in lines of any length

case_begin "ends of every kind cost one candidate, and the next one is measured"
spec "good1, segv, good2, exit0, exit3, raise, hang, deaf, stopped, good3"
sweep --timeout-secs 2
expect_status 0
expect_same "outcomes" "segv crash,exit0 crash,exit3 crash,raise crash,hang hang,deaf hang,stopped hang" "$(outcomes)"
expect_evidence segv "signal 11 (SIGSEGV) before it answered 'measure'"
expect_evidence exit0 "exit status 0 before it answered 'measure'"
expect_evidence exit3 "exit status 3 before it answered 'measure': the last words"
expect_evidence raise "IndexError"
expect_same "the text of exit3" "the last words" "$(failures 'f["exec_stderr"].strip() if "exit3" in f["params"].values() else ""' | grep .)"
expect_evidence hang "no answer to 'measure' within 2 s"
expect_nothing_left "$TMP/bad.py"

case_begin "lines that are no answers"
spec "good1, closed, garbage, before, huge, other, none, nan, zero, negative, words, unknown, good3"
sweep --timeout-secs 3
expect_status 0
expect_evidence closed "it closed its standard output before it answered 'measure'"
expect_evidence garbage "the line '{this is no JSON}' is not valid JSON"
expect_evidence before "an answer begins with '{' at the start of a line"
expect_evidence huge "longer than 1048576 bytes"
expect_evidence other "answers request 100000, but request"
expect_evidence none "\"samples_ns\" is missing or empty"
expect_evidence unknown "'sad', which a program cannot answer: use one of ok"
expect_same "outcomes" "closed protocol,garbage protocol,before hang,huge protocol,other protocol,none no_result,nan \
protocol,zero bad_result,negative bad_result,words protocol,unknown protocol" "$(outcomes)"

case_begin "an answer that comes twice is not taken for that of the next candidate"
spec "good1, twice, good2"
sweep
expect_status 0
expect_same "outcomes" "" "$(outcomes)"

case_begin "text around answers is kept, however much there is"
spec "good, text, flood, binary"
sweep
expect_status 0
expect_same "outcomes" "" "$(outcomes)"

case_begin "a failure that the program answers is its outcome"
spec "good1, memory, fault, wrong, uncompiled, good2"
WELCOME='{"version": 1}' sweep
expect_status 0
expect_same "outcomes" "memory oom_device,fault device_fault,wrong wrong_result,uncompiled compile_error" "$(outcomes)"
expect_evidence memory "17 GiB needed"
expect_evidence wrong "c[3] is 1, not 2"
expect_evidence uncompiled "line 3: no such thing"

case_begin "builders that fail, crash and hang"
spec "good, uncompiled, crashes, builds" ", builders: 2"
echo 'build: {timeout: 2}' >>bad.yaml
WELCOME='{"version": 1}' sweep
expect_status 0
expect_same "outcomes" "uncompiled compile_error,crashes compile_crash,builds compile_timeout" "$(outcomes)"
expect_nothing_left "$TMP/bad.py"

case_begin "a promise of signs of life that is broken is a hang, long before the deadline"
spec "good, silent"
WELCOME='{"version": 1, "build": false, "heartbeat_s": 1}' sweep --timeout-secs 100
expect_status 0
expect_same "outcomes" "silent hang" "$(outcomes)"
expect_evidence silent "no output for 1 s before it answered 'measure'"

case_begin "a child that stays, and an end between candidates, harm nobody"
spec "good1, child, good2, leaves, good3"
sweep
expect_status 0
expect_same "outcomes" "" "$(outcomes)"
expect_nothing_left "$TMP/bad.py"

case_begin "a program that ignores bye is ended"
spec "good1"
IGNORES_BYE=1 sweep
expect_status 0
expect_nothing_left "$TMP/bad.py"

case_begin "a program that cannot be greeted is named, with the reason"
spec "good"
WELCOME='{"version": 2}' sweep
expect_status 1
expect_said "the served program '$TMP/bad.py'"
expect_said "it speaks version 2 of the protocol"
echo 'import nothing_of_this_name' >no.py
sed 's/bad.py/no.py/' bad.yaml >no.yaml
run "$HONE" sweep no.yaml --plot none
expect_status 1
expect_said "exit status 1 before it answered 'hello':"
expect_said "ModuleNotFoundError: No module named 'nothing_of_this_name'"
printf 'name: bad\nfile: bad.py\nrun: {mode: serve, command: nowhere_to_be_found}\nparams:\n  act: [good]\n' >no.yaml
run "$HONE" sweep no.yaml --plot none
expect_status 1
expect_said "cannot be started: no such file or directory"
WELCOME='{"version": 1, "build": false, "check": false}' sweep
expect_status 1
expect_said "write 'check: {enabled: false}' in the spec"

case_begin "when the driver is killed nothing stays"
spec "good, hang"
"$HONE" sweep bad.yaml --plot none --timeout-secs 200 >out 2>err &
driver=$!
is_serving() { pgrep -f "$TMP/bad.py" >"$TMP/null"; }
wait_until is_serving
kill -KILL $driver
wait $driver 2>"$TMP/null"
expect_nothing_left "$TMP/bad.py"

cases_end
