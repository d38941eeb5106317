#!/usr/bin/env bash
# Hosts behind a stand-in of ssh, which has all that a connection has: a client here, a network that can become
# silent, and a server that runs the command in a shell and ends it when its connection is closed.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
. "$(dirname "$0")/events.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache EVENTS=$TMP/events HOSTS=$TMP/hosts
export HONE_DRIVER_SILENCE=8
: "${HONE_PROXY:=$PWD/build/tests/proxy}"
export HONE_PROXY
spec=$TMP/nodes.yaml
cp tests/fault/nodes.c "$TMP"
sed 's/steady/nodes/; s/range(40)/range(20)/' tests/fault/steady.yaml >"$spec"
mkdir "$TMP/bin"
PATH=$TMP/bin:$PATH

# $HOSTS/NAME.client, .network and .server hold the process ids of the last connection to it.
cat >"$TMP/bin/ssh" <<'END_OF_SSH'
#!/usr/bin/env python3
import os, signal, socket, subprocess, sys, threading

words = sys.argv[1:]
while words[0].startswith("-"):
    words = words[1 if words[0] == "-T" else 2:]
host, command = words[0], " ".join(words[1:])

def note(role):
    with open(f"{os.environ['HOSTS']}/{host}.{role}", "w") as file:
        file.write(str(os.getpid()))

def pump(source, target, closes):
    while True:
        try:
            data = os.read(source, 65536)
            while data:
                data = data[os.write(target, data):]
                if not data:
                    break
            else:
                break
        except OSError:
            break
    closes()

def both(a, b, end):
    first = threading.Thread(target=pump, args=(a[0], b[1], end), daemon=True)
    first.start()
    pump(b[0], a[1], end)

def quit():
    os._exit(255)

here, near = socket.socketpair()
far, there = socket.socketpair()
if os.fork() == 0:  # the network
    os.setsid()
    here.close(), there.close(), os.close(0), os.close(1)
    note("network")
    both((near.fileno(),) * 2, (far.fileno(),) * 2, quit)
    quit()
if os.fork() == 0:  # the server
    os.setsid()
    here.close(), near.close(), far.close(), os.close(0), os.close(1)
    note("server")
    child = subprocess.Popen(["sh", f"{os.environ['HOSTS']}/{host}.login", command], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, env=dict(os.environ, NODE=host))
    both((there.fileno(),) * 2, (child.stdout.fileno(), child.stdin.fileno()), quit)
    quit()
near.close(), far.close(), there.close()
note("client")
both((0, 1), (here.fileno(),) * 2, quit)
END_OF_SSH
chmod +x "$TMP/bin/ssh"

begin() { # begin NAME HOST...: a case in which nothing has happened
  case_begin "$1"
  shift
  rm -rf "$HONE_STORE"* "$EVENTS" "$HOSTS"
  mkdir "$EVENTS" "$HOSTS"
  for host in "$@"; do
    login "$host" 'exec sh -c "$1"'
    echo "$host" >>"$TMP/hosts/list"
  done
}
login() { echo "$2" >"$HOSTS/$1.login"; } # login HOST SCRIPT: what its shell does with the command, $1
process_of() { cat "$HOSTS/$1.$2"; } # process_of HOST ROLE
both_ran() { happened alpha.ran && happened beta.ran; }
tune() { # tune OPTION...
  RUN_TIMEOUT=100 run "$HONE" tune "$spec" --timeout 60s --strategy exhaustive --no-confirm --cluster ssh:"$HOSTS/list" "$@"
}
tuned() { wait $other || fail "$(cat "$TMP/meanwhile")"; }
expect_all() { # every configuration once
  "$HONE" show last --format json >"$TMP/run.json"
  expect_same "run" "20 True" "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
ok = [e for e in run["evaluations"] if e["outcome"] in ("ok", "slow")]
print(len({e["config"] for e in ok}), len([e for e in run["evaluations"] if not e["is_baseline"]]) <= 20)' "$TMP/run.json")"
}
on_beta() { # workers there
  local process
  for process in $(workers_left); do
    if grep -qzx NODE=beta "/proc/$process/environ"; then echo "$process"; fi
  done 2>/dev/null
}

