#!/usr/bin/env bash
# SPIR-V instead of source for backend opencl: devices that take it build it, the others say that they do not.
. "$(dirname "$0")/lib.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache POCL_CACHE_DIR=$TMP/pocl XDG_CACHE_HOME=$TMP/xdg COLUMNS=200

cat >"$TMP/add.yaml" <<'END'
name: add
file: add.spv
entry: add
problem: {N: 1024}
params: {LOCAL: [16, 32]}
args:
  - {name: x, type: f32, shape: [N], fill: arange}
  - {name: y, type: f32, shape: [N], role: out}
launch: {global: N, local: LOCAL}
END

if ! "$HONE" devices --backend opencl --quiet --format json | grep -q '"device"'; then
  case_skip "SPIR-V is built, or refused with the reason" "no device of OpenCL"
  cases_end
fi

case_begin "a device that takes no SPIR-V says so; one that does refuses what is none"
printf '\003\002\043\007\000\000\001\000nothing but a beginning' >"$TMP/add.spv"
run "$HONE" tune "$TMP/add.yaml" --quiet
expect_status 1
expect_err_contains "the baseline cannot be built: compile_error"
if [[ $ERR == *"takes no SPIR-V"* ]]; then
  expect_err_contains "CL_DEVICE_IL_VERSION"
  takes=false
else
  takes=true
fi

name="SPIR-V of clang is tuned"
if ! $takes; then
  case_skip "$name" "the device takes no SPIR-V"
elif ! echo '__kernel void add(__global const float *x, __global float *y) { y[get_global_id(0)] = x[get_global_id(0)] + 1; }' |
  clang --target=spirv64 -cl-std=CL2.0 -x cl -Xclang -finclude-default-header -c -o "$TMP/add.spv" - 2>/dev/null; then
  case_skip "$name" "clang makes no SPIR-V here (apt-get install llvm-spirv-14)"
else
  case_begin "$name"
  run "$HONE" tune "$TMP/add.yaml" --quiet --stop-after screen
  expect_status 0
fi

cases_end
