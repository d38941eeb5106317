# slurm.sh - a Slurm of our own on this machine: munged, slurmctld and some slurmd, for root, below $TMP; read behind
# lib.sh. `slurm_begin NODES` starts it, or ends the test with the reason; it is ended with the test.
# Nodes are called node1, node2...; each has one CPU and one GPU that is none (/dev/null).

slurm_skip() { # slurm_skip REASON
  case_skip "nodes of a Slurm" "$1"
  cases_end
}
PATH=$PATH:/usr/sbin:/sbin # the daemons are there
for program in munged slurmctld slurmd srun scontrol; do
  command -v $program >/dev/null || slurm_skip "$program is not installed"
done
[ "$(id -u)" = 0 ] || slurm_skip "only root may start its daemons"

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
    left=$(ours | grep -vx $$)
    if [ -z "$left" ]; then return; fi
    kill -KILL $left 2>/dev/null
    sleep 0.1
  done
}
trap 'slurm_down; rm -rf "$TMP"' EXIT
trap 'exit 1' INT TERM HUP

node_start() { slurmd -N "$1" -f "$SLURM_CONF" 2>>"$TMP/log/start"; }
controller_start() { slurmctld "$@" -f "$SLURM_CONF" 2>>"$TMP/log/start"; }

slurm_configure() { # slurm_configure NODES
  local host ports node
  host=$(hostname -s)
  ports=($(python3 -c '
import socket, sys
all = [socket.socket() for i in range(1 + int(sys.argv[1]))]
for s in all: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in all])' "$1"))
  mkdir -p "$TMP"/{run,log,state}
  head -c 1024 /dev/urandom >"$TMP/munge.key"
  chmod 600 "$TMP/munge.key"
  # A lost node is not noticed for 300 s, as by default; nor is it here, unless a case says that it is.
  cat >"$SLURM_CONF" <<EOF
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
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
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
GresTypes=gpu
EOF
  : >"$TMP/gres.conf"
  for node in $(seq "$1"); do
    mkdir -p "$TMP/spool.node$node"
    echo "NodeName=node$node NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[node]} CPUs=1 Gres=gpu:1 State=UNKNOWN" >>"$SLURM_CONF"
    echo "NodeName=node$node Name=gpu File=/dev/null" >>"$TMP/gres.conf"
  done
  echo "PartitionName=all Nodes=node[1-$1] Default=YES MaxTime=INFINITE State=UP PriorityTier=1" >>"$SLURM_CONF"
  echo "PartitionName=urgent Nodes=node[1-$1] MaxTime=INFINITE State=UP PriorityTier=9" >>"$SLURM_CONF" # its jobs end those of the other
}
slurm_up() { # slurm_up NODES
  local node
  slurm_configure "$1"
  munged --force --key-file="$TMP/munge.key" --socket="$TMP/run/munge.socket" --pid-file="$TMP/run/munged.pid" \
    --log-file="$TMP/log/munged" --seed-file="$TMP/run/munge.seed" 2>>"$TMP/log/start" &&
    controller_start -c || return 1
  for node in $(seq "$1"); do node_start "node$node" || return 1; done
}

within() { # within SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    if [ $SECONDS -ge $end ]; then return 1; fi
    sleep 0.2
  done
}
all_idle() { [ "$(timeout 10 sinfo -h -N -o %t 2>/dev/null | sort -u)" = idle ]; }
all_work() { all_idle && timeout 10 srun -N"$slurm_nodes" true 2>/dev/null; }

# node_processes NODE: its daemon, its tasks, known by their surroundings, and their parents, which are slurmstepd.
node_processes() {
  local tasks parents parent
  tasks=$(ours "SLURMD_NODENAME=$1")
  parents=$(for task in $tasks; do ps -o ppid= -p "$task"; done | sort -u)
  cat "$TMP/run/slurmd.$1.pid"
  echo "$tasks"
  for parent in $parents; do if [ "$(cat "/proc/$parent/comm")" = slurmstepd ]; then echo "$parent"; fi; done
}
node_lost() { # node_lost NODE: all of it, at once
  local all
  all=$(node_processes "$1")
  kill -STOP $all # nobody tells anybody
  kill -KILL $all
} 2>/dev/null
node_stopped() { kill -STOP $(node_processes "$1"); } 2>/dev/null
node_noticed() { scontrol update nodename="$1" state=down reason=lost; }
node_back() {
  node_start "$1"
  scontrol update nodename="$1" state=resume 2>/dev/null # it may be idle already
}
slurm_mend() { # as in the beginning, for the next case
  local number node
  kill -CONT $(ours)
  scancel -u root
  for number in $(seq "$slurm_nodes"); do
    node=node$number
    if ! kill -0 "$(cat "$TMP/run/slurmd.$node.pid")"; then
      node_noticed "$node"
      node_back "$node"
    fi
  done
  within 60 all_idle
} 2>/dev/null
no_jobs() { [ -z "$(timeout 10 squeue -h)" ]; }
expect_no_jobs() { # an allocation that nobody gives back keeps its node for ever
  within 30 no_jobs || fail "jobs are left: $(squeue)"
}

slurm_begin() { # slurm_begin NODES
  slurm_nodes=$1
  slurm_up "$1" && within 60 all_work ||
    slurm_skip "Slurm does not start here: $(cat "$TMP"/log/* | grep -ai error | tail -n 1)"
}

# ---- Cases ----

begin() { # begin NAME: a case in which nothing has happened
  case_begin "$1"
  rm -rf "$HONE_STORE"* "$EVENTS"
  mkdir "$EVENTS"
  slurm_mend || fail "the nodes do not come back: $(sinfo -N; squeue)"
}
