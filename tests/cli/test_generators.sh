#!/usr/bin/env bash
# Code that Hone does not compile: written by build.command, or named by `file`.
. "$(dirname "$0")/lib.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache COLUMNS=200

spec() { # spec NAME BACKEND FILE BUILD, and a launch for a GPU
  cat >"$TMP/$1.yaml" <<SPEC
backend: $2
file: $3
entry: add
params: {BY: [1, 2]}
baseline: {BY: 1}
args:
  - {name: x, type: f32, shape: [64]}
  - {name: y, type: f32, shape: [64], role: out}
build: $4
SPEC
  if [ "$2" != c ]; then echo 'launch: {grid: 1, block: 64}' >>"$TMP/$1.yaml"; fi
}

cat >"$TMP/add.c" <<'SPEC'
#include "own.h"
void add(const float *x, float *y) { for (int i = 0; i < 64; i++) y[i] = x[i] + ONE; }
SPEC
cat >"$TMP/write.py" <<'SPEC'
import sys
print('#include "own.h"\nvoid add(const float *x, float *y) { for (int i = 0; i < 64; i++) y[i] = x[i] + ONE * %s; }'
      % sys.argv[2], file=open(sys.argv[1], "w"))
SPEC
mkdir "$TMP/headers"
echo '#define ONE 1' >"$TMP/own.h"

case_begin "C: a source, in any language that writes it; it finds files beside the generator"
spec source c write.py '{command: [python3, "{source}", "{output}", "{BY}"]}'
run "$HONE" tune "$TMP/source.yaml" --stop-after screen --quiet
expect_status 0
run "$HONE" show last --format json
expect_out_contains '"outcome": "wrong_result"'
expect_out_contains '"outcome": "ok"'

case_begin "C: a generator that is given all values uses them, wherever it finds the kernel"
mkdir "$TMP/parts"
echo 'void add(const float *x, float *y) { for (int i = 0; i < 64; i++) y[i] = x[i] + BY; }' >"$TMP/parts/add.c"
printf 'for d in "$@"; do echo "$d" | sed "s/-D/#define /;s/=/ /"; done >"$OUTPUT"\ncat parts/add.c >>"$OUTPUT"\n' >"$TMP/all.sh"
spec all c all.sh '{command: ["env", "OUTPUT={output}", sh, "{source}", "{defines}"]}'
run "$HONE" tune "$TMP/all.yaml" --stop-after screen --quiet
expect_status 0
expect_same "notes about parameters" 0 "$(grep -c "is not used" <<<"$OUT$ERR")"
run "$HONE" show last --format json
expect_out_contains '"outcome": "wrong_result"'

case_begin "C: an error in what was written names the file and the line"
sed 's/float \*y)/float *y, )/' "$TMP/write.py" >"$TMP/bad.py"
spec bad c bad.py '{command: [python3, "{source}", "{output}", "{BY}"]}'
run "$HONE" run "$TMP/bad.yaml" --processes 1
expect_status 1
expect_out_contains "build       compile_error"
expect_out_contains "generated.c:2:"

case_begin "C: files that a generator reads in folders below its own belong to the build"
mkdir -p "$TMP/below/parts/deep" "$TMP/below/build-x"
echo 'void add(const float *x, float *y) { for (int i = 0; i < 64; i++) y[i] = x[i] + BY; }' >"$TMP/below/parts/deep/add.c"
cat >"$TMP/below/write.py" <<'END'
import os, sys
here = os.path.dirname(os.path.abspath(__file__))
open(here + "/build-x/log.txt", "a").write("once more\n")
open(sys.argv[1], "w").write(open(here + "/parts/deep/add.c").read().replace("BY", sys.argv[2]))
END
spec below c below/write.py '{command: [python3, "{source}", "{output}", "{BY}"]}'
built() { # built STATE: what `hone run` says of the build
  run "$HONE" run "$TMP/below.yaml" --processes 1 --verbose
  expect_status 0
  case $OUT in *"from the cache"*) state=kept ;; *) state=new ;; esac
  expect_same "the build" "$1" "$state"
}
built new
built kept
echo '// another line' >>"$TMP/below/parts/deep/add.c"
built new

