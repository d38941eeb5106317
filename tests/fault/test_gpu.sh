#!/usr/bin/env bash
# Kernels of devices that do everything that a kernel can do, libraries of devices that fail in every call,
# and a helper that somebody kills all the while. OpenCL has a device here if PoCL is installed; CUDA has a
# library that pretends, HIP one that computes on the CPU.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache POCL_CACHE_DIR=$TMP/pocl XDG_CACHE_HOME=$TMP/xdg
opencl=${HONE_OPENCL-}

outcomes() { # "CONFIG CLASS" of the run in $TMP/run.json; on a busy machine any that works may be found slow
  "$HONE" show last --format json >"$TMP/run.json"
  python3 -c '
import json, sys
for e in sorted(json.load(open(sys.argv[1]))["evaluations"], key=lambda e: e["config"]):
    print(e["config"], "ok" if e["outcome"] == "slow" else e["outcome"])' "$TMP/run.json"
}
evidence() { # of the configuration $1
  python3 -c '
import json, sys
print(*[e["evidence"] for e in json.load(open(sys.argv[1]))["evaluations"] if e["config"] == sys.argv[2]])' \
    "$TMP/run.json" "$1"
}
expect_evidence() { expect_contains "the evidence of $1" "$2" "$(evidence "$1")"; }

# ---- Libraries that pretend to be CUDA's ----

cc -shared -fPIC -o "$TMP/stub.so" tests/fault/device_stub.c -lm || exit 1
export HONE_CUDA=$TMP/stub.so HONE_NVRTC=$TMP/stub.so HONE_OPENCL=$TMP/none.so
cp tests/fault/gpu_reference.c "$TMP"
echo 'extern "C" __global__ void add_one(const float *x, float *y, int n) { y[threadIdx.x] = x[V]; }' \
  >"$TMP/add_one.cu"
cat >"$TMP/stub.yaml" <<'END'
name: stub
file: add_one.cu
backend: cuda
problem: {N: 4096}
params: {V: [1, 2, 3, 4]}
baseline: {V: 1}
build: {timeout: 10s}
entry: add_one
launch: {grid: N // 64, block: 64}
args:
  - {name: x, type: f32, shape: [N], fill: uniform}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
reference: {file: gpu_reference.c, entry: add_one_ref}
END

stubbed() { # stubbed CALL WHAT FROM: a run with a library that misbehaves so
  rm -rf "$HONE_STORE"* "$HONE_CACHE"
  STUB_CALL=$1 STUB_DO=$2 STUB_FROM=${3-1} RUN_TIMEOUT=100 run "$HONE" tune "$TMP/stub.yaml" --timeout 5s --builders 1 --quiet
}

case_begin "a library that pretends well enough"
stubbed none none
expect_status 0
expect_same outcomes "$(printf 'V=%d ok\n' 1 1 2 3 4 | sort -u)" "$(outcomes | sort -u)"

# Nsight Compute's table, as version 2025.3 prints it. That its runner gets the orders is tested where a GPU is.
cat >"$TMP/ncu" <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
  --log-file) log=$2 ;;
  --metrics) metrics=$2 ;;
  esac
  shift
done
if [ -n "$NCU_ERROR" ]; then
  echo "==ERROR== $NCU_ERROR" >"$log"
  exit 1
fi
{
  echo '==PROF== Connected to process 729 (/opt/hone)'
  echo '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"'
  echo "$metrics" | tr , '\n' | while read -r metric; do
    case $metric in
    gpu__time_duration.sum) value=163,136 ;;
    dram__bytes.sum) value=51,150,848 ;;
    dram__throughput*) value=6.52 ;;
    *_ffma_pred_on.sum) value=1,000,000 ;;
    *_fadd_pred_on.sum) value=500,000 ;;
    *fp8.sum) value=n/a ;;
    *.sum) value=0 ;;
    *) value=8.14 ;;
    esac
    echo "\"0\",\"729\",\"hone\",\"127.0.0.1\",\"add_one(float *, float *)\",\"1\",\"13\",\"(32, 1, 1)\",\"(128, 2048, 1)\",\"0\",\"9.0\",\"Command line profiler metrics\",\"$metric\",\"x\",\"$value\""
  done
} >"$log"
END
chmod +x "$TMP/ncu"

