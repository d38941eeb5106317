# store.sh - what tests of faults ask of a store while a run goes on; read behind lib.sh.

ask() { # ask STORE SQL: one line a row
  python3 - "$1" "$2" <<'PY'
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=10) as database:
    for row in database.execute(sys.argv[2]):
        print(*row)
PY
}

wait_for_rows() { wait_until rows_are_there "$1"; } # wait_for_rows COUNT: in the store, of a run that goes on
rows_are_there() { # rows_are_there COUNT
  rows=$(ask "$HONE_STORE" 'select count(*) from evaluations' 2>/dev/null)
  [ "${rows:-0}" -ge "$1" ]
}
