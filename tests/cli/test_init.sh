# A first spec from a source: it is tuned as it is, or the lines to complete are named.
. "$(dirname "$0")/lib.sh"
export HONE COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
symbols=$PWD/src/source/clang_internal.h
cd "$TMP" || exit 1

case_begin "a kernel in C is tuned without a change of its spec"
cat >saxpy.c <<'END'
#ifndef LANES
#define LANES 8 /* elements of a block */
#endif
#ifndef SAXPY_H
#define SAXPY_H
#endif
static const int FIXED = 3;
typedef float real;

static real twice(real a) { return 2 * a; }

void saxpy(int n, real a, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < n; i += LANES)
    for (int k = i; k < i + LANES && k < n; k++) y[k] += twice(a) * x[k];
}
END
run "$HONE" init saxpy.c
expect_status 0
expect_err_contains "wrote 'saxpy.yaml'; read it, then: hone tune saxpy.yaml"
expect_contains spec "LANES: [2, 4, 8, 16, 32]   # the macro, line 1: 8" "$(cat saxpy.yaml)"
expect_contains spec "baseline: {LANES: 8}" "$(cat saxpy.yaml)"
expect_contains spec "# FIXED = 3 (line 7) is a constant" "$(cat saxpy.yaml)"
expect_contains spec "  - {name: n, type: i32, value: N}   # int n
  - {name: a, type: f32, value: 1}   # real a
  - {name: x, type: f32, shape: [N], fill: uniform}   # const real *restrict x
  - {name: y, type: f32, shape: [N], fill: uniform, role: inout}   # real *restrict y" "$(cat saxpy.yaml)"
case $(cat saxpy.yaml) in *SAXPY_H* | *twice*) fail "a guard or a helper is taken for more: $(cat saxpy.yaml)" ;; esac
run "$HONE" tune saxpy.yaml --stop-after screen --problem N=1000
expect_status 0
expect_out_contains "5 of 5 legal"
case $OUT in *failed*) fail "$OUT" ;; esac

case_begin "what a kernel gives to a function by its address may be written there"
cat >given.cu <<'END'
__device__ void mark(unsigned char *at, int flag) { if (flag) *at = 1; }
__global__ void given(const float *x, int *counts, unsigned char *marks, float *weights, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[i], (int)(x[i] * __ldg(&weights[i])));
  mark(&marks[blockIdx.x], x[i] > 0);
}
END
run "$HONE" init given.cu
expect_contains spec "  - {name: counts, type: i32, shape: [N], range: [0, N], role: inout}   # int *counts
  - {name: marks, type: u8, shape: [N], role: inout}   # unsigned char *marks
  - {name: weights, type: f32, shape: [N], fill: uniform}   # float *weights" "$(cat given.yaml)"

case_begin "a file whose name has blanks is quoted in the command"
cp saxpy.c "my saxpy.c"
run "$HONE" init "my saxpy.c"
expect_err_contains "wrote 'my saxpy.yaml'; read it, then: hone tune 'my saxpy.yaml'"
run "$HONE" tune "my saxpy.yaml" --stop-after screen --problem N=1000 --evals 1
expect_status 0

case_begin "a spec that exists stays"
run "$HONE" init saxpy.c
expect_status 1
expect_err_contains "'saxpy.yaml' exists: give --force to replace it, or -o FILE"
run "$HONE" init saxpy.c --force --quiet
expect_status 0

case_begin "a benchmark's static kernel, beside its main, with sizes and headers of its project"
mkdir -p suite/blas/product suite/utilities
cat >suite/utilities/bench.h <<'END'
#define ARRAY(name, d1, d2) name[d1][d2]
#define REAL double
void *bench_alloc(long bytes);
END
cat >suite/blas/product/product.h <<'END'
#include <bench.h>
#if !defined(NI) && !defined(NJ)
#define NI 800
#define NJ 900
#endif
END
cat >suite/blas/product/product.c <<'END'
#include "product.h"

static void show(int ni, REAL ARRAY(c, NI, NJ)) { (void)ni, (void)c; }

static void product(int ni, int nj, REAL alpha, REAL ARRAY(a, NI, NJ + 1), REAL ARRAY(c, NI, NJ))
{
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) c[i][j] = alpha * (a[i][j] + a[i][j + 1]);
}

int main(void)
{
  void *c = bench_alloc(NI * NJ * sizeof(REAL));
  product(NI, NJ, 2, bench_alloc(NI * (NJ + 1) * sizeof(REAL)), c);
  show(NI, c);
}
END
run "$HONE" init suite/blas/product/product.c
expect_status 0
expect_contains spec 'entry: "::product"' "$(cat suite/blas/product/product.yaml)"
expect_contains spec 'includes: [../../utilities]' "$(cat suite/blas/product/product.yaml)"

case_begin "sizes that the source names as macros, and rows that a condition bounds"
cat >rows.c <<'END'
void rows(int n, int m, int k, const float *a, float *b)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++) b[i * M + j] = a[i * K + j];
}
END
run "$HONE" init rows.c -o -
expect_status 0
expect_out_contains "a, type: f32, shape: [N, K]"
expect_out_contains "b, type: f32, shape: [N, M]"

case_begin "a source without macros gets a flag of the compiler"
mkdir folder
printf 'void fill(float *y, unsigned long count)\n{\n#pragma omp parallel for\n  for (unsigned long i = 0; i < count; i++) y[i] = 1;\n}\n' >folder/plain.c
run "$HONE" init folder/plain.c
expect_status 0
expect_contains spec 'build: {flags: ["-O{LEVEL}", -march=native, -fopenmp]}' "$(cat folder/plain.yaml)"
run "$HONE" tune folder/plain.yaml --stop-after screen --problem COUNT=1000
expect_status 0

case_begin "lines that only the user can complete are named, by init and by tune"
cat >gemm.c <<'END'
void gemm(int m, int n, const double *a, double *c, struct box box)
{
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++) c[i * n + k] = a[i ^ 1];
}
END
run "$HONE" init gemm.c
expect_status 0
expect_err_contains "wrote 'gemm.yaml'; complete these lines:"
expect_err_contains "gemm.yaml:26: - {name: a, type: f64, shape: [TODO], fill: uniform}   # const double *a"
expect_contains spec "  - {name: c, type: f64, shape: [M, N], role: out}   # double *c" "$(cat gemm.yaml)"
run "$HONE" tune gemm.yaml
expect_status 2
expect_err_contains "gemm.yaml:26:34: error: unknown name 'TODO'"
expect_err_contains "gemm.yaml:28:23: error"

case_begin "structs and return values"
cat >dot.c <<'END'
struct limits { int first, last; unsigned long long step; };
double dot(struct limits l, const double *x, struct other o) { return x[l.first]; }
END
run "$HONE" init dot.c -o -
expect_status 0
expect_out_contains "  - {name: l, struct: [{name: first, type: i32, value: FIRST}, {name: last, type: i32, value: LAST}, {name: step, type: u64, value: STEP}]}   # struct limits l
  - {name: x, type: f64, shape: [TODO], fill: uniform}   # const double *x
  - {name: o, type: TODO, value: TODO}   # struct other o
  - {name: result, type: f64, return: true}   # what it returns"

case_begin "whole numbers in structs are sizes, bools of templates are 0 or 1, bytes have all values"
cat >blur.cpp <<'END'
struct extent { int width, height; };
template <typename T, int TILE, bool SPLIT, bool SWAP = true>
void blur(const T *in, const T *weights, T *out, const unsigned char *mask, extent e, int radius)
{
  for (int y = 0; y < e.height; y++)
    for (int x = 0; x < e.width; x++)
      out[(long)y * e.width + x] = in[(y - 1) * e.width + x] * weights[(y + radius) * (2 * radius + 1) + radius] * mask[x];
}
END
run "$HONE" init blur.cpp -o -
expect_status 0
expect_out_contains "  WIDTH: 256
  HEIGHT: 256
  RADIUS: 2"
