/* Medians, intervals, the sign test, and the claims that are made of them. */
#include "base/random.h"
#include "stats/standings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define assert_close(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static void test_median(void **state)
{
  double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {7};

  (void)state;
  assert_close(hone__median(odd, 3), 2);
  assert_close(hone__median(even, 4), 2.5);
  assert_close(hone__median(one, 1), 7);
  assert_true(isnan(hone__median(NULL, 0)));
  assert_close(hone__quantile(even, 4, 0), 1);
  assert_close(hone__quantile(even, 4, 1), 4);
}

/* The orders that tables give: n = 10: 2nd, n = 30: 10th, n = 100: 40th value from each end. */
static void test_interval_orders(void **state)
{
  static const struct {
    size_t count;
    double low;
  } rows[] = {{6, 1}, {10, 2}, {30, 10}, {100, 40}};
  double values[100];

  (void)state;
  for (size_t i = 0; i < 100; i++)
    values[i] = (double)(i + 1);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct hone__estimate e = hone__median_interval(values, rows[i].count, 0.95);
    assert_close(e.low, rows[i].low);
    assert_close(e.high, (double)rows[i].count + 1 - rows[i].low);
  }
  assert_true(isinf(hone__median_interval(values, 5, 0.95).low));
}

static void test_sign_evidence(void **state)
{
  (void)state;
  assert_close(hone__sign_evidence(0, 0), 0);
  assert_close(hone__sign_evidence(1, 1), log(1.5));
  /* 2^(n + 1) / (n + 1), less the half of the coins that is not tried */
  assert_close(hone__sign_evidence(10, 10), log(2048. / 11 * (1 - 1. / 2048)));
  assert_true(hone__sign_evidence(7, 7) > -log(0.04)); /* the chance of a single finalist */
  assert_true(hone__sign_evidence(6, 7) < -log(0.04));
  assert_true(hone__sign_evidence(3, 10) < 0 && hone__sign_evidence(7, 10) < -log(0.05));
}

/* The expectation under a fair coin is 1 after any number of tosses: otherwise it were no e-value.
 */
static void test_sign_evidence_is_fair(void **state)
{
  (void)state;
  for (size_t n = 1; n <= 16; n += 3) {
    double sum = 0, below = 0;
    for (size_t s = 0; s <= n; s++) {
      double chance = hone__sign_chance(s, n);
      sum += (chance - below) * exp(hone__sign_evidence(s, n));
      below = chance;
    }
    assert_true(fabs(sum - 1) < 1e-9);
  }
}

static void test_sign_chance(void **state)
{
  (void)state;
  assert_close(hone__sign_chance(0, 6), 1. / 64);
  assert_close(hone__sign_chance(1, 6), 7. / 64);
  assert_close(hone__sign_chance(6, 6), 1);
  assert_close(hone__sign_chance(0, 0), 1);
}

static double noise(struct hone__random *random, double width)
{
  return exp(width * ((double)(hone__random_u64(random) >> 11) * 0x1p-53 - 0.5));
}

/* How often `runs` contests of equal or faster candidates end in a claim of being faster, looked at
 * after every process. */
static int claims(double speedup, int runs, int most_rows, size_t entrants)
{
  struct hone__random random = {1};
  int count = 0;

  for (int run = 0; run < runs; run++) {
    struct hone__standings standings;
    bool claimed = false;
    hone__standings_init(&standings, entrants, 0.01);
    standings.groups_wanted = 3;
    for (int row = 0; row < most_rows && !claimed; row++) {
      double base = noise(&random, 0.1);
      for (size_t i = 0; i < entrants; i++)
        hone__standings_add(&standings, i, (uint32_t)(row / 20), base,
                            noise(&random, 0.1) / (i ? 1 : speedup));
      if (row % 20 < 19) continue;
      hone__standings_judge(&standings);
      claimed = hone__standings_leader(&standings, HONE__CLAIM_FASTER) >= 0;
    }
    count += claimed;
    hone__standings_release(&standings);
  }
  return count;
}

