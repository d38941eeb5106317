# hone replay: strategies on recorded measurements.
. "$(dirname "$0")/lib.sh"
data=tests/data/replay
bowl=$data/synthetic_bowl.json ridge=$data/synthetic_ridge.json.gz

case_begin "one strategy: a line a file, mean and worst"
run "$HONE" replay $bowl $ridge --strategy random --repeats 5
expect_status 0
expect_same "the first column" "data synthetic_bowl synthetic_ridge mean worst" \
  "$(awk '{ print $1 }' "$TMP/stdout" | xargs)"
expect_same "talk" "" "$ERR"

case_begin "without a strategy it is auto"
run "$HONE" replay $bowl --repeats 5 --format csv
expect_status 0
expect_same "the strategy" "$("$HONE" replay $bowl -s auto -n 5 -f csv | cut -d, -f 1-6)" \
  "$(cut -d, -f 1-6 "$TMP/stdout")"

case_begin "figures in csv"
run "$HONE" replay $bowl --strategy exhaustive --budget 40 --repeats 2 --format csv
expect_status 0
expect_same "the head" "data,strategy,runs,p,p_budget,p_work,evaluations,final_over_best,\
optimum_share,overhead_ms,overhead_mean_ms,overhead_late_ms,overhead_share,rate,overhead_most_ms" \
  "$(head -n 1 "$TMP/stdout")"
expect_same "the run" "synthetic_bowl,exhaustive,2,40" \
  "$(tail -n 1 "$TMP/stdout" | cut -d, -f 1-3,7)"

case_begin "all strategies in one table"
run "$HONE" replay $bowl $ridge --compare all --repeats 2
expect_status 0
expect_out_contains "annealing"
expect_out_contains "random"
expect_out_contains "mean P "
expect_out_contains "worst P "
expect_out_contains "best: "
run "$HONE" replay $bowl --compare random,exhaustive --repeats 2 --format json
expect_status 0
python3 - "$TMP/stdout" <<'END' || fail "the json is not as it should be"
import json, sys
answer = json.load(open(sys.argv[1]))
assert [s["strategy"] for s in answer["strategies"]] == ["random", "exhaustive"]
file, = answer["files"]
assert file["configurations"] == 232 and file["working"] < 232
assert [c["runs"] for c in file["cells"]] == [2, 2]
assert answer["strategies"][0]["p_mean"] == file["cells"][0]["p"]
assert answer["budget_evaluations"] is None and answer["interrupted"] is False
END

# The metric once more, from the definition, over what was written to files.
cat >"$TMP/score.py" <<'END'
import gzip, json, math, statistics, sys

def score(data, runs):
    cache = json.load((gzip.open if data.endswith(".gz") else open)(data))["cache"].values()
    times = sorted((e["time"] for e in cache if not isinstance(e["time"], str)), reverse=True)
    parts = ("compile_time", "verification_time", "benchmark_time", "framework_time")
    cost = statistics.median(sum(e[part] for part in parts) / 1000 for e in cache)
    best, median, count = times[-1], statistics.median(times), len(times)
    def evaluations(share):
        rank = min(i for i in range(count) if times[i] <= best + (median - best) * (1 - share))
        rank -= times[rank] == best and rank > 0
        return max(1, math.ceil(rank / (count + 1 - rank)))
    def random(at):
        m = max(1, round(at / cost))
        return times[min(count - 1, round(m * (count + 1) / (m + 1)))]
    first, last = evaluations(0.01) * cost, evaluations(0.95) * cost
    sum_of_scores = 0
    points = [first + (last - first) * i / 199 for i in range(200)]
    for at in points:
        found = [min([float(t) for s, t in run if t and float(s) <= at],
                     default=max(median, random(at))) for run in runs]
        sum_of_scores += (random(at) - statistics.mean(found)) / (random(at) - best)
    return sum_of_scores / len(points)

data, expected, *files = sys.argv[1:]
runs = [[line.rstrip("\n").split(",") for line in open(file)] for file in files]
got = score(data, runs)
if abs(got - float(expected)) > 1e-6:
    sys.exit(f"{data}: {got} instead of {expected}")
