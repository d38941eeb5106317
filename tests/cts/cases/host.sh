# Functions in C that a pipeline calls between its kernels. In backend c all stages are that.

if ! command -v cc >"$TMP/null" 2>&1; then
  case_skip "functions on the host between kernels" "no compiler of C is here"
  return
fi
launch='launch: {grid: [4], block: [64]}'

host_spec() { # host_spec NAME, and lines of YAML
  spec "$1" pipeline add_one
  sed -i '/^entry:/d; /^launch:/d' "$TMP/$1.yaml"
}

cat >"$TMP/steps.c" <<'END'
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void none(void) {}

/* y = factor * t, but for the way that `how` names. */
void finish(const float *t, float *y, int n, float factor, int how)
{
  static float first[N];
  static int calls;

  for (int i = 0; i < n; i++)
    if (how != 2 || i % 2 == 0) y[i] = factor * t[i]; /* 2: half of it is not written */
  if (how == 1) y[n / 2] += 1;
  if (how == 3) y[n] = 1;
  if (how == 4) *(volatile int *)0 = 1;
  while (how == 5) pause();
  if (how == 6) exit(3);
  if (how == 7 && calls) memcpy(y, first, sizeof first); /* what an earlier call had */
  if (how == 7 && !calls++) memcpy(first, y, sizeof first);
  if (how == 8) memset((void *)t, 0, n * sizeof *t); /* its own copy */
  if (how == 9) y[-1] = sqrtf(y[0]);
}

void shift_on_host(const int *from, int *to, int n, int by)
{
  for (int i = 0; i < n; i++) to[i] = from[(i + 1) % n] + by;
}

static void hidden(float *t) { (void)t; }
void show(float *t) { hidden(t); }
END
args='args:
  - {name: x, type: f32, shape: [N]}
  - {name: t, type: f32, shape: [N], role: scratch}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
  - {name: factor, type: f32, value: 3}
  - {name: how, type: i32, value: HOW}'
head="problem: {N: 1000}
params: {WAY: [0], HOW: [0]}
$args"

if ! on_gpu; then
  case_begin "stages in C need no 'host'"
  host_spec inside <<END
$head
stages:
  - {entry: add_one, args: [x, t, n]}
  - {host: steps.c, entry: finish, args: [t, y, n, factor, how]}
END
  tune inside
  expect_said "inside.yaml:15:12: error: backend 'c' does not support 'stages.host': its stages are functions on the host already"
  return
fi

host_spec steps <<END
problem: {N: 1000}
params: {WAY: [0], HOW: [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}
baseline: {WAY: 0, HOW: -1}
$args
stages:
  - {entry: add_one, args: [x, t, n], $launch}
  - {entry: triple, args: [t, y, n, factor], when: HOW == -1, $launch}
  - {host: steps.c, entry: finish, args: [t, y, n, factor, how], when: HOW != -1}
END

case_begin "a function on the host between kernels, or a kernel instead of it"
RUN_TIMEOUT=300 tune steps --timeout 3s
expect_status 0
expect_outcome WAY=0,HOW=0 ok
expect_outcome WAY=0,HOW=8 ok # inputs are inputs: what it does to its copy is lost

case_begin "a function on the host that computes something else is found out"
expect_outcome WAY=0,HOW=1 wrong_result "y: 1 of 1000 elements differ"
expect_outcome WAY=0,HOW=2 wrong_result "y: 500 of 1000 elements differ"
expect_outcome WAY=0,HOW=7 'wrong_result|nondeterministic'

case_begin "a function on the host that writes outside of its arrays is found out"
expect_outcome WAY=0,HOW=3 wrong_result "wrote past the end of 'y'"
expect_outcome WAY=0,HOW=9 wrong_result "wrote before the start of 'y'"

case_begin "a function on the host that crashes, hangs or exits fails alone"
expect_outcome WAY=0,HOW=4 crash SIGSEGV
expect_outcome WAY=0,HOW=5 hang "did not return within 3.0 s"
expect_outcome WAY=0,HOW=6 crash "exited with status 3"

case_begin "its share is told like that of any stage"
expect_figure '[s["name"] for s in of["WAY=0,HOW=0"]["stages"]]' "['add_one', 'finish']"
expect_figure 'round(sum(s["share"] for s in of["WAY=0,HOW=0"]["stages"]), 6)' 1.0
expect_figure 'min(s["share"] for s in of["WAY=0,HOW=0"]["stages"]) > 0' True

case_begin "candidates without such a function are timed by the same clock"
expect_figure 'run["notes"] and any("by the host" in note for note in run["notes"])' True

case_begin "the baseline may have one, and a run ends with a verdict"
host_spec whole <<END
problem: {N: 1000}
params: {WAY: [0], HOW: [0, 8]}
baseline: {WAY: 0, HOW: 0}
$args
stages:
  - {entry: add_one, args: [x, t, n], $launch}
  - {host: steps.c, entry: finish, name: on host, args: [t, y, n, factor, how]}
reference: {file: whole_ref.c}
END
echo 'void whole(const float *x, float *y, int n, float factor) { for (int i = 0; i < n; i++) y[i] = factor * (x[i] + 1); }' \
  >"$TMP/whole_ref.c"
confirm whole --effort quick
expect_status 0
expect_outcome WAY=0,HOW=8 ok
expect_figure 'run["verdict"] is not None' True
expect_figure '[s["name"] for s in next(e for e in all if e["is_baseline"])["stages"]]' "['add_one', 'on host']"

case_begin "another text of the function is another candidate"
tune whole
sed -i 's/y\[i\] = factor \* t\[i\];/y[i] = factor * t[i] + 1;/' "$TMP/steps.c"
run "$HONE" tune "$TMP/whole.yaml" "${devices[@]}" "${builders[@]}" --quiet --no-cap --stop-after screen
expect_said "wrong_result"
sed -i 's/y\[i\] = factor \* t\[i\] + 1;/y[i] = factor * t[i];/' "$TMP/steps.c"

case_begin "a loop with a kernel and a function on the host that swap two arrays"
host_spec turns <<END
problem: {N: 257}
params: {WAY: [0], STEPS: [1, 2, 4]}
baseline: {WAY: 0, STEPS: 4}
args:
  - {name: a, type: i32, shape: [N], role: inout, fill: arange}
  - {name: b, type: i32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
  - {name: by, type: i32, value: 10}
stages:
  - repeat: STEPS
    stages:
      - {entry: shift, args: [a, b, n, by], $launch}
      - {host: steps.c, entry: shift_on_host, args: [b, a, n, by], values: {by: 1}}
reference: {files: [turns_a.npy, turns_b.npy]}
END
npy turns_a.npy '<i4' '(257,)' i '[(i + 8) % 257 + 44 for i in range(257)]'
npy turns_b.npy '<i4' '(257,)' i '[(i + 7) % 257 + 43 for i in range(257)]'
tune turns
expect_status 0
expect_outcome WAY=0,STEPS=4 ok
expect_outcome WAY=0,STEPS=1 wrong_result
expect_outcome WAY=0,STEPS=2 wrong_result

case_begin "scratch memory whose size is a parameter's is copied as far as it goes"
host_spec partial <<END
problem: {N: 1000}
params: {WAY: [0], M: [10, 500, 1000]}
baseline: {WAY: 0, M: 1000}
args:
  - {name: x, type: f32, shape: [N]}
  - {name: t, type: f32, shape: [M], role: scratch}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
  - {name: m, type: i32, value: M}
  - {name: factor, type: f32, value: 3}
stages:
  - {entry: add_one, args: [x, t, m], $launch}
  - {host: partial.c, entry: rest, args: [x, t, y, n, m, factor]}
END
cat >"$TMP/partial.c" <<'END'
void rest(const float *x, const float *t, float *y, int n, int m, float factor)
{
  for (int i = 0; i < n; i++) y[i] = factor * (i < m ? t[i] : x[i] + 1);
}
END
tune partial
expect_status 0
expect_outcome WAY=0,M=10 ok
expect_outcome WAY=0,M=500 ok

if is cuda || is hip; then
  case_begin "an array of the module that the host fills"
  host_spec table symbols <<END
problem: {N: 1003}
params: {WAY: [0, 1]}
baseline: {WAY: 0}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: uniform, low: 1, high: 2}}
  - {name: filter, type: f32, shape: [5], role: scratch, symbol: true}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: said, type: f32, shape: [N], role: scratch, symbol: true}
  - {name: state, type: f32, shape: [N], role: inout, fill: one, symbol: true}
  - {name: n, type: i32, value: N}