/* The same for two processes or more, with rows of little noise in processes that differ. */
static int claims_of_two(double speedup, double between, int runs, int *out_processes)
{
  struct hone__random random = {3};
  int count = 0;

  *out_processes = 0;
  for (int run = 0; run < runs; run++) {
    struct hone__standings standings;
    bool claimed = false;
    hone__standings_init(&standings, 8, 0.01);
    standings.groups_wanted = 2;
    for (uint32_t group = 0; group < 8 && !claimed; group++) {
      for (size_t i = 0; i < 8; i++) {
        double layout = noise(&random, between) / (i ? 1 : speedup);
        for (int row = 0; row < 8; row++)
          hone__standings_add(&standings, i, group, noise(&random, 0.002),
                              layout * noise(&random, 0.002));
      }
      hone__standings_judge(&standings);
      claimed = hone__standings_leader(&standings, HONE__CLAIM_FASTER) >= 0;
      *out_processes += claimed ? (int)group + 1 : 0;
    }
    count += claimed;
    hone__standings_release(&standings);
  }
  return count;
}

static void test_two_processes(void **state)
{
  int processes;

  (void)state;
  assert_true(claims_of_two(1, 0.04, 200, &processes) <= 10);
  assert_int_equal(claims_of_two(4, 0.01, 100, &processes), 100);
  assert_true(processes <= 220); /* two are enough */
  assert_true(claims_of_two(1.05, 0.005, 100, &processes) >= 95);
  assert_true(processes >= 250); /* two are not */
}

static void test_equal_candidates_rarely_win(void **state)
{
  (void)state;
  assert_true(claims(1, 200, 100, 1) <= 10);
  assert_true(claims(1, 200, 100, 8) <= 10);
}

/* Eight equal ones, of whom the first `failing` fail after some rows and are replaced; and eight
 * more in each of three rounds, because nobody was faster. */
static int claims_with_replacements(double speedup, int runs, size_t failing)
{
  struct hone__random random = {5};
  int count = 0;

  for (int run = 0; run < runs; run++) {
    struct hone__standings s;
    bool claimed = false;
    hone__standings_init(&s, 8, 0.01);
    s.groups_wanted = 3;
    for (size_t i = 0; i < 8; i++)
      s.entrants[i].chance *= 0.8;
    for (int row = 0; row < 240 && !claimed; row++) {
      double base = noise(&random, 0.1);
      for (size_t i = 0; row == 20 && i < failing; i++) {
        s.entrants[i].out = s.entrants[i].failed = true;
        hone__standings_enter(&s, s.entrants[i].chance);
      }
      for (size_t i = 0; row % 60 == 0 && row && i < 8; i++)
        hone__standings_enter(&s, 0.2 * 0.05 / 8 / (row / 60. * (row / 60. + 1)));
      for (size_t i = 0; i < s.count; i++)
        if (!s.entrants[i].out)
          hone__standings_add(&s, i, (uint32_t)(row / 20), base,
                              noise(&random, 0.1) / (i == 8 ? speedup : 1));
      if (row % 20 < 19) continue;
      hone__standings_judge(&s);
      claimed = hone__standings_leader(&s, HONE__CLAIM_FASTER) >= 0;
    }
    count += claimed;
    hone__standings_release(&s);
  }
  return count;
}

static void test_replacements_are_counted(void **state)
{
  (void)state;
  assert_true(claims_with_replacements(1, 200, 0) <= 10);
  assert_true(claims_with_replacements(1, 200, 8) <= 10);
  assert_true(claims_with_replacements(1.05, 100, 8) >= 95);
}

/* What failed claims nothing, whatever its pairs say. */
static void test_failed_one_never_leads(void **state)
{
  struct hone__standings s;

  (void)state;
  hone__standings_init(&s, 0, 0.01);
  for (size_t i = 0; i < 2; i++)
    assert_int_equal(hone__standings_enter(&s, 0.02), i);
  for (int row = 0; row < 30; row++)
    for (size_t i = 0; i < 2; i++)
      hone__standings_add(&s, i, (uint32_t)(row / 10), 200 - 50 * (double)i + row % 2, 100);
  hone__standings_judge(&s);
  assert_int_equal(hone__standings_leader(&s, HONE__CLAIM_FASTER), 0);
  assert_int_equal(hone__standings_groups(&s, 0), 3);
  s.entrants[0].out = s.entrants[0].failed = true;
  assert_int_equal(hone__standings_leader(&s, HONE__CLAIM_FASTER), 1);
  hone__standings_release(&s);
}

