/* What every strategy of the table keeps to, whatever it is told: legal configurations only, none
 * twice, all of them in the end, seeds first, the same seed the same questions. */
#include "base/hash.h"
#include "search/search.h"
#include "search_spaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- What is told ---- */

typedef struct hone__observation landscape(const uint32_t *row, uint64_t number);

static struct hone__observation works(double cost)
{
  return (struct hone__observation){.outcome = HONE_OUTCOME_OK, .cost = cost, .share = 0.05};
}

static struct hone__observation fails(void)
{
  return (struct hone__observation){
      .outcome = HONE_OUTCOME_COMPILE_ERROR, .cost = NAN, .share = NAN};
}

/* A valley with its lowest point at 2/3 of every list. */
static struct hone__observation valley(const uint32_t *row, uint64_t number)
{
  double cost = 1;

  (void)number;
  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++) {
    double count = hone_space_value_count(space, row[0], i), place = (row[1 + i] + 0.5) / count;
    cost += (place - 0.66) * (place - 0.66);
  }
  return works(cost);
}

/* Where the budget is a number of evaluations, or nothing. */
static struct hone__observation untimed_valley(const uint32_t *row, uint64_t number)
{
  struct hone__observation observation = valley(row, number);

  observation.share = NAN;
  return observation;
}

static struct hone__observation failing_region(const uint32_t *row, uint64_t number)
{
  return row[1] % 3 == 1 || row[hone_space_width(space) - 1] == 2 ? fails() : valley(row, number);
}

static struct hone__observation all_fail(const uint32_t *row, uint64_t number)
{
  (void)row, (void)number;
  return fails();
}

static struct hone__observation odd_numbers(const uint32_t *row, uint64_t number)
{
  static const double costs[] = {NAN, INFINITY, -INFINITY, 0, -0.0, -3, 1e308, -1e308, 1e-320, 1};
  static const double shares[] = {NAN, INFINITY, -1, 0, 1e308, 1e-320, 1};
  struct hone__observation observation = works(costs[number % 10]);

  (void)row;
  observation.share = shares[number % 7];
  return observation;
}

static struct hone__observation all_equal(const uint32_t *row, uint64_t number)
{
  (void)row, (void)number;
  return works(0);
}

/* ---- A search ---- */

struct run {
  const struct hone__strategy *strategy;
  landscape *landscape;
  uint64_t seed, most;
  size_t outstanding;
  bool late;    /* told only when all are out, the last first */
  bool never;   /* nothing is told */
  bool rumours; /* told of others as well, before and in between */
  struct hone__search_options options;
  /* results */
  uint32_t *asked; /* rows */
  size_t count;
  double best;
};

static void tell(struct run *run, void *state, const uint32_t *row, uint64_t number)
{
  struct hone__observation observation = run->landscape(row, number);

  if (observation.outcome == HONE_OUTCOME_OK && observation.cost < run->best)
    run->best = observation.cost;
  if (run->strategy->tell && !run->never) run->strategy->tell(state, row, &observation);
}

static void tell_rumour(struct run *run, void *state, uint64_t number)
{
  size_t width = hone_space_width(space);
  uint32_t *row = calloc(width, sizeof *row);

  hone_space_at(space, hone__mix(number) % hone_space_count(space), row);
  tell(run, state, row, number);
  free(row);
}

/* Tells of one that is still out, and gives its place to the last. */
static void tell_one(struct run *run, void *state, size_t *out, size_t *out_count)
{
  size_t width = hone_space_width(space);
  size_t place = run->late ? *out_count - 1 : hone__mix(run->count) % *out_count;

  tell(run, state, run->asked + out[place] * width, out[place]);
  out[place] = out[--*out_count];
}

static void search(struct run *run)
{
  size_t width = hone_space_width(space), out_count = 0, got;
  size_t *out = calloc(run->most + run->outstanding, sizeof *out);
  void *state;

  run->asked = calloc(run->most + run->outstanding, width * sizeof *run->asked);
  run->count = 0;
  run->best = INFINITY;
  run->options.space = space;
  run->options.seed = run->seed;
  assert_null(run->strategy->open(&run->options, &state));
  for (uint64_t i = 0; run->rumours && i < 5; i++)
    tell_rumour(run, state, i);
  while (run->count < run->most) {
    got = run->strategy->ask(state, run->outstanding - out_count, run->asked + run->count * width);
    assert_true(got <= run->outstanding - out_count);
    if (got == 0 && out_count == 0) break;
    for (size_t i = 0; i < got; i++)
      out[out_count++] = run->count++;
    if (run->rumours) tell_rumour(run, state, run->count);
    do
      tell_one(run, state, out, &out_count);
    while (run->late && out_count);
  }
  run->strategy->close(state);
  free(out);
}

