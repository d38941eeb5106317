/* How long one lookup in a wisdom file takes, after it was opened: exact, nearest, and one that
 * finds nothing. Processor time; the median of ROUNDS rounds. */
#include "hone_wisdom.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ENTRIES = 10000, ROUNDS = 21, LOOKUPS = 100000 };

static double now_ns(void)
{
  struct timespec time;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* A kernel has 20 problems on a device. */
static char *make_text(size_t *out_size)
{
  size_t room = ENTRIES * 320;
  char *text = malloc(room);
  size_t size = (size_t)sprintf(text, "{\"hone_wisdom\": 1, \"nearest\": 2, \"entries\": [");

  for (int i = 0; i < ENTRIES; i++)
    size += (size_t)snprintf(text + size, room - size,
                             "%s{\"kernel\": \"kernel_%d\", \"problem\": {\"M\": %d, \"N\": 512, "
                             "\"K\": 64}, \"device\": \"NVIDIA H200\", \"family\": \"sm_90\", "
                             "\"config\": {\"BM\": 64, \"BN\": 128, \"BK\": 32, \"stages\": 3}, "
                             "\"verdict\": \"IMPROVED\", \"speedup\": 1.5}",
                             i ? ", " : "", i / 20, 64 << i % 20);
  *out_size = size + (size_t)snprintf(text + size, room - size, "]}");
  return text;
}

static int by_number(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Of so many kernels in turn. */
static void measure(const struct hone_wisdom *wisdom, const char *what, int kernels,
                    const char *device, int m, enum hone_wisdom_match expected)
{
  static char names[ENTRIES / 20][16];
  double times[ROUNDS];

  for (int i = 0; i < ENTRIES / 20; i++)
    snprintf(names[i], sizeof names[i], "kernel_%d", i);
  for (int round = 0; round < ROUNDS; round++) {
    double start = now_ns();
    for (int i = 0; i < LOOKUPS; i++) {
      struct hone_wisdom_pair problem[] = {
          hone_wisdom_integer("M", m), hone_wisdom_integer("N", 512), hone_wisdom_integer("K", 64)};
      struct hone_wisdom_query query;
      const struct hone_wisdom_entry *entry;
      hone_wisdom_query_init(&query);
      query.kernel = names[i * 7 % kernels];
      query.device = device;
      query.problem = problem;
      query.problem_count = 3;
      if (hone_wisdom_find(wisdom, &query, &entry, NULL) != expected) abort();
    }
    times[round] = (now_ns() - start) / LOOKUPS;
  }
  qsort(times, ROUNDS, sizeof *times, by_number);
  printf("| %-34s | %6.1f ns |\n", what, times[ROUNDS / 2]);
}

int main(void)
{
  struct hone_wisdom *wisdom;
  struct hone_wisdom_error error;
  size_t size;
  char *text = make_text(&size);
  double start = now_ns();

  if (hone_wisdom_open_memory(text, size, "bench", &wisdom, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  printf("| %-34s | %6.1f ms |\n", "opening 10000 entries", (now_ns() - start) / 1e6);
  measure(wisdom, "exact, 500 kernels in turn", 500, "NVIDIA H200", 4096, HONE_WISDOM_EXACT);
  measure(wisdom, "exact, 10 kernels in turn", 10, "NVIDIA H200", 4096, HONE_WISDOM_EXACT);
  measure(wisdom, "nearest, 500 kernels in turn", 500, "NVIDIA H200", 5000, HONE_WISDOM_NEAREST);
  measure(wisdom, "nearest, 10 kernels in turn", 10, "NVIDIA H200", 5000, HONE_WISDOM_NEAREST);
  measure(wisdom, "nothing: another device", 500, "another", 4096, HONE_WISDOM_DEFAULT);
  hone_wisdom_free(wisdom);
  free(text);
  return 0;
}