static void test_a_faster_candidate_wins(void **state)
{
  (void)state;
  assert_true(claims(1.05, 200, 200, 8) >= 190);
}

/* Three processes in which the candidate is faster, and one in which it is slower: layout decides.
 */
static void test_groups_must_agree(void **state)
{
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 1, 0.01);
  standings.groups_wanted = 3;
  for (int i = 0; i < 60; i++) {
    hone__standings_add(&standings, 0, (uint32_t)(i % 2), 110 + i % 2, 100);
    hone__standings_judge(&standings);
    assert_int_equal(standings.entrants[0].claim, HONE__CLAIM_OPEN); /* two groups only */
  }
  for (int i = 0; i < 30; i++)
    hone__standings_add(&standings, 0, 2, 90, 100);
  hone__standings_judge(&standings);
  assert_int_equal(standings.entrants[0].claim, HONE__CLAIM_OPEN);
  for (int i = 0; i < 600; i++)
    hone__standings_add(&standings, 0, (uint32_t)(3 + i % 20), 110, 100);
  hone__standings_judge(&standings);
  assert_int_equal(standings.entrants[0].claim, HONE__CLAIM_FASTER); /* one odd one of many */
  hone__standings_release(&standings);
}

/* Eight pairs of 12x are too few for the sign test of one of four, but not because of noise. */
static void pairs_that_point_one_way_are_on_course(void **state)
{
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 4, 0.01);
  standings.groups_wanted = 3;
  for (uint32_t i = 0; i < 8; i++) {
    hone__standings_add(&standings, 0, i / 3, 1200 + (i % 3) * 700, 100);
    hone__standings_add(&standings, 1, i / 3, i % 2 ? 120 : 80, 100);
  }
  hone__standings_judge(&standings);
  assert_int_equal(standings.entrants[0].claim, HONE__CLAIM_OPEN);
  assert_true(hone__entrant_is_on_course(&standings.entrants[0]));
  assert_false(hone__standings_are_within_noise(&standings));
  assert_false(hone__entrant_is_on_course(&standings.entrants[1]));
  for (uint32_t i = 8; i < 12; i++)
    hone__standings_add(&standings, 0, i / 3, 1200 + (i % 3) * 700, 100);
  hone__standings_judge(&standings);
  assert_int_equal(standings.entrants[0].claim, HONE__CLAIM_FASTER);
  assert_false(hone__entrant_is_on_course(&standings.entrants[0]));
  hone__standings_release(&standings);
}

/* Only groups are missing: every pair is won by far, and they are enough for the sign test. */
static void what_only_lacks_groups_is_clear(void **state)
{
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 2, 0.01);
  standings.groups_wanted = 7;
  assert_false(hone__standings_are_clear(&standings)); /* no pairs */
  for (uint32_t i = 0; i < 12; i++) {
    assert_false(hone__standings_are_clear(&standings));
    hone__standings_add(&standings, 0, i / 6, 300, 100);
    hone__standings_add(&standings, 1, i / 6, i ? 300 : 105, 100);
  }
  assert_false(hone__standings_are_clear(&standings)); /* the second one won a pair by little */
  standings.entrants[1].out = true;
  assert_true(hone__standings_are_clear(&standings));
  standings.entrants[0].out = true;
  assert_false(hone__standings_are_clear(&standings)); /* nobody is left */
  hone__standings_release(&standings);
}

/* A slow kernel has one round of four pairs when time is over. */
static void few_pairs_that_point_one_way_are_on_course(void **state)
{
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 4, 0.01);
  standings.groups_wanted = 3;
  for (uint32_t i = 0; i < 4; i++) {
    hone__standings_add(&standings, 0, 0, 1300, 100);
    hone__standings_add(&standings, 1, 0, i ? 120 : 80, 100);
  }
  hone__standings_judge(&standings);
  assert_true(hone__entrant_is_on_course(&standings.entrants[0]));
  assert_false(hone__entrant_is_on_course(&standings.entrants[1]));
  assert_false(hone__entrant_is_on_course(&standings.entrants[2])); /* no pairs */
  hone__standings_release(&standings);
}

