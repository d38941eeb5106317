#!/usr/bin/env bash
# Devices of different kinds: a run and a winner for each kind, and how fast each winner is on the others. The devices
# are recordings: on sim:b a large X is good, on all others a small one.
. "$(dirname "$0")/lib.sh"
export COLUMNS=120 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
recording "$TMP/r.json" "X=[4, 1, 2, 8, 16]" "1 + X / 10"
spec=$TMP/k.yaml
cat >"$spec" <<'E'
name: k
backend: sim
file: r.json
baseline: {X: 4}
sim:
  noise: 0.002
  devices:
    - {device: sim:b, model: Model B, factor: 3 * 2 / ((1 + X / 10) * (1 + X / 4))}
E

tune() { # tune OPTION...
  rm -f "$HONE_STORE"*
  run "$HONE" tune "$spec" --strategy exhaustive "$@"
  expect_status 0
}
runs() { # runs EXPRESSION RESULT: of all stored runs
  expect_same "runs" "$2" "$(for run in $("$HONE" show --format json | python3 -c '
import json, sys
for run in json.load(sys.stdin): print(run["run"])' | sort -n); do "$HONE" show "$run" --format json; done | python3 -c '
import json, sys
text, runs, at = sys.stdin.read(), [], 0
while text[at:].strip():
    run, at = json.JSONDecoder().raw_decode(text, at + len(text[at:]) - len(text[at:].lstrip()))
    runs.append(run)
def devices(run): return sorted({e["device"] for e in run["evaluations"]})
print(eval(sys.argv[1]))' "$1")"
}

case_begin "devices of one kind share a run, and the spread between them is told"
tune --devices sim:0,sim:1
runs '[(devices(r), r["winner"], r["verdict"]) for r in runs]' "[(['sim:0', 'sim:1'], 'X=1', 'IMPROVED')]"
expect_out_contains "confirmed on 2 devices"
expect_same "notes that both have" 1 "$(grep -c 'times come from a recording' <<<"$OUT")"
if [[ $OUT == *"all runs"* ]]; then fail "an overview of one run"; fi

case_begin "each kind has its own baseline and its own winner"
tune --devices sim:0,sim:b,sim:1
expect_err_contains "the devices are of several kinds: each kind has its own run and its own winner"
runs '[(devices(r), r["winner"]) for r in runs]' "[(['sim:0', 'sim:1'], 'X=1'), (['sim:b'], 'X=16')]"
expect_out_contains "all runs"
expect_out_contains "Model B (sim:b)"

case_begin "the best of each kind is measured on the others"
expect_out_contains "the best of each kind of device on the others"
runs '[[(e["run"], e["config"], e["outcome"], round(e["speedup"], 1)) for e in r["devices"]["elsewhere"]] for r in runs]' \
  "[[(2, 'X=16', 'ok', 0.5)], [(1, 'X=1', 'ok', 0.6)]]"
run "$HONE" show 1
expect_out_contains "the best of run 2, of other devices: 0.5"

case_begin "a page of several runs begins with the matrix, and says once what many have"
run "$HONE" report 2 1 -o "$TMP/kinds.html"
expect_status 0
expect_same "order" "matrix sentence Summary " "$(grep -o 'class="matrix"\|<p class="sentence"\|<h2>Summary' "$TMP/kinds.html" |
  sed 's/.*matrix.*/matrix/; s/.*sentence.*/sentence/; s/<h2>//' | uniq | tr '\n' ' ')"
expect_same "answers" "Answers of run 2, run 1 are NOT checked: this is a recording." \
  "$(sed -n 's|.*<p class="note">\(Answers .*\)</p>|\1|p' "$TMP/kinds.html")"
expect_same "devices" 1 "$(grep -c 'Different device: .* in run 2; .* in run 1' "$TMP/kinds.html")"

case_begin "the same command answers with all of it, and measures nothing"
run "$HONE" tune "$spec" --strategy exhaustive --devices sim:0,sim:b,sim:1
expect_status 0
expect_err_contains "nothing was measured"
expect_out_contains "the best of each kind of device on the others"
runs 'len(runs)' 2

case_begin "JSON has the runs of all kinds"
run "$HONE" tune "$spec" --strategy exhaustive --devices sim:0,sim:b,sim:1 --format json
expect_same "kinds" "['recording of k on none (sim:0, sim:1)', 'Model B (sim:b)']" \
  "$(python3 -c 'import json, sys; print([r["devices"]["kind"] for r in json.load(open(sys.argv[1]))])' "$TMP/stdout")"

case_begin "terminal, list and JSON count a configuration once, and have one time of the baseline"
tune --devices sim:0,sim:1
expect_out_contains "of these     5 compiled"
expect_same "list" 5 "$("$HONE" show --format json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["evaluations"])')"
runs '[(r["counts"]["evaluations"], r["counts"]["compiled"]) for r in runs]' "[(5, 5)]"
expect_same "pairs of the baseline" "$(awk '/^  winner .* to / {print $(NF - 2), $(NF - 1)}' <<<"$OUT")" \
  "$(awk '/^  baseline .* ms / {print $(NF - 2), $(NF - 1)}' <<<"$OUT")"
