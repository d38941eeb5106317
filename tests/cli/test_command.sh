# What hone does with its command line: help, version, options, mistakes, exit codes, formats.
. "$(dirname "$0")/lib.sh"
export COLUMNS=80
unset NO_COLOR

cat >"$TMP/gemm.yaml" <<'END'
name: gemm
problem: {M: [256, 1024], N: 512}
params:
  BM: [16, 32, 96]
  ALGO: [direct, packed]
derived: {TILE: BM * 2}
constraints:
  - M % BM == 0
  - TILE <= 64
END
cat >"$TMP/groups.yaml" <<'END'
name: groups
file: bench.c
params:
  - A: [2, 2.5, true]
    $x: 0
  - A: 7
    B: ["a, b", 'say "hi"']
END
cat >"$TMP/none.yaml" <<'END'
name: none
params: {A: [1, 2, 3], B: [1, 2, 3]}
constraints: [A + B > 2, A > B, B > A]
END
gemm="$TMP/gemm.yaml" groups="$TMP/groups.yaml" none="$TMP/none.yaml"

# ---- Help and version

case_begin "hone alone is a usage error that shows the help"
run "$HONE"
expect_status 2
expect_out ""
expect_err_contains "usage: hone COMMAND"

case_begin "hone --help and hone help are the same"
run "$HONE" --help
expect_status 0
expect_out_contains "usage: hone COMMAND"
expect_out_contains "  space  "
help=$OUT
run "$HONE" help
expect_status 0
expect_out "$help"
run "$HONE" -h
expect_out "$help"

case_begin "hone help space and hone space --help are the same"
run "$HONE" help space
expect_status 0
expect_out_contains "usage: hone space FILE..."
help=$OUT
run "$HONE" space --help
expect_status 0
expect_out "$help"
run "$HONE" space "$gemm" -h --count
expect_out "$help"

case_begin "the help has every option of the contract, within 80 columns"
for option in count list at index-of sample seed neighbours adjacent explain stats problem device \
  solver format unique memory param filter shapes partition quiet verbose color help; do
  expect_out_contains " --$option"
done
expect_same "lines over 80 columns" "" "$(grep -E '.{81}' "$TMP/stdout")"

case_begin "the version names revision and optional parts"
run "$HONE" --version
expect_status 0
expect_out_contains "hone 0.1.0 ("
expect_out_contains "z3 solver: "
run "$HONE" -V
expect_status 0

# ---- Mistakes

case_begin "help for what is neither a command nor a topic"
run "$HONE" help nosuchtopic
expect_status 2
expect_err "hone: no command and no topic is called 'nosuchtopic'
hone: 'hone help' lists the commands and the topics"
run "$HONE" help tutoral
expect_status 2
expect_err_contains "no command and no topic is called 'tutoral'; did you mean 'tutorial'?"

case_begin "an unknown command"
run "$HONE" spcae
expect_status 2
expect_err "hone: unknown command 'spcae'; did you mean 'space'?
hone: try 'hone --help'"
run "$HONE" frobnicate
expect_status 2
expect_err_contains "unknown command 'frobnicate'"
run "$HONE" help spcae
expect_status 2

case_begin "an unknown option"
run "$HONE" space "$gemm" --cuont
expect_status 2
expect_err "hone: unknown option '--cuont'; did you mean '--count'?
hone: try 'hone space --help'"
run "$HONE" space "$gemm" --neighbors BM=16
expect_err_contains "did you mean '--neighbours'?"
run "$HONE" space "$gemm" --formt json
expect_err_contains "did you mean '--format'?"
run "$HONE" space "$gemm" -qz
expect_status 2
expect_err_contains "unknown option '-z'"
run "$HONE" --versoin
expect_status 2
expect_err_contains "did you mean '--version'?"

case_begin "missing and wrong values say what was expected"
run "$HONE" space "$gemm" --at
expect_status 2
expect_err_contains "'--at' needs a value: --at I"
run "$HONE" space "$gemm" --at --count
expect_err_contains "'--at' needs a value"
for number in -1 x 1.5 '' 99999999999999999999; do
  run "$HONE" space "$gemm" "--at=$number"
  expect_status 2
  expect_err_contains "'--at' needs a non-negative number, not '$number'"