END

check_scores() { # check_scores STRATEGY OPTION...: P of the files is what hone says
  local strategy=$1 name file
  shift
  rm -rf "$TMP/runs"
  run "$HONE" replay $bowl $ridge -s "$strategy" -n 4 --seed 9 -f csv --runs-dir "$TMP/runs" "$@"
  expect_status 0
  while IFS=, read -r name _ _ p _; do
    file=$(ls $data/"$name".json*)
    expect_same "the runs" "10.csv 11.csv 12.csv 9.csv" \
      "$(ls "$TMP/runs/$name/$strategy" | sort | xargs)"
    python3 "$TMP/score.py" "$file" "$p" "$TMP/runs/$name/$strategy"/*.csv >"$TMP/diff" 2>&1 ||
      fail "$(cat "$TMP/diff")"
  done < <(tail -n +2 "$TMP/stdout")
}

case_begin "runs are written, and their P computed from them is the same"
check_scores random
check_scores annealing
check_scores random --budget 20
check_scores annealing --outstanding 4
check_scores exhaustive --budget 10s

case_begin "a run has a line for every evaluation, and no time where it failed"
run "$HONE" replay $bowl -s exhaustive -n 1 --budget 100000 --runs-dir "$TMP/whole"
expect_status 0
expect_same "lines and failures" "232 24" "$(awk -F, '{ n++; bad += $2 == "" } END { print n, bad }' \
  "$TMP/whole/synthetic_bowl/exhaustive/1.csv")"
sort -t, -g -c "$TMP/whole/synthetic_bowl/exhaustive/1.csv" || fail "time goes back"

case_begin "the number of threads makes no difference, the seed does"
stable() { "$HONE" replay $bowl $ridge --compare random,annealing -n 6 -f csv "$@" | cut -d, -f 1-9; }
one=$(stable --threads 1)
expect_same "many threads" "$one" "$(stable --threads 7)"
expect_same "once more" "$one" "$(stable)"
if [ "$one" = "$(stable --seed 77)" ]; then fail "another seed gives the same"; fi

case_begin "folders: all recordings below, others are told and skipped"
mkdir -p "$TMP/data/x" "$TMP/data/y"
cp $bowl "$TMP/data/x/a.json" && cp $ridge "$TMP/data/y/a.json.gz"
echo '{"ConfigurationSpace": {"TuningParameters": []}}' >"$TMP/data/y/t1.json"
echo 'nothing' >"$TMP/data/notes.txt"
run "$HONE" replay "$TMP/data" -s random -n 1
expect_status 0
expect_out_contains "x/a "
expect_out_contains "y/a "
expect_err_contains "skipped: '$(realpath "$TMP")/data/y/t1.json' is a T1 file"
run "$HONE" replay "$TMP/data" -s random -n 1 --quiet
expect_status 0
expect_same "talk" "" "$ERR"

case_begin "folders that lead to themselves are entered once"
mkdir "$TMP/round" "$TMP/round/in" && cp $bowl "$TMP/round/in"
for name in a b c d; do ln -s . "$TMP/round/in/$name" && ln -s in "$TMP/round/$name"; done
run timeout 20 "$HONE" replay "$TMP/round" -s random -n 1
expect_status 0
expect_same "files" 1 "$(grep -c synthetic_bowl "$TMP/stdout")"

case_begin "a folder that cannot be read is told and skipped"
mkdir "$TMP/data/closed" && chmod 000 "$TMP/data/closed"
if [ -r "$TMP/data/closed" ]; then
  echo "# root reads everything"
else
  run "$HONE" replay "$TMP/data" -s random -n 1
  expect_status 0
  expect_err_contains "data/closed': permission denied"
fi
rmdir "$TMP/data/closed"

case_begin "a T1 file is no data"
run "$HONE" replay "$TMP/data/y/t1.json"
expect_status 2
expect_err_contains "has no measurements"
expect_err_contains "with '--space'"
run "$HONE" replay $bowl "$TMP/data/y/t1.json"
expect_status 2
expect_err_contains "with '--space'"
mkdir "$TMP/t1" && cp "$TMP/data/y/t1.json" "$TMP/t1"
run "$HONE" replay "$TMP/t1"
expect_status 1
expect_err_contains "is a recording"

case_begin "what is wrong is said"
run "$HONE" replay
expect_status 2
expect_err_contains "no recorded data given"
run "$HONE" replay "$TMP/nothing.json"
expect_status 1
expect_err_contains "cannot open '$TMP/nothing.json'"
run "$HONE" replay $bowl --strategy anealing
expect_status 2
expect_err_contains "unknown strategy 'anealing'"
expect_err_contains "did you mean 'annealing'?"
run "$HONE" replay $bowl --strategy random --compare all
expect_status 2
expect_err_contains "cannot be combined"
for budget in 0 never 3x -5 ''; do
  run "$HONE" replay $bowl --budget "$budget"
  expect_status 2
  expect_err_contains "'--budget' is auto, a number of evaluations, or a time"
done
run "$HONE" replay $bowl --repeats 0
expect_status 2
expect_err_contains "number of repeats must be between 1 and 10000"
run "$HONE" replay $bowl --outstanding 5000
expect_status 2
expect_err_contains "between 1 and 4096"
run "$HONE" replay $bowl -s random -n 1 --runs-dir /proc/nothing
expect_status 1
expect_err_contains "cannot make the folder '/proc/nothing'"

case_begin "files that are broken"
head -c 20000 $bowl >"$TMP/cut.json"
run "$HONE" replay "$TMP/cut.json" -s random -n 1
expect_status 0
expect_err_contains "truncated"
echo '{"cache": {' >"$TMP/none.json"
run "$HONE" replay "$TMP/none.json"
if [ "$STATUS" = 0 ]; then fail "it is taken"; fi
sed 's/"time": [0-9][0-9.]*/"time": "RuntimeFailedConfig"/' $bowl >"$TMP/failed.json"
run "$HONE" replay "$TMP/failed.json"
expect_status 2
expect_err_contains "no configuration has a time"

case_begin "where random search finds the optimum at once there is no P, which is said"
few='"tune_params_keys": ["X"], "tune_params": {"X": [1, 2, 3]}'
cat >"$TMP/few.json" <<END
{$few, "cache": {"1": {"X": 1, "time": 1e-9, "compile_time": 5},
 "2": {"X": 2, "time": 1e9, "compile_time": 5}, "3": {"X": 3, "time": 2e9, "compile_time": 5}}}
END
run "$HONE" replay $bowl "$TMP/few.json" -s exhaustive -n 1
expect_status 0
expect_same "talk" "hone: '$(realpath "$TMP")/few.json': P is undefined: random search finds the \
optimum at once" "$ERR"

case_begin "a ratio without bounds stays short"
run "$HONE" replay "$TMP/few.json" -s random -n 4 --budget 1
expect_status 0
expect_out_contains "e+18 "

case_begin "costs that are not recorded count as a second each"
python3 - $bowl "$TMP/free.json" <<'END'
import json, sys
data = json.load(open(sys.argv[1]))
for entry in data["cache"].values():
    for name in list(entry):
        if name.endswith("_time"): del entry[name]
json.dump(data, open(sys.argv[2], "w"))
END
run "$HONE" replay "$TMP/free.json" -s exhaustive -n 1 --budget 30s -f csv
expect_status 0
expect_err_contains "each counts as one second"
expect_same "evaluations" 30 "$(tail -n 1 "$TMP/stdout" | cut -d, -f 7)"

case_begin "a page with charts"
run "$HONE" replay $bowl $ridge --compare random,pattern --repeats 3 --format html
expect_status 0
python3 - "$TMP/stdout" <<'END' || fail "the page is not as it should be"
import html.parser, sys
class Page(html.parser.HTMLParser):
    counts = {}
    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag in ("polyline", "polygon"):
            numbers = [float(n) for point in dict(attrs)["points"].split() for n in point.split(",")]
            assert len(numbers) == (400 if tag == "polyline" else 800), len(numbers)
            assert all(0 <= n <= 760 for n in numbers)
page = Page()
page.feed(open(sys.argv[1]).read())
assert page.counts["svg"] == 2 and page.counts["polyline"] == page.counts["polygon"] == 4, page.counts
END

case_begin "a strategy that begins badly does not press the others together"
marks() { "$HONE" replay $bowl "$@" --repeats 3 --format html | grep -o '>[0-9.]* x<'; }
expect_same "the axis" "$(marks -s pattern)" "$(marks --compare pattern,exhaustive)"

case_begin "searches learn from recordings of other devices"
mkdir "$TMP/devices"
# device NAME FACTOR: a kernel that is best at 31 of 40 and 3 of 40, but for the speed.
device() {
  python3 - "$2" >"$TMP/devices/$1.json" <<'END'
import json, sys
values, cache = list(range(40)), {}
for a in values:
    for b in values:
        time = float(sys.argv[1]) * (1 + abs(a - 31) + abs(b - 3))
        cache[f"{a},{b}"] = {"A": a, "B": b, "time": time, "compile_time": 900, "benchmark_time": 100}
json.dump({"kernel_name": "k", "tune_params_keys": ["A", "B"], "tune_params": {"A": values, "B": values},
           "cache": cache}, sys.stdout)
END
}
device old 5
device new 1
# learned OPTIONS...: of each file, the sources and the best of one evaluation.
learned() {
  run "$HONE" replay "$TMP/devices" --budget 1 -n 1 -f json "$@"
  expect_status 0
  python3 -c 'import json, sys
for file in json.load(open(sys.argv[1]))["files"]:
    print(file["data"], file["learned_from"], file["cells"][0]["final_over_best"] == 1)' "$TMP/stdout"
}
expect_same "without" "new 0 False old 0 False" "$(learned | xargs)"
expect_same "with each other" "new 1 True old 1 True" "$(learned --learn-from "$TMP/devices" | xargs)"
expect_same "other parameters" "new 0 False old 0 False" "$(learned --learn-from $bowl | xargs)"
# With one parameter more than here, whose second value is best where the first one is worst: of each
# configuration here, the best there counts. With one parameter less, it teaches nothing.
recording "$TMP/more.json" "A=range(40), B=range(40), C=range(2)" \
  "1 + abs(A - 31) + abs(B - 3) if C else 100 - abs(A - 31) - abs(B - 3)"
expect_same "more parameters" "new 1 True old 1 True" "$(learned --learn-from "$TMP/more.json" | xargs)"
run "$HONE" replay "$TMP/more.json" --learn-from "$TMP/devices/new.json" --budget 1 -n 1 -f json
expect_status 0
expect_out_contains '"learned_from": 0'
run "$HONE" replay $bowl --learn-from "$TMP/none.json"
expect_status 2
expect_err_contains "none.json"

case_begin "completion knows all strategies"
"$HONE" completion bash >"$TMP/completion"
for name in all $("$HONE" replay $bowl --compare all -n 1 -f csv | tail -n +2 | cut -d, -f 2); do
  grep -q "[' ]$name[' ]" "$TMP/completion" || fail "not $name"
done

case_begin "a signal ends it in good order, with what is done"
"$HONE" replay $bowl $ridge --compare random,annealing -n 10000 --budget 150 --threads 1 \
  --runs-dir "$TMP/cut" >"$TMP/out" 2>"$TMP/err" &
pid=$!
is_written() { ls "$TMP"/cut/synthetic_bowl/*/*.csv >"$TMP/done" 2>&1; }
wait_until is_written
kill -TERM $pid
wait $pid
expect_same "the exit status" 130 $?
grep -q "interrupted" "$TMP/err" || fail "nothing is said: $(cat "$TMP/err")"
grep -q "synthetic_bowl" "$TMP/out" || fail "no table"

cases_end
