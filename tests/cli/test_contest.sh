#!/usr/bin/env bash
# What the verdict rests on: candidates that are found wrong late, drift of the machine, and what the
# sentence says of it. Times are recorded and faults scripted, so that runs are the same every time.
. "$(dirname "$0")/lib.sh"
export COLUMNS=300 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache

# record FILE COUNT EXPRESSION: times of K = 0 ... COUNT - 1 in ms, as Python has them.
record() { recording "$1" "K=range($2)" "$3" 1; }

# spec NAME [LINES]: of the recording NAME.json, whose baseline is K=0; LINES below `sim:`
spec() {
  printf 'name: %s\nbackend: sim\nfile: %s.json\nbaseline: {K: 0}\nsim:\n%s\n' "$1" "$1" "${2-  pace: 0}" >"$TMP/$1.yaml"
}

tune() { # tune NAME [OPTIONS]
  local name=$1
  shift
  RUN_TIMEOUT=120 run "$HONE" tune "$TMP/$name.yaml" --strategy exhaustive --builders 1 --no-warm-start "$@"
  expect_status 0
}

outcomes='" ".join(sorted(set(e["outcome"] for e in run["evaluations"] if %s)))'
cheats() { printf "$outcomes" '1 <= int(e["config"][2:]) <= 20'; }

# ---- Wrong late ----

# Twenty cheat: a thousandth of the time, but wrong later. K=30 is honest, and twice as fast.
record "$TMP/cheat.json" 40 '2.0 if K == 0 else 0.002 if K <= 20 else 1.0 if K == 30 else 2.5'

for phase in check race confirm; do
  case_begin "who is found wrong in the $phase is out, and the honest ones come back"
  spec cheat "  faults: [{when: 1 <= K and K <= 20, outcome: wrong_result, from: $phase}]"
  tune cheat
  expect_out_contains "IMPROVED: K=30 is 2.00 times as fast as the baseline"
  expect_figure 'run["winner"]' K=30
  expect_figure "$(printf "$outcomes" 'e["config"] == "K=30"')" ok
  expect_same "cheats among those that work" "" \
    "$(figure '" ".join(e["config"] for e in run["evaluations"] if e["outcome"] in ("ok", "slow") and e["time_ns"] and e["time_ns"] < 1e5)')"
done

case_begin "without confirming, too, the best is none that was found wrong"
spec cheat "  faults: [{when: 1 <= K and K <= 20, outcome: wrong_result, from: race}]"
tune cheat --no-confirm
expect_out_contains "the best candidate in screening is K=30 (2.00 times as fast as the baseline, unconfirmed)"
expect_figure "$(cheats)" wrong_result

case_begin "also where there are no more than the finalists"
record "$TMP/few.json" 4 '[2.0, 0.002, 0.002, 1.0][K]'
spec few "  faults: [{when: K == 1 or K == 2, outcome: nondeterministic, from: race}]"
tune few --no-confirm
expect_out_contains "the best candidate in screening is K=3 (2.00 times as fast as the baseline, unconfirmed)"

case_begin "who crashes late is out, one after the other"
record "$TMP/crash.json" 30 '2.0 if K == 0 else 0.9 if K <= 10 else 1.0 if K == 25 else 1.9'
spec crash "  faults: [{when: 1 <= K and K <= 10, outcome: crash, from: confirm}]"
tune crash
expect_figure 'run["winner"]' K=25
expect_figure "$(printf "$outcomes" '1 <= int(e["config"][2:]) <= 10')" crash

case_begin "where nobody is left who works there is no improvement, and that is why"
record "$TMP/none.json" 12 '2.0 if K == 0 else 1.0'
spec none "  faults: [{when: K > 0, outcome: wrong_result, from: confirm}]"
tune none
expect_out_contains "NO IMPROVEMENT: no candidate is more than 1 % faster than the baseline (only the baseline works)"