expect_out_contains "SPLIT_: [0, 1]"
expect_out_contains "baseline: {TILE_: 1, SPLIT_: 0, SWAP_: 1}"
expect_out_contains "  - {name: in, type: f32, shape: [HEIGHT, WIDTH], fill: uniform}   # const T *in
  - {name: weights, type: f32, shape: [TODO], fill: uniform}   # const T *weights
  - {name: out, type: f32, shape: [HEIGHT, WIDTH], role: out}   # T *out
  - {name: mask, type: u8, shape: [WIDTH]}   # const unsigned char *mask
  - {name: e, struct: [{name: width, type: i32, value: WIDTH}, {name: height, type: i32, value: HEIGHT}]}   # extent e"

case_begin "parameters that a macro hides are those that the compiler sees"
printf '#define ARGS int n, float *y\nvoid f(ARGS) {}\n' >hidden.c
run "$HONE" init hidden.c -o -
expect_status 0
expect_out_contains "  - {name: n, type: i32, value: N}   # int n
  - {name: y, type: f32, shape: [N], role: out}   # float *y"

case_begin "kernels of GPUs have a launch, templates their parameters"
cat >reduce.cu <<'END'
template <int BLOCK, typename T, int UNROLL = 4>
__global__ void reduce(const T *x, T *y, int n) {}
END
run "$HONE" init reduce.cu -o -
expect_status 0
expect_out_contains 'entry: "reduce<BLOCK_, float, UNROLL_>"'
expect_out_contains "BLOCK_: [64, 128, 256, 512, 1024]   # a parameter of the template, line 1"
expect_out_contains "UNROLL_: [1, 2, 4, 8, 16]   # a parameter of the template, line 1: 4"
expect_out_contains "launch: {grid: ceil(N / BLOCK_), block: BLOCK_}"
printf '__kernel void nbody(__global const float4 *pos, __global float4 *acc, int n) {}\n' >nbody.cl
run "$HONE" init nbody.cl -o -
expect_status 0
expect_out_contains "{name: pos, type: f32, shape: [N, 4], fill: uniform}"
expect_out_contains "launch: {global: ceil(N / BLOCK) * BLOCK, local: BLOCK}"

printf '__kernel void twice(__global float *x) { x[get_global_id(0)] *= 2; }\n' >twice.cl
run "$HONE" init twice.cl
expect_status 0
expect_err_contains "twice.yaml:8: N: TODO"
run "$HONE" space twice.yaml --count
expect_status 2
expect_err_contains "twice.yaml:8:6: error: a size is a number or a word, not 'TODO'"
sed -i 's/TODO/1024/' twice.yaml
run "$HONE" space twice.yaml --count
expect_status 0

case_begin "the first size makes no kernel slow that runs over it more than once"
size_of() { run "$HONE" init "$1" -o - && grep -o ' N: [0-9]*' <<<"$OUT"; }
printf '__kernel void f(__global float *x, __global float *y, int n) { int i = get_global_id(0);
  for (int j = 0; j < n; j++) y[i] += x[j]; }' >all_pairs.cl
printf '__global__ void f(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i]; }' >stride.cu
printf 'void f(const float *x, float *y, int n) { for (int i = 0; i < n; i++) { y[i] = 0;
  for (int j = 0; j < n; j++) y[i] += x[j]; } }' >all_pairs.c
printf 'void f(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = 0;
  for (int i = 0; i < n; i++) y[i] += x[i]; }' >twice.c
for file in all_pairs.cl stride.cu all_pairs.c twice.c; do size_of $file; done >sizes
expect_same "sizes" " N: 2048  N: 65536  N: 2048  N: 65536 " "$(tr '\n' ' ' <sizes)"
printf 'void f(const float *x, float *y, int h, int stride) { for (int i = 0; i < h; i++)
  for (int j = 0; j < stride; j++) y[i * stride + j] = x[i * stride + j]; }' >rows.c
run "$HONE" init rows.c -o -
expect_out_contains "  STRIDE: 256" # the length of a row; that of a convolution is 2

case_begin "a template in C++ is tuned without a change of its spec"
cat >scale.cpp <<'END'
template <int STEP, typename T>
void scale(long n, T factor, const T *x, T *y)
{
  for (long i = 0; i < n; i += STEP)
    for (long k = i; k < i + STEP && k < n; k++) y[k] = factor * x[k];
}
END
run "$HONE" init scale.cpp
expect_status 0
expect_contains spec 'entry: "scale<STEP_, float>"' "$(cat scale.yaml)"
run "$HONE" tune scale.yaml --stop-after screen --problem N=1000
expect_status 0
expect_out_contains "4 of 4 legal"
case $OUT in *failed*) fail "$OUT" ;; esac

case_begin "a template in a namespace has the arguments that it is instantiated with"
cat >convolve.cpp <<'END'
#include <cstddef>

namespace vision {
template <typename T, int K, int TILE = 32>
void convolve(const T *image, const T *filter, T *out, size_t width, size_t height)
{
  for (size_t y0 = 0; y0 + K <= height; y0 += TILE)
    for (size_t x = 0; x + K <= width; x++)
      for (size_t y = y0; y < y0 + TILE && y + K <= height; y++) {
        T sum = 0;
        for (int j = 0; j < K; j++)
          for (int i = 0; i < K; i++) sum += image[(y + j) * width + x + i] * filter[j * K + i];
        out[y * width + x] = sum;
      }
}
template void convolve<double, 5>(const double *, const double *, double *, size_t, size_t);
}
END
run "$HONE" init convolve.cpp -q
expect_status 0
expect_same "lines" 'entry: "vision::convolve<double, 5, TILE_>"
baseline: {TILE_: 32}
  - {name: image, type: f64, shape: [HEIGHT, WIDTH], fill: uniform}   # const T *image
  - {name: filter, type: f64, shape: [5, 5], fill: uniform}   # const T *filter
  - {name: out, type: f64, shape: [HEIGHT, WIDTH], role: out}   # T *out' \
  "$(grep -E '^(entry|baseline)|\[' convolve.yaml | grep -vE '^#|TILE_: \[|flags')"
run "$HONE" run convolve.yaml
expect_status 0
expect_out_contains "outcome     ok"

case_begin "offsets of rows are as long as they must be, and rise"
cat >spmv.c <<'END'
#ifndef UNROLL
#define UNROLL 4
#endif
void spmv(int rows, const int *first, const int *column, const double *value, const double *x, double *y)
{
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    int k = first[r];
    for (; k + UNROLL <= first[r + 1]; k += UNROLL)
      for (int u = 0; u < UNROLL; u++) sum += value[k + u] * x[column[k + u]];
    for (; k < first[r + 1]; k++) sum += value[k] * x[column[k]];
    y[r] = sum;
  }
}
END
run "$HONE" init spmv.c -q
expect_status 0
expect_same "offsets" "  - {name: first, type: i32, shape: [ROWS + 1], fill: arange}" "$(grep 'name: first' spmv.yaml | sed 's/   #.*//')"
run "$HONE" run spmv.yaml
expect_status 0
expect_out_contains "outcome     ok"

