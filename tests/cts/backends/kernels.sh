# kernels.sh - backends that call kernels: c, opencl, cuda, hip.
#
#   spec NAME KERNEL ENTRY <<'END'      $TMP/NAME.yaml, and the kernel in the backend's language
#   params: {WAY: [BASE, OTHER]}
#   args: ...
#   END
#
# A `launch` stands in specs of GPUs only: a line that begins with it is left out for backend c, and is
# added if there is none for others.
case $backend in
c) suffix=c ;;
opencl) suffix=cl ;;
cuda) suffix=cu ;;
hip) suffix=hip ;;
esac
kernels=$PWD/tests/cts/kernels
call_parts=(arguments launch pipeline host generators)
result_parts=(answers reduced functions symbols)
run_parts=(cheats failures timing devices restart cache)

on_gpu() { [ "$backend" != c ]; }
if on_gpu; then result_parts+=(images); fi
kernel_parts=("${call_parts[@]}" "${result_parts[@]}")
all_parts=("${kernel_parts[@]}" "${run_parts[@]}")
has_kernels() { true; }
but_baseline() { echo $(($1 - 1)); } # but_baseline N: how many candidates N configurations are

# ---- Specs ----

kernel() { # kernel NAME KERNEL: the prologue and the kernel are one file; includes are no matter of this suite
  local prologues=("$kernels/prologue.$suffix")
  if is hip; then prologues=("$kernels/prologue.cu" "${prologues[@]}"); fi
  cat "${prologues[@]}" "$kernels/$2.kernel" >"$TMP/$1.$suffix"
}

spec() { # spec NAME KERNEL ENTRY, and further lines of YAML on standard input
  local lines
  lines=$(cat)
  kernel "$1" "$2"
  printf '%s\n' "name: $1" "backend: $backend" "file: $1.$suffix" "entry: $3" >"$TMP/$1.yaml"
  if on_gpu; then
    printf '%s\n' "$lines" >>"$TMP/$1.yaml"
    grep -q '^launch:' "$TMP/$1.yaml" || echo 'launch: {grid: [4], block: [64]}' >>"$TMP/$1.yaml"
  else
    printf '%s\n' "$lines" | sed '/^launch:/d' >>"$TMP/$1.yaml"
    grep -q '^build:' "$TMP/$1.yaml" || echo 'build: {flags: [-O1]}' >>"$TMP/$1.yaml"
  fi
}

work_spec() { # work_spec NAME PARAMS BASELINE: y = x after WORK steps
  spec "$1" work work <<END
problem: {N: 64}
params: {$2}
baseline: {$3}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: uniform, low: 1, high: 2}}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: one, type: f32, value: 1}
  - {name: zero, type: f32, value: 0}
  - {name: n, type: i32, value: N}
check: {rtol: 0, atol: 0}
launch: {grid: [1], block: [64]}
END
}

probe_spec() {
  spec probe copy copy <<'END'
problem: {N: 64}
params: {V: [0]}
args:
  - {name: x, type: u8, shape: [N], fill: arange}
  - {name: y, type: u8, shape: [N], role: out}
  - {name: n, type: i64, value: N}
END
}

npy() { # npy FILE DESCR SHAPE CODE VALUES: the last are an expression of Python's; CODE is struct's
  python3 - "$TMP/$1" "$2" "$3" "$4" "$5" <<'END'
import struct, sys
path, descr, shape, code, values = sys.argv[1:]
head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
head += " " * (-(11 + len(head)) % 64) + "\n"
values = list(eval(values))
data = struct.pack("<%d%s" % (len(values), code), *values)
open(path, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)
END
}

another_text() { sed -i 's/value \* one + zero/value * one - zero/' "$TMP/$1.$suffix"; } # another_text NAME: of the same meaning

# ---- Failures ----

failures_spec() { # and `ways`, in each of which a configuration fails if TWICE is 0
  local shared='' limit='' block
  ways='BASE FAST NO_COMPILE COMPILE_FOREVER WRONG PAST_END ILLEGAL HANGS'
  case $backend in
  c) ways+=' TRAPS' ;;
  opencl)
    ways+=' LARGE_BLOCK MUCH_LOCAL'
    limit='built.local_bytes <= 2048'
    ;;
  cuda)
    ways+=' MISALIGNED TRAPS LARGE_BLOCK LARGE_SHARED MUCH_LOCAL'
    shared=", shared: \"2 ** 28 if WAY == 'LARGE_SHARED' and not TWICE else 0\""
    limit='built.shared_bytes <= 2048'
    ;;
  hip) # devices need not mind addresses that are not aligned
    ways+=' TRAPS LARGE_BLOCK LARGE_SHARED MUCH_LOCAL'
    shared=", shared: \"2 ** 28 if WAY == 'LARGE_SHARED' and not TWICE else 0\""
    limit='built.shared_bytes <= 2048'
    ;;
  esac
  expected=$((2 * $(set -- $ways && echo $#)))
  failure=(
    [NO_COMPILE]='compile_error nobody can compile this'
    [COMPILE_FOREVER]='compile_timeout'
    [WRONG]='wrong_result first at [0]: got -1'
    [PAST_END]="wrong_result wrote past the end of 'y'"
    [ILLEGAL]='crash SIGSEGV'
    [TRAPS]='crash'
    [HANGS]='hang did not return within 3.0 s'
  )
  case $backend in
  opencl)
    failure+=([ILLEGAL]='crash|device_fault' [LARGE_BLOCK]='launch_failure')
    failure+=([MUCH_LOCAL]='invalid built.local_bytes is 4') # 4096, and what a driver adds: NVIDIA's 4
    unset 'failure[TRAPS]'
    ;;
  cuda | hip)
    if is cuda; then failure+=([MISALIGNED]='device_fault misaligned'); fi
    failure+=([ILLEGAL]='device_fault illegal' [TRAPS]='device_fault' [LARGE_BLOCK]='launch_failure'
      [LARGE_SHARED]='launch_failure' [MUCH_LOCAL]='invalid built.shared_bytes is 4096')
    ;;
  esac
  block="\"4 * device.max_threads if WAY == 'LARGE_BLOCK' and not TWICE else 64\""
  spec failures failures failures <<END
problem: {N: 64}
params: {WAY: [${ways// /, }], TWICE: [0, 1]}
baseline: {WAY: BASE, TWICE: 0}
search: {strategy: exhaustive}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: uniform, low: 1, high: 2}}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: one, type: f32, value: 1}
  - {name: zero, type: f32, value: 0}
  - {name: n, type: i32, value: N}
check: {rtol: 0, atol: 0}
launch: {grid: [1], block: [$block]$shared}
END
  if on_gpu; then
    echo "constraints: ['$limit']" >>"$TMP/failures.yaml"
    echo "build: {timeout: 10s}" >>"$TMP/failures.yaml"
  else
    sed -i 's/^build: .*/build: {flags: [-O1], timeout: 10s}/' "$TMP/failures.yaml"
  fi
}

config_of() { echo "WAY=$1,TWICE=0"; } # config_of WAY: the configuration that fails so

# ---- Devices ----

missing_device() { # why there is none
  python3 -c '
import json, sys
known = json.load(open(sys.argv[1]))
print("" if known["devices"] else known["missing"][0]["reason"])' "$TMP/devices.json" 2>&1
}

two_devices() { # two of one kind, or one twice; nothing if there is but one CPU
  if is c; then
    if [ "$(nproc)" -gt 1 ]; then echo c:0,c:1; fi
  else
    known_device '",".join([own["device"], (alike + [own["device"]])[0]])'
  fi
}