done
for size in 0 x 3X M -1G 1e30; do
  run "$HONE" space "$gemm" "--memory=$size"
  expect_status 2
  expect_err_contains "'--memory' needs a size such as 512M or 2G, not '$size'"
done
run "$HONE" space "$gemm" --format jsn
expect_status 2
expect_err_contains "'--format' is text, json, csv or spec, not 'jsn'; did you mean 'json'?"
run "$HONE" space "$gemm" --count=3
expect_err_contains "'--count' takes no value"
run "$HONE" space "$gemm" --partition 3
expect_err_contains "'--partition' needs M:N"
run "$HONE" space "$gemm" --problem 256
expect_status 2
expect_err_contains "'--problem' needs sizes such as M=256,N=64, not '256'"

case_begin "no file"
run "$HONE" space --count
expect_status 2
expect_err_contains "no file given"

case_begin "one question at a time"
run "$HONE" space "$gemm" --count --list
expect_status 2
expect_err_contains "'--count' and '--list' cannot be combined: choose one"
run "$HONE" space "$gemm" --adjacent
expect_status 2
expect_err_contains "'--adjacent' needs '--neighbours'"
run "$HONE" space "$gemm" --stats --format spec
expect_status 2

case_begin "a file that is not there, or is no spec, is exit status 2"
run "$HONE" space "$TMP/nothing.yaml"
expect_status 2
expect_err_contains "nothing.yaml"
echo 'parms: {A: 1}' >"$TMP/bad.yaml"
run "$HONE" space "$TMP/bad.yaml"
expect_status 2
expect_err_contains "bad.yaml:1:1: error: unknown key 'parms'; did you mean 'params'?"

# ---- How options are written

case_begin "values after = or a space, letters together, the last one counts"
run "$HONE" space --problem=M=256 --format=csv "$gemm" --count
expect_out "count
4"
run "$HONE" space --problem M=1024 --problem M=256 -qvf csv --format text --count "$gemm"
expect_out "4"
run "$HONE" space -ftext --count --problem M=256 -- "$gemm"
expect_out "4"

case_begin "a file that begins with a dash comes after --"
cp "$gemm" "$TMP/--count"
run sh -c 'cd "$1" && "$2" space --problem M=256 --count -- --count' - "$TMP" "$HONE"
expect_status 0
expect_out "4"

case_begin "a dash is standard input"
run sh -c '"$1" space - --count <"$2"' - "$HONE" "$groups"
expect_status 0
expect_out "5"

# ---- Problems

case_begin "several problems: a line for each"
run "$HONE" space "$gemm" --count
expect_status 0
expect_out "M=256 N=512: 4
M=1024 N=512: 4"
run "$HONE" space "$gemm" --count --format json
expect_out '[{"problem": {"M": 256, "N": 512}, "count": 4},
 {"problem": {"M": 1024, "N": 512}, "count": 4}]'

case_begin "other questions need one problem"
run "$HONE" space "$gemm" --list
expect_status 2
expect_err "hone: this spec has 2 problems; choose one with --problem M=256
  M=256 N=512
  M=1024 N=512"

case_begin "sizes that are not listed replace the first problem's"
run "$HONE" space "$gemm" --problem M=96 --count
expect_status 0
expect_out "4"
run "$HONE" space "$gemm" --problem M=96 --format json --count
expect_out '{"problem": {"M": 96, "N": 512}, "count": 4}'
run "$HONE" space "$gemm" --problem Q=1 --count
expect_status 2

# ---- Formats

case_begin "configurations as text, json, csv and spec"
run "$HONE" space "$groups" --list
expect_status 0
expect_out 'A=2    x=0
A=2.5  x=0
A=True x=0
A=7 B="a, b"
A=7 B="say \"hi\""'
run "$HONE" space "$groups" --list --format json
expect_out '{"A": 2, "x": 0}
{"A": 2.5, "x": 0}
{"A": true, "x": 0}
{"A": 7, "B": "a, b"}
{"A": 7, "B": "say \"hi\""}'
run "$HONE" space "$groups" --list --format csv
expect_out 'A,x,B
2,0,
2.5,0,
True,0,
7,,"a, b"
7,,"say ""hi"""'
run "$HONE" space "$groups" --list --format spec
expect_out 'bench/A=2/$x=0
bench/A=2.5/$x=0
bench/A=True/$x=0
bench/A=7/B=a, b
bench/A=7/B=say "hi"'