case_begin "a source without const tells what it reads, writes and changes, and how long its tensors are"
cat >foreign.cpp <<'END'
template <class I, class T>
void gather(const I n_row, I n_value, I first[], I *column, T *value, T *x, T *y, T *z, T *w)
{
#pragma omp parallel for shared(value, x)
  for (I i = 0; i < n_row; i++) {
    T sum = y[i];
    for (I k = first[i]; k < first[i + 1]; k++) sum += value[k] * x[column[k]];
    y[i] = sum;
    z[i] = 0;
    z[i] += sum;
    w[i] = 2 * w[i];
  }
}
END
run "$HONE" init foreign.cpp -o -
expect_status 0
expect_out_contains 'entry: "gather<int, float>"'
expect_out_contains "  - {name: n_row, type: i32, value: N_ROW}   # const I n_row
  - {name: n_value, type: i32, value: N_VALUE}   # I n_value
  - {name: first, type: i32, shape: [N_ROW + 1], fill: arange}   # I first[]; one element per row: 'file: rows.npy' has yours
  - {name: column, type: i32, shape: [N_ROW], range: [0, N_ROW]}   # I *column
  - {name: value, type: f32, shape: [N_ROW], fill: uniform}   # T *value
  - {name: x, type: f32, shape: [TODO], fill: uniform}   # T *x
  - {name: y, type: f32, shape: [N_ROW], fill: uniform, role: inout}   # T *y
  - {name: z, type: f32, shape: [N_ROW], role: out}   # T *z
  - {name: w, type: f32, shape: [N_ROW], fill: uniform, role: inout}   # T *w"

case_begin "what a block of a GPU writes once, and what it works on"
cat >reduce.cu <<'END'
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 256
#endif
#ifndef ITEMS
#define ITEMS 4
#endif
extern "C" __global__ void block_sum(const float *in, float *partial, unsigned int n)
{
  __shared__ float s[BLOCK_SIZE];
  unsigned int t = threadIdx.x, base = blockIdx.x * BLOCK_SIZE * ITEMS + t;
  float v = 0;
  for (int k = 0; k < ITEMS; k++)
    if (base + k * BLOCK_SIZE < n) v += in[base + k * BLOCK_SIZE];
  s[t] = v;
  __syncthreads();
  for (unsigned int w = BLOCK_SIZE / 2; w > 0; w >>= 1) {
    if (t < w) s[t] += s[t + w];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = s[0];
}
END
run "$HONE" init reduce.cu -q
expect_status 0
expect_same "lines" "  - {name: partial, type: f32, shape: [ceil(N / (BLOCK_SIZE * ITEMS))], role: out, check: {reduce: sum}}
launch: {grid: ceil(N / (BLOCK_SIZE * ITEMS)), block: BLOCK_SIZE}" "$(grep -E 'partial|^launch' reduce.yaml | sed 's/   #.*//')"
run "$HONE" space reduce.yaml --device sm_90 --count
expect_status 0

case_begin "a sparse product with several sizes is tuned as it is"
cat >spmm.c <<'END'
#include <stddef.h>
#include <stdint.h>
#ifndef COLS
#define COLS 8
#endif
void spmm(int64_t nrows, int64_t k, const int64_t *restrict rowptr, const int32_t *restrict colind,
          const double *restrict vals, const double *restrict B, double *restrict C)
{
  for (int64_t r = 0; r < nrows; ++r)
    for (int64_t j0 = 0; j0 < k; j0 += COLS) {
      double acc[COLS] = {0};
      for (int64_t p = rowptr[r]; p < rowptr[r + 1]; ++p) {
        const double *b = B + (size_t)colind[p] * k;
        for (int64_t j = j0; j < j0 + COLS && j < k; ++j) acc[j - j0] += vals[p] * b[j];
      }
      for (int64_t j = j0; j < j0 + COLS && j < k; ++j) C[r * k + j] = acc[j - j0];
    }
}
END
run "$HONE" init spmm.c
expect_err_contains "read it, then"
expect_same "tensors" "rowptr, type: i64, shape: [NROWS + 1], fill: arange
colind, type: i32, shape: [NROWS], range: [0, NROWS]
vals, type: f64, shape: [NROWS], fill: uniform
B, type: f64, shape: [NROWS, K], fill: uniform
C, type: f64, shape: [NROWS, K], role: out" "$(sed -n 's/^  - {name: \([a-zA-Z]*, .*shape.*\)}  .*/\1/p' spmm.yaml)"
run "$HONE" run spmm.yaml
expect_out_contains "outcome     ok"

case_begin "types that the source names: arrays, complex numbers; what other functions read and write"
cat >dct.c <<'END'
#include <complex.h>
#include <stddef.h>
#include <stdint.h>
typedef int16_t block_t[64];
typedef double complex number;
static void recurse(number *x, size_t n) { for (size_t i = 0; i < n; i++) x[i] *= 2; }
int fft(number *data, size_t n) { recurse(data, n); data[0] = 1; return 0; }
void write_all(number *result, size_t n) { recurse(result, n); }
static void copy(const uint8_t *from, uint8_t *to, size_t n) { for (size_t i = 0; i < n; i++) to[i] = from[i]; }
void shuffle(const uint8_t *const _src, uint8_t *const _dest, size_t n) { copy(_src, _dest, n); }
void rows(float (*a)[4], int n) { for (int i = 0; i < n; i++) a[i][0] += a[i][3]; }
void cross(double a[3], double b[3]) { a[0] = b[1] - b[2]; }
void dct(block_t *blocks, int count) { for (int b = 0; b < count; b++) blocks[b][b % 64] += 1; }
END
arguments() { "$HONE" init "$@" -o - -q | sed -n 's/^  - {name: \([^#]*\)}  .*/\1/p'; }
expect_same "dct" "blocks, type: i16, shape: [COUNT, 64], range: [0, 32767], role: inout" "$(arguments dct.c | head -n 1)"
expect_same "fft" "data, type: f64, shape: [N, 2], fill: uniform, role: inout" "$(arguments dct.c --entry fft | head -n 1)"
expect_same "result" "result, type: f64, shape: [N, 2], role: out" "$(arguments dct.c --entry write_all | head -n 1)"
expect_same "shuffle" "_src, type: u8, shape: [N]
_dest, type: u8, shape: [N], role: out" "$(arguments dct.c --entry shuffle | head -n 2)"
expect_same "rows" "a, type: f32, shape: [N, 4], fill: uniform, role: inout" "$(arguments dct.c --entry rows | head -n 1)"
run "$HONE" init dct.c --entry cross -o cross.yaml
expect_err_contains "read it, then" # no size is needed
case $(cat cross.yaml) in *problem:*) fail "a size that nothing has: $(cat cross.yaml)" ;; esac
for entry in dct fft cross; do
  "$HONE" init dct.c --entry $entry -o $entry.yaml -q --force
  run "$HONE" run $entry.yaml
  expect_out_contains "outcome     ok"
done

case_begin "a size behind its tensor is its length; seeds and states are no sizes"
cat >count.c <<'END'
#include <stddef.h>
#include <string.h>
size_t count(const char *text, size_t n, const char *word, size_t len)
{
  size_t found = 0;
  for (const char *at = text; at + len <= text + n; at++) found += memcmp(at, word, len) == 0;
  return found;
}
unsigned checksum(unsigned crc, const unsigned char *data, unsigned length, unsigned seed)
{
  while (length--) crc = crc * seed + *data++;
  return crc;
}
END
expect_same "count" "text, type: i8, shape: [N]
n, type: u64, value: N
word, type: i8, shape: [LEN]
len, type: u64, value: LEN" "$(arguments count.c --entry count | head -n 4)"
expect_same "checksum" "crc, type: u32, value: 1
data, type: u8, shape: [LENGTH]
length, type: u32, value: LENGTH
seed, type: u32, value: 1" "$(arguments count.c --entry checksum | head -n 4)"

case_begin "functions, pointers in memory and structs that hold them are no arguments, which the line says"
cat >refused.c <<'END'
typedef int (*compare_t)(const void *, const void *);
struct image { int width; unsigned char *pixels; };
void sort(float *x, int n, compare_t less) { x[0] = less(x, x + n - 1); }
void rows(const double **a, double *y, int n) { for (int i = 0; i < n; i++) y[i] = a[i][0]; }
void blur(const struct image *src, float *y, int n) { for (int i = 0; i < n; i++) y[i] = src->pixels[i]; }
END
for case in "sort:compare_t less: a function cannot be an argument" "rows:const double **a: an array of pointers cannot be an argument" \
  "blur:const struct image *src: a struct with more than numbers in it cannot be an argument"; do
  run "$HONE" init refused.c --entry "${case%%:*}" -o refused.yaml --force
  expect_err_contains "${case#*:}; write a function that calls '${case%%:*}' and takes numbers and arrays of numbers, and name that with --entry"
