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
  256          ████████████████████████████████████████ 2.50 s  60 GFLOPS/s, 7 GB/s
  64           ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 12.5 ms  30 GFLOPS/s, 15 GB/s (0.01x)

N=64:
  256          ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 400 ns  120 GFLOPS/s, 4 GB/s
  64           ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 250.0 µs  4 GB/s (625.00x)


Summary:
  64: avg=6.4 ms (baseline)
  256: avg=1.25 s (196.08x slower)
END

case_begin "a table, and a summary alone"
run "$HONE" show $data/grid.csv --plot table
expect_out_contains "M    N   time/iter  GFLOPS/s  GB/s      vs base
256  64     400 ns       120     4        1.00x
64   64   250.0 µs         -     4      625.00x"
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

case_begin "nothing to draw"
echo 'name,met (ms)' >"$TMP/empty.csv"
run "$HONE" show "$TMP/empty.csv" --plot bars
expect_status 0
expect_out_contains "There is no row with a time to draw."

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

# ---- Rows

case_begin "a file by itself: the best and the worst"
run "$HONE" show $data/base.csv
expect_status 0
expect_out <<'END'
- num entries: 5
- best idx: 2
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
- best idx: 2
- [met (ms)] worst: 0.089
- [met (ms)] best : 0.007
- [met (ms)] worst/best ratio: 12.71x [shape: seed=1]
--------------------------------------------------------------------------------
mesh_idx  met (ms)   ratio  dtype          shape         stages
       2     0.007   1.000  DType.float16  32x32x32      8
       3     0.009   1.286  DType.float16  32x32x32      4
       4     0.037   5.286  DType.float32  64x64x64      2
       1     0.051   7.286  DType.float16  1024x512x256  4
       0     0.089  12.714  DType.float16  1024x512x256  8
--------------------------------------------------------------------------------
mesh_idx  met (ms)  dtype          shape     stages
       2     0.007  DType.float16  32x32x32  8
--------------------------------------------------------------------------------
mesh_idx  met (ms)  dtype          shape         stages
       1     0.051  DType.float16  1024x512x256  4
       0     0.089  DType.float16  1024x512x256  8
--------------------------------------------------------------------------------
END

case_begin "the best row, as text, json and yaml that loads again"
run "$HONE" show $data/base.csv --best
expect_out <<'END'
best of 5 rows: tile_gemm/dtype=DType.float16/shape=32x32x32/stages=8/$seed=1
mesh_idx: 2
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

cases_end
