# Specs without 'entry': the only function of the source that can be the kernel is called. The sources are
# written as those of Kernel Tuner's examples are.
. "$(dirname "$0")/lib.sh"
export COLUMNS=100 HONE_STORE="$TMP/hone.db" HONE_CACHE="$TMP/cache"

vector_add() { # vector_add FILE [LINE...]: its spec
  printf '%s\n' "file: $1" 'problem: {N: 1024}' 'params: {block_size_x: [32, 64]}' 'baseline: {block_size_x: 32}' \
    'args:' '  - {name: c, type: f32, shape: [N], role: out}' '  - {name: a, type: f32, shape: [N]}' \
    '  - {name: b, type: f32, shape: [N]}' '  - {name: n, type: i32, value: N}' "${@:2}" >"$TMP/add.yaml"
}
field() { # field EXPRESSION: of the JSON that was printed
  python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$TMP/stdout" "$1"
}
launch='launch: {grid: [N / block_size_x], block: [block_size_x]}'

cat >"$TMP/add.c" <<'END'
#define CHUNK block_size_x

static inline float add(float a, float b) { return a + b; }

void vector_add(float *restrict c, const float *a, const float *b, int n)
{
  for (int i = 0; i < n; i += CHUNK)
    for (int k = i; k < i + CHUNK; k++) c[k] = add(a[k], b[k]);
}
END
printf '%s\n' 'void expected(float *c, const float *a, const float *b, int n)' \
  '{ for (int i = 0; i < n; i++) c[i] = a[i] + b[i]; }' >"$TMP/expected.c"

case_begin "a kernel in C, and its reference, are found"
vector_add add.c 'reference: {file: expected.c}' 'build: {flags: [-O1]}'
run "$HONE" tune "$TMP/add.yaml" --no-confirm --format json
expect_status 0
expect_same "failures" "[]" "$(field 'd["failures"]')"
expect_same "answers" "True" "$(field 'd["checked"]')"

case_begin "a reference that includes a header of the project is found, unless that header may have the kernel"
mkdir "$TMP/include folder"
echo 'static float sum_of(float a, float b) { return a + b; }' >"$TMP/include folder/sum.h"
printf '%s\n' '#include "sum.h"' 'void expected(float *c, const float *a, const float *b, int n)' \
  '{ for (int i = 0; i < n; i++) c[i] = sum_of(a[i], b[i]); }' >"$TMP/with_header.c"
vector_add add.c 'reference: {file: with_header.c}' 'build: {flags: [-O1], includes: [include folder]}'
run "$HONE" run "$TMP/add.yaml" --processes 1
expect_status 0
expect_out_contains "agrees with the reference"
echo 'void vector_add(void);' >>"$TMP/include folder/sum.h"
run "$HONE" run "$TMP/add.yaml" --processes 1
expect_err_contains "the reference cannot be loaded: no function 'vector_add'; 'reference.entry' names another one"

case_begin "a reference or a check without a word says so"
: >"$TMP/nothing.c"
vector_add add.c 'reference: {file: nothing.c}'
run "$HONE" run "$TMP/add.yaml" --processes 1
expect_err_contains "the reference cannot be built: compile_error: its source is an empty file"
vector_add add.c 'check: {file: nothing.c, entry: right}'
run "$HONE" run "$TMP/add.yaml" --processes 1
expect_err_contains "'nothing.c' cannot be compiled: its source is an empty file"

case_begin "a function that is not the kernel's is called by its name"
vector_add add.c 'entry: nothing' 'build: {flags: [-O1]}'
run "$HONE" tune "$TMP/add.yaml" --no-confirm
expect_err_contains "no function 'nothing'"

case_begin "a static function is called, also beside a main that needs more than its source"
sed 's/^void vector_add/static &/' "$TMP/add.c" >"$TMP/static.c"
vector_add static.c 'entry: vector_add'
run "$HONE" tune "$TMP/add.yaml" --no-confirm
expect_status 1
expect_err_contains "no function 'vector_add'; if it is static, write two colons before its name, as in 'entry: ::f'"
printf '%s\n' 'void elsewhere(void);' 'int main(void) { elsewhere(); }' >>"$TMP/static.c"
vector_add static.c 'entry: "::vector_add"' 'reference: {file: expected.c}'
run "$HONE" tune "$TMP/add.yaml" --no-confirm --format json
expect_status 0
expect_same "failures" "[]" "$(field 'd["failures"]')"
expect_same "answers" "True" "$(field 'd["checked"]')"
sed -i 's/name: a, type: f32/name: a, type: f64/' "$TMP/add.yaml"
run "$HONE" tune "$TMP/add.yaml" --no-confirm
expect_status 2
expect_err_contains "argument 2 'a' is a tensor of f64 in the spec and 'const float *a' in static.c:5"

case_begin "a kernel of CUDA is found"
cat >"$TMP/add.cu" <<'END'
__device__ float add(float a, float b) { return a + b; }

extern "C" __global__ void vector_add(float *c, const float *a, const float *b, int n) {
    int i = blockIdx.x * block_size_x + threadIdx.x;
    if (i < n) {
        c[i] = add(a[i], b[i]);
    }
}
END
vector_add add.cu "$launch"
run "$HONE" tune "$TMP/add.yaml" --dry-run --device sm_80
expect_status 0
expect_out_contains "-Dblock_size_x=64"

case_begin "of several the error lists all, with their lines"
printf '%s\n' '' '__global__ void reduce(float *c, const float *a, const float *b, int n) { }' >>"$TMP/add.cu"
run "$HONE" tune "$TMP/add.yaml" --dry-run --device sm_80
expect_status 2
expect_err_contains "add.yaml:1:7: error: no 'entry', and 'add.cu' has 2 functions that may be the kernel: 'vector_add' (line 3), 'reduce' (line 10); name one of them, as in 'entry: vector_add'"
echo 'entry: reduce' >>"$TMP/add.yaml"
run "$HONE" tune "$TMP/add.yaml" --dry-run --device sm_80
expect_status 0

case_begin "a template needs its arguments"
printf '%s\n' 'template <int BLOCK>' '__global__ void vector_add(float *c, const float *a, const float *b, int n) { }' \
  >"$TMP/add.cu"
vector_add add.cu "$launch"
run "$HONE" tune "$TMP/add.yaml" --dry-run --device sm_80
expect_status 2
expect_err_contains "no 'entry': 'vector_add' (line 2 of 'add.cu') is a template: name it with its arguments"

case_begin "where macros make functions the spec has to name one"
printf '%s\n' '#define KERNEL(type) __global__ void vector_add_##type(type *c, type *a, type *b, int n)' \
  'KERNEL(float) { }' >"$TMP/add.cu"
run "$HONE" tune "$TMP/add.yaml" --dry-run --device sm_80
expect_status 2
expect_err_contains "no 'entry': name the function to call, as in 'entry: sgemm'"

cat >"$TMP/add.cl" <<'END'
float add(float a, float b) { return a + b; }
__kernel void vector_add(__global float *c, __global const float *a, __global const float *b, int n) {
    int i = get_global_id(0);
    if (i < n) {
        c[i] = add(a[i], b[i]);
    }
}
END
vector_add add.cl "$launch" 'backend: opencl'
run "$HONE" tune "$TMP/add.yaml" --dry-run
if [ "$STATUS" = 0 ] || grep -q "entry" "$TMP/stderr"; then
  case_begin "a kernel of OpenCL is found"
  expect_status 0
  expect_out_contains "-Dblock_size_x=64"
else
  case_skip "a kernel of OpenCL is found" "$(head -1 "$TMP/stderr")"
fi

cases_end