static int compare_indices(const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void expect_legal_and_once(const struct run *run)
{
  size_t width = hone_space_width(space);
  uint64_t *indices = calloc(run->count + 1, sizeof *indices);

  for (size_t i = 0; i < run->count; i++)
    if (!hone_space_index_of(space, run->asked + i * width, &indices[i]))
      fail_msg("%s: question %zu is not legal", run->strategy->name, i);
  qsort(indices, run->count, sizeof *indices, compare_indices);
  for (size_t i = 1; i < run->count; i++)
    if (indices[i] == indices[i - 1])
      fail_msg("%s: configuration %llu was asked for twice", run->strategy->name,
               (unsigned long long)indices[i]);
  free(indices);
}

static void expect_all_once(struct run *run)
{
  search(run);
  expect_legal_and_once(run);
  if (run->count != hone_space_count(space))
    fail_msg("%s asked for %zu of %llu", run->strategy->name, run->count,
             (unsigned long long)hone_space_count(space));
  free(run->asked);
}

/* Calls `check` with each strategy. */
static void each_strategy(const struct run *form, void check(struct run *run))
{
  for (size_t i = 0; hone__strategy_at(i); i++) {
    struct run run = *form;
    run.strategy = hone__strategy_at(i);
    check(&run);
  }
}

static void each_small_space(const struct run *form, void check(struct run *run))
{
  for (size_t i = 0; i < SMALL_SPECS; i++) {
    struct run run = *form;
    build(small_specs[i]);
    run.most = hone_space_count(space) + 20;
    each_strategy(&run, check);
    release();
  }
}

/* ---- Tests ---- */

static void test_all_in_the_end(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 3; seed++) {
    struct run run = {.landscape = valley, .seed = seed, .outstanding = 1};
    each_small_space(&run, expect_all_once);
    run.options.evaluations = 30;
    each_small_space(&run, expect_all_once);
    run.options.evaluations = 0;
    run.landscape = untimed_valley;
    each_small_space(&run, expect_all_once);
    run.landscape = failing_region;
    each_small_space(&run, expect_all_once);
  }
}

static void test_several_outstanding(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 3; seed++) {
    struct run run = {.landscape = failing_region, .seed = seed, .outstanding = 7};
    each_small_space(&run, expect_all_once);
    run.late = true;
    each_small_space(&run, expect_all_once);
    run.outstanding = 1000;
    each_small_space(&run, expect_all_once);
  }
}

static void test_without_answers(void **state)
{
  (void)state;
  each_small_space(&(struct run){.landscape = valley, .outstanding = 7, .never = true},
                   expect_all_once);
}

static void test_odd_answers(void **state)
{
  static landscape *const landscapes[] = {all_fail, odd_numbers, all_equal};

  (void)state;
  for (size_t i = 0; i < sizeof landscapes / sizeof *landscapes; i++) {
    each_small_space(&(struct run){.landscape = landscapes[i], .outstanding = 1}, expect_all_once);
    each_small_space(&(struct run){.landscape = landscapes[i], .outstanding = 5, .late = true},
                     expect_all_once);
  }
}

static void expect_rest_once(struct run *run)
{
  search(run);
  expect_legal_and_once(run);
  assert_true(run->count <= hone_space_count(space));
  free(run->asked);
}

/* What it was told of, it need not ask for. */
static void test_answers_of_others(void **state)
{
  (void)state;
  each_small_space(&(struct run){.landscape = valley, .outstanding = 1, .rumours = true},
                   expect_rest_once);
  each_small_space(&(struct run){.landscape = failing_region, .outstanding = 7, .rumours = true},
                   expect_rest_once);
}

