# A thousand random spaces more than in test_properties.sh: Hone's answers, brute force in Python, and Z3's.
. "$(dirname "$0")/lib.sh"

RUN_TIMEOUT=500
properties="tests/cli/properties.py"

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
  case_skip "many random spaces" "python3 (3.9 or newer) is missing"
  cases_end
fi

case_begin "many random spaces have the configurations that brute force finds"
run python3 "$properties" --hone "$HONE" --seed 101 --count 900
expect_status 0
if $case_failed; then fail "$OUT"; fi

case_begin "equality and divisibility chains over long ranges, in any order of the parameters"
run python3 "$properties" --hone "$HONE" --seed 1 --count 0 --large 60
expect_status 0
if $case_failed; then fail "$OUT"; fi

if "$HONE" --version | grep -q 'z3 solver: found'; then
  case_begin "Z3 finds the same configurations in many spaces"
  run python3 "$properties" --hone "$HONE" --seed 5001 --count 200 --z3 200 --questions 50
  expect_status 0
  if $case_failed; then fail "$OUT"; fi
else
  case_skip "Z3 finds the same configurations in many spaces" "libz3 is missing"
fi

cases_end
