#!/usr/bin/env bash
# Recordings in the place of kernels: 'hone space' and 'hone tune' on them, recorded failures,
# scripted faults, seeds, and going on after the driver was killed.
. "$(dirname "$0")/lib.sh"
export COLUMNS=200 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
tiny=tests/data/sim/tiny.json

# record FILE COUNT: K = 0 ... COUNT - 1, of which the last is the fastest.
record() { recording "$1" "K=range($2)" "1 + ($2 - K) / 10" 10; }

# ---- Spaces ----

case_begin "a recording is a space of exactly what was recorded"
run "$HONE" space $tiny --count
expect_status 0
expect_out 22
expect_err ""
run "$HONE" space $tiny --at 0 --format csv
expect_out "A,B,MODE
1,10,fast"
run "$HONE" space $tiny --explain A=8,B=20,MODE=safe
expect_same "first line" legal "$(head -n 1 "$TMP/stdout")"

case_begin "a cache that does not say the order of its parameters is one, too"
echo '{"tune_params": {"K": [1, 2]}, "cache": {"1": {"time": 1.5}, "2": {"time": 2}}}' >"$TMP/keys.json"
run "$HONE" space "$TMP/keys.json" --count
expect_status 0
expect_out 2

case_begin "what was not recorded is not legal, and that is said"
run "$HONE" space $tiny --explain A=8,B=30,MODE=safe
expect_out_contains "it is not among the 22 configurations that were recorded"

case_begin "filters and constraints apply as elsewhere"
run "$HONE" space $tiny --count --filter MODE=safe
expect_out 11
run "$HONE" space $tiny --count --param A:8
expect_out 4
run "$HONE" space $tiny --count --filter A=8 --filter B=30
expect_out 0
cp $tiny "$TMP/tiny.json"
cat >"$TMP/some.yaml" <<'END'
backend: sim
file: tiny.json
derived: {AREA: A * B}
constraints: [AREA > 30, MODE == 'fast' or A < 4]
END
run "$HONE" space "$TMP/some.yaml" --count
expect_out 9
run "$HONE" space "$TMP/some.yaml" --count --param N:[1,2]
expect_out 18

case_begin "plain or in gzip, and by its file's suffix alone"
gzip -c $tiny >"$TMP/tiny.json.gz"
run "$HONE" space "$TMP/tiny.json.gz" --count
expect_out 22
echo 'file: tiny.json.gz
metadata: {a: 1}
objective: time' >"$TMP/suffix.yaml"
run "$HONE" space "$TMP/suffix.yaml" --count
expect_out 22

case_begin "a spec in JSON is no recording"
echo '{"params": {"A": [1, 2]}}' >"$TMP/spec.json"
run "$HONE" space "$TMP/spec.json" --count
expect_out 2

# ---- Files that are not there, or not recordings ----

case_begin "a recording that is missing, empty or garbage is named"
run "$HONE" space "$TMP/none.json.gz"
expect_status 2
expect_err_contains "none.json.gz"
echo 'backend: sim
file: none.json.gz' >"$TMP/none.yaml"
run "$HONE" space "$TMP/none.yaml"
expect_status 2
expect_err_contains "no file 'none.json.gz'"
: >"$TMP/empty.json.gz"
run "$HONE" tune "$TMP/empty.json.gz"
[ "$STATUS" != 0 ] || fail "an empty file is tuned"
expect_err_contains "empty.json.gz"
head -c 3000 /dev/urandom >"$TMP/noise.json.gz"
run "$HONE" tune "$TMP/noise.json.gz"
[ "$STATUS" != 0 ] || fail "noise is tuned"
expect_err_contains "noise.json.gz"

case_begin "a recording cannot be joined with other files"
run "$HONE" space $tiny "$TMP/spec.json"
[ "$STATUS" != 0 ] || fail "joined"
expect_err_contains "give one recording file only"

case_begin "wrong settings are shown with their place"
echo 'backend: sim
file: tiny.json
sim: {noise: -1, faults: [{when: A == 1, outcome: crush}, {when: X == 1, outcome: crash}, {outcome: crash}]}' >"$TMP/wrong.yaml"
run "$HONE" space "$TMP/wrong.yaml"
expect_status 2
expect_err_contains "wrong.yaml:3:"
expect_err_contains "crush"
expect_err_contains "'X'"
expect_err_contains "'when'"
expect_err_contains "noise"

# ---- Tuning ----

case_begin "exhaustive search finds the optimum of the recording"
run "$HONE" tune $tiny --strategy exhaustive
expect_status 0
expect_out_contains "A=4,B=20,MODE=fast"
expect_out_contains "times come from a recording: nothing is measured"
expect_figure 'run["winner"]' A=4,B=20,MODE=fast
expect_figure 'run["verdict"]' IMPROVED
expect_figure 'len(run["evaluations"])' 22