done

case_begin "the order of a template's parameters, and numbers of pragmas and of local memory"
printf '#include <cstddef>\ntemplate <std::size_t H, std::size_t W = 4, typename T = float>\nvoid f(const T *x, T *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n' >order.cpp
run "$HONE" init order.cpp -o -
expect_out_contains 'entry: "f<H_, W_, float>"'
printf 'struct shape { long h, w; };\nvoid f(const float *x, float *y, const shape &s) { for (long i = 0; i < s.h * s.w; i++) y[i] = x[i]; }\n' >reference.cpp
run "$HONE" init reference.cpp -o -
expect_out_contains "{name: s, type: i64, shape: [1, 2], file: TODO}   # const shape & s: {h: i64, w: i64}; instead of 'file', 'supply' can make it: 'hone help recipes'"
cat >tile.cl <<'END'
#ifndef UNROLL
#define UNROLL 1
#endif
__kernel void f(__global const float4 *x, __global float *y, int n, __local float4 *tile, __local float *other)
{
  int item = get_local_id(0);
  tile[item] = x[get_global_id(0)];
  other[item + 1] = 0;
#pragma unroll UNROLL
  for (int i = 0; i < 4; i++) y[get_global_id(0)] = tile[item].x;
}
END
run "$HONE" init tile.cl -o -
expect_out_contains "UNROLL: [1, 2, 4, 8, 16]"
expect_out_contains "{name: tile, type: f32, local: 4 * BLOCK}"
expect_out_contains "{name: other, type: f32, local: TODO}"

case_begin "the options of a program in Python are parameters"
cat >bench.py <<'END'
import argparse
p = argparse.ArgumentParser()
p.add_argument("--tile", type=int, default=16)
p.add_argument("--mode", default="fast")
p.add_argument("-o", default="x.csv")
p.add_argument("--verbose", action="store_true")
a = p.parse_args()
print(a.tile / 10)
END
run "$HONE" init bench.py
expect_status 0
expect_contains spec '  $tile: [4, 8, 16, 32, 64]   # an option, line 3: 16
  $mode: ["fast"]   # an option, line 4: fast' "$(cat bench.yaml)"
case $(cat bench.yaml) in *verbose*) fail "a flag without a value is a parameter" ;; esac
run "$HONE" tune bench.yaml --dry-run
expect_status 0

cat >sieve.py <<'END'
import argparse
SEGMENT = 32768  # bytes
p = argparse.ArgumentParser()
p.add_argument("--segment", type=int, default=SEGMENT)
p.add_argument("--wheel", type=int, choices=[2, 6], default=2)
END
printf 'CHUNK = 4096\nMETHOD = "fast"\nprint(CHUNK)\n' >count.py
{ "$HONE" init sieve.py -o - -q | grep '^  \$'; "$HONE" init count.py -o - -q | grep -E '^run|is a constant'; } >options
"$HONE" init bench.py -o - -q | grep '^run' && fail "its -o names a file of results"
expect_same "options" "  \$segment: [8192, 16384, 32768, 65536, 131072]   # an option, line 4: 32768
  \$wheel: [2, 6]   # an option, line 5: 2
run: {command: \"python3 {source} {args}\", time: wall}
  # CHUNK = 4096 (line 1) is a constant. To tune it, take it as an option:
  # METHOD = fast (line 2) is a constant. To tune it, take it as an option:" "$(cat options)"
cat >shrink.py <<'END'
import argparse
p = argparse.ArgumentParser()
p.add_argument("image", type=str)
p.add_argument("mask", nargs="?")
p.add_argument(
    "-m",
    "--method",
    type=str,
    required=True)
p.add_argument("--profile", type=str)
p.add_argument("--strict", type=bool, default=True)
p.add_argument("--jobs", type=int)
END
run "$HONE" init shrink.py
expect_status 0
expect_same "lines to complete" 3 "$(grep -c TODO "$TMP/stderr")"
expect_same "paths and names have no values" 'run: {command: "python3 {source} TODO {args}", time: wall}   # give it: image
  $method: [TODO]   # an option that it needs, line 5
  $jobs: [1, 2, 4, 8]   # an option, line 12' "$(grep -E '^run|^  \$' shrink.yaml)"
echo 'print("done:", p.parse_args())' >>sieve.py
"$HONE" init sieve.py -q
run "$HONE" tune sieve.yaml --stop-after screen --filter segment=32768
expect_status 0
case $OUT in *failed*) fail "$OUT" ;; esac

case_begin "a function in Python whose arguments have defaults is called with them"
cat >primes.py <<'END'
def helper(x, step=2): return x + step

def count(limit: int, segment: int = 4096, mode="fast", share=0.5, *, is_odd=True, **rest):
    return limit // segment + helper(1)

if __name__ == "__main__":
    raise SystemExit("the program itself is not run")
END
run "$HONE" init primes.py
expect_status 0
expect_err_contains "complete these lines:"
expect_err_contains "TODO, segment={segment}, mode='{mode}')"
expect_contains spec "# give it: limit" "$(cat primes.yaml)"
expect_contains spec '  segment: [1024, 2048, 4096, 8192, 16384]   # an argument, line 3: 4096
  mode: ["fast"]   # an argument, line 3: fast' "$(cat primes.yaml)"
case $(cat primes.yaml) in *step* | *share* | *is_odd*) fail "more than it should have: $(cat primes.yaml)" ;; esac
sed -i 's/(TODO/(100000/' primes.yaml
run "$HONE" run primes.yaml --config segment=8192
expect_out_contains "outcome     ok"

case_begin "types of headers, macros and aliases are the compiler's"
mkdir -p typed && cd typed || exit 1
cat >types.h <<'END'
#include <stddef.h>
typedef float real;
typedef struct { int rows, cols; real scale; } shape_t;
#define READ_ONLY(type) const type *restrict
END
cat >axpy.c <<'END'
#include "types.h"
#ifndef UNROLL
#define UNROLL 4
#endif
void axpy(size_t n, real a, READ_ONLY(real) x, real *restrict y, shape_t shape)
{
  for (size_t i = 0; i < n; i += UNROLL)
    for (size_t j = i; j < i + UNROLL && j < n; j++) y[j] += a * x[j] * shape.scale;
}
END
run "$HONE" init axpy.c
expect_status 0
expect_same "arguments" "  - {name: n, type: u64, value: N}
  - {name: a, type: f32, value: 1}
  - {name: x, type: f32, shape: [N], fill: uniform}
  - {name: y, type: f32, shape: [N], fill: uniform, role: inout}
  - {name: shape, struct: [{name: rows, type: i32, value: ROWS}, {name: cols, type: i32, value: COLS}, {name: scale, type: f32, value: 1}]}" \
  "$(sed -n '/^args/,/^$/s/   #.*//p' axpy.yaml | grep name)"
run "$HONE" tune axpy.yaml --dry-run
expect_status 0
cat >scale.cpp <<'END'
#include <cstdint>
namespace lib {
using index = std::int32_t;
template <typename T> using pointer = T *__restrict;
template <typename T, int TILE = 8>
void scale(pointer<T> out, pointer<const T> in, index n, T factor)
{
  for (index i = 0; i < n; i += TILE)
    for (index j = 0; j < TILE; j++) out[i + j] = in[i + j] * factor;
}
}
END
run "$HONE" init scale.cpp
expect_status 0
expect_same "arguments" "  - {name: out, type: f32, shape: [N], role: out}
  - {name: in, type: f32, shape: [N], fill: uniform}
  - {name: n, type: i32, value: N}
  - {name: factor, type: f32, value: 1}" "$(sed -n '/^args/,/^$/s/   #.*//p' scale.yaml | grep name)"
