#!/usr/bin/env bash
# Hosts behind a real sshd of our own on the loopback, below $TMP: its connections are cut and made silent while a run
# goes on. What test_hosts.sh does with a stand-in.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
. "$(dirname "$0")/events.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
EVENTS=$TMP/events
spec=$TMP/nodes.yaml
PATH=$PATH:/usr/sbin:/sbin

# ---- The server ----

skip() { # skip REASON
  case_skip "hosts behind sshd" "$1"
  cases_end
}
for program in sshd ssh ssh-keygen; do
  command -v $program >/dev/null || skip "$program is not installed"
done
[ "$(id -u)" = 0 ] || skip "only root has a login shell for sure"
sshd=$(command -v sshd) client=$(command -v ssh)
server='' far_server=''
end_server() { # with its connections
  local process
  for process in $server $far_server $(connections) $(cat "$EVENTS/silent" 2>/dev/null); do kill -CONT "$process"; kill -KILL "$process"; done 2>/dev/null
  if [ -n "$far_server" ]; then ip netns del "$network"; ip link del "$link"; fi 2>/dev/null
}
trap 'end_server; rm -rf "$TMP"' EXIT
trap 'exit 1' INT TERM HUP
connections() { # processes of the servers, one each
  local process
  for process in $server $far_server; do ps -o pid= --ppid "$process"; done
}

start_server() {
  local port
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  mkdir -p /run/sshd "$TMP/bin" &&
    ssh-keygen -q -t ed25519 -N '' -f "$TMP/host" && ssh-keygen -q -t ed25519 -N '' -f "$TMP/user" &&
    ssh-keygen -q -t ed25519 -N '' -f "$TMP/slow" || return 1
  # The shell behind the second key takes its time, and talks.
  { cat "$TMP/user.pub"
    echo "command=\"echo 'you have mail'; sleep 5; exec sh -c \\\"\$SSH_ORIGINAL_COMMAND\\\"\" $(cat "$TMP/slow.pub")"
  } >"$TMP/keys"
  echo "*** authorized use only ***" >"$TMP/banner"
  cat >"$TMP/sshd.conf" <<E
Port $port
ListenAddress 127.0.0.1
HostKey $TMP/host
AuthorizedKeysFile $TMP/keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
Banner $TMP/banner
PrintMotd yes
E
  cat >"$TMP/ssh.conf" <<E
Host *
HostName 127.0.0.1
Port $port
User $(id -un)
IdentitiesOnly yes
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
Host slow
IdentityFile $TMP/slow
Host shared
ControlMaster auto
ControlPath $TMP/%C
ControlPersist 60
Host *
IdentityFile $TMP/user
E
  printf '#!/bin/sh\nexec "%s" -F "%s" "$@"\n' "$client" "$TMP/ssh.conf" >"$TMP/bin/ssh"
  chmod +x "$TMP/bin/ssh"
  "$sshd" -D -f "$TMP/sshd.conf" -E "$TMP/sshd.log" &
  server=$!
  PATH=$TMP/bin:$PATH
  wait_until ssh -o BatchMode=yes alpha true 2>"$TMP/ssh.err"
}
start_server || skip "sshd does not start here: $(cat "$TMP/sshd.log" "$TMP/ssh.err" 2>/dev/null | tail -n 1)"

# ---- Runs ----

cp tests/fault/nodes.c "$TMP"
sed 's/steady/nodes/; s/range(40)/range(20)/' tests/fault/steady.yaml >"$spec"

begin() { # begin NAME HOST...: a case in which nothing has happened
  case_begin "$1"
  shift
  rm -rf "$HONE_STORE"* "$EVENTS"
  mkdir "$EVENTS"
  for host in "$@"; do echo "$host NODE=$host EVENTS=$EVENTS HONE_CACHE=$TMP/cache-there HONE_DRIVER_SILENCE=8"; done >"$TMP/hosts"
}
both_ran() { happened alpha.ran && happened "$other_host.ran"; }
tune() { # tune OPTION...
  RUN_TIMEOUT=100 run "$HONE" tune "$spec" --timeout 60s --strategy exhaustive --no-confirm --cluster ssh:"$TMP/hosts" "$@"
  wait $other || fail "$(cat "$TMP/meanwhile")"
  expect_status 0
  "$HONE" show last --format json >"$TMP/run.json"
  expect_same "run" "20 True" "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
ok = [e for e in run["evaluations"] if e["outcome"] in ("ok", "slow")]
print(len({e["config"] for e in ok}), len([e for e in run["evaluations"] if not e["is_baseline"]]) <= 20)' "$TMP/run.json")"
}
on_host() { # on_host NAME: its workers, the supervisor first
  local process
  for process in $(workers_left); do
    if grep -qzx NODE="$1" "/proc/$process/environ"; then echo "$process"; fi
  done 2>/dev/null | sort -n
}
on_beta() { on_host beta; }
client_of_beta() { # the process of ssh
  local process
  for process in $(pgrep -x ssh); do
    if tr '\0' ' ' <"/proc/$process/cmdline" | grep -q "$TMP/ssh.conf.* beta "; then echo "$process"; fi
  done 2>/dev/null
}
server_of_beta() { # the process of sshd
  local process
  process=$(on_beta | head -n 1)
  while [ "$(cat "/proc/$process/comm")" != sshd ]; do process=$(ps -o ppid= -p "$process" | tr -d ' '); done
  echo "$process"
}
is_zombie() { grep -qs '^State:.Z' "/proc/$1/status"; } # a server that is stopped does not take note of its end
gone() { # gone PROCESS...
  local process
  for process in "$@"; do if [ -e "/proc/$process" ] && ! is_zombie "$process"; then return 1; fi; done
}
workers_were() { cat "$EVENTS/workers"; }
expect_no_orphan() {
  [ -s "$EVENTS/workers" ] || fail "there was no worker on $other_host"
  wait_until gone $(workers_were) || fail "left on the host: $(ps -o pid,args -p "$(workers_were | paste -sd,)")"
}

