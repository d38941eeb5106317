#!/usr/bin/env bash
# Nodes that are lost, that come late, or never, behind launchers that queue as srun does: a run goes on with
# those that are left, and ends when its work is done.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache EVENTS=$TMP/events
spec=$TMP/nodes.yaml

cp tests/fault/nodes.c "$TMP"
sed 's/steady/nodes/; s/range(40)/range(20)/' tests/fault/steady.yaml >"$spec"

# node NAME LAUNCHER FIRST THEN: $TMP/NAME/LAUNCHER does FIRST with its command when it is called for the first time,
# THEN later.
node() {
  mkdir -p "$TMP/$1"
  cat >"$TMP/$1/$2" <<END
#!/bin/sh
export NODE=$1
queue() { echo 'srun: job 7 queued and waiting for resources' >&2; exec sleep 1000; }
wait_for() { while [ ! -e "\$EVENTS/\$1" ]; do sleep 0.02; done; }
wait_to_be_left_out() { until grep -q 'is not used until its worker is back' "$TMP/stderr"; do sleep 0.02; done; }
lose() { # lose SIGNAL COMMAND...: when a candidate has run there
  local signal=\$1 worker
  shift
  exec 3<&0 # a shell gives what is in its background no input
  "\$@" <&3 &
  worker=\$!
  wait_for $1.ran
  kill -\$signal \$worker
  : >"\$EVENTS/$1.lost"
  if [ \$signal = STOP ]; then exec sleep 1000; fi
  exit 0 # as srun says of a lost node
}
if mkdir "\$EVENTS/$1.used" 2>/dev/null; then
  $3
else
  $4
fi
END
  chmod +x "$TMP/$1/$2"
}
begin() { # begin NAME: a case in which nothing has happened
  case_begin "$1"
  rm -rf "$HONE_STORE"* "$EVENTS"
  mkdir "$EVENTS"
}
tune() { # tune OPTION...
  RUN_TIMEOUT=120 run "$HONE" tune "$spec" --timeout 60s "$@"
}
expect_run() { # expect_run EXPRESSION RESULT: of the stored run
  "$HONE" show last --format json >"$TMP/run.json"
  expect_same "run" "$2" "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
all = run["evaluations"]
ok = [e for e in all if e["outcome"] in ("ok", "slow")]
def on(name, base=False): return len([e for e in ok if "/" + name + "/" in e["device"] and e["is_baseline"] == base])
print(eval(sys.argv[2]))' "$TMP/run.json" "$1")"
}

for signal in KILL STOP; do
  begin "a node is lost ($signal), its launcher queues for ever: the other does all, to the end"
  echo n2.lost >"$EVENTS/9"
  node n1 srun 'exec "$@"' 'exec "$@"'
  node n2 srun "lose $signal \"\$@\"" queue
  tune --worker "$TMP/n1/srun" --worker "$TMP/n2/srun" --strategy exhaustive
  expect_status 0
  expect_run 'len({e["config"] for e in ok}), on("n1", True), on("n2", True)' "(20, 1, 1)"
  expect_err_contains "is not used until its worker is back"
done

begin "a node that never comes holds nobody"
node n2 srun queue queue
tune --worker "$TMP/n2/srun" --worker "$TMP/n1/srun" --no-confirm
expect_status 0
expect_run 'len({e["config"] for e in ok}), on("n2", True), on("n2")' "(20, 0, 0)"
expect_err_contains "job 7 queued and waiting for resources"

begin "a node that comes late times the baseline, and takes part"
echo n2.ran >"$EVENTS/9"
node n2 srun 'wait_for n1.ran; exec "$@"' 'exec "$@"'
tune --worker "$TMP/n1/srun" --worker "$TMP/n2/srun" --strategy exhaustive --no-confirm
expect_status 0
expect_run 'len({e["config"] for e in ok}), on("n1", True), on("n2", True), on("n2") > 0' "(20, 1, 1, True)"

begin "a node that was lost and is back takes part again"
echo n2.again >"$EVENTS/9"
node n2 srun 'lose KILL "$@"' 'rm "$EVENTS/n2.ran"; wait_for n1.ran; wait_to_be_left_out; (wait_for n2.ran; : >"$EVENTS/n2.again") & exec "$@"'
tune --worker "$TMP/n1/srun" --worker "$TMP/n2/srun" --strategy exhaustive --no-confirm
expect_status 0
expect_run 'len({e["config"] for e in ok}), on("n2", True), on("n2") > 0' "(20, 1, True)"
expect_err_contains "is not used until its worker is back"

begin "all are lost for good: the run ends with a message, and what was measured is kept"
node n1 once 'lose KILL "$@"' 'echo "no route to host" >&2; exit 255'
node n2 once 'lose KILL "$@"' 'echo "no route to host" >&2; exit 255'
echo n1.never >"$EVENTS/9"
tune --worker "$TMP/n1/once" --worker "$TMP/n2/once" --strategy exhaustive
expect_status 1
expect_err_contains "no device is left: "
expect_err_contains "no route to host"
expect_run 'len(ok) > 2' True
echo n1.lost >"$EVENTS/9"
node n1 once 'exec "$@"' 'exec "$@"'
tune --worker "$TMP/n1/once" --strategy exhaustive --no-confirm
expect_status 0
expect_run 'len({e["config"] for e in ok})' 20

begin "a sweep goes on without the lost node, too"
echo n2.lost >"$EVENTS/9"
node n1 srun 'exec "$@"' 'exec "$@"'
node n2 srun 'lose KILL "$@"' queue
RUN_TIMEOUT=120 run "$HONE" sweep "$spec" --output-dir "$TMP/output" --timeout-secs 60 --worker "$TMP/n1/srun" --worker "$TMP/n2/srun"
expect_status 0
expect_run 'len({e["config"] for e in ok})' 20

begin "who waits for the only node can be interrupted"
node n2 srun queue queue
: >"$TMP/stderr" # what the last run said is not waited for
"$HONE" tune "$spec" --worker "$TMP/n2/srun" >"$TMP/stdout" 2>"$TMP/stderr" &
driver=$!
wait_until grep -q "waiting for an allocation for worker" "$TMP/stderr"
kill -INT $driver
wait $driver
expect_same "status" 130 $?

case_begin "nothing is left running"
expect_nothing_left "$TMP/n[12]/"

cases_end