case_begin "equal objects fail together"
cat >"$TMP/equal.c" <<'END'
/*@hone
name: equal
params: {KIND: [0, 1, 2], SAME: [1, 2, 3]}
constraints: [KIND == 1 or SAME == 1]
baseline: {KIND: 0, SAME: 1}
entry: f
args:
  - {name: x, type: f32, shape: [20000], fill: uniform}
  - {name: y, type: f32, shape: [20000], role: out}
reference: baseline
*/
static int calls;
void f(const float *x, float *y)
{
  if (KIND == 1 && calls++ > 2) return;
  for (volatile int k = 0; k < (KIND == 2 ? 2 : 8); k++)
    for (int i = 0; i < 20000; i++)
      y[i] = 2 * x[i];
}
END
run "$HONE" tune "$TMP/equal.c" --strategy exhaustive
expect_status 0
expect_figure 'run["winner"]' KIND=2,SAME=1
expect_figure '" ".join(sorted(set(str(e["outcome"] in ("ok", "slow")) for e in run["evaluations"] if e["config"].startswith("KIND=1"))))' False

case_begin "a kernel that is wrong from its third call on is not the best of screening, either"
run "$HONE" tune "$TMP/equal.c" --strategy exhaustive --stop-after screen --fresh
expect_status 0
expect_out_contains "the best candidate in screening is KIND=2,SAME=1 ("

# wrong_kernel NAME CONDITION: KIND=1 would win, were it not wrong where CONDITION on `calls` holds.
wrong_kernel() {
  cat >"$TMP/$1.c" <<END
/*@hone
name: $1
params: {KIND: [0, 1, 2]}
baseline: {KIND: 0}
entry: f
args:
  - {name: x, type: f32, shape: [2000], fill: uniform}
  - {name: y, type: f32, shape: [2000], role: out}
reference: baseline
*/
static int calls;
void f(const float *x, float *y)
{
  static const int times[] = {16, 1, 4};

  calls++;
  for (volatile int k = 0; k < times[KIND]; k++)
    for (int i = 0; i < 2000; i++)
      y[i] = 2 * x[i];
  if (KIND == 1 && ($2)) y[0] = -1;
}
END
}

for calls in 500 1000; do
  case_begin "a kernel that is right for $calls calls of a process does not win"
  wrong_kernel "calls$calls" "calls > $calls"
  run "$HONE" tune "$TMP/calls$calls.c" --strategy exhaustive
  expect_status 0
  expect_figure 'run["winner"]' KIND=2
  expect_figure '[e["outcome"] for e in run["evaluations"] if e["config"] == "KIND=1"]' "['nondeterministic']"
done

case_begin "those that a kernel had beaten come back when it is found wrong at last"
cat >"$TMP/beaten.c" <<'END'
/*@hone
name: beaten
params: {KIND: [0, 1, 2, 3]}
baseline: {KIND: 0}
entry: f
args:
  - {name: x, type: f32, shape: [60000], fill: uniform}
  - {name: y, type: f32, shape: [60000], role: out}
reference: baseline
*/
static int calls;
void f(const float *x, float *y)
{
  static const int times[] = {1000, 50, 100, 110};

  calls++;
  for (volatile int k = 0; k < times[KIND]; k++)
    for (int i = 0; i < 60000; i++)
      y[i] = 2 * x[i];
  if (KIND == 1 && calls > 120) y[0] = -1;
}
END
run "$HONE" tune "$TMP/beaten.c" --strategy exhaustive
expect_status 0
expect_out_contains "IMPROVED: KIND=2"
expect_figure '[e["outcome"] for e in run["evaluations"] if e["config"] == "KIND=1"]' "['nondeterministic']"
expect_figure 'run["restarts"] >= 7' True

case_begin "a kernel that is wrong in every 50th call is not the best without a confirmation"
wrong_kernel fiftieth "calls % 50 == 0"
run "$HONE" tune "$TMP/fiftieth.c" --strategy exhaustive --no-confirm
expect_status 0
expect_out_contains "the best candidate in screening is KIND=2 ("
expect_figure '[e["outcome"] for e in run["evaluations"] if e["config"] == "KIND=1"]' "['nondeterministic']"

# ---- Drift ----

