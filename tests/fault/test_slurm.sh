#!/usr/bin/env bash
# Nodes that are lost and come back in a Slurm of our own: munged, slurmctld and two slurmd on this machine, for
# root, below $TMP. What test_lost.sh does with launchers that pretend.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
. "$(dirname "$0")/events.sh"
. "$(dirname "$0")/slurm.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache EVENTS=$TMP/events
spec=$TMP/nodes.yaml
slurm_begin 2

# ---- The candidates ----

cp tests/fault/nodes.c "$TMP"
sed 's/steady/nodes/; s/range(40)/range(20)/' tests/fault/steady.yaml >"$spec"

meanwhile() { # meanwhile COMMAND...: while the run goes on
  rm -f "$TMP/stderr"
  "$@" >"$TMP/meanwhile" 2>&1 &
  other=$!
}
await() { # await COMMAND...: of `meanwhile`, as long as there is a run
  local end=$((SECONDS + 100))
  until "$@"; do
    if [ $SECONDS -ge $end ] || happened over; then return 1; fi
    sleep 0.1
  done
}
tune() { # tune OPTION...
  RUN_TIMEOUT=200 run "$HONE" tune "$spec" --timeout 150s --worker 'srun -N1 -n1 -w node1' \
    --worker 'srun -N1 -n1 -w node2' --strategy exhaustive "$@"
  : >"$EVENTS/over"
}
tuned() { # what `meanwhile` did is over as well
  wait $other || fail "$(cat "$TMP/meanwhile")"
}
expect_run() { # expect_run EXPRESSION RESULT: of the stored run
  "$HONE" show last --format json >"$TMP/run.json"
  expect_same "run" "$2" "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
ok = [e for e in run["evaluations"] if e["outcome"] in ("ok", "slow")]
configs = len({e["config"] for e in ok})
def on(node, base=False): return len([e for e in ok if "-w " + node + "/" in e["device"] and e["is_baseline"] == base])
print(eval(sys.argv[2]))' "$TMP/run.json" "$1")"
}

# ---- The cases ----

both_ran() { await happened node1.ran && await happened node2.ran && : >"$EVENTS/both"; }
begin "both nodes take part, and are given back"
echo both >"$EVENTS/9" # neither does all before the other is there
meanwhile both_ran
tune
tuned
expect_status 0
expect_run 'configs, on("node1", True), on("node2", True), on("node1") > 0, on("node2") > 0' "(20, 1, 1, True, True)"
expect_no_jobs

lose_in_screening() {
  await happened node2.ran || return 1
  node_lost node2
  : >"$EVENTS/lost"
}
begin "a node is lost for good in screening: the other does all, to the end"
echo lost >"$EVENTS/9"
meanwhile lose_in_screening
tune
tuned
expect_status 0
expect_run 'configs, on("node1", True), on("node2", True), run["verdict"] is not None' "(20, 1, 1, True)"
expect_err_contains "is not used until its worker is back"

lose_later() { # lose_later STAGE
  await said "$1" && node_lost node1
}
for stage in "screening candidates" "racing the best candidates" "confirming the finalists"; do
  begin "a node is lost for good after '$stage'"
  meanwhile lose_later "$stage"
  tune
  tuned
  expect_status 0
  expect_run 'configs, run["verdict"] is not None' "(20, True)"
done

begin "a node that Slurm believes to be there, and is not, holds nobody"
node_lost node2
tune
expect_status 0
expect_run 'configs, on("node2")' "(20, 0)"

cancel_step() {
  await happened node2.ran || return 1
  scancel "$(squeue -h -o %i -w node2).0"
  rm "$EVENTS/node2.ran"
  await happened node2.ran || return 1
  : >"$EVENTS/again"
}
begin "a step that is cancelled is started again"
echo again >"$EVENTS/9"
meanwhile cancel_step
tune --no-confirm
tuned
expect_status 0
expect_run 'configs, on("node1") > 0, on("node2") > 0' "(20, True, True)"
expect_no_jobs

drain() {
  await happened node2.ran || return 1
  scontrol update nodename=node2 state=drain reason=test
  scancel "$(squeue -h -o %i -w node2)"
  await said "is not used until its worker is back" || return 1
  rm -f "$EVENTS/node2.ran"
  scontrol update nodename=node2 state=resume
  await happened node2.ran || return 1
  : >"$EVENTS/again"
}
begin "a node that is drained, and resumed, takes part again"
echo again >"$EVENTS/9"
meanwhile drain
tune --no-confirm
tuned
expect_status 0
expect_run 'configs, on("node2") > 0' "(20, True)"
expect_no_jobs

lose_and_return() { # lose_and_return COMMAND...: which comes between
  await happened node2.ran || return 1
  node_lost node2
  await said "is not used until its worker is back" || return 1
  "$@"
  rm -f "$EVENTS/node2.ran"
  node_back node2
  if await happened node2.ran; then : >"$EVENTS/again"; return; fi
  squeue
  : >"$EVENTS/again" # the run need not wait longer
  return 1
}
begin "a node that was lost, and is back, takes part again"
echo again >"$EVENTS/9"
meanwhile lose_and_return node_noticed node2
tune --no-confirm
tuned
expect_status 0
expect_run 'configs, on("node2") > 0' "(20, True)"
expect_no_jobs

begin "so does one that is back before Slurm has noticed: its former allocation was given back"
echo again >"$EVENTS/9"
meanwhile lose_and_return true
tune --no-confirm
tuned
expect_status 0
expect_run 'configs, on("node2") > 0' "(20, True)"
expect_no_jobs

case_begin "nothing is left running"
slurm_mend
expect_nothing_left
expect_same "srun" "" "$(for process in $(ours); do grep -sx srun "/proc/$process/comm"; done)"

cases_end
