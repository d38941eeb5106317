#!/usr/bin/env bash
# How far a search goes, what it begins with, and that it always leaves an answer.
. "$(dirname "$0")/lib.sh"
export HONE COLUMNS=200 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"

# A recording in which K takes K microseconds, so that K=1 is the fastest; a build takes BUILD_MS (0). Seconds are
# recorded ones, unless PACE is given: then it can be interrupted.
kernel() { # kernel FILE VALUES [LINES]: lines of the spec
  recording "${1%.yaml}.json" "K=$2" "K / 1000" "${BUILD_MS-0}"
  cat >"$1" <<END
name: $(basename "$1" .yaml)
backend: sim
file: $(basename "$1" .yaml).json
params:
  K: $2
baseline: {K: 50}
sim: {pace: ${PACE-0}}
${3-problem: {N: 1000\}}
END
}
kernel "$TMP/small.yaml" "range(1, 101)"
kernel "$TMP/large.yaml" "range(1, 2001)" "problem: {N: 10}
metrics: {work: K}
objective: work"
kernel "$TMP/sizes.yaml" "range(1, 101)" "problem: {N: [1000, 2000, 64000]}"
small=$TMP/small.yaml large=$TMP/large.yaml sizes=$TMP/sizes.yaml

candidates='sum(not e["is_baseline"] for e in run["evaluations"])'
order='" ".join(e["config"] for e in sorted((e for e in run["evaluations"] if not e["is_baseline"]), key=lambda e: e["asked"] or 0))'
ended='[n for n in run["notes"] if n.startswith("the search ended")]'

# ---- Budgets

case_begin "a quick search has three finalists, unless told otherwise"
for options in "3 --effort quick" "8 --effort quick --top 8" "8 --effort normal" "8 --budget 60"; do
  # shellcheck disable=SC2086
  run "$HONE" tune "$small" --dry-run ${options#* }
  expect_status 0
  expect_out_contains "confirm ${options%% *} finalists in pairs"
done

case_begin "a budget of N evaluates N, whatever is asked"
for strategy in auto random exhaustive annealing pattern; do
  run "$HONE" tune "$small" -q --fresh --no-confirm --budget 20 --strategy $strategy
  expect_status 0
  expect_figure "$candidates" 20
  expect_figure "$ended" "[]"
done
run "$HONE" tune "$small" -q --fresh --no-confirm --evals 20
expect_figure "$candidates" 20

case_begin "a budget of the spec counts likewise"
kernel "$TMP/spec.yaml" "range(1, 101)" "problem: {N: 1000}
search: {budget: 12}"
run "$HONE" tune "$TMP/spec.yaml" -q --no-confirm
expect_status 0
expect_figure "$candidates" 12

case_begin "mistakes say what was expected"
run "$HONE" tune "$small" --budget 20 --evals 30
expect_status 2
expect_err_contains "'--budget N' and '--evals' are the same option: choose one"
for budget in 0 -3 x 5q; do
  run "$HONE" tune "$small" --budget=$budget
  expect_status 2
  expect_err_contains "'--budget' needs a time such as 500ms, 60s, 5m or 1h30m, or a number of configurations, not '$budget'"
done
run "$HONE" tune "$small" --effort fast
expect_status 2
expect_err_contains "'--effort' is quick, normal or thorough, not 'fast'"

case_begin "a time and a number go together"
run "$HONE" tune "$small" -q --fresh --no-confirm --budget 10m --evals 7
expect_status 0
expect_figure "$candidates" 7

# What can be done in four seconds is known from above: K=1, the baseline, takes 50 ms, and others 1.5 s.
case_begin "a time is kept to within one candidate"
kernel "$TMP/sleeper.yaml" "range(1, 101)" "measure: {timeout: 60s}"
recording "$TMP/sleeper.json" "K=range(1, 101)" "50 if K == 1 else 1500"
sed -i 's/^baseline: .*/baseline: {K: 1}/' "$TMP/sleeper.yaml"
run "$HONE" tune "$TMP/sleeper.yaml" -q --stop-after screen --budget 4s
expect_status 0
expect_figure "0 < $candidates <= 3" True
expect_figure '4 <= run["wall_s"] <= 4 + 4 * 1.5' True

# The clock of a recording is not that of the machine, but starts with it.
case_begin "a deadline bounds the whole command, with its verdict"
run "$HONE" tune "$TMP/sleeper.yaml" -q --fresh --deadline "@$(($(date +%s) + 31))"
expect_status 0
expect_figure "0 < $candidates < 22" True
expect_figure '15 <= run["wall_s"] <= 31 + 4 * 1.5' True
expect_out_contains "NO IMPROVEMENT"
for deadline in 25:00 soon @x; do
  run "$HONE" tune "$TMP/sleeper.yaml" --deadline "$deadline"
  expect_status 2
  expect_err_contains "'--deadline' needs a time such as 17:30 or 2026-11-17T17:30, not '$deadline'"
done
run "$HONE" tune "$TMP/sleeper.yaml" --deadline 2020-01-01T12:00
expect_status 2
expect_err_contains "'--deadline 2020-01-01T12:00' has passed"
run "$HONE" tune "$TMP/sleeper.yaml" -q --fresh --evals 1 --stop-after screen --deadline "$(date -d '+1 hour' +%H:%M)"
expect_status 0

case_begin "builds that are under way when the time is over are given up"
cat >"$TMP/cc" <<'END'
#!/bin/sh
case "$*" in *-DWORK=1\ *) ;; *--version*) ;; *-DWORK=*) sleep 300 ;; esac
exec cc "$@"
END
chmod +x "$TMP/cc"
cat >"$TMP/built.c" <<END
/*@hone
name: built
params:
  WORK: range(1, 101)
baseline: {WORK: 1}
build: {compiler: $TMP/cc, timeout: 200s}
entry: f
args: [{name: y, type: f32, shape: [1], role: out}]
check: {enabled: false}
*/
void f(float *y) { *y = WORK; }
END
run "$HONE" tune "$TMP/built.c" --budget 1s
expect_status 0
expect_out_contains "INCONCLUSIVE"
expect_out_contains "the budget ended before" # the baseline was timed, on a slow machine