static void expect_seed_decides(struct run *run)
{
  struct run other = *run, same = *run;
  const char *name = run->strategy->name;
  bool is_fixed = strcmp(name, "exhaustive") == 0 || strcmp(name, "ordered") == 0;
  size_t bytes = hone_space_width(space) * sizeof(uint32_t);

  other.seed++;
  search(run);
  search(&same);
  search(&other);
  assert_int_equal(run->count, same.count);
  assert_memory_equal(run->asked, same.asked, run->count * bytes);
  if (!is_fixed && memcmp(run->asked, other.asked, run->count * bytes) == 0)
    fail_msg("%s: another seed, but the same questions", name);
  free(run->asked);
  free(same.asked);
  free(other.asked);
}

static void test_seed_decides(void **state)
{
  (void)state;
  build(constrained);
  each_strategy(&(struct run){.landscape = failing_region, .outstanding = 1, .most = 60},
                expect_seed_decides);
  each_strategy(&(struct run){.landscape = valley, .outstanding = 4, .most = 60},
                expect_seed_decides);
  release();
}

static void expect_seeds_first(struct run *run)
{
  static const uint64_t expected[] = {11, 3, 17, 4};
  uint64_t index;

  search(run);
  expect_legal_and_once(run);
  assert_int_equal(run->count, hone_space_count(space));
  for (size_t i = 0; i < 4; i++) {
    assert_true(hone_space_index_of(space, run->asked + i * hone_space_width(space), &index));
    if (index != expected[i])
      fail_msg("%s: question %zu is configuration %llu", run->strategy->name, i,
               (unsigned long long)index);
  }
  free(run->asked);
}

/* Those of the options, then those of the spec; what is not legal or comes twice is left out. */
static void test_seeds_come_first(void **state)
{
  static const uint32_t first[] = {0, 6, 1, /**/ 0, 5, 0, /**/ 0, 1, 1};
  struct run run = {.landscape = valley, .most = 60};

  (void)state;
  build("params: {A: range(20), W: [x, y]}\n"
        "constraints: [A != 5]\n"
        "search:\n"
        "  seeds: [{A: 9, W: y}, {A: 5, W: x}, {A: 1, W: y}, {A: 2, W: x}]\n");
  run.options.first = first;
  run.options.first_count = 3;
  for (run.outstanding = 1; run.outstanding < 8; run.outstanding += 3)
    each_strategy(&run, expect_seeds_first);
  release();
}

static void expect_many(struct run *run)
{
  void *opened;
  hone_status status;

  run->options.space = space;
  status = run->strategy->open(&run->options, &opened);
  if (status) { /* 'ordered' says so */
    assert_int_equal(hone_status_code(status), HONE_EXHAUSTED);
    hone_status_free(status);
    return;
  }
  run->strategy->close(opened);
  search(run);
  assert_int_equal(run->count, run->most);
  for (size_t i = 0; i < run->count; i++) {
    size_t width = hone_space_width(space), bytes = width * sizeof *run->asked;
    assert_true(hone_space_contains(space, run->asked + i * width));
    for (size_t k = 0; k < i; k++)
      assert_memory_not_equal(run->asked + i * width, run->asked + k * width, bytes);
  }
  free(run->asked);
}

static void test_large_spaces(void **state)
{
  static const char *const specs[] = {
      /* 10^15, a part of them legal */
      "params: {A: range(1000), B: range(1000), C: range(1000), D: range(1000), E: range(1000)}\n"
      "constraints: [(A + B) % 5 == 0, C != D]\n",
      /* beyond 2^64 */
      "params: {A: range(32), B: range(32), C: range(32), D: range(32), E: range(32),\n"
      "         F: range(32), G: range(32), H: range(32), I: range(32), J: range(32),\n"
      "         K: range(32), L: range(32), M: range(32), N: range(32), O: range(32)}\n"
      "constraints: [(A + B) % 5 != 0, C < D]\n"};

  (void)state;
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    build(specs[i]);
    each_strategy(&(struct run){.landscape = valley, .outstanding = 1, .most = 100}, expect_many);
    each_strategy(&(struct run){.landscape = failing_region, .outstanding = 7, .most = 101},
                  expect_many);
    release();
  }
}

