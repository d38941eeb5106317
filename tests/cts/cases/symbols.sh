# Arrays of the source as arguments: __constant__ and __device__ in CUDA, global arrays in C. OpenCL has `__constant`
# pointers, which are ordinary arguments.

ways='BASE RIGHT WRONG FORGETS SAYS_WRONG STATE_WRONG LATER_WRONG'
symbol=''
if ! is opencl; then
  ways+=' NO_ARRAY SMALL_ARRAY'
  symbol=', symbol: true'
fi
cat >"$TMP/symbols_reference.c" <<'END'
void reference(const float *x, const float *filter, float *y, float *said, float *state, int n)
{
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * filter[i % 5];
    said[i] = 3 * x[i];
    state[i] += x[i];
  }
}
END
spec symbols symbols symbols <<END
problem: {N: 1003}
params: {WAY: [${ways// /, }]}
baseline: {WAY: BASE}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: uniform, low: 1, high: 2}}
  - {name: filter, type: f32, shape: [5], fill: {kind: uniform, low: 1, high: 2}$symbol}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: said, type: f32, shape: [N], role: out$symbol}
  - {name: state, type: f32, shape: [N], role: inout, fill: one$symbol}
  - {name: n, type: i32, value: N}
check: {rtol: 0, atol: 0}
END

case_begin "arrays outside of the function are filled, read and put back"
tune symbols
expect_status 0
expect_outcome WAY=BASE ok
expect_outcome WAY=RIGHT ok
expect_outcome WAY=LATER_WRONG nondeterministic "correct at first"

case_begin "what is wrong in them is seen"
expect_outcome WAY=WRONG wrong_result "y: 1003 of 1003 elements differ"
expect_outcome WAY=FORGETS wrong_result "said: 1 of 1003 elements differ (0.0997 %, allowed 0 %); first at [500]: never written"
expect_outcome WAY=SAYS_WRONG wrong_result "said: 1 of 1003 elements differ (0.0997 %, allowed 0 %); first at [1002]"
expect_outcome WAY=STATE_WRONG wrong_result "state: 1003 of 1003 elements differ"

if command -v cc >"$TMP/null" 2>&1; then
  case_begin "a reference in C takes them as pointers"
  sed 's/^reference:.*//' "$TMP/symbols.yaml" >"$TMP/symbols_by_c.yaml"
  echo 'reference: {file: symbols_reference.c, entry: reference}' >>"$TMP/symbols_by_c.yaml"
  tune symbols_by_c
  expect_status 0
  expect_outcome WAY=RIGHT ok
  expect_outcome WAY=WRONG wrong_result "y: 1003 of 1003 elements differ"
  expect_outcome WAY=SAYS_WRONG wrong_result "said: 1 of 1003 elements differ"
else
  case_skip "a reference in C takes them as pointers" "no C compiler here"
fi

if is opencl; then
  case_begin "OpenCL has no such arrays"
  sed 's/^\(.*name: filter.*\)}$/\1, symbol: true}/' "$TMP/symbols.yaml" >"$TMP/no_symbols.yaml"
  try no_symbols
  expect_status 2
  expect_said "no_symbols.yaml:10:"
  expect_said "backend 'opencl' does not support arguments with 'symbol'"
else
  case_begin "an array that is missing, or too small"
  tune symbols
  expect_outcome WAY=NO_ARRAY launch_failure "no array 'filter'"
  expect_outcome WAY=SMALL_ARRAY launch_failure "its array 'filter' has 16 bytes, the argument 20"
fi

# The shares of stages are timed launch by launch.
if on_gpu && ! is opencl; then
  case_begin "an array that is scratch keeps its content from one stage to the next"
  cat >"$TMP/passed.$suffix" <<'END'
__device__ float between[64];
extern "C" __global__ void first(const float *in) { between[threadIdx.x] = 2 * in[threadIdx.x]; }
extern "C" __global__ void second(float *out) { out[threadIdx.x] = between[threadIdx.x] + ADD; }
END
  cat >"$TMP/passed.yaml" <<END
backend: $backend
file: passed.$suffix
params: {ADD: [1, 2]}
baseline: {ADD: 1}
args:
  - {name: in, type: f32, shape: [64], fill: uniform}
  - {name: between, symbol: true, type: f32, shape: [64], role: scratch}
  - {name: out, type: f32, shape: [64], role: out}
stages:
  - {entry: first, args: [in], launch: {grid: 1, block: 64}}
  - {entry: second, args: [out], launch: {grid: 1, block: 64}}
END
  tune passed
  expect_status 0
  expect_outcome ADD=1 ok
  expect_outcome ADD=2 wrong_result "out: "
fi