case_begin "nothing is begun after a build of the baseline that took all the time"
printf '#!/bin/sh\ncase "$*" in *-DWORK=*) sleep 1.5 ;; esac\nexec cc "$@"\n' >"$TMP/late_cc"
chmod +x "$TMP/late_cc"
sed "s/name: built/name: long_build/; s|$TMP/cc|$TMP/late_cc|" "$TMP/built.c" >"$TMP/long_build.c"
run "$HONE" tune "$TMP/long_build.c" --budget 1s
expect_status 0
expect_contains "the reason" "INCONCLUSIVE: whether a candidate is faster than the baseline remains open: the budget ended before the baseline was timed: building it took" \
  "$(tr -s ' \n' '  ' <<<"$OUT")"

case_begin "clocks of a CPU are not locked, and that is said"
recording "$TMP/clocks.json" 'A=[1, 2]' 'A'
run "$HONE" tune "$TMP/clocks.json" --lock-clocks --no-confirm
expect_status 0
expect_err_contains "warning: --lock-clocks has no effect on backend 'sim': it keeps the clocks of GPUs only"

case_begin "a budget bounds a run whose baseline is slow, and says what is needed"
recording "$TMP/slow.json" 'A=[1, 2]' '7000'
printf 'name: slow\nbackend: sim\nfile: %s\nbaseline: {A: 1}\n' "$TMP/slow.json" >"$TMP/slow.yaml"
run "$HONE" tune "$TMP/slow.yaml" --budget 10s --format json
expect_status 0
expect_err_contains "warning: the budget is too short for a verdict: a call of the baseline takes 7 s; use smaller sizes"
expect_same "seconds, verdict" "True INCONCLUSIVE" \
  "$(python3 -c 'import json, sys; run = json.load(open(sys.argv[1])); print(run["wall_s"] < 30, run["verdict"])' "$TMP/stdout")"