static void test_student(void **state)
{
  double three[] = {-1, 0, 1}, ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

  (void)state;
  assert_true(fabs(hone__mean_bound(three, 3, 0.025, 1) - 4.30265 / sqrt(3)) < 1e-3);
  assert_true(fabs(hone__mean_bound(ten, 10, 0.025, -1) - (4.5 - 2.26216 * 3.02765 / sqrt(10))) <
              1e-3);
  assert_true(isinf(hone__mean_bound(three, 1, 0.025, 1)));
}

/* Identical candidates, but each process has its own layout: 2 % up or down. */
static void test_layout_is_no_improvement(void **state)
{
  struct hone__random random = {3};
  int claimed = 0;

  (void)state;
  for (int run = 0; run < 200; run++) {
    struct hone__standings standings;
    hone__standings_init(&standings, 8, 0.01);
    standings.groups_wanted = 3;
    for (uint32_t group = 0; group < 8; group++) {
      double layout[9];
      for (int i = 0; i < 9; i++)
        layout[i] = noise(&random, 0.07); /* sd 2 % */
      for (int row = 0; row < 24; row++)
        for (size_t i = 0; i < 8; i++)
          hone__standings_add(&standings, i, group, layout[8] * noise(&random, 0.05),
                              layout[i] * noise(&random, 0.05));
      hone__standings_judge(&standings);
      if (hone__standings_leader(&standings, HONE__CLAIM_FASTER) < 0) continue;
      claimed++;
      break;
    }
    hone__standings_release(&standings);
  }
  assert_true(claimed <= 10);
}

/* A baseline that takes 100 or 130 ns in each process, by chance, and a candidate that takes 114.
 */
static bool covers_two_times(struct hone__random *random, uint32_t processes)
{
  struct hone__standings standings;
  struct hone__estimate speedup;

  hone__standings_init(&standings, 1, 0.01);
  for (uint32_t process = 0; process < processes; process++) {
    double base = hone__random_below(random, 2) ? 130 : 100;
    for (int i = 0; i < 24; i++)
      hone__standings_add(&standings, 0, process, base, sqrt(1.3) * 100);
  }
  speedup = hone__standings_speedup(&standings, 0);
  hone__standings_release(&standings);
  return speedup.low <= 1 && speedup.high >= 1;
}

static void test_intervals_cover_two_times(void **state)
{
  static const uint32_t processes[] = {6, 8, 10, 15};
  struct hone__random random = {7};

  (void)state;
  for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
    int covered = 0;
    for (int run = 0; run < 2000; run++)
      covered += covers_two_times(&random, processes[i]);
    assert_true(covered >= 1900);
  }
}

static void test_not_faster(void **state)
{
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 1, 0.01);
  for (int i = 0; i < 12; i++)
    hone__standings_add(&standings, 0, (uint32_t)(i % 3), 100, 100);
  hone__standings_judge(&standings);
  assert_int_equal(standings.entrants[0].claim, HONE__CLAIM_NOT_FASTER);
  hone__standings_release(&standings);
}

static void test_race(void **state)
{
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 5, 0.01);
  for (int row = 0; row < 4; row++)
    for (size_t i = 0; i < 5; i++)
      hone__standings_add(&standings, i, 0, 100, 100 + 10 * (double)i);
  hone__standings_halve(&standings, 5);
  assert_int_equal(hone__standings_left(&standings), 5);
  hone__standings_halve(&standings, 1);
  assert_int_equal(hone__standings_left(&standings), 3);
  assert_int_equal(hone__standings_leader(&standings, -1), 0);
  hone__standings_drop_beaten(&standings, standings.margin, 2, 0);
  assert_int_equal(hone__standings_left(&standings), 3); /* too few processes to tell */
  hone__standings_drop_beaten(&standings, standings.margin, 1, standings.entrants[0].count + 1);
  assert_int_equal(hone__standings_left(&standings), 3);
  hone__standings_drop_beaten(&standings, 0.15, 1, 0);
  assert_int_equal(hone__standings_left(&standings), 2); /* the second is 10 % behind */
  hone__standings_drop_beaten(&standings, standings.margin, 1, 0);
  assert_int_equal(hone__standings_left(&standings), 1);
  hone__standings_release(&standings);
}

