# hone show with results: of CSV files, and plots of them.
. "$(dirname "$0")/lib.sh"
export HONE_STORE="$TMP/store.db" LC_ALL=C
unset COLUMNS
data=tests/data/compare

# ---- Plots

case_begin "bars have 40 cells, scaled to the longest time"
run "$HONE" show $data/shapes.csv --plot bars
expect_status 0
expect_out <<'END'

──────────────────────────────────────────────────────────────────────
  1x1x4096     ████████████████░░░░░░░░░░░░░░░░░░░░░░░░ 4.0 ms
  1x512x4096   ████████████████████████░░░░░░░░░░░░░░░░ 6.0 ms (1.50x)
  1x1024x4096  ████████████████████████████████████████ 10.0 ms (2.50x)

Summary:
  1x1024x4096: avg=10.0 ms (baseline)
  1x1x4096: avg=4.0 ms (0.40x faster)
  1x512x4096: avg=6.0 ms (0.60x faster)
END

case_begin "groups are all pivots but the first; rates stand behind the time; 0 is no time"
run "$HONE" show $data/grid.csv --plot bars
expect_out <<'END'

──────────────────────────────────────────────────────────────────────
Fixed: K=8, T=x

N=8:
  256          ████████████████████████████████████████ 2.50 s  60.2 GFLOPS/s, 7.40 GB/s
  64           ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 12.5 ms  30.1 GFLOPS/s, 14.6 GB/s (0.01x)

N=64:
  256          ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 400 ns  120 GFLOPS/s, 3.60 GB/s
  64           ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 250.0 µs  3.60 GB/s (625.00x)


Summary:
  64: avg=6.4 ms (baseline)
  256: avg=1.25 s (196.08x slower)
END

case_begin "a table, and a summary alone"
run "$HONE" show $data/grid.csv --plot table
expect_out_contains "M    N   time/iter  GFLOPS/s  GB/s      vs base
256  64     400 ns       120  3.60        1.00x
64   64   250.0 µs         -  3.60      625.00x"
run "$HONE" show $data/shapes.csv --plot summary
expect_out <<'END'

──────────────────────────────────────────────────────────────────────
Summary:
  1x1024x4096: avg=10.0 ms (baseline)
  1x1x4096: avg=4.0 ms (0.40x faster)
  1x512x4096: avg=6.0 ms (0.60x faster)
END

case_begin "a narrow terminal gets shorter bars, of 10 cells at least"
COLUMNS=60 run "$HONE" show $data/shapes.csv --plot bars
expect_out_contains "  1x1024x4096  █████████████████████████████ 10.0 ms (2.50x)"
COLUMNS=40 run "$HONE" show $data/shapes.csv --plot bars
expect_out_contains "  1x1024x4096  ██████████ 10.0 ms (2.50x)"

case_begin "long labels are cut so that bars stay in line, and rates have three digits"
cat >"$TMP/long.csv" <<'END'
name,met (ms),iters,throughput (GElems/s),spec
x,1.25,1,0,x/kind=short
x,2.25,1,0.01234,x/kind=a_very_long_value_of_a_parameter_that_goes_on_and_on_and_on
x,1.25,1,99.97,x/kind=equal
END
COLUMNS=80 LC_ALL=C.UTF-8 run "$HONE" show "$TMP/long.csv" --plot bars
expect_out_contains "
  short                               █████░░░░░ 1.2 ms  0 GElems/s
  a_very_long_value_of_a_parameter_t… ██████████ 2.2 ms  0.0123 GElems/s (1.80x)
  equal                               █████░░░░░ 1.2 ms  100 GElems/s
"
expect_out_contains "
  equal: avg=1.2 ms (0.56x faster)"

case_begin "of many rows the number is said"
seq 500 | sed 's|.*|x,&,1,x/n=&|; 1i name,met (ms),iters,spec' >"$TMP/many.csv"
run "$HONE" show "$TMP/many.csv" --plot bars
expect_out_contains "
500 rows
"
run "$HONE" show $data/shapes.csv --plot bars
case $OUT in *rows*) fail "nobody counts so few: $OUT" ;; esac

case_begin "nothing to draw"
echo 'name,met (ms)' >"$TMP/empty.csv"
run "$HONE" show "$TMP/empty.csv" --plot bars
expect_status 0
expect_out_contains "No row has a time to plot."

# ---- Runs of a sweep

cat >"$TMP/sized.py" <<'END'
import sys
size = dict(word[2:].split("=") for word in sys.argv[1:] if word.startswith("--"))
m, n = int(size["M"]), int(size["N"])
if m == 16 and n == 2:
    sys.exit("no such size")
