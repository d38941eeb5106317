#!/usr/bin/env bash
# IREE's executables do everything that they can do wrong: each candidate is one row with its class, the
# good one wins, and nothing is left running. Scripts stand in for the executables; what they do not
# spoil the real ones do.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
. "$(dirname "$0")/../cli/iree.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache COLUMNS=100
unset NO_COLOR
need_iree "IREE's executables misbehave"
small_dispatch
export HONE_IREE=$data/stand-ins STAND_IN_LOG=$TMP/log

# What each does, its class, and words of the evidence.
behaviours=$(
  cat <<'BEHAVIOURS'
good ok
answer_bit wrong_result
answer_clobbers wrong_result
answer_flaky nondeterministic
answer_garbage no_result wrote no answer
answer_hangs hang still running after
answer_memory oom_device RESOURCE_EXHAUSTED
answer_mute no_result wrote no answer
answer_refused launch_failure INCOMPATIBLE; no loader
answer_segfaults crash SIGSEGV
answer_short no_result wrote no answer
answer_wrong wrong_result
bench_aborts crash SIGABRT
bench_aggregates no_result no time for the dispatch
bench_dies_later crash in the confirmation: iree-benchmark-module: signal 11 (SIGSEGV)
bench_error launch_failure DEADLINE_EXCEEDED; waiting
bench_escapes ok
bench_fails launch_failure exit status 1: list.c:42: OUT_OF_RANGE; the list has
bench_floods no_result
bench_floods_errors ok
bench_half bad_result not valid JSON
bench_hangs hang still running after
bench_infinite bad_result
bench_mute no_result exited with status 0 but gave no result
bench_nan bad_result
bench_negative bad_result
bench_noisy ok
bench_none no_result no time for the dispatch
bench_says no_result all is well
bench_segfaults crash SIGSEGV
bench_text bad_result a cpu_time of "fast" ns is not valid
bench_unit bad_result 'fortnights' is not a unit of time
bench_zero bad_result
compiler_aborts compile_crash LLVM ERROR: Cannot select
compiler_binary compile_error is no text
compiler_chats ok
compiler_deadlocks ok
compiler_empty compile_error
compiler_fails_mute compile_error
compiler_floods compile_error error: this is the first one
compiler_hangs compile_timeout
compiler_hangs_deaf compile_timeout
compiler_ignores not_applied
compiler_leaves ok
compiler_memory compile_oom out of memory
compiler_mute compile_error
compiler_segfaults compile_crash SIGSEGV
compiler_tells_nothing not_applied which configuration
compiler_truncates launch_failure
BEHAVIOURS
)

names=$(awk 'NF {printf "%s%s", sep, $1; sep = ", "}' <<<"$behaviours")
configuration='#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<behaviour = "${BEHAVIOUR}", distribution = [64, 64, 0], vector_common_parallel = [8, 16, 0], vector_reduction = [0, 0, 8]>, translation_info = <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>'
spec_of() { # spec_of NAME BEHAVIOURS
  spec "$1" <<YAML
    params: {pipeline: [own], BEHAVIOUR: [$2]}
    texts: {compilation_info: '$configuration'}
YAML
  echo "build: {timeout: 15s}"
}
spec_of misbehaviour "$names" >"$TMP/all.yaml"

winner() { "$HONE" show last --format json | python3 -c 'import json, sys; print(json.load(sys.stdin)["winner"])'; }
left_running() { # left_running CASE: no process of ours is there
  case_begin "nothing is left running ($1)"
  expect_nothing_left '^sleep 30[1-5]$|stand-ins/iree-'
}

case_begin "the run ends with a verdict"
RUN_TIMEOUT=250 run "$HONE" tune "$TMP/all.yaml" --timeout 8s --quiet
expect_status 0
expect_out_contains "IMPROVED"
outcomes >"$TMP/outcomes"

case_begin "one that is good wins"
case $(winner) in
*BEHAVIOUR=good | *BEHAVIOUR=compiler_chats | *BEHAVIOUR=compiler_leaves) ;;
*) fail "winner is $(winner)" ;;
esac
left_running "after a run"

