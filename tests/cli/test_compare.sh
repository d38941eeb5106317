# hone compare: results side by side.
. "$(dirname "$0")/lib.sh"
export HONE_STORE="$TMP/store.db"
data=tests/data/compare

case_begin "rows are matched by spec; parameters that do not vary are said once"
run "$HONE" compare $data/base.csv $data/branch.csv
expect_status 0
expect_out <<'END'
met (ms), less is better
Fixed: seed=1

  dtype          shape         stages  base.csv  branch.csv  ratio
  DType.float16  1024x512x256  8       89.00 us    69.00 us  0.775  faster
  DType.float16  1024x512x256  4       51.00 us    88.00 us  1.725  slower
  DType.float16  32x32x32      8       7.000 us    22.00 us  3.143  slower
  DType.float16  32x32x32      4       9.000 us    19.00 us  2.111  slower
  DType.float32  64x64x64      2       37.00 us    90.00 us  2.432  slower

branch.csv / base.csv: 1.849 slower, the geometric mean of 5; 1 faster, 4 slower, 0 equal within 5%
END

case_begin "ratios have six digits in csv and json"
run "$HONE" compare $data/base.csv $data/branch.csv --format csv --label main --label branch
expect_status 0
expect_same "ratios" "ratio [branch/main] 0.775281 1.725490 3.142857 2.111111 2.432432" \
  "$(cut -d, -f4 "$TMP/stdout" | xargs)"
expect_same "the head" \
  "spec,met (ms) [main],met (ms) [branch],ratio [branch/main],verdict [branch/main]" \
  "$(head -n 1 "$TMP/stdout")"
run "$HONE" compare $data/base.csv $data/branch.csv --format json
expect_status 0
python3 - "$TMP/stdout" <<'END' || fail "the json is not as it should be"
import json, sys
answer = json.load(open(sys.argv[1]))
assert [row["ratios"][0] for row in answer["rows"]] == [
    0.775281, 1.725490, 3.142857, 2.111111, 2.432432]
assert answer["compared"][0]["better"] == 1 and answer["compared"][0]["worse"] == 4
assert answer["metric"] == "met (ms)" and not answer["more_is_better"]
END

case_begin "units are converted, order does not matter, rows without a partner are listed"
run "$HONE" compare $data/base.csv $data/seconds.csv
expect_status 0
expect_out <<'END'
met (ms), less is better
Fixed: seed=1

  dtype          shape         stages  base.csv  seconds.csv  ratio
  DType.float16  1024x512x256  4       51.00 us     25.50 us  0.500  faster
  DType.float16  32x32x32      8       7.000 us     7.000 us  1.000  equal
  DType.float16  32x32x32      4       9.000 us     9.100 us  1.011  equal
  DType.float32  64x64x64      2       37.00 us     37.00 us  1.000  equal

only in base.csv, 1 row:
  tile_gemm/dtype=DType.float16/shape=1024x512x256/stages=8/$seed=1

only in seconds.csv, 1 row:
  tile_gemm/dtype=DType.float16/shape=1024x512x256/stages=16/$seed=1

seconds.csv / base.csv: 0.843 faster, the geometric mean of 4; 1 faster, 0 slower, 3 equal within 5%
END
run "$HONE" compare $data/base.csv $data/seconds.csv --threshold 1
expect_out_contains "1 faster, 1 slower, 2 equal within 1%"

case_begin "three at once, a column by its number, rows by name"
run "$HONE" compare $data/base.csv $data/branch.csv $data/seconds.csv --plot-col 1 --key name -f csv
expect_status 0
expect_same "a row" "gemm/m=1024/stages=4,0.051,0.088,0.0255,1.725490,slower,0.500000,faster" \
  "$(sed -n 3p "$TMP/stdout")"
expect_same "rows" "7" "$(wc -l <"$TMP/stdout")"

case_begin "rows that stand twice are partners in order"
{ cat $data/base.csv; sed -n 2p $data/base.csv | sed 's/0.089/0.5/'; } >"$TMP/twice.csv"
run "$HONE" compare $data/base.csv "$TMP/twice.csv" -f csv
expect_status 0
expect_same "the first" "1.000000" "$(sed -n 2p "$TMP/stdout" | cut -d, -f4)"
expect_out_contains ',,0.5,,'
run "$HONE" compare "$TMP/twice.csv" "$TMP/twice.csv"
expect_out_contains "6; 0 faster, 0 slower, 6 equal"

case_begin "where more is better, a larger number is"
sed 's/14.2/28.4/; s/9.4/4.7/' $data/seconds.csv >"$TMP/rates.csv"
run "$HONE" compare $data/seconds.csv "$TMP/rates.csv" -m arith
expect_status 0
expect_out_contains "Arithmetic (GFLOPS/s), more is better"
expect_out_contains "2.000  better"
expect_out_contains "0.500  worse"