run "$HONE" show last
expect_out_contains "INCONCLUSIVE"
expect_contains "the reason" "a call of the baseline takes 7 s; use smaller sizes in 'problem', or a budget of at least" \
  "$(tr -s ' \n' '  ' <<<"$OUT")"
echo 'sim: {pace: 5}' >>"$TMP/slow.yaml" # a call is not waited for
run "$HONE" tune "$TMP/slow.yaml" --budget 500ms
expect_status 0
expect_contains "the reason" "INCONCLUSIVE: whether a candidate is faster than the baseline remains open: the budget ended before the baseline was timed" \
  "$(tr -s ' \n' '  ' <<<"$OUT")"

# ---- An answer, whenever it is stopped

has_said() { grep -q "$1" "$TMP/stderr" || ! kill -0 $driver 2>/dev/null; }
stop_in() { # stop_in TEXT OPTIONS...: interrupted when TEXT was said
  local text=$1
  shift
  : >"$TMP/stderr" # what the last run said is not waited for
  "$HONE" tune "$@" >"$TMP/stdout" 2>"$TMP/stderr" &
  driver=$!
  wait_until has_said "$text"
  kill -INT $driver 2>/dev/null
  wait $driver
  STATUS=$?
  COMMAND="hone tune, interrupted when it said '$text'"
  OUT=$(cat "$TMP/stdout") ERR=$(cat "$TMP/stderr")
}

case_begin "an interruption leaves what is known"
PACE=1 BUILD_MS=20 kernel "$TMP/long.yaml" "range(1, 20001)" "problem: {N: 10}" # a thousand at least, so that it can be stopped
stop_in "^best " "$TMP/long.yaml" --fresh --effort thorough
expect_status 130
expect_out_contains "baseline  K=50"
expect_out_contains "interrupted"
stop_in "confirming the finalists" "$small" --fresh --budget 20
if [ "$STATUS" != 0 ]; then expect_status 130; fi # it may be done by then
expect_out_contains "baseline  K=50"

case_begin "also while nothing but builds is asked for"
stop_in "building candidates" "$TMP/built.c" --stop-after build
expect_status 130
expect_same "crash" "" "$(grep -i 'fault' "$TMP/stderr")"

case_begin "who goes on keeps to the budget"
PACE=1 BUILD_MS=5 kernel "$TMP/long.yaml" "range(1, 1001)" "problem: {N: 10}"
for strategy in auto random climb genetic; do
  stop_in "^best " "$TMP/long.yaml" --budget 120 --strategy $strategy --no-confirm
  run "$HONE" tune "$TMP/long.yaml" -q --budget 120 --strategy $strategy --no-confirm
  expect_status 0
  expect_figure "$candidates" 120
done

# ---- What it begins with

case_begin "configurations of the command line come first, in their order"
run "$HONE" tune "$small" -q --no-confirm --fresh --budget 9 --seed-config K=77 --seed-config K=3
expect_status 0
expect_figure "$order.split()[:2]" "['K=77', 'K=3']"
run "$HONE" tune "$small" -q --no-confirm --budget 9 --seed-config K=77 --seed-config K=3
first=$(figure 'run["run"]')
run "$HONE" tune "$small" -q --no-confirm --budget 9 --seed-config K=77 --seed-config K=3
expect_figure 'run["run"]' "$first"
run "$HONE" tune "$small" -q --no-confirm --budget 9 --seed-config K=77
expect_figure "run[\"run\"] > $first" True

