#!/usr/bin/env bash
# Runs that ask for the same: one process makes it and others wait; a finished one answers, an unfinished
# one goes on, and --fresh measures again.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
. "$(dirname "$0")/store.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
RUN_TIMEOUT=150
cp tests/fault/steady.c tests/fault/steady.yaml tests/fault/gate.c "$TMP"
cd "$TMP" || exit 1
sed 's/steady\.c/gate.c/; s/name: steady/name: gate/; s/range(40)/range(4)/' steady.yaml >gate.yaml
sed -i "s|flags: .*|flags: [-O1, '-DGATE=\"$TMP/open\"']}|" gate.yaml
sed 's/range(40)/range(3000)/; s/name: steady/name: large/' steady.yaml >large.yaml
gated=(tune gate.yaml --timeout 100s --no-cap --no-confirm)
small=(tune steady.yaml --evals 4 --no-confirm --quiet)
large=(tune large.yaml --no-confirm --quiet)

states() { ask "$HONE_STORE" 'select id, state from runs order by id'; }
is_running() { [ "$(ask "$HONE_STORE" "select count(*) from runs where state = 'running'" 2>/dev/null)" = 1 ]; }
has_rows() { # has_rows RUN COUNT
  [ "$(ask "$HONE_STORE" "select count(*) from evaluations where run = $1" 2>/dev/null || echo 0)" -ge "$2" ]
}
begin_gated() { # the first process, which does not end before the gate is open
  rm -f "$HONE_STORE"* open
  "$HONE" "${gated[@]}" >out1 2>err1 &
  first=$!
  wait_until is_running
}
interrupt() { # interrupt RUN COUNT OPTIONS: the large spec's, once this run has so many rows
  local run=$1 count=$2
  shift 2
  "$HONE" "${large[@]}" "$@" >out 2>err &
  first=$!
  wait_until has_rows "$run" "$count"
  kill -INT $first
  wait $first
  STATUS=$? OUT=$(cat out) ERR=$(cat err) COMMAND="\$ hone ${large[*]} $*"
  expect_status 130
}

# ---- Two at once ----

case_begin "--no-wait: ends with the run, the process and the host"
begin_gated
run "$HONE" "${gated[@]}" --no-wait
expect_status 1
expect_err_contains "run 1 is being tuned by pid $first on host $(uname -n) since $(date -u +%Y)"

case_begin "without it: waits and is answered by the first"
"$HONE" "${gated[@]}" >out2 2>err2 &
second=$!
wait_until grep -q "run 1 is being tuned by pid $first on host .*: waiting (--no-wait ends instead)" err2
touch open
wait $first
expect_same "status of the first" 0 "$?"
wait $second
expect_same "status of the second" 0 "$?"
expect_contains "what the second says" "nothing was measured" "$(cat err2)"
expect_same "runs" "1 finished" "$(states)"

case_begin "the first is killed: the second goes on with its run"
begin_gated
"$HONE" "${gated[@]}" >out2 2>err2 &
second=$!
wait_until grep -q "waiting" err2
kill -9 $first
wait $first 2>/dev/null
touch open
wait $second
expect_same "status of the second" 0 "$?"
expect_contains "what the second says" "resuming run 1" "$(cat err2)"
expect_same "runs" "1 finished" "$(states)"

case_begin "another run of the same store does not wait"
begin_gated
run "$HONE" "${small[@]}"
expect_status 0
kill -INT $first
touch open
wait $first

case_begin "a sweep waits as well, and --no-wait ends it"
cat >sweep.yaml <<YAML
name: sweep
file: sweep.sh
params: {A: [1, 2]}
YAML
cat >sweep.sh <<SH
until [ -e "$TMP/open" ]; do sleep 0.05; done
echo '{"time_ms": 1.5}'
SH
rm -f "$HONE_STORE"* open
"$HONE" sweep sweep.yaml --output-dir a >out1 2>err1 &
first=$!
wait_until is_running
run "$HONE" sweep sweep.yaml --output-dir b --no-wait
expect_status 1
expect_err_contains "is being tuned by pid $first"
touch open
wait $first

case_begin "a store by two names has one lock"
begin_gated
ln -sf "$HONE_STORE" "$TMP/link.db"
run "$HONE" "${gated[@]}" --no-wait --store "$TMP/link.db"
expect_status 1
expect_err_contains "is being tuned by pid $first"
touch open
wait $first