case_begin "the best of each"
run "$HONE" compare $data/base.csv $data/branch.csv --best
expect_status 0
expect_out "[0][shape:seed=1][metric:met (ms)]: 2.714 (ratio current/baseline = 0.019 / 0.007)"
run "$HONE" compare $data/base.csv $data/branch.csv --diff --format csv
expect_out <<'END'
shape,metric,best_tuning_metric,baseline_metric,ratio
seed=1,met (ms),0.019,0.007,2.714286
END
run "$HONE" compare $data/base.csv $data/shapes.csv --best --format json -q
expect_status 0
python3 -m json.tool "$TMP/stdout" >"$TMP/tidy" || fail "no json: $OUT"

case_begin "limits for scripts"
run "$HONE" compare $data/base.csv $data/branch.csv --fail-above 10 -q
expect_status 3
expect_err_contains "worse than 'base.csv' by 214.3%, more than 10%"
run "$HONE" compare $data/base.csv $data/branch.csv --fail-above 300
expect_status 0
run "$HONE" compare $data/base.csv $data/branch.csv --fail-mean-above 50
expect_status 3
expect_err_contains "the mean"
run "$HONE" compare $data/base.csv $data/seconds.csv --fail-above 2 --fail-mean-above 0
expect_status 0
run "$HONE" compare $data/base.csv $data/branch.csv --best --fail-above 100
expect_status 3

case_begin "mistakes"
run "$HONE" compare $data/base.csv
expect_status 2
expect_err_contains "two to 12 results, not 1"
run "$HONE" compare $data/base.csv $data/branch.csv --label one
expect_status 2
expect_err_contains "1 labels for 2 results"
run "$HONE" compare $data/base.csv nowhere.csv
expect_status 1
expect_err_contains "nowhere.csv"
run "$HONE" compare $data/base.csv x
expect_status 2
expect_err_contains "not 'x'"
run "$HONE" compare $data/base.csv $data/branch.csv --metric speed
expect_status 1
expect_err_contains "it has 'name', 'met (ms)', 'iters'"
run "$HONE" compare $data/seconds.csv $data/base.csv --metric Arith
expect_status 1
expect_err_contains "base.csv' has no column 'Arithmetic (GFLOPS/s)'"
sed 's/GFLOPS/TFLOPS/' $data/seconds.csv >"$TMP/tera.csv"
run "$HONE" compare $data/seconds.csv "$TMP/tera.csv" --metric Arith
expect_status 2
expect_err_contains "cannot be converted: 'Arithmetic (GFLOPS/s)'"
run "$HONE" compare $data/base.csv $data/shapes.csv
expect_status 1
expect_err_contains "no row of 'base.csv' matches a row with a number in 'shapes.csv'"
run "$HONE" compare $data/base.csv $data/branch.csv --plot-col 99
expect_status 1
expect_err_contains "no column 99"

# ---- Runs of different things

export HONE_CACHE="$TMP/cache"
recording "$TMP/k.json" "A=[1, 2]" "A / 100"
subject() { # subject NAME [LINE]: a recorded kernel; LINE of its spec
  cat >"$TMP/$1.yaml" <<END
name: ${3-$1}
backend: sim
file: k.json
problem: {n: [1000, 2000]}
params: {A: [1, 2]}
baseline: {A: 1}
metrics: {rate: n / time_ns}
${2-}
END
}
subject first
subject second
subject aimed "maximise: rate" first
tune() { # tune WORDS...: quickly
  run "$HONE" tune "$@" -q --stop-after screen
  expect_status 0
}

case_begin "runs of different problems, kernels, objectives and devices are not silently compared"
tune "$TMP/first.yaml" --problem n=1000
tune "$TMP/first.yaml" --problem n=2000
tune "$TMP/second.yaml" --problem n=1000
tune "$TMP/aimed.yaml" --problem n=1000
tune "$TMP/first.yaml" --problem n=1000 --devices sim:0 --fresh
run "$HONE" compare 1 1
expect_status 0
expect_err ""
run "$HONE" compare 1 2
expect_status 0
expect_err "hone: warning: different problem: 'n=1000' in 'run 1', 'n=2000' in 'run 2'"
run "$HONE" compare 1 3 --key name --best
expect_err_contains "warning: different kernel: 'first' in 'run 1', 'second' in 'run 3'"
run "$HONE" compare 1 4 --best
expect_err_contains "warning: different objective: 'time' in 'run 1', 'maximise rate' in 'run 4'"
run "$HONE" compare 1 5
expect_err "hone: warning: different device: 'sim' in 'run 1', 'sim:0' in 'run 5'"
run "$HONE" compare 1 2 --format json
expect_out_contains '"differences": [{"what": "problem", "baseline": "n=1000", "this": "n=2000"}]'
run "$HONE" compare 1 2 -q
expect_err ""