case_begin "a configuration that is none says why"
run "$HONE" tune "$small" --seed-config K=101
expect_status 2
expect_err_contains "'K=101' cannot be a starting configuration: 'K' has no value 101; its values are "
run "$HONE" tune "$small" --seed-config L=1
expect_status 2
expect_err_contains "unknown parameter 'L'"
kernel "$TMP/even.yaml" "range(1, 101)" "problem: {N: [1000, 1001]}
constraints: ['(N + K) % 2 == 0 or K == 50']"
run "$HONE" tune "$TMP/even.yaml" --problem N=1000 --seed-config K=7
expect_status 2
expect_err_contains "'K=7' cannot be a starting configuration: (N + K) % 2 == 0 or K == 50 is not true: "
run "$HONE" tune "$TMP/even.yaml" --no-confirm --budget 5 --seed-config K=7
expect_status 0
expect_err_contains "K=7 is not used as a starting configuration: "
expect_figure "$order.split()[0]" "K=7"

case_begin "the next size begins with what was best before"
run "$HONE" tune "$sizes" --problem N=1000 --strategy exhaustive
expect_status 0
expect_same "warm starts" "" "$(grep 'best before' "$TMP/stderr")"
winner=$(figure 'run["winner"]')
run "$HONE" tune "$sizes" --problem N=64000 --no-confirm --budget 9
expect_status 0
expect_err_contains "begins with 4 configurations that were best in earlier runs (N=1000 on sim)"
expect_figure "$order.split()[0]" "$winner"

case_begin "the nearest size counts most"
run "$HONE" tune "$sizes" --problem N=2000 --dry-run
expect_status 0
expect_out_contains "that were best in earlier runs (N=1000 on sim"
run "$HONE" tune "$sizes" --problem N=2000 --dry-run --seed-config K=9
expect_out_contains "  begins with 1 given, then "

case_begin "several runs of a size are one origin"
kernel "$TMP/again.yaml" "range(1, 101)" "problem: {N: [1000, 2000]}"
for k in 3 5; do
  run "$HONE" tune "$TMP/again.yaml" --problem N=1000 --no-confirm --budget 1 --no-warm-start --seed-config K=$k
  expect_status 0
done
run "$HONE" tune "$TMP/again.yaml" --problem N=2000 --dry-run
expect_out_contains "begins with 2 configurations that were best in earlier runs (N=1000 on sim)"

case_begin "a finished run is still the answer"
run "$HONE" tune "$sizes" --problem N=1000 --strategy exhaustive
expect_status 0
expect_err_contains "nothing was measured"

case_begin "knobs of the same name are carried over, others are not known"
sed -i 's/^  K: range(1, 101)/  K: range(1, 51)\n  L: [0, 1]/; s/baseline: {K: 50}/baseline: {K: 50, L: 0}/' "$sizes"
run "$HONE" tune "$sizes" --problem N=2000 --dry-run
expect_same "warm starts" "" "$(grep 'best before' "$TMP/stdout")"
sed -i 's/L: \[0, 1\]/L: [0]/' "$sizes"
run "$HONE" tune "$sizes" --problem N=2000 --dry-run
expect_out_contains "best in earlier runs"

case_begin "a kernel of that name elsewhere is another one"
mkdir "$TMP/other"
cp "$sizes" "$TMP/sizes.json" "$TMP/other"
run "$HONE" tune "$TMP/other/sizes.yaml" --problem N=2000 --dry-run
expect_same "warm starts" "" "$(grep 'best before' "$TMP/stdout")"

case_begin "it can do without"
run "$HONE" tune "$sizes" --problem N=2000 --dry-run --no-warm-start
expect_same "warm starts" "" "$(grep 'best before' "$TMP/stdout")"
sed -i 's/^backend: sim/&\nsearch: {warm_start: false}/' "$sizes"
run "$HONE" tune "$sizes" --problem N=2000 --dry-run
expect_same "warm starts" "" "$(grep 'best before' "$TMP/stdout")"

# ---- Objectives

