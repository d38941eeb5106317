# hone export: tuned values in a region of a source file.
. "$(dirname "$0")/lib.sh"
export HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
unset NO_COLOR
data=tests/data/export
markers=(--begin-marker '# begin of' --end-marker '# end of')
manifest=(--manifest $data/tuning.yaml --snippet $data/config.txt
  --snippet-variant ranged=$data/ranged.txt)

case_begin "entries of a manifest, each with its snippet"
cp $data/table.mojo "$TMP/table.mojo"
run "$HONE" export "${manifest[@]}" --target "$TMP/table.mojo" "${markers[@]}" --source-label tuning.yaml
expect_status 0
expect_out ""
expect_err "hone: wrote 2 entries into '$TMP/table.mojo'"
expect_same "table" 'comptime configs = List(
    # begin of the table
        # Automatically generated from [tuning.yaml]
        # index: [0]
        Config(M=64, BK=32, fast=True),
        # Automatically generated from [tuning.yaml]
        # index: [1]
        Config(
            M=128,
            M_end=160,
        ),
    # end of the table
)' "$(cat "$TMP/table.mojo")"

case_begin "the label is the manifest's file, unless it is given"
cp $data/table.mojo "$TMP/label.mojo"
run "$HONE" export "${manifest[@]}" --into "$TMP/label.mojo" "${markers[@]}" -q
expect_err ""
expect_same "label" "$(cat "$TMP/table.mojo")" "$(cat "$TMP/label.mojo")"

case_begin "--check says whether the file is current"
run "$HONE" export "${manifest[@]}" --into "$TMP/table.mojo" "${markers[@]}" --check
expect_status 0
expect_out ""
expect_err "hone: '$TMP/table.mojo' is up to date: 2 entries"
cp $data/table.mojo "$TMP/stale.mojo"
before=$(cat "$TMP/stale.mojo")
run "$HONE" export "${manifest[@]}" --into "$TMP/stale.mojo" "${markers[@]}" --check
expect_status 1
expect_same "file" "$before" "$(cat "$TMP/stale.mojo")"
expect_err "hone: '$TMP/stale.mojo' is out of date: run the same command without '--check' to update it"
expect_same "diff" "$(printf -- '--- %s\n+++ %s (generated)\n@@ -1,5 +1,13 @@' "$TMP/stale.mojo" "$TMP/stale.mojo")" \
  "$(head -n 3 "$TMP/stdout")"
expect_out_contains "
-    stale
+        # Automatically generated from [tuning.yaml]
+        # index: [0]
+        Config(M=64, BK=32, fast=True),"
cp "$TMP/stdout" "$TMP/patch"
run "$HONE" export "${manifest[@]}" --into "$TMP/stale.mojo" "${markers[@]}" --check --color always
expect_status 1
expect_out_contains $'\e['
if command -v patch >/dev/null; then
  patch -s "$TMP/stale.mojo" "$TMP/patch"
  expect_same "patched" "$(cat "$TMP/table.mojo")" "$(cat "$TMP/stale.mojo")"
fi

case_begin "bytes outside the region, permissions and links stay"
printf 'caf\xe9\r\n# begin of\r\n# end of\n\xff no end' >"$TMP/bytes.py"
chmod 754 "$TMP/bytes.py"
ln -s bytes.py "$TMP/link.py"
run "$HONE" export --manifest $data/tuning.yaml --snippet $data/config.txt --snippet-variant \
  ranged=$data/config.txt --into "$TMP/link.py" "${markers[@]}" --indent 0 --comment ''
expect_status 0
printf 'caf\xe9\r\n# begin of\r\nConfig(M=64, BK=32, fast=True),\r\nConfig(M=128, BK=32, fast=True),\r\n# end of\n\xff no end' >"$TMP/want"
cmp -s "$TMP/want" "$TMP/bytes.py" || fail "bytes differ: $(od -c "$TMP/bytes.py")"
expect_same "mode" 754 "$(stat -c %a "$TMP/bytes.py")"
expect_same "link" "$TMP/bytes.py" "$(readlink -f "$TMP/link.py")"
expect_same "left behind" "" "$(ls "$TMP"/bytes.py.* 2>/dev/null)"