case_begin "runs are judged by their samples"
mkdir "$TMP/old" "$TMP/new"
recording "$TMP/old/k.json" "A=[1, 2, 3]" "A"
recording "$TMP/new/k.json" "A=[1, 2, 3]" "A * (1.1 if A == 1 else 0.95 if A == 2 else 1)"
for folder in old new; do
  printf '%s\n' 'name: k' 'backend: sim' 'file: k.json' 'params: {A: [1, 2, 3]}' 'baseline: {A: 2}' >"$TMP/$folder/k.yaml"
  run "$HONE" tune "$TMP/$folder/k.yaml" -q
  expect_status 0
done
old=$(figure 'run["run"] - 1') new=$(figure 'run["run"]')
run "$HONE" compare "$old" "$new"
expect_status 0
expect_out "time, less is better

  A     run $old     run $new  ratio  interval
  2  2.000 ms  1.900 ms  0.950  0.950 to 0.950   FASTER
  1  1.000 ms  1.100 ms  1.100  1.100 to 1.100   SLOWER
  3  3.000 ms  3.000 ms  1.000  too few samples  INCONCLUSIVE

run $new / run $old: 1.022 (1.022 to 1.022), the geometric mean of 2 with enough samples; 1 FASTER, 1 SLOWER, 1 INCONCLUSIVE"
run "$HONE" compare "$old" "$new" --format json
expect_out_contains '"bounded": 2, "mean_bounded": 1.022252, "mean_low": 1.022252, "mean_high": 1.022252, "changes": {"FASTER": 1, "SLOWER": 1, "INCONCLUSIVE": 1}'
expect_out_contains '"verdicts": ["SLOWER"], "intervals": [[1.100000, 1.100000]]'
run "$HONE" compare "$old" "$old"
expect_out_contains "2 SAME"

case_begin "the same as a page: verdicts with their intervals, and the mean in a sentence"
expect_in() { grep -qF "$2" "$TMP/$1" || fail "$1 lacks: $2"; }
run "$HONE" compare "$old" "$new" -o "$TMP/page.html"
expect_status 0
expect_out ""
expect_err "hone: wrote '$TMP/page.html'"
expect_in page.html "takes 1.022 times as long as run $old (geometric mean, 95&nbsp;% interval 1.022 to 1.022): 1 FASTER, 1 SLOWER, 0 SAME, 1 INCONCLUSIVE"
expect_in page.html 'time (ms) [run '
expect_in page.html '>configuration</text>'
grep -qE 'met \(|>spec<' "$TMP/page.html" && fail "the page has words of kbench: $(grep -oE '.{20}(met \(|>spec<).{20}' "$TMP/page.html" | head -n 3)"
expect_in page.html '<td class="bad">SLOWER (1.100 to 1.100)</td>'
expect_in page.html '<td class="good">FASTER (0.950 to 0.950)</td>'
run "$HONE" compare "$old" "$new" --format html --fail-if-slower 3%
expect_status 3
cp "$TMP/stdout" "$TMP/printed.html"
expect_in printed.html "takes 1.022 times"
run "$HONE" compare "$old" "$new" --format csv -o "$TMP/page.html"
expect_status 2
expect_err_contains "'--output' writes HTML"
ln -s /dev/full "$TMP/full.html"
run "$HONE" compare "$old" "$new" -o "$TMP/full.html"
expect_status 1
expect_err_contains "no space left on device"
run "$HONE" compare 1 "$new" -o "$TMP/other.html"
expect_in other.html "Different "

case_begin "a regression fails a script, and only one that is proved"
run "$HONE" compare "$old" "$new" --fail-if-slower 3%
expect_status 3
expect_err "hone: k/A=1 of 'run $new' is slower than that of 'run $old' by 10.0%, more than 3%"
run "$HONE" compare "$old" "$new" --fail-if-slower 15%
expect_status 0
run "$HONE" compare 1 2 --fail-if-slower 3%
expect_status 1
expect_err_contains "'--fail-if-slower' compares only the same kernel, problem"
run "$HONE" compare tests/data/export/base.csv tests/data/export/branch.csv --fail-if-slower 3%
expect_status 1
expect_err_contains "these results have none"

