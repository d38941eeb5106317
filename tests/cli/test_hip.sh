#!/usr/bin/env bash
# Kernels in HIP, built for devices that are not here by hiprtc. tests/cts runs kernels, with a stand-in of the runtime.
. "$(dirname "$0")/lib.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache COLUMNS=200

if ! "$HONE" doctor | sed -n '/^HIP/,$p' | grep -q '^  hiprtc  *[/f]'; then
  case_skip "kernels in HIP are built" "no hiprtc here (apt-get install libamdhip64-5 libhiprtc-builtins5 rocm-device-libs)"
  cases_end
fi

spec() { # spec FILE [LINE...]
  local file=$1
  shift
  printf '%s\n' "name: tile" "file: $file" "problem: {N: 4096}" "params: {BLOCK: [64, 256, 1024]}" \
    "baseline: {BLOCK: 64}" "entry: tile<BLOCK, float>" "launch: {grid: N // BLOCK, block: BLOCK}" "args:" \
    "  - {name: y, type: f32, shape: [N], role: out}" "  - {name: x, type: f32, shape: [N], fill: uniform}" \
    "  - {name: n, type: i64, value: N}" "$@" >"$TMP/tile.yaml"
}
build() { # build ARCH [OPTION...]
  rm -f "$HONE_STORE"*
  run "$HONE" tune "$TMP/tile.yaml" --device "$1" --stop-after build --quiet "${@:2}"
  "$HONE" show last --format json >"$TMP/run.json" 2>/dev/null || echo '{"evaluations": []}' >"$TMP/run.json"
}
figure() { python3 -c '
import json, sys
of = {e["config"]: e for e in json.load(open(sys.argv[1]))["evaluations"]}
print(eval(sys.argv[2]))' "$TMP/run.json" "$1"; }
expect_figure() { expect_same "$1" "$2" "$(figure "$1" 2>&1)"; }

cat >"$TMP/tile.hip" <<'END'
#include <hip/hip_runtime.h>
template <int N, typename T> __global__ void tile(T *y, const T *x, long n)
{
  __shared__ T tile[N];
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : T(0);
  __syncthreads();
  if (i < n) y[i] = tile[threadIdx.x ^ 1] + warpSize;
}
END

case_begin "a template is built, and its code object says what it takes"
spec tile.hip
build gfx90a
expect_status 0
expect_figure 'sorted(e["outcome"] for e in of.values())' "['ok', 'ok', 'ok']"
expect_figure '[of[f"BLOCK={n}"]["costs"]["shared_bytes"] for n in (64, 256, 1024)]' '[256, 1024, 4096]'
expect_figure '{e["costs"]["wave_size"] for e in of.values()}' '{64}'
expect_figure 'all(1 <= e["costs"]["registers"] <= 512 and e["costs"]["sgprs"] > 0 for e in of.values())' True
expect_figure '{e["costs"]["spills"] for e in of.values()}' '{0}'
expect_figure '{e["costs"]["occupancy"] for e in of.values()}' '{1.0}'

case_begin "another architecture has other waves"
build gfx1030
expect_status 0
expect_figure '{e["costs"]["wave_size"] for e in of.values()}' '{32}'

case_begin "constraints on what was built"
spec tile.hip "constraints: ['built.shared_bytes <= 1024']"
build gfx90a
expect_status 0
expect_figure 'of["BLOCK=1024"]["outcome"]' invalid
expect_figure 'of["BLOCK=1024"]["evidence"]' "built.shared_bytes <= 1024 is not true: built.shared_bytes is 4096"
expect_figure 'of["BLOCK=256"]["outcome"]' ok

case_begin "registers that do not fit are spilled"
cat >"$TMP/spill.hip" <<'END'
template <int N, typename T> __global__ __attribute__((amdgpu_num_vgpr(32))) void tile(T *y, const T *x, long n)
{
  T kept[200];
  for (int k = 0; k < 200; k++) kept[k] = x[k * n + threadIdx.x];
  __syncthreads();
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 200; k++) kept[k] = kept[k] * kept[(k + 7 + r) % 200] + x[k + r];
  for (int k = 0; k < 200; k++) y[k * n + threadIdx.x] = kept[k];
}
END
spec spill.hip
build gfx1030
expect_status 0
expect_figure 'of["BLOCK=64"]["costs"]["spills"] > 0 and of["BLOCK=64"]["costs"]["local_bytes"] > 0' True

case_begin "errors name the line of the source"
sed 's/tile\[threadIdx.x ^ 1\]/nothing/' "$TMP/tile.hip" >"$TMP/wrong.hip"
spec wrong.hip
build gfx90a
expect_status 1
expect_err_contains "compile_error: wrong.hip:8:21: error: use of undeclared identifier 'nothing'"
spec tile.hip
sed -i 's/^entry: .*/entry: other<BLOCK>/' "$TMP/tile.yaml"
build gfx90a
expect_status 1
expect_err_contains "other"

