# Thousands of random spaces: Hone's answers, brute force in Python, and Z3's.
. "$(dirname "$0")/lib.sh"

RUN_TIMEOUT=500
properties="tests/cli/properties.py"

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
  case_skip "random spaces" "python3 (3.9 or newer) is missing"
  cases_end
fi

case_begin "random spaces have the configurations that brute force finds"
run python3 "$properties" --hone "$HONE" --seed 1 --count 100
expect_status 0
if $case_failed; then fail "$OUT"; fi

# The leak checker takes half the time of a short run, and has seen a hundred of these spaces.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0"
case_begin "and many more of them"
run python3 "$properties" --hone "$HONE" --seed 101 --count 900
expect_status 0
if $case_failed; then fail "$OUT"; fi

case_begin "equality and divisibility chains over long ranges, in any order of the parameters"
run python3 "$properties" --hone "$HONE" --seed 1 --count 0 --large 60
expect_status 0
if $case_failed; then fail "$OUT"; fi

if "$HONE" --version | grep -q 'z3 solver: found'; then
  case_begin "Z3 finds the same configurations"
  # The leak checker itself would crash now and then with libz3 in the process.
  run python3 "$properties" --hone "$HONE" \
    --seed 5001 --count 200 --z3 200 --questions 50
  expect_status 0
  if $case_failed; then fail "$OUT"; fi
else
  case_skip "Z3 finds the same configurations" "libz3 is missing"
fi

cases_end
