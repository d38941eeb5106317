#!/usr/bin/env bash
# Three nodes of a Slurm of our own, taken with --cluster: nodes, the controller and the driver are lost while it tunes.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
. "$(dirname "$0")/events.sh"
. "$(dirname "$0")/slurm.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache EVENTS=$TMP/events
spec=$TMP/nodes.yaml
slurm_begin 3
cp tests/fault/nodes.c "$TMP"
sed 's/steady/nodes/; s/range(40)/range(24)/' tests/fault/steady.yaml >"$spec"

all_ran() { happened node1.ran && happened node2.ran && happened node3.ran; }
await() { # await COMMAND...: as long as there is a run
  local end=$((SECONDS + 60))
  until "$@"; do
    if [ $SECONDS -ge $end ] || happened over; then return 1; fi
    sleep 0.1
  done
}
meanwhile() { # meanwhile COMMAND...: while the run goes on, when all nodes have run something; then candidates end
  rm -f "$TMP/stderr"
  echo go >"$EVENTS/9"
  { await all_ran && "$@"; status=$?; : >"$EVENTS/go"; exit $status; } >"$TMP/meanwhile" 2>&1 &
  other=$!
}
tune() { # tune OPTION...
  RUN_TIMEOUT=150 run "$HONE" tune "$spec" --timeout 100s --strategy exhaustive "$@"
  : >"$EVENTS/over"
  wait $other || fail "$(cat "$TMP/meanwhile")"
}
expect_run() { # expect_run EXPRESSION RESULT: of the stored run
  "$HONE" show last --format json >"$TMP/run.json"
  expect_same "run" "$2" "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
ok = [e for e in run["evaluations"] if e["outcome"] in ("ok", "slow")]
configs = len({e["config"] for e in ok})
once = len([e for e in run["evaluations"] if not e["is_baseline"]]) <= 24
nodes = sorted({e["device"] for e in ok})
print(eval(sys.argv[2]))' "$TMP/run.json" "$1")"
}
expect_lost_time() { # expect_lost_time SECONDS: from the loss until the others had its work
  local lost gone
  lost=$(stat -c %Y "$EVENTS/lost")
  gone=$(stat -c %Y "$EVENTS/aside")
  [ $((gone - lost)) -le "$1" ] || fail "it took $((gone - lost)) s"
}
note_aside() { await said "is not used until its worker is back" && : >"$EVENTS/aside"; }

begin "nodes join as jobs of their own, and are given back"
meanwhile true
tune --cluster 'slurm:--gpus=1 -N3' --no-confirm
expect_status 0
expect_run 'configs, once, nodes' "(24, True, ['job 1/c', 'job 2/c', 'job 3/c'])"
expect_no_jobs

lose_two() {
  node_lost node1
  node_lost node3
  : >"$EVENTS/lost"
  note_aside
}
begin "two of three nodes are killed: the third does their work within seconds"
meanwhile lose_two
tune --cluster 'slurm:-N3'
expect_status 0
expect_run 'configs, once, run["verdict"] is not None' "(24, True, True)"
expect_lost_time 15

stop_one() {
  node_stopped node2
  : >"$EVENTS/lost"
  note_aside
}
begin "a node is stopped: the others do its work within seconds"
meanwhile stop_one
tune --cluster 'slurm:-N3' --no-confirm
expect_status 0
expect_run 'configs, once' "(24, True)"
expect_lost_time 15

job_of() { squeue -h -o %i -w "$1"; } # job_of NODE
end_job() { # end_job COMMAND...: which ends the job of node2; the worker comes back in a new one
  "$@" || return 1
  : >"$EVENTS/lost"
  note_aside && rm "$EVENTS/node2.ran" && await happened node2.ran
}
cancel() { scancel "$(job_of node2)"; }
begin "a worker's job is cancelled: its work goes to others at once, and it comes back in another job"
meanwhile end_job cancel
tune --cluster 'slurm:-N3' --no-confirm
expect_status 0
expect_run 'configs, once' "(24, True)"
expect_lost_time 5

limit_time() { scontrol update jobid="$(job_of node2)" timelimit=0; }
preempt() { sbatch -p urgent -w node2 -o /dev/null --wrap 'sleep 2'; }
for how in "limit_time:reaches its time limit" "preempt:is preempted by one that is urgent"; do
  begin "a worker's job ${how#*:}: the same"
  meanwhile end_job "${how%%:*}"
  tune --cluster 'slurm:-N3' --no-confirm
  expect_status 0
  expect_run 'configs, once' "(24, True)"
done

restart_controller() {
  kill -KILL "$(cat "$TMP/run/slurmctld.pid")"
  controller_start
}
begin "the controller is killed and started again: workers go on"
meanwhile restart_controller
tune --cluster 'slurm:-N3' --no-confirm
expect_status 0
expect_run 'configs, once, len(nodes)' "(24, True, 3)"
if said "ended\|is not used"; then fail "a worker was lost: $ERR"; fi

begin "the driver is killed: no worker is left, and another one goes on with the store"
echo never >"$EVENTS/9"
"$HONE" tune "$spec" --timeout 100s --strategy exhaustive --cluster 'slurm:-N3' --no-confirm >"$TMP/first" 2>&1 &
driver=$!
wait_until all_ran
kill -KILL $driver
wait $driver 2>/dev/null
killed=$SECONDS
within 20 nothing_is_left '' || fail "left running: $left"
[ $((SECONDS - killed)) -le 15 ] || fail "workers ended after $((SECONDS - killed)) s"
within 30 no_jobs || fail "jobs are left: $(squeue)"
before=$(python3 -c '
import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("select count(*) from evaluations where is_baseline = 0").fetchone())' "$HONE_STORE")
rm "$EVENTS/9"
RUN_TIMEOUT=100 run "$HONE" tune "$spec" --timeout 100s --strategy exhaustive --cluster 'slurm:-N2' --no-confirm
expect_status 0
expect_run 'configs, once' "(24, True)"
[ "$before" -gt 0 ] || fail "nothing was kept"

begin "within an allocation: its nodes are used"
meanwhile true
RUN_TIMEOUT=100 run salloc -N3 "$HONE" tune "$spec" --timeout 100s --strategy exhaustive --cluster slurm --no-confirm
: >"$EVENTS/over"
expect_status 0
expect_run 'configs, nodes' "(24, ['node1/c', 'node2/c', 'node3/c'])"
expect_no_jobs

begin "a batch job of 'hone cluster script'"
"$HONE" cluster script "$spec" -N 3 --cpus 1 --gpus 1 -- --no-confirm --strategy exhaustive >"$TMP/job"
(cd "$TMP" && sbatch --wait job >sbatch.out 2>&1) || fail "$(cat "$TMP/sbatch.out" "$TMP"/hone-*.log)"
expect_run 'configs, once, len(nodes) >= 1, all(n.startswith("node") for n in nodes)' "(24, True, True, True)"

case_begin "nothing is left running"
slurm_mend
expect_nothing_left

cases_end