case_begin "C: a name that a command does not know is refused with those that it does"
spec names c write.py '{command: [python3, "{source}", "{output}", "{arch}"]}'
run "$HONE" run "$TMP/names.yaml" --processes 1
expect_status 2
expect_err_contains "besides these there are {source}, {output}, {out}, {compiler}, {depfile}, {flags}, {includes}, {defines}"
expect_same "how often {compiler} is named" 1 "$(grep -o '{compiler}' <<<"$ERR" | wc -l)"

case_begin "C: a command that writes nothing"
spec nothing c write.py '{command: "true {output}"}'
run "$HONE" run "$TMP/nothing.yaml" --processes 1
expect_status 1
expect_out_contains "'true' exited with status 0 and without output but wrote no output file"

case_begin "C: an object is linked, and a shared object can be the file itself"
spec object c add.c '{command: "cc -c -fPIC {source} -o {output}"}'
run "$HONE" run "$TMP/object.yaml" --processes 1
expect_status 0
cc -shared -fPIC -o "$TMP/add.so" "$TMP/add.c"
spec shared c add.so '{flags: []}'
run "$HONE" run "$TMP/shared.yaml" --processes 1
expect_status 0

case_begin "the compiler of a source that was written"
spec compiler c write.py '{compiler: ./missing-cc, command: [python3, "{source}", "{output}", "{BY}"]}'
run "$HONE" run "$TMP/compiler.yaml" --processes 1
expect_status 1
expect_out_contains "missing-cc"

# ---- CUDA ----

name="CUDA: PTX and cubins of another compiler are built, and their kernels found"
if ! command -v nvcc >/dev/null; then
  case_skip "$name" "no nvcc"
else
  case_begin "$name"
  echo '__global__ void add(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x] + BY; }' >"$TMP/add.cu"
  for kind in ptx cubin; do
    spec $kind cuda add.cu "{command: 'nvcc -arch={arch} -$kind -DBY={BY} -o {output} {source}'}"
    run "$HONE" tune "$TMP/$kind.yaml" --device sm_90 --stop-after build --quiet
    expect_status 0
    expect_same "what $kind failed with" "" "$("$HONE" show last --format json | grep -o '"evidence": "[^"]*"')"
  done
  nvcc -arch=sm_90 -DBY=1 -cubin -o "$TMP/add.cubin" "$TMP/add.cu"
  spec file cuda add.cubin '{flags: []}'
  run "$HONE" tune "$TMP/file.yaml" --device sm_90 --stop-after build --quiet
  expect_status 0
  sed -i 's/entry: add/entry: sub/' "$TMP/file.yaml"
  run "$HONE" tune "$TMP/file.yaml" --device sm_90 --stop-after build --quiet
  expect_err_contains "no kernel 'sub' in '$(realpath "$TMP")/add.cubin'; it has _Z3addPKfPf"
fi

case_begin "CUDA: PTX is loaded by the driver, and its parameters are compared with the arguments"
cc -shared -fPIC -o "$TMP/stub.so" tests/fault/device_stub.c -lm
export HONE_CUDA=$TMP/stub.so HONE_NVRTC=$TMP/stub.so
cat >"$TMP/add.ptx" <<'SPEC'
.version 8.0
.target sm_90
.address_size 64
.visible .entry add(.param .u64 add_param_0, .param .u64 add_param_1, .param .u32 add_param_2) { ret; }
SPEC
spec ptx cuda add.ptx '{flags: []}'
sed -i 's/^params:.*/params: {BY: [1]}/; s/^build:/  - {name: n, type: i32, value: 64}\n&/' "$TMP/ptx.yaml"
run "$HONE" run "$TMP/ptx.yaml" --processes 1
expect_status 0
expect_out_contains "outcome     ok"
sed -i 's/, .param .u32 add_param_2//' "$TMP/add.ptx"
run "$HONE" run "$TMP/ptx.yaml" --processes 1
expect_status 1
expect_err_contains "the kernel has 2 parameters, 'args' has 3"

cases_end