with open(sys.argv[sys.argv.index("-o") + 1], "w") as out:
    out.write("name,met (ms),iters,Arithmetic (GFLOPS/s)\n")
    out.write(f"sized/{m},{m * n / 100},1,{1000 / m}\n")
END
cat >"$TMP/sized.yaml" <<END
name: sized
file: $TMP/sized.py
params: [{M: [16, 8], \$N: [1, 2], T: x}]
END

case_begin "a sweep is shown without a verdict, the fastest first"
HONE_CACHE="$TMP/cache" run "$HONE" sweep "$TMP/sized.yaml" --output-dir "$TMP/out" -q
expect_status 0
run "$HONE" show last
expect_status 0
expect_out_contains "swept: 3 of 4 configurations work, the fastest in 80.00 us:
  M=8,N=1,T=x"
expect_out_contains "
  rank      time   M  N
     1  80.00 us   8  1
     2  160.0 us  16  1
     3  160.0 us   8  2"
expect_out_contains "hone show 1 --plot bars"
case $OUT in *verdict* | *baseline*) fail "a sweep has no verdict: $OUT" ;; esac
run "$HONE" show
expect_out_contains "  sized  swept "
run "$HONE" show --format json
expect_out_contains '"strategy": "sweep", "state": "finished"'

case_begin "its results are those of its file"
run "$HONE" show last --format csv
expect_same "the file" "$(cat "$TMP/out/output.csv")" "$OUT"
run "$HONE" show 1 --best
expect_out_contains "Arithmetic (GFLOPS/s): 125.0"
run "$HONE" compare "$TMP/out/output.csv" last --fail-above 0
expect_status 0
expect_out_contains "run 1 / output.csv: 1.000 equal"
run "$HONE" show last --best --format yaml
expect_status 0
expect_out_contains "file: $TMP/sized.py"

case_begin "a sweep of which nothing works says so, and not that columns are missing"
HONE_CACHE="$TMP/cache" run "$HONE" sweep "$TMP/sized.yaml" --filter M=16 --filter N=2 --store "$TMP/none.db" \
  --output-dir "$TMP/none" -q
expect_status 1
expect_err_contains "the only configuration does not work"
for view in --ratio --best "--format yaml" --correlation; do
  run "$HONE" show last --store "$TMP/none.db" $view
  expect_status 1
  expect_err_contains "run 1 has no results: 1 of its 1 configurations were run and none works; 'hone show 1' shows why"
done

# ---- The best as a spec that runs

case_begin "the best of a run with sizes and settings is a spec that runs by itself"
mkdir "$TMP/set" "$TMP/set/inc"
echo '#define FACTOR 3' >"$TMP/set/inc/factor.h"
cat >"$TMP/set/set.c" <<'END'
#include <stdio.h>
#include <factor.h>
int main(int argc, char **argv)
{
  FILE *file = fopen(argv[argc - 1], "w");
  fprintf(file, "name,met (ms),iters\n\"%s %s\",%d,1\n", NAME, argv[1], TWICE * FACTOR);
  return 0;
}
END
cat >"$TMP/set/set.yaml" <<'END'
name: set
file: set.c
problem: [{n: 3}, {n: 5}]
params: {A: [2, 1]}
derived: {TWICE: "A * 2"}
build:
  flags: [-O1, '-DNAME="a: #b, c"']
  includes: [inc]
run: {command: ['{bin}', '--size={n}', -o, "{csv}"]}
metrics:
  score: max(A, n) / time_ms
search: {seed: 3}
END
export HONE_CACHE="$TMP/cache"
run "$HONE" sweep "$TMP/set/set.yaml" --output-dir "$TMP/set/out" -q
expect_status 0
expect_same "the spec" "# The best measured configurations.
name: set
file: $TMP/set/set.c
problem: {n: 3}
derived:
  TWICE: \"A * 2\"
build:
  flags:
    - -O1
    - \"-DNAME=\\\"a: #b, c\\\"\"
  includes:
    - \"$TMP/set/inc\"
run:
  command:
    - \"{bin}\"
    - \"--size={n}\"
    - -o
    - \"{csv}\"
metrics:
  score: max(A, n) / time_ms
common: &common
- A: 1
params:
# met (ms): 6, run 2, mesh_idx 1, n=3
- <<: *common" "$(cat "$TMP/set/out/output_n-3.yaml")"
run "$HONE" sweep "$TMP/set/out/output_n-3.yaml" --output-dir "$TMP/set/again" --plot none
expect_status 0
expect_same "its row" '"a: #b, c --size=3",6,1,"set/A=1","A=1"' "$(tail -n 1 "$TMP/set/again/output.csv")"
run "$HONE" show last
expect_out_contains "score"
run "$HONE" show 2 3 --best --format yaml
expect_status 0
expect_out_contains "# problem and settings differ between the results"
for example in sort/sort python/matmul; do
  run "$HONE" sweep "examples/$example.yaml" --output-dir "$TMP/example" -q
  run "$HONE" sweep "$TMP/example/output.yaml" --output-dir "$TMP/example2" -q --format csv
  expect_status 0
  expect_same "rows of $example" 2 "$(wc -l <"$TMP/stdout")"
