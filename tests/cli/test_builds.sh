#!/usr/bin/env bash
# What is built is what was asked for: foreign code with headers, templates and build scripts of its own, the
# messages of builds that fail, and names that get in each other's way.
. "$(dirname "$0")/lib.sh"
export COLUMNS=200 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache

expect_both() { # in what it says, wherever
  expect_contains "the output" "$1" "$OUT
$ERR"
}
expect_not() { # expect_not TEXT
  case $OUT$ERR in *"$1"*) fail "it says '$1':
$OUT
$ERR" ;; esac
}
tune() { # tune NAME [OPTIONS]
  local name=$1
  shift
  run "$HONE" tune "$TMP/$name.yaml" --no-confirm "$@"
}
try() { # try NAME [OPTIONS]: hone run
  local name=$1
  shift
  run "$HONE" run "$TMP/$name.yaml" "$@"
}
objects() { figure 'len({c["object"] for c in run["evaluations"]})'; } # that the last run made

# spec NAME LINES: a function f(x, y, n); LINES has the parameters.
spec() {
  cat >"$TMP/$1.yaml" <<END
file: $1.${3-c}
problem: {N: 256}
entry: f
args:
  - {name: x, type: f32, shape: [N], fill: uniform}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
$2
END
}
body='void f(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }'

# ---- Commands of one's own

# The macro stands in another file than the kernel's: a small library with a build script.
mkdir "$TMP/lib"
cat >"$TMP/lib/impl.c" <<'END'
#include "impl.h"
#ifndef REPEAT
#error REPEAT is missing
#endif
void f(const float *x, float *y, int n) { for (volatile int r = 0; r < REPEAT; r++) add(x, y, n); }
END
cat >"$TMP/lib/impl.h" <<'END'
static void add(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }
END
cat >"$TMP/lib/build.sh" <<'END'
#!/bin/sh
# build.sh OUTPUT REPEAT FLAGS...: as foreign projects have it
output=$1 repeat=$2
shift 2
cc -O1 -shared -fPIC -DREPEAT="$repeat" "$@" -o "$output" impl.c
END
chmod +x "$TMP/lib/build.sh"
echo "/* see impl.c */" >"$TMP/lib/kernel.c"
echo "$body" | sed 's/ f(/ reference(/' >"$TMP/lib/reference.c"
spec lib/kernel 'params: {R: [1, 2, 3]}
baseline: {R: 2}
build: {command: "./build.sh {output} {R} -DN={N}"}
reference: {file: reference.c, entry: reference}'
sed -i 's,lib/kernel.c,kernel.c,' "$TMP/lib/kernel.yaml"

case_begin "each configuration of a build script has an object of its own"
tune lib/kernel
expect_status 0
expect_same "objects" 3 "$(objects)"
sed 's/ {R} / 7 {defines} /' "$TMP/lib/kernel.yaml" >"$TMP/lib/defines.yaml"
sed -i 's/REPEAT/R/g' "$TMP/lib/impl.c"
tune lib/defines
expect_status 0
expect_same "objects" 3 "$(objects)"
sed -i 's/\<R\>/REPEAT/g' "$TMP/lib/impl.c"

case_begin "files that a build script reads are noticed, in the cache and in the store"
tune lib/kernel
sed -i 's/+ 1/+ 0.5f + 0.5f/' "$TMP/lib/impl.h"
before=$(figure 'sorted(c["object"] for c in run["evaluations"])')
tune lib/kernel
[ "$before" != "$(figure 'sorted(c["object"] for c in run["evaluations"])')" ] || fail "impl.h was changed, the objects not"
before=$(figure 'sorted(c["object"] for c in run["evaluations"])')
sed -i 's/-O1/-O2/' "$TMP/lib/build.sh"
tune lib/kernel
[ "$before" != "$(figure 'sorted(c["object"] for c in run["evaluations"])')" ] || fail "build.sh was changed, the objects not"
tune lib/kernel
expect_both "nothing was measured"

