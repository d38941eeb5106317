# The examples load without a word, have the numbers of configurations that they should have, their
# kernels compute what they say, and tuning them fails nowhere.
. "$(dirname "$0")/lib.sh"
export COLUMNS=100 HONE_STORE="$TMP/hone.db" HONE_CACHE="$TMP/cache"

sgemm=examples/sgemm/sgemm.yaml
device=cores=16,l1_bytes=32768,l2_bytes=1048576,cache_bytes=262144

expect_count() { # expect_count FILE COUNT OPTION...
  run "$HONE" space "$1" --count --device $device "${@:3}"
  expect_status 0
  expect_out "$2"
  expect_err ""
}

for file in examples/*/*.yaml examples/vector_add/vector_add.c; do
  case_begin "$file loads without warnings"
  run "$HONE" space "$file" --device sm_90,$device
  expect_status 0
  expect_err ""
done

case_begin "they have as many configurations as brute force finds"
expect_count examples/vector_add/vector_add.c "N=65536: 58
N=1048576: 58"
expect_count $sgemm 110
device=${device/262144/1048576} expect_count $sgemm 220
expect_count examples/stencil/stencil.yaml 162
expect_count examples/reduction/reduction.yaml 115
expect_count examples/sine/sine.yaml 102
expect_count examples/pipeline-blur/blur.yaml 9
expect_count examples/hotspot/hotspot.yaml 349853
expect_count examples/kbench/matmul.yaml 184
expect_count examples/sort/sort.yaml 32
expect_count examples/python/matmul.yaml 5
expect_count examples/mojo-gemm/gemm.yaml 9
expect_count examples/cuda-transpose/transpose.yaml 48
expect_count examples/tiles/tiles.yaml "M=2048 N=4096 K=8192: 729
M=6144 N=4096 K=8192: 3112"

case_begin "hotspot is the space of the benchmark, written more briefly"
run "$HONE" space examples/hotspot/hotspot.yaml --at 200000 --format csv
expect_out "block_size_x,block_size_y,tile_size_x,tile_size_y,temporal_tiling_factor,loop_unroll_factor_t,sh_power,blocks_per_sm,threads,halo,shared_bytes
16,4,5,4,8,1,0,4,64,16,24576"
run "$HONE" space bench/data/hotspot.yaml --index-of \
  block_size_x=16,block_size_y=4,tile_size_x=5,tile_size_y=4,temporal_tiling_factor=8,loop_unroll_factor_t=1,sh_power=0,blocks_per_sm=4
expect_out 200000

case_begin "sgemm: its baseline is legal, tiles that stand over the edge are not unless packed"
run "$HONE" space $sgemm --device $device \
  --explain BM=64,BN=128,BK=128,MR=4,NR=16,LANES=4,UNROLL=1,ALGO=direct
expect_same "first line" "legal: 0 of 5 fail" "$(head -n 1 "$TMP/stdout")"
run "$HONE" space $sgemm --device $device \
  --explain BM=96,BN=128,BK=128,MR=12,NR=32,LANES=16,UNROLL=4,ALGO=direct
expect_status 0
expect_out_contains \
  "FAILS   ALGO == 'packed' or (M % MR == 0 and N % NR == 0)  ALGO=direct, M=512, MR=12, N=512, NR=32"
run "$HONE" space $sgemm --device $device \
  --explain BM=96,BN=128,BK=128,MR=12,NR=32,LANES=16,UNROLL=4,ALGO=packed
expect_same "first line" "legal: 0 of 5 fail" "$(head -n 1 "$TMP/stdout")"

case_begin "kbench: groups in order, merged keys first, runtime parameters with their sign"
run "$HONE" space examples/kbench/matmul.yaml --list --format spec
expect_same "first" 'bench_matmul/TILE_M=32/TILE_N=32/TILE_K=16/dtype=bfloat16/$M=1024/$N=4096/$K=4096' \
  "$(head -n 1 "$TMP/stdout")"
expect_same "last" \
  'bench_matmul/STAGES=4/TILE_M=32/TILE_N=128/TILE_K=16/dtype=bfloat16/$M=16/$N=4096/$K=14336/split_k=4' \
  "$(tail -n 1 "$TMP/stdout")"
run "$HONE" space examples/kbench/matmul.yaml --count --filter dtype=float32
expect_out 16

# ---- The kernels

compile() { # compile FOLDER FLAGS -DKNOB=VALUE...: $TMP/kernel of its sources and $TMP/main.c
  local sources
  sources=$(find "$1" -name '*.c' ! -name 'compare_*')
  run cc -std=c11 -Wall -Wextra -Werror $2 "${@:3}" $sources "$TMP/main.c" -o "$TMP/kernel" -lm
  expect_status 0
  expect_err ""
}

expect_same_answer() { # expect_same_answer SPEC FLAGS OPTION...: for four configurations
  local list configuration
  list=$("$HONE" space "$1" --sample 4 --seed 1 --device $device "${@:3}")
  expect_same "configurations" 4 "$(echo "$list" | grep -c =)"
  while read -r configuration; do
    compile "$(dirname "$1")" "$2" $(printf -- '-D%s ' $configuration)
    run "$TMP/kernel"
    expect_out "same"
  done <<<"$list"
}

cat >"$TMP/kernel.h" <<'END_OF_C'
#include <math.h>
#include <stdio.h>

static void fill(float *x, int n)
{
  static unsigned seed = 1;

  for (int i = 0; i < n; i++)
    x[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24);
}

static void poison(float *x, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = NAN;
}

static int compare(const float *got, const float *wanted, int n, double tolerance)
{
  int wrong = 0;

  for (int i = 0; i < n; i++)
    wrong += !(fabs(got[i] - wanted[i]) <= tolerance * fabs(wanted[i]));
  puts(wrong ? "different" : "same");
  return 0;
}
END_OF_C

case_begin "vector_add.c adds, whatever its own annotations allow"
cat >"$TMP/main.c" <<'END_OF_C'
#include "kernel.h"

void vector_add(int n, const float *a, const float *b, float *c);

enum { N = 65536 };
static float a[N], b[N], c[N], wanted[N];

int main(void)
{
  fill(a, N), fill(b, N), poison(c, N);
  vector_add(N, a, b, c);
  for (int i = 0; i < N; i++)
    wanted[i] = a[i] + b[i];
  return compare(c, wanted, N, 0);
}
END_OF_C
expect_same_answer examples/vector_add/vector_add.c -O2 --problem N=65536

case_begin "sgemm.c gives the reference's answer"
cat >"$TMP/main.c" <<'END_OF_C'
#include "kernel.h"

void sgemm(const float *a, const float *b, float *c, int m, int n, int k);
void sgemm_ref(const float *a, const float *b, float *c, int m, int n, int k);

#ifndef M
enum { M = 192, N = 256, K = 203 };
#endif
static float a[M * K], b[K * N], c[M * N], wanted[M * N];

int main(void)
{
  fill(a, M * K), fill(b, K * N), poison(c, M * N);
  sgemm(a, b, c, M, N, K);
  sgemm_ref(a, b, wanted, M, N, K);
  return compare(c, wanted, M * N, 1e-5);
}
END_OF_C
expect_same_answer $sgemm -O2

case_begin "sgemm.c, packed: matrices that hold no whole number of tiles or blocks"
for size in "-DM=131 -DN=77 -DK=203" "-DM=1 -DN=1 -DK=1" "-DM=97 -DN=545 -DK=300"; do
  for tile in "-DMR=12 -DNR=32 -DLANES=16" "-DMR=6 -DNR=16 -DLANES=4"; do
    compile examples/sgemm -O0 $size $tile -DBM=96 -DBN=128 -DBK=128 -DUNROLL=4 -DALGO=packed
    run "$TMP/kernel"
    expect_out "same"
  done
done

case_begin "stencil.c gives the reference's answer"
cat >"$TMP/main.c" <<'END_OF_C'
#include "kernel.h"

void stencil(const float *in, const float *weights, float *out, int h, int w);
void stencil_ref(const float *in, const float *weights, float *out, int h, int w);

enum { H = 256, W = 1101 };
static float in[(H + 2) * (W + 2)], weights[9], out[H * W], wanted[H * W];

int main(void)
{
  fill(in, (H + 2) * (W + 2)), fill(weights, 9), poison(out, H * W);
  stencil(in, weights, out, H, W);
  stencil_ref(in, weights, wanted, H, W);
  return compare(out, wanted, H * W, 1e-5);
}
END_OF_C
expect_same_answer examples/stencil/stencil.yaml "-O2 -fopenmp"

case_begin "reduction.c gives the reference's answer, within its check"
cat >"$TMP/main.c" <<'END_OF_C'
#include "kernel.h"

void reduction(const float *x, float *out, int n);
void reduction_ref(const float *x, float *out, int n);

enum { N = 1048576 };
static float x[N], out[1], wanted[1];

int main(void)
{
  fill(x, N), poison(out, 1);
  reduction(x, out, N);
  reduction_ref(x, wanted, N);
  return compare(out, wanted, 1, 1e-4);
}
END_OF_C
expect_same_answer examples/reduction/reduction.yaml -O2

case_begin "sine.c is off by what its metric says, and by rounding"
cat >"$TMP/main.c" <<'END_OF_C'
#include "kernel.h"

void sine(const float *x, float *out, int n);
void sine_ref(const float *x, float *out, int n);

enum { N = 65536 };
static float x[N], out[N], wanted[N], right[1] = {1};

int main(void)
{
  double step = 2 * 3.14159265 / ENTRIES, most = 0;
  double error = ORDER == 0 ? step / 2 : ORDER == 1 ? step * step / 8 : pow(step, 3) / 15.5;
  float got[1];

  fill(x, N), poison(out, N);
  for (int i = 0; i < N; i++)
    x[i] *= 6.28f;
  sine(x, out, N);
  sine_ref(x, wanted, N);
  for (int i = 0; i < N; i++)
    most = fmax(most, fabs(out[i] - wanted[i]));
  got[0] = most <= error + 2e-6;
  return compare(got, right, 1, 0);
}
END_OF_C
expect_same_answer examples/sine/sine.yaml -O2

# ---- Tuning

expect_tuned() { # expect_tuned PROBLEMS FILE...: a few candidates of each, and none of them fails
  local all='^  evaluated    4 of [0-9]+ legal: [0-9]+ ok(, [0-9]+ slow)?$'
  run "$HONE" tune "${@:2}" --evals 3 --no-confirm
  expect_status 0
  expect_same "problems without a failure" "$1" "$(grep -Ec "$all" "$TMP/stdout")"
}

case_begin "vector_add is tuned, each of its problems by itself"
expect_tuned 2 examples/vector_add/vector_add.c

for name in sgemm stencil reduction sine; do
  case_begin "$name is tuned"
  expect_tuned 1 examples/$name/$name.yaml
done

case_begin "pipeline-blur is tuned, and the shares of its stages are shown"
expect_tuned 1 examples/pipeline-blur/blur.yaml
run "$HONE" show last --format json
expect_out_contains '"stages": [{"name": "blur_rows", "share": '

case_begin "reduction: side by side is faster than one after the other, and that is proven"
run "$HONE" tune examples/reduction/reduction.yaml --evals 12 --require-improvement --quiet
expect_status 0
expect_out_contains "IMPROVED: "
expect_out_contains "times as fast as the baseline (95 %"

case_begin "sort: every configuration works, and 16 builds are enough"
run "$HONE" sweep examples/sort/sort.yaml --output-dir "$TMP/sort" --plot none
expect_status 0
expect_err_contains "scheduled 16 unique build items out of 32"
expect_err_contains "Execution summary: 32 succeeded (32 total)"

case_begin "python: tuned without a failure"
run "$HONE" tune examples/python/matmul.yaml --no-confirm
expect_status 0
expect_out_contains "evaluated    5 of 5 legal: "
expect_same "failures" 0 "$(grep -c '^failures' "$TMP/stdout")"

case_begin "nothing of this is too fast to be believed"
expect_same "marks" "" "$(marks)"

cases_end
