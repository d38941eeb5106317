#!/usr/bin/env bash
# Files that nobody should write, and some that attack: each gives a clear answer within a second of
# processor time and 2 GiB of memory, never a crash. Sanitizers need more of both: there the limits
# are off.
. "$(dirname "$0")/lib.sh"
chmod 755 "$TMP"
cd "$TMP" || exit 1

sanitized=false
if grep -aq __asan_init "$HONE"; then sanitized=true; fi

# try [OPTION...]: hone space on bad.yaml, within SECONDS_MOST of processor time (1).
try() {
  if $sanitized; then
    RUN_TIMEOUT=120 run "$HONE" space bad.yaml "$@"
  else
    RUN_TIMEOUT=60 run bash -c "ulimit -v 2097152 && ulimit -t ${SECONDS_MOST:-1} && exec \"\$@\"" \
      bash "$HONE" space bad.yaml "$@"
  fi
  COMMAND="\$ hone space bad.yaml $*"
  if [ "$STATUS" -ge 124 ]; then fail "it took too long or crashed: exit status $STATUS"; fi
}

# What is reported begins like this, is short, and ends the program with status 2.
expect_refusal() {
  expect_status 2
  expect_out ""
  expect_err_contains "$1"
  if [ ${#ERR} -gt 4000 ]; then fail "the message has ${#ERR} characters"; fi
}

times() { # times N TEXT: the text N times
  yes -- "$2" | head -n "$1" | tr -d '\n'
}

# ---- Not a spec at all ----

case_begin "an empty file"
: >bad.yaml
try
expect_refusal "bad.yaml: error: the file holds no spec"

case_begin "only comments"
printf '# one\n\n  # two\n' >bad.yaml
try
expect_refusal "bad.yaml: error: the file holds no spec"

case_begin "a binary file"
head -c 100000 "$HONE" >bad.yaml
try
expect_refusal "bad.yaml: error: not a text file: it holds NUL bytes"

case_begin "one NUL byte"
printf 'params: {A: [1\0002]}\n' >bad.yaml
try
expect_refusal "bad.yaml: error: not a text file: it holds NUL bytes"

case_begin "UTF-16"
printf '\377\376p\0a\0r\0' >bad.yaml
try
expect_refusal "bad.yaml: error: not a text file: it holds NUL bytes"

case_begin "not UTF-8"
printf 'params:\n  A: [1, caf\351]\n' >bad.yaml
try
expect_refusal "bad.yaml:2:13: error: this is not UTF-8 text: it holds the byte 0xe9 here"
if LC_ALL=C grep -q "$(printf '\351')" stderr; then fail "the byte itself is printed"; fi

case_begin "not UTF-8 in a comment"
printf '# \351t\351\nparams: {A: 1}\n' >bad.yaml
try
expect_refusal "bad.yaml:1:3: error: this is not UTF-8 text: it holds the byte 0xe9 here"

case_begin "escape sequences are not sent to the terminal"
printf 'params: {A: [1, 2]}\nconstraints: [A < "\033[31m"\001]\n' >bad.yaml
try
expect_status 2
if grep -q "$(printf '\033')" stderr; then fail "an escape is printed"; fi

case_begin "random bytes"
for seed in 1 2 3 4 5; do
  awk -v seed=$seed 'BEGIN { srand(seed); for (i = 0; i < 3000; i++) printf "%c", 1 + rand() * 255 }' \
    </dev/null >bad.yaml
  try
  expect_status 2
done

# ---- Files ----

refuses_path() { # refuses_path PATH MESSAGE
  RUN_TIMEOUT=20 run "$HONE" space "$1"
  expect_status 2
  expect_out ""
  expect_err_contains "$2"
}

case_begin "no such file"
refuses_path none.yaml "hone: cannot open 'none.yaml': no such file or directory"

case_begin "an empty name"
refuses_path "" "hone: cannot open ''"

case_begin "a file as a folder"
: >file
refuses_path file/x.yaml "hone: cannot open 'file/x.yaml': not a directory"

case_begin "a directory"
mkdir folder.yaml
refuses_path folder.yaml "hone: cannot read 'folder.yaml': is a directory"

case_begin "a loop of links"
ln -s loop.yaml loop.yaml
refuses_path loop.yaml "hone: cannot open 'loop.yaml'"

case_begin "a device without an end"
refuses_path /dev/zero "cannot read '/dev/zero': larger than 16 MiB"

case_begin "a device without a beginning"
refuses_path /dev/null "/dev/null: error: the file holds no spec"

as_nobody=()
if [ "$(id -u)" = 0 ]; then as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups); fi
if "${as_nobody[@]}" "$HONE" --version >version 2>&1; then
  case_begin "a file without permission"
  echo 'params: {A: 1}' >secret.yaml
  chmod 000 secret.yaml
  run "${as_nobody[@]}" "$HONE" space secret.yaml
  expect_refusal "hone: cannot open 'secret.yaml': permission denied"

  case_begin "a folder without permission"
  mkdir private
  echo 'params: {A: 1}' >private/spec.yaml
  chmod 000 private
  run "${as_nobody[@]}" "$HONE" space private/spec.yaml
  expect_refusal "hone: cannot open 'private/spec.yaml': permission denied"
  chmod 755 private
else
  case_skip "a file without permission" "root may read everything, and setpriv cannot run hone"
fi

case_begin "a FIFO that ends"
mkfifo fifo
echo 'params: {A: [1, 2]}' >fifo &
RUN_TIMEOUT=20 run "$HONE" space fifo --count
expect_status 0
expect_out 2

case_begin "a FIFO with nothing in it"
: >fifo &
refuses_path fifo "fifo: error: the file holds no spec"

case_begin "standard input"
run sh -c 'echo "params: {A: [1, 2]" | "$1" space -' sh "$HONE"
expect_refusal "<stdin>:2:1: error: a ',' or '}' is missing in the mapping that begins at line 1"

case_begin "standard input without an end"
RUN_TIMEOUT=20 run sh -c 'yes "# more" | "$1" space -' sh "$HONE"
expect_refusal "larger than 16 MiB"
case $ERR in *"'-'"*) fail "it is called '-': $ERR" ;; esac