# All are as fast as the baseline but K=45, which is faster by a tenth.
record "$TMP/drift.json" 60 '1.8 if K == 45 else 2.0'
drifting() { # drifting LINES: `drift` of the machine
  spec drift "  noise: 0.004
  drift: [$1]"
  tune drift --fresh
  expect_figure 'run["winner"]' K=45
  expect_out_contains "IMPROVED: K=45 is 1.1"
}

case_begin "a machine that is faster for a while does not hide the winner"
drifting "{from: 0, factor: 1.48}, {from: 22, factor: 1}, {from: 40, factor: 1.48}"

case_begin "nor does one that was slower when the baseline was read"
drifting "{from: 0, factor: 1.48}, {from: 2, factor: 1}"
drifting "{from: 5, factor: 1.48}, {from: 12, factor: 1}, {from: 30, factor: 1.48}, {from: 36, factor: 1}"

case_begin "nor one that becomes slower all the time"
drifting "$(for i in $(seq 60); do printf '{from: %d, factor: %d.%02d}, ' "$i" $((1 + i / 100)) $((i % 100)); done)"

case_begin "the warning of drift is there"
expect_out_contains "the baseline drifted by"

# ---- What is said ----

case_begin "no improvement is said of those that were confirmed"
record "$TMP/equal.json" 20 '2.0'
spec equal "  noise: 0.002"
tune equal
expect_out_contains "NO IMPROVEMENT: none of the 8 confirmed candidates is more than 1 % faster than the baseline"
expect_figure 'len([e for e in run["evaluations"] if e["confirmation"]])' 8
record "$TMP/one.json" 2 '2.0'
spec one
tune one
expect_out_contains "NO IMPROVEMENT: the one confirmed candidate is not more than 1 % faster than the baseline"

case_begin "differences are too small where the interval says so"
record "$TMP/noisy.json" 3 '[2.0, 1.98, 5.0][K]'
spec noisy "  noise: 0.5"
tune noisy
expect_out_contains "INCONCLUSIVE: whether K=1 is faster than the baseline remains open ("
expect_out_contains "the differences are too small for the noise of this machine"
expect_figure 'run["low"] <= 1.01 <= run["high"]' True

unconfirmed() { # unconfirmed REASON [DOUBT]: where the last run's best goes, it is said why nothing proves it
  local doubt=${2:-unconfirmed}
  for format in yaml "snippet --snippet $TMP/snippet.txt --into $TMP/into.h"; do
    printf '// hone:begin\n// hone:end\n' >"$TMP/into.h"
    run "$HONE" export last --format $format
    expect_status 1
    expect_err_contains "run $(figure 'run["run"]') is not confirmed: $1"
    expect_err_contains "'--force' exports it and says so in the output"
    run "$HONE" export last --format $format --force
    expect_status 0
    expect_contains "the output" "NOT PROVED" "$OUT$(cat "$TMP/into.h")"
    expect_err_contains "warning: run $(figure 'run["run"]') is not confirmed: $1"
    expect_same "warnings" 1 "$(grep -c warning: "$TMP/stderr")"
  done
  run "$HONE" export last --format yaml --quiet --force
  expect_err ""
  run "$HONE" show last
  expect_out_contains "$doubt"
  "$HONE" report last | grep -q "^<p>Best: <code>K=[0-9]*</code> ($doubt)</p>" || fail "the page does not say it"
}
echo 'K = [@K]' >"$TMP/snippet.txt"

case_begin "the best of a run that settled nothing is not proved to be faster, and its pairs are no proof"
unconfirmed "whether K=1 is faster than the baseline remains open (" "not proved to be faster"
run "$HONE" show last
expect_out_contains "  best      K=1 (not proved to be faster)"

case_begin "so is the best of one without a confirmation"
record "$TMP/quick.json" 3 '[2.0, 1.0, 5.0][K]'
spec quick
tune quick --no-confirm
unconfirmed "no verdict: confirmation was not requested; the best candidate in screening is K=1 ("
"$HONE" report last | grep -q '^<p class="lead">no verdict: confirmation was not requested' || fail "the page has no headline"

case_begin "what was confirmed is exported without a warning"
tune quick
run "$HONE" export last --format yaml
expect_status 0
expect_err ""
case $("$HONE" show last)$("$HONE" report last) in *unconfirmed* | *"not proved"*) fail "it is called unconfirmed" ;; esac