for role in client server; do
  cut_connection() { kill -KILL "$(process_of beta $role)" && rm "$EVENTS/beta.ran" && wait_until happened beta.ran; }
  begin "the $role of a connection is killed: its job moves, and the host is used again" alpha beta
  meanwhile cut_connection
  tune
  tuned
  expect_status 0
  expect_all
  expect_err_contains "device 'beta/c' is not used until its worker is back"
  run "$HONE" show last --log
  for line in "device 'beta/c' is ready on host" "is measured on another device: 'beta/c' failed" "device 'beta/c' is in use again"; do
    expect_out_contains "$line"
  done
  expect_same "what beta did" "joined left joined, 1 requeued" "$(python3 -c 'import sqlite3, sys
jobs = list(sqlite3.connect(sys.argv[1]).execute("""SELECT phase, requeued FROM jobs JOIN workers
  ON workers.run = jobs.run AND workers.number = worker WHERE name = "beta/c" ORDER BY began_us"""))
print(" ".join(phase for phase, _ in jobs if phase in ("joined", "left")) + f", {sum(r for _, r in jobs)} requeued")' "$HONE_STORE")"
done

be_silent() {
  kill -STOP "$(process_of beta network)"
  silent=$(process_of beta network)
  echo "$silent" >"$EVENTS/silent"
  wait_until said "is not used until its worker is back: worker 'beta' (c) ended during a job: no heartbeat"
}
begin "the network is silent: noticed by heartbeats, and no worker is left on the host" alpha beta
first=''
note_first() { first=$(on_beta); echo "$first" >"$EVENTS/first"; be_silent; }
meanwhile note_first
tune
tuned
expect_status 0
expect_all
first_gone() { for process in $(cat "$EVENTS/first"); do if kill -0 "$process" 2>/dev/null; then return 1; fi; done; }
[ -s "$EVENTS/first" ] || fail "there was no worker on beta"
wait_until first_gone || fail "left on the host: $(cat "$EVENTS/first")"
kill -KILL "$(cat "$EVENTS/silent")"

begin "a slow login shell with a banner and a message of the day" alpha beta
login beta 'echo "*** Authorized use only ***"; sleep 3; echo "you have mail"; exec sh -c "$1"'
meanwhile true
tune
tuned
expect_status 0
expect_all

begin "hosts that cannot be used: a clear line each, and the run goes on" alpha old other changed arch glibc none
login other 'exec "$HONE_PROXY" "hello:{\"revision\":\"0123abc\"}" 0 sh -c "$1"'
login changed 'exec "$HONE_PROXY" "hello:{\"sources\":\"0123abc\"}" 0 sh -c "$1"'
login old 'exec "$HONE_PROXY" "hello:{\"version\":\"0.0.9\"}" 0 sh -c "$1"'
printf '\177ELF\002\001\001' >"$TMP/foreign"
chmod +x "$TMP/foreign"
login arch "exec $TMP/foreign"
login glibc "echo \"hone: /lib/libc.so.6: version 'GLIBC_2.38' not found (required by hone)\" >&2; exit 1"
login none 'exec sh -c "/nowhere/hone worker"'
tune
expect_status 0
expect_all
expect_err_contains "device 'old/c' is no longer used: worker 'old' (c) cannot be used: '$HONE' is hone 0.0.9, this is hone"
if [[ $("$HONE" --version) != *"(unknown)"* ]]; then # not built from a repository
  expect_err_contains "device 'other/c' is no longer used: worker 'other' (c) cannot be used: '$HONE' is hone"
  expect_err_contains "of revision 0123abc, this is of revision"
