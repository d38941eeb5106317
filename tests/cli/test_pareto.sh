#!/bin/bash
# Several objectives: what a spec may say, the Pareto set in show, report and export. The kernel is a
# recording that takes as long as its knobs say, so that the set is known beforehand.
. "$(dirname "$0")/lib.sh"
export HONE_STORE=$TMP/hone.db

# WORK takes time, SIZE costs memory and nothing else: of each WORK the smallest SIZE is best.
record() { # record FILE VALUES: of all configurations with these values, in JSON
  python3 - "$2" >"$1" <<'END'
import itertools, json, sys
values = json.loads(sys.argv[1])
rows = [dict(zip(values, row)) for row in itertools.product(*values.values())]
cache = {",".join(map(str, row.values())): {**row, "time": row["WORK"] / 50} for row in rows}
print(json.dumps({"device_name": "none", "kernel_name": "spin", "tune_params_keys": list(values),
                  "tune_params": values, "cache": cache}))
END
}
record "$TMP/spin.json" '{"WORK": [1, 4, 16], "SIZE": [1, 2, 3]}'
spec() { # spec OBJECTIVE...: lines of the end
  cat <<Y
name: spin
backend: sim
file: spin.json
problem: {N: 8}
params: {WORK: [1, 4, 16], SIZE: [1, 2, 3]}
derived: {BYTES: SIZE * 100 // WORK}
baseline: {WORK: 4, SIZE: 2}
metrics: {bytes: BYTES, exact: WORK / SIZE, rate: 1 / time_s}
Y
  printf '%s\n' "$@"
}
tune() { # tune NAME OBJECTIVE...
  local name=$1
  shift
  spec "$@" >"$TMP/$name.yaml"
  run "$HONE" tune "$TMP/$name.yaml" --quiet --no-cap
}

# ---- A run with two ----

case_begin "two objectives: the set is in the report"
tune two 'objective: [time, bytes]'
expect_status 0
expect_out_contains "Pareto set (time, bytes): 3 of 9 configurations"
expect_out_contains "hone export 1 --format yaml --config WORK="

case_begin "show has it alone, the best by the first objective first"
run "$HONE" show last --pareto
expect_status 0
expect_contains "first line" "Pareto set (time, bytes): 3 of 9 configurations" "${OUT%%$'\n'*}"
expect_same knobs "WORK 1 4 16" "$(awk 'NR == 3 { for (i = 1; i <= NF; i++) if ($i == "WORK") c = NF - i }
  NR >= 3 { printf "%s%s", s, $(NF - c); s = " " }' <<<"$OUT")"
expect_out_contains "SIZE=1"

case_begin "as JSON"
run "$HONE" show last --pareto --format json
expect_status 0
expect_same members "time bytes ns None False False 9 3
WORK=1,SIZE=1 100 1.0 False
WORK=4,SIZE=1 25 0.5 False
WORK=16,SIZE=1 6 0.12 False" "$(python3 -c '
import json, sys
p = json.load(sys.stdin)
o = p["objectives"]
print(*(x["name"] for x in o), *(x["unit"] for x in o), *(x["maximise"] for x in o), p["configurations"], len(p["members"]))
for m in p["members"]:
    print(m["config"], int(m["values"][1]), {100: 1.0, 25: .5, 6: .12}[int(m["values"][1])] if abs(m["ratios"][1] - m["values"][1] / 50) < 1e-9 else m["ratios"], m["is_baseline"])
    assert m["values"][0] > 0 and m["ratios"][0] > 0 and m["command"].startswith("hone run ")
times = [m["values"][0] for m in p["members"]]
assert times == sorted(times)' <<<"$OUT")"

case_begin "as CSV"
run "$HONE" show last --pareto --format csv
expect_status 0
expect_same header "time (ns),time ratio,bytes,bytes ratio,baseline,confirmed,config,WORK,SIZE" "${OUT%%$'\n'*}"
expect_same rows "100 1 1
25 4 1
6 16 1" "$(python3 -c '
import csv, sys
for r in csv.DictReader(sys.stdin): print(r["bytes"].replace(".0", ""), r["WORK"], r["SIZE"])' <<<"$OUT")"

case_begin "as a spec of its members, which runs by itself"
run "$HONE" show last --pareto --format yaml
expect_status 0
printf '%s\n' "$OUT" >"$TMP/front.yaml"
run "$HONE" space "$TMP/front.yaml" --count
expect_out 3
run "$HONE" run "$TMP/front.yaml" --config WORK=16,SIZE=1
expect_status 0

case_begin "the report as JSON has it"
run "$HONE" show last --format json
expect_same pareto "3 9 True" "$(python3 -c '
import json, sys
r = json.load(sys.stdin)
p = r["pareto"]
ids = {e["id"]: e["config"] for e in r["evaluations"]}
print(len(p["members"]), p["configurations"], all(ids[m["id"]] == m["config"] for m in p["members"]))' <<<"$OUT")"

case_begin "configurations with equal objects have equal times, and rows of their own"
run "$HONE" show last --format csv
expect_same rows "9 9" "$(python3 -c '
import csv, sys
names = [r["name"] for r in csv.DictReader(sys.stdin)]
print(len(names), len(set(names)))' <<<"$OUT")"

case_begin "members are confirmed, and their metrics belong to these times"
run "$HONE" show last --format json
expect_same confirmed "True True" "$(python3 -c '
import json, sys
r = json.load(sys.stdin)
m = [e for e in r["evaluations"] if e["confirmation"] and not e["is_baseline"]]
rates = [abs(e["metrics"]["rate"] * e["confirmation"]["time_ns"] * 1e-9 - 1) < 1e-9 for e in m]
print(len(m) >= 2, all(rates))' <<<"$OUT")"

# ---- Report and export ----

case_begin "the page has a picture and a table"
run "$HONE" report last -o "$TMP/p.html"
expect_status 0
PAGE=$(cat "$TMP/p.html")
expect_contains page '<h2>Pareto set</h2>' "$PAGE"
expect_contains page '3 of 9 configurations: no other configuration is' "$PAGE"
expect_contains page 'class="steps"' "$PAGE"
expect_contains page 'class="baseline"' "$PAGE"
expect_same "members in the picture" 4 "$(grep -c 'circle class="member"' "$TMP/p.html")" # and the legend
python3 - "$TMP/p.html" <<'P' || fail "the picture is no XML"
import re, sys, xml.etree.ElementTree as tree
for svg in re.findall(r'<svg.*?</svg>', open(sys.argv[1]).read(), re.S): tree.fromstring(svg)
P

case_begin "export marks the members"
run "$HONE" export last --format csv -o "$TMP/all.csv"
expect_status 0
expect_same marked 3 "$(python3 -c '
import csv, sys
print(sum(r["pareto"] == "True" for r in csv.DictReader(open(sys.argv[1]))))' "$TMP/all.csv")"
run "$HONE" export last --format json
expect_same marked "3 9" "$(python3 -c '
import json, sys
rows = json.load(sys.stdin)["rows"]
print(sum(r["pareto"] is True for r in rows), len(rows))' <<<"$OUT")"
run "$HONE" show "$TMP/all.csv" --best
expect_status 0

case_begin "export takes the winner, or the member that is named"
run "$HONE" export last --format yaml
expect_status 0
expect_out_contains "WORK: 1"
run "$HONE" export last --format yaml --config SIZE=1,WORK=16
expect_status 0
expect_out_contains "WORK: 16"
expect_out_contains "SIZE: 1"
printf 'WORK = [@WORK]\n' >"$TMP/snippet"
printf '# hone:begin\n# hone:end\n' >"$TMP/target.py"
run "$HONE" export last --snippet "$TMP/snippet" --into "$TMP/target.py" --config WORK=16,SIZE=1
expect_status 0
expect_contains target "WORK = 16," "$(cat "$TMP/target.py")"
run "$HONE" export last --format yaml --config WORK=5,SIZE=1
expect_status 1
expect_err "hone: run 1 has no working configuration 'WORK=5,SIZE=1'"

case_begin "export: what does not go together"
for words in "--format json --config WORK=1,SIZE=1" "--format csv --snippet x" "--config A=1 --metric met" \
  "--format csv last" "--format mlir --config A=1"; do
  run "$HONE" export last $words
  expect_status 2
done

# ---- Other objectives ----

case_begin "what is maximised, and three of them"
tune three 'objective: [{maximise: exact}, bytes, {minimise: time}]'
expect_status 0
expect_out_contains "Pareto set (exact maximised, bytes, time): 3 of 9 configurations"
run "$HONE" show last --pareto --format csv
expect_same rows "16 1
4 1
1 1" "$(python3 -c '
import csv, sys
for r in csv.DictReader(sys.stdin): print(r["WORK"], r["SIZE"])' <<<"$OUT")"
run "$HONE" report last -o "$TMP/p.html"
expect_status 0
if grep -q '<path class="steps"' "$TMP/p.html"; then fail "a projection has steps"; fi

case_begin "a member may be the baseline, and equal ones are all there"
record "$TMP/same.json" '{"WORK": [4], "SIZE": [2], "X": [1, 2]}'
spec 'objective: [bytes, exact]' | sed 's/^params.*/params: {WORK: [4], SIZE: [2], X: [1, 2]}/; /^baseline/d
  s/spin.json/same.json/' >"$TMP/same.yaml"
run "$HONE" tune "$TMP/same.yaml" --quiet
expect_status 0
expect_out_contains "Pareto set (bytes, exact): 2 of 2 configurations"
expect_out_contains baseline

case_begin "strategies see several costs: a budget is kept, nothing comes twice"
spec 'objective: [time, bytes]' >"$TMP/budget.yaml"
for strategy in random exhaustive; do
  run "$HONE" tune "$TMP/budget.yaml" --quiet --strategy $strategy --evals 5 --fresh --format json
  expect_status 0
  expect_same configurations "6 6" "$(python3 -c '
import json, sys
e = [x["config"] for x in json.load(sys.stdin)["evaluations"]]
print(len(e), len(set(e)))' <<<"$OUT")"
done

case_begin "without a confirmation the set is that of screening"
spec 'objective: [time, bytes]' 'search: {seed: 7}' 'measure: {repeat: 15}' >"$TMP/stopped.yaml"
run "$HONE" tune "$TMP/stopped.yaml" --quiet --no-cap --stop-after screen
expect_status 0
run "$HONE" show last --pareto
expect_out_contains "3 of 9 configurations"

case_begin "the same command again is answered from the store; another objective is another run"
tune two 'objective: [time, bytes]'
expect_status 0
run "$HONE" show
RUNS=$(wc -l <<<"$OUT")
tune two 'objective: [bytes, time]'
expect_out_contains "Pareto set (bytes, time): 3 of 9 configurations"
run "$HONE" show
expect_same runs $((RUNS + 1)) "$(wc -l <<<"$OUT")"

case_begin "a dry run says what it is tuned for"
spec 'objective: [time, {maximise: exact}]' >"$TMP/dry.yaml"
run "$HONE" tune "$TMP/dry.yaml" --dry-run
expect_status 0
expect_out_contains "time, exact maximised"

# ---- Where there is none ----

case_begin "energy without a counter: plain words, and the others go on"
tune joules 'objective: [time, energy, bytes]'
expect_status 0
expect_out_contains "energy cannot be measured: backend 'sim' has no energy counter; tuning for time and"
expect_out_contains "Pareto set (time, bytes): 3 of 9 configurations"

case_begin "energy by itself is tuned with time"
tune lonely 'objective: energy'
expect_status 0
expect_out_contains "energy cannot be measured: backend 'sim' has no energy counter; tuning for time only"
spec 'objective: [energy, a, b]' | sed 's/^metrics:.*/metrics: {a: 2 * energy_j, b: energy_j ** 2}/' >"$TMP/joules3.yaml"
run "$HONE" space "$TMP/joules3.yaml"
expect_status 2
expect_err_contains "all objectives depend on energy"

case_begin "energy alone beside time leaves one: there is no set"
tune alone 'objective: [time, energy]'
expect_status 0
expect_out_contains "tuning for time only"
case $OUT in *"Pareto set"*) fail "there is a set of one objective" ;; esac
run "$HONE" show last --pareto
expect_status 1
expect_err_contains "has no Pareto set: it was tuned for one objective"

case_begin "a run of one objective has none"
tune one 'objective: time'
run "$HONE" show last --pareto --format json
expect_status 1
expect_err_contains "has no Pareto set"
run "$HONE" export last --format csv
case ${OUT%%$'\n'*} in *pareto*) fail "rows are marked" ;; esac

case_begin "show --pareto: what does not go together"
for words in "--pareto" "last --pareto --log" "last --pareto --best" "x.csv --pareto" "1 2 --pareto"; do
  run "$HONE" show $words
  expect_status 2
done

cases_end
