# hone devices, and what device.* means for kernels of GPUs.
. "$(dirname "$0")/lib.sh"
export COLUMNS=120 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
opencl=${HONE_OPENCL-}
unset NO_COLOR HONE_IREE VIRTUAL_ENV
export HONE_OPENCL=$TMP/no-opencl.so HONE_CUDA=$TMP/no-cuda.so
PATH=/usr/bin:/bin

cat >"$TMP/add.cl" <<'END'
__kernel void add(__global const float *x, __global float *y)
{
  for (int i = get_global_id(0) * W; i < get_global_id(0) * W + W; i++)
    y[i] = x[i] + 1;
}
END
cat >"$TMP/add.yaml" <<'END'
name: add
file: add.cl
entry: add
params:
  W: [1, 4]
  L: [32, 64, 1000000]
constraints:
  - L <= device.max_threads
args:
  - {name: x, type: f32, shape: [4096], fill: uniform}
  - {name: y, type: f32, shape: [4096], role: out}
launch: {global: "4096 // W", local: L}
END

# ---- Listing ----

case_begin "CPUs are a device, and each backend without any has a reason"
run "$HONE" devices
expect_status 0
expect_err ""
expect_out_contains "device  name"
expect_out_contains "  opencl   no OpenCL: $TMP/no-opencl.so"
expect_out_contains "apt-get install"
expect_out_contains "without devices:"
expect_out_contains "program  it has no devices"
COLUMNS=80 run "$HONE" devices
expect_same "lines over 80 columns" "" "$(grep -E '.{81}' "$TMP/stdout")"

case_begin "one backend alone"
run "$HONE" devices --backend c --all-facts
expect_status 0
expect_out_contains "memory_bytes  "
case $OUT in *opencl*) fail "opencl is named" ;; esac

case_begin "an unknown backend"
run "$HONE" devices --backend vulkan
expect_status 1
expect_err_contains "unknown backend 'vulkan'; known backends: c,"

case_begin "quiet: no reasons"
run "$HONE" devices --backend opencl --quiet
expect_status 0
expect_out ""

case_begin "JSON, CSV and YAML have all facts"
run "$HONE" devices --format json
expect_status 0
python3 -c '
import json, sys
answer = json.load(open(sys.argv[1]))
(cpu,) = [one for one in answer["devices"] if one["backend"] == "c"]
assert cpu["device"] == "c" and cpu["kind"] == "cpu" and cpu["cores"] > 0, cpu
reasons = {one["backend"]: one["reason"] for one in answer["missing"]}
assert "no-opencl.so" in reasons["opencl"], reasons' "$TMP/stdout" || fail "wrong JSON: $OUT"
run "$HONE" devices --backend c --format csv
expect_status 0
python3 -c '
import csv, sys
(row,) = csv.DictReader(open(sys.argv[1]))
assert row["device"] == "c" and int(row["memory_bytes"]) > 0, row' "$TMP/stdout" ||
  fail "wrong CSV: $OUT"
run "$HONE" devices --backend opencl --format yaml
expect_status 0
expect_out_contains "devices: []
missing:
- backend: \"opencl\"
  reason: \""
run "$HONE" devices --backend c --format yaml
expect_out_contains "- device: \"c\"
  backend: \"c\""
expect_out_contains "missing: []"

case_begin "words are refused"
run "$HONE" devices cuda
expect_status 2
expect_err_contains "takes options only, not 'cuda'"

case_begin "a library that crashes when it is opened is a reason"
echo '__attribute__((constructor)) static void boom(void) { __builtin_trap(); }' >"$TMP/boom.c"
cc -shared -fPIC -o "$TMP/boom.so" "$TMP/boom.c"
HONE_OPENCL=$TMP/boom.so run "$HONE" devices --backend opencl
expect_status 0
expect_out_contains "  opencl   the library of opencl devices did not answer: signal "
HONE_OPENCL=$TMP/boom.so HONE_CUDA=$TMP/boom.so run "$HONE" doctor
expect_status 0
expect_out_contains "library  missing (the library of opencl did not answer: signal "
expect_out_contains "driver        missing (the driver of cuda did not answer: signal "

# ---- device.* without a device ----

case_begin "what no device tells is asked for"
run "$HONE" space "$TMP/add.yaml" --count
expect_status 2
expect_err_contains "device.max_threads is not known: backend 'opencl' has no device here (no OpenCL"
expect_err_contains "give it with --device max_threads=VALUE, or name a kind of GPU: --device sm_90"

case_begin "values and kinds of GPUs stand in for it"
run "$HONE" space "$TMP/add.yaml" --count --device max_threads=32
expect_out 2
run "$HONE" space "$TMP/add.yaml" --count --device sm_90
expect_out 4
run "$HONE" space "$TMP/add.yaml" --count --device sm_90a,max_threads=32
expect_out 2
run "$HONE" space "$TMP/add.yaml" --count --device gfx942
expect_out 4

case_begin "what several options say adds up"
run "$HONE" space "$TMP/add.yaml" --count --device sm_90 --device max_threads=32
expect_status 0
expect_out 2
run "$HONE" space "$TMP/add.yaml" --count --device max_threads=32 --device max_threads=64
expect_status 2
expect_err_contains "'max_threads' is given twice"

