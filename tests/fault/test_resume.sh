#!/usr/bin/env bash
# What is measured once is not measured again, and what was stopped goes on.
. "$(dirname "$0")/../cli/lib.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
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
  for _ in $(seq 100); do
    sleep 0.1
    if [ "$(figure 'len(run["evaluations"])' 2>/dev/null || echo 0)" -gt 5 ]; then break; fi
  done
  kill -"$1" $driver
  if [ -n "${2-}" ]; then
    sleep 0.02
    kill -"$2" $driver 2>/dev/null
  fi
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
began=$(date +%s)
interrupt INT INT
expect_status 130
[ $(($(date +%s) - began)) -lt 15 ] || fail "took $(($(date +%s) - began)) s"
expect_figure 'run["state"]' interrupted

case_begin "the same command goes on where it stopped"
run_before=$(figure 'run["run"]')
kept=$(figure 'len(run["evaluations"])')
"$HONE" tune steady.yaml --quiet >out 2>err &
driver=$!
sleep 3
kill -INT $driver
wait $driver
expect_figure 'run["run"]' "$run_before"
now=$(figure 'len(run["evaluations"])')
[ "$now" -gt "$kept" ] || fail "had $kept, has $now"

case_begin "nothing is left running"
sleep 1.5
left=$(pgrep -f "$HONE worker" || true)
[ -z "$left" ] || fail "workers: $(ps -o pid,ppid,args -p $left)"

cases_end