case_begin "the baseline is the first that worked"
expect_figure '[e["config"] for e in run["evaluations"] if e["is_baseline"]][0]' A=1,B=10,MODE=safe

case_begin "recorded failures keep their classes"
expect_figure '" ".join(sorted(e["config"] + ":" + e["outcome"] for e in run["evaluations"] if e["outcome"] not in ("ok", "slow")))' \
  "A=1,B=10,MODE=fast:launch_failure A=2,B=30,MODE=safe:compile_error A=8,B=10,MODE=safe:invalid A=8,B=20,MODE=fast:hang A=8,B=20,MODE=safe:wrong_result"
run "$HONE" run $tiny --config A=2,B=30,MODE=safe
expect_out_contains "recorded as compile_error"

case_begin "the same again answers from the store; a changed recording does not"
first=$(figure 'run["run"]')
run "$HONE" tune $tiny --strategy exhaustive
expect_figure 'run["run"]' "$first"
sed 's/"time": 1.0, "times": \[[^]]*\]/"time": 3.0/' $tiny >"$TMP/tiny.json"
run "$HONE" tune "$TMP/tiny.json" --strategy exhaustive
expect_status 0
[ "$(figure 'run["run"]')" != "$first" ] || fail "the run of another recording answers"
expect_figure 'run["winner"] != "A=4,B=20,MODE=fast"' True
expect_figure 'sum(bool(e["reused_from"]) for e in run["evaluations"])' 0

case_begin "a fault of one size is not taken for one of another"
recording "$TMP/sizes.json" "X=[1, 2, 4]" "X"
printf '%s\n' 'name: sizes' 'backend: sim' 'file: sizes.json' 'problem: {N: [1, 2]}' 'baseline: {X: 4}' \
  'sim: {faults: [{when: N == 1 and X == 1, outcome: crash}]}' >"$TMP/sizes.yaml"
run "$HONE" tune "$TMP/sizes.yaml" --strategy exhaustive -q
expect_status 0
expect_figure 'run["problem"], run["winner"], run["counts"]["failed"]' "('N=2', 'X=1', 0)"

case_begin "with parameters of its own, what was not recorded is invalid"
cp $tiny "$TMP/tiny.json"
cat >"$TMP/own.yaml" <<'END'
backend: sim
file: tiny.json
params: {A: [4, 8, 16], B: [20, 30], MODE: [fast, safe]}
baseline: {A: 4, B: 30, MODE: safe}
END
run "$HONE" tune "$TMP/own.yaml" --strategy exhaustive
expect_status 0
expect_figure 'run["winner"]' A=4,B=20,MODE=fast
expect_figure 'sum(e["outcome"] == "invalid" and "it was not recorded" in e["evidence"] for e in run["evaluations"])' 6

case_begin "a recording that is gone ends the run with its name, one of other parameters too"
sed 's/tiny.json/gone.json/' "$TMP/own.yaml" >"$TMP/gone.yaml"
run "$HONE" tune "$TMP/gone.yaml"
[ "$STATUS" != 0 ] || fail "tuned without a recording"
expect_err_contains "no file 'gone.json'"
echo '{"garbage": 1}' >"$TMP/gone.json"
run "$HONE" tune "$TMP/gone.yaml"
[ "$STATUS" != 0 ] || fail "tuned without a recording"
expect_err_contains "gone.json"

# ---- Scripted faults ----

faults="compile_error compile_timeout compile_crash compile_oom not_applied launch_failure device_fault
  oom_device oom_host crash exit hang killed wrong_result nondeterministic no_result bad_result slow runner_exit"

case_begin "every scripted fault ends as its outcome, and the run survives them all"
record "$TMP/k.json" 24
{
  printf 'name: k\nbackend: sim\nfile: k.json\nbaseline: {K: 0}\nbuild: {timeout: 1s}\nsim:\n  faults:\n'
  k=1
  for fault in $faults; do
    printf '    - {when: K == %d, outcome: %s}\n' $k "$fault"
    k=$((k + 1))
  done
} >"$TMP/k.yaml"
RUN_TIMEOUT=120 run "$HONE" tune "$TMP/k.yaml" --strategy exhaustive
expect_status 0
expect_figure 'run["winner"]' K=23
expect_figure 'len(run["evaluations"])' 24
expect_figure '" ".join(e["outcome"] for e in sorted(run["evaluations"], key=lambda e: int(e["config"][2:]))[1:20])' \
  "$(echo $faults | sed 's/ exit / crash /; s/runner_exit/crash/')"