case_begin "a variable that the command names is a part of the build"
spec variable 'params: {V: [1, 2]}
baseline: {V: 1}
build: {command: [sh, -c, "cc $EXTRA -DV={V} -shared -fPIC -o {output} {source}"]}'
echo "int more = V; $body" | sed 's/+ 1/+ 1 + ADD - ADD/' >"$TMP/variable.c"
EXTRA='-DADD=1' try variable
expect_status 0
first=$(grep -o 'object [0-9a-f]*' <<<"$OUT")
EXTRA='-DADD=1 -g' try variable
expect_status 0
[ "$first" != "$(grep -o 'object [0-9a-f]*' <<<"$OUT")" ] || fail "the same object with another \$EXTRA"

case_begin "a file that the command lists as read is noticed"
mkdir "$TMP/far"
echo '#define FAR 1' >"$TMP/far/far.h"
spec listed 'params: {V: [1, 2]}
baseline: {V: 1}
build: {command: "cc {defines} -MD -MF {depfile} -shared -fPIC -o {out} {source}"}'
printf '#define HEADER "far/far.h"\n#include HEADER\nint more = V * FAR; %s\n' "$body" >"$TMP/listed.c"
try listed
expect_status 0
try listed
expect_out_contains "from the cache"
echo '#define FAR 2' >"$TMP/far/far.h"
try listed
expect_not "from the cache"

case_begin "unknown names and lists in the middle of words are errors at their place"
spec unknown 'params: {TILE: [1, 2]}
baseline: {TILE: 1}
build: {command: "cc -DX={TILLE} -shared -o {output} {source}"}'
echo "$body" >"$TMP/unknown.c"
try unknown
expect_status 2
expect_err_contains "unknown.yaml:10:18: error: unknown name {TILLE}; did you mean {TILE}?"
sed -i 's/-DX={TILLE}/x{defines}/' "$TMP/unknown.yaml"
try unknown
expect_err_contains "unknown.yaml:10:18: error: {defines} expands to several words"

# ---- References

case_begin "the reference is built by the kernel's command, with its own file and the baseline's values"
spec same 'params: {V: [3, 4]}
baseline: {V: 3}
build: {command: "cc -O1 -DBASE={V} -DSIZE={N} -shared -fPIC -o {output} {source}"}
reference: {file: same_ref.c, entry: g}'
echo "int base = BASE; $body" >"$TMP/same.c"
printf '#if BASE != 3 || SIZE != 256\n#error other values\n#endif\n%s\n' "$(sed 's/ f(/ g(/' <<<"$body")" >"$TMP/same_ref.c"
try same --config V=4
expect_status 0
expect_out_contains "outcome     ok"

case_begin "a command that names no source is for the kernel alone"
try lib/kernel --config R=1
expect_status 0
expect_out_contains "outcome     ok"

case_begin "'reference.build' says how the reference alone is built"
spec apart 'params: {V: [3, 4]}
baseline: {V: 3}
build: {command: "cc -DKERNEL -DV={V} -shared -fPIC -o {output} {source}"}
reference:
  file: apart_ref.c
  entry: g
  build: {compiler: cc -std=c11, flags: ["-DLEVEL={V}"], defines: {OWN: 5}}'
echo "int v = V; $body" >"$TMP/apart.c"
printf '#if LEVEL != 3 || OWN != 5 || defined KERNEL\n#error other values\n#endif\n%s\n' \
  "$(sed 's/ f(/ g(/' <<<"$body")" >"$TMP/apart_ref.c"
try apart --config V=4
expect_status 0
expect_out_contains "outcome     ok"
sed -i 's/compiler: cc -std=c11, flags: .*}}/command: "cc -DLEVEL=3 -DOWN=5 -shared -fPIC -o {out} {source} -DX={NONE}"}/' "$TMP/apart.yaml"
try apart
expect_err_contains "apart.yaml:14:20: error: unknown name {NONE}"
sed -i 's/ -DX={NONE}//' "$TMP/apart.yaml"
try apart
expect_status 0
sed -i 's/file: apart_ref.c/command: "true"/; /entry: g/d' "$TMP/apart.yaml"
try apart
expect_status 2
expect_err_contains "'build'"

# ---- Messages

