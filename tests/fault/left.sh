# left.sh - what tests of faults ask in the end; read behind lib.sh.

workers_left() { # workers that this test started: their surroundings name its folder
  local process
  for process in $(grep -slzF "$TMP/" /proc/[0-9]*/environ | cut -d/ -f3); do
    if tr '\0' ' ' <"/proc/$process/cmdline" | grep -q ' worker --role '; then echo "$process"; fi
  done 2>/dev/null
}

expect_nothing_left() { # expect_nothing_left [PATTERN]: no worker, and no command like that, after 10 s at most
  local left
  for _ in $(seq 100); do
    left=$(workers_left && if [ -n "${1-}" ]; then pgrep -f "$1"; fi)
    if [ -z "$left" ]; then return; fi
    sleep 0.1
  done
  fail "left running: $(ps -o pid,ppid,args -p "$(paste -sd, <<<"$left")")"
}
