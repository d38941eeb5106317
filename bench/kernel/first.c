/* first SPEC: milliseconds from opening a kernel to its first function, in a new process. */
#include "hone_kernel.h"

#include <stdio.h>
#include <time.h>

static double now_ms(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
  const struct hone_kernel_function *function = NULL;
  struct hone_kernel *kernel = NULL;
  double began = now_ms();
  int64_t size = 1024;
  hone_status status;

  if (argc != 2) return 2;
  status = hone_kernel_open(argv[1], NULL, &kernel);
  if (!status) status = hone_kernel_get(kernel, &size, &function);
  if (status) {
    fprintf(stderr, "first: %s\n", hone_status_message(status));
    return 1;
  }
  printf("%.2f\n", now_ms() - began);
  hone_kernel_free(kernel);
  return 0;
}