/* Those that look at the answers find the valley where a random search does not. */
static void expect_found(struct run *run)
{
  static const char *const blind[] = {"exhaustive", "random", "ordered"};

  for (size_t i = 0; i < sizeof blind / sizeof *blind; i++)
    if (strcmp(run->strategy->name, blind[i]) == 0) return;
  search(run);
  expect_legal_and_once(run);
  if (!(run->best < 1.03)) fail_msg("%s: %g", run->strategy->name, run->best);
  free(run->asked);
}

static void test_answers_lead(void **state)
{
  struct run run = {.landscape = valley, .most = 300, .options = {.evaluations = 300}};

  (void)state;
  build("params: {A: range(12), B: range(12), C: range(12), D: range(12), E: range(12)}\n"
        "constraints: [(A + B + C) % 2 == 0, D + E > 4]\n");
  for (run.seed = 0; run.seed < 2; run.seed++) {
    run.outstanding = 1 + 6 * run.seed;
    each_strategy(&run, expect_found);
  }
  release();
}

/* What `auto` expects to have left: nothing is known at first, and nothing is left at the end. */
static void test_missing(void **state)
{
  struct hone__search_options options = {.seed = 3};
  struct hone__observation told = {.outcome = HONE_OUTCOME_OK, .share = NAN};
  uint32_t row[3];
  void *search;

  (void)state;
  build("params: {A: range(12), B: range(10)}\n");
  options.space = space;
  assert_null(hone__search_auto.open(&options, &search));
  assert_true(isnan(hone__search_auto.missing(search, 0.01)));
  for (int i = 0; hone__search_auto.ask(search, 1, row); i++) {
    told.cost = 1 + fabs(row[1] - 3.0) + fabs(row[2] - 7.0);
    hone__search_auto.tell(search, row, &told);
    if (i != 60) continue;
    assert_true(hone__search_auto.missing(search, 0.01) > 0);
    assert_true(hone__search_auto.missing(search, 0.01) < 0.6);
    assert_true(hone__search_auto.missing(search, 0.5) <= hone__search_auto.missing(search, 0.01));
  }
  assert_true(hone__search_auto.missing(search, 0.01) == 0);
  hone__search_auto.close(search);
  release();
}

static unsigned values_alike(const uint32_t *row, const uint32_t *other)
{
  return (row[1] == other[1]) + (row[2] == other[2]) + (row[3] == other[3]);
}

/* While only a baseline is known that nobody chose, `auto` requests the middle and rows that are
 * far from all others. */
static void test_first_rows(void **state)
{
  const struct hone__observation told = {
      .outcome = HONE_OUTCOME_OK, .cost = 1, .share = NAN, .is_arbitrary = true};
  const uint32_t baseline[] = {0, 0, 0, 0}, middle[] = {0, 6, 6, 6};
  struct hone__search_options options = {.seed = 5};
  uint32_t rows[6][4];
  void *search;

  (void)state;
  build("params: {A: range(13), B: range(13), C: range(13)}\n");
  options.space = space;
  assert_null(hone__search_auto.open(&options, &search));
  hone__search_auto.tell(search, baseline, &told);
  assert_int_equal(hone__search_auto.ask(search, 6, rows[0]), 6);
  assert_memory_equal(rows[0], middle, sizeof middle);
  for (size_t i = 1; i < 6; i++) {
    assert_true(values_alike(rows[i], baseline) < 2);
    for (size_t k = 0; k < i; k++)
      assert_true(values_alike(rows[i], rows[k]) < 2);
  }
  hone__search_auto.close(search);
  release();
}

static void test_nothing(void **state)
{
  (void)state;
  build("params: {A: [1, 2]}\nconstraints: [A > 2]\n");
  each_strategy(&(struct run){.landscape = valley, .outstanding = 3, .most = 5}, expect_all_once);
  release();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_in_the_end),    cmocka_unit_test(test_several_outstanding),
      cmocka_unit_test(test_without_answers),   cmocka_unit_test(test_odd_answers),
      cmocka_unit_test(test_answers_of_others), cmocka_unit_test(test_seed_decides),
      cmocka_unit_test(test_seeds_come_first),  cmocka_unit_test(test_large_spaces),
      cmocka_unit_test(test_answers_lead),      cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_missing),           cmocka_unit_test(test_first_rows),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
