# left.sh - what tests of faults ask in the end; read behind lib.sh.

workers_left() { # workers that this test started: their surroundings name its folder
  local process
  for process in $(grep -slzF "$TMP/" /proc/[0-9]*/environ | cut -d/ -f3); do
    if tr '\0' ' ' <"/proc/$process/cmdline" | grep -q ' worker --role '; then echo "$process"; fi
  done 2>/dev/null
}

nothing_is_left() { # nothing_is_left PATTERN
  left=$(workers_left && if [ -n "$1" ]; then pgrep -f "$1"; fi)
  [ -z "$left" ]
}

expect_nothing_left() { # expect_nothing_left [PATTERN]: no worker, and no command like that
  local left
  wait_until nothing_is_left "${1-}" || fail "left running: $(ps -o pid,ppid,args -p "$(paste -sd, <<<"$left")")"
}
