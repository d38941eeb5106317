/* Two groups of times are found, and noise of one group is not taken for two. */
#include "base/random.h"
#include "stats/modes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 240, SEEDS = 300 };

struct series {
  double times[MOST];
  uint32_t processes[MOST];
  size_t count;
};

static double uniform(struct hone__random *random)
{
  return ((double)(hone__random_u64(random) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct hone__random *random)
{
  return sqrt(-2 * log(uniform(random))) * cos(2 * M_PI * uniform(random));
}

/* ---- Noise of one group: logarithms about 0 ---- */

typedef double shape(struct hone__random *random, double share, double before);

static double normal_noise(struct hone__random *random, double share, double before)
{
  (void)share, (void)before;
  return 0.05 * normal(random);
}

static double exponential_noise(struct hone__random *random, double share, double before)
{
  (void)share, (void)before;
  return -0.1 * log(uniform(random));
}

static double flat_noise(struct hone__random *random, double share, double before)
{
  (void)share, (void)before;
  return 0.3 * uniform(random);
}

static double outliers(struct hone__random *random, double share, double before)
{
  (void)share, (void)before;
  return 0.01 * normal(random) + (uniform(random) < 0.12 ? -0.5 * log(uniform(random)) : 0);
}

static double heavy_tails(struct hone__random *random, double share, double before)
{
  (void)share, (void)before;
  return 0.03 * normal(random) / sqrt(-log(uniform(random)));
}

static double drift(struct hone__random *random, double share, double before)
{
  (void)before;
  return 0.3 * share + 0.02 * normal(random);
}

static double step(struct hone__random *random, double share, double before)
{
  (void)before;
  return (share > 0.5 ? 0.27 : 0) + 0.01 * normal(random);
}

/* It goes up, and comes back: other work for a while. */
static double disturbed(struct hone__random *random, double share, double before)
{
  (void)before;
  return (share > 0.3 && share < 0.6 ? 0.27 : 0) + 0.01 * normal(random);
}

static double walk(struct hone__random *random, double share, double before)
{
  (void)share;
  return before + 0.03 * normal(random);
}

/* `count` samples, `each` of a process. What processes have in common is not disturbed. */
static void make(struct series *series, struct hone__random *random, shape *noise, size_t count,
                 size_t each)
{
  double before = 0;

  series->count = count;
  for (size_t i = 0; i < count; i++) {
    before = noise(random, (double)i / (double)count, before);
    series->times[i] = 1e6 * exp(before);
    series->processes[i] = (uint32_t)(i / each);
  }
}

static size_t count_alarms(shape *noise, size_t count, size_t each)
{
  size_t alarms = 0;
  struct series series;

  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct hone__random random = {seed * 1000 + count};
    make(&series, &random, noise, count, each);
    alarms += hone__modes_find(series.times, series.processes, series.count).found;
  }
  return alarms;
}

static void test_noise_of_one_group(void **state)
{
  static const struct {
    const char *name;
    shape *noise;
  } noises[] = {{"normal", normal_noise},
                {"exponential", exponential_noise},
                {"flat", flat_noise},
                {"outliers", outliers},
                {"tails", heavy_tails},
                {"drift", drift},
                {"step", step},
                {"disturbed", disturbed},
                {"walk", walk}};
  static const size_t layouts[][2] = {{24, 24}, {60, 20}, {120, 20}, {240, 6}};

  (void)state;
  for (size_t i = 0; i < sizeof noises / sizeof *noises; i++)
    for (size_t j = 0; j < sizeof layouts / sizeof *layouts; j++) {
      size_t alarms = count_alarms(noises[i].noise, layouts[j][0], layouts[j][1]);
      if (alarms > SEEDS / 50)
        fail_msg("%s noise, %zu samples: %zu alarms of %d", noises[i].name, layouts[j][0], alarms,
                 SEEDS);
    }
}

/* One value a process is all that differs: its noise must not look like two groups either. */
static void test_processes_that_differ(void **state)
{
  static shape *const noises[] = {
      normal_noise, exponential_noise, flat_noise, outliers, heavy_tails, drift, step, walk};
  static const size_t counts[] = {6, 8, 10, 12, 16, 40};

  (void)state;
  for (size_t i = 0; i < sizeof noises / sizeof *noises; i++)
    for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
      size_t alarms = count_alarms(noises[i], counts[j], 1);
      if (alarms > SEEDS / 50)
        fail_msg("noise %zu, %zu processes: %zu alarms of %d", i, counts[j], alarms, SEEDS);
    }
}