case_begin "100 MB of nothing"
truncate -s 100M bad.yaml
try
expect_refusal "cannot read 'bad.yaml': larger than 16 MiB"

case_begin "100 MB of text"
yes 'params: {A: [1, 2, 3], B: [4, 5, 6]}' | head -c 100000000 >bad.yaml
try
expect_refusal "cannot read 'bad.yaml': larger than 16 MiB"

case_begin "16 MB of comments, and a spec"
{ yes '# a comment' | head -c 16000000 && printf '\nparams: {A: [1, 2]}\n'; } >bad.yaml
try --count
expect_status 0
expect_out 2

case_begin "line ends of other systems"
printf 'params:\r\n  A: [1, 2]\r\n  B: "x"\r\n' >bad.yaml
try --list --format spec
expect_status 0
expect_out "bad/A=1/B=x
bad/A=2/B=x"

case_begin "errors with line ends of other systems"
printf 'problem: {M: 1}\r\nparams:\r\n  A: [1, 2]\r\nparms: 3\r\n' >bad.yaml
try
expect_status 2
expect_err "bad.yaml:4:1: error: unknown key 'parms'; did you mean 'params'?
      4 | parms: 3
        | ^"

case_begin "a byte order mark"
printf '\357\273\277params: {A: [1, 2]}\n' >bad.yaml
try --list --format spec
expect_status 0
expect_out "bad/A=1
bad/A=2"

# ---- Nesting and aliases ----

case_begin "100000 open lists"
{ printf 'params: {A: ' && times 100000 '['; } >bad.yaml
try
expect_refusal "error: nested too deeply: more than 100 levels"

case_begin "100000 lists, closed"
{ printf 'params: {A: ' && times 100000 '[' && times 100000 ']' && echo '}'; } >bad.yaml
try
expect_refusal "error: nested too deeply: more than 100 levels"

case_begin "100000 mappings"
{ printf 'params: ' && times 100000 '{a: '; } >bad.yaml
try
expect_refusal "error: nested too deeply: more than 100 levels"

case_begin "100000 lists by dashes"
times 100000 '- ' >bad.yaml
try
expect_refusal "error: nested too deeply: more than 100 levels"

case_begin "mappings by indentation"
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%*sa:\n", i, "" }' >bad.yaml
try
expect_refusal "bad.yaml:101:101: error: nested too deeply: more than 100 levels"

