#!/usr/bin/env bash
# The same seed asks for the same configurations, in the same order, however many builders there are
# and however long anything takes: for every strategy, on a recording whose samples are the same.
. "$(dirname "$0")/lib.sh"
export COLUMNS=200 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache

recording=$PWD/examples/replay/convolution_a100.json.gz
ln -s "$recording" "$TMP/convolution_a100.json.gz"

# spec NAME PACE: noise, failures of every stage, and builds that take PACE seconds for a recorded one.
spec() {
  cat >"$TMP/$1.yaml" <<END
name: convolution
backend: sim
file: convolution_a100.json.gz
sim:
  noise: 0.02
  pace: $2
  faults:
    - {when: block_size_x == 256 and block_size_y == 1, outcome: crash}
    - {when: block_size_x == 48 and block_size_y == 1, outcome: wrong_result}
    - {when: block_size_x == 176 and tile_size_y == 4, outcome: compile_error}
END
}
spec fast 0
spec paced 0.001

# choices SPEC OPTIONS...: what was evaluated, in the order in which the search asked for it, one a line;
# with $TIMES also what it was told. No number is missing, and none is there twice.
choices() {
  local spec=$1
  shift
  rm -rf "$TMP/store.db"* "$TMP/cache"
  run "$HONE" tune "$TMP/$spec.yaml" --seed 7 --stop-after screen "$@"
  expect_status 0
  python3 - "$TMP/store.db" "config${TIMES:+, outcome, time_ns / baseline_ns}" <<'END'
import sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute(
    f"SELECT asked, {sys.argv[2]} FROM evaluations WHERE is_baseline = 0 ORDER BY asked").fetchall()
if [row[0] for row in rows] != list(range(1, len(rows) + 1)):
    print("numbers:", *[row[0] for row in rows])
for row in rows:
    print(*row)
END
}

# Something else that wants the processors, now and then.
disturb() {
  while :; do
    for _ in {1..5000}; do :; done
    read -rt "0.0$((RANDOM % 9 + 1))" <>"$TMP/never"
  done
}
mkfifo "$TMP/never"

# same NAME OPTIONS...: the same choices with any number of builders, paced and disturbed.
same() {
  local name=$1 first
  shift
  case_begin "$name"
  choices fast --builders 1 "$@" >"$TMP/first"
  first=$(cat "$TMP/first")
  [ "$(wc -l <"$TMP/first")" -gt 20 ] || fail "too few are evaluated: $first"
  choices paced --builders 4 "$@" >"$TMP/other"
  expect_same "what 4 builders evaluate that take their time" "$first" "$(cat "$TMP/other")"
  disturb 2>"$TMP/disturb" &
  disturber=$!
  choices paced --builders 2 "$@" >"$TMP/other"
  kill "$disturber"
  wait "$disturber" 2>"$TMP/disturb"
  expect_same "what 2 builders evaluate on a busy machine" "$first" "$(cat "$TMP/other")"
}

strategies=$("$HONE" tune "$recording" --strategy none 2>&1 | sed -n 's/.*known strategies: //p' | tr -d ',')
for strategy in $strategies; do
  case $strategy in
    exhaustive | random | ordered) TIMES='' ;; # nothing depends on these
    *) TIMES=yes ;;
  esac
  same "$strategy asks the same" --strategy "$strategy" --evals 45
  same "$strategy asks the same while devices measure" --strategy "$strategy" --evals 45 --overlap
done

case_begin "every strategy was asked"
[ "$(wc -w <<<"$strategies")" -ge 10 ] || fail "strategies: $strategies"

TIMES=''
# With a number of configurations there is no limit in seconds, which are recorded ones or real ones.
same "patience ends at the same place" --effort quick --evals 50
same "patience of a strategy that does not learn ends there, too" --effort quick --evals 50 --strategy random --overlap

cases_end
