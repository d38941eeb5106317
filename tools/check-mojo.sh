#!/usr/bin/env bash
# check-mojo.sh HONE: the Mojo example with the real compiler. The last line is `N passed, N failed`.
#
# The compiler is $MOJO, else mojo in PATH, else what `pip install mojo` puts into build-mojo/: 700 MB,
# once. A store and a cache of its own are made and removed.
set -uo pipefail
HONE=$(realpath "$1")
cd "$(dirname "$0")/.." || exit 1
export HONE LC_ALL=C.UTF-8 COLUMNS=100 RUN_TIMEOUT=600
unset NO_COLOR MODULAR_MOJO_MAX_DRIVER_PATH

say() { echo "check-mojo: $1"; }

install_mojo() {
  say "installing mojo into build-mojo/ (700 MB, once)"
  python3 -m venv build-mojo && build-mojo/bin/pip install --quiet mojo && return
  say "cannot install it: MOJO names one that is there"
  return 1
}

find_mojo() { # puts its folder into PATH
  local mojo=${MOJO:-$(command -v mojo)}
  if [ -z "$mojo" ]; then
    if ! [ -x build-mojo/bin/mojo ]; then install_mojo || return 1; fi
    mojo=$PWD/build-mojo/bin/mojo
  fi
  PATH=$(dirname "$(realpath -s "$mojo")"):$PATH
  say "$("$mojo" --version 2>/dev/null | head -n 1), $mojo"
}

# ---- Cases: what hone makes of Mojo ----

failures() { # failures FILE KEY
  python3 -c '
import json, sys
for failure in json.load(open(sys.argv[1]))["failures"]:
    print(failure[sys.argv[2]])' "$@"
}

program() { # program NAME BODY: a benchmark in Mojo, and its spec
  printf 'from std.os import abort\n\n\ndef main() raises:\n    %s\n' "$2" >"$TMP/$1.mojo"
  printf 'name: %s\nfile: %s.mojo\nparams: {$x: [1, 2]}\n' "$1" "$1" >"$TMP/$1.yaml"
}

sweep() { # sweep MODE OPTION...
  run "$HONE" sweep "${@:2}" --mode "$1" --output-dir "$TMP/$1" --plot none
}

check_sweep() { # check_sweep MODE
  case_begin "$1: every configuration of the example has its row"
  sweep "$1" $example
  expect_status 0
  expect_err_contains "scheduled 5 unique build items out of 9"
  expect_err_contains "Execution summary: 8 succeeded, 1 failed to build (9 total)"
  expect_same "rows" 8 "$(grep -c '^"gemm/BM=' "$TMP/$1/output.csv")"
  expect_same "columns" '"name","met (ms)","iters","Arithmetic (GFLOPS/s)","spec","kbench_filter"' \
    "$(head -n 1 "$TMP/$1/output.csv")"
  expect_same "padded rows" 4 "$(grep -c '/pad=8",.*\$pad=8"' "$TMP/$1/output.csv")"

  case_begin "$1: the reason of the failed build is told"
  expect_err_contains "constraint failed: BM must divide N"
  expect_same "type" build "$(failures "$TMP/$1/output.failures.json" failure_type)"
  expect_contains "failures.json" "constraint failed: BM must divide N" \
    "$(failures "$TMP/$1/output.failures.json" exec_stderr)"

  case_begin "$1: nothing is built twice"
  sweep "$1" $example --param '$pad:[0,16]' --filter BM=32
  expect_status 0
  expect_same "rows" 4 "$(grep -c '^"gemm/BM=' "$TMP/$1/output.csv")"
  sweep "$1" $example --run-only --filter BM=64
  expect_status 0
}

check_tune() { # check_tune MODE
  case_begin "$1: the best is found"
  run "$HONE" tune $example --mode "$1" --top 1 --quiet
  expect_status 0
  expect_out_contains "8 ok, 1 failed"
  expect_out_contains "constraint failed: BM must divide N"
  run "$HONE" show last
  expect_out_contains "mojo_gemm"
}

check_failures() { # check_failures MODE
  case_begin "$1: abort() is reported with its text"
  sweep "$1" "$TMP/aborts.yaml"
  expect_status 1
  expect_contains "failures.json" "the sky has fallen" \
    "$(failures "$TMP/$1/output.failures.json" evidence)"
  expect_err_contains "the sky has fallen"

  case_begin "$1: what main raises is reported with its text"
  sweep "$1" "$TMP/raises.yaml"
  expect_status 1
  expect_contains "failures.json" "no such luck" "$(failures "$TMP/$1/output.failures.json" evidence)"

  case_begin "$1: exit status 0 without a result is a failure"
  sweep "$1" "$TMP/silent.yaml"
  expect_status 1
  expect_same "class" no_result "$(failures "$TMP/$1/output.failures.json" outcome | sort -u)"
}

cases() (
  . tests/cli/lib.sh
  export HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
  example=examples/mojo-gemm/gemm.yaml
  program aborts 'abort("the sky has fallen")'
  program raises 'raise Error("no such luck")'
  program silent 'print("nothing to say")'
  for mode in library process; do
    check_sweep $mode
    check_failures $mode
    check_tune $mode
  done

  case_begin "a definition that nobody reads is a warning"
  sweep library $example --param 'TYPO:[1,2]' --filter BM=32 --filter BN=64 --filter pad=0
  expect_status 0
  expect_err_contains "'TYPO'"

  case_begin "a define of the wrong kind is told"
  sweep library $example --param BM:abc --filter BN=64 --filter pad=0
  expect_status 1
  expect_err_contains "define 'BM' is not an integer"
  cases_end
)

find_mojo || exit 1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cases | tee "$log"
passed=$(grep -c '^ok ' "$log") failed=$(grep -c '^not ok ' "$log")
grep -q '^1\.\.' "$log" || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