done
run "$HONE" tune examples/vector_add/vector_add.c --problem N=65536 --evals 2 --no-confirm -q
run "$HONE" show last --format yaml
cp "$TMP/stdout" "$TMP/kernel.yaml"
run "$HONE" run "$TMP/kernel.yaml"
expect_status 0
expect_out_contains "spec        vector_add, N=65536"

# ---- Rows

case_begin "a file by itself: the best and the worst"
run "$HONE" show $data/base.csv
expect_status 0
expect_out <<'END'
- num entries: 5
- best row: 2
- [met (ms)] worst: 0.089
- [met (ms)] best : 0.007
- [met (ms)] worst/best ratio: 12.71x [shape: seed=1]
--------------------------------------------------------------------------------
END
run "$HONE" show $data/seconds.csv --pivots '[stages,dtype]'
expect_status 0
expect_out_contains "- [met (s)] best : 7e-06"
expect_out_contains "[shape: dtype=DType.float16/stages=8]"

case_begin "rates: more is better"
run "$HONE" show $data/seconds.csv --metric arith
expect_out_contains "- [Arithmetic (GFLOPS/s)] best : 10526.000"
expect_out_contains "worst/best ratio: 0.00x"

case_begin "ratio, head and tail"
run "$HONE" show $data/base.csv --ratio --head 1 --tail 2
expect_status 0
expect_out <<'END'
- num entries: 5
- best row: 2
- [met (ms)] worst: 0.089
- [met (ms)] best : 0.007
- [met (ms)] worst/best ratio: 12.71x [shape: seed=1]
--------------------------------------------------------------------------------
row  met (ms)   ratio  dtype          shape         stages
  2     0.007   1.000  DType.float16  32x32x32      8
  3     0.009   1.286  DType.float16  32x32x32      4
  4     0.037   5.286  DType.float32  64x64x64      2
  1     0.051   7.286  DType.float16  1024x512x256  4
  0     0.089  12.714  DType.float16  1024x512x256  8
--------------------------------------------------------------------------------
row  met (ms)  dtype          shape     stages
  2     0.007  DType.float16  32x32x32  8
--------------------------------------------------------------------------------
row  met (ms)  dtype          shape         stages
  1     0.051  DType.float16  1024x512x256  4
  0     0.089  DType.float16  1024x512x256  8
--------------------------------------------------------------------------------
END

case_begin "the best row, as text, json and yaml that loads again"
run "$HONE" show $data/base.csv --best
expect_out <<'END'
best of 5 rows: tile_gemm/dtype=DType.float16/shape=32x32x32/stages=8/$seed=1
row: 2
figures:
  name: gemm/m=32/stages=8
  met (ms): 0.007
  iters: 2
params:
  dtype: DType.float16
  shape: 32x32x32
  stages: 8
  $seed: 1
END
run "$HONE" show $data/base.csv $data/branch.csv --best --format json
expect_status 0
expect_same "the best" "8 4" "$(python3 -c '
import json, sys
print(*[best["params"]["stages"] for best in json.load(open(sys.argv[1]))])' "$TMP/stdout")"
run "$HONE" show $data/base.csv $data/branch.csv --best --format yaml
expect_status 0
cp "$TMP/stdout" "$TMP/best.yaml"
run "$HONE" space "$TMP/best.yaml" --list --format spec
expect_status 0
expect_out_contains "stages=8"
expect_out_contains "stages=4"

case_begin "what rows close to the best have in common"
run "$HONE" show $data/base.csv --top 50%
expect_status 0
expect_out <<'END'
- num entries: 5
- top 50%: 4 of 5 rows
- most frequent: tile_gemm/dtype=DType.float16/shape=32x32x32/stages=4/$seed=1
  parameter  value          rows
  dtype      DType.float16     3
  shape      32x32x32          2
  stages     4                 2
  seed       1                 4
--------------------------------------------------------------------------------
END
run "$HONE" show $data/base.csv --top 0.05 --format yaml
expect_status 0
expect_out_contains "stages: 8"