spec broken 'params: {V: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]}
baseline: {V: 1}'
cat >"$TMP/broken.h" <<'END'
static int undeclared(void) { return missing_name + V; }
END
printf '#include "broken.h"\n#warning one\n%s\nint g(void) { return another_name; }\n' "$body" >"$TMP/broken.c"

case_begin "the first error is shown whole, with -v all that the compiler printed"
try broken
expect_status 1
expect_out_contains "            broken.h:1:38: error: "
expect_out_contains "| In file included from broken.c:1:"
expect_out_contains "|     1 | static int undeclared(void) { return missing_name + V; }"
expect_not "another_name"
expect_out_contains "(-v shows the complete output)"
try broken -v
expect_out_contains "another_name"
expect_out_contains "#warning one"

case_begin "where the baseline cannot be built the error is whole"
tune broken
expect_status 1
expect_err_contains "the baseline cannot be built: compile_error: broken.h:1:38: error: "
expect_err_contains "    1 | static int undeclared(void) { return missing_name + V; }"
printf 'build: {flags: [-O1]}\n' >>"$TMP/broken.yaml"
tune broken
expect_err_contains "what the compiler gets is 'build' in $TMP/broken.yaml:$(grep -n ^build "$TMP/broken.yaml" | cut -d: -f1): flags, macros"

case_begin "ten builds that fail alike end the run, unless somebody wants to go on"
sed '/baseline/d' "$TMP/broken.yaml" >"$TMP/alike.yaml"
tune alike
expect_status 1
expect_err_contains "the first 10 builds failed with the same message"
expect_err_contains "'--keep-going'"
expect_err_contains "    1 | static int undeclared(void) { return missing_name + V; }"
printf '#if V > 1\n#error V=V is too large\n#endif\n%s\n' "$body" >"$TMP/broken.c"
tune broken
expect_status 1
expect_err_contains "the first 10 builds failed with the same message"
expect_err_contains "broken.c:2:2: error: #error V=V is too large"
expect_figure 'run["state"]' failed
tune broken --keep-going
expect_status 0
expect_figure 'run["counts"]["failed"]' 13
sed -i 's/V > 1/V > 1 \&\& V < 14/' "$TMP/broken.c"
tune broken --seed-config V=14
expect_status 0

program() { # program NAME LINES: a Python program, or one that Python builds
  cat >"$TMP/$1.yaml" <<END
file: $1.py
params: {V: [1, 2]}
baseline: {V: 1}
$2
END
}
case_begin "of a Python program that fails the exception is told"
program raises ''
cat >"$TMP/raises.py" <<'END'
import sys
def check(argument):
    if argument == "--V=2":
        raise ValueError("error: tile\nis too large")
try:
    check(sys.argv[1])
except ValueError as e:
    raise RuntimeError("cannot launch\non this device") from e
print(1.5)
END
tune raises
expect_status 0
expect_err_contains "exit status 1: RuntimeError: cannot launch"
expect_not "Traceback"
run "$HONE" run "$TMP/raises.yaml" --config V=2
expect_out_contains "RuntimeError: cannot launch"
expect_out_contains "| Traceback (most recent call last):"
tune raises
expect_out_contains "RuntimeError: cannot launch"

case_begin "of a build script in Python too, but a compiler's error comes first"
program generated 'build: {command: "python3 generate.py {V} {out}"}
run: {command: "{bin}"}'
echo >"$TMP/generated.py"
cat >"$TMP/generate.py" <<'END'
import subprocess, sys
print("generating")
if sys.argv[1] == "2":
    raise KeyError("no tile of error: 2")
source = "int main(void) { puts(\"1.0\"); return %s; }\n" % ("0" if sys.argv[1] == "1" else "x")
subprocess.run(["cc", "-include", "stdio.h", "-x", "c", "-", "-o", sys.argv[2]], input=source.encode(), check=True)
END
sed -i 's/\[1, 2\]/[1, 2, 3]/' "$TMP/generated.yaml"
tune generated
expect_status 0
expect_err_contains "  KeyError: 'no tile of error: 2'"
expect_err_contains "error: 'x' undeclared"
expect_not "Traceback"
try generated --config V=2
expect_out_contains "| Traceback (most recent call last):"
expect_out_contains '|     raise KeyError("no tile of error: 2")'