fi
expect_err_contains "worker 'changed' (c) cannot be used: '$HONE' is hone"
expect_err_contains "but was built from other sources: their checksum is 0123abc, here it is"
expect_err_contains "worker 'arch' (c) did not start"
expect_err_contains "Exec format error"
expect_err_contains "version 'GLIBC_2.38' not found"
expect_err_contains "/nowhere/hone: not found"

begin "a clock that is wrong, and a disk that is full, are told by a check" alpha beta
login alpha 'exec "$HONE_PROXY" "hello:{\"clock_s\":1000000}" 0 sh -c "$1"'
login beta 'exec "$HONE_PROXY" "hello:{\"disk_free_bytes\":4096}" 0 sh -c "$1"'
run "$HONE" cluster check ssh:"$HOSTS/list"
expect_status 0
expect_out_contains "alpha: its clock is"
expect_out_contains "beta: its disk is almost full: 4.0 KiB are free for the cache"

begin "a clock that is one hour off, in a run: a line, and right results; names of hosts are escaped" alpha beta
login alpha 'exec "$HONE_PROXY" "hello:{\"host\":\"\\u001b[31m<script>red\"}" 0 sh -c "$1"'
cat >"$TMP/clock.c" <<'END_OF_CLOCK'
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *now)
{
  int failed = (int)syscall(SYS_clock_gettime, id, now);
  if (!failed && id == CLOCK_REALTIME) now->tv_sec -= 3600;
  return failed;
}
int gettimeofday(struct timeval *now, void *zone)
{
  struct timespec exact;
  int failed = clock_gettime(CLOCK_REALTIME, &exact);
  (void)zone;
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return failed;
}
time_t time(time_t *out)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
END_OF_CLOCK
if cc -shared -fPIC -o "$TMP/clock.so" "$TMP/clock.c" && [ "$(LD_PRELOAD=$TMP/clock.so date +%s)" -lt $(($(date +%s) - 3000)) ]; then
  login beta "export LD_PRELOAD=$TMP/clock.so; exec sh -c \"\$1\""
  tune
  expect_status 0
  expect_all
  expect_err_contains "device 'beta/c': the clock of its host is 3600 s behind: times are not affected, dates are"
  if [[ $(<"$TMP/stderr") == *"alpha/c': the clock"* ]]; then fail "a clock that is right"; fi
  [ "$(python3 -c '
import json, sys
print(sum(e["device"] == "beta/c" and not e["is_baseline"] for e in json.load(open(sys.argv[1]))["evaluations"]))' "$TMP/run.json")" -gt 0 ] ||
    fail "nothing was measured there"
  run "$HONE" show last --log
  expect_out_contains "is ready on host '\\x1b[31m<script>red'"
  "$HONE" report last -q -o "$TMP/page.html"
  grep -q 'script>red' "$TMP/page.html" || fail "the page does not name the host"
  if grep -q '<script>red' "$TMP/page.html"; then fail "the name of a host is part of the page's text"; fi
else
  fail "no clock that is wrong"
fi

if [[ $HONE == /tmp/* || $HONE == /var/tmp/* || $HONE == /dev/shm/* ]]; then
  case_skip "a host with a full disk" "the program is in a folder that is full there"
elif unshare -m true 2>/dev/null; then
  begin "a host with a full disk" alpha beta
  login beta 'exec unshare -m sh -c "for folder in /tmp /var/tmp /dev/shm; do mount -t tmpfs -o size=4k none \$folder; head -c 9000 /dev/zero >\$folder/full; done 2>/dev/null; HONE_CACHE=/dev/shm/c TMPDIR=/var/tmp $1"'
  rm -f "$TMP/stderr"
  tune
  expect_status 0
  expect_all
else
  case_skip "a host with a full disk" "this user may not mount"
fi

case_begin "nothing is left running"
expect_nothing_left

cases_end