case_begin "a query leaves rows out"
run "$HONE" show $data/base.csv --query 'stages < 8 and dtype == "DType.float16"'
expect_out_contains "- num entries: 2"
run "$HONE" show $data/base.csv --query 'stages > 4' --format csv
expect_same "rows" "3" "$(wc -l <"$TMP/stdout")"
run "$HONE" show $data/base.csv --query 'stages >'
expect_status 2
run "$HONE" show $data/base.csv --query 'nowhere > 1'
expect_status 2
expect_err_contains "unknown name 'nowhere'"

case_begin "correlation"
run "$HONE" show $data/grid.csv --correlation
expect_status 0
expect_out_contains "Sorted Absolute Correlation: met (ms)"
expect_same "the last line" "K nan nan nan nan nan nan" "$(tail -n 1 "$TMP/stdout" | xargs)"
run "$HONE" show $data/grid.csv -c --format json
python3 - "$TMP/stdout" <<'END' || fail "the json is not as it should be: $OUT"
import json, sys
answer = json.load(open(sys.argv[1]))
values, names = answer["values"], answer["names"]
assert names[0] == "met (ms)" and values[0][0] == 1
assert all(values[i][j] == values[j][i] for i in range(len(names)) for j in range(len(names)))
assert values[names.index("K")][0] is None
END

case_begin "csv again, and json"
run "$HONE" show $data/seconds.csv --format csv
expect_status 0
expect_same "the head" '"name","met (s)","iters","Arithmetic (GFLOPS/s)","spec","kbench_filter"' \
  "$(head -n 1 "$TMP/stdout")"
cp "$TMP/stdout" "$TMP/again.csv"
run "$HONE" compare "$TMP/again.csv" $data/seconds.csv
expect_out_contains "0 faster, 0 slower, 5 equal"
run "$HONE" show $data/base.csv $data/branch.csv --format json
expect_status 0
python3 -m json.tool "$TMP/stdout" >"$TMP/tidy" || fail "no json"
run "$HONE" show - <$data/base.csv
expect_out_contains "- num entries: 5"

case_begin "a row has the mesh_idx of its file, else its number as a row"
sed 's/^"name"/"mesh_idx","name"/; s/^"gemm/7,"gemm/' $data/base.csv >"$TMP/meshed.csv"
run "$HONE" show "$TMP/meshed.csv"
expect_out_contains "- best idx: 7"
run "$HONE" show "$TMP/meshed.csv" --best --format json
expect_out_contains '"mesh_idx": 7'
run "$HONE" show $data/base.csv --best --format json
expect_out_contains '"row": 2'
for views in "" "--best" "--best --format json" "--format json" "--best --format yaml" "--ratio"; do
  run "$HONE" show $data/base.csv $views
  expect_status 0
  case $OUT in *mesh_idx*) fail "the file has no mesh_idx: $OUT" ;; esac
done

case_begin "mistakes"
run "$HONE" show nowhere.csv
expect_status 1
expect_err_contains "nowhere.csv"
run "$HONE" show "$TMP/empty.csv" --best
expect_status 1
expect_err_contains "no row with a number for 'met (ms)'"
run "$HONE" show $data/base.csv --metric speed
expect_status 1
expect_err_contains "it has 'name', 'met (ms)', 'iters'"
run "$HONE" show --best
expect_status 2
expect_err_contains "hone show last --best"
run "$HONE" show $data/base.csv --log
expect_status 2
run "$HONE" show $data/base.csv --top 5
expect_status 2
expect_err_contains "such as 0.05 or 5%"
run "$HONE" show $data/base.csv --plot bars --format json
expect_status 2
run "$HONE" show $data/base.csv $data/base.csv --format csv
expect_status 2
run "$HONE" show $data/base.csv --plot pie
expect_status 2
expect_err_contains "bars, table, summary or none"

# ---- Habits

case_begin "who knows kprofile is told the way"
run "$HONE" show $data/base.csv $data/branch.csv -d
expect_status 2
expect_err_contains "'--diff' is not supported: use 'hone compare A.csv B.csv --best'"
run "$HONE" show $data/base.csv --merge
expect_status 2
run "$HONE" show $data/base.csv -o best.mojo
expect_status 2
expect_err_contains "use 'hone show A.csv --best --format yaml >FILE'"
run "$HONE" show $data/base.csv "--sort-pivots=[M]"
expect_status 2
expect_err_contains "rows always keep the order of the files"
run "$HONE" show out/output.pkl
expect_status 2
expect_err_contains "'out/output.pkl' is a Python pickle, which hone cannot read; kbench and hone write the same rows to 'out/output.csv'"
run "$HONE" show $data/base.csv --pivots "[stages, nope]"
expect_status 0
expect_err "hone: '--pivots': no row has the parameter 'nope'"
run "$HONE" show --help
case $OUT in *--diff* | *--merge*) fail "what is not there is not in the help: $OUT" ;; esac

cases_end
