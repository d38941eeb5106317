#!/usr/bin/env bash
# Programs compare values, people read names. Code that compares a name, or looks for words in a sentence, goes
# wrong without a message as soon as somebody finds a better word. The names have one table each, in
# include/hone.h, and one function each that parses them; this test looks for comparisons beside these.
. "$(dirname "$0")/lib.sh"

# names TABLE: the names of a table of include/hone.h, as an alternation of grep -E.
names() {
  sed -n "/^#define $1(X)/,/[^\\\\]\$/p" include/hone.h | grep -oE '^ *X\([A-Z_]+, "[^"]+"' |
    sed 's/.*"\(.*\)"/\1/' | paste -sd '|'
}

# expect_no_match PATTERN ADVICE
expect_no_match() {
  COMMAND="grep -E $1"
  local found
  found=$(grep -rnE --include='*.c' --include='*.h' --exclude-dir=wisdom "$1" cli src) # libhone-wisdom has its own names
  if [ -n "$found" ]; then fail "$2:
$found"; fi
}

# expect_not_compared TABLE ADVICE
expect_not_compared() {
  local list
  list=$(names "$1" | sed 's/^ok|//') # "ok" is SQLite's word as well
  if [ -z "$list" ]; then fail "include/hone.h has no table $1"; fi
  expect_no_match "str(n|case|ncase)?cmp\([^;]*\"($list)\"" "$2"
}

case_begin "the search for comparisons finds one"
run grep -E "str(n|case|ncase)?cmp\([^;]*\"($(names HONE_VERDICTS))\"" \
  <<<'  if (strcmp(report->verdict, "NO IMPROVEMENT") == 0) return;'
expect_status 0

case_begin "nothing compares the name of a verdict"
expect_not_compared HONE_VERDICTS "compare with HONE_VERDICT_..."
expect_no_match "\"($(names HONE_VERDICTS))\"" "take the name from hone_verdict_name()"

case_begin "nothing compares the name of a run's state"
expect_not_compared HONE_RUN_STATES "compare with HONE_RUN_..."

case_begin "nothing compares the name of an outcome"
expect_not_compared HONE_OUTCOMES "compare with HONE_OUTCOME_..."

# Other phases have names that are also words of command lines.
case_begin "nothing compares the name of a phase"
expect_no_match 'str(n|case|ncase)?cmp\([^;]*phase' "compare with HONE_PHASE_..."
expect_no_match 'str(n|case|ncase)?cmp\([^;]*"(baseline|screen|race|confirm|waiting)"' "compare with HONE_PHASE_..."

case_begin "nothing looks for words in a sentence or a note of a report"
expect_no_match 'str(case)?str\([^,]*(sentence|notes|log\[)' "give the report a field"
expect_no_match 'str(case)?str\([^,]*hone_status_message' "give the status another code"

# Messages between processes are structs (wire/record.h); JSON is for the wire and for files.
case_begin "values of JSON are in the wire and in what reads or writes files, nowhere else"
expect_same "files with json_t" "" "$(grep -rlwE 'json_t|jansson\.h' include cli src --include='*.c' --include='*.h' |
  grep -vE '^src/(wire|replay|results|report|export)/' |
  grep -vxE 'src/base/(json_string\.[ch]|allocators\.c)' |
  grep -vxE 'src/(backend/program/program_output|iree/model/model_result)\.c')"

# Of this list every type is fuzzed, and every field of it is checked (tests/unit/test_decoders.c).
case_begin "every type of message is in tests/fuzz/message_types.h"
types=$(find src -name '*.h' -exec sed -n '/^extern const struct hone__record_type/,/;/p' {} + |
  grep -oE 'hone__[a-z0-9_]+_type\b' | grep -vx hone__record_type | sort -u)
[ "$(wc -l <<<"$types")" -gt 30 ] || fail "few types were found: $types"
expect_same "types that are missing" "" \
  "$(grep -vxF -f <(grep -oE 'hone__[a-z0-9_]+_type' tests/fuzz/message_types.h) <<<"$types")"

cases_end