case_begin "100000 complex keys"
{ echo 'params:' && times 100000 '? '; } >bad.yaml
try
expect_status 2

case_begin "an alias inside its own value"
echo 'params: &a {A: *a}' >bad.yaml
try
expect_refusal "bad.yaml:1:16: error: alias '*a' is used inside its own value"

case_begin "a merge of itself"
printf 'params: &a\n  A: 1\n  <<: *a\n' >bad.yaml
try
expect_refusal "bad.yaml:3:7: error: alias '*a' is used inside its own value"

laughs() { # laughs LEVELS: lists of ten times the list before
  echo 'a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]'
  for ((i = 1, k = 0; i <= $1; i++, k++)); do
    echo "a$i: &a$i [*a$k, *a$k, *a$k, *a$k, *a$k, *a$k, *a$k, *a$k, *a$k, *a$k]"
  done
  echo "params: {A: *a$1}"
}

case_begin "aliases that grow to 10^12"
laughs 11 >bad.yaml
try
expect_refusal "error: the file is too large: more than 2 million values"

case_begin "aliases that stay small"
laughs 3 >bad.yaml
try --count
expect_status 0
expect_out 10

case_begin "merges that grow to 2^29"
{
  echo 'm0: &m0 {A: 1, B: 2}'
  for ((i = 1; i < 30; i++)); do echo "m$i: &m$i {<<: [*m$((i - 1)), *m$((i - 1))], K$i: 1}"; done
  echo 'params: *m29'
} >bad.yaml
try
expect_refusal "error: the file is too large: more than 2 million values"

case_begin "one large mapping merged into 5000 groups"
{
  printf 'm0: &m0 {' && printf 'A%d: 1, ' {1..1000} && echo 'B: 1}'
  echo 'params:'
  yes '  - <<: [*m0, *m0, *m0, *m0]' | head -n 5000
} >bad.yaml
try
expect_refusal "error: the file is too large: more than 2 million values"

# ---- Much of everything ----

# These are legal or nearly: an answer may take longer.

case_begin "one word of 10 MB"
{ printf 'params: {A: ' && head -c 10000000 /dev/zero | tr '\0' x && echo '}'; } >bad.yaml
try --count
expect_status 0
expect_out 1

case_begin "one number of 10 MB"
{ printf 'params: {A: ' && head -c 10000000 /dev/zero | tr '\0' 1 && echo '}'; } >bad.yaml
try --count
expect_status 0

case_begin "a key of 1 MB"
{ printf 'params: {A: 1}\nproblem: {M: 1}\n? ' && head -c 1000000 /dev/zero | tr '\0' x && echo; } >bad.yaml
try
expect_refusal "bad.yaml:3:3: error: unknown key"

case_begin "a name of 1 MB in an expression"
{
  printf 'params: {A: 1}\nconstraints: ["A < ' && head -c 1000000 /dev/zero | tr '\0' x && echo '"]'
} >bad.yaml
try
expect_refusal "bad.yaml:2:20: error: unknown name 'xxx"

case_begin "a million parameters"
{ echo 'params:' && seq -f '  P%.0f: 1' 1000000; } >bad.yaml
SECONDS_MOST=5 try --count
if [ "$STATUS" != 0 ]; then expect_refusal "bad.yaml"; fi

case_begin "100000 parameters"
{ echo 'params:' && seq -f '  P%.0f: [1, 2]' 100000; } >bad.yaml
SECONDS_MOST=5 try --count
if [ "$STATUS" != 0 ]; then expect_refusal "bad.yaml"; fi

case_begin "a parameter with a million values"
{ printf 'params: {A: [' && seq -s , 1000000 && echo ']}'; } >bad.yaml
SECONDS_MOST=5 try --count
expect_status 0
expect_out 1000000

case_begin "a parameter with a million equal values"
{ printf 'params: {A: [' && times 1000000 '1,' && echo ']}'; } >bad.yaml
SECONDS_MOST=5 try --count
expect_status 0
expect_out 1

case_begin "a parameter with 3 million values"
{ printf 'params: {A: [' && times 3000000 '1,' && echo ']}'; } >bad.yaml
SECONDS_MOST=5 try --count
expect_refusal "error: the file is too large: more than 2 million values"