run "$HONE" run scale.yaml --config TILE_=8
expect_status 0

case_begin "complex numbers, enumerations, arrays with lengths, and what is one number"
cat >dft.cpp <<'END'
#include <complex>
#include <cstddef>
enum class direction { forward, backward };
extern "C" void dft(std::size_t n, const std::complex<float> *x, std::complex<float> *y, direction d, double *sum)
{
  for (std::size_t k = 0; k < n; k++) {
    y[k] = 0;
    for (std::size_t j = 0; j < n; j++)
      y[k] += x[j] * std::polar(1.0f, (d == direction::forward ? -6.2831853f : 6.2831853f) * float(j * k % n) / float(n));
    *sum += std::abs(y[k]);
  }
}
END
run "$HONE" init dft.cpp
expect_status 0
expect_same "arguments" "  - {name: n, type: u64, value: N}
  - {name: x, type: f32, shape: [N, 2], fill: uniform}
  - {name: y, type: f32, shape: [N, 2], role: out}
  - {name: d, type: i32, value: 0}
  - {name: sum, type: f64, shape: [1], fill: uniform, role: inout}" "$(sed -n '/^args/,/^$/s/   #.*//p' dft.yaml | grep name)"
run "$HONE" run dft.yaml --config LEVEL=2
expect_status 0
cat >product.c <<'END'
void product(int n, int m, int k, float a[restrict n][k], float b[restrict k][m], float c[restrict n][m], double w[static 4])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int l = 0; l < k; l++) s += a[i][l] * b[l][j];
      c[i][j] = s * w[0];
    }
}
END
run "$HONE" init product.c
expect_status 0
expect_same "arguments" "  - {name: a, type: f32, shape: [N, K], fill: uniform}
  - {name: b, type: f32, shape: [K, M], fill: uniform}
  - {name: c, type: f32, shape: [N, M], role: out}
  - {name: w, type: f64, shape: [4], fill: uniform}" "$(sed -n '/^args/,/^$/s/   #.*//p' product.yaml | grep shape)"
run "$HONE" run product.yaml --config LEVEL=2
expect_status 0

case_begin "indices in macros, sizes in unnamed structs, knobs behind #if !defined"
cat >jacobi.c <<'END'
#include <stddef.h>
#if !defined(CHUNK)
/* rows of a turn */
#define CHUNK 16
#endif
#define DEPTH 4
typedef struct { unsigned nx, ny; float dx; } grid;
#define AT(a, i, j) ((a)[(i) * (size_t)g.ny + (j)])
float jacobi(grid g, const float *restrict u, float *restrict v)
{
  float sum = 0;
  for (unsigned k = 1; k < g.nx - 1; k += CHUNK)
    for (unsigned i = k; i < k + CHUNK && i < g.nx - 1; i++)
      for (unsigned j = 1; j < g.ny - 1; j++)
        sum += AT(v, i, j) = DEPTH * g.dx * (AT(u, i - 1, j) + AT(u, i, j + 1));
  return sum;
}
END
run "$HONE" init jacobi.c
expect_status 0
expect_err_contains "read it, then: hone tune jacobi.yaml"
expect_same "lines" "  CHUNK: [4, 8, 16, 32, 64]
  # DEPTH = 4 (line 6) is a constant. To tune it, write '#ifndef DEPTH', '#define DEPTH 4', '#endif'
  - {name: u, type: f32, shape: [NX, NY], fill: uniform}
  - {name: v, type: f32, shape: [NX, NY], role: out}" "$(grep -E '^  CHUNK:|DEPTH =|name: [uv],' jacobi.yaml | sed 's/   #.*//')"
run "$HONE" run jacobi.yaml --config CHUNK=8
expect_status 0

case_begin "arrays of structs: columns if all members have one type, else bytes; the function whose types are known"
cat >particles.c <<'END'
struct particle { float x, y, vx, vy; };
struct entry { int row; float value; };
struct matrix { const struct entry *entries; unsigned long count; };
void move(struct particle *p, unsigned count, float dt)
{
  for (unsigned i = 0; i < count; i++) p[i].x += dt * p[i].vx;
}
void add(const struct entry *e, unsigned count, float *y)
{
  for (unsigned i = 0; i < count; i++) y[e[i].row] += e[i].value;
}
void add_all(const struct matrix *m, float *y) { add(m->entries, m->count, y); }
END
run "$HONE" init particles.c -o -
expect_status 0
expect_out_contains "entry: add   # one of 3 functions that can be a kernel"
expect_out_contains "  - {name: e, type: u8, shape: [COUNT, 8], file: TODO}   # const struct entry *e: {row: i32, value: f32};"
run "$HONE" init particles.c --entry move
expect_status 0
expect_contains spec "  - {name: p, type: f32, shape: [COUNT, 4], fill: uniform, role: inout}" "$(cat particles.yaml)"
run "$HONE" run particles.yaml --config LEVEL=2
expect_status 0

case_begin "of several functions, the one with the deepest loops"
cat >program.c <<'END'
#include <stdio.h>
typedef struct { float *weights; int rows, columns; } model_t;
void product(float *out, const float *x, const float *w, int n, int d)
{
  for (int i = 0; i < d; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++) sum += w[i * n + j] * x[j];
    out[i] = sum;
  }
}
void run(model_t *m, float *x)
{
  for (int l = 0; l < 3; l++)
    for (int i = 0; i < m->rows; i++)
      for (int j = 0; j < m->columns; j++) x[i] += m->weights[j];
}
int largest(const float *x, int n)
{
  int best = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > x[best]) best = i;
  return best;
}
void read_line(char *line, size_t size)
{
  printf("> ");
  fgets(line, (int)size, stdin);
}
int main(void) { return 0; }
END
run "$HONE" init program.c -o -
expect_status 0
expect_out_contains 'entry: "::product"   # one of 4 functions'

case_begin "planes of rows whose number is not told are a line to complete, tiles of a row are none"
cat >planes.c <<'END'
#ifndef TILE
#define TILE 4
#endif
void collide(const float *f, float *g, const float *h, int nx, int ny)
{
  const int n = nx * ny;
  for (int y = 0; y < ny; y++)
    for (int t = 0; t < nx / TILE; t++)
      for (int x = 0; x < TILE; x++)
        for (int k = 0; k < 9; k++)
          g[k * n + y * nx + t * TILE + x] = f[k * n + y * nx + t * TILE + x] * h[y * nx + t * TILE + x];
}
END
run "$HONE" init planes.c
expect_status 0
expect_same "shapes" "TODO, NX TODO, NX NY, NX" "$(sed -n 's/.*shape: \[\([^]]*\)\].*/\1/p' planes.yaml | xargs)"
expect_same "lines to complete" 2 "$(grep -c TODO "$TMP/stderr")"

case_begin "a header of C++ is a source"
cat >scale.hpp <<'END'
#pragma once
namespace mine {
template <int STEP = 4> void scale(unsigned n, const float *x, float *y)
{
  for (unsigned i = 0; i < n; i += STEP)
    for (unsigned k = i; k < i + STEP && k < n; k++) y[k] = 2 * x[k];
}
}
END
run "$HONE" init scale.hpp --force -q
expect_status 0
run "$HONE" run scale.yaml --config STEP_=8
expect_status 0

