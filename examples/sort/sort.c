/* A quicksort that leaves short stretches to insertion sort, as a program that measures itself.
 *
 *   cc -O3 -DCUTOFF=16 -DPIVOT=2 sort.c -o sort && ./sort --n=100000 -o sort.csv
 *
 * CUTOFF and PIVOT are given to the compiler, n to the program. It sorts the same numbers again and
 * again, checks the order each time, and writes the mean time of a sort as one line of CSV. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef CUTOFF
#define CUTOFF 16
#endif
#ifndef PIVOT
#define PIVOT 1 /* 0: the first, 1: the middle, 2: the median of three */
#endif

enum { ROUNDS = 20 };

static void insertion_sort(uint32_t *x, size_t count)
{
  for (size_t i = 1; i < count; i++) {
    uint32_t value = x[i];
    size_t at = i;
    for (; at > 0 && x[at - 1] > value; at--)
      x[at] = x[at - 1];
    x[at] = value;
  }
}

static uint32_t choose_pivot(const uint32_t *x, size_t count)
{
  uint32_t a = x[0], b = x[(count - 1) / 2], c = x[count - 1];

  if (PIVOT == 0) return a;
  if (PIVOT == 1) return b;
  if (a > b) return b > c ? b : a > c ? c : a;
  return a > c ? a : b > c ? c : b;
}

/* Hoare's partition; returns how many stand in front, from 1 to count - 1. */
static size_t partition(uint32_t *x, size_t count)
{
  uint32_t pivot = choose_pivot(x, count), swapped;

  for (size_t low = 0, high = count - 1;; low++, high--) {
    while (x[low] < pivot)
      low++;
    while (x[high] > pivot)
      high--;
    if (low >= high) return high + 1;
    swapped = x[low];
    x[low] = x[high];
    x[high] = swapped;
  }
}

static void sort(uint32_t *x, size_t count)
{
  while (count > CUTOFF) {
    size_t front = partition(x, count);
    sort(x, front);
    x += front;
    count -= front;
  }
  insertion_sort(x, count);
}

static void check(const uint32_t *x, size_t count)
{
  for (size_t i = 1; i < count; i++)
    if (x[i - 1] > x[i]) {
      fprintf(stderr, "sort: not in order at %zu\n", i);
      exit(1);
    }
}

static double seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double measure(size_t count)
{
  uint32_t *numbers = malloc(count * sizeof *numbers), *x = malloc(count * sizeof *x);
  uint32_t state = 42;
  double total = 0;

  for (size_t i = 0; i < count; i++)
    numbers[i] = state = state * 1664525u + 1013904223u;
  for (int round = -2; round < ROUNDS; round++) { /* two to warm up */
    memcpy(x, numbers, count * sizeof *x);
    double start = seconds();
    sort(x, count);
    if (round >= 0) total += seconds() - start;
    check(x, count);
  }
  free(numbers);
  free(x);
  return total / ROUNDS;
}

int main(int argc, char **argv)
{
  const char *path = NULL;
  size_t count = 100000;

  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--n=", 4) == 0) count = strtoul(argv[i] + 4, NULL, 10);
    if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) path = argv[++i];
  }
  double mean = measure(count);
  FILE *out = path ? fopen(path, "w") : stdout;
  if (!out) return 1;
  fprintf(out, "name,met (ms),iters,throughput (GElems/s)\n\"sort/n=%zu\",%.6f,%d,%.6f\n", count,
          1e3 * mean, ROUNDS, 1e-9 * (double)count / mean);
  return path && fclose(out) != 0;
}