case_begin "unchecked, wrong answers stay unknown"
printf 'check: {enabled: false}\n' >>"$TMP/k.yaml"
run "$HONE" run "$TMP/k.yaml" --config K=14
expect_out_contains "outcome     ok"
expect_out_contains "NOT checked"

case_begin "while those that somebody killed wait to be tried again, others are measured"
record "$TMP/many.json" 60
printf 'backend: sim\nfile: many.json\nbaseline: {K: 0}\nsim: {faults: [{when: 1 <= K and K <= 4, outcome: killed}]}\n' \
  >"$TMP/killed.yaml"
for how in "" "--worker env"; do
  rm -f "$HONE_STORE"*
  run "$HONE" tune "$TMP/killed.yaml" --strategy exhaustive --no-confirm --quiet $how
  expect_status 0
  "$HONE" show last --format json >"$TMP/run.json"
  python3 - "$TMP/run.json" >"$TMP/order" <<'PY'
import json, sys
outcomes = [e["outcome"] for e in json.load(open(sys.argv[1]))["evaluations"] if not e["is_baseline"]]
first = outcomes.index("killed")
print("killed", outcomes.count("killed"), "others first", "yes" if first >= 3 else outcomes[:first])
PY
  expect_same "order of results" "killed 4 others first yes" "$(cat "$TMP/order")"
done

case_begin "a fault of the baseline ends the run with it"
printf 'backend: sim\nfile: k.json\nsim: {faults: [{when: K == 0, outcome: crash}]}\n' >"$TMP/bad.yaml"
run "$HONE" tune "$TMP/bad.yaml"
[ "$STATUS" != 0 ] || fail "tuned with a baseline that crashes"
expect_err_contains "signal 6"

# ---- Seeds, noise, pace ----

evaluations='[(e["config"], e["outcome"], e["time_ns"]) for e in run["evaluations"]]'

case_begin "the same seed gives the same evaluations, with noise and all"
record "$TMP/many.json" 200
printf 'backend: sim\nfile: many.json\nbaseline: {K: 100}\nsim: {noise: 0.05}\n' >"$TMP/many.yaml"
for try in 1 2; do
  run "$HONE" tune "$TMP/many.yaml" --strategy annealing --budget 60 --seed 7 --builders 1 --fresh \
    --no-warm-start --no-confirm
  expect_status 0
  figure "$evaluations" >"$TMP/try$try"
done
expect_same "evaluations" "$(cat "$TMP/try1")" "$(cat "$TMP/try2")"
[ "$(figure 'len(run["evaluations"])')" -ge 50 ] || fail "few evaluations"
[ "$(figure 'len(set(e["time_ns"] for e in run["evaluations"]))')" -ge 50 ] || fail "no noise"

case_begin "after kill -9 of the driver the same command goes on"
printf 'backend: sim\nfile: many.json\nbaseline: {K: 100}\nsim: {pace: 0.5}\n' >"$TMP/paced.yaml"
before=$(figure 'run["run"]')
"$HONE" tune "$TMP/paced.yaml" --strategy exhaustive >"$TMP/out" 2>"$TMP/err" &
driver=$!
has_some() { [ "$(figure "run['run'] > $before and len(run['evaluations']) > 20" 2>/dev/null)" = True ]; }
wait_until has_some
kill -9 $driver
wait $driver 2>/dev/null
killed=$(figure 'run["run"]')
kept=$(figure 'len(run["evaluations"])')
[ "$kept" -gt 20 ] && [ "$kept" -lt 200 ] || fail "$kept were kept"
run "$HONE" tune "$TMP/paced.yaml" --strategy exhaustive
expect_status 0
expect_figure 'run["run"]' "$killed"
expect_figure 'len(run["evaluations"])' 200
expect_figure 'run["winner"]' K=199

case_begin "several devices share the work"
run "$HONE" tune "$TMP/many.yaml" --strategy exhaustive --devices sim:0,sim:1 --no-confirm
expect_status 0
expect_figure 'len(set(e["config"] for e in run["evaluations"]))' 200
expect_figure '{"sim:0", "sim:1"} <= set(e["device"] for e in run["evaluations"])' True

# ---- Recorded seconds ----

# slow FILE COUNT BUILD_MS TIME_MS: an hour or so, if it were real.
slow() { recording "$1" "K=range($2)" "$4" "$3"; }
candidates='sum(not e["is_baseline"] for e in run["evaluations"])'

