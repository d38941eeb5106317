# The examples that the help of every command prints: they run as they are printed, in a folder that
# has the files they name. Numbers of runs, and machines that are not here, are replaced.
. "$(dirname "$0")/lib.sh"
export HONE COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
unset NO_COLOR

folder=$TMP/examples
mkdir "$folder"
cat >"$folder/gemm.c" <<'END'
/*@hone
name: gemm
problem: {M: 256}
params: {BM: [32, 64], BN: [32], UNROLL: [1, 4], ALGO: [direct, packed]}
baseline: {BM: 32, BN: 32, UNROLL: 1, ALGO: packed}
entry: f
args:
  - {name: x, type: f32, shape: [M], fill: uniform}
  - {name: y, type: f32, shape: [M], role: out}
*/
enum { direct, packed };
void f(const float *x, float *y)
{
  for (int i = 0; i < M; i++)
    y[i] = x[i] + UNROLL * 0;
}
END
sed -n '/^\/\*@hone/,/^\*\//p' "$folder/gemm.c" | sed '1d; $d' >"$folder/gemm.yaml"
sed '1,/^\*\//d' "$folder/gemm.c" >"$folder/kernel.c"
echo 'file: kernel.c' >>"$folder/gemm.yaml"

# A program that measures itself, in kbench's form.
cat >"$folder/bench.sh" <<'END'
N=1
for word; do
  case $word in
  --M=*) M=${word#*=} ;;
  --N=*) N=${word#*=} ;;
  -o) file=next ;;
  *) if [ "${file-}" = next ]; then file=$word; fi ;;
  esac
done
printf 'name,met (ms),iters,Arithmetic (GFLOPS/s)\n"bench",%s,10,%s\n' $((M / 64)) "$N" >"$file"
END
cat >"$folder/bench.yaml" <<'END'
name: bench
file: bench.sh
params: {dtype: [float16, float32], M: [64, 128]}
metrics: {size: 128 - M}
objective: [time, size]
END
echo 'params: {N: [1, 2, 3, 4]}' >"$folder/shapes.yaml"
run "$HONE" sweep "$folder/bench.yaml" --output-dir "$folder" --plot none
cp "$folder/output.csv" "$folder/main.csv"
cp "$folder/output.csv" "$folder/branch.csv"

lines_of() { # lines_of COMMAND
  "$HONE" "$1" --help | sed -n '/^examples:/,$s/^  \(hone .*\)/\1/p' |
    sed "/\.mlir/d
      s/'ssh node[12]'/env/g
      s/ 12 13 / last last /
      s/ 12 / last /
      s/--num-gpu 4 //
      s/--require-improvement &&.*/--require-improvement || [ \$? = 3 ]/"
}

for command in tune sweep run show compare report cache devices doctor; do
  case_begin "the examples of 'hone $command --help' run as they are printed"
  lines_of "$command" >"$TMP/lines"
  [ -s "$TMP/lines" ] || fail "there are none"
  while read -r line; do
    cd "$folder" || exit 1
    run bash -c "hone() { \"\$HONE\" \"\$@\"; }; $line" </dev/null
    cd "$OLDPWD" || exit 1
    expect_same "status of '$line'" 0 "$STATUS"
  done <"$TMP/lines"
done

# ---- The manual, which is in the program

case_begin "'hone help spec' and 'hone help hone-tune' print the manual"
run "$HONE" help spec
expect_status 0
expect_out_contains "hone-spec - what can be tuned in a kernel"
expect_out_contains "A list of expressions that must all be true; see CONSTRAINTS."
cp "$TMP/stdout" "$TMP/spec"
run "$HONE" help hone-spec
expect_same "the page" "$(cat "$TMP/spec")" "$OUT"
run "$HONE" help hone-tune
expect_out_contains "--patience N"
expect_out_contains "EXIT STATUS"
run "$HONE" help tune
expect_out_contains "usage: hone tune FILE..."
expect_out_contains "'hone help hone-tune' prints the manual."
run "$HONE" help spek
expect_status 2

