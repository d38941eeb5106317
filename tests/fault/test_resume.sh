#!/usr/bin/env bash
# What is measured once is not measured again, and what was stopped goes on.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
. "$(dirname "$0")/store.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
RUN_TIMEOUT=150
cp tests/fault/steady.c tests/fault/steady.yaml "$TMP"
cd "$TMP" || exit 1

figure() { # figure EXPRESSION: of the last run
  "$HONE" show last --format json |
    python3 -c 'import json, sys; run = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"
}
expect_figure() { # expect_figure EXPRESSION VALUE
  got=$(figure "$1")
  [ "$got" = "$2" ] || fail "$1 is $got, not $2"
}
has_more_than() { # has_more_than COUNT: evaluations of the last run
  [ "$(figure 'len(run["evaluations"])' 2>/dev/null || echo 0)" -gt "$1" ]
}
compiled='sum(e["compile_s"] is not None and not e["cached"] for e in run["evaluations"])'
reused='sum(bool(e["reused_from"]) for e in run["evaluations"])'

case_begin "a first run measures everything"
run "$HONE" tune steady.yaml --quiet
expect_status 0
expect_figure 'len(run["evaluations"])' 40
expect_figure "$compiled" 40

case_begin "the same command again answers from the store"
first=$(figure 'run["run"]')
run "$HONE" tune steady.yaml --quiet
expect_status 0
expect_figure 'run["run"]' "$first"

case_begin "one more value: only that is measured"
sed -i 's/range(40)/range(41)/' steady.yaml
run "$HONE" tune steady.yaml --quiet
expect_status 0
expect_figure 'len(run["evaluations"])' 41
expect_figure "$reused" 39

case_begin "comments in spec and kernel change nothing"
echo '# a comment' >>steady.yaml
echo '/* a comment */' >>steady.c
second=$(figure 'run["run"]')
run "$HONE" tune steady.yaml --quiet
expect_status 0
expect_figure 'run["run"]' "$second"

case_begin "--fresh measures anew, without compiling"
run "$HONE" tune steady.yaml --fresh --quiet
expect_status 0
expect_figure 'run["run"] == '"$second" False
expect_figure "$reused" 0
expect_figure "$compiled" 0

case_begin "another kernel is another run"
sed -i 's/x\[i\] + 1/x[i] + 2/' steady.c
run "$HONE" tune steady.yaml --quiet
expect_status 0
expect_figure "$reused" 0
expect_figure "$compiled" 41

# ---- Signals ----

interrupt() { # interrupt SIGNAL [AGAIN]: of a run that has begun to measure
  rm -f "$HONE_STORE"*
  sed -i 's/range([0-9]*)/range(3000)/' steady.yaml
  "$HONE" tune steady.yaml >out 2>err &
  driver=$!
  wait_until has_more_than 5
  kill -"$1" $driver
  if [ -n "${2-}" ]; then # two that come at once may be one
    wait_until grep -q stopping err
    kill -"$2" $driver 2>/dev/null
  fi
  began=$SECONDS
  wait $driver
  STATUS=$? OUT=$(cat out) ERR=$(cat err) COMMAND="\$ hone tune, $1"
}

for signal in INT TERM HUP; do
  case_begin "SIG$signal: results are kept, a summary, and how to go on"
  interrupt $signal
  expect_status 130
  expect_out_contains "hone tune steady.yaml"
  expect_figure 'run["state"]' interrupted
  kept=$(figure 'len(run["evaluations"])')
  [ "$kept" -gt 5 ] || fail "kept $kept"
done

case_begin "twice: at once"
interrupt INT INT
expect_status 130
[ $((SECONDS - began)) -lt 15 ] || fail "took $((SECONDS - began)) s"
expect_figure 'run["state"]' interrupted

case_begin "the same command goes on where it stopped"
run_before=$(figure 'run["run"]')
kept=$(figure 'len(run["evaluations"])')
"$HONE" tune steady.yaml --quiet >out 2>err &
driver=$!
wait_until has_more_than $((kept + 1))
kill -INT $driver
wait $driver
expect_figure 'run["run"]' "$run_before"
now=$(figure 'len(run["evaluations"])')
[ "$now" -gt "$kept" ] || fail "had $kept, has $now"

case_begin "what is measured while an earlier build takes long is kept at once, and not measured again"
# record SECONDS CONFIG: all builds take no time, but that of CONFIG takes SECONDS.
record() {
  python3 - "$@" >slow.json <<'PY'
import json, sys
configs = {str(k): {"K": k, "time": 1 + k / 10, "compile_time": 1e3 * float(sys.argv[1]) if f"K={k}" == sys.argv[2] else 0}
           for k in range(60)}
json.dump({"device_name": "none", "kernel_name": "k", "tune_params_keys": ["K"],
           "tune_params": {"K": list(range(60))}, "cache": configs}, sys.stdout)
PY
}
ask() { # ask QUERY: of the store
  python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row)' "$HONE_STORE" "$1" 2>/dev/null
}
has_rows() { # has_rows COUNT: candidates that were evaluated
  [ "$(ask 'SELECT count(*) FROM evaluations WHERE is_baseline = 0')" -ge "$1" ] 2>/dev/null
}
kept='SELECT evaluations.id, config, made, count(samples.id) FROM evaluations JOIN samples ON evaluation = evaluations.id
  WHERE is_baseline = 0 GROUP BY evaluations.id ORDER BY evaluations.id'
slow=(tune slow.yaml --strategy random --effort quick --overlap --builders 2 --quiet)
kill_after() { # kill_after COUNT: the driver, when so many candidates are in the store
  "$HONE" "${slow[@]}" >slow.out 2>&1 &
  driver=$!
  wait_until has_rows "$1"
  kill -9 $driver
  wait $driver 2>/dev/null
}
printf 'backend: sim\nfile: slow.json\nbaseline: {K: 30}\nsim: {pace: 1}\n' >slow.yaml
record 0 none
rm -f "$HONE_STORE"*
run "$HONE" "${slow[@]}" --stop-after screen
expect_status 0
first=$(ask 'SELECT config FROM evaluations WHERE asked = 1')
[ -n "$first" ] || fail "nothing was asked for"
record 600 "$first"
rm -rf "$HONE_STORE"* "$HONE_CACHE"
kill_after 5
before=$(ask "$kept")
expect_same "evaluations of $first" 0 "$(ask "SELECT count(*) FROM evaluations WHERE config = '$first'")"
count=$(wc -l <<<"$before")
kill_after $((count + 3))
expect_same "what was kept" "$before" "$(ask "$kept" | head -n "$count")"
expect_same "samples of each" 1 "$(ask "$kept" | awk '{print $NF}' | sort -u)"

case_begin "nothing is left running"
expect_nothing_left

cases_end
