# What is right, what is wrong, and how it is found out.

ways='BASE RIGHT EVERYWHERE ONE_ELEMENT LAST_ELEMENT NOT_A_NUMBER WRITES_NOTHING FORGETS_ONE FORGETS_LAST
LATER_WRONG LATER_NOTHING PAST_OUTPUT BEFORE_OUTPUT PAST_INPUT BEFORE_INPUT PAST_INOUT BEFORE_INOUT WRITES_INPUT
DRIFTS'
is opencl || ways+=' CHANGES' # OpenCL C has no clock and no memory of its own
spec answers answers answers <<END
problem: {N: 1003}
params: {WAY: [${ways//[[:space:]]/, }]}
baseline: {WAY: BASE}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: uniform, low: 1, high: 2}}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: z, type: f32, shape: [N], role: inout, fill: one}
  - {name: zero, type: f32, value: 0}
  - {name: n, type: i32, value: N}
check: {rtol: 0, atol: 0}
END
case_begin "a run with all kinds of wrong answers ends well"
tune answers
expect_status 0
expect_figure 'len(all)' "$(set -- $ways && echo $#)"

expect_ways() { # expect_ways CASE, and lines WAY CLASS EVIDENCE
  case_begin "$1"
  while read -r way class words; do expect_outcome "WAY=$way" "$class" "$words"; done
}
expect_ways "right answers" <<'END'
BASE ok
RIGHT ok
END
expect_ways "wrong everywhere, in one element, in the last" <<'END'
EVERYWHERE wrong_result y: 1003 of 1003 elements differ
ONE_ELEMENT wrong_result y: 1 of 1003 elements differ (0.0997 %, allowed 0 %); first at [501]
LAST_ELEMENT wrong_result first at [1002]
NOT_A_NUMBER wrong_result first at [1]: got NaN
END
expect_ways "what is not written is no answer" <<'END'
WRITES_NOTHING wrong_result y: 1003 of 1003 elements differ
FORGETS_ONE wrong_result y: 1 of 1003 elements differ (0.0997 %, allowed 0 %); first at [3]: never written
FORGETS_LAST wrong_result first at [1002]: never written
END
expect_ways "wrong in later calls only" <<'END'
LATER_WRONG nondeterministic correct at first
END
expect_ways "an answer that was there before counts, if the first call gave it" <<'END'
LATER_NOTHING ok
END
expect_ways "an inout argument is put back before each call" <<'END'
DRIFTS ok
END
expect_ways "writing past an array, or before it" <<'END'
PAST_OUTPUT wrong_result wrote past the end of 'y' (first changed byte at +0)
BEFORE_OUTPUT wrong_result wrote before the start of 'y'
PAST_INPUT wrong_result wrote past the end of 'x' (first changed byte at +0)
BEFORE_INPUT wrong_result wrote before the start of 'x'
PAST_INOUT wrong_result wrote past the end of 'z' (first changed byte at +28)
BEFORE_INOUT wrong_result wrote before the start of 'z'
END
if is opencl; then
  case_skip "another wrong answer each time" "OpenCL C has no clock"
else
  expect_ways "another wrong answer each time" <<'END'
CHANGES nondeterministic y: 1 of 1003 elements differ
END
fi
expect_ways "an input that is overwritten is put back" <<'END'
WRITES_INPUT ok
END
try answers --config WAY=WRITES_INPUT
expect_ok
expect_said "writes to its input 'x'"

case_begin "wrong in later calls only, where many are timed at once"
spec later answers later <<'END'
problem: {N: 1003}
params: {WAY: [BASE, RIGHT, LATER_WRONG]}
baseline: {WAY: BASE}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: uniform, low: 1, high: 2}}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: zero, type: f32, value: 0}
  - {name: n, type: i32, value: N}
check: {rtol: 0, atol: 0}
END
tune later
expect_status 0
expect_outcome WAY=RIGHT ok
expect_outcome WAY=LATER_WRONG nondeterministic "correct at first"

if command -v cc >"$TMP/null" 2>&1; then
  case_begin "a reference in C"
  cat >"$TMP/reference.c" <<'END'
void reference(const float *x, float *y, float *z, float zero, int n)
{
  (void)zero;
  for (int i = 0; i < n; i++) {
    y[i] = 2 * x[i] + ADD;
    z[i] += x[i];
  }
}
END
  for add in 0 1; do
    sed '/^reference:/d' "$TMP/answers.yaml" >"$TMP/by_c.yaml"
    sed "s/ADD/$add/" "$TMP/reference.c" >"$TMP/reference_$add.c"
    echo "reference: {file: reference_$add.c, entry: reference}" >>"$TMP/by_c.yaml"
    case $backend in # not for the compiler of C
    opencl) echo 'build: {flags: [-cl-mad-enable]}' >>"$TMP/by_c.yaml" ;;
    cuda) echo 'build: {flags: [--fmad=true]}' >>"$TMP/by_c.yaml" ;;
    hip) echo 'build: {flags: [-ffp-contract=fast]}' >>"$TMP/by_c.yaml" ;;
    esac
    try by_c --config WAY=RIGHT
    if [ $add = 0 ]; then expect_ok; else expect_said "y: 1003 of 1003 elements differ"; fi
  done
else
  case_skip "a reference in C" "no C compiler here"
fi
