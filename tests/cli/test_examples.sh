# The examples load without a word, have the numbers of configurations that they should have, and
# their kernels compute what they say.
. "$(dirname "$0")/lib.sh"
export COLUMNS=100

sgemm=examples/sgemm/sgemm.yaml
device=cores=16,l1_bytes=32768,l2_bytes=1048576,cache_bytes=262144

expect_count() { # expect_count FILE COUNT OPTION...
  run "$HONE" space "$1" --count --device $device "${@:3}"
  expect_status 0
  expect_out "$2"
  expect_err ""
}

for file in examples/*/*.yaml examples/annotated/*.c; do
  case_begin "$file loads without warnings"
  run "$HONE" space "$file" --device $device
  expect_status 0
  expect_err ""
done

case_begin "they have as many configurations as brute force finds"
expect_count $sgemm "M=256 N=512 K=512: 72
M=1024 N=512 K=512: 72"
expect_count examples/annotated/saxpy.c "N=4096: 58
N=1048576: 58"
expect_count examples/hotspot/hotspot.yaml 349853
expect_count examples/kbench/matmul.yaml 184
expect_count examples/tiles/tiles.yaml "M=2048 N=4096 K=8192: 729
M=6144 N=4096 K=8192: 3112"

case_begin "hotspot is the space of the benchmark, written more briefly"
run "$HONE" space examples/hotspot/hotspot.yaml --at 200000 --format csv
expect_out "block_size_x,block_size_y,tile_size_x,tile_size_y,temporal_tiling_factor,loop_unroll_factor_t,sh_power,blocks_per_sm,threads,halo,shared_bytes
16,4,5,4,8,1,0,4,64,16,24576"
run "$HONE" space bench/data/hotspot.yaml --index-of \
  block_size_x=16,block_size_y=4,tile_size_x=5,tile_size_y=4,temporal_tiling_factor=8,loop_unroll_factor_t=1,sh_power=0,blocks_per_sm=4
expect_out 200000

case_begin "sgemm: its baseline is legal, a block that does not divide N is not"
run "$HONE" space $sgemm --problem M=256 --device $device \
  --explain BM=32,BN=32,UNROLL=1,ALGO=direct
expect_same "first line" "legal: 0 of 2 fail" "$(head -n 1 "$TMP/stdout")"
run "$HONE" space $sgemm --problem M=256 --device $device \
  --explain BM=64,BN=48,UNROLL=4,ALGO=packed
expect_status 0
expect_out_contains "FAILS   M % BM == 0 and N % BN == 0              M=256, BM=64, N=512, BN=48"

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

case_begin "sgemm.c gives the reference's answer, small blocks or large"
cat >"$TMP/main.c" <<'END_OF_C'
#include <math.h>
#include <stdio.h>

void sgemm(const float *a, const float *b, float *c, int m, int n, int k);
void sgemm_ref(const float *a, const float *b, float *c, int m, int n, int k);

enum { M = 128, N = 256, K = 203 };
static float a[M * K], b[K * N], c[M * N], wanted[M * N];

int main(void)
{
  unsigned seed = 1;
  double worst = 0;

  for (int i = 0; i < M * K; i++)
    a[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
  for (int i = 0; i < K * N; i++)
    b[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
  for (int i = 0; i < M * N; i++)
    c[i] = NAN;
  sgemm(a, b, c, M, N, K);
  sgemm_ref(a, b, wanted, M, N, K);
  for (int i = 0; i < M * N; i++)
    if (!(fabs(c[i] - wanted[i]) <= worst)) worst = fabs(c[i] - wanted[i]);
  puts(worst <= 1e-3 ? "same" : "different");
  return 0;
}
END_OF_C
for knobs in "16 16 1 direct" "128 64 8 packed"; do
  read -r bm bn unroll algo <<<"$knobs"
  run cc -std=c11 -Wall -Wextra -Werror -O3 -DBM="$bm" -DBN="$bn" -DUNROLL="$unroll" -DALGO="$algo" \
    examples/sgemm/sgemm.c examples/sgemm/sgemm_ref.c "$TMP/main.c" -o "$TMP/sgemm" -lm
  expect_status 0
  expect_err ""
  run "$TMP/sgemm"
  expect_out "same"
done

case_begin "saxpy.c compiles with what its own annotations allow"
run "$HONE" space examples/annotated/saxpy.c --problem N=4096 --sample 2 --seed 1
expect_status 0
while read -r configuration; do
  run sh -c "cc -Wall -Wextra -O2 -D$(echo $configuration | sed 's/ / -D/g') \
    -c examples/annotated/saxpy.c -o '$TMP/saxpy.o'"
  expect_status 0
done < <(cat "$TMP/stdout")

cases_end
