# Every way to fail has its class, costs one candidate, and whoever comes next is measured as if nothing were.

failures_spec

case_begin "a run with all kinds of failures ends well, and whoever comes after one is good"
RUN_TIMEOUT=300 seconds tune failures --timeout 3s
expect_status 0
expect_figure 'len(all)' "$expected"
expect_figure 'sorted(e["config"] for e in all if "TWICE=1" in e["config"] and e["outcome"] not in ("ok", "slow"))' '[]'

case_begin "the best is found among them"
best=$(figure 'min((e for e in all if e["time_ns"]), key=lambda e: e["time_ns"])["config"]')
expect_same "the best" "$(config_of FAST)" "${best/TWICE=1/TWICE=0}"

expect_failure() { # expect_failure CASE WAY
  if [ -z "${failure[$2]-}" ]; then
    case_skip "$1" "not with backend $backend"
    return
  fi
  case_begin "$1"
  read -r class words <<<"${failure[$2]}"
  expect_outcome "$(config_of "$2")" "$class" "$words"
}
expect_failure "compile_error, in the compiler's words" NO_COMPILE
expect_failure "compile_timeout" COMPILE_FOREVER
expect_failure "wrong_result" WRONG
expect_failure "a guard zone" PAST_END
expect_failure "an illegal address" ILLEGAL
expect_failure "a misaligned address" MISALIGNED
expect_failure "a trap" TRAPS
expect_failure "a hang" HANGS
expect_failure "an exit status" EXITS
expect_failure "no result" NO_RESULT
expect_failure "a result that is none" BAD_RESULT
expect_failure "too large a block" LARGE_BLOCK
expect_failure "too much shared memory" LARGE_SHARED
if is opencl && [ "$(figure 'of["WAY=MUCH_LOCAL,TWICE=0"]["costs"]["local_bytes"]')" = 0 ]; then
  case_skip "a constraint on what was built" "this driver says 0 of a kernel's local memory: it lies on the stack"
else
  expect_failure "a constraint on what was built" MUCH_LOCAL
fi

case_begin "a hang is over two seconds after its deadline"
seconds try failures --config "$(config_of HANGS)" --timeout 2s
expect_status 1
expect_said "hang: "
# what starts and ends a process, and times the baseline, is not counted exactly: 8 s for that
expect_below "the time in seconds" "$SECONDS_TAKEN" 12

after_failures
if ! has_kernels; then
  case_skip "more memory than there is" "backend $backend has no arguments"
  case_skip "a function that is not there" "backend $backend calls none"
  return
fi

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
expect_said "the arguments need 1024.0 GiB"

case_begin "a function that is not there"
sed 's/^entry: .*/entry: nowhere/' "$TMP/probe.yaml" >"$TMP/lost.yaml"
try lost
[ "$STATUS" != 0 ] || fail "it ran"
expect_said nowhere