# ---- Macros that take the place of other names

collision() { # collision NAME FILE LINE
  expect_both "; the macro '$1' ("
  expect_both "collides with a name in '$TMP/$2', line $3: rename it in the spec, or give macros a prefix with 'build.define_prefix'"
}
mkdir "$TMP/third" "$TMP/own"
cat >"$TMP/third/box.h" <<'END'
#pragma once
struct box { int w, H; };
static inline int area(struct box b) { return b.w * b.H; }
END
cat >"$TMP/own/tile.hpp" <<'END'
#pragma once
template <typename T, int W> struct tile {
  T at[W];
};
END
cat >"$TMP/own/collide.cpp" <<'END'
#include "tile.hpp"
#include "box.h"
extern "C" void f(const float *x, float *y, int n) {
  tile<float, 4> t = {};
  for (int i = 0; i < n; i++) y[i] = x[i] + t.at[0] + area({1, 1}) * HONE_UNROLL - HONE_UNROLL + 1;
}
END
spec own/collide 'params: {UNROLL: [1, 2]}
baseline: {UNROLL: 1}
build: {compiler: g++, includes: [../third]}' cpp
sed -i 's,own/collide.cpp,collide.cpp,; s/N/W/g; s/UWROLL/UNROLL/g' "$TMP/own/collide.yaml"

case_begin "a macro that collides with a parameter of a template is told, and a prefix helps"
for compiler in g++ clang++; do
  command -v $compiler >"$TMP/null" || continue
  sed -i "s/compiler: [a-z+]*/compiler: $compiler/" "$TMP/own/collide.yaml"
  try own/collide
  expect_status 1
  collision W own/tile.hpp 2
done
sed -i 's/build: {/build: {define_prefix: HONE_, /' "$TMP/own/collide.yaml"
try own/collide
expect_status 0
expect_out_contains "-DHONE_UNROLL=1 -DHONE_W=256"
sed -i 's/define_prefix: HONE_/define_prefix: 2X/' "$TMP/own/collide.yaml"
try own/collide
expect_status 2
expect_err_contains "collide.yaml:10:24: error: 'define_prefix'"

case_begin "so is one that collides with a name of a foreign header"
sed -i 's/define_prefix: 2X, //; s/params: {/params: {H: [1, 2], /; s/baseline: {/baseline: {H: 1, /' "$TMP/own/collide.yaml"
sed -i 's/HONE_UNROLL/UNROLL/g; 1d' "$TMP/own/collide.cpp"
sed -i 's/tile<float, 4> t/struct { float at[4]; } t/' "$TMP/own/collide.cpp"
try own/collide
collision H third/box.h 2

case_begin "an error on a line that uses the macro as it is meant is no collision"
spec meant 'params: {TILE: [1, 2]}
baseline: {TILE: 1}'
echo "int a[TILE - 9]; $body" >"$TMP/meant.c"
try meant
expect_status 1
expect_out_contains "error: size of array"
expect_not "collides"

case_begin "of OpenCL and CUDA too"
cat >"$TMP/gpu.cl" <<'END'
inline int area(int W, int H) { return W * H; }
kernel void f(global const float *x, global float *y, int n) { y[get_global_id(0)] = x[0] + area(H, 1); }
END
spec gpu 'params: {H: [1, 2]}
baseline: {H: 1}
launch: {global: N, local: 1}' cl
if "$HONE" devices 2>"$TMP/null" | grep -q opencl; then
  try gpu
  collision H gpu.cl 1
fi
sed 's/inline/__device__/; s/kernel/extern "C" __global__/; s/global //g; s/get_global_id(0)/0/' "$TMP/gpu.cl" >"$TMP/gpu.cu"
sed 's/gpu.cl/gpu.cu/; s/, local: 1/, local: 32/' "$TMP/gpu.yaml" >"$TMP/nvrtc.yaml"
if [ -n "${HONE_NVRTC-}" ] && [ -e "$HONE_NVRTC" ]; then
  tune nvrtc --device sm_90a --stop-after build
  expect_status 1
  collision H gpu.cu 1
fi

