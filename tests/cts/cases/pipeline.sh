# Pipelines: several kernels, loops, scratch memory, stages that knobs leave out.

stages_spec() { # stages_spec NAME, and lines of YAML: `LAUNCH` becomes a launch, or nothing in C
  local launch=''
  if on_gpu; then launch=', launch: {grid: [4], block: [64]}'; fi
  sed "s/, LAUNCH/$launch/" | spec "$1" pipeline add_one
  sed -i '/^entry:/d; /^launch:/d' "$TMP/$1.yaml"
}

three_args='args:
  - {name: x, type: f32, shape: [N]}
  - {name: t, type: f32, shape: [N], role: scratch}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
  - {name: factor, type: f32, value: 3}'

three_spec() { # three_spec NAME WAYS
  stages_spec "$1" <<END
problem: {N: 1000}
params: {WAY: [$2]}
baseline: {WAY: 0}
$three_args
stages:
  - {entry: add_one, args: [x, t, n], when: 'WAY not in [1, 3]', LAUNCH}
  - {entry: triple, args: [t, y, n, factor], when: WAY != 1, LAUNCH}
  - {entry: both, args: [x, y, n, factor], when: WAY == 1, LAUNCH}
  - {entry: past_end, args: [t, n], when: WAY == 4, LAUNCH}
END
}

case_begin "two kernels and scratch memory, or one that does both"
three_spec three '0, 1, 2, 3, 4'
tune three
expect_status 0
expect_outcome WAY=0 ok
expect_outcome WAY=1 ok

case_begin "scratch memory that a stage leaves unwritten makes the answer wrong"
expect_outcome WAY=2 wrong_result "y: 500 of 1000 elements differ"
expect_outcome WAY=3 wrong_result "y: 1000 of 1000 elements differ"

case_begin "scratch memory has guard zones"
expect_outcome WAY=4 wrong_result "wrote past the end of 't'"

case_begin "the shares of stages are told, and only of those that ran"
expect_figure 'next(e for e in all if e["is_baseline"])["stages"][0]["name"]' add_one
expect_figure '[s["name"] for s in next(e for e in all if e["is_baseline"])["stages"]]' "['add_one', 'triple']"
expect_figure 'round(sum(s["share"] for s in next(e for e in all if e["is_baseline"])["stages"]), 6)' 1.0
expect_figure 'of["WAY=1"]["stages"]' None

case_begin "values and names of a stage"
stages_spec values <<END
problem: {N: 1000}
params: {WAY: [0, 5]}
$three_args
stages:
  - {entry: triple, name: first, args: [x, t, n, factor], values: {factor: 2}, LAUNCH}
  - {entry: triple, name: second, args: [t, y, n, factor], values: {factor: 'WAY + 1'}, LAUNCH}
reference: {file: values_ref.c}
END
echo 'void values(const float *x, float *y, int n, float factor) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }' \
  >"$TMP/values_ref.c"
tune values
expect_status 0
expect_outcome WAY=0 ok
expect_outcome WAY=5 wrong_result
expect_figure '[s["name"] for s in next(e for e in all if e["is_baseline"])["stages"]]' "['first', 'second']"

case_begin "a loop that swaps two arrays"
stages_spec steps <<'END'
problem: {N: 257}
params: {WAY: [0], STEPS: [1, 2, 7, 8]}
baseline: {WAY: 0, STEPS: 7}
args:
  - {name: a, type: i32, shape: [N], role: inout, fill: arange}
  - {name: b, type: i32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
  - {name: by, type: i32, value: 10}
stages:
  - {repeat: STEPS, swap: [a, b], stages: [{entry: shift, args: [a, b, n, by], LAUNCH}]}
reference: {files: [steps_a.npy, steps_b.npy]}
END
npy steps_a.npy '<i4' '(257,)' i '[(i + 6) % 257 + 60 for i in range(257)]'
npy steps_b.npy '<i4' '(257,)' i '[(i + 7) % 257 + 70 for i in range(257)]'
tune steps
expect_status 0
expect_outcome WAY=0,STEPS=7 ok
expect_outcome WAY=0,STEPS=1 wrong_result
expect_outcome WAY=0,STEPS=2 wrong_result
expect_outcome WAY=0,STEPS=8 wrong_result

case_begin "loops in each other, whose indices are arguments: a bitonic sort"
stages_spec sort <<'END'
problem: {LOG: 6}
params: {WAY: [0, 1]}
args:
  - {name: data, type: i32, shape: [2 ** LOG], role: inout, range: [0, 1000]}
  - {name: n, type: i32, value: 2 ** LOG}
  - {name: size, type: i32, value: 0}
  - {name: distance, type: i32, value: 0}
stages:
  - repeat: LOG - WAY
    index: i
    stages:
      - {repeat: i + 1, index: k, stages: [{entry: exchange, values: {size: 2 ** (i + 1), distance: 2 ** (i - k)}, LAUNCH}]}
reference: {file: sort_ref.c}
END
cat >"$TMP/sort_ref.c" <<'END'
#include <stdlib.h>
static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void sort(int *data, int n) { qsort(data, n, sizeof *data, by_number); }
END
tune sort
expect_status 0
expect_outcome WAY=0 ok
expect_outcome WAY=1 wrong_result

case_begin "a configuration without stages is an error of the spec"
stages_spec none <<'END'
problem: {N: 1000}
params: {WAY: [0, 1]}
args:
  - {name: x, type: f32, shape: [N]}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
  - {name: factor, type: f32, value: 3}
stages:
  - {entry: both, args: [x, y, n, factor], when: WAY == 0, LAUNCH}
END
tune none
expect_said "the pipeline has no stage left: 'when' excludes all of them, for WAY=1"

case_begin "an entry that the source does not have is named"
sed -i 's/entry: both/entry: bothe/' "$TMP/none.yaml"
tune none
expect_said "bothe"