while read -r name class words; do
  if [ -z "$name" ]; then continue; fi
  case_begin "$name: $class"
  got=$(grep "^$name " "$TMP/outcomes")
  expect_contains "outcome" "$name $class " "$got "
  expect_contains "evidence" "$words" "$got"
done <<<"$behaviours"

# ---- Before anything is tuned ----

# What a function becomes is asked for, and the answer may be none.
while read -r behaviour status words; do
  case_begin "no dispatch is dumped: $behaviour"
  HONE_CACHE=$TMP/asked DUMP_BEHAVIOUR=$behaviour run "$HONE" tune "$TMP/small.mlir" \
    --iree-target llvm-cpu --stop-after generate --quiet
  expect_status "$status"
  expect_err_contains "$words"
  expect_same "standard output" "" "$OUT"
done <<'DUMPS'
compiler_aborts 2 iree-compile: crashed: signal 6 (SIGABRT)
compiler_segfaults 2 iree-compile: crashed: signal 11 (SIGSEGV)
compiler_binary 2 is no text
compiler_fails_mute 2 iree-compile
compiler_floods 2 this is the first one
compiler_mute 2 iree-compile succeeded but wrote no output
compiler_dumps_none 2 the compiler dumped no dispatch
compiler_halves_dump 2 '{' is not closed
compiler_swells_dump 1 larger than 256 MiB
DUMPS

case_begin "a failure to dump is not kept"
HONE_CACHE=$TMP/asked run "$HONE" tune "$TMP/small.mlir" --iree-target llvm-cpu --stop-after generate --quiet
expect_status 0

case_begin "a driver that is ended while it asks leaves nothing"
mkdir "$TMP/temporary"
for signal in TERM HUP; do # a shell lets its background ignore INT
  TMPDIR=$TMP/temporary HONE_CACHE=$TMP/asked-$signal DUMP_BEHAVIOUR=compiler_delegates \
    "$HONE" tune "$TMP/small.mlir" --iree-target llvm-cpu --quiet >/dev/null 2>&1 &
  driver=$!
  wait_until pgrep -f '^sleep 301$' >/dev/null
  kill -$signal $driver
  wait $driver 2>/dev/null
  expect_same "the signal that ended it" $signal "$(kill -l $?)"
  expect_same "temporary files" "" "$(ls "$TMP/temporary")"
done
left_running "after a signal"

case_begin "hone iree tune that is ended while it compiles the model says so"
cat >"$TMP/model.mlir" <<'END'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
END
HONE_CACHE=$TMP/asked-model DUMP_BEHAVIOUR=compiler_delegates \
  "$HONE" iree tune "$TMP/model.mlir" llvm-cpu --quiet >"$TMP/out" 2>"$TMP/err" &
driver=$!
wait_until pgrep -f '^sleep 301$' >/dev/null
kill -TERM $driver
wait $driver 2>/dev/null
expect_same "status" 130 $?
expect_contains "the message" "interrupted; what was measured is kept" "$(cat "$TMP/err")"

# ---- The compiler's own choice ----

# Nothing can be compared with a baseline that does not work: it is said why.
while read -r behaviour words; do
  case_begin "a baseline that fails: $behaviour"
  spec_of "$behaviour" good >"$TMP/baseline.yaml"
  rm -rf "$HONE_CACHE/builds"
  BASELINE_BEHAVIOUR=$behaviour run "$HONE" tune "$TMP/baseline.yaml" --timeout 5s --quiet
  expect_status 1
  expect_err_contains "the baseline"
  expect_err_contains "$words"
  expect_same "standard output" "" "$OUT"
