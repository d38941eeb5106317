#!/usr/bin/env bash
# What a user sees when a spec is wrong: the place, the line with a caret, the reason, the nearest
# known word.
. "$(dirname "$0")/lib.sh"
cd "$TMP" || exit 1

# refuses NAME [FILE]: standard input is the file, a line with "=>", and all that is reported.
refuses() {
  local input file=${2:-spec.yaml}
  input=$(cat)
  case_begin "$1"
  printf '%s\n' "${input%%$'\n=>\n'*}" >"$file"
  run "$HONE" space "$file"
  expect_status 2
  expect_out ""
  expect_err "${input#*$'\n=>\n'}"
}

# The same, where the report only has to hold each of the lines.
refuses_with() {
  local input line file=${2:-spec.yaml}
  input=$(cat)
  case_begin "$1"
  printf '%s\n' "${input%%$'\n=>\n'*}" >"$file"
  run "$HONE" space "$file"
  expect_status 2
  expect_out ""
  while IFS= read -r line; do expect_err_contains "$line"; done <<<"${input#*$'\n=>\n'}"
}

# ---- Keys ----

refuses "an unknown key, with the nearest known one" <<'E'
name: sgemm
problem: {M: 8}
params: {A: [1, 2]}
constrains: [A > 1]
=>
spec.yaml:4:1: error: unknown key 'constrains'; did you mean 'constraints'?
      4 | constrains: [A > 1]
        | ^
E

refuses "an unknown key that is near none" <<'E'
problem: {M: 8}
params: {A: [1, 2]}
zzzzz: 3
=>
spec.yaml:3:1: error: unknown key 'zzzzz'
      3 | zzzzz: 3
        | ^
E

refuses "a mistyped key of a kbench file" <<'E'
name: k
file: k.mojo
parms:
  A: [1, 2]
=>
spec.yaml:3:1: error: unknown key 'parms'; did you mean 'params'?
      3 | parms:
        | ^
E

case_begin "other unknown keys of a kbench file are warned about"
printf 'file: k.mojo\nparams: {A: [1, 2]}\nremarks: none\n' >k.yaml
run "$HONE" space k.yaml --count
expect_status 0
expect_out 2
expect_err <<'E'
k.yaml:3:1: warning: unknown key 'remarks' is ignored
      3 | remarks: none
        | ^
E

refuses_with "types of C and Python, with those of a spec" <<'E'
params: {A: [1, 2]}
entry: f
args:
  - {name: a, type: float, shape: 4}
  - {name: b, type: double, shape: 4}
  - {name: c, type: int, value: 4}
  - {name: d, type: long, value: 4}
  - {name: e, type: half, shape: 4}
  - {name: f, type: size_t, value: 4}
  - {name: g, type: char, shape: 4}
  - {name: h, type: const float *, shape: 4}
  - {name: i, type: unsigned int, value: 4}
  - {name: j, type: float32, shape: 4}
  - {name: k, type: real, shape: 4}
  - {name: l, type: f33, shape: 4}
=>
spec.yaml:4:21: error: 'type' takes f16, bf16, f32,
or f8e5m2, not 'float'; did you mean 'f32'?
not 'double'; did you mean 'f64'?
not 'int'; did you mean 'i32'?
not 'long'; did you mean 'i64'?
not 'half'; did you mean 'f16'?
not 'size_t'; did you mean 'u64'?
not 'char'; did you mean 'i8'?
not 'const float *'; did you mean 'f32'?
not 'unsigned int'; did you mean 'u32'?
not 'float32'; did you mean 'f32'?
spec.yaml:14:21: error: 'type' takes
not 'real'
not 'f33'; did you mean
E

refuses "an unknown key inside a setting" <<'E'
params: {A: [1, 2]}
search: {budgt: 5m}
=>
spec.yaml:2:10: error: unknown key 'budgt' in 'search'; did you mean 'budget'?
      2 | search: {budgt: 5m}
        |          ^