stages:
  - {host: table.c, entry: make, args: [filter, n]}
  - {entry: symbols, args: [x, y, n], $launch}
reference: {file: table_ref.c}
END
  kernel table symbols
  echo 'void make(float *filter, int n) { for (int i = 0; i < 5; i++) filter[i] = i + n; }' >"$TMP/table.c"
  cat >"$TMP/table_ref.c" <<'END'
void table(const float *x, float *y, float *state, int n)
{
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * (i % 5 + n);
    state[i] += x[i];
  }
}
END
  tune table
  expect_status 0
  expect_outcome WAY=1 ok
fi

refused() { # refused NAME SUBSTITUTION WORDS: of the spec `whole`, without a run
  sed "$2; s/^name: .*/name: $1/" "$TMP/whole.yaml" >"$TMP/$1.yaml"
  tune "$1"
  expect_said "$3"
}
case_begin "what is wrong with a function on the host is told with its place"
refused missing 's/entry: finish/entry: finnish/' "missing.yaml:16:28: error: 'steps.c' has no function 'finnish', or it is static"
refused hidden 's/entry: finish, name: on host, args: .t, y.*/entry: hidden, args: [t]}/' "hidden.yaml:16:28: error: 'steps.c' has no function 'hidden', or it is static"
echo 'void finish(const float *t) { (void)t; }' >"$TMP/mangled.cpp"
refused mangled 's/host: steps.c/host: mangled.cpp/' "'mangled.cpp' has no function 'finish', or it is static or not extern \"C\""
refused no_file 's/host: steps.c/host: stepps.c/' "no_file.yaml:16:12: error: "
refused launched "s/host: steps.c/$launch, host: steps.c/" "launched.yaml:16:14: error: 'launch' is for kernels: the host calls this stage's function once"
refused fewer 's/args: .t, y, n, factor, how./args: [t, y, n, factor]/' "fewer.yaml:16:12: error: the spec has 4 arguments, 'finish' in steps.c:9 takes 5"
refused alone '/entry: add_one/d' "alone.yaml:15:3: error: the pipeline has no kernel, but functions on the host"
refused left 's/entry: add_one/when: HOW == 0, entry: add_one/' "the pipeline has no kernel left, but functions on the host, for WAY=0,HOW=8"
echo 'void finish(float *t) { nobody can compile this }' >"$TMP/broken.c"
refused broken 's/host: steps.c/host: broken.c/' "broken.yaml:16:12: error: 'broken.c' cannot be compiled: "
