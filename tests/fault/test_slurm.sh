#!/usr/bin/env bash
# Nodes that are lost and come back in a Slurm of our own: munged, slurmctld and two slurmd on this machine, for
# root, below $TMP. What test_lost.sh does with launchers that pretend.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache EVENTS=$TMP/events
spec=$TMP/nodes.yaml

skip_all() { # skip_all REASON
  case_skip "nodes of a Slurm" "$1"
  cases_end
}
PATH=$PATH:/usr/sbin:/sbin # the daemons are there
for program in munged slurmctld slurmd srun scontrol; do
  command -v $program >/dev/null || skip_all "$program is not installed"
done
[ "$(id -u)" = 0 ] || skip_all "only root may start its daemons"

# ---- The cluster ----

export SLURM_CONF=$TMP/slurm.conf
unset ${!SBATCH_*} ${!SALLOC_*} ${!SRUN_*} $(compgen -e | grep '^SLURM_' | grep -v '^SLURM_CONF$') 2>/dev/null

ours() { # ours [TEXT]: processes of this Slurm, and those that it started; with TEXT as well in their surroundings
  local found
  found=$(grep -slzxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ)
  if [ -n "$found" ] && [ -n "${1-}" ]; then found=$(grep -slzxF "$1" $found); fi
  cut -d/ -f3 <<<"$found"
}
slurm_down() { # all that is ours, whatever state it is in
  local left
  for _ in $(seq 20); do
    left=$(ours)
    if [ -z "$left" ]; then return; fi
    kill -KILL $left 2>/dev/null
    sleep 0.1
  done
}
trap 'slurm_down; rm -rf "$TMP"' EXIT
trap 'exit 1' INT TERM HUP

node_start() { slurmd -N "$1" -f "$SLURM_CONF" 2>>"$TMP/log/start"; }

slurm_up() {
  local host ports
  host=$(hostname -s)
  ports=($(python3 -c '
import socket
all = [socket.socket() for i in range(3)]
for s in all: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in all])'))
  mkdir -p "$TMP"/{run,log,state,spool.node1,spool.node2}
  head -c 1024 /dev/urandom >"$TMP/munge.key"
  chmod 600 "$TMP/munge.key"
  # A lost node is not noticed for 300 s, as by default; nor is it here, unless a case says that it is.
  cat >"$SLURM_CONF" <<END
ClusterName=hone
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$TMP/run/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
ReturnToService=2
SlurmdTimeout=300
KillWait=5
StateSaveLocation=$TMP/state
SlurmdSpoolDir=$TMP/spool.%n
SlurmctldPidFile=$TMP/run/slurmctld.pid
SlurmdPidFile=$TMP/run/slurmd.%n.pid
SlurmctldLogFile=$TMP/log/slurmctld
SlurmdLogFile=$TMP/log/slurmd.%n
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=1 State=UNKNOWN
NodeName=node2 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=1 State=UNKNOWN
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
END
  munged --force --key-file="$TMP/munge.key" --socket="$TMP/run/munge.socket" --pid-file="$TMP/run/munged.pid" \
    --log-file="$TMP/log/munged" --seed-file="$TMP/run/munge.seed" 2>>"$TMP/log/start" &&
    slurmctld -c -f "$SLURM_CONF" 2>>"$TMP/log/start" && node_start node1 && node_start node2
}

within() { # within SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    if [ $SECONDS -ge $end ]; then return 1; fi
    sleep 0.2
  done
}
both_idle() { [ "$(timeout 10 sinfo -h -N -o %t 2>/dev/null | sort -u)" = idle ]; }
both_work() { both_idle && timeout 10 srun -N2 true 2>/dev/null; }

# node_lost NODE: all of it, at once. Its tasks are known by their surroundings, their parents are slurmstepd.
node_lost() {
  local tasks parents all
  tasks=$(ours "SLURMD_NODENAME=$1")
  parents=$(for task in $tasks; do ps -o ppid= -p "$task"; done | sort -u)
  all=$(cat "$TMP/run/slurmd.$1.pid"; echo "$tasks"
    for parent in $parents; do if [ "$(cat "/proc/$parent/comm")" = slurmstepd ]; then echo "$parent"; fi; done)
  kill -STOP $all # nobody tells anybody
  kill -KILL $all
} 2>/dev/null
node_noticed() { scontrol update nodename="$1" state=down reason=lost; }
node_back() {
  node_start "$1"
  scontrol update nodename="$1" state=resume 2>/dev/null # it may be idle already
}
mend() { # as in the beginning, for the next case
  scancel -u root
  for node in node1 node2; do
    if ! kill -0 "$(cat "$TMP/run/slurmd.$node.pid")"; then
      node_noticed $node
      node_back $node
    fi
  done
  within 60 both_idle
} 2>/dev/null

slurm_up && within 60 both_work ||
  skip_all "Slurm does not start here: $(cat "$TMP"/log/* | grep -ai error | tail -n 1)"

# ---- The candidates ----

cp tests/fault/nodes.c "$TMP"
sed 's/steady/nodes/; s/range(40)/range(20)/' tests/fault/steady.yaml >"$spec"

begin() { # begin NAME: a case in which nothing has happened
  case_begin "$1"
  rm -rf "$HONE_STORE"* "$EVENTS"
  mkdir "$EVENTS"
  mend || fail "the nodes do not come back: $(sinfo -N; squeue)"
}
happened() { [ -e "$EVENTS/$1" ]; }
said() { grep -qs "$1" "$TMP/stderr"; }
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
no_jobs() { [ -z "$(timeout 10 squeue -h)" ]; }
expect_no_jobs() { # an allocation that nobody gives back keeps its node for ever
  within 30 no_jobs || fail "jobs are left: $(squeue)"
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
mend
expect_nothing_left
expect_same "srun" "" "$(for process in $(ours); do grep -sx srun "/proc/$process/comm"; done)"

cases_end
