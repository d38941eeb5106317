# store.sh - what tests of faults ask of a store while a run goes on; read behind lib.sh.

ask() { # ask STORE SQL: one line a row
  python3 - "$1" "$2" <<'PY'
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=10) as database:
    for row in database.execute(sys.argv[2]):
        print(*row)
PY
}

wait_until() { # wait_until COMMAND...: for a minute at most
  local end=$((SECONDS + 60))
  until "$@"; do
    if [ $SECONDS -ge $end ]; then
      fail "after a minute: $*"
      return
    fi
    sleep 0.1
  done
}

wait_for_rows() { # wait_for_rows COUNT: in the store, of a run that goes on
  local end=$((SECONDS + 60))
  while [ $SECONDS -lt $end ]; do
    rows=$(ask "$HONE_STORE" 'select count(*) from evaluations' 2>/dev/null || echo 0)
    if [ "${rows:-0}" -ge "$1" ]; then return; fi
    sleep 0.1
  done
  fail "there are ${rows:-no} rows after a minute"
}
