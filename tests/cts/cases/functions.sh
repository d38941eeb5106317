# Functions in C and commands that make inputs and check answers, for kernels, reductions and pipelines.

if ! command -v cc >"$TMP/null" 2>&1; then
  case_skip "functions in C" "no compiler of C is here"
  return
fi

case_begin "a function checks partial results, whose number is a parameter's"
spec partial reduced reduced <<'END'
problem: {N: 1003}
params: {WAY: [0, 1, 2], GRID: [1, 7]}
baseline: {WAY: 0, GRID: 7}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: integer, low: -50, high: 100}}
  - {name: sums, type: f32, shape: [GRID], role: out}
  - {name: lows, type: f32, shape: [GRID], role: out}
  - {name: highs, type: f32, shape: [GRID], role: out}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: z, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
check: {file: partial_check.c}
END
cat >"$TMP/partial_check.c" <<'END'
#include <stdio.h>
static float sum_of(const float *list, long count)
{
  float sum = 0;
  for (long i = 0; i < count; i++) sum += list[i];
  return sum;
}
int right(const float *x, const float *sums, long sum_count, const float *lows, long low_count, const float *highs,
          long high_count, const float *y, const float *z)
{
  if (low_count != sum_count || high_count != sum_count) return 1;
  if (sum_of(sums, sum_count) == sum_of(x, N)) return 0;
  printf("%ld sums are wrong\n", sum_count);
  return 1;
}
END
tune partial
expect_status 0
for grid in 1 7; do
  expect_outcome "WAY=1,GRID=$grid" ok
done
expect_outcome WAY=2,GRID=1 wrong_result "1 sums are wrong (check.file: exit status 1)"
expect_outcome WAY=2,GRID=7 wrong_result "7 sums are wrong (check.file: exit status 1)"

case_begin "a function makes inputs for a pipeline, and another one checks it"
stages=', launch: {grid: [4], block: [64]}'
if ! on_gpu; then stages=''; fi
spec made pipeline add_one <<END
problem: {N: 1000}
params: {WAY: [0, 2]}
baseline: {WAY: 0}
args:
  - {name: x, type: f32, shape: [N]}
  - {name: t, type: f32, shape: [N], role: scratch}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
  - {name: factor, type: f32, value: 3}
stages:
  - {entry: add_one, args: [x, t, n]$stages}
  - {entry: triple, args: [t, y, n, factor]$stages}
supply: {file: made_host.c, entry: make, args: [x]}
check: {file: made_host.c, entry: check}
reference: {file: made_ref.c}
END
sed -i '/^entry:/d; /^launch:/d' "$TMP/made.yaml"
cat >"$TMP/made_host.c" <<'END'
#include <stdio.h>
void make(float *x) { for (int i = 0; i < N; i++) x[i] = i; }
int check(const float *x, const float *y, const float *expected)
{
  for (int i = 0; i < N; i++)
    if (x[i] != i || y[i] != 3 * (x[i] + 1) || y[i] != expected[i]) return printf("differs at %d\n", i);
  return 0;
}
END
echo 'void made(const float *x, float *y, int n, float factor) { for (int i = 0; i < n; i++) y[i] = factor * (x[i] + 1); }' \
  >"$TMP/made_ref.c"
tune made
expect_status 0
expect_outcome WAY=2 wrong_result "differs at 1 (check.file: exit status 1)"

case_begin "commands check a pipeline and make its right answers"
cat >"$TMP/right.py" <<'END'
import array, sys
what, folder = sys.argv[1:]
def read(name):
    with open(folder + "/" + name + ".npy", "rb") as file:
        head = file.read(10)
        head += file.read(int.from_bytes(head[8:10], "little"))
        return head, array.array("f", file.read())
head, x = read("x")
right = array.array("f", [3 * (value + 1) for value in x])
if what == "reference":
    open(folder + "/y.npy", "wb").write(head + right.tobytes())
elif read("y")[1] != right or read("expected/y")[1] != right:
    sys.exit("y is not 3 (x + 1)")
END
sed -i 's/^check:.*/check: {command: "python3 right.py check {dir}"}/; s/^reference:.*/reference: {command: "python3 right.py reference {dir}"}/' "$TMP/made.yaml"
tune made
expect_status 0
expect_outcome WAY=2 wrong_result "y is not 3 (x + 1) (check.command: exit status 1)"

case_begin "a function that crashes, and one that does not compile"
sed -i 's/^check:.*/check: {file: made_host.c, entry: crash}/; /^reference:/d' "$TMP/made.yaml"
printf '#include <stdlib.h>\nint crash(void) { abort(); }\n' >>"$TMP/made_host.c"
try made
expect_said "check.file: signal 6 (SIGABRT)"
echo 'nonsense' >>"$TMP/made_host.c"
try made
expect_said "'made_host.c' cannot be compiled: "