case_begin "10000 groups"
{ echo 'params:' && seq -f '  - {A: [%.0f, 1], B: [1, 2, 3]}' 10000; } >bad.yaml
SECONDS_MOST=5 try --count
expect_status 0
expect_out 59997

case_begin "10000 groups, each configuration once"
SECONDS_MOST=5 try --count --unique
expect_status 0
expect_out 30000

case_begin "3000 groups times 3000 configurations"
{
  echo 'params:' && seq -f '  - P: %.0f' 3000
  echo 'configs:' && seq -f '  - Q: %.0f' 3000
} >bad.yaml
try --count
if [ "$STATUS" = 0 ]; then expect_out 9000000; else expect_refusal "bad.yaml"; fi

case_begin "a problem of 10^10 combinations"
{
  printf 'problem: {' && for m in {1..10}; do printf 'M%d: "range(10)", ' "$m"; done
  printf '}\nparams: {A: 1}\n'
} >bad.yaml
try --count
expect_refusal "bad.yaml:1:10: error: more than 10000 problems"

# ---- Expressions ----

# value NAME EXPRESSION MESSAGE: refused as the values of a parameter.
value() {
  case_begin "values: $1"
  printf 'problem: {M: 1}\nparams:\n  A: %s\n' "$2" >bad.yaml
  try --count
  expect_refusal "$3"
}

value "range(10**18)" '"range(10**18)"' "bad.yaml:3:7: error: the range has more than 4294967293 values"
value "range(10**30)" '"range(10**30)"' "bad.yaml:3:13: error: integer overflow in '10**30'"
value "2**10**9" '"2**10**9"' "bad.yaml:3:7: error: integer overflow in '2**10**9'"
value "1 << 10**9" '"1 << 10**9"' "bad.yaml:3:7: error: integer overflow in '1 << 10**9'"
value "a list of 10**9" '"[i for i in range(10**9)]"' "bad.yaml:3:19: error: list or text too long in 'range(10**9)'"
value "nested loops" '"[i*j for i in range(10**6) for j in range(10**6) if i < 0]"' ": error: list or text too long in"
value "a list times 10**9" '"[1]*10**9"' "bad.yaml:3:7: error: list or text too long in '[1]*10**9'"
value "a text times 10**9" "\"'x'*10**9\"" "bad.yaml:3:7: error: "
value "the sum of a range" '"sum(range(10**9))"' "bad.yaml:3:11: error: list or text too long in 'range(10**9)'"
value "10000 parentheses" "\"$(times 10000 '(')1$(times 10000 ')')\"" ": error: the expression is nested too deeply"
value "10000 minus signs" "\"$(times 10000 "-")1\"" ": error: the expression is nested too deeply"
value "10000 lists" "\"$(times 10000 '[')1$(times 10000 ']')\"" ": error: the expression is nested too deeply"
value "10000 conditions" "\"$(times 10000 '1 if 1 else ')1\"" ": error: the expression is nested too deeply"

wrapped() { # wrapped N INNER BEFORE AFTER
  local text=$2
  for ((i = 0; i < $1; i++)); do text=$3$text$4; done
  printf '%s' "$text"
}

value "text that doubles 45 times" "\"$(wrapped 45 "['x']" '[a+a for a in ' ']')\"" "bad.yaml:3:"
value "lists that double 45 times" "\"$(wrapped 45 '[1]' '[[a,a] for a in ' ']')\"" "bad.yaml:3:"

case_begin "values: many long lists"
{
  printf 'problem: {M: 1}\nparams:\n  A:\n'
  seq -f '  - "%.0f + len([i for i in range(4000000) if i > -1])"' 400
} >bad.yaml
try --count
expect_status 2
expect_err_contains "bad.yaml:"