case_begin "what a profiler counts is a point of a roofline"
rm -rf "$HONE_STORE"* "$HONE_CACHE"
HONE_NCU=$TMP/ncu run "$HONE" tune "$TMP/stub.yaml" --timeout 5s --quiet --counters
expect_status 0
"$HONE" show last --format json >"$TMP/run.json"
expect_same "the point, its roof and the metrics" "2.5 0.0489 235 True" "$(python3 - "$TMP/run.json" <<'END'
import json, re, sys
run = json.load(open(sys.argv[1]))
note = next(note for note in run["notes"] if "counters of the baseline" in note)
found = re.search(r"([\d.e-]+) GFLOP a call, ([\d.e-]+) FLOP a byte, for which memory allows ([\d.e-]+) GFLOP/s", note)
one = next(e for e in run["evaluations"] if e.get("is_baseline") or e["config"] == "V=1")
metrics = one["metrics"]
print(1e3 * float(found[1]), *found.groups()[1:], abs(metrics["counted GB/s"] / metrics["counted GFLOP/s"] - 51150848 / 2.5e6) < 1e-3)
END
)"

case_begin "why a profiler counts nothing is told"
rm -rf "$HONE_STORE"* "$HONE_CACHE"
NCU_ERROR="ERR_NVGPUCTRPERM - The user does not have permission" HONE_NCU=$TMP/ncu run "$HONE" tune "$TMP/stub.yaml" \
  --timeout 5s --counters
expect_status 0
expect_contains "the warning" "no counters of the baseline: ERR_NVGPUCTRPERM" "$ERR"

case_begin "arrays of a module are arguments"
cat >"$TMP/symbols_reference.c" <<'END'
void shift_ref(const float *x, const float *shift, float *y, float *last, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] + *shift;
  *last = y[n - 1];
}
END
cp "$TMP/stub.yaml" "$TMP/stub_before.yaml"
sed -i -e '/name: x/a \  - {name: shift, symbol: true, type: f32, shape: 1, fill: {kind: uniform, low: 2, high: 4}}' \
  -e '/name: y/a \  - {name: last, symbol: true, type: f32, shape: 1, role: out}' \
  -e 's/gpu_reference.c, entry: add_one_ref/symbols_reference.c, entry: shift_ref/' "$TMP/stub.yaml"
stubbed none none
expect_status 0
expect_same outcomes "$(printf 'V=%d ok\n' 1 2 3 4)" "$(outcomes | sort -u)"
stubbed cuModuleGetGlobal_v2 500
expect_status 1
expect_err_contains "its object has no array 'shift'"
mv "$TMP/stub_before.yaml" "$TMP/stub.yaml"

# What both libraries do wrong; RUN is `stubbed` or `stood_in`.
opening_fails() { # opening_fails RUN ERROR ALLOCATOR STREAM CALL...
  local run=$1 error=$2 allocator=$3 stream=$4 call
  for call in "${@:5}"; do
    $run "$call" 719
    expect_status 1
    expect_err_contains "$error, 719"
  done
  $run "$allocator" 2
  expect_status 1
  expect_err_contains "the arguments do not fit on the device"
  $run "$stream" crash
  expect_status 1
  expect_err_contains "its process ended: signal 11 (SIGSEGV); output: the stub crashes"
}
times_are_refused() { # times_are_refused RUN CALL
  $1 "$2" lie
  expect_status 1
  expect_err_contains "device_fault: the device reports a time of"
}
faults_are_theirs() { # faults_are_theirs RUN CALL FROM...: calls are counted in each helper anew
  local what class from got other
  while read -r what class; do
    for from in "${@:3}"; do
      $1 "$2" "$what" "$from"
      expect_status 0
      got=$(outcomes)
      expect_same "number of configurations" 4 "$(echo "$got" | wc -l)"
      other=$(echo "$got" | grep -v -e ' ok$' -e " $class$")
      [ -z "$other" ] || fail "neither ok nor $class: $other"
    done
  done <<'END'
700 device_fault
crash crash
END
}
compilers_fail() { # compilers_fail RUN CALL NAME LIBRARY
  local what words
  while read -r what words; do
    $1 "$2" "$what"
    expect_status 1
    expect_err_contains "the baseline cannot be built: $words"
  done <<END
crash compile_crash: the compiler: signal 11 (SIGSEGV)
hang compile_timeout: the compiler: still running after
exit compile_error: '$3' exited with status 0 and without output but wrote no output file
7 not_built: $3 does not work here: $4
END
}
libraries_fail() { # libraries_fail NAME [OPTION...]: of the device, of 'hone devices'
  local what
  for what in crash exit print fork; do
    STUB_CALL=constructor STUB_DO=$what run "$HONE" devices "${@:2}" --format json
    expect_status 0
    expect_err ""
    python3 -m json.tool "$TMP/stdout" >/dev/null || fail "no JSON: $OUT"
    case $what in
    crash) expect_out_contains "did not answer: signal 11 (SIGSEGV)" ;;
    exit) expect_out_contains "did not answer: exit status 0" ;;
    *) expect_out_contains "\"name\": \"$1\"" ;;
    esac
  done
  expect_nothing_left "$HONE devices"
}