case_begin "a saved name is a run"
export HONE_STORE="$TMP/named.db"
run "$HONE" tune "$TMP/old/k.yaml" --against main
expect_status 1
expect_err_contains "no store '$TMP/named.db'"
run "$HONE" tune "$TMP/old/k.yaml" -q --save-baseline last
expect_status 2
expect_err_contains "'last' cannot be the name of a baseline"
run "$HONE" tune "$TMP/old/k.yaml" --progress none --save-baseline main
expect_status 0
expect_err "hone: saved run 1 as 'main'"
run "$HONE" tune "$TMP/new/k.yaml" -q
run "$HONE" compare main 2
expect_status 0
expect_out_contains "run 2 / main: 1.022 (1.022 to 1.022)"
run "$HONE" compare other 2
expect_status 2
expect_err_contains "not 'other'"
run "$HONE" show
expect_same "names in the list" "1:main 2:" "$(awk 'NR > 1 { print $1 ":" ($1 == 1 ? $NF : "") }' "$TMP/stdout" | sort | xargs)"
run "$HONE" runs --format json
expect_out_contains '"saved_as": ["main"]'

case_begin "a run is judged beside the saved one"
run "$HONE" tune "$TMP/new/k.yaml" -q --against nobody
expect_status 1
expect_err "hone: no baseline is saved as 'nobody'; these are:
  main"
run "$HONE" tune "$TMP/new/k.yaml" -q --against main
expect_status 0
expect_same "the comparison" "against main, run 1
                         main     run 2  ratio  interval
  the best      A=1  1.000 ms  1.100 ms  1.100  1.100 to 1.100  SLOWER
  the baseline  A=2  2.000 ms  1.900 ms  0.950  0.950 to 0.950  FASTER

run 2 / main: 1.022 (1.022 to 1.022), the geometric mean of 2 with enough samples; 1 FASTER, 1 SLOWER, 1 INCONCLUSIVE
every configuration: hone compare main 2" "$(sed -n '/^against/,$p' "$TMP/stdout")"
run "$HONE" tune "$TMP/new/k.yaml" -q --against main --fail-if-slower 3% --save-baseline main
expect_status 3
expect_err "hone: the best of 'run 2' is slower than that of 'main' by 10.0%, more than 3%"
run "$HONE" compare main 2 --best --fail-if-slower 15%
expect_status 0
run "$HONE" compare main 2 --best --fail-if-slower 3%
expect_status 3
run "$HONE" tune "$TMP/new/k.yaml" -q --against main --fail-if-slower 15% --format json
expect_status 0
python3 -m json.tool "$TMP/stdout" >"$TMP/tidy" || fail "no json: $OUT"
run "$HONE" tune "$TMP/old/k.yaml" --progress none --against main
expect_status 0
expect_err_contains "run 1 is 'main' itself: nothing has changed since; use --fresh"
run "$HONE" tune "$TMP/new/k.yaml" --progress none --save-baseline main
expect_status 0
expect_err_contains "saved run 2 as 'main', replacing an older one"
run "$HONE" tune "$TMP/new/k.yaml" --fail-if-slower 3%
expect_status 2
expect_err_contains "'--fail-if-slower' needs '--against NAME'"
run "$HONE" tune "$TMP/new/k.yaml" --against main --dry-run
expect_status 2

case_begin "a name serves several problems and kernels"
run "$HONE" tune "$TMP/first.yaml" --stop-after screen --progress none --save-baseline all
expect_status 0
expect_err_contains "saved runs from 3 on as 'all'"
run "$HONE" tune "$TMP/second.yaml" --stop-after screen -q --save-baseline all --problem n=1000
expect_status 0
run "$HONE" compare all 4
expect_status 0
expect_out_contains "run 4 / all"
expect_err ""
run "$HONE" compare all all
expect_status 1
expect_err "hone: 'all' stands for 3 runs: compare it with a run, or give one of these:
  3
  4
  5"
run "$HONE" compare all 2
expect_status 1
expect_err "hone: 'all' has no run of 'k'"
run "$HONE" tune "$TMP/second.yaml" -q --against all
expect_status 1
expect_err_contains "'all' has no run of 'second' for the problem 'n=2000'; it has:"
run "$HONE" tune "$TMP/first.yaml" --stop-after screen -q --against all --fresh
expect_status 0
expect_out_contains "against all, run 3: n=1000"
expect_out_contains "against all, run 4: n=2000"

case_begin "a run with a name is not deleted"
run "$HONE" runs --name second --delete
expect_status 0
expect_err "hone: run 5 is kept: it is saved as 'all'; 'hone show --forget-baseline all' drops the name
hone: deleted 0 of 7 runs"
run "$HONE" show --forget-baseline all
expect_status 0
run "$HONE" show --forget-baseline all
expect_status 1
expect_err "hone: no baseline is saved as 'all'"
run "$HONE" runs --name second --delete
expect_err "hone: deleted 1 of 7 runs"

case_begin "the help has examples within 80 columns"
run "$HONE" compare --help
expect_status 0
expect_out_contains "hone compare main.csv branch.csv --fail-above 10"
expect_same "lines over 80 columns" "" "$(grep -E '.{81}' "$TMP/stdout")"

cases_end
