/* Products of matrices of three sizes, each with the configuration of sgemm that is best for it:
 * libhone finds it when a size is first used. README.md explains the two ways to build it.
 *
 * With ALONE, sgemm.c is compiled into the program for each size, with the configuration that `hone
 * export --format header` wrote, and no library is needed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef ALONE
#include <hone_kernel.h>
#endif

typedef void sgemm_function(const float *a, const float *b, float *c, int m, int n, int k);

static const int sizes[] = {128, 256, 384};
enum { SIZES = sizeof sizes / sizeof *sizes, REPEATS = 10 };

static double now_ms(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static float *matrix(int size, float step)
{
  float *elements = malloc((size_t)size * (size_t)size * sizeof *elements);

  for (int i = 0; i < size * size; i++)
    elements[i] = step * (float)(i % 7);
  return elements;
}

/* The element in the middle, computed plainly. */
static float expected(const float *a, const float *b, int size)
{
  int row = size / 2, column = size / 3;
  float sum = 0;

  for (int k = 0; k < size; k++)
    sum += a[row * size + k] * b[k * size + column];
  return sum;
}

static int multiply(sgemm_function *sgemm, const char *config, int size, double found_ms)
{
  float *a = matrix(size, 0.5f), *b = matrix(size, 0.25f), *c = matrix(size, 0);
  float right = expected(a, b, size), got;
  double began = now_ms(), each_ms;

  for (int i = 0; i < REPEATS; i++)
    sgemm(a, b, c, size, size, size);
  each_ms = (now_ms() - began) / REPEATS;
  got = c[size / 2 * size + size / 3];
  printf("%d x %d: %.1f GFLOP/s with %s (found in %.1f ms)%s\n", size, size,
         2e-6 * size * size * size / each_ms, config, found_ms,
         got > 0.999f * right && got < 1.001f * right ? "" : " WRONG");
  free(a);
  free(b);
  free(c);
  return got > 0.999f * right && got < 1.001f * right;
}

#ifdef ALONE

sgemm_function sgemm_128, sgemm_256, sgemm_384;

int main(void)
{
  sgemm_function *const functions[SIZES] = {sgemm_128, sgemm_256, sgemm_384};
  char header[32];
  int right = 1;

  for (int i = 0; i < SIZES; i++) {
    snprintf(header, sizeof header, "sgemm_%d.h", sizes[i]);
    right = multiply(functions[i], header, sizes[i], 0) && right;
  }
  return !right;
}

#else

static int fail(hone_status status)
{
  fprintf(stderr, "autotune: %s\n", hone_status_message(status));
  hone_status_free(status);
  return 0;
}

static const struct hone_kernel_function *find(struct hone_kernel *kernel, int size)
{
  const int64_t problem[] = {size, size, size}; /* M, N, K */
  const struct hone_kernel_function *found;
  hone_status status = hone_kernel_get(kernel, problem, &found);

  if (!status) return found;
  fail(status);
  return NULL;
}

static int multiply_with(struct hone_kernel *kernel, int size)
{
  double began = now_ms();
  const struct hone_kernel_function *found = find(kernel, size);

  if (!found) return 0;
  return multiply((sgemm_function *)found->call, found->config, size, now_ms() - began);
}

/* The run of the store that has the configuration of this size. */
static int print_run(struct hone_kernel *kernel, int size)
{
  const struct hone_kernel_function *found = find(kernel, size);

  if (found) printf("%lld\n", (long long)found->run);
  return found != NULL;
}

static bool on_event(void *data, const struct hone_event *event)
{
  (void)data;
  if (event->kind == HONE_EVENT_PHASE) fprintf(stderr, "%s\n", event->text);
  return true;
}

/* autotune [--run SIZE] */
int main(int argc, char **argv)
{
  struct hone_kernel_options options;
  struct hone_tune_options tune;
  struct hone_kernel *kernel = NULL;
  hone_status status;
  int right = 1;

  hone_kernel_options_init(&options);
  hone_tune_options_init(&tune);
  tune.effort = HONE_EFFORT_QUICK;
  tune.progress = on_event;
  options.tune = &tune;
  status = hone_kernel_open("../sgemm/sgemm.yaml", &options, &kernel);
  if (status) return !fail(status);
  if (argc > 2 && strcmp(argv[1], "--run") == 0)
    right = print_run(kernel, atoi(argv[2]));
  else
    for (int i = 0; i < SIZES; i++)
      right = multiply_with(kernel, sizes[i]) && right;
  hone_kernel_free(kernel);
  return !right;
}

#endif