case_begin "a budget is one of recorded seconds, and so is the time that is reported"
slow "$TMP/builds.json" 60 60000 1
run "$HONE" tune "$TMP/builds.json" --strategy exhaustive --budget 600s --builders 1 --no-confirm
expect_status 0
expect_figure "7 <= $candidates <= 9" True
expect_figure '600 <= run["wall_s"] <= 720' True
expect_out_contains ", 10:0"
first=$(figure 'run["wall_s"]')

case_begin "the same run takes the same time again, to the digit"
run "$HONE" tune "$TMP/builds.json" --strategy exhaustive --budget 600s --builders 1 --no-confirm --fresh
expect_figure 'run["wall_s"]' "$first"

case_begin "several builders build at the same time"
run "$HONE" tune "$TMP/builds.json" --strategy exhaustive --budget 600s --builders 4 --no-confirm --fresh
expect_figure "16 <= $candidates <= 36" True
expect_figure '600 <= run["wall_s"] <= 720' True

case_begin "several devices measure at the same time, and none is busy for longer than the whole"
slow "$TMP/runs.json" 40 0 1000
for devices in sim:0 sim:0,sim:1; do
  run "$HONE" tune "$TMP/runs.json" --strategy exhaustive --devices $devices --stop-after screen --fresh
  expect_status 0
  expect_figure "$candidates" 39
  expect_figure 'abs(run["screening"]["busy_s"] + run["screening"]["idle_s"] - run["screening"]["devices"] * run["screening"]["wall_s"]) < 1e-6' True
  if [ $devices = sim:0 ]; then alone=$(figure 'run["screening"]["wall_s"]'); fi
done
[ "$(python3 -c "print($alone >= 39 * 4)")" = True ] || fail "39 candidates, each called four times, take $alone s"
expect_figure "0.5 * $alone <= run['screening']['wall_s'] <= 0.8 * $alone" True

case_begin "the effort's limit, too, is one of recorded seconds"
slow "$TMP/quick.json" 400 8000 1
run "$HONE" tune "$TMP/quick.json" --effort quick --builders 1 --no-confirm
expect_status 0
expect_err_contains "the limit of 60 s for a quick search is reached"

case_begin "a budget bounds the whole run, with its verdict"
recording "$TMP/bounded.json" "K=range(900)" "150 if K < 1 else 100 + K % 7"
for budget in 60 120; do
  run "$HONE" tune "$TMP/bounded.json" --strategy exhaustive --budget ${budget}s
  expect_status 0
  expect_figure 'run["verdict"]' IMPROVED
  expect_figure "0.4 * $budget < run['screening']['wall_s'] < 0.9 * $budget" True
  expect_figure "run['wall_s'] <= $budget + 5" True # the job in flight
done

case_begin "a budget that is too small for a proof ends without one"
run "$HONE" tune "$TMP/bounded.json" --strategy exhaustive --budget 8s
expect_status 0
expect_figure 'run["verdict"]' INCONCLUSIVE
expect_figure 'run["wall_s"] <= 8 + 5' True

case_begin "nothing begins after the end of a budget"
recording "$TMP/late.json" "K=range(9)" "3000 if K < 1 else 2000 + K"
run "$HONE" tune "$TMP/late.json" --strategy exhaustive --budget 20s
expect_status 0
expect_figure 'run["verdict"]' INCONCLUSIVE
expect_contains "the reason" "the budget ended before any candidate could be confirmed" "$(tr -s ' \n' '  ' <<<"$OUT")"
expect_figure 'run["wall_s"] <= 20 + 4 * 3' True # the job in flight

case_begin "a quick run takes half of its search, and a second, to confirm"
recording "$TMP/hasty.json" "K=range(400)" "150 if K < 1 else 100 + K % 7" 400
run "$HONE" tune "$TMP/hasty.json" --strategy random --effort quick --builders 1
expect_status 0
expect_figure 'run["verdict"]' IMPROVED
expect_figure 'sum(e["confirmation"] is not None for e in run["evaluations"]) <= 3' True
expect_figure 'run["wall_s"] <= 1.5 * run["screening"]["wall_s"] + 1 + 1' True # the job in flight

case_begin "the time for a confirmation is recorded, too: of slow kernels few pairs are taken"
slow "$TMP/slow.json" 3 0 60000
run "$HONE" tune "$TMP/slow.json" --strategy exhaustive
expect_status 0
expect_figure '7 * 4 * 60 <= run["wall_s"] < 24 * 3600' True

case_begin "the backend is known, and has no devices"
run "$HONE" devices
expect_out_contains "sim"

case_begin "a sweep runs all of it"
run "$HONE" sweep "$TMP/suffix.yaml" --output-dir "$TMP/swept"
expect_status 0
expect_same "lines" 18 "$(wc -l <"$TMP/swept/output.csv")"

cases_end
