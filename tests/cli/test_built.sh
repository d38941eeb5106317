#!/usr/bin/env bash
# Constraints on what a build costs: checked after the build, before the run.
. "$(dirname "$0")/lib.sh"
export COLUMNS=200 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache

# spec CONSTRAINTS: of a kernel in OpenCL, with a reference in C and arguments of all kinds.
spec() {
  cat >"$TMP/k.cl" <<'END'
typedef struct { int n; float a; } params;
__kernel void f(__global const float *x, __global float *y, params p, __local float *tile, int b)
{
  int i = get_global_id(0);
  tile[get_local_id(0)] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < p.n) y[i] = tile[get_local_id(0)] * p.a + b;
}
END
  cat >"$TMP/ref.c" <<'END'
void f(const float *x, float *y, int b)
{
  for (int i = 0; i < N; i++) y[i] = x[i] * 0.5f + b;
}
END
  cat >"$TMP/k.yaml" <<END
name: k
file: k.cl
backend: opencl
problem: {N: 4096}
params: {BS: [16, 64, 128]}
baseline: {BS: 16}
entry: f
args:
- {name: x, type: f32, shape: [N], fill: uniform}
- {name: y, type: f32, shape: [N], role: out}
- {name: p, struct: [{type: i32, value: N}, {type: f32, value: 0.5}]}
- {name: tile, type: f32, local: BS}
- {name: b, type: i32, value: 3}
launch: {global: N, local: BS}
reference: {file: ref.c}
constraints: [$1]
END
}

case_begin "a space ignores them, and says so"
spec 'BS > 16, built.private_bytes < 64'
run "$HONE" space "$TMP/k.yaml" --count
expect_out "2"
run "$HONE" space "$TMP/k.yaml" --explain BS=64
expect_status 0
expect_out_contains "legal: 0 of 1 fail"
expect_out_contains "later   built.private_bytes < 64  checked after the build"
run "$HONE" space "$TMP/k.yaml" --explain BS=64 --format json
expect_out_contains '"after the build"'

case_begin "what a backend does not know is not checked, and that is said once"
cat >"$TMP/c.c" <<'END'
void f(float *y) { y[0] = V * 0; }
END
cat >"$TMP/c.yaml" <<'END'
name: c
file: c.c
params: {V: [0, 1, 2]}
baseline: {V: 0}
entry: f
args: [{name: y, type: f32, shape: 8, role: out}]
constraints: [built.registers < 10]
END
run "$HONE" tune "$TMP/c.yaml"
expect_status 0
expect_err_contains "built.registers is not known here, so 'built.registers < 10' is not checked"
if [ "$(grep -c 'warning: built.registers is not known' "$TMP/stderr")" != 1 ]; then fail "said more than once"; fi

if ! "$HONE" devices 2>/dev/null | grep -q '^opencl:'; then
  case_skip "a build that costs too much is not run" "no device of OpenCL"
  case_skip "other constraints: results of the store are asked anew" "no device of OpenCL"
  cases_end
fi

case_begin "a build that costs too much is not run"
spec '"built.binary_bytes < 10 or BS < 128", built.max_work_group >= BS'
run "$HONE" tune "$TMP/k.yaml" --no-cap --no-confirm
expect_status 0
expect_out_contains "1  invalid: a constraint rejects it"
expect_out_contains "built.binary_bytes < 10 or BS < 128 is not true: built.binary_bytes is"
expect_out_contains "evaluated    3 of 3 legal: 2 ok, 1 failed"
if grep -q 'not known here' "$TMP/stderr"; then fail "the reference was checked"; fi
run "$HONE" run "$TMP/k.yaml" --config BS=64
expect_status 0
expect_out_contains "max_work_group"
expect_out_contains "outcome     ok"
run "$HONE" run "$TMP/k.yaml" --config BS=128
expect_out_contains "build       invalid"

case_begin "other constraints: results of the store are asked anew"
spec '"built.binary_bytes < 10"'
run "$HONE" tune "$TMP/k.yaml" --no-cap --no-confirm
expect_err_contains "the baseline violates a constraint but is measured anyway"
expect_out_contains "evaluated    3 of 3 legal: 1 ok, 2 failed"
spec ''
run "$HONE" tune "$TMP/k.yaml" --no-cap --no-confirm
expect_status 0
expect_out_contains "evaluated    3 of 3 legal: 3 ok"

cases_end
