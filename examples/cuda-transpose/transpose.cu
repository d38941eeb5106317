/* The transpose of a matrix of floats on a GPU, as a program that measures itself.
 *
 *   nvcc -O3 -DTILE=32 -DROWS=8 -DPAD=1 transpose.cu -o transpose && ./transpose --n=8192 -o t.csv
 *
 * A block of TILE x ROWS threads moves a tile of TILE x TILE through shared memory; PAD columns
 * beside it keep the banks apart. The result is checked; a wrong one, or an error of CUDA, ends the
 * program with status 1. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS 8
#endif
#ifndef PAD
#define PAD 1
#endif

static const int WARM_UP = 3, ROUNDS = 50;

static void check(cudaError_t error, const char *what)
{
  if (error == cudaSuccess) return;
  fprintf(stderr, "transpose: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

__global__ void transpose(float *out, const float *in, int n)
{
  __shared__ float tile[TILE][TILE + PAD];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

  for (int i = 0; i < TILE; i += ROWS)
    tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(y + i) * n + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS)
    out[(size_t)(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}

static void launch(float *out, const float *in, int n)
{
  transpose<<<dim3(n / TILE, n / TILE), dim3(TILE, ROWS)>>>(out, in, n);
}

static float measure_ms(float *out, const float *in, int n)
{
  cudaEvent_t begin, end;
  float ms = 0;

  check(cudaEventCreate(&begin), "an event");
  check(cudaEventCreate(&end), "an event");
  for (int i = 0; i < WARM_UP; i++)
    launch(out, in, n);
  check(cudaGetLastError(), "the launch");
  cudaEventRecord(begin);
  for (int i = 0; i < ROUNDS; i++)
    launch(out, in, n);
  cudaEventRecord(end);
  check(cudaEventSynchronize(end), "the kernel");
  check(cudaEventElapsedTime(&ms, begin, end), "the time");
  return ms / ROUNDS;
}

static bool is_transposed(const std::vector<float> &in, const std::vector<float> &out, int n)
{
  for (int y = 0; y < n; y += 7)
    for (int x = 0; x < n; x++)
      if (out[(size_t)x * n + y] != in[(size_t)y * n + x]) return false;
  return true;
}

int main(int argc, char **argv)
{
  const char *path = nullptr;
  int n = 4096;

  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--n=", 4) == 0) n = atoi(argv[i] + 4);
    if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) path = argv[++i];
  }
  size_t count = (size_t)n * n, bytes = count * sizeof(float);
  std::vector<float> host(count), back(count);
  float *in, *out;
  for (size_t i = 0; i < count; i++)
    host[i] = (float)(i % 65521);
  check(cudaMalloc(&in, bytes), "memory");
  check(cudaMalloc(&out, bytes), "memory");
  check(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice), "a copy");
  float ms = measure_ms(out, in, n);
  check(cudaMemcpy(back.data(), out, bytes, cudaMemcpyDeviceToHost), "a copy");
  if (!is_transposed(host, back, n)) {
    fprintf(stderr, "transpose: the result is wrong\n");
    return 1;
  }
  FILE *file = path ? fopen(path, "w") : stdout;
  if (!file) return 1;
  fprintf(file, "name,met (ms),iters,DataMovement (GB/s)\n\"transpose/n=%d\",%.6f,%d,%.1f\n", n, ms,
          ROUNDS, 2e-6 * (double)bytes / ms);
  return path && fclose(file) != 0;
}