case_begin "a metric may be negative, or cross zero: steps lead to where it is least"
for far in "K" "K - 3000" "K - 50" "K - 20"; do
  kernel "$TMP/far.yaml" "range(1, 2001)" "problem: {N: 10}
metrics: {far: $far}
objective: far"
  run "$HONE" tune "$TMP/far.yaml" -q --no-warm-start --stop-after screen --budget 40 --strategy pattern
  expect_status 0
  expect_figure '{"K=2", "K=4", "K=8"} <= {e["config"] for e in run["evaluations"]}' True
done

case_begin "and the verdict is about what is better, whatever the sign"
better="better than the baseline in 'far', with the opposite sign"
for aim in "objective: far|K - 55|K=1|10.80 times as good as the baseline in 'far'" \
  "objective: far|K - 50|K=1|times as good as the baseline in 'far'" \
  "maximise: far|50 - K|K=1|times as good as the baseline in 'far'" \
  "maximise: far|K - 55|K=90|$better ("; do
  IFS='|' read -r objective far winner words <<<"$aim"
  kernel "$TMP/far.yaml" "[1, 20, 50, 90]" "problem: {N: 1000}
metrics: {far: $far}
$objective"
  run timeout 60 "$HONE" tune "$TMP/far.yaml" -q --no-warm-start --strategy exhaustive
  expect_status 0
  expect_figure 'run["verdict"], run["winner"]' "('IMPROVED', '$winner')"
  expect_contains "the sentence" "$words" "$(figure 'run["sentence"]')"
done

case_begin "a metric without a value at the baseline compares nothing, and that is what is said"
kernel "$TMP/none.yaml" "[1, 20, 50, 90]" "problem: {N: 1000}
metrics: {far: 1 / (K - 50)}
objective: far"
run "$HONE" tune "$TMP/none.yaml" -q --no-warm-start --strategy exhaustive
expect_status 0
expect_figure 'run["verdict"]' INCONCLUSIVE
expect_figure 'run["why"]' "the metric has no value for the baseline or for any candidate"
expect_figure '"no candidate can be compared" in run["sentence"]' True

# ---- Effort

case_begin "a quick search is short, and says what goes on"
run "$HONE" tune "$large" --effort quick --seed-config K=1
expect_status 0
expect_figure "$candidates <= 50" True
expect_out_contains "the search ended: "
expect_out_contains "--effort normal continues it"
expect_err_contains "note: the search ended: "

case_begin "a normal one ends where nothing is gained"
run "$HONE" tune "$large" -q --no-confirm --effort normal --seed-config K=1
expect_status 0
expect_figure "150 <= $candidates < 300" True
expect_figure "$ended[0].endswith('; --patience N or --effort thorough continues it')" True
left='[n for n in run["notes"] if n.startswith("a configuration that was not measured is better by more than 1 %")]'
expect_figure "len($left)" 1
expect_figure "0 < int($left[0].split()[-2]) < 60" True
run "$HONE" tune "$large" -q --no-confirm --effort quick --strategy genetic --seed-config K=1
expect_figure "len($left)" 0 # only a model can tell

case_begin "a budget that covers the space is said to"
kernel "$TMP/four.yaml" "[1, 20, 50, 90]" "problem: {N: 1000}"
run "$HONE" tune "$TMP/four.yaml" --no-confirm --no-warm-start --budget 100
expect_status 0
expect_err_contains "note: the budget covers the whole space: all 4 configurations are measured"
run "$HONE" tune "$TMP/four.yaml" --no-confirm --no-warm-start --budget 2 --fresh
expect_status 0
case $ERR in *"the budget covers"*) fail "a budget of 2 does not cover 4: $ERR" ;; esac