case_begin "derived values are columns of json and csv"
run "$HONE" space "$gemm" --problem M=256 --at 1 --format json
expect_out '{"BM": 16, "ALGO": "packed", "TILE": 32}'
run "$HONE" space "$gemm" --problem M=256 --at 1 --format csv
expect_out 'BM,ALGO,TILE
16,packed,32'
run "$HONE" space "$gemm" --problem M=256 --at 1
expect_out 'BM=16 ALGO=packed'

case_begin "json escapes what it must"
printf 'name: "n\\u0001\\ttab"\nparams: {A: ["q\\"b\\\\s", "\\u00e9"]}\n' >"$TMP/escapes.yaml"
run "$HONE" space "$TMP/escapes.yaml" --list --format json
expect_out '{"A": "q\"b\\s"}
{"A": "é"}'
run "$HONE" space "$TMP/escapes.yaml" --format json
expect_out_contains '{"name": "n\u0001\ttab", "file": null'

case_begin "the summary shows parameters, numbers and constraints"
run "$HONE" space "$gemm" --problem M=256
expect_status 0
expect_same "summary" "gemm
problem M=256 N=512

  parameter    count  values
  BM               3  16 32 96
  ALGO             2  direct packed

  constraints  2
    M % BM == 0
    TILE <= 64
  derived      TILE

  Cartesian    6
  legal        4, 66.7 %" "$(sed '/^  components/,$d' "$TMP/stdout")"
expect_out_contains "  components   "
expect_out_contains "  solved in    "

case_begin "long lists of values are cut to the width"
echo 'params: {A: "range(1, 1001)", B: "[2 ** i for i in range(40)]"}' >"$TMP/long.yaml"
run "$HONE" space "$TMP/long.yaml"
expect_status 0
expect_out_contains " 1000"
expect_same "lines over 80 columns" "" "$(grep -E '.{81}' "$TMP/stdout")"
expect_out_contains "  legal        40000, all of them"
run "$HONE" space "$TMP/long.yaml" -v
expect_out_contains " 999 1000"

case_begin "large numbers have a rounded hint, machine formats do not"
echo 'params: {A: "range(100000)", B: "range(100000)", C: "range(100000)", D: "range(1000000)"}' \
  >"$TMP/large.yaml"
run "$HONE" space "$TMP/large.yaml"
expect_out_contains "1000000000000000000000 (1.0e21)"
run "$HONE" space "$TMP/large.yaml" --count
expect_out "1000000000000000000000"
run "$HONE" space "$TMP/large.yaml" --count --format json
expect_out '{"problem": {}, "count": 1000000000000000000000}'

case_begin "summaries of several problems show what they share once"
run "$HONE" space "$gemm"
expect_status 0
expect_same "tables" 1 "$(grep -c 'parameter  ' "$TMP/stdout")"
expect_same "problems" 2 "$(grep -c '^problem M=' "$TMP/stdout")"
run "$HONE" space "$gemm" --format csv
expect_same "lines" 3 "$(wc -l <"$TMP/stdout")"

case_begin "colour only when asked for, or on a terminal without NO_COLOR"
run "$HONE" space "$gemm" --problem M=256 --explain BM=96,ALGO=direct
expect_same "escapes" "" "$(grep -o $'\033' "$TMP/stdout")"
run "$HONE" space "$gemm" --problem M=256 --explain BM=96,ALGO=direct --color always
expect_out_contains $'\033[1;31mFAILS'
run "$HONE" space "$gemm" --problem M=256 --explain BM=96,ALGO=direct --color never
expect_same "escapes" "" "$(grep -o $'\033' "$TMP/stdout")"

# ---- Questions

case_begin "--at and --index-of are inverse"
run "$HONE" space "$gemm" --problem M=256 --at 2
expect_status 0
expect_out "BM=32 ALGO=direct"
run "$HONE" space "$gemm" --problem M=256 --index-of BM=32,ALGO=direct
expect_status 0
expect_out "2"