"$HONE" export last --format csv >"$TMP/kinds.csv" 2>/dev/null
expect_same "time of the baseline" "$(sed -n 's/^  baseline *\([0-9.]*\) ms .*/\1/p' <<<"$OUT")" \
  "$(python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    if row["X"] == "4": print("%#.4g" % float(row["met (ms)"]))' "$TMP/kinds.csv")"

case_begin "a run for each device, or one for all"
tune --devices sim:0,sim:1 --per-device each --no-confirm
runs '[devices(r) for r in runs]' "[['sim:0'], ['sim:1']]"
tune --devices sim:0,sim:b --per-device none --no-confirm
runs '[devices(r) for r in runs]' "[['sim:0', 'sim:b']]"

case_begin "the best of each problem stands beside the others"
cat >"$TMP/sizes.yaml" <<'E'
name: sizes
backend: sim
file: r.json
problem: {n: [1, 2], m: 7}
baseline: {X: 4}
sim: {faults: [{when: n == 2 and X == 1, outcome: crash}]}
E
rm -f "$HONE_STORE"*
run "$HONE" tune "$TMP/sizes.yaml" --strategy exhaustive -q
expect_status 0
expect_same "the matrix" "the best of each problem on the others: m=7
               n=1    n=2
  best of 1  1.27x  crash
  best of 2  1.17x  1.17x" "$(sed -n '/^the best of each problem/,$p' "$TMP/stdout")"
run "$HONE" report 1 2 -o "$TMP/sizes.html"
expect_status 0
expect_same "its cells" '1.27x crash 1.17x 1.17x' \
  "$(sed -n '/class="matrix"/,/<\/section>/p' "$TMP/sizes.html" | grep -oE '<td class="n[^>]*>[^<]*(<span[^>]*>[^<]*</span>)?' | sed 's/<[^>]*>/ /g' | xargs)"
expect_same "what its sentences are about" 'run 1, n=1 m=7: run 2, n=2 m=7:' \
  "$(grep -o '<p class="sentence"><b>[^<]*' "$TMP/sizes.html" | sed 's/<[^>]*>//g' | xargs)"
run "$HONE" report 1 -o "$TMP/one.html"
if grep -q 'class="matrix"' "$TMP/one.html"; then fail "a matrix of one run"; fi

case_begin "a problem whose baseline fails has no place in the matrix, and pages are of the others"
cat >"$TMP/some.yaml" <<'E'
name: some
backend: sim
file: r.json
problem: {n: [1, 2, 3]}
baseline: {X: 4}
sim: {faults: [{when: n == 2 and (X == 1 or X == 8), outcome: crash}, {when: n == 3, outcome: crash}]}
E
rm -f "$HONE_STORE"*
run "$HONE" tune "$TMP/some.yaml" --strategy exhaustive -q
expect_status 1
expect_same "the matrix" "the best of each problem on the others
               n=1    n=2
  best of 1  1.27x  crash
  best of 2  1.17x  1.17x" "$(sed -n '/^the best of each problem/,$p' "$TMP/stdout")"
run "$HONE" show 3
expect_out_contains "build, check and time the baseline separately:
    hone run $TMP/some.yaml --problem n=3"
run "$HONE" report 1 2 3 -o "$TMP/some.html"
expect_status 0
expect_err_contains "run 3 has no results and is left out: the run failed: the baseline fails on 'sim': crash"
run "$HONE" report 3
expect_status 1
expect_err_contains "run 3 has no results: it ended before anything was measured; 'hone show 3' shows why"

case_begin "several problems on several kinds: each run has its report, once"
sed 's/^backend/problem: {N: [1, 2, 3]}\nbackend/' "$spec" >"$TMP/sizes.yaml"
rm -f "$HONE_STORE"*
run "$HONE" tune "$TMP/sizes.yaml" --strategy exhaustive --devices sim:0,sim:b
expect_status 0
expect_same "reports" "1 2 3 4 5 6" "$(sed -n 's/^k  N=.*  run \([0-9]*\),.*/\1/p' <<<"$OUT" | sort -n | xargs)"
expect_same "rows of the overview" "1 2 3 4 5 6" "$(sed -n '/^all runs/,/^$/s/^ *\([0-9][0-9]*\)  N=.*/\1/p' <<<"$OUT" | sort -n | xargs)"