E

# ---- Names ----

refuses "an unknown name, with the nearest parameter" <<'E'
params:
  TILE: [16, 32]
constraints:
  - TILE > 16 and TIEL < 64
=>
spec.yaml:4:19: error: unknown name 'TIEL'; did you mean 'TILE'?
      4 |   - TILE > 16 and TIEL < 64
        |                   ^
E

refuses "an unknown name in a derived value" <<'E'
problem: {rows: 8}
params: {A: [1, 2]}
derived:
  T: A * row
=>
spec.yaml:4:10: error: unknown name 'row'; did you mean 'rows'?
      4 |   T: A * row
        |          ^
E

refuses "text without quotes" <<'E'
params: {ALGO: [direct, packed]}
constraints: [ALGO == direct]
=>
spec.yaml:2:23: error: unknown name 'direct'; text needs quotes
      2 | constraints: [ALGO == direct]
        |                       ^
E

refuses "an unknown function" <<'E'
params: {A: [1, 2]}
constraints: ["mni(A, 2) == 1"]
=>
spec.yaml:2:16: error: unknown function 'mni'; did you mean 'min'?
      2 | constraints: ["mni(A, 2) == 1"]
        |                ^
E

refuses_with "a derived value that uses a later one" <<'E'
params: {A: [1, 2]}
derived: {D: E + 1, E: A}
=>
spec.yaml:2:14: error:
'E'
E
case $ERR in *quotes*) fail "no text is meant here: $ERR" ;; esac

refuses "what no device tells" <<'E'
params: {A: [1, 2]}
constraints: [A < device.fingers]
=>
spec.yaml:2:19: error: 'device.fingers' is not known on this machine; give it with --device fingers=VALUE
      2 | constraints: [A < device.fingers]
        |                   ^
E

# ---- Types and constants ----

refuses "types that do not go together" <<'E'
params: {ALGO: [direct, packed], B: [1, 2]}
constraints:
  - B > 1 and ALGO + 1 > 2
  - ALGO < B
  - len(B) > 1
  - -ALGO == 1
=>
spec.yaml:3:15: error: type error: '+' cannot take text and a number
      3 |   - B > 1 and ALGO + 1 > 2
        |               ^
spec.yaml:4:5: error: type error: '<' cannot take text and a number
      4 |   - ALGO < B
        |     ^
spec.yaml:5:5: error: type error: 'len' cannot take a number
      5 |   - len(B) > 1
        |     ^
spec.yaml:6:5: error: type error: '-' cannot take text
      6 |   - -ALGO == 1
        |     ^
E

refuses "a division by a constant zero" <<'E'
params: {B: [1, 2]}
derived: {D: "B / 0"}
constraints:
  - B > 1 and B % 0 == 1
  - B // (2 - 2) > 1
  - 1 / 0.0 > B
=>
spec.yaml:2:15: error: division by zero in 'B / 0'
      2 | derived: {D: "B / 0"}
        |               ^
spec.yaml:4:15: error: division by zero in 'B % 0'
      4 |   - B > 1 and B % 0 == 1
        |               ^
spec.yaml:5:5: error: division by zero in 'B // (2 - 2)'
      5 |   - B // (2 - 2) > 1
        |     ^
spec.yaml:6:5: error: division by zero in '1 / 0.0'
      6 |   - 1 / 0.0 > B
        |     ^
E

refuses "constants that do not fit 64 bits" <<'E'
params: {B: [1, 2]}
constraints:
  - B < 2 ** 64
  - B < 9223372036854775807 + 1
=>
spec.yaml:3:9: error: integer overflow in '2 ** 64'
      3 |   - B < 2 ** 64
        |         ^
spec.yaml:4:9: error: integer overflow in '9223372036854775807 + 1'
      4 |   - B < 9223372036854775807 + 1
        |         ^
E