case_begin "so is a header of C, with the macro that makes it define its functions, or with inline ones"
cat >wave.h <<'END'
#ifndef WAVE_H
#define WAVE_H
#ifdef __cplusplus
extern "C" {
#endif
void wave_scale(const float *x, float *y, int n);
#ifdef __cplusplus
}
#endif
#endif
#if defined(WAVE_IMPLEMENTATION) && !defined(WAVE_IMPLEMENTATION_DONE)
#define WAVE_IMPLEMENTATION_DONE
#ifndef WAVE_STEP
#define WAVE_STEP 4
#endif
void wave_scale(const float *x, float *y, int n)
{
  for (int i = 0; i < n; i += WAVE_STEP)
    for (int k = i; k < i + WAVE_STEP && k < n; k++) y[k] = 2 * x[k];
}
#endif
END
run "$HONE" init wave.h
expect_status 0
expect_contains spec "defines: {WAVE_IMPLEMENTATION: 1}" "$(cat wave.yaml)"
run "$HONE" run wave.yaml --config WAVE_STEP=8
expect_status 0
printf '%s\n' '#include <math.h>' 'static inline void roots(const float *x, float *y, int n)' \
  '{ for (int i = 0; i < n; i++) y[i] = sqrtf(x[i]); }' >roots.h
run "$HONE" init roots.h
expect_status 0
run "$HONE" run roots.yaml --config LEVEL=2
expect_status 0
expect_out_contains "-include $PWD/roots.h -x c /dev/null"
run "$HONE" init scale.hpp -o - --entry scale
expect_status 0
cp scale.hpp scale.h
run "$HONE" init scale.h -o -
expect_status 1
expect_err_contains "'scale' of 'scale.h' is C++, but a header '.h' is taken for C: rename it, or a link to it, to 'scale.hpp'"
ln -s scale.h linked.hpp
run "$HONE" init linked.hpp
expect_status 0
run "$HONE" run linked.yaml
expect_status 0

case_begin "what a function returns, also by a name of a header or of a template; rows without a first length; what is left out"
cat >hash.h <<'END'
typedef unsigned long long hash_t;
typedef int flag_t;
#ifdef HASH_WIDE
void hash_wide(const unsigned char *data, double *y, int n);
void hash_wide(const unsigned char *data, double *y, int n) { for (int i = 0; i < n; i++) y[i] = data[i]; }
#endif
END
printf '#include "hash.h"\nhash_t hash(const unsigned char *data, int n) { hash_t h = 0; while (n--) h = 31 * h + *data++; return h; }\n' >hash.c
run "$HONE" init hash.c
expect_status 0
expect_contains spec "{name: result, type: u64, return: true}" "$(cat hash.yaml)"
run "$HONE" run hash.yaml --config LEVEL=2
expect_status 0
echo 'int parity(const void *data, int n) { int p = 0; for (int i = 0; i < n; i++) p ^= ((const char *)data)[i]; return p; }' >parity.c
run "$HONE" init parity.c -o -
expect_out_contains "{name: data, type: TODO, shape: [N], fill: uniform}   # const void *data; write the type of its elements: u8 for bytes"
printf 'template <typename T> inline T dot(const T *x, const T *y, int n) { T s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }\n' >dot.hpp
run "$HONE" init dot.hpp -o -
expect_out_contains "{name: result, type: f32, return: true}"
printf 'namespace near { namespace { template <typename T> inline T sum(const T *x, int n) { T s = 0; while (n--) s += *x++; return s; } } }\n' >near.hpp
run "$HONE" init near.hpp --entry sum
expect_status 0
run "$HONE" run near.yaml
expect_status 0
cat >faces.c <<'END'
void faces(int n, const double x[], double b[][8])
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 8; k++) b[i][k] = k * x[i];
}
#ifdef FACES_FAST
void faces_fast(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }
#endif
END
run "$HONE" init faces.c
expect_status 0
expect_contains spec "{name: b, type: f64, shape: [N, 8], role: out}" "$(cat faces.yaml)"
expect_contains spec "entry: faces " "$(cat faces.yaml)"

case_begin "launches: a block for each row, two directions, elements of a thread"
cat >rows.cu <<'END'
__global__ void softmax(const float *x, float *y, int rows, int cols)
{
  int row = blockIdx.x;
  if (row >= rows) return;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[row * cols + c] = x[row * cols + c];
}
END
cat >turn.cu <<'END'
#ifndef TILE
#define TILE 16
#endif
__global__ void turn(const float *in, float *out, int width, int height)
{
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
END
cat >items.cl <<'END'
#ifndef ITEMS
#define ITEMS 4
#endif
__kernel void twice(__global const float *x, __global float *y, int n)
{
  int base = get_global_id(0) * ITEMS;
  for (int k = 0; k < ITEMS; k++) if (base + k < n) y[base + k] = 2 * x[base + k];
}
END
printf '__kernel void f(__global float *y, int n, int m) { int i = get_global_id(0), j = get_global_id(1); if (i < n) y[i * m + j] = 1; }\n' >wide.cl
for file in rows.cu turn.cu items.cl wide.cl; do "$HONE" init $file -o - -q | grep '^launch'; done >launches
expect_same "launches" "launch: {grid: ROWS, block: BLOCK}
launch: {grid: [ceil(WIDTH / TILE), ceil(HEIGHT / BLOCK_Y)], block: [TILE, BLOCK_Y]}
launch: {global: ceil(N / (BLOCK * ITEMS)) * BLOCK, local: BLOCK}
launch: {global: ceil(TODO / BLOCK) * BLOCK, local: BLOCK}" "$(cat launches)"

case_begin "what does not compile as it is has the types that its text has"
rm types.h
run "$HONE" init axpy.c --force
expect_status 0
expect_contains "spec" "the parameters of 'axpy' are not clear: a macro may hide them" "$(cat axpy.yaml)"
cd .. || exit 1

case_begin "a function of C++ without C linkage is named in full"
cat >plain.cpp <<'END'
void scale(float *x, int n) { for (int i = 0; i < n; i++) x[i] *= 2; }
END
run "$HONE" init plain.cpp
expect_status 0
expect_contains spec 'entry: "::scale"' "$(cat plain.yaml)"
run "$HONE" tune plain.yaml --stop-after screen --problem N=1000
expect_status 0

case_begin "neighbours of numbers that are not whole are no offsets of rows"
echo 'void blur(const float *in, float *out, int n) { for (int i = 0; i < n; i++) out[i] = in[i] + in[i + 1]; }' >blur.c
run "$HONE" init blur.c -o -
expect_out_contains "{name: in, type: f32, shape: [N]"
echo 'void fold(int n, int table[n][n]) { for (int i = 0; i + 1 < n; i++) for (int j = 0; j < n; j++) table[i][j] += table[i + 1][j]; }' >fold.c
run "$HONE" init fold.c -o -
expect_out_contains "{name: table, type: i32, shape: [N, N], range: [0, N], role: inout}"

case_begin "headers of the project are found in folders above; switches are 0 or 1; what takes no tensor is no kernel"
mkdir -p project/c project/include/project
printf '#define NUMBER float\ntypedef NUMBER project_real;\n' >project/include/project/types.h
cat >project/c/scale.c <<'END'
#include <project/types.h>
#ifndef PROJECT_FAST
#define PROJECT_FAST 1
#endif
#ifndef PROJECT_ELSEWHERE
#define PROJECT_ELSEWHERE 0
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
void scale(project_real *x, int n)
{
#if PROJECT_FAST
#pragma GCC ivdep
#endif
  for (int i = 0; i < n; i += UNROLL)
    for (int k = i; k < i + UNROLL && k < n; k++) x[k] *= 2;
}
int version(void) { return 3; }
END
run "$HONE" init project/c/scale.c
expect_status 0
expect_contains spec "entry: scale" "$(cat project/c/scale.yaml)"
expect_contains spec "includes: [../include]}" "$(cat project/c/scale.yaml)"
expect_contains spec "PROJECT_FAST: [0, 1]" "$(cat project/c/scale.yaml)"
expect_contains spec "PROJECT_ELSEWHERE: [0, 1]" "$(cat project/c/scale.yaml)"
expect_contains spec "UNROLL: [1, 2, 4, 8, 16]" "$(cat project/c/scale.yaml)"
expect_contains spec "{name: x, type: f32, shape: [N], fill: uniform, role: inout}" "$(cat project/c/scale.yaml)"
run "$HONE" tune project/c/scale.yaml --stop-after screen --problem N=1000 --evals 4
expect_status 0

# Macros make the function and its parameters; its knob is in a header of its own.
mkdir clang
cat >clang/tiles.h <<'END'
#ifndef TILE
#define TILE 16
#endif
END
cat >clang/made.c <<'END'
#include <stddef.h>
#include "tiles.h"
#define API __attribute__((visibility("default")))
#define VECTORS const float *restrict x, float *restrict y
#define KERNEL(name, type) API void name(type a, VECTORS, size_t n)
KERNEL(axpy, float)
{
  for (size_t i = 0; i < n; i += TILE)
    for (size_t k = i; k < i + TILE && k < n; k++) y[k] += a * x[k];
}
END
cat >clang/select.cpp <<'END'
#include <cstddef>
#include <type_traits>
constexpr int LANES = 4, WIDTH = 2 * LANES;
template <typename T, int TILE = WIDTH / 2, std::enable_if_t<(TILE > 2), int> = 0>
void twice(const T *in, T *out, std::size_t n) { for (std::size_t i = 0; i < n; i++) out[i] = 2 * in[i] + TILE; }
END
cat >clang/overloads.cpp <<'END'
void sum(const float *x, float *out, int n) { for (int i = 0; i < n; i++) *out += x[i]; }
void sum(const double *x, double *out, int n) { for (int i = 0; i < n; i++) *out += x[i]; }
END
cat >clang/names.cpp <<'END'
#include "names.h"
constexpr int LANES = 4;
template <int NT = 4, int N = 2 * LANES> void add(float *x, int n) { for (int i = 0; i < n; i++) x[i] += NT + N + WIDTH; }
struct adder { template <typename T> void method(T *x); };
template <typename T> void adder::method(T *x) { *x += 1; }
END
cat >clang/names.h <<'END'
#ifndef MAX_WIDTH
#define WIDTH 8
#endif
END

case_begin "without libclang the text is read, and says what it leaves open"
export HONE_LIBCLANG="$TMP/clang/made.c"
run "$HONE" init clang/made.c -o -
expect_status 1
expect_err_contains "'made.c' has no function that can be a kernel: name one with --entry"
run "$HONE" init clang/overloads.cpp -o -
expect_status 0
expect_out_contains "# libclang (Debian's libclang1) was not found: it may know the types that this leaves open."
expect_out_contains "the parameters of 'sum' are not clear"

case_begin "a libclang that crashes harms nobody"
sed -n 's/^  X([^(]*, \([A-Za-z_0-9]*\),.*/void clang_\1(void) { __builtin_trap(); }/p' "$symbols" >clang/crash.c
cc -shared -fPIC -w clang/crash.c -o clang/crash.so
HONE_LIBCLANG="$TMP/clang/crash.so"
run "$HONE" init clang/overloads.cpp -o -
expect_status 0
expect_out_contains "the parameters of 'sum' are not clear"
case $OUT in *"was not found"*) fail "it was found: $OUT" ;; esac
echo '__attribute__((constructor)) static void begin(void) { __builtin_trap(); }' >clang/begin.c
cc -shared -fPIC clang/begin.c -o clang/begin.so
HONE_LIBCLANG="$TMP/clang/begin.so"
run "$HONE" init clang/overloads.cpp -o -
expect_status 0
case $OUT in *"was not found"*) fail "it was found: $OUT" ;; esac
unset HONE_LIBCLANG

