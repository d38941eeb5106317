/* y += a * x, with its spec in the same file: the annotations below are YAML.
 *
 *   hone space examples/annotated/saxpy.c
 *   cc -O3 -march=native -DLANES=8 -DUNROLL=4 -DAHEAD=256 -c saxpy.c */

/*@hone
name: saxpy
problem: {N: [4096, 1048576]}
params:
  LANES: [1, 4, 8, 16]          # floats in a vector
  UNROLL: [1, 2, 4, 8]          # vectors in a step
  AHEAD: [0, 64, 256, 1024]     # elements to prefetch ahead; 0: none
derived: {STEP: LANES * UNROLL}
constraints:
  - N % STEP == 0
  - STEP <= 64                  # what the registers hold
  - AHEAD == 0 or AHEAD >= 2 * STEP
baseline: {LANES: 1, UNROLL: 1, AHEAD: 0}
*/

typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

//@hone entry: saxpy
//@hone args:
//@hone   - {name: n, type: i32, value: N}
//@hone   - {name: a, type: f32, value: 2.5}
//@hone   - {name: x, type: f32, shape: [N], fill: uniform}
//@hone   - {name: y, type: f32, shape: [N], fill: uniform, role: inout}
void saxpy(int n, float a, const float *restrict x, float *restrict y)
{
  for (int i = 0; i < n; i += LANES * UNROLL) {
    if (AHEAD && i + AHEAD < n) {
      __builtin_prefetch(x + i + AHEAD);
      __builtin_prefetch(y + i + AHEAD, 1);
    }
    for (int u = 0; u < UNROLL; u++)
      *(lanes *)(y + i + u * LANES) += a * *(const lanes *)(x + i + u * LANES);
  }
}