refuses "a number that does not fit 64 bits" <<'E'
params: {B: [1, 2]}
constraints: [B < 99999999999999999999]
=>
spec.yaml:2:19: error: integer overflow: the number does not fit into 64 bits
      2 | constraints: [B < 99999999999999999999]
        |                   ^
E

refuses "a value that overflows" <<'E'
problem: {M: 8}
params: {B: "2 ** 10 ** 9"}
=>
spec.yaml:2:14: error: integer overflow in '2 ** 10 ** 9'
      2 | params: {B: "2 ** 10 ** 9"}
        |              ^
E

refuses "a fault for a legal configuration" <<'E'
params: {A: [0, 2]}
constraints: ["4 % A == 0"]
=>
spec.yaml:2:16: error: division by zero in '4 % A == 0' where A=0; add a constraint that excludes this configuration
      2 | constraints: ["4 % A == 0"]
        |                ^
E

refuses "constraints that are never true" <<'E'
problem: {M: 100}
params: {B: [1, 2]}
constraints:
  - M % 7 == 0
  - B > 0
  - false
=>
spec.yaml:4:5: error: this constraint is always false: 'M % 7 == 0'
      4 |   - M % 7 == 0
        |     ^
spec.yaml:6:5: error: this constraint is always false: 'false'
      6 |   - false
        |     ^
E

refuses "a tuple, which would always be true" <<'E'
params: {A: [1, 2]}
constraints: ["A < 1, A > 2"]
=>
spec.yaml:2:15: error: a list is not a condition; write 'and' between conditions
      2 | constraints: ["A < 1, A > 2"]
        |               ^
E

# ---- Domains ----

refuses "parameters without values" <<'E'
problem: {M: 3}
params:
  A: []
  B: range(0)
  C: "[i for i in range(3) if i > 5]"
  D:
  E: null
  F: [[], []]
=>
spec.yaml:3:6: error: parameter 'A' has no values
      3 |   A: []
        |      ^
spec.yaml:4:6: error: parameter 'B' has no values
      4 |   B: range(0)
        |      ^
spec.yaml:5:6: error: parameter 'C' has no values
      5 |   C: "[i for i in range(3) if i > 5]"
        |      ^
spec.yaml:6:5: error: parameter 'D' has no values
      6 |   D:
        |     ^
spec.yaml:7:6: error: parameter 'E' has no values
      7 |   E: null
        |      ^
spec.yaml:8:6: error: parameter 'F' has no values
      8 |   F: [[], []]
        |      ^
E

refuses "a domain that is empty for the problem" <<'E'
problem: {M: 3}
params: {A: "[i for i in range(M) if i > 5]"}
=>
spec.yaml:2:14: error: parameter 'A' has no values for this problem
      2 | params: {A: "[i for i in range(M) if i > 5]"}
        |              ^
E

refuses "a size without values" <<'E'
problem: {M: []}
params: {A: 1}
=>
spec.yaml:1:14: error: size 'M' has no values
      1 | problem: {M: []}
        |              ^
E

refuses "an unknown name in a domain" <<'E'
problem: {rows: 3}
params: {A: "range(1, row + rows)"}
=>
spec.yaml:2:23: error: unknown name 'row'; did you mean 'rows'?
      2 | params: {A: "range(1, row + rows)"}
        |                       ^
E

refuses "a domain that cannot be parsed" <<'E'
problem: {M: 3}
params:
  A: "range(1, M"
=>
spec.yaml:3:17: error: expected ')', found the end
      3 |   A: "range(1, M"
        |                 ^
E

refuses "a parameter with the name of a size" <<'E'
problem: {M: 3}
params:
  A: 1
  M: [1, 2]
=>
spec.yaml:4:3: error: 'M' is already a size of the problem; give the parameter another name
      4 |   M: [1, 2]
        |   ^
E

refuses "a derived value with the name of a parameter" <<'E'
problem: {M: 3}
params: {A: 1}
derived: {A: 2, M: 3}
=>
spec.yaml:3:11: error: 'A' is already a parameter or a size
      3 | derived: {A: 2, M: 3}
        |           ^