case_begin "hosts of different kinds, by their fingerprints"
cat >"$TMP/ssh" <<'E'
#!/bin/bash
while [[ $1 == -* ]]; do [ "$1" = -T ] && shift || shift 2; done
shift
exec sh -c "$*"
E
chmod +x "$TMP/ssh"
printf 'one\ntwo HONE_SIM_DEVICE=sim:b\nthree\n' >"$TMP/hosts"
PATH=$TMP:$PATH tune --cluster ssh:"$TMP/hosts" --no-confirm
runs '[devices(r) for r in runs]' "[['one/sim', 'three/sim'], ['two/sim']]"

cat >"$TMP/slow.yaml" <<'E'
name: slow
backend: sim
file: r.json
baseline: {X: 4}
sim:
  noise: 0.002
  pace: 2
  devices:
    - {device: sim:b, model: Model B}
    - {device: sim:c, model: Model C}
E
cat >"$TMP/ssh" <<'E'
#!/bin/bash
while [[ $1 == -* ]]; do [ "$1" = -T ] && shift || shift 2; done
host=$1
shift
if [ -e "${0%/*}/gone.$host" ]; then echo "ssh: connect to host $host port 22: No route to host" >&2; exit 255; fi
if [ "$host" = two ] && [ -e "${0%/*}/kill" ]; then
  if [ -e "${0%/*}/once" ]; then rm "${0%/*}/kill"; kill -KILL $PPID; exit; fi
  touch "${0%/*}/once"
fi
if [ "$host" = two ] && [ -e "${0%/*}/back" ]; then # for its own run 'two' starts when 'one' is back
  if [ -e "${0%/*}/once" ]; then
    rm -f "${0%/*}/gone.one"
    while [ ! -e "${0%/*}/came" ]; do sleep 0.1; done
  fi
  touch "${0%/*}/once"
fi
[ "$host" = one ] && touch "${0%/*}/came"
exec sh -c "$*"
E
printf 'one\ntwo HONE_SIM_DEVICE=sim:b\nthree HONE_SIM_DEVICE=sim:c\n' >"$TMP/hosts"
mixed() { # mixed OPTION...: hosts of three kinds
  PATH=$TMP:$PATH run "$HONE" tune "$TMP/$pace.yaml" --strategy exhaustive --cluster ssh:"$TMP/hosts" "$@"
}
rows() { # rows SQL
  python3 -c 'import sqlite3, sys
print(";".join(" ".join(map(str, row)) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])))' "$HONE_STORE" "$1"
}

case_begin "kinds are measured at the same time"
rm -f "$HONE_STORE"*
sed 's/pace: 2/pace: 8/' "$TMP/slow.yaml" >"$TMP/slower.yaml"
pace=slower # on a busy machine workers may take seconds to start
mixed
expect_status 0
runs '[devices(r) for r in runs]' "[['one/sim'], ['two/sim'], ['three/sim']]"
# Rows of a store are in the order in which they came.
expect_same "the first of each run comes before the last of the others" 1 "$(rows 'SELECT max(first) < min(last) FROM
  (SELECT min(id) AS first, max(id) AS last FROM samples JOIN (SELECT id AS evaluation, run FROM evaluations)
     USING (evaluation) GROUP BY run)')"
expect_out_contains "all runs"

pace=slow
case_begin "a run is resumed on devices of its kind only"
rm -f "$HONE_STORE"*
touch "$TMP/kill" # when the worker of 'two' starts for the run of its kind, the driver is killed
mixed
expect_status 137
touch "$TMP/gone.one"
mixed
expect_status 0
expect_err_contains "run 1 is of recording of k on none (one/sim), and no such device is available"
expect_same "runs" "1 interrupted one/sim;2 finished two/sim;3 finished three/sim" \
  "$(rows 'SELECT runs.id, state, group_concat(DISTINCT device) FROM runs JOIN evaluations ON run = runs.id GROUP BY runs.id')"
rm "$TMP/gone.one"
mixed
expect_status 0
expect_err_contains "resuming run 1"
runs '[(r["state"], devices(r), sorted(e["run"] for e in r["devices"]["elsewhere"])) for r in runs]' \
  "[('finished', ['one/sim'], [2, 3]), ('finished', ['two/sim'], [1, 3]), ('finished', ['three/sim'], [1, 2])]"

case_begin "a run whose devices come back while others go on is continued"
rm -f "$HONE_STORE"* "$TMP/once"
touch "$TMP/kill"
mixed
expect_status 137
touch "$TMP/gone.one" "$TMP/back"
rm -f "$TMP/once" "$TMP/came"
RUN_TIMEOUT=120 mixed
expect_status 0
expect_err_contains "run 1 is of recording of k on none (one/sim), and no such device is available"
expect_err_contains "device 'one/sim' is back: run 1 continues"
runs '[(r["state"], devices(r), sorted(e["run"] for e in r["devices"]["elsewhere"])) for r in runs]' \
  "[('finished', ['one/sim'], [2, 3]), ('finished', ['two/sim'], [1, 3]), ('finished', ['three/sim'], [1, 2])]"

cases_end