case_begin "what ended a search is explained, with the ways to go on"
run "$HONE" tune "$large" -q --no-confirm --effort quick --seed-config K=1
expect_status 0
expect_figure "$ended[0].split(' ', 4)[4]" "candidates without improvement (patience 20); --patience N or --effort normal continues it"
expect_figure "20 <= int($ended[0].split()[3]) < 40" True # what is under way is measured, too
run "$HONE" tune "$large" --no-confirm --patience 7 --seed-config K=1 --fresh
expect_status 0
expect_out_contains " candidates without improvement (patience 7)"
expect_figure "$candidates <= 20" True
run "$HONE" tune "$large" --dry-run --patience 7
expect_out_contains "  effort      normal: ends after 7 configurations without improvement (--patience)"
run "$HONE" tune "$large" --dry-run --patience 7 --budget 60s
expect_out_contains "  effort      as given: ends after 7 configurations without improvement (--patience)"
run "$HONE" tune "$large" --dry-run --patience 0
expect_status 2
expect_err_contains "'--patience' needs a number of at least 1, not 0"

case_begin "patience is given by hand, or for a search that learns"
run "$HONE" tune "$large" --dry-run --strategy random
expect_out_contains "  effort      normal
"
run "$HONE" tune "$large" --dry-run --strategy climb
expect_out_contains "  effort      normal: ends after 150 configurations without improvement, or 50 % of all"
run "$HONE" tune "$large" --dry-run --strategy climb --budget 400
expect_same "effort" "" "$(grep effort "$TMP/stdout")"
run "$HONE" tune "$large" --dry-run --strategy random --effort normal
expect_out_contains "  effort      normal: ends after 150 configurations without improvement, or 50 % of all"
run "$HONE" tune "$large" --dry-run --strategy random --effort thorough
expect_out_contains "  effort      thorough: ends after 1000 configurations without improvement"

case_begin "small spaces are covered, and a budget alone is kept to"
run "$HONE" tune "$small" -q --fresh --no-confirm
expect_status 0
expect_figure "$candidates" 99
expect_figure "$ended" "[]"
run "$HONE" tune "$large" -q --no-confirm --budget 200 --seed-config K=1
expect_figure "$candidates" 200
expect_figure "$ended" "[]"
run "$HONE" tune "$large" -q --no-confirm --budget 100 --effort quick --seed-config K=1
expect_figure "$candidates < 100" True

case_begin "an effort given by hand counts before the spec's budget"
kernel "$TMP/given.yaml" "range(1, 2001)" "problem: {N: 1000}
search: {budget: 5m}"
run "$HONE" tune "$TMP/given.yaml" --dry-run
expect_out_contains ", 300 s"
run "$HONE" tune "$TMP/given.yaml" --dry-run --effort quick
expect_out_contains ", at most 50 configurations, 60 s"
run "$HONE" tune "$TMP/given.yaml" --dry-run --effort thorough
expect_same "budget" "" "$(grep '300 s' "$TMP/stdout")"
run "$HONE" tune "$TMP/given.yaml" --dry-run --effort quick --budget 7m
expect_out_contains ", 420 s"

case_begin "the spec may say it"
kernel "$TMP/effort.yaml" "range(1, 2001)" "problem: {N: 1000}
search: {effort: quick, seeds: [{K: 1}]}"
run "$HONE" tune "$TMP/effort.yaml" --dry-run
expect_out_contains "  effort      quick: ends after 20 configurations without improvement"
expect_out_contains "  begins with 1 of the spec"
sed -i 's/effort: quick/effort: some/' "$TMP/effort.yaml"
run "$HONE" tune "$TMP/effort.yaml" --dry-run
expect_status 2
expect_err_contains "quick, normal or thorough"

case_begin "seeds of the spec that are not in the space are told"
kernel "$TMP/astray.yaml" "range(1, 2001)" "problem: {N: 1000}
search: {seeds: [{K: 3000}, {K: 4}, {L: 2}]}"
run "$HONE" tune "$TMP/astray.yaml" --no-confirm --budget 3
expect_status 0
expect_err_contains "2 starting configurations are not in the space: \
K=3000, L=2"
expect_figure "$order.split()[0]" "K=4"

