#!/usr/bin/env bash
# The harness itself: cases that are chosen by name, inherited signals, and what is counted.
. "$(dirname "$0")/lib.sh"
lib=$PWD/tests/cli/lib.sh

cat >"$TMP/some.sh" <<SCRIPT
. '$lib'
cd /
case_begin "first of all"
made=yes
case_begin "second of all"
[ "\${made-}" = yes ] || fail "the first was not run"
case_begin "fails"
fail "always"
for i in 1 2; do
  case_begin "in a loop"
  case_begin "behind it"
done
case_skip "not now" "no reason"
case_begin "the last"
echo "# the last was run"
cases_end
SCRIPT

case_begin "without a choice all cases are reported"
run env -u TEST_CASE bash "$TMP/some.sh"
expect_status 1
expect_same "plan" 1..9 "$(tail -n 1 "$TMP/stdout")"
expect_out_contains "not ok 3 - fails"
expect_out_contains "ok 8 - not now # SKIP no reason"

case_begin "a chosen case is the only one that counts, and those before it are run"
run env TEST_CASE=second bash "$TMP/some.sh"
expect_status 0
expect_out "ok 1 - second of all
1..1"

case_begin "all cases that have the words are reported, in loops too"
run env TEST_CASE="in a loop" bash "$TMP/some.sh"
expect_status 0
expect_out "ok 1 - in a loop
ok 2 - in a loop
1..2"
run env TEST_CASE="of all" bash "$TMP/some.sh"
expect_out "ok 1 - first of all
ok 2 - second of all
1..2"

case_begin "a chosen case that fails says why"
run env TEST_CASE=fails bash "$TMP/some.sh"
expect_status 1
expect_out_contains "not ok 1 - fails"
expect_out_contains "# always"

case_begin "a name that no case has is an empty plan"
run env TEST_CASE=nowhere bash "$TMP/some.sh"
expect_out "# the last was run
1..0"

case_begin "signals that were inherited as ignored have their effect again"
cat >"$TMP/signals.sh" <<SCRIPT
. '$PWD/tests/signals.sh'
echo "ignored: \$(trap -p HUP INT QUIT TERM PIPE), arguments: \$# \$2"
SCRIPT
run bash -c 'trap "" HUP INT QUIT TERM PIPE; exec bash "$@"' - "$TMP/signals.sh" "one two" three
expect_status 0
expect_out "ignored: , arguments: 2 three"

case_begin "what cmocka skips is skipped in TAP, and a failure stays one"
cat >"$TMP/program" <<'SCRIPT'
#!/bin/sh
printf '1..3\nok 1 - a\nnot ok 2 # SKIP b\nnot ok 3 - c\n'
exit 1
SCRIPT
chmod +x "$TMP/program"
run bash tests/unit/run.sh "$TMP/program"
expect_status 1
expect_out "1..3
ok 1 - a
ok 2 # SKIP b
not ok 3 - c"

case_begin "what is counted: cases, programs that end too early, programs without a case"
log() { # log NAME STATUS TAP
  python3 -c 'import json, sys
name, status, tap = sys.argv[1:]
print(json.dumps({"name": name, "returncode": int(status), "stdout": tap, "duration": 1, "result": "?"}))' "$@"
}
{
  log good 0 $'ok 1 - a\nok 2 - b # SKIP c\n1..2'
  log early 0 $'ok 1 - a\n1..2'
  log crashed 99 $'ok 1 - a\n1..1'
  log empty 0 '1..0'
} >"$TMP/log.json"
run env -u TEST_CASE tools/count-tests.py "$TMP/log.json"
expect_same "counts" "3 3 1" "$(tail -n 1 "$TMP/stdout")"
run env TEST_CASE=a tools/count-tests.py "$TMP/log.json"
expect_same "counts" "3 2 1" "$(tail -n 1 "$TMP/stdout")"
run tools/count-tests.py --cases "$TMP/log.json"
expect_out_contains "  ok 2 - b # SKIP c"

cases_end
