/* c = a + b, with its spec in the same file: the annotations below are YAML.
 *
 *   hone space examples/vector_add/vector_add.c
 *   hone tune examples/vector_add/vector_add.c
 *   cc -O2 -march=native -DLANES=8 -DUNROLL=4 -DAHEAD=256 -shared -fPIC vector_add.c */

/*@hone
name: vector_add
problem: {N: [65536, 1048576]}  # each size is tuned by itself
params:
  LANES: [1, 4, 8, 16]          # floats in a vector; 1: no vectors
  UNROLL: [1, 2, 4, 8]          # vectors in a step
  AHEAD: [0, 64, 256, 1024]     # elements to prefetch ahead; 0: none
derived: {STEP: LANES * UNROLL}
constraints:
  - N % STEP == 0               # there is no loop for a rest
  - STEP <= 64
  - AHEAD == 0 or AHEAD >= 2 * STEP
baseline: {LANES: 1, UNROLL: 1, AHEAD: 0}
*/

#if LANES == 1
typedef float lanes;
#else
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
#endif

//@hone build: {flags: [-O2, -march=native]}
//@hone entry: vector_add
//@hone args:
//@hone   - {name: n, type: i32, value: N}
//@hone   - {name: a, type: f32, shape: [N], fill: uniform}
//@hone   - {name: b, type: f32, shape: [N], fill: uniform}
//@hone   - {name: c, type: f32, shape: [N], role: out}
//@hone reference: baseline
//@hone check: {rtol: 0, atol: 0}
//@hone metrics: {GB/s: 12 * N / time_ns}
void vector_add(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
  for (int i = 0; i < n; i += LANES * UNROLL) {
    if (AHEAD && i + AHEAD < n) {
      __builtin_prefetch(a + i + AHEAD);
      __builtin_prefetch(b + i + AHEAD);
    }
#pragma GCC unroll 8
    for (int u = 0; u < LANES * UNROLL; u += LANES)
      *(lanes *)(c + i + u) = *(const lanes *)(a + i + u) + *(const lanes *)(b + i + u);
  }
}