if ! "$HONE" init clang/made.c -o - >/dev/null 2>&1; then
  case_skip "what only libclang understands" "there is no libclang"
else
  case_begin "functions that macros make, and knobs of headers, are clang's"
  run "$HONE" init clang/made.c
  expect_status 0
  expect_contains spec "  TILE: [4, 8, 16, 32, 64]   # the macro of tiles.h, line 2: 16" "$(cat clang/made.yaml)"
  expect_contains spec "  - {name: a, type: f32, value: 1}   # float a
  - {name: x, type: f32, shape: [N], fill: uniform}   # const float *restrict x
  - {name: y, type: f32, shape: [N], fill: uniform, role: inout}   # float *restrict y
  - {name: n, type: u64, value: N}   # size_t n" "$(cat clang/made.yaml)"
  run "$HONE" tune clang/made.yaml --stop-after screen --problem N=1000
  expect_status 0

  case_begin "defaults of templates and constants are computed"
  run "$HONE" init clang/select.cpp
  expect_status 0
  expect_contains spec "baseline: {TILE_: 4}" "$(cat clang/select.yaml)"
  expect_contains spec "# WIDTH = 8 (line 3) is a constant" "$(cat clang/select.yaml)"
  run "$HONE" tune clang/select.yaml --stop-after screen --problem N=1000
  expect_status 0

  case_begin "a name is no other name that it begins, or is a part of"
  run "$HONE" init clang/names.cpp -o -
  expect_status 0
  expect_out_contains "baseline: {NT_: 4, N_: 8}"
  case $OUT in *WIDTH:* | *method*) fail "$OUT" ;; esac

  case_begin "lengths of arrays that macros hide are those of sizes"
  expect_contains spec 'a, type: f64, shape: [NI, NJ + 1]' "$(cat suite/blas/product/product.yaml)"
  expect_contains spec 'c, type: f64, shape: [NI, NJ], role: out' "$(cat suite/blas/product/product.yaml)"
  run "$HONE" tune suite/blas/product/product.yaml --stop-after screen --problem NI=40 --problem NJ=24
  expect_status 0
  case $OUT in *failed*) fail "$OUT" ;; esac

  case_begin "structs in structs and arrays in structs are members, if that changes no place"
  cat >nested.c <<'END'
typedef struct { float x, y; } vec2;
struct inner { double d; char c; };
struct view { vec2 origin; float scale[2]; int shift; };
struct padded { struct inner a; char b; };
double walk(struct view v, const vec2 *points, long n)
{
  double sum = v.origin.x + v.scale[1] + v.shift;
  for (long i = 0; i < n; i++) sum += points[i].x;
  return sum;
}
double none(struct view v, const vec2 *points, struct padded p) { return v.shift + points[0].x + p.b; }
END
  run "$HONE" init nested.c --entry walk
  expect_status 0
  expect_contains spec "struct: [{name: origin_x, type: f32, value: 1}, {name: origin_y, type: f32, value: 1}, \
{name: scale_0, type: f32, value: 1}, {name: scale_1, type: f32, value: 1}, {name: shift, type: i32, value: SHIFT}]}   # struct view v" \
    "$(cat nested.yaml)"
  expect_contains spec "{name: points, type: f32, shape: [N, 2], fill: uniform}" "$(cat nested.yaml)"
  run "$HONE" tune nested.yaml --stop-after screen --problem N=1000
  expect_status 0
  run "$HONE" init nested.c --entry none -o -
  expect_status 0
  expect_out_contains "shift, type: i32, value: SHIFT}]}   # struct view v"
  expect_out_contains "{name: p, type: TODO, value: TODO}   # struct padded p"

  case_begin "overloads are told"
  run "$HONE" init clang/overloads.cpp -o -
  expect_status 0
  expect_out_contains "# 'sum' has 2 overloads. A function is called by its name: give the one of line 2 another name"
  expect_out_contains "{name: x, type: f64, shape: [N], fill: uniform}"
fi