case_begin "whatever fails when a device is opened is said"
opening_fails stubbed CUDA_ERROR_OF_STUB cuMemAlloc_v2 cuStreamCreate \
  cuDevicePrimaryCtxRetain cuStreamCreate cuEventCreate cuMemcpyHtoD_v2 cuMemsetD8Async

case_begin "times that are none are not believed"
times_are_refused stubbed cuEventElapsedTime

case_begin "faults while candidates run are theirs"
faults_are_theirs stubbed cuGraphLaunch 40 60 90

case_begin "compilers that crash, hang, say nothing or make nothing"
compilers_fail stubbed nvrtcCompileProgram NVRTC libnvrtc-builtins
stubbed nvrtcGetLoweredName 9
expect_err_contains "compile_error: error: no kernel 'add_one' in 'add_one.cu'"

case_begin "libraries that crash, leave or print when they are opened, and leave processes"
libraries_fail Stub

# ---- A library that stands in for HIP's, on the CPU ----

. tests/stand-in/hip.sh
export HONE_CUDA=$TMP/none.so
echo 'extern "C" __global__ void add_one(const float *x, float *y, int n)
{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + (V > 0); }' >"$TMP/add_one.hip"
sed 's/add_one.cu/add_one.hip/; s/backend: cuda/backend: hip/' "$TMP/stub.yaml" >"$TMP/hip.yaml"
stood_in() { # stood_in CALL WHAT [FROM]
  rm -rf "$HONE_STORE"* "$HONE_CACHE"
  STUB_CALL=$1 STUB_DO=$2 STUB_FROM=${3-1} RUN_TIMEOUT=100 run "$HONE" tune "$TMP/hip.yaml" --timeout 5s --quiet
}

case_begin "HIP: whatever fails when a device is opened is said"
opening_fails stood_in hipErrorOfStandIn hipMalloc hipStreamCreateWithFlags \
  hipDevicePrimaryCtxRetain hipStreamCreateWithFlags hipEventCreateWithFlags hipMemcpyHtoD

case_begin "HIP: times that are none are not believed"
times_are_refused stood_in hipEventElapsedTime

case_begin "HIP: faults while candidates run are theirs"
faults_are_theirs stood_in hipGraphLaunch 60

case_begin "HIP: compilers that crash, hang, say nothing or make nothing"
compilers_fail stood_in hiprtcCompileProgram hiprtc libhiprtc-builtins

case_begin "HIP: libraries that crash, leave or print when they are opened, and leave processes"
libraries_fail "Stand-in of an AMD GPU" --backend hip
export HONE_HIP=$TMP/none.so HONE_HIPRTC=$TMP/none.so

# ---- Kernels that misbehave ----

export HONE_OPENCL=$opencl HONE_CUDA=$TMP/none.so
[ -n "$opencl" ] || unset HONE_OPENCL
if ! "$HONE" devices --backend opencl --quiet --format json | grep -q '"kind": "cpu"'; then
  case_skip "kernels that misbehave" "no OpenCL device here that is a CPU (apt-get install pocl-opencl-icd)"
  cases_end
fi