/* Of twelve, six stay; four, if that many are wanted: nobody races again for a place or two. */
static void test_little_more_than_wanted(void **state)
{
  static const size_t left[][2] = {{3, 6}, {4, 4}, {5, 5}, {8, 8}, {12, 12}};

  (void)state;
  for (size_t go = 0; go < sizeof left / sizeof *left; go++) {
    struct hone__standings standings;
    hone__standings_init(&standings, 12, 0.01);
    for (size_t i = 0; i < 12; i++)
      hone__standings_add(&standings, i, 0, 100, 100 + (double)i);
    hone__standings_halve(&standings, left[go][0]);
    assert_int_equal(hone__standings_left(&standings), left[go][1]);
    hone__standings_release(&standings);
  }
}

static void test_close(void **state)
{
  const double costs[] = {80, 80.5, 82, 60};
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 4, 0.01);
  assert_int_equal(hone__standings_close(&standings), 4); /* nothing is known of them */
  for (size_t i = 0; i < 4; i++)
    for (int row = 0; row < 6; row++)
      hone__standings_add(&standings, i, 0, 100, costs[i]);
  assert_int_equal(hone__standings_close(&standings), 1);
  standings.entrants[3].out = true;
  assert_int_equal(hone__standings_close(&standings), 2);
  hone__standings_release(&standings);
}

/* Rows of three processes: the costs of two entrants beside a baseline of 100. */
static void add_rows(struct hone__standings *standings, const double *costs, int rows)
{
  for (int i = 0; i < rows; i++)
    for (size_t entrant = 0; entrant < standings->count; entrant++)
      hone__standings_add(standings, entrant, (uint32_t)(i % 3), 100 + (i % 2), costs[entrant]);
  hone__standings_judge(standings);
}

/* The second one is at the margin, and would stay open for long. */
static void test_settled_by_a_proved_leader(void **state)
{
  static const double costs[] = {80, 99.5}, ties[] = {99.4, 99.5};
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 2, 0.01);
  standings.groups_wanted = 3;
  add_rows(&standings, costs, 3);
  assert_false(hone__standings_are_settled(&standings)); /* too few pairs */
  add_rows(&standings, costs, 15);
  assert_int_equal(standings.entrants[0].claim, HONE__CLAIM_FASTER);
  assert_int_equal(standings.entrants[1].claim, HONE__CLAIM_OPEN);
  assert_false(hone__standings_are_decided(&standings));
  assert_true(hone__standings_are_settled(&standings));
  hone__standings_release(&standings);
  hone__standings_init(&standings, 2, 0.01);
  standings.groups_wanted = 3;
  add_rows(&standings, ties, 18); /* nobody is proved */
  assert_false(hone__standings_are_settled(&standings));
  hone__standings_release(&standings);
}

/* Beside a baseline of 100 the leader wins by far; the second is slower, but not in every row, the
 * third is faster in every other row, and the fourth is as good. */
static void add_ties(struct hone__standings *standings, uint32_t group, double leader)
{
  for (int i = 0; i < 6; i++) {
    hone__standings_add(standings, 0, group, 100, leader);
    hone__standings_add(standings, 1, group, 100, leader * (i ? 1.03 : 0.9));
    hone__standings_add(standings, 2, group, 100, leader * (i % 2 ? 1.1 : 0.95));
    hone__standings_add(standings, 3, group, 100, leader);
  }
  hone__standings_judge(standings);
}

static void test_ties_leave(void **state)
{
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 4, 0.01);
  standings.groups_wanted = 7;
  add_ties(&standings, 0, 40);
  hone__standings_drop_ties(&standings, 2);
  assert_int_equal(hone__standings_left(&standings), 4); /* one process */
  add_ties(&standings, 1, 40);
  hone__standings_drop_beaten(&standings, standings.margin, 2, 6);
  assert_int_equal(hone__standings_left(&standings), 4);
  hone__standings_drop_ties(&standings, 2);
  assert_int_equal(hone__standings_left(&standings), 2);
  assert_false(standings.entrants[0].out || standings.entrants[2].out);
  standings.entrants[0].out = standings.entrants[0].failed = true;
  hone__standings_readmit(&standings); /* what they were compared with is no leader */
  assert_int_equal(hone__standings_left(&standings), 3);
  assert_true(standings.entrants[0].out);
  hone__standings_release(&standings);
}

