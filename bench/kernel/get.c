/* get SPEC: how long hone_kernel_get takes for a problem that is known, in nanoseconds. The default
 * configurations do: nothing is tuned. bench/kernel/run calls it. */
#include "hone_kernel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 2000000, PROBLEMS = 64, THREADS = 4, ROUNDS = 5 };

static struct hone_kernel *kernel;

static double now_ns(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static void check(hone_status status)
{
  if (!status) return;
  fprintf(stderr, "get: %s\n", hone_status_message(status));
  exit(1);
}

/* ---- What is called ---- */

static void get_one(long i)
{
  const struct hone_kernel_function *function;
  int64_t size = 1024;

  (void)i;
  check(hone_kernel_get(kernel, &size, &function));
}

static void get_many(long i)
{
  const struct hone_kernel_function *function;
  int64_t size = 1024 + i % PROBLEMS;

  check(hone_kernel_get(kernel, &size, &function));
}

static void get_named(long i)
{
  const struct hone_kernel_function *function;
  struct hone_kernel_size size = {"N", 1024};

  (void)i;
  check(hone_kernel_get_named(kernel, &size, 1, &function));
}

/* ---- Timing ---- */

static double time_calls(void (*get)(long i))
{
  double least = 1e9;

  for (int round = 0; round < ROUNDS; round++) {
    double began = now_ns(), each;
    for (long i = 0; i < CALLS; i++)
      get(i);
    each = (now_ns() - began) / CALLS;
    if (each < least) least = each;
  }
  return least;
}

static void *run_thread(void *data)
{
  *(double *)data = time_calls(get_many);
  return NULL;
}

static double time_threads(void)
{
  pthread_t threads[THREADS];
  double each[THREADS], greatest = 0;

  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, run_thread, &each[i]);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    if (each[i] > greatest) greatest = each[i];
  }
  return greatest;
}

static bool report(const char *what, double ns, double most)
{
  bool met = most <= 0 || ns < most;

  printf("| %-44s | %8.1f | %-8s | %-3s |\n", what, ns, most > 0 ? "< 100" : "",
         most > 0 ? (met ? "yes" : "NO") : "");
  return met;
}

int main(int argc, char **argv)
{
  struct hone_kernel_options options;
  bool met;

  if (argc != 2) return 2;
  hone_kernel_options_init(&options);
  options.autotune = HONE_AUTOTUNE_OFF;
  check(hone_kernel_open(argv[1], &options, &kernel));
  for (long i = 0; i < PROBLEMS; i++)
    get_many(i);
  printf("| what | ns | required | met |\n|---|---:|---|---|\n");
  met = report("hone_kernel_get, one problem", time_calls(get_one), 100);
  met = report("hone_kernel_get, 64 problems in turn", time_calls(get_many), 100) && met;
  report("hone_kernel_get_named, one problem", time_calls(get_named), 0);
  report("hone_kernel_get, 64 problems, 4 threads at once", time_threads(), 0);
  hone_kernel_free(kernel);
  return !met;
}