case_begin "'--budget' says what is bounded, and what is not"
run "$HONE" tune --help
expect_contains "the help" "end, with the verdict, within this time" "$(tr -s ' \n' ' ' <"$TMP/stdout")"
run "$HONE" help hone-tune
expect_contains "the manual" "candidates, and proving what was found" \
  "$(tr -s ' \n' ' ' <"$TMP/stdout")"

case_begin "every page is there, without a macro that was left over"
for page in docs/man/*.[15]; do
  name=$(basename "${page%.*}")
  run "$HONE" help "$name"
  expect_status 0
  expect_out_contains "$(sed -n 's/^\.Nd //p' "$page" | cut -c1-30)"
  expect_same "macros of $name" "" "$(grep -nE '^ *\.[A-Z][a-z]( |$)|\\(&|\()' "$TMP/stdout")"
  for title in $(sed -n 's/^\.Sh \([A-Z]*\)$/\1/p' "$page"); do
    grep -qx "$title" "$TMP/stdout" || fail "$name has no section $title"
  done
done

words() { tr -s ' \n' '\n' <"$1" | sed "s/\`/'/g" | grep -vxE '[-o]|--|' | tr -d '\n'; }
if command -v mandoc >/dev/null; then
  case_begin "the words of a page are those that mandoc prints"
  for name in hone-tune.1 hone-spec.5 hone-show.1; do
    mandoc -T ascii docs/man/$name | sed 's/.\x08//g; 1d; $d' >"$TMP/formatted"
    run "$HONE" help "${name%.*}"
    expect_same "the words of $name" "$(words "$TMP/formatted")" "$(words "$TMP/stdout")"
  done
else
  case_skip "the words of a page are those that mandoc prints" "there is no mandoc"
fi

case_begin "hone help messages explains a message, and a part of one"
run "$HONE" space tests/cli/none.yaml
run "$HONE" help messages "$ERR"
expect_status 0
expect_out_contains "\`cannot ... '...': ...\`"
run "$HONE" help messages "hone: gemm.c:3:1: error: 'x' is in Fortran order: save it with numpy.ascontiguousarray"
expect_status 0
expect_same "the first row" "\`'...' is in Fortran order: ...\`" "$(head -1 <<<"$OUT")"
expect_out_contains "    it is stored by columns: save it with \`numpy.ascontiguousarray\`"
run "$HONE" help messages "Fortran order"
expect_status 0
expect_out_contains "stored by columns"
run "$HONE" help messages is in Fortran order
expect_status 0
expect_out_contains "stored by columns"
run "$HONE" help messages "an unheard-of word"
expect_status 1
expect_err_contains "no row of 'hone help messages' matches 'an unheard-of word'"

case_begin "topics are listed, and each is printed; options of IREE are in its own help"
run "$HONE" help
expect_out_contains "topics of 'hone help TOPIC':"
topics=$(sed -n "/^topics of/,/^$/p" <<<"$OUT" | sed 1d | tr -d ',\n')
for topic in $topics; do
  run "$HONE" help "$topic"
  expect_status 0
  [ -n "$OUT" ] || fail "'$topic' is empty"
done
for page in docs/*.md; do # all but those for developers
  topic=$(basename "$page" .md)
  case $topic in
  architecture | benchmarks) continue ;;
  spec) topic=keys ;;
  cluster) topic=clusters ;;
  iree) topic=iree-models ;;
  esac
  case " $(xargs <<<"$topics") " in *" $topic "*) ;; *) fail "$page is no topic: $topics" ;; esac
  run "$HONE" help "$topic"
  expect_out_contains "$(sed -n '1s/`//g; 1p' "$page" | cut -c1-20)"
done
run "$HONE" help c
expect_out_contains "# Kernels in C, C++ and OpenMP"
case $OUT in *"](tutorial.md)"* | *"<!--"*) fail "links and comments of Markdown: $OUT" ;; esac
run "$HONE" help keys
expect_out_contains '| `build.flags` |'
for command in tune space run; do
  run "$HONE" help $command
  expect_out_contains "Options for .mlir files are listed by 'hone help iree tune'."
  case $OUT in *--iree-dir*) fail "options of IREE in the help of $command" ;; esac
done
run "$HONE" help iree tune
expect_out_contains "--iree-dir"

cases_end