case_begin "only plain files are written into, and none is waited for"
mkfifo "$TMP/fifo"
ln -s fifo "$TMP/fifo-link"
mkdir "$TMP/folder"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$TMP/socket"
ln -s nowhere "$TMP/dangling"
for check in '' --check; do
  while read -r file what; do
    RUN_TIMEOUT=10 run "$HONE" export "${manifest[@]}" --into "$file" "${markers[@]}" $check </dev/null
    expect_status 1
    expect_err "hone: cannot write into '$file': $what"
  done <<END
$TMP/fifo it is a FIFO, not a plain file
$TMP/fifo-link it is a FIFO, not a plain file
$TMP/folder it is a folder, not a plain file
$TMP/socket it is a socket, not a plain file
/dev/null it is a device, not a plain file
$TMP/dangling no such file or directory
- no such file or directory
END
done
[ -p "$TMP/fifo" ] && [ -S "$TMP/socket" ] && [ -L "$TMP/dangling" ] || fail "something was replaced"

case_begin "a file that is current is not touched"
touch -d '2001-01-01' "$TMP/table.mojo"
run "$HONE" export "${manifest[@]}" --into "$TMP/table.mojo" "${markers[@]}"
expect_status 0
expect_same "date" "2001" "$(date -r "$TMP/table.mojo" +%Y)"

case_begin "comments and separators suit the language"
language() { # language NAME WANT
  printf 'hone:begin\nhone:end\n' >"$TMP/$1"
  echo 'x [@BM]' >"$TMP/x.txt"
  run "$HONE" export $data/base.csv --snippet "$TMP/x.txt" --into "$TMP/$1" --indent 1 "${@:3}" -q
  expect_status 0
  expect_same "$1" "hone:begin
$2
hone:end" "$(cat "$TMP/$1")"
}
language a.h ' // Automatically generated from [base.csv]
 // index: [0]
 x 32'
language a.cu ' // Automatically generated from [base.csv]
 // index: [0]
 x 32'
language a.py ' # Automatically generated from [base.csv]
 # index: [0]
 x 32,'
language a.yaml ' # Automatically generated from [base.csv]
 # index: [0]
 x 32'
language a.f90 ' ! Automatically generated from [base.csv]
 ! index: [0]
 x 32'
language a.json ' x 32'
language a.json ' -- Automatically generated from [L]
 -- index: [0]
 x 32;' --comment -- --separator ';' --source-label L

case_begin "the best of a CSV file, by any metric"
printf '// hone:begin\n// hone:end\n' >"$TMP/best.h"
echo '#define BM [@BM] // [@dtype] [@x]' >"$TMP/define.txt"
best() { # best WANT WORD...
  run "$HONE" export "${@:2}" --snippet "$TMP/define.txt" --into "$TMP/best.h" --indent 0 --comment ''
  expect_status 0
  expect_same "best of ${*:2}" "// hone:begin
$1
// hone:end" "$(cat "$TMP/best.h")"
}
best '#define BM 32 // DType.float16 1' $data/base.csv
best '#define BM 64 // DType.float16 0' $data/branch.csv
best '#define BM 32 // DType.float16 1' $data/branch.csv --metric arith
best '#define BM 32 // DType.float16 1
#define BM 64 // DType.float16 0' $data/base.csv $data/branch.csv
best '#define BM 32 // DType.float16 1' $data/base.csv $data/base.csv
best '#define BM 64 // DType.float16 0' - <$data/branch.csv

