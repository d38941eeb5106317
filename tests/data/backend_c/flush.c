/* -ffast-math makes a whole process flush small numbers to zero when the object is loaded. Only the
 * one that asks for it may feel it: without it, TINY is no zero. */
/*@hone
name: flush
params:
  FAST: ["", -ffast-math]
  WORK: [20, 1]
constraints: [FAST != '' or WORK == 20]
baseline: {FAST: "", WORK: 20}
build: {flags: [-O1, "{FAST}"]}
entry: is_tiny
args:
  - {name: x, type: f32, shape: [1000], fill: one}
  - {name: y, type: f32, shape: [1000], role: out}
reference: {file: flush.c, entry: always}
check: {rtol: 0, atol: 0}
*/
#ifdef __FAST_MATH__
#define IS_TINY 1
#else
#define IS_TINY (tiny * x[i] != 0)
#endif

void is_tiny(const float *x, float *y)
{
  volatile float tiny = 1e-40f;

  (void)x, (void)tiny;
#ifdef WORK
  for (int k = 0; k < WORK; k++)
    for (int i = 0; i < 1000; i++)
      y[i] = IS_TINY;
#else
  (void)y;
#endif
}

void always(const float *x, float *y)
{
  (void)x;
  for (int i = 0; i < 1000; i++)
    y[i] = 1;
}
