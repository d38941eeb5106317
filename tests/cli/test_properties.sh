# Random spaces: Hone's answers, brute force in Python, and Z3's. test_many_spaces.sh sets these to larger numbers.
: "${SEED:=1}" "${SPACES:=100}" "${LARGE:=20}" "${Z3_SPACES:=60}"
. "$(dirname "$0")/lib.sh"

RUN_TIMEOUT=500
properties="tests/cli/properties.py"

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
  case_skip "random spaces" "python3 (3.9 or newer) is missing"
  cases_end
fi

case_begin "random spaces have the configurations that brute force finds"
run python3 "$properties" --hone "$HONE" --seed "$SEED" --count "$SPACES"
expect_status 0
if $case_failed; then fail "$OUT"; fi

case_begin "equality and divisibility chains over long ranges, in any order of the parameters"
run python3 "$properties" --hone "$HONE" --seed 1 --count 0 --large "$LARGE"
expect_status 0
if $case_failed; then fail "$OUT"; fi

if "$HONE" --version | grep -q 'z3 solver: found'; then
  case_begin "Z3 finds the same configurations"
  # The leak checker itself would crash now and then with libz3 in the process.
  export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0"
  run python3 "$properties" --hone "$HONE" \
    --seed 5001 --count "$Z3_SPACES" --z3 "$Z3_SPACES" --questions "$((Z3_SPACES / 4))"
  expect_status 0
  if $case_failed; then fail "$OUT"; fi
else
  case_skip "Z3 finds the same configurations" "libz3 is missing"
fi

cases_end
