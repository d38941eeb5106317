#!/usr/bin/env bash
# A sweep that is killed, interrupted or robbed of its workers: the next one goes on, and nothing that was
# acknowledged is measured twice.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
cd "$TMP" || exit 1

cat >bench.py <<'PY'
import os, sys, time

args = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
with open("begun", "a") as log:
    log.write(args["x"] + "\n")
time.sleep(float(args.get("sleep", 0)))
while int(args["x"]) > 4 and os.path.exists("held"):
    time.sleep(0.05)
if args.get("end") == "supervisor" and not os.path.exists("lost"):
    open("lost", "w").close()
    parent = os.getppid()
    with open(f"/proc/{parent}/stat") as stat:
        above = int(stat.read().rpartition(")")[2].split()[1])
    os.kill(above, 9)
with open(sys.argv[sys.argv.index("-o") + 1], "w") as csv:
    csv.write('name,met (ms),iters\n"b",%d,1\n' % (1 + int(args["x"])))
PY
spec() { # spec VALUES SLEEP [MORE]: one run for each value of x
  printf 'name: bench\nfile: %s/bench.py\nparams:\n  - $x: %s\n    $sleep: %s\n%s' "$TMP" "$1" "$2" \
    "${3-}" >bench.yaml
}
sweep() { run "$HONE" sweep bench.yaml --plot none "$@"; }
stored() { # stored QUERY: of the store
  python3 -c 'import sqlite3, sys
print(sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True, timeout=10).execute(sys.argv[2]).fetchone()[0])' \
    "$HONE_STORE" "$1" 2>/dev/null || echo 0
}
start() { # start: a sweep, until it has stored some; it is held before it has all
  touch held
  "$HONE" sweep bench.yaml --plot none >out 2>err &
  driver=$!
  wait_until some_stored || fail "nothing was stored: $(cat err)"
}
some_stored() { [ "$(stored 'select count(*) from evaluations')" -ge 3 ]; }
none_runs() { ! pgrep -f "$TMP/bench.py" >left; }
ended() { # ended: of the sweep nothing runs any more
  wait_until none_runs
  rm held
}

case_begin "kill -9: the same command goes on, and measures nothing twice"
spec 'range(12)' 0.1
start
kill -9 $driver
wait $driver 2>/dev/null
ended
kept=$(stored 'select count(*) from evaluations')
: >begun
sweep
expect_status 0
expect_err_contains "resuming run 1: $kept configurations are known"
expect_err_contains "Execution summary: 12 succeeded (12 total)"
expect_same "runs after the kill" $((12 - kept)) "$(wc -l <begun)"
expect_same "rows" 12 "$(stored 'select count(distinct mesh_idx) from evaluations where run = 1')"
expect_same "rows in the file" 13 "$(wc -l <kbench-output/output.csv)"

case_begin "a finished sweep is measured anew"
: >begun
sweep --quiet
expect_status 0
expect_same "runs" 12 "$(wc -l <begun)"
expect_same "runs in the store" 2 "$(stored 'select count(*) from runs')"

for signal in INT TERM; do
  case_begin "SIG$signal: what is measured is kept, and is written"
  rm -rf store.db* kbench-output
  start
  kill -$signal $driver
  wait $driver
  STATUS=$? ERR=$(cat err)
  ended
  expect_status 130
  expect_err_contains "run the same command to continue"
  expect_same "state" interrupted "$(stored 'select state from runs')"
  kept=$(stored 'select count(*) from evaluations')
  expect_same "rows in the file" $((kept + 1)) "$(wc -l <kbench-output/output.csv)"
  sweep
  expect_status 0
  expect_err_contains "resuming run 1: $kept configurations are known"
done

case_begin "a configuration that stands twice is run twice, and is known twice"
rm -rf store.db* begun
spec '[1, 2]' 0.01 '  - $x: [1]
    $sleep: 0.01
'
sweep
expect_status 0
expect_same "runs" 3 "$(wc -l <begun)"
expect_same "rows" 3 "$(stored 'select count(*) from evaluations')"

case_begin "another program is another run"
echo '# changed' >>bench.py
sed -i 's/1 + int/2 + int/' bench.py
sweep
expect_status 0
expect_same "runs in the store" 2 "$(stored 'select count(*) from runs')"

case_begin "a worker that is killed is started again, and its configuration too"
rm -rf store.db* lost
spec 'range(4)' 0.01 '    $end: supervisor
'
sweep
expect_status 0
expect_err_contains "Execution summary: 4 succeeded (4 total)"

case_begin "nothing is left running"
expect_nothing_left

cases_end