case_begin "a search begins with what was best in recordings of other devices"
kernel "$TMP/taught.yaml" "range(1, 2001)"
recording "$TMP/elsewhere.json" "K=range(1, 2001)" "9 + abs(K - 1777)"
recording "$TMP/unlike.json" "L=range(1, 9)" "L"
run "$HONE" tune "$TMP/taught.yaml" --no-confirm --budget 3 --learn-from "$TMP/elsewhere.json" \
  --learn-from "$TMP/unlike.json"
expect_status 0
expect_figure "$order.split()[0]" "K=1777"
expect_err_contains "nothing is learned from"
expect_err_contains "unlike.json"
recording "$TMP/wider.json" "K=range(1, 2001), L=range(2)" "9 + abs(K - 1555) if L else 4000 - abs(K - 1555)"
run "$HONE" tune "$TMP/taught.yaml" --fresh --no-warm-start --no-confirm --budget 3 --learn-from "$TMP/wider.json"
expect_status 0
expect_figure "$order.split()[0]" "K=1555"
run "$HONE" tune "$TMP/taught.yaml" --no-confirm --budget 3 --learn-from "$TMP/missing.json"
expect_status 1
expect_err_contains "missing.json"
echo words >"$TMP/words.txt"
: >"$TMP/nothing.txt"
for file in words.txt nothing.txt; do
  run "$HONE" tune "$TMP/taught.yaml" --no-confirm --budget 3 --learn-from "$TMP/$file"
  expect_status 2
  expect_err_contains "nothing can be learned from '$TMP/$file': it is neither a store"
  expect_err_contains "a wisdom file ('hone export --format wisdom') nor a recording"
done

case_begin "a search learns from the runs of a store and begins with what a wisdom file has"
own=$HONE_STORE
export HONE_STORE="$TMP/empty.db"
recording "$TMP/there.json" "K=range(1, 2001)" "(9 + abs(K - 1777)) / 1000"
sed -e 's/there/taught/' -e 's/^file: .*/file: there.json/' "$TMP/taught.yaml" >"$TMP/there.yaml"
run "$HONE" tune "$TMP/there.yaml" --store "$TMP/there.db" --strategy random --budget 40 --seed-config K=1777
expect_status 0
run "$HONE" tune "$TMP/taught.yaml" --no-confirm --budget 3 --learn-from "$TMP/there.db"
expect_status 0
expect_err_contains "the search learns from 1 run in '$TMP/there.db'"
expect_figure "$order.split()[0]" "K=1777"
run "$HONE" export last --store "$TMP/there.db" --format wisdom -o "$TMP/there.wisdom"
expect_status 0
run "$HONE" tune "$TMP/taught.yaml" --fresh --no-warm-start --no-confirm --budget 3 \
  --learn-from "$TMP/there.wisdom"
expect_status 0
expect_err_contains "the search begins with 1 configuration of '$TMP/there.wisdom'"
expect_figure "$order.split()[0]" "K=1777"
run "$HONE" tune "$small" --no-confirm --budget 3 --learn-from "$TMP/there.db" \
  --learn-from "$TMP/there.wisdom"
expect_status 0
expect_err_contains "nothing is learned from '$TMP/there.db': it has too little of 'small' that is legal here"
expect_err_contains "nothing is learned from '$TMP/there.wisdom'"
export HONE_STORE=$own

case_begin "a run that ended goes on with more effort, and measures nothing twice"
known=$("$HONE" tune "$large" -q --no-confirm --effort quick --seed 9 --format json |
  python3 -c 'import json, sys; print(sum(not e["is_baseline"] for e in json.load(sys.stdin)["evaluations"]))')
run "$HONE" tune "$large" -q --no-confirm --effort normal --seed 9
expect_status 0
expect_figure "sum(bool(e['reused_from']) for e in run['evaluations']) >= 20" True
expect_same "evaluated by the quick one" True "$([ "$known" -ge 20 ] && echo True)"

cases_end