expected='BEHAVIOUR=BASELINE ok
BEHAVIOUR=BEFORE_1 wrong_result
BEHAVIOUR=COMPILE_FOREVER compile_timeout
BEHAVIOUR=FAR crash
BEHAVIOUR=GOOD ok
BEHAVIOUR=HANG_FIRST hang
BEHAVIOUR=HANG_LATER hang
BEHAVIOUR=INPUT ok
BEHAVIOUR=NAN_ANSWER wrong_result
BEHAVIOUR=NO_COMPILE compile_error
BEHAVIOUR=NO_ENTRY compile_error
BEHAVIOUR=NO_INCLUDE compile_error
BEHAVIOUR=NULL_WRITE crash
BEHAVIOUR=PAST_1 wrong_result
BEHAVIOUR=PRINT_FOREVER hang
BEHAVIOUR=PRINT_MUCH ok
BEHAVIOUR=STACK crash
BEHAVIOUR=UNWRITTEN wrong_result
BEHAVIOUR=WRONG wrong_result'

case_begin "every behaviour gets its class"
rm -f "$HONE_STORE"*
RUN_TIMEOUT=200 run "$HONE" tune tests/fault/gpu_behaviour.yaml --timeout 3s --quiet --no-confirm
expect_status 0
expect_same outcomes "$expected" "$(outcomes)"
expect_evidence BEHAVIOUR=PAST_1 "wrote past the end of 'y' (first changed byte at +0)"
expect_evidence BEHAVIOUR=BEFORE_1 "wrote before the start of 'y' (first changed byte at -1)"
expect_evidence BEHAVIOUR=HANG_FIRST "its first call did not return within 3.0 s"
expect_evidence BEHAVIOUR=HANG_LATER "a later call did not return within 3.0 s"
expect_evidence BEHAVIOUR=NULL_WRITE "signal 11 (SIGSEGV) in its first call"
expect_evidence BEHAVIOUR=UNWRITTEN "never written"
expect_out_contains "a candidate writes to its input 'x'"

case_begin "nothing is left running"
expect_nothing_left

# ---- A helper that is killed, and killed again ----

case_begin "signals from elsewhere cost no candidate"
rm -f "$HONE_STORE"*
cp tests/fault/gpu_many.yaml tests/fault/gpu_many.cl "$TMP"
python3 - "$HONE" "$TMP/gpu_many.yaml" "$HONE_STORE" >"$TMP/log" 2>&1 <<'PY'
import os, random, signal, sqlite3, subprocess, sys, time
random.seed(7)

def helpers(driver):
    parents = {}
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                parents[int(name)] = int(open(f"/proc/{name}/stat").read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    below, level = [driver], 0
    while level < 3: # supervisor, runner, helper
        below, level = [p for p in parents if parents[p] in below], level + 1
    found = []
    for pid in below:
        try:
            if "\0run\0" in open(f"/proc/{pid}/cmdline").read():
                found.append(pid)
        except OSError:
            pass
    return found

def measured():
    try:
        with sqlite3.connect(f"file:{sys.argv[3]}?mode=ro", uri=True, timeout=10) as db:
            return db.execute("select count(*) from evaluations").fetchone()[0]
    except sqlite3.OperationalError:
        return 0

# Who is killed again and again is given up: between two signals something has to be measured.
driver = subprocess.Popen([sys.argv[1], "tune", sys.argv[2], "--quiet"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.STDOUT)
signals, before, end = 0, 0, time.time() + 600  # a busy machine
while driver.poll() is None and time.time() < end:
    time.sleep(random.uniform(0.02, 0.2))
    now = measured()
    for pid in helpers(driver.pid) if signals < 15 and now > before else []:
        try:
            os.kill(pid, random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP]))
            signals, before = signals + 1, now
        except ProcessLookupError:
            pass
if driver.poll() is None:
    driver.kill()
print("signals", signals, "status", driver.wait())
PY
sed 's/^/# /' "$TMP/log"
grep -q 'status 0$' "$TMP/log" || fail "$(cat "$TMP/log")"
got=$(outcomes)
expect_same "number of configurations" 120 "$(echo "$got" | wc -l)"
case $got in *[!k]$'\n'*) fail "$(echo "$got" | grep -v ' ok$')" ;; esac
expect_same integrity ok "$(python3 -c '
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("pragma integrity_check").fetchone()[0])' "$HONE_STORE")"

cases_end