# constraint NAME EXPRESSION STATUS [TEXT]
constraint() {
  case_begin "constraint: $1"
  printf 'params: {A: [1, 2], B: [1, 2]}\nconstraints:\n  - "%s"\n' "$2" >bad.yaml
  try --count
  expect_status "$3"
  if [ "$3" = 0 ]; then expect_out "$4"; else expect_contains "the report" "$4" "$OUT$ERR"; fi
  if [ ${#ERR} -gt 4000 ]; then fail "the message has ${#ERR} characters"; fi
}

deep=": error: the expression is nested too deeply"
constraint "10000 parentheses" "$(times 10000 '(')A$(times 10000 ')')" 2 "$deep"
constraint "10000 minus signs" "$(times 10000 "-")A" 2 "$deep"
constraint "10000 times not" "$(times 10000 'not ')A" 2 "$deep"
constraint "100 parentheses" "$(times 100 '(')A > 1$(times 100 ')')" 0 2
constraint "a sum of 900 terms" "$(times 900 'A + ')B > 902" 0 2
constraint "a difference of 900 terms" "$(times 900 'A - ')B < 0" 0 4
constraint "a sum of 9000 terms" "$(times 9000 'A + ')B > 9002" 2 ": error: the expression is too long"
constraint "powers of 9000 terms" "$(times 9000 'A**')1 < 3" 2 ": error: the expression is nested too deeply"
constraint "4000 comparisons with and" "$(times 4000 'A > 0 and ')A > 1" 0 2
constraint "4000 comparisons with or" "$(times 4000 'A > B or ')A > 1" 0 2
constraint "100000 terms" "$(times 100000 'A > 0 and ')A > 1" 2 ": error: the expression is too long"
constraint "a chain of 4000 comparisons" "$(times 4000 'A <= ')B" 0 3
constraint "chains in chains" "$(wrapped 8 '1 < 2' '0 < (' ') < 2')" 0 4
constraint "40 chains in chains" "$(wrapped 40 'A' 'B < (' ') < 9')" 2 ": error: the expression is too long"
constraint "a list of 9000 values" "A in [$(seq -s , 9000)]" 0 4
constraint "indices in a row" "A$(times 300 '[0]')" 2 "bad.yaml:3:6: error: type error"
constraint "long text" "'$(times 1000000 x)' == A" 1 "no legal configuration"

case_begin "10000 constraints"
{ printf 'params: {A: [1, 2], B: [1, 2]}\nconstraints:\n' && seq -f '  - A * %.0f < B + 9' 10000; } >bad.yaml
SECONDS_MOST=5 try --count
expect_status 1
expect_out 0

case_begin "derived values that double 59 times"
{
  printf 'params: {A: [1, 2]}\nderived:\n  D0: A\n'
  for ((i = 1; i < 60; i++)); do echo "  D$i: D$((i - 1)) + D$((i - 1))"; done
  echo 'constraints: [D59 > 0]'
} >bad.yaml
try --count
expect_status 0
expect_out 2

in_a_row() { # in_a_row N: so many derived values, each one more than the one before
  printf 'params: {A: [1, 2]}\nderived:\n  D0: A\n'
  for ((i = 1; i < $1; i++)); do echo "  D$i: D$((i - 1)) + 1"; done
  echo "constraints: [D$(($1 - 1)) > $1]"
}

case_begin "2000 derived values in a row"
in_a_row 2000 >bad.yaml
try --count
expect_status 0
expect_out 1

case_begin "10000 derived values in a row"
in_a_row 10000 >bad.yaml
try --count
expect_refusal "bad.yaml:3:3: error: more than 2000 derived values"

# ---- Options ----

case_begin "bad values of options"
echo 'params: {A: [1, 2], B: [1, 2]}' >bad.yaml
for option in --at=x --at=-1 --at=99999999999999999999 --at=2.5 --sample=-1 --sample=x --index-of= \
  --index-of=A --index-of=A=1 --index-of=A=1,B=9 --index-of=A=1,B=1,C=1 --param=A --param=:1 \
  --filter=A --filter==1 --partition=x --partition=1 --partition=2:2 --partition=-1:2 \
  --problem=M --format=xml --solver=magic --explain=A --neighbours=B=7 --shapes=none.yaml; do
  try "$option"
  case $STATUS in
  1 | 2) ;;
  *) fail "exit status $STATUS" ;;
  esac
  if [ -z "$ERR" ]; then fail "$option: no message"; fi
done

case_begin "options with long and deep values"
for option in "--param=A:$(times 10000 '(')" "--param=A:[$(times 10000 '[')" \
  "--filter=A=$(times 100000 x)" "--index-of=$(times 10000 'A=1,')" "--explain=$(times 10000 ,)" \
  "--param=A:$(times 20000 '1,')"; do
  try --count "$option"
  case $STATUS in
  0 | 1 | 2) ;;
  *) fail "exit status $STATUS" ;;
  esac
done

cases_end