case_begin "--wait waits, as without it; the last of --wait and --no-wait counts"
begin_gated
run "$HONE" "${gated[@]}" --wait --no-wait
expect_status 1
"$HONE" "${gated[@]}" --no-wait --wait >out2 2>err2 &
second=$!
wait_until grep -q "waiting" err2
touch open
wait $first
wait $second
expect_same "status of the second" 0 "$?"
expect_same "runs" "1 finished" "$(states)"

# ---- Where the file system has no locks, the store tells who makes the run ----

case_begin "without locks: --no-wait names the process"
rm -rf "$HONE_STORE"* open
mkdir "$HONE_STORE-lock"
"$HONE" "${gated[@]}" >out1 2>err1 &
first=$!
wait_until is_running
run "$HONE" "${gated[@]}" --no-wait
expect_status 1
expect_err_contains "run 1 is being tuned by pid $first on host $(uname -n)"

case_begin "without locks: the second waits and is answered by the first"
"$HONE" "${gated[@]}" >out2 2>err2 &
second=$!
wait_until grep -q "waiting" err2
touch open
wait $first
wait $second
expect_same "status of the second" 0 "$?"
expect_same "runs" "1 finished" "$(states)"

case_begin "without locks: the first is killed, and the second goes on"
rm -f "$HONE_STORE" "$HONE_STORE"-[ws]* open
"$HONE" "${gated[@]}" >out1 2>err1 &
first=$!
wait_until is_running
"$HONE" "${gated[@]}" >out2 2>err2 &
second=$!
wait_until grep -q "waiting" err2
kill -9 $first
wait $first 2>/dev/null
touch open
wait $second
expect_same "status of the second" 0 "$?"
expect_contains "what the second says" "resuming run 1" "$(cat err2)"
expect_same "runs" "1 finished" "$(states)"
rmdir "$HONE_STORE-lock"

# ---- Answers, going on, measuring again ----

case_begin "--fresh is remembered: the newest run answers"
rm -f "$HONE_STORE"*
run "$HONE" "${small[@]}"
expect_status 0
run "$HONE" "${small[@]}" --fresh
expect_status 0
expect_same "runs" $'1 finished\n2 finished' "$(states)"
run "$HONE" tune steady.yaml --evals 4 --no-confirm
expect_status 0
expect_err_contains "from run 2 of"
expect_same "runs" $'1 finished\n2 finished' "$(states)"

case_begin "--fresh again measures again"
run "$HONE" "${small[@]}" --fresh
expect_same "runs" $'1 finished\n2 finished\n3 finished' "$(states)"
expect_same "times of earlier runs" 0 "$(ask "$HONE_STORE" 'select count(*) from evaluations where run > 1 and reused_from is not null')"

case_begin "an interrupted --fresh: the same without it goes on"
rm -f "$HONE_STORE"*
"$HONE" "${large[@]}" --evals 4 >/dev/null 2>&1
interrupt 2 3
interrupt 3 3 --fresh
expect_same "runs" $'1 finished\n2 interrupted\n3 interrupted' "$(states)"
expect_out_contains "continue"
if grep -q -- '--fresh' out; then fail "going on would measure again: $OUT"; fi
kept=$(ask "$HONE_STORE" 'select count(*) from evaluations where run = 3')
interrupt 3 $((kept + 2))
expect_same "runs" $'1 finished\n2 interrupted\n3 interrupted' "$(states)"
expect_same "times of earlier runs" 0 "$(ask "$HONE_STORE" 'select count(*) from evaluations where run = 3 and reused_from is not null')"

case_begin "--fresh after an interrupted --fresh begins anew"
interrupt 4 3 --fresh
expect_same "runs" $'1 finished\n2 interrupted\n3 interrupted\n4 interrupted' "$(states)"

case_begin "a finished run that is newer than an interrupted one answers"
rm -f "$HONE_STORE"*
begin_gated
kill -INT $first
wait $first # before the gate is open: an interruption does not wait for the jobs in flight
touch open
run "$HONE" "${gated[@]}" --fresh
expect_status 0
run "$HONE" "${gated[@]}"
expect_status 0
expect_err_contains "from run 2 of"
expect_same "runs" $'1 interrupted\n2 finished' "$(states)"

case_begin "nothing is left running"
expect_nothing_left

cases_end