case_begin "a size may have the name of an argument in CUDA's own headers"
mkdir "$TMP/toolkit"
printf '%s\n' '#pragma once' 'typedef int CUresult; CUresult cuMemset(void *p, int N);' >"$TMP/toolkit/cuda.h"
printf '%s\n' '#include <stdarg.h>' '#include <cuda.h>' \
  'extern "C" __global__ void f(const float *x, float *y, int n) { y[0] = x[0] + N + H; }' \
  'float *made(int n) { return (float *)aligned(16, n); }' >"$TMP/gpu.cu"
printf 'build: {includes: [toolkit]}\n' >>"$TMP/nvrtc.yaml"
if [ -n "${HONE_NVRTC-}" ] && [ -e "$HONE_NVRTC" ]; then
  tune nvrtc --device sm_90a --stop-after build
  expect_status 0
fi

# ---- Parameters that nothing uses

unused() { # unused [PLACE PARAMETER]...: exactly these are warned of
  local got expected=
  if [ $# != 0 ]; then expected=$(printf '%s %s\n' "$@"); fi
  got=$(grep -oE "^warning: .*[.][a-z]+:[0-9]+:[0-9]+: parameter '[A-Za-z]+' is not used" <<<"$ERR" |
    sed "s,$TMP/,,; s/ is not used//" | tr -d "'" | cut -d' ' -f2,4)
  expect_same "unused parameters" "$expected" "$got"
}
case_begin "they are warned of before anything is built; headers, flags, derived values and commands are uses"
mkdir "$TMP/used"
cat >"$TMP/used/used.yaml" <<'END'
file: used.c
problem: {N: 64}
params:
  DIRECT: [1, 2]
  HEADER: [1, 2]
  FLAG: [1, 2]
  DERIVED: [1, 2]
  VALUE: [1, 2]
  COMMENT: [1, 2]
  STRING: [1, 2]
  LABEL: [1]
  LONG: [1, 2]
constraints: [LONG <= 2]
baseline: {DIRECT: 1, HEADER: 1, FLAG: 1, DERIVED: 1, VALUE: 1, COMMENT: 1, STRING: 1, LABEL: 1, LONG: 1}
derived: {TWICE: 2 * DERIVED, MORE: TWICE + 1}
entry: f
args:
  - {name: x, type: f32, shape: [N], fill: uniform}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N * VALUE - N * (VALUE - 1)}
build: {flags: ["-falign-functions={FLAG}"], includes: [include]}
END
mkdir "$TMP/used/include"
echo 'static int more(void) { return HEADER - HEADER; }' >"$TMP/used/include/more.h"
printf '#include <stdio.h>\n#include <more.h>\n/* COMMENT */ // STRING\nint LONGER, direct = DIRECT + MORE;\n%s\n' \
  "$(sed 's/+ 1/+ 1 + more()/' <<<"$body")" >"$TMP/used/used.c"
tune used/used --evals 1
expect_status 0
unused used/used.yaml:9:3: COMMENT used/used.yaml:10:3: STRING used/used.yaml:12:3: LONG
[ "$(grep -n 'is not used' <<<"$ERR" | tail -1 | cut -d: -f1)" -lt "$(grep -n 'measuring the baseline' <<<"$ERR" | cut -d: -f1)" ] ||
  fail "it is said after builds have begun"
tune lib/kernel --fresh
unused
tune lib/defines --fresh
unused lib/defines.yaml:8:10: R # impl.c has another macro
sed -i 's/REPEAT/R/g' "$TMP/lib/impl.c"
tune lib/defines --fresh
unused
sed 's/ {R} / 7 /' "$TMP/lib/kernel.yaml" >"$TMP/lib/kept.yaml" # the script has the word, the value does not reach it
tune lib/kept --fresh --evals 1
unused lib/kept.yaml:8:10: R

case_begin "an annotated source and a prefix"
cat >"$TMP/note.c" <<'END'
/*@hone
problem: {N: 64}
params: {T_A: [1, 2], B: [1, 2], C: [1, 2]}
baseline: {T_A: 1, B: 1, C: 1}
entry: f
args:
  - {name: x, type: f32, shape: [N], fill: uniform}
  - {name: y, type: f32, shape: [N], role: out}
build: {define_prefix: MY_}
*/
int used = MY_T_A, C;
void f(const float *x, float *y) { for (int i = 0; i < MY_N; i++) y[i] = x[i] + MY_B - MY_B; }
END
run "$HONE" tune "$TMP/note.c" --no-confirm --evals 1
expect_status 0
unused note.c:3:34: C

