#!/usr/bin/env bash
# One run in which candidates do everything that a candidate can do. Each is one row with its class, the
# good one wins, nothing is left running, and the driver stays small.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache

expected='BEHAVIOUR=ABORT crash
BEHAVIOUR=BASELINE ok
BEHAVIOUR=CLOSE_ALL ok
BEHAVIOUR=COMPILE_FOREVER compile_timeout
BEHAVIOUR=DIVIDE crash
BEHAVIOUR=EAT_MEMORY oom_host
BEHAVIOUR=ESCAPE hang
BEHAVIOUR=EXIT_EARLY crash
BEHAVIOUR=FLOOD ok
BEHAVIOUR=GARBAGE ok
BEHAVIOUR=GOOD ok
BEHAVIOUR=HANG hang
BEHAVIOUR=HANG_HARD hang
BEHAVIOUR=NONDETERMINISTIC nondeterministic
BEHAVIOUR=NO_COMPILE compile_error
BEHAVIOUR=OVERRUN wrong_result
BEHAVIOUR=SEGFAULT crash
BEHAVIOUR=SLOW slow
BEHAVIOUR=STOP hang
BEHAVIOUR=WRONG wrong_result'

classes() { # of the run in $TMP/run.json; on a busy machine any that works may be found slow
  python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
for e in sorted(run["evaluations"], key=lambda e: e["config"]):
    by_chance = e["outcome"] == "slow" and e["config"] != "BEHAVIOUR=SLOW"
    print(e["config"], "ok" if by_chance else e["outcome"])' "$TMP/run.json"
}

# $1 is the isolation: by namespace where the machine allows, and without.
whole_run() {
  case_begin "every behaviour gets its class ($1)"
  rm -f "$HONE_STORE"
  HONE_ISOLATION=$1 RUN_TIMEOUT=250 run "$HONE" tune tests/fault/behaviour.yaml --memory-limit 256M \
    --timeout 5s --quiet
  expect_status 0
  expect_out_contains "IMPROVED"
  "$HONE" show last --format json >"$TMP/run.json"
  got=$(classes)
  [ "$got" = "$expected" ] || fail "$(diff <(echo "$expected") <(echo "$got"))"

  case_begin "one that behaves wins ($1)"
  winner=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["winner"])' "$TMP/run.json")
  case $winner in
  BEHAVIOUR=GOOD | BEHAVIOUR=CLOSE_ALL | BEHAVIOUR=GARBAGE | BEHAVIOUR=FLOOD) ;;
  *) fail "winner is $winner" ;;
  esac

  case_begin "nothing is left running ($1)"
  expect_nothing_left hone-escapee
}

whole_run auto
whole_run none

case_begin "the driver stays below 64 MiB"
rm -f "$HONE_STORE"
python3 - "$HONE" <<'PY' >"$TMP/rss"
import subprocess, sys, time
driver = subprocess.Popen([sys.argv[1], "tune", "tests/fault/behaviour.yaml", "--memory-limit", "256M",
                           "--timeout", "5s", "--quiet", "--no-confirm"], stdout=subprocess.DEVNULL)
peak = 0
while driver.poll() is None:
    try: # its own peak: what it waits for counts in rusage too
        lines = open(f"/proc/{driver.pid}/status").read().splitlines()
        peak = max([peak] + [int(line.split()[1]) for line in lines if line.startswith("VmHWM")])
    except OSError:
        pass
    time.sleep(0.01)
print("rss", peak, "status", driver.returncode)
PY
rss=$(sed -n 's/.*rss \([0-9]*\) status 0$/\1/p' "$TMP/rss")
if [ -z "$rss" ]; then
  fail "the run failed: $(cat "$TMP/rss")"
elif nm -D "$HONE" 2>/dev/null | grep -q __asan; then
  echo "# a sanitizer build: its memory says nothing"
elif [ "$rss" -ge 65536 ] || [ "$rss" -lt 1000 ]; then
  fail "the driver took $rss KiB"
fi

cases_end