case_begin "what is not there is exit status 1"
run "$HONE" space "$gemm" --problem M=256 --at 4
expect_status 1
expect_err "hone: no configuration 4: the space has 4, counted from 0"
run "$HONE" space "$gemm" --problem M=256 --index-of BM=96,ALGO=direct
expect_status 1
expect_err "hone: not a legal configuration; see --explain"

case_begin "--explain tells every constraint"
run "$HONE" space "$gemm" --problem M=256 --explain BM=96,ALGO=direct
expect_status 0
expect_same "first line" "not legal: 2 of 2 fail" "$(head -n 1 "$TMP/stdout")"
expect_out_contains "  FAILS   M % BM == 0"
run "$HONE" space "$gemm" --problem M=256 --explain BM=16,ALGO=direct
expect_status 0
expect_same "first line" "legal: 0 of 2 fail" "$(head -n 1 "$TMP/stdout")"
expect_out_contains "  holds   TILE <= 64"
run "$HONE" space "$gemm" --problem M=256 --explain BM=16,ALGO=direct --format json
expect_out_contains '{"legal": true, "group": 0, "reasons": [{"verdict": "holds", "constraint": "M % BM == 0"'

case_begin "--stats tells what each constraint costs"
run "$HONE" space "$gemm" --problem M=256 --stats
expect_status 0
expect_out "rejects alone  rejects last  constraint
      33.33 %           0 %  M % BM == 0
      33.33 %           0 %  TILE <= 64"

case_begin "--neighbours"
run "$HONE" space "$gemm" --problem M=256 --neighbours BM=16,ALGO=direct
expect_status 0
expect_out "BM=32 ALGO=direct
BM=16 ALGO=packed"
run "$HONE" space "$gemm" --problem M=256 --neighbours BM=96,ALGO=direct --adjacent
expect_out "BM=32 ALGO=direct"

case_begin "--sample: the same seed, the same sample; never more than there are"
run "$HONE" space "$gemm" --problem M=256 --sample 2 --seed 7
expect_status 0
sample=$OUT
run "$HONE" space "$gemm" --problem M=256 --sample 2 --seed 7
expect_out "$sample"
run "$HONE" space "$gemm" --problem M=256 --sample 100
expect_status 0
expect_same "rows" 4 "$(sort -u "$TMP/stdout" | wc -l)"
expect_err "hone: there are only 4 legal configurations: all of them are listed"
run "$HONE" space "$gemm" --problem M=256 --sample 100 -q
expect_err ""

# ---- Nothing is legal

case_begin "no legal configuration: exit status 1 and the constraints that cannot hold together"
conflict="hone: no legal configuration: these constraints contradict each other:
  A > B
  B > A"
run "$HONE" space "$none" --count
expect_status 1
expect_out "0"
expect_err "$conflict"
run "$HONE" space "$none" --list --format csv
expect_status 1
expect_out "A,B"
expect_err "$conflict"
run "$HONE" space "$none"
expect_status 1
expect_out_contains "  legal        0, 0 %"
expect_err "$conflict"
run "$HONE" space "$none" --at 0
expect_status 1
expect_err "$conflict"

# ---- Output that cannot be written

case_begin "a full disk is exit status 1"
if [ -e /dev/full ]; then
  run sh -c '"$1" space "$2" --list >/dev/full' - "$HONE" "$groups"
  expect_status 1
  expect_err "hone: cannot write to standard output: no space left on device"
  run sh -c '"$1" --help >/dev/full' - "$HONE"
  expect_status 1
fi

case_begin "a reader that goes away ends a long list at once"
run bash -c '"$1" space "$2" --list | head -n 1; echo "${PIPESTATUS[0]}"' - "$HONE" "$TMP/large.yaml"
expect_out "A=0     B=0     C=0     D=0
141"
run bash -c 'trap "" PIPE; "$1" space "$2" --list | head -n 1; echo "${PIPESTATUS[0]}"' - \
  "$HONE" "$TMP/large.yaml"
expect_out_contains "
1"
expect_err_contains "hone: cannot write to standard output: broken pipe"

cases_end
