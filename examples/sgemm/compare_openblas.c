/* compare_openblas LIBRARY [ROUNDS]: the sgemm of a shared library beside that of OpenBLAS, both on
 * one thread.
 *
 *   cc -O2 compare_openblas.c -o compare_openblas -lopenblas -ldl -lm
 *
 * The two are timed in turn, which of them is first changing from round to round, so that whatever
 * the machine does meanwhile happens to both. */
#include <cblas.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIZE = 512, WARMUP = 5, MOST_ROUNDS = 10000 };

typedef void sgemm_fn(const float *a, const float *b, float *c, int m, int n, int k);

static double now_ns(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

static void openblas(const float *a, const float *b, float *c, int m, int n, int k)
{
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
}

static float *matrix(unsigned seed)
{
  float *elements = aligned_alloc(4096, SIZE * SIZE * sizeof *elements);

  if (!elements) exit(1);
  for (int i = 0; i < SIZE * SIZE; i++)
    elements[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
  return elements;
}

static int by_value(const void *left, const void *right)
{
  double x = *(const double *)left, y = *(const double *)right;

  return (x > y) - (x < y);
}

static double median(double *times, int count)
{
  qsort(times, count, sizeof *times, by_value);
  return (times[(count - 1) / 2] + times[count / 2]) / 2;
}

static sgemm_fn *load(const char *path)
{
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  sgemm_fn *found = library ? (sgemm_fn *)dlsym(library, "sgemm") : NULL;

  if (!found) {
    fprintf(stderr, "compare_openblas: %s\n", dlerror());
    exit(1);
  }
  return found;
}

int main(int argc, char **argv)
{
  static double times[2][MOST_ROUNDS];
  static const char *names[2] = {"kernel", "OpenBLAS"};
  int rounds = argc > 2 ? atoi(argv[2]) : 500;
  float *a = matrix(1), *b = matrix(2), *c[2] = {matrix(3), matrix(4)};
  sgemm_fn *kernels[2] = {NULL, openblas};
  double medians[2], worst = 0;

  if (argc < 2 || rounds < 1 || rounds > MOST_ROUNDS) {
    fprintf(stderr, "usage: compare_openblas LIBRARY [ROUNDS]\n");
    return 2;
  }
  kernels[0] = load(argv[1]);
  openblas_set_num_threads(1);
  for (int round = -WARMUP; round < rounds; round++)
    for (int turn = 0; turn < 2; turn++) {
      int which = (round & 1) ^ turn;
      double start = now_ns();
      kernels[which](a, b, c[which], SIZE, SIZE, SIZE);
      if (round >= 0) times[which][round] = now_ns() - start;
    }
  for (int which = 0; which < 2; which++) {
    medians[which] = median(times[which], rounds);
    printf("%-9s %7.1f GFLOP/s  median of %d: %.3f ms\n", names[which],
           2.0 * SIZE * SIZE * SIZE / medians[which], rounds, medians[which] / 1e6);
  }
  for (int i = 0; i < SIZE * SIZE; i++)
    worst = isnan(c[0][i]) ? INFINITY : fmax(worst, fabs(c[0][i] - c[1][i]));
  printf("ratio     %7.3f  largest difference %.2g\n", medians[1] / medians[0], worst);
  return worst <= 1e-3 ? 0 : 1;
}