/* ---- Two groups ---- */

static struct hone__modes two_groups(uint64_t seed, bool by_process, double share, size_t each,
                                     size_t number)
{
  struct hone__random random = {seed};
  struct series series = {.count = each * number};
  bool is_high = false;

  for (size_t i = 0; i < series.count; i++) {
    if (!by_process || i % each == 0) is_high = uniform(&random) < share;
    series.processes[i] = (uint32_t)(i / each);
    series.times[i] = 1e6 * (is_high ? 1.31 : 1) * exp(outliers(&random, 0, 0) / 10);
  }
  return hone__modes_find(series.times, series.processes, series.count);
}

static size_t count_found(bool by_process, double share, size_t each, size_t number)
{
  size_t found = 0;

  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct hone__modes modes = two_groups(seed, by_process, share, each, number);
    if (!modes.found || modes.by_process != by_process) continue;
    found += fabs(modes.low_ns / 1e6 - 1) < 0.02 && fabs(modes.high_ns / 1.31e6 - 1) < 0.02;
  }
  return found;
}

static void test_within_a_process(void **state)
{
  (void)state;
  assert_true(count_found(false, 0.5, 30, 1) > 0.9 * SEEDS);
  assert_true(count_found(false, 0.5, 20, 3) > 0.98 * SEEDS);
  assert_true(count_found(false, 0.3, 20, 6) > 0.98 * SEEDS);
}

static void test_between_processes(void **state)
{
  (void)state;
  /* The rest is too like a disturbance: one or two processes, or all in a row. */
  assert_true(count_found(true, 0.5, 12, 10) > 0.75 * SEEDS);
  assert_true(count_found(true, 0.5, 6, 20) > 0.95 * SEEDS);
  assert_true(count_found(true, 0.5, 6, 40) > 0.98 * SEEDS);
}

/* One process that was disturbed does not hide them. */
static void test_a_disturbed_process(void **state)
{
  double times[120];
  uint32_t processes[120];

  (void)state;
  for (size_t i = 0; i < 120; i++) {
    processes[i] = (uint32_t)(i / 10);
    times[i] = (i / 10 == 5 ? 1.9e6 : i / 10 % 2 ? 1.31e6 : 1e6) + (double)(i % 7) * 100;
  }
  assert_true(hone__modes_find(times, processes, 120).found);
}

static void test_reported_modes(void **state)
{
  double times[120];
  uint32_t processes[120];
  struct hone__modes modes;

  (void)state;
  for (size_t i = 0; i < 120; i++) {
    processes[i] = (uint32_t)(i / 20);
    times[i] = (i / 20 % 2 == 1 ? 1.31e6 : 1e6) + (double)(i % 7) * 100;
  }
  modes = hone__modes_find(times, processes, 120);
  assert_true(modes.found && modes.by_process);
  assert_int_equal(modes.high_count, 3);
  assert_int_equal(modes.count, 6);
}

static void test_too_few(void **state)
{
  double times[] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  uint32_t processes[10] = {0};

  (void)state;
  assert_false(hone__modes_find(NULL, NULL, 0).found);
  assert_false(hone__modes_find(times, processes, 1).found);
  assert_false(hone__modes_find(times, processes, 10).found);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_noise_of_one_group),
      cmocka_unit_test(test_processes_that_differ),
      cmocka_unit_test(test_within_a_process),
      cmocka_unit_test(test_between_processes),
      cmocka_unit_test(test_a_disturbed_process),
      cmocka_unit_test(test_reported_modes),
      cmocka_unit_test(test_too_few),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
