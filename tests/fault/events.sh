# events.sh - candidates and tests on several hosts tell each other what happened by files in $EVENTS; read behind lib.sh.
happened() { [ -e "$EVENTS/$1" ]; }
said() { grep -qs "$1" "$TMP/stderr"; }
meanwhile() { # meanwhile COMMAND...: while the run goes on, when `both_ran` something; then candidates end
  rm -f "$TMP/stderr"
  echo go >"$EVENTS/9"
  { wait_until both_ran && "$@"; status=$?; : >"$EVENTS/go"; exit $status; } >"$TMP/meanwhile" 2>&1 &
  other=$!
}
