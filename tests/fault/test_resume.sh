#!/usr/bin/env bash
# What is measured once is not measured again, and what was stopped goes on.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
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
wait_until() { # wait_until COMMAND...: for a minute at most
  local end=$((SECONDS + 60))
  until "$@"; do
    if [ $SECONDS -ge $end ]; then
      fail "after a minute: $*"
      return
    fi
    sleep 0.1
  done
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

case_begin "nothing is left running"
expect_nothing_left

cases_end