/* Others may be the ones that are proved faster than the baseline. */
static void test_ties_of_no_clear_leader_stay(void **state)
{
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 4, 0.01);
  standings.groups_wanted = 7;
  for (uint32_t group = 0; group < 4; group++)
    add_ties(&standings, group, 95);
  hone__standings_drop_ties(&standings, 2);
  assert_int_equal(hone__standings_left(&standings), 4);
  hone__standings_release(&standings);
}

/* The leader is proved, but the other one was better in half of the rows. */
static void test_a_rival_is_not_settled(void **state)
{
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 2, 0.01);
  standings.groups_wanted = 3;
  for (int i = 0; i < 18; i++) {
    hone__standings_add(&standings, 0, (uint32_t)(i % 3), 100, 80);
    hone__standings_add(&standings, 1, (uint32_t)(i % 3), 100, i % 2 ? 60 : 100);
  }
  hone__standings_judge(&standings);
  standings.share = 0.4;
  assert_int_equal(hone__standings_leader(&standings, -1), 0);
  assert_int_equal(standings.entrants[0].claim, HONE__CLAIM_FASTER);
  assert_int_equal(standings.entrants[1].claim, HONE__CLAIM_OPEN);
  assert_false(hone__standings_are_settled(&standings));
  hone__standings_release(&standings);
}

static void test_halving_without_pairs(void **state)
{
  struct hone__standings standings;

  (void)state;
  hone__standings_init(&standings, 12, 0.01);
  hone__standings_halve(&standings, 2);
  assert_int_equal(hone__standings_left(&standings), 12);
  hone__standings_release(&standings);
}

/* Welch: 2.684931 degrees of freedom, whose quantile was integrated numerically. */
static void independent_groups_have_an_interval(void **state)
{
  static const double first[] = {10, 11, 12, 13, 14}, second[] = {12, 15, 18};
  struct hone__estimate estimate = hone__welch_interval(first, 5, second, 3, 0.95);

  (void)state;
  assert_true(fabs(estimate.value - 3) < 1e-12);
  assert_true(fabs(estimate.low - -3.36925) < 1e-4);
  assert_true(fabs(estimate.high - 9.36925) < 1e-4);
  estimate = hone__welch_interval(first, 1, second, 3, 0.95);
  assert_true(isinf(estimate.low) && isinf(estimate.high));
  estimate = hone__welch_interval((double[]){1, 1}, 2, (double[]){2, 2}, 2, 0.95);
  assert_true(estimate.low == 1 && estimate.high == 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_median),
      cmocka_unit_test(test_interval_orders),
      cmocka_unit_test(test_sign_evidence),
      cmocka_unit_test(test_sign_evidence_is_fair),
      cmocka_unit_test(test_sign_chance),
      cmocka_unit_test(test_equal_candidates_rarely_win),
      cmocka_unit_test(test_two_processes),
      cmocka_unit_test(test_a_faster_candidate_wins),
      cmocka_unit_test(test_replacements_are_counted),
      cmocka_unit_test(test_failed_one_never_leads),
      cmocka_unit_test(test_groups_must_agree),
      cmocka_unit_test(pairs_that_point_one_way_are_on_course),
      cmocka_unit_test(few_pairs_that_point_one_way_are_on_course),
      cmocka_unit_test(test_student),
      cmocka_unit_test(independent_groups_have_an_interval),
      cmocka_unit_test(test_layout_is_no_improvement),
      cmocka_unit_test(test_intervals_cover_two_times),
      cmocka_unit_test(test_halving_without_pairs),
      cmocka_unit_test(test_settled_by_a_proved_leader),
      cmocka_unit_test(test_a_rival_is_not_settled),
      cmocka_unit_test(test_not_faster),
      cmocka_unit_test(test_race),
      cmocka_unit_test(test_little_more_than_wanted),
      cmocka_unit_test(test_close),
      cmocka_unit_test(test_ties_leave),
      cmocka_unit_test(test_ties_of_no_clear_leader_stay),
      cmocka_unit_test(what_only_lacks_groups_is_clear),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