spec.yaml:3:17: error: 'M' is already a parameter or a size
      3 | derived: {A: 2, M: 3}
        |                 ^
E

refuses "a parameter of a configuration that its group has already" <<'E'
params: {A: [1, 2]}
configs: [{A: 1}]
=>
spec.yaml:2:12: error: parameter 'A' is also defined under 'params'
      2 | configs: [{A: 1}]
        |            ^
E

case_begin "a parameter that stands twice: the last one counts, with a warning"
printf 'params:\n  A: [1, 2]\n  B: 1\n  A: 3\n' >twice.yaml
run "$HONE" space twice.yaml --list --format spec
expect_status 0
expect_out "twice/A=3/B=1"
expect_err <<'E'
twice.yaml:4:3: warning: duplicate key 'A' in this mapping (first on line 2); the last value counts
      4 |   A: 3
        |   ^
E

# ---- Syntax of expressions ----

# wrong EXPRESSION COLUMN MESSAGE: as a constraint, whose text begins at column 16.
wrong() {
  case_begin "expression: $1"
  printf 'params: {A: [1, 2]}\nconstraints: ["%s"]\n' "$1" >spec.yaml
  run "$HONE" space spec.yaml
  expect_status 2
  expect_err "spec.yaml:2:$2: error: $3
      2 | constraints: [\"$1\"]
        | $(printf '%*s' $(($2 - 1)) '')^"
}

wrong "A <" 19 "expected a value, found the end"
wrong "A < 1)" 21 "unexpected ')'"
wrong "(A < 1" 22 "expected ')', found the end"
wrong "A[1" 19 "expected ']', found the end"
wrong "A = 1" 18 "'=' is not an operator here; did you mean '=='?"
wrong "!A" 16 "'!' is not an operator here; did you mean 'not'?"
wrong "A & & 1" 20 "expected a value, found '&'"
wrong "A // / 2" 21 "expected a value, found '/'"
wrong "A B" 18 "unexpected 'B'"
wrong "A and" 21 "expected a value, found the end"
wrong "A if 1" 22 "expected 'else', found the end"
wrong "[i for i]" 24 "expected 'in', found ']'"
wrong "[i for in A]" 23 "expected a variable, found 'in'"
wrong "A; 1" 17 "unexpected character ';'"
wrong "A == 'x" 21 "unterminated string: the closing quote is missing"
wrong "012 < A" 16 "an integer cannot begin with 0 (write 0o17 for octal)"
wrong "1x < A" 16 "not a number"
wrong "A < 1e" 20 "not a number"
wrong "lambda x: x" 16 "expected a value, found 'lambda'"
wrong "import os" 16 "expected a value, found 'import'"
wrong "abs(A, 2) > 1" 16 "'abs' takes 1 argument, not 2"
wrong "min() > 1" 16 "'min' takes 1 or more arguments, not 0"
wrong "" 16 "empty expression"
wrong "# A" 16 "empty expression"

# hints EXPRESSION COLUMN WORD: the message has to name the word.
hints() {
  case_begin "expression: $1 hints at $3"
  printf 'params: {A: [1, 2]}\nconstraints: ["%s"]\n' "$1" >spec.yaml
  run "$HONE" space spec.yaml
  expect_status 2
  expect_err_contains "spec.yaml:2:$2: error: "
  expect_contains "the message" "$3" "$(head -n 1 stderr)"
}

hints "A && A" 18 "'and'"
hints "A || A" 18 "'or'"
hints "A <> 1" 18 "'!='"
hints "A => 1" 18 "'>='"
hints "A =< 1" 18 "'<='"
hints "min > 1" 16 "function"
hints "range(1, 2, 3, 4)" 16 "3"

# ---- Expressions over several lines, and with escapes: the place is where the text begins ----

refuses "inside a block of text" <<'E'
params: {A: [1, 2]}
constraints:
  - |
    A < 2 and
    A > Ax
  - >-
    A < 2 and
    A > Ax
=>
spec.yaml:3:5: error: unknown name 'Ax'; did you mean 'A'?
      3 |   - |
        |     ^
spec.yaml:6:5: error: unknown name 'Ax'; did you mean 'A'?
      6 |   - >-
        |     ^
E

refuses "in the second line of a text" <<'E'
params: {A: [1, 2]}
constraints:
  - A < 2 and
    A > Ax
  - "A < 2
    and A > Ax"
=>
spec.yaml:3:5: error: unknown name 'Ax'; did you mean 'A'?
      3 |   - A < 2 and
        |     ^
spec.yaml:5:5: error: unknown name 'Ax'; did you mean 'A'?
      5 |   - "A < 2
        |     ^
E

refuses "behind escapes" <<'E'
params: {A: [1, 2]}
constraints:
  - 'A != ''x'' and Ax'
  - "A != \"x\" and Ax"
=>
spec.yaml:3:5: error: unknown name 'Ax'; did you mean 'A'?
      3 |   - 'A != ''x'' and Ax'
        |     ^
spec.yaml:4:5: error: unknown name 'Ax'; did you mean 'A'?
      4 |   - "A != \"x\" and Ax"
        |     ^
E

refuses "the caret stands below the right character behind wide ones" <<'E'
params: {éé: [1, 2], A: []}
=>
spec.yaml:1:27: error: parameter 'A' has no values
      1 | params: {éé: [1, 2], A: []}
        |                         ^
E

case_begin "a byte order mark is no column"
printf '\357\273\277parms: {A: [1]}\nproblem: {M: 1}\n' >bom.yaml
run "$HONE" space bom.yaml
expect_status 2
expect_err_contains "bom.yaml:1:1: error: unknown key 'parms'; did you mean 'params'?"

case_begin "a long line is cut around its caret"
printf 'params: {A: [1, 2]}\nconstraints: ["%s Ax"]\n' "$(printf 'A > 0 and %.0s' {1..100})" >spec.yaml
run "$HONE" space spec.yaml
expect_status 2
expect_err_contains "spec.yaml:2:1017: error: unknown name 'Ax'; did you mean 'A'?"
line=$(sed -n 2p stderr) caret=$(sed -n 3p stderr)
column=$((${#caret} - 1))
expect_same "what the caret points to" "Ax" "${line:$column:2}"
if [ ${#line} -gt 200 ]; then fail "the line has ${#line} characters"; fi

# ---- YAML ----

refuses "a tab as indentation" <<'E'
params:
  A: [1, 2]
	B: 3
=>
spec.yaml:3:1: error: a tab is used for indentation; use spaces
      3 |  B: 3
        | ^
E

refuses "indentation that fits nothing" <<'E'
params:
  A: [1, 2]
 B: 3
=>
spec.yaml:3:2: error: this does not continue the mapping that begins at line 1; is the indentation right?
      3 |  B: 3
        |  ^
E

refuses "a key without a colon" <<'E'
params:
  A: [1, 2]
  B [3]
=>
spec.yaml:3:3: error: this is not 'key: value'; is a ':' missing, or the indentation wrong?
      3 |   B [3]
        |   ^
E

refuses "a list that is not closed" <<'E'
params:
  A: [1, 2
  B: 3
=>
spec.yaml:3:4: error: a ',' or ']' is missing in the list that begins at line 2
      3 |   B: 3
        |    ^
E

refuses "text that is not closed" <<'E'
params:
  A: "abc
  B: 3
=>
spec.yaml:2:6: error: unterminated quoted text
      2 |   A: "abc
        |      ^
E

refuses "a second document" <<'E'
params: {A: 1}
---
params: {A: 2}
=>
spec.yaml:2:1: error: a second document begins here; only one is allowed per file
      2 | ---
        | ^
E

refuses "an unknown alias" <<'E'
tiles: &tiles [16, 32]
params:
  A: *tile
  B: *tiles
=>
spec.yaml:3:6: error: unknown alias '*tile'; did you mean '*tiles'?
      3 |   A: *tile
        |      ^
E

refuses_with "a merge of a number" <<'E'
params:
  <<: 3
  A: 1
=>
spec.yaml:2:
: error: '<<' takes a mapping or a list of mappings, not an integer
      2 |   <<: 3
E

refuses_with "a merge of a list of numbers" <<'E'
params:
  <<: [1, 2]
  A: 1
=>
spec.yaml:2:
: error: '<<' takes a list of mappings, but this list holds an integer
      2 |   <<: [1, 2]
E

refuses "a merge of an unknown alias is one error" <<'E'
params:
  <<: *x
  A: 1
=>
spec.yaml:2:7: error: unknown alias '*x': no anchor '&x' is defined before it; quote it if it is text
      2 |   <<: *x
        |       ^
E

refuses_with "tags of a programming language" <<'E'
params: {A: !!python/object:os.system 1}
=>
spec.yaml:1:
: error: the tag '!!python/object:os.system' is not supported here
E

refuses "a list as a key" <<'E'
params: {? [1, 2] : 3}
=>
spec.yaml:1:12: error: a key must be text or a number, not a list; put it in quotes if it is text
      1 | params: {? [1, 2] : 3}
        |            ^
E

# ---- Wrong types ----

refuses "a file that is a list" <<'E'
- A
- B
=>
spec.yaml:1:1: error: expected a mapping with keys like 'params', found a list
      1 | - A
        | ^
E

refuses "a file that is a word" <<'E'
hello
=>
spec.yaml:1:1: error: expected a mapping with keys like 'params', found text
      1 | hello
        | ^
E

refuses "no parameters" <<'E'
name: x
=>
spec.yaml: error: no parameters: give them under 'params'
E

# wants KEY VALUE COLUMN MESSAGE
wants() {
  case_begin "$1: $2"
  if [ "$1" = params ]; then other='problem: {M: 1}'; else other='params: {A: [1, 2]}'; fi
  printf '%s\n%s: %s\n' "$other" "$1" "$2" >spec.yaml
  run "$HONE" space spec.yaml
  expect_status 2
  expect_err "spec.yaml:2:$3: error: $4
      2 | $1: $2
        | $(printf '%*s' $(($3 - 1)) '')^"
}

wants name '[1]' 7 "'name' must be text, found a list"
wants name '{a: 1}' 7 "'name' must be text, found a mapping"
wants file '[1]' 7 "'file' must be text, found a list"
wants file 'null' 7 "'file' must be text, found nothing"
wants backend 'coda' 10 "'backend' takes c, program, opencl, cuda, hip, iree or sim, not 'coda'; did you mean 'cuda'?"
wants backend '[1]' 10 "'backend' takes c, program, opencl, cuda, hip, iree or sim, not a list"
wants problem '[1]' 11 "expected a mapping of sizes, found an integer"
wants problem '3.5' 10 "'problem' must be a mapping of sizes or a list of them, found a float"
wants params '[1]' 10 "expected a mapping of parameters to their values, found an integer"
wants params 'true' 9 "expected a mapping of parameters or a list of them, found a boolean"
wants params '"x y"' 9 "expected a mapping of parameters or a list of them, found text"
wants params 'null' 9 "expected a mapping of parameters or a list of them, found nothing"
wants rules '{a: 1}' 8 "'rules' must be a list of expressions, found a mapping"
wants constraints '{a: 1}' 14 "'constraints' must be a list of expressions, found a mapping"
wants constraints '[[1]]' 15 "expected an expression, found a list"
wants fixed_params '3.5' 15 "expected a mapping of parameters or a list of them, found a float"
wants configs '{a: 1}' 10 "expected a list of configurations, found a mapping"
wants configs '[1]' 11 "expected a mapping of parameters to their values, found an integer"
wants configs '[]' 10 "expected a list of configurations, found an empty one"
wants derived '[1]' 10 "'derived' must be a mapping of names to expressions, found a list"
wants derived '{a: [2]}' 14 "expected an expression, found a list"
wants baseline '3.5' 11 "'baseline' takes a mapping, not 3.5"
wants baseline '{a: 1}' 12 "unknown parameter 'a' in 'baseline'; did you mean 'A'?"
wants build '[1]' 8 "'build' takes a mapping, not a list"
wants build '{a: 1}' 9 "unknown key 'a' in 'build', which takes 'flags', 'compiler', 'command', 'includes', 'defines', 'define_prefix', 'timeout', 'limits'"
wants entry '[1]' 8 "'entry' takes a name, not a list"
wants entry '"x y"' 8 "'entry' takes a name, not 'x y'"
wants args '{a: 1}' 7 "'args' is a list of mappings, not a mapping"
wants args '[1]' 8 "'args' is a list of mappings, not 1"
wants launch '3' 9 "'launch' takes a mapping, not 3"
wants reference '[1]' 12 "'reference' takes baseline or a mapping, not a list"
wants check '{reduce: mean}' 17 "'reduce' takes sum, min, max, norm or sorted, not 'mean'"
wants args '[{name: x, type: f32, shape: 1, check: {rtol: 0}}]' 46 "'check' applies to outputs: arguments with 'role: out' or 'inout'"
wants args '[{name: x, type: f32, value: 1, symbol: true}]' 47 "'symbol' is for tensors: give a 'shape'; 'shape: 1' is a single number"
wants args '[{name: x, type: f32, value: 1, texture: true}]' 48 "'texture' is for tensors: give a 'shape'"
wants args '[{name: x, type: f32, shape: 1, texture: true, surface: true}]' 63 "'surface' cannot be combined with 'texture'"
wants args '[{name: x, type: f32, shape: 1, texture: {filter: cubic}}]' 57 "'filter' takes point or linear, not 'cubic'"
wants args '[{name: s, type: f32, sampler: {filter: point}}]' 24 "'type' cannot be combined with 'sampler', which has no content"
wants check 'true' 8 "'check' takes a mapping, not true"
wants measure '"x y"' 10 "'measure' takes a mapping, not 'x y'"
wants search '[[1]]' 9 "'search' takes a mapping, not a list"
wants metrics '[1]' 10 "'metrics' takes a mapping, not a list"
wants metrics '{1: [2]}' 14 "expected an expression, found a list"
wants objective '{a: 1}' 13 "unknown key 'a' in 'objective', which takes 'maximise', 'minimise'"
wants objective '[time, time]' 19 "'time' is already an objective"
wants objective '[time, [1]]' 19 "'objective' takes text or a mapping, not a list"
wants objective '3.5' 12 "'objective' takes text or a mapping, not 3.5; in quotes it is text"
wants maximise '[1]' 11 "'maximise' takes text, not a list"

# ---- Several errors ----

refuses "all errors of a file, in its order" <<'E'
name: [1]
parms: 1
params:
  A: []
  B: [1, 2]
constraints:
  - B < BB
  - B <
  - B + 'x' == 1
  - B < 2 ** 64
search: {budgt: 3, seed: x}
measure: {cache: warm}
=>
spec.yaml:1:7: error: 'name' must be text, found a list
      1 | name: [1]
        |       ^
spec.yaml:2:1: error: unknown key 'parms'; did you mean 'params'?
      2 | parms: 1
        | ^
spec.yaml:4:6: error: parameter 'A' has no values
      4 |   A: []
        |      ^
spec.yaml:7:9: error: unknown name 'BB'; did you mean 'B'?
      7 |   - B < BB
        |         ^
spec.yaml:8:8: error: expected a value, found the end
      8 |   - B <
        |        ^
spec.yaml:9:5: error: type error: '+' cannot take a number and text
      9 |   - B + 'x' == 1
        |     ^
spec.yaml:10:9: error: integer overflow in '2 ** 64'
     10 |   - B < 2 ** 64
        |         ^
spec.yaml:11:10: error: unknown key 'budgt' in 'search'; did you mean 'budget'?
     11 | search: {budgt: 3, seed: x}
        |          ^
spec.yaml:11:26: error: 'seed' takes an integer of at least 0, not 'x'
     11 | search: {budgt: 3, seed: x}
        |                          ^
spec.yaml:12:18: error: 'cache' takes hot or cold, not 'warm'
     12 | measure: {cache: warm}
        |                  ^
E

case_begin "the errors of two files"
printf 'problem: {M: 1}\nparams: {A: [1]}\nx: 1\n' >one.yaml
printf 'params: {A: [1]}\nconstraints: [A < Ab]\n' >two.yaml
run "$HONE" space one.yaml two.yaml
expect_status 2
expect_err <<'E'
one.yaml:3:1: error: unknown key 'x'
      3 | x: 1
        | ^
two.yaml:2:19: error: unknown name 'Ab'; did you mean 'A'?
      2 | constraints: [A < Ab]
        |                   ^
E

case_begin "very many errors are counted"
{ printf 'params: {A: [1]}\nconstraints:\n' && printf -- '  - A < A%dx\n' {1..60}; } >spec.yaml
run "$HONE" space spec.yaml
expect_status 2
expect_same "the number of errors shown" 50 "$(grep -c 'error:' stderr)"
expect_same "the last line" "and 10 more errors" "$(tail -n 1 stderr)"

case_begin "many warnings hide no error"
{ printf 'params:\n' && printf -- '  A: %d\n' {1..150} && printf 'problem: {M: 1}\nbad: 3\n'; } >spec.yaml
run "$HONE" space spec.yaml
expect_status 2
expect_err_contains "spec.yaml:153:1: error: unknown key 'bad'"

# ---- Annotations in sources ----

refuses "errors in annotations stand at their places in the source" k.cu <<'E'
#include "k.h"

  //@hone params:
  //@hone   BM: [16, 32]
  //@hone constraints: [BX > 1]
__global__ void k() {}
/*@hone
 * derived: {D: BM + }
 * lunch: {grid: 1}
 */
	//@hone launch: {grd: 3}
=>
k.cu:5:25: error: unknown name 'BX'; did you mean 'BM'?
      5 |   //@hone constraints: [BX > 1]
        |                         ^
k.cu:8:21: error: expected a value, found the end
      8 |  * derived: {D: BM + }
        |                     ^
k.cu:9:4: error: unknown key 'lunch'; did you mean 'launch'?
      9 |  * lunch: {grid: 1}
        |    ^
k.cu:11:19: error: unknown key 'grd' in 'launch'; did you mean 'grid'?
     11 |  //@hone launch: {grd: 3}
        |                   ^
E

refuses "a YAML error in an annotation" k.c <<'E'
int x;
/*@hone params: {A: [1, 2]}
   baseline: {A: 1
*/
=>
k.c:3:19: error: a ',' or '}' is missing in the mapping that begins at line 3
      3 |    baseline: {A: 1
        |                   ^
E

refuses "an annotation over two lines" k.c <<'E'
//@hone params: {A: [1, 2]}
//@hone constraints: [A <
//@hone   Ax]
int x;
=>
k.c:2:23: error: unknown name 'Ax'; did you mean 'A'?
      2 | //@hone constraints: [A <
        |                       ^
E

refuses "an annotation that is not closed" k.c <<'E'
int x;
/*@hone params: {A: 1}
=>
k.c:2:1: error: unterminated annotation; '*/' is missing
      2 | /*@hone params: {A: 1}
        | ^
E

refuses "a source without annotations" k.c <<'E'
int x;
=>
k.c: error: no tuning annotations found: write the spec in lines that begin with //@hone
E

cases_end
