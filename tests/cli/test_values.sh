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

case_begin "nothing looks for words in a sentence or a note of a report"
expect_no_match 'str(case)?str\([^,]*(sentence|notes|log\[)' "give the report a field"

cases_end