case_begin "a name that is nearly one of the device's"
sed 's/device.max_threads/device.max_thread/' "$TMP/add.yaml" >"$TMP/near.yaml"
run "$HONE" space "$TMP/near.yaml" --count --device sm_90
expect_status 2
expect_err_contains "device.max_thread is not known: "
expect_err_contains "does not report it (did you mean 'device.max_threads'?)"

case_begin "nothing of this machine stands in for what a kind of GPU does not have"
sed 's/device.max_threads/device.page_bytes/' "$TMP/add.yaml" >"$TMP/page.yaml"
run "$HONE" space "$TMP/page.yaml" --count --device sm_90
expect_status 2
expect_err_contains "device.page_bytes is not known: sm_90 does not report it; give it with --device page_bytes=VALUE"

case_begin "a kind that is not known"
run "$HONE" space "$TMP/add.yaml" --device sm_12
expect_status 2
expect_err_contains "bad device 'sm_12': expected NAME=VALUE,..., a device of 'opencl', or a kind of GPU: sm_70,"

case_begin "a spec that names no device.* needs none"
grep -v 'device\|constraints' "$TMP/add.yaml" >"$TMP/plain.yaml"
HONE_OPENCL=$TMP/boom.so run "$HONE" space "$TMP/plain.yaml" --count
expect_status 0
expect_out 6

case_begin "kinds of GPUs may be given for other kernels too"
printf 'params: {A: [1, 48, 100]}\nconstraints: ["A * 1024 <= device.shared_bytes"]\n' >"$TMP/c.yaml"
run "$HONE" space "$TMP/c.yaml" --count --device sm_80
expect_out 2
run "$HONE" space "$TMP/c.yaml" --count --device sm_80,shared_bytes=1024
expect_out 1
run "$HONE" space "$TMP/c.yaml" --count --device sm_80,
expect_out 2

case_begin "kernels in CUDA are built for a kind of GPU that is not here"
cat >"$TMP/add.cu" <<'END'
extern "C" __global__ void add(const float *x, float *y)
{
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * W;
  for (int k = 0; k < W; k++) y[i + k] = x[i + k] + 1;
}
END
sed 's/add.cl/add.cu/; s/^launch.*/launch: {grid: "4096 \/\/ (W * L)", block: L}/' "$TMP/add.yaml" \
  >"$TMP/cuda.yaml"
run "$HONE" space "$TMP/cuda.yaml" --count --device sm_90
expect_out 4
if [ -n "$("$HONE" doctor | sed -n '/^CUDA/,$s/^  nvrtc  *\//found/p')" ]; then
  run "$HONE" tune "$TMP/cuda.yaml" --stop-after build --device sm_90 -q
  expect_status 0
  expect_out_contains "4 of 4 legal: 4 ok"
fi

# ---- With a device ----

if [ -n "$opencl" ]; then HONE_OPENCL=$opencl; else unset HONE_OPENCL; fi
name=$("$HONE" devices --backend opencl --format csv | sed -n '2s/,.*//p')
if [ -z "$name" ]; then
  case_skip "a device of OpenCL" "$("$HONE" devices --backend opencl | head -n 1)"
  cases_end
fi

case_begin "a device of OpenCL has facts, and they are what device.* means"
run "$HONE" devices --backend opencl --all-facts
expect_status 0
expect_out_contains "max_threads"
threads=$(printf '%s\n' "$OUT" | sed -n 's/^  max_threads  *//p' | head -n 1)
sed "s/L <= device/L == 32 and $threads == device/" "$TMP/add.yaml" >"$TMP/same.yaml"
run "$HONE" space "$TMP/same.yaml" --count
expect_out 2
run "$HONE" space "$TMP/same.yaml" --count --device max_threads=1,extra=2
expect_status 1

case_begin "devices are called by name, number and the front of the name"
for device in "$name" opencl opencl:0 "${name%:*}"; do
  run "$HONE" space "$TMP/same.yaml" --count --device "$device"
  expect_out 2
done
run "$HONE" space "$TMP/same.yaml" --count --device opencl:99
expect_status 1
expect_err_contains "no device 'opencl:99': backend 'opencl' has $name ("

case_begin "the plan names the device; all of them are all"
run "$HONE" tune "$TMP/add.yaml" --dry-run
expect_status 0
expect_out_contains "devices     $name"
all=$("$HONE" devices --backend opencl --format csv | sed '1d; s/,.*//' | paste -sd , -)
for word in all opencl:all; do
  run "$HONE" tune "$TMP/add.yaml" --dry-run --devices $word
  expect_status 0
  expect_out_contains "devices     $all"
done
run "$HONE" tune "$TMP/add.yaml" --dry-run --devices opencl:99
expect_status 1
expect_err_contains "no device 'opencl:99'"
run "$HONE" tune "$TMP/add.yaml" --dry-run --devices all --worker env
expect_status 2
expect_err_contains "lists the devices of this machine"

case_begin "values that are given bound the search"
run "$HONE" tune "$TMP/add.yaml" --dry-run --device max_threads=32
expect_status 0
expect_out_contains "space       2 configurations"

cases_end
