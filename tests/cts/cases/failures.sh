# Every way to fail has its class, costs one candidate, and whoever comes next is measured as if nothing were.

ways='BASE FAST NO_COMPILE COMPILE_FOREVER WRONG PAST_END ILLEGAL HANGS'
shared='' limit=''
case $backend in
c) ways+=' TRAPS' ;;
opencl)
  ways+=' LARGE_BLOCK MUCH_LOCAL'
  limit='built.local_bytes <= 2048'
  ;;
cuda)
  ways+=' MISALIGNED TRAPS LARGE_BLOCK LARGE_SHARED MUCH_LOCAL'
  shared=", shared: \"2 ** 28 if WAY == 'LARGE_SHARED' and not TWICE else 0\""
  limit='built.shared_bytes <= 2048'
  ;;
esac
block="\"4 * device.max_threads if WAY == 'LARGE_BLOCK' and not TWICE else 64\""
spec failures failures failures <<END
problem: {N: 64}
params: {WAY: [${ways// /, }], TWICE: [0, 1]}
baseline: {WAY: BASE, TWICE: 0}
search: {strategy: exhaustive}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: uniform, low: 1, high: 2}}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: one, type: f32, value: 1}
  - {name: zero, type: f32, value: 0}
  - {name: n, type: i32, value: N}
check: {rtol: 0, atol: 0}
launch: {grid: [1], block: [$block]$shared}
END
if on_gpu; then
  echo "constraints: ['$limit']" >>"$TMP/failures.yaml"
  echo "build: {timeout: 10s}" >>"$TMP/failures.yaml"
else
  sed -i 's/^build: .*/build: {flags: [-O1], timeout: 10s}/' "$TMP/failures.yaml"
fi

case_begin "a run with all kinds of failures ends well, and whoever comes after one is good"
RUN_TIMEOUT=300 seconds tune failures --timeout 3s
expect_status 0
expect_figure 'len(all)' $((2 * $(set -- $ways && echo $#)))
expect_figure 'sorted(e["config"] for e in all if "TWICE=1" in e["config"] and e["outcome"] not in ("ok", "slow"))' '[]'

case_begin "the best is found among them"
expect_figure 'min((e for e in all if e["time_ns"]), key=lambda e: e["time_ns"] / e["baseline_ns"])["config"].split(",")[0]' \
  WAY=FAST

expect_failure() { # expect_failure CASE WAY CLASS [EVIDENCE]
  case " $ways " in
  *" $2 "*)
    case_begin "$1"
    expect_outcome "WAY=$2,TWICE=0" "$3" "${4-}"
    ;;
  *) case_skip "$1" "not with backend $backend" ;;
  esac
}
illegal_class=crash illegal_words=SIGSEGV
if is opencl; then illegal_class='crash|device_fault' illegal_words=; fi
if is cuda; then illegal_class=device_fault illegal_words='illegal'; fi
trap_class=crash
if is cuda; then trap_class=device_fault; fi
expect_failure "compile_error, in the compiler's words" NO_COMPILE compile_error "nobody can compile this"
expect_failure "compile_timeout" COMPILE_FOREVER compile_timeout
expect_failure "wrong_result" WRONG wrong_result "first at [0]: got -1"
expect_failure "a guard zone" PAST_END wrong_result "wrote past the end of 'y'"
expect_failure "an illegal address" ILLEGAL "$illegal_class" "$illegal_words"
expect_failure "a misaligned address" MISALIGNED device_fault misaligned
expect_failure "a trap" TRAPS "$trap_class"
expect_failure "a hang" HANGS hang "did not return within 3.0 s"
expect_failure "too large a block" LARGE_BLOCK launch_failure
expect_failure "too much shared memory" LARGE_SHARED launch_failure
if is opencl && [ "$(figure 'of["WAY=MUCH_LOCAL,TWICE=0"]["costs"]["local_bytes"]')" = 0 ]; then
  case_skip "a constraint on what was built" "this driver says 0 of a kernel's local memory: it lies on the stack"
else
  built_words='built.shared_bytes is 4096'
  if is opencl; then built_words='built.local_bytes is 4'; fi # 4096, and what a driver adds: NVIDIA's 4
  expect_failure "a constraint on what was built" MUCH_LOCAL invalid "$built_words"
fi

case_begin "a hang is over two seconds after its deadline"
seconds try failures --config WAY=HANGS,TWICE=0 --timeout 2s
expect_status 1
expect_said "hang: "
# what starts and ends a process, and times the baseline, is not counted exactly: 8 s for that
expect_below "the time in seconds" "$SECONDS_TAKEN" 12

case_begin "more memory than there is"
spec huge copy copy <<'END'
problem: {N: 2 ** 39}
params: {V: [0]}
args:
  - {name: x, type: u8, shape: [N], fill: zero}
  - {name: y, type: u8, shape: [N], role: out}
  - {name: n, type: i64, value: N}
END
try huge
[ "$STATUS" != 0 ] || fail "it ran"
expect_said "the arguments take 1024.0 GiB"

case_begin "a function that is not there"
sed 's/^entry: .*/entry: nowhere/' "$TMP/probe.yaml" >"$TMP/lost.yaml"
try lost
[ "$STATUS" != 0 ] || fail "it ran"
expect_said nowhere