case_begin "the best of a run"
cat >"$TMP/p.sh" <<'END'
for word; do
  case $word in --BM=*) bm=${word#--BM=} ;; --x=*) x=${word#--x=} ;; esac
done
echo "{\"time_ms\": $((100 - bm + x))}"
END
cat >"$TMP/p.yaml" <<'END'
name: p
file: p.sh
run: {command: [sh, "{source}", "--BM={BM}", "--x={x}"]}
params: {BM: [16, 64, 32], x: [5, 1]}
baseline: {BM: 16, x: 5}
END
run "$HONE" sweep "$TMP/p.yaml" --output-dir "$TMP/out" --plot none
expect_status 0
echo '#define BM [@BM] // [@x]' >"$TMP/define.txt"
best '#define BM 64 // 1' last
best '#define BM 64 // 1' 1

case_begin "what is wrong with the manifest, and where"
bad() { # bad YAML MESSAGE
  printf "$1" >"$TMP/bad.yaml"
  run "$HONE" export --manifest "$TMP/bad.yaml" --snippet $data/config.txt --into "$TMP/table.mojo" "${markers[@]}"
  expect_status 2
  expect_err_contains "$2"
}
bad 'params:\n- {M: 1, BK: 1, FAST: 1}\n- {M: 1, BK: 1, FAST: 1}\n' \
  "$TMP/bad.yaml:3:3: error: duplicate params entry at index 1"
bad 'params: {M: 1}\n' "$TMP/bad.yaml:1:9: error: expected 'params' to be a sequence"
bad 'params:\n- {M: 1, _template: missing}\n' "params[0] references unknown template 'missing'"
bad 'params:\n- {M: 1}\n' "params[0]: Missing snippet parameters: BK, FAST"
bad 'params:\n- 7\n' "$TMP/bad.yaml:2:3: error: params[0] must be a mapping"
expect_same "table" 64 "$(grep -o 'M=64' "$TMP/table.mojo" | cut -d= -f2)"

case_begin "what is wrong with the markers"
marked() { # marked TEXT MESSAGE
  printf "$1" >"$TMP/marked.py"
  run "$HONE" export $data/base.csv --snippet "$TMP/x.txt" --into "$TMP/marked.py"
  expect_status 2
  expect_err_contains "$TMP/marked.py: $2"
  expect_same "file" "$(printf "$1")" "$(cat "$TMP/marked.py")"
}
marked 'nothing\n' "Expected exactly one begin marker: 'hone:begin', found none"
marked 'hone:begin\nhone:begin\nhone:end\n' "Expected exactly one begin marker: 'hone:begin', found 2"
marked 'hone:begin\n' "Expected exactly one end marker: 'hone:end', found none"
marked 'hone:end\nhone:begin\n' "the begin marker must come before the end marker"

case_begin "what is missing, or contradicts itself"
wrong() { # wrong MESSAGE WORD...
  run "$HONE" export "${@:2}"
  expect_status 2
  expect_err_contains "$1"
  expect_err_contains "try 'hone export --help'"
}
wrong "nothing to export" --snippet $data/config.txt --into "$TMP/table.mojo"
wrong "'--snippet FILE' is missing" $data/base.csv --into "$TMP/table.mojo"
wrong "'--into FILE' is missing" $data/base.csv --snippet $data/config.txt
wrong "cannot be combined" $data/base.csv "${manifest[@]}" --into "$TMP/table.mojo"
wrong "'--metric' needs a run or a CSV file" "${manifest[@]}" --into "$TMP/table.mojo" --metric met
wrong "not 'bogus'" bogus --snippet $data/config.txt --into "$TMP/table.mojo"
wrong "'--indent' is at most 200" "${manifest[@]}" --into "$TMP/table.mojo" --indent 201
run "$HONE" export $data/base.csv --snippet /nowhere --into "$TMP/table.mojo"
expect_status 1
expect_err "hone: cannot open '/nowhere': no such file or directory"
run "$HONE" export $data/base.csv --snippet "$TMP/x.txt" --into /nowhere
expect_status 1
run "$HONE" export 99 --snippet "$TMP/x.txt" --into "$TMP/best.h"
expect_status 1
run "$HONE" export "${manifest[@]}" --snippet-variant ranged=x --into "$TMP/table.mojo" "${markers[@]}"
expect_status 2
expect_err "hone: duplicate snippet variant 'ranged'"
run "$HONE" export "${manifest[@]}" --snippet-variant ranged --into "$TMP/table.mojo" "${markers[@]}"
expect_status 2
expect_err "hone: invalid snippet variant 'ranged': expected NAME=FILE"
printf 'a\0b' >"$TMP/binary.py"
run "$HONE" export $data/base.csv --snippet "$TMP/x.txt" --into "$TMP/binary.py"
expect_status 1
expect_err "hone: '$TMP/binary.py' is not a text file: it holds NUL bytes"

cases_end