case_begin "programs: what is compiled is read, what is passed to a script counts as used"
cat >"$TMP/timed.c" <<'END'
#include <stdio.h>
int main(void) { return printf("%d\n", 1 + A) < 0; }
END
cat >"$TMP/timed.yaml" <<'END'
file: timed.c
params: {A: [1, 2], B: [1, 2], $C: [1, 2]}
baseline: {A: 1, B: 1, C: 1}
END
tune timed
unused timed.yaml:2:21: B
echo 'echo 1.5' >"$TMP/script.sh"
sed 's/timed.c/script.sh/' "$TMP/timed.yaml" >"$TMP/script.yaml"
tune script
expect_status 0
unused
echo 'run: {command: "sh {source} {A}"}' >>"$TMP/script.yaml"
tune script
expect_status 0
unused script.yaml:2:21: B script.yaml:2:32: C

case_begin "what is built while the baseline is prepared does not come from the cache"
echo 'void f(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 0 * A; }' >"$TMP/early.c"
cat >"$TMP/copy.sh" <<'END'
# copy.sh FOLDER CACHE: not before all seven are built
for i in $(seq 200); do
  if [ "$(find "$2/builds" -type f | wc -l)" -ge 7 ]; then break; fi
  sleep 0.05
done
cp "$1/x.npy" "$1/y.npy"
END
rm -rf "$HONE_CACHE"
spec early "params: {A: 'range(7)'}
baseline: {A: 0}
reference: {command: 'sh copy.sh {dir} $HONE_CACHE'}"
tune early --overlap --builders 8 --fresh
expect_status 0
expect_figure '[e["config"] for e in run["evaluations"] if e["cached"] or e["compile_s"] is None]' '[]'

case_begin "OpenCL: the launch is a use"
cat >"$TMP/launch.cl" <<'END'
kernel void f(global const float *x, global float *y, int n) { int i = get_global_id(0); if (i < n) y[i] = x[i] + 1; }
END
spec launch 'params: {LOCAL: [1, 2], NONE: [1, 2]}
baseline: {LOCAL: 1, NONE: 1}
launch: {global: N, local: LOCAL}' cl
if "$HONE" devices 2>"$TMP/null" | grep -q opencl; then
  tune launch --evals 1
  expect_status 0
  unused launch.yaml:8:25: NONE
fi

case_begin "CUDA: the arguments of a template are a use"
cat >"$TMP/entry.cu" <<'END'
template <int SIZE> __global__ void f(const float *x, float *y, int n) { if (threadIdx.x < SIZE) y[0] = x[0] + n; }
END
spec entry 'params: {TILE: [1, 2], NONE: [1, 2]}
baseline: {TILE: 1, NONE: 1}
launch: {grid: 1, block: 32}' cu
sed -i 's/entry: f/entry: "f<TILE>"/' "$TMP/entry.yaml"
if [ -n "${HONE_NVRTC-}" ] && [ -e "$HONE_NVRTC" ]; then
  tune entry --device sm_90a --stop-after build
  expect_status 0
  unused entry.yaml:8:24: NONE
fi

case_begin "a parameter that the source defines itself is reported, with what to write"
cat >"$TMP/own.c" <<'END'
#define TILE 16
void f(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 0 * TILE; }
END
spec own 'params: {TILE: [8, 16]}
baseline: {TILE: 8}'
tune own --stop-after build
expect_status 0
expect_err_contains "the source defines 'TILE' itself, so that the values of the spec have no effect on what follows: write '#ifndef TILE' before that line"
printf '%s\n' '#ifndef TILE' '#define TILE 16' '#endif' 'void f(const float *x, float *y, int n) { y[0] = TILE; }' >"$TMP/own.c"
tune own --stop-after build --fresh
expect_not "defines 'TILE' itself"

cases_end