case_begin "a source in CUDA is built for HIP, with CUDA's words"
cat >"$TMP/tile.cu" <<'END'
#include <cuda_runtime.h>
template <int N, typename T> __global__ void tile(T *y, const T *x, long n)
{
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  T value = x[i];
  for (int step = warpSize / 2; step; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  __syncwarp();
  if (__any_sync(0xffffffffu, value > 1)) y[i] = value;
}
END
spec tile.cu "backend: hip" "build: {flags: [--use_fast_math, -Xptxas, -v]}"
build gfx90a
expect_status 0
expect_figure 'of["BLOCK=64"]["costs"]["wave_size"]' 64

cat >"$TMP/headers.hip" <<'END'
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <float.h>
#include <limits.h>
#include <assert.h>
template <int N, typename T> __global__ void tile(T *y, const T *x, long n)
{
  int64_t wide = INT64_MAX;
  uint8_t narrow = (uint8_t)n;
  intptr_t place = (intptr_t)x;
  assert(n > 0);
  y[threadIdx.x] = wide + narrow + place + INFINITY + M_PI + FLT_MAX + INT_MAX + __half2float(__float2half(x[0]));
}
END
cat >>"$TMP/headers.hip" <<'END'
#include <iostream>
#include <vector>
static void fail(const std::string &why) { std::cerr << why << std::endl; exit(1); }
void launch(std::vector<float> &y)
{
  float *d_y;
  if (hipMalloc(&d_y, y.size() * sizeof(float)) != hipSuccess) fail("no memory");
  tile<64, float><<<1, 64>>>(d_y, d_y, 64);
}
int main()
{
  std::vector<float> y(64);
  launch(y);
}
END
case_begin "headers and functions of the host that are beside kernels"
spec headers.hip
build gfx90a
expect_status 0

cat >"$TMP/old.h" <<'END'
texture<float, 1, cudaReadModeElementType> line; /* and surface<void, 2> */
texture <uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours;
surface<void, cudaSurfaceType2D> canvas, state;
END
cat >"$TMP/old.cu" <<'END'
#include <cuda.h>
#include <stdio.h>
#include "old.h"
template <int N, typename T> __global__ void tile(T *y, const T *x, long n)
{
  float4 colour = tex2D(colours, threadIdx.x + 0.5f, 0.5f);
  T before, again = surf2Dread<T>(state, threadIdx.x * 4, 0);
  surf2Dread(&before, state, threadIdx.x * 4, 1, cudaBoundaryModeZero);
  surf2Dwrite(before + again, canvas, threadIdx.x * 4, 0);
  y[threadIdx.x] = tex1Dfetch(line, threadIdx.x) + colour.x;
}
END
case_begin "texture and surface references, also of included files"
spec old.cu "backend: hip"
build gfx1030
expect_status 0

if [ -n "${HONE_NVRTC-}" ] && [ -e "$HONE_NVRTC" ]; then
  case_begin "references, headers and functions of the host, for CUDA"
  spec old.cu
  build sm_90
  expect_status 0
  spec headers.hip "backend: cuda"
  sed -i /hip_fp16/d "$TMP/headers.hip" # CUDA's header for it comes with its toolkit
  sed -i 's/__half2float.*x.0.../x[0]/' "$TMP/headers.hip"
  build sm_90
  expect_status 0

  case_begin "a source in HIP is built for CUDA, with HIP's words"
  cat >"$TMP/words.hip" <<'END'
#include <hip/hip_runtime.h>
template <int N, typename T> __global__ void tile(T *y, const T *x, long n)
{
  HIP_DYNAMIC_SHARED(T, memory)
  long i = (long)hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  memory[threadIdx.x] = __shfl_xor(x[i], 1);
  y[i] = memory[threadIdx.x];
}
END
  spec words.hip "backend: cuda"
  build sm_90
  expect_status 0
  expect_figure 'of["BLOCK=64"]["outcome"]' ok
else
  case_skip "a source in HIP is built for CUDA, with HIP's words" "no NVRTC"
fi

case_begin "the suffixes of HIP mean backend hip; .hip.cpp is one"
cp "$TMP/tile.hip" "$TMP/tile.hip.cpp"
spec tile.hip.cpp
build gfx90a
expect_status 0
expect_figure 'of["BLOCK=64"]["costs"]["wave_size"]' 64

case_begin "flags name the architecture; without any, advice"
spec tile.hip "build: {flags: [--offload-arch=gfx1030]}"
build gfx90a
expect_figure 'of["BLOCK=64"]["costs"]["wave_size"]' 32
spec tile.hip
HONE_HIP=$TMP/none.so run "$HONE" tune "$TMP/tile.yaml" --stop-after build --quiet
expect_status 2
expect_err_contains "no HIP device found"
expect_err_contains "--device gfx90a --stop-after build"

case_begin "kinds of GPUs are facts"
printf '%s\n' 'params: {A: [1, 2, 3]}' "constraints: ['A * 65536 <= device.registers_per_sm']" >"$TMP/facts.yaml"
for kind in gfx90a:2 gfx942:2 gfx1030:2 gfx1100:3; do
  run "$HONE" space "$TMP/facts.yaml" --device "${kind%:*}" --count
  expect_out "${kind#*:}"
done

case_begin "without the runtime the reason is told, and the doctor advises"
HONE_HIP=$TMP/none.so run "$HONE" devices --backend hip
expect_out_contains "cannot be opened"
expect_out_contains "HONE_HIP"
HONE_HIPRTC=$TMP/none.so run "$HONE" doctor
expect_out_contains "hiprtc not found (tried $TMP/none.so)"

cases_end