done <<'BASELINES'
compiler_aborts cannot be built: compile_crash: the compiler: signal 6 (SIGABRT): LLVM ERROR: Cannot select
compiler_mute cannot be built: compile_error
compiler_truncates fails on 'iree:local-sync': launch_failure
answer_mute fails on 'iree:local-sync': no_result: iree-run-module wrote no answer
bench_segfaults fails on 'iree:local-sync': crash: iree-benchmark-module: signal 11 (SIGSEGV)
bench_mute fails on 'iree:local-sync': no_result: iree-benchmark-module exited with status 0 but gave no result
bench_hangs fails on 'iree:local-sync': hang: iree-benchmark-module: still running
BASELINES
rm -rf "$HONE_CACHE/builds"
left_running "after bad baselines"

# ---- Kills, full disks, several at once: with the real executables ----

export HONE_IREE=$REAL_IREE
small=("$HONE" tune "$TMP/small.mlir" --iree-target llvm-cpu --no-confirm --screen-samples 1 --quiet)
ask() { # ask STORE SQL: one line a row
  python3 - "$1" "$2" 2>/dev/null <<'PY'
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1], timeout=10).execute(sys.argv[2]):
    print(*row)
PY
}

case_begin "a driver that is killed: the next one goes on, and nothing is there twice"
rm -f "$HONE_STORE"*
"${small[@]}" --num-candidates 9 >/dev/null 2>&1 &
driver=$!
has_rows() {
  rows=$(ask "$HONE_STORE" 'select count(*) from evaluations')
  [ "${rows:-0}" -ge 2 ]
}
wait_until has_rows
{
  kill -9 $driver
  wait $driver
} 2>/dev/null
kept=$(ask "$HONE_STORE" 'select id, config from evaluations')
run "${small[@]}" --num-candidates 9
expect_status 0
expect_out_contains "10 ok"
expect_same "runs" "1 finished" "$(ask "$HONE_STORE" 'select id, state from runs')"
expect_same "rows" "10 10" "$(ask "$HONE_STORE" 'select count(*), count(distinct config) from evaluations')"
now=$(ask "$HONE_STORE" 'select id, config from evaluations')
expect_same "lost" "" "$(comm -23 <(sort <<<"$kept") <(sort <<<"$now"))"
left_running "after a kill"

case_begin "two runs share a cache"
rm -rf "$HONE_CACHE"
"${small[@]}" --num-candidates 4 --store "$TMP/first.db" >"$TMP/first" 2>&1 &
first=$!
"${small[@]}" --num-candidates 4 --store "$TMP/second.db" >"$TMP/second" 2>&1
expect_same "status of the second" 0 $?
wait $first
expect_same "status of the first" 0 $?
expect_contains "the first" "5 ok" "$(cat "$TMP/first")"
expect_contains "the second" "5 ok" "$(cat "$TMP/second")"
run "${small[@]}" --num-candidates 4 --store "$TMP/third.db"
expect_out_contains "5 built before"

case_begin "damaged files in the cache are built anew"
find "$HONE_CACHE/objects" -type f -exec truncate -s 100 {} +
find "$HONE_CACHE/iree" -name dispatch.mlir -exec truncate -s 100 {} +
run "${small[@]}" --num-candidates 4 --store "$TMP/fourth.db"
expect_status 0
expect_out_contains "5 ok"

disk=$TMP/disk
mkdir "$disk"
trap 'umount "$disk" 2>/dev/null; rm -rf "$TMP"' EXIT
if mount -t tmpfs -o size=100k tmpfs "$disk" 2>"$TMP/why"; then
  case_begin "the cache's disk is full: the run goes on"
  HONE_CACHE=$disk/cache run "${small[@]}" --num-candidates 3 --store "$TMP/full.db"
  expect_status 0
  expect_out_contains "4 ok"
  umount "$disk"

  case_begin "no room for the dispatch: said by name"
  mount -t tmpfs -o size=12k tmpfs "$disk"
  HONE_CACHE=$disk/cache run "${small[@]}" --num-candidates 3 --store "$TMP/full.db" --fresh
  expect_status 1
  expect_err_contains "$disk/cache"
  expect_err_contains "no space left"
  umount "$disk"
else
  case_skip "the cache's disk is full" "no file system can be mounted: $(cat "$TMP/why")"
fi

cases_end