case_begin "the reason is that of the leader, whatever the others' intervals are"
record "$TMP/leader.json" 8 '[2.0, 1.6, 1.99, 1.99, 1.99, 1.99, 1.99, 1.99][K]'
spec leader "  noise: 0.5"
tune leader
expect_out_contains "INCONCLUSIVE: whether K=1 is faster than the baseline remains open ("
expect_figure 'run["low"] > 1.01' True
expect_out_contains "there were too few pairs for a verdict"

case_begin "few pairs of a slow program are continued until they prove what they show"
record "$TMP/slow.json" 5 '[30000, 2500, 2500, 2500, 2500][K]'
spec slow "  noise: 0.08
  drift: [{from: 10, factor: 4}]"
tune slow --top 4
expect_out_contains "IMPROVED: "
expect_figure 'run["low"] > 8' True

case_begin "where confirming fails, that is the reason, and not the noise"
record "$TMP/lost.json" 3 '[2.0, 1.0, 5.0][K]'
spec lost "  faults: [{when: K == 1, outcome: runner_exit, from: confirm}]"
tune lost
expect_out_contains "INCONCLUSIVE: whether a candidate is faster than the baseline remains open: no device was left to confirm on"
expect_out_contains "the best candidate in screening is K=1 (2.00 times as fast as the baseline, unconfirmed)"
case $OUT in *"too small"* | *"quieter machine"*) fail "noise is blamed: $OUT" ;; esac

# ---- Short budgets ----

case_begin "a short budget is not spent on a contest that has no candidate yet"
recording "$TMP/slow.json" "K=range(8)" "100 if K == 0 else 50" 1200
spec slow
tune slow --budget 6s --builders 2
expect_out_contains "INCONCLUSIVE: whether K="
expect_out_contains "2.00 times as fast as the baseline there"
expect_figure 'len(run["evaluations"]) > 1' True

# ---- Quick runs ----

# Seconds of the whole run, against those until the last candidate was screened.
in_bound='[run["wall_s"] <= 1.5 * run["screening"]["ended_s"] + 1, run["verdict"]]'

case_begin "a quick run takes at most 1.5 times its screening and a second: fast kernels"
recording "$TMP/quick.json" "K=range(60)" "[4, 2, 3][K % 3] + K / 100" 20
spec quick
tune quick --effort quick
expect_figure "$in_bound" "[True, 'IMPROVED']"
expect_figure 'len(run["evaluations"]) > 10' True

case_begin "slow ones: fewer are confirmed, with fewer rows"
recording "$TMP/quick.json" "K=range(24)" "[400, 200, 300][K % 3] + K" 10
tune quick --effort quick --top 8
expect_figure "$in_bound" "[True, 'IMPROVED']"

case_begin "what cannot be proved in that time remains open, with what continues the run"
recording "$TMP/quick.json" "K=range(2)" "[800, 400][K]" 10
tune quick --effort quick
expect_figure "$in_bound" "[True, 'INCONCLUSIVE']"
expect_out_contains "the proof was complete; --effort normal continues it"
tune quick --effort normal
expect_figure '[run["verdict"], run["counts"]["reused"]]' "['IMPROVED', 1]"

case_begin "a job that has not ended by then is given up"
recording "$TMP/quick.json" "K=range(3)" "2 - (K > 0)" 1
spec quick "  pace: 1
  faults: [{when: K > 0, outcome: hang, from: confirm}]
measure: {timeout: 100s}"
RUN_TIMEOUT=60 run "$HONE" tune "$TMP/quick.yaml" --strategy exhaustive --effort quick
expect_status 0
expect_figure 'run["verdict"]' INCONCLUSIVE
expect_out_contains "the proof was complete; --effort normal continues it"

case_begin "noise that decides nothing does not make it longer"
recording "$TMP/quick.json" "K=range(40)" "100 + K" 10
spec quick "  noise: 0.3"
tune quick --effort quick
expect_figure "$in_bound[0]" True
run "$HONE" show last --log
expect_out_contains "quick: the last candidate was screened after "

cases_end