other_host=beta
cut_connection() { # cut_connection ROLE: the connection, by the end of one of its processes
  on_beta >"$EVENTS/workers"
  kill -KILL "$("$1_of_beta")" && rm "$EVENTS/beta.ran" && wait_until happened beta.ran
}
for role in client server; do
  begin "the $role's process of a connection is killed: its job moves, the host is used again, no worker is left" alpha beta
  meanwhile cut_connection $role
  tune
  expect_err_contains "device 'beta/c' is not used until its worker is back"
  [[ $ERR != *"authorized use only"* ]] || fail "the banner is taken for the reason: $ERR"
  expect_no_orphan
done

be_silent() {
  on_beta >"$EVENTS/workers"
  server_of_beta >"$EVENTS/silent"
  date +%s >"$EVENTS/since"
  kill -STOP "$(cat "$EVENTS/silent")"
  wait_until said "is not used until its worker is back: worker 'beta' (c) ended during a job: no heartbeat" &&
    date +%s >"$EVENTS/noticed"
}
begin "a silent connection is noticed by heartbeats, its job moves, and no worker is left on the host" alpha beta
meanwhile be_silent
tune
took=$(($(cat "$EVENTS/noticed") - $(cat "$EVENTS/since")))
[ $took -le 15 ] || fail "it took $took s"
expect_no_orphan
kill -KILL "$(cat "$EVENTS/silent")"

# A host in a network of its own, whose cable can be cut: nobody closes the connection.
network=hone$$ link=hone$$a
start_far() {
  local address=10.213.$(($$ % 250))
  ip netns add "$network" && ip link add "$link" type veth peer name far0 netns "$network" || return 1
  far_server=none
  ip addr add "$address.1/30" dev "$link" && ip link set "$link" up && ip -n "$network" link set lo up &&
    ip -n "$network" addr add "$address.2/30" dev far0 && ip -n "$network" link set far0 up || return 1
  sed "s/^ListenAddress.*/ListenAddress $address.2/" "$TMP/sshd.conf" >"$TMP/far.conf"
  sed "1i Host far\nHostName $address.2" "$TMP/ssh.conf" >"$TMP/ssh.new" && mv "$TMP/ssh.new" "$TMP/ssh.conf"
  ip netns exec "$network" "$sshd" -D -f "$TMP/far.conf" -E "$TMP/far.log" &
  far_server=$!
  wait_until ssh -o BatchMode=yes -o ConnectTimeout=2 far true 2>"$TMP/ssh.err"
}
cut_cable() {
  on_host far >"$EVENTS/workers"
  date +%s >"$EVENTS/since"
  ip link set "$link" down
  wait_until said "is not used until its worker is back: worker 'far' (c) ended during a job: no heartbeat" &&
    date +%s >"$EVENTS/noticed"
}
if start_far >"$TMP/far.out" 2>&1; then
  other_host=far
  begin "a network that is cut is noticed by heartbeats, its job moves, and no worker is left on the host" alpha far
  meanwhile cut_cable
  tune
  took=$(($(cat "$EVENTS/noticed") - $(cat "$EVENTS/since")))
  [ $took -le 15 ] || fail "it took $took s"
  expect_no_orphan
  run "$HONE" show last --log
  for line in "device 'far/c' is ready on host" "device 'far/c' is not used until its worker is back" "is measured on another device: 'far/c' failed"; do
    expect_out_contains "$line"
  done
else
  case_skip "a network that is cut" "no network of its own can be made here: $(tail -n 1 "$TMP/far.out")"
fi

other_host=slow
begin "a banner, a message of the day, and a login shell that takes 5 s" alpha slow
meanwhile true
tune
run "$HONE" show last --log
expect_out_contains "device 'slow/c' is ready on host"

masters() { pgrep -f "^ssh: $TMP/.*\[mux\]"; }
cut_shared() {
  on_host shared >"$EVENTS/workers"
  kill -KILL $(masters) && rm "$EVENTS/shared.ran" && wait_until happened shared.ran
}
other_host=shared
begin "a connection that two workers share (ControlMaster) is killed: both are started again, no worker is left" alpha shared
sed -i 's/^shared .*/& slots=2/' "$TMP/hosts"
meanwhile cut_shared
tune
expect_err_contains "is not used until its worker is back"
expect_no_orphan
kill $(masters)

case_begin "'cluster check' of hosts behind sshd, with one that refuses us"
printf 'alpha\nnobody@alpha\n' >"$TMP/hosts"
run "$HONE" cluster check ssh:"$TMP/hosts"
expect_status 1
expect_out_contains "nobody@alpha cannot be used: nobody@127.0.0.1: Permission denied (publickey)"

case_begin "nothing is left running"
expect_nothing_left

cases_end
