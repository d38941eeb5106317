# lib.sh - transcripts of the command line, reported in TAP.
#
#   . "$(dirname "$0")/lib.sh"
#
#   case_begin "counts a small space"
#   echo 'params: {A: [1, 2]}' >"$TMP/a.yaml"
#   run "$HONE" space "$TMP/a.yaml" --count
#   expect_status 0
#   expect_out "2"
#
#   cases_end
#
# A case passes if all its expectations hold; cases_end must be the last line. Scripts run in the
# project's root; $HONE is the program and $TMP a folder that is removed in the end. `run` leaves
# $STATUS, $OUT and $ERR, and the raw bytes in $TMP/stdout and $TMP/stderr.
#
# With $TEST_CASE only cases are reported whose names have it in them. Cases build on those before them:
# all commands up to the last such case are run.
. "${BASH_SOURCE[0]%/*}/../signals.sh"
set -u
export HONE=${HONE:-$PWD/build/cli/hone}
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT

case_script=$(realpath "$0") case_name='' case_number=0 case_failed=false any_failed=false

case_begin() {
  case_finish
  case_chosen "$1" || end_early
  case_name=$1 case_failed=false
}

case_skip() { # case_skip NAME REASON
  case_finish
  if ! case_chosen "$1"; then return; fi
  case_number=$((case_number + 1))
  echo "ok $case_number - $1 # SKIP ${2%%$'\n'*}" # TAP has one line a case
}

case_finish() {
  if [ -n "$case_name" ] && case_chosen "$case_name"; then
    case_number=$((case_number + 1))
    if $case_failed; then any_failed=true; fi
    echo "$($case_failed && echo 'not ')ok $case_number - $case_name"
  fi
  case_name=''
}

case_chosen() { # case_chosen NAME
  case $1 in
  *"${TEST_CASE-}"*) ;;
  *) return 1 ;;
  esac
}

# Nothing that was asked for is in the lines below; those of a loop, which are indented, come again.
end_early() {
  local rest
  if [ "$case_number" = 0 ]; then return; fi
  rest=$(tail -n "+${BASH_LINENO[-2]}" "$case_script")
  case $rest in
  [[:space:]]* | *"$TEST_CASE"*) ;;
  *) cases_end ;;
  esac
}

cases_end() {
  case_finish
  echo "1..$case_number"
  if $any_failed; then exit 1; fi
  exit 0
}

fail() { # fail TEXT: the case fails; TEXT says why
  case_failed=true
  if case_chosen "$case_name"; then printf '%s\n' "$case_name: ${COMMAND-}" "$1" | sed 's/^/# /'; fi
}

run() { # run COMMAND...: kept short by RUN_TIMEOUT seconds (60)
  COMMAND="\$ $*"
  timeout "${RUN_TIMEOUT:-60}" "$@" >"$TMP/stdout" 2>"$TMP/stderr"
  STATUS=$?
  { OUT=$(<"$TMP/stdout") ERR=$(<"$TMP/stderr"); } 2>/dev/null # the shell drops NULs, and says so
  case $ERR in
  *"ERROR: "*Sanitizer* | *"runtime error:"*) fail "a sanitizer reports: $ERR" ;;
  esac
}

# The modules of the standard library are all that tests need: others take longer to find than most scripts to run.
# In the background it is `command python3`, whose number is $!.
python3() { command python3 -S "$@"; }

has_terminals() { python3 -c 'import os; os.openpty()' 2>/dev/null; } # a container may have none
NO_TERMINALS="there are no pseudo terminals (/dev/pts)"

wait_until() { # wait_until COMMAND...: until it succeeds, for a minute at most; then the case fails
  local end=$((SECONDS + 60))
  until "$@"; do
    if [ $SECONDS -ge $end ]; then
      fail "after a minute still not: $*"
      return 1
    fi
    sleep 0.05
  done
}

expect_status() {
  if [ "$STATUS" != "$1" ]; then fail "expected exit status $1, got $STATUS: $ERR"; fi
}

expect_same() { # expect_same WHAT EXPECTED GOT
  if [ "$2" != "$3" ]; then
    fail "$1 differs (- expected, + got):
$(diff -U 3 <(printf '%s\n' "$2") <(printf '%s\n' "$3") | sed 1,2d)"
  fi
}

# The whole output, from an argument or, for many lines, from standard input.
expect_out() { expect_same "standard output" "${1-$(cat)}" "$OUT"; }
expect_err() { expect_same "standard error" "${1-$(cat)}" "$ERR"; }

expect_contains() { # expect_contains WHAT PART WHOLE
  case $3 in
  *"$2"*) ;;
  *) fail "$1 has no '$2':
$3" ;;
  esac
}
expect_out_contains() { expect_contains "standard output" "$1" "$OUT"; }
expect_err_contains() { expect_contains "standard error" "$1" "$ERR"; }

figure() { # figure EXPRESSION: of `run`, what the store has of the last run
  "$HONE" show last --format json |
    python3 -c 'import json, sys; run = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"
}
expect_figure() { # expect_figure EXPRESSION VALUE
  local got
  got=$(figure "$1")
  [ "$got" = "$2" ] || fail "$1 is $got, not $2"
}

# recording FILE PARAMS TIME_MS [BUILD_MS]: of all configurations, for the backend sim. PARAMS are those of Python's
# dict, "WORK=[1, 20], KIND=range(2)"; the times are expressions of them.
recording() {
  python3 - "$1" "$2" "$3" "${4-0}" <<'END'
import itertools, json, sys
params = {name: list(values) for name, values in eval(f"dict({sys.argv[2]})").items()}
time, build = (eval(f"lambda {', '.join(params)}: {text}") for text in sys.argv[3:])
cache = {",".join(map(str, row)): {**dict(zip(params, row)), "time": time(*row), "compile_time": build(*row)}
         for row in itertools.product(*params.values())}
json.dump({"device_name": "none", "kernel_name": "k", "tune_params_keys": list(params), "tune_params": params,
           "cache": cache}, open(sys.argv[1], "w"))
END
}

marks() { # every result in the store that is marked as too fast to be believed
  python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("""SELECT runs.id, name, problem, config, suspicious
  FROM evaluations JOIN runs ON runs.id = run WHERE suspicious IS NOT NULL"""): print(*row)' "$HONE_STORE"
}