case_begin "of a large source the last 64 functions and the first 256 headers are looked at"
many() { # many FUNCTIONS HEADERS: a source with a kernel before so many functions, and a header after so many others
  awk -v functions="$1" -v headers="$2" 'BEGIN {
    for (i = 0; i < headers; i++) print "#include \"none" i ".h\""
    print "#include <project/types.h>"
    print "void first(float *x, int n) { for (int i = 0; i < n; i++) x[i] += 1; }"
    for (i = 1; i <= functions; i++) print "int helper" i "(int a) { return a; }"
  }' >project/c/many.c
  run "$HONE" init project/c/many.c -o -
  expect_status 0
}
many 63 255
expect_out_contains "entry: first"
expect_out_contains "includes: [../include]"
many 64 256
expect_out_contains "entry: helper64"
case $OUT in *includes:*) fail "$OUT" ;; esac

case_begin "the baseline has the value that the source has, and a fraction is no knob"
cat >value.c <<'END'
#ifndef HEX
#define HEX 0x10
#endif
#ifndef SUM
#define SUM 3 + 4
#endif
#ifndef PI
#define PI 3.14159f
#endif
void value(int n, float *y)
{
  for (int i = 0; i < n; i++) y[i] = PI * (HEX + SUM);
}
END
run "$HONE" init value.c
expect_status 0
expect_contains spec 'baseline: {HEX: 16, SUM: "3 + 4"}' "$(cat value.yaml)"
run "$HONE" space value.yaml --count
expect_status 0

case_begin "types and numbers that only the build defines"
cat >outside.cl <<'END'
enum { FIRST_ROW, LAST_ROW };
__kernel void scale(const int n, __global const REAL *x, __global REAL *y)
{
  const int OWN_LANE = get_local_id(0);
  int i = get_group_id(0) * GROUP_SIZE + OWN_LANE;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) y[i] = FIRST_ROW + x[i];
}
END
run "$HONE" init outside.cl -o -
expect_status 0
expect_out_contains "build: {defines: {REAL: float}}   # types that the source does not declare"
expect_out_contains "params:
  GROUP_SIZE: [64, 128, 256, 512, 1024]   # a macro that the source does not define, line 5: 256

"
expect_out_contains "{name: x, type: f32, shape: [N], fill: uniform}   # __global const REAL *x"
{ echo '#include "real.h"' && cat outside.cl; } >inside.cl
run "$HONE" init inside.cl -o -
expect_status 0
case $OUT in *defines*) fail "a header may declare it: $OUT" ;; esac

case_begin "macros that other kernels of a source need have one value"
cat >several.cl <<'END'
__kernel void turn(const int n, __global const float *a, __global float *b)
{
  __local float tile[PAD][PAD];
  int x = get_local_id(0), y = get_local_id(1);
  int i = get_group_id(0) * PAD + x, j = get_group_id(1) * PAD + y;
  if (i < n && j < n) tile[x][y] = a[j * n + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n && j < n) b[j * n + i] = tile[x][y];
}
__kernel void sum(const int n, __global const float *a, __global float *b)
{
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k++)
    for (int w = 0; w < WORK; w++) s += a[i * n + k] * w;
  b[i] = s;
}
END
run "$HONE" init several.cl -o -
expect_out_contains "PAD: [1]   # a macro that other functions need, line 3"
expect_out_contains "WORK: [1, 2, 4, 8]   # a macro that the source does not define, line 15"
run "$HONE" init several.cl --entry turn -o -
expect_out_contains "launch: {global: [ceil(N / PAD) * PAD, ceil(N / PAD) * PAD], local: [PAD, PAD]}"

case_begin "a struct of a template's type is no number, and one that is returned is no output"
cat >view.cpp <<'END'
template <typename T> struct view { T *data; int count; };
template <typename T, int LANES = 4> void twice(view<const T> x, view<T> y)
{
  for (int i = 0; i < x.count; i += LANES)
    for (int k = i; k < i + LANES; k++) y.data[k] = 2 * x.data[k];
}
END
run "$HONE" init view.cpp -o -
expect_status 0
expect_out_contains "{name: x, type: TODO, value: TODO}   # view<const T> x"
cat >pair.c <<'END'
#include "pair.h"
struct pair least(const float *x, INT n)
{
  struct pair found = {x[0], 0};
  for (INT i = 0; i < n; i++)
    if (x[i] < found.value) found = (struct pair){x[i], i};
  return found;
}
END
printf '#define INT long\nstruct pair { float value; INT at; };\n' >pair.h
run "$HONE" init pair.c -o -
expect_status 0
expect_out_contains "# It returns 'struct pair', which cannot be compared: write it through a pointer, or return one number."

case_begin "textures, surfaces, images and samplers; pointers that move; the launch of the entry alone"
cat >image.cuh <<'END'
__global__ void blur(float *out, int n) { int x = blockIdx.x * blockDim.x + threadIdx.x; if (x < n) out[x] = 0; }
__global__ void warp(cudaTextureObject_t in, cudaSurfaceObject_t out, cudaTextureObject_t table, float *to, float *from,
                     int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  from += y * width;
  to += y * width + x;
  if (x < (width - 1) && y < (height - 1)) {
    float4 v = tex2D<float4>(in, x + from[x], y);
    surf2Dwrite<uchar4>(make_uchar4(v.x, v.y, v.z, v.w), out, x * 4, y);
    *to = tex1Dfetch<float>(table, y);
  }
}
END
run "$HONE" init image.cuh --entry warp
expect_same "arguments and launch" "  - {name: in, type: f32, shape: [TODO, TODO, 4], texture: {channels: 4}}
  - {name: out, type: u8, shape: [TODO, TODO, 4], surface: {channels: 4}, role: out}
  - {name: table, type: f32, shape: [TODO], texture: {memory: linear}}
  - {name: width, type: i32, value: WIDTH}
  - {name: height, type: i32, value: HEIGHT}
launch: {grid: [ceil(WIDTH / BLOCK_X), ceil(HEIGHT / BLOCK_Y)], block: [BLOCK_X, BLOCK_Y]}" \
  "$(sed 's/   #.*//' image.yaml | grep -E 'name: (in|out|table|width|height),|^launch')"
expect_contains "what is read" "{name: from, type: f32, shape: [HEIGHT, WIDTH], fill: uniform}" "$(cat image.yaml)"
expect_contains "what is written" "{name: to, type: f32, shape: [HEIGHT, WIDTH], role: out}" "$(cat image.yaml)"
expect_same "no size of an image" "  WIDTH
  HEIGHT" "$(sed -n '/^problem/,/^$/s/:.*[0-9]$//p' image.yaml)"
cat >smooth.cl <<'END'
__kernel void smooth(read_only image2d_t in, sampler_t how, __write_only image3d_t out, int n)
{
  int x = get_global_id(0);
  if (x < n) write_imageui(out, (int4)(x, 0, 0, 0), read_imageui(in, how, (int2)(x, 0)));
}
END
run "$HONE" init smooth.cl
expect_same "arguments" "  - {name: in, type: u32, shape: [TODO, TODO], image: true}
  - {name: how, sampler: {filter: point, address: clamp}}
  - {name: out, type: u32, shape: [TODO, TODO, TODO], image: true, role: out}
  - {name: n, type: i32, value: N}" "$(sed -n '/^args/,/^$/s/   #.*//p' smooth.yaml | grep name)"

case_begin "what is no source, and names that it does not have"
run "$HONE" init value.c --entry valu -o -
expect_status 1
expect_err "hone: 'value.c' has no function 'valu'; it has 'value'"
run "$HONE" init saxpy.txt
expect_status 1
expect_err_contains "saxpy.txt"
echo x >saxpy.txt
run "$HONE" init saxpy.txt
expect_status 1
expect_err_contains "no spec can be made for 'saxpy.txt': known sources are .c,"
echo 'int x;' >empty.c
run "$HONE" init empty.c
expect_status 1
expect_err_contains "'empty.c' has no function that can be a kernel: name one with --entry"
run "$HONE" init
expect_status 2

cases_end
