/* Pareto sets against brute force, and searches for several costs at once. */
#include "base/pareto.h"
#include "base/random.h"
#include "search/search_set.h"
#include "spec/spec.h"
#include "spec_space.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- The set ---- */

static void expect_members(const double *points, size_t count, size_t width, const char *expected)
{
  bool *members = calloc(count + 1, sizeof *members);
  size_t found = hone__pareto_find(points, count, width, members), wanted = 0;

  for (size_t i = 0; i < count; i++) {
    assert_int_equal(members[i], expected[i] == 'x');
    wanted += expected[i] == 'x';
  }
  assert_int_equal(found, wanted);
  free(members);
}

static void test_small_sets(void **state)
{
  (void)state;
  expect_members(NULL, 0, 2, "");
  expect_members((const double[]){5, 7}, 1, 2, "x");
  expect_members((const double[]){1, 2, 2, 1}, 2, 2, "xx");
  expect_members((const double[]){1, 1, 2, 2}, 2, 2, "x.");
  expect_members((const double[]){3, 1, 2, 2, 1, 3, 3, 3}, 4, 2, "xxx.");
  expect_members((const double[]){4, 2, 3, 2}, 4, 1, ".x.x");
}

static void test_ties(void **state)
{
  (void)state;
  expect_members((const double[]){1, 1, 1, 1, 1, 1}, 3, 2, "xxx"); /* all are equal */
  expect_members((const double[]){1, 5, 1, 4, 1, 4}, 3, 2, ".xx"); /* equal in the first */
  expect_members((const double[]){1, 4, 2, 4, 3, 4}, 3, 2, "x.."); /* and in the second */
  expect_members((const double[]){1, 1, 2, 1, 1, 2, 1, 1, 1}, 3, 3, "..x");
  expect_members((const double[]){0, -0.0, -0.0, 0}, 2, 2, "xx"); /* zeros are equal */
}

static void test_no_numbers(void **state)
{
  (void)state;
  expect_members((const double[]){NAN, 1, 2, 2}, 2, 2, ".x");
  expect_members((const double[]){1, NAN, NAN, NAN}, 2, 2, "..");
  expect_members((const double[]){0, NAN, 2, 2, 3, 1}, 3, 2, ".xx");
  expect_members((const double[]){INFINITY, 1, 2, 2, -INFINITY, 3}, 3, 2, "xxx");
}

static bool beats(const double *a, const double *b, size_t width)
{
  bool is_less = false;

  for (size_t i = 0; i < width; i++) {
    if (!(a[i] <= b[i])) return false;
    is_less |= a[i] < b[i];
  }
  return is_less;
}

static bool is_member(const double *points, size_t count, size_t width, size_t at)
{
  for (size_t i = 0; i < width; i++)
    if (isnan(points[at * width + i])) return false;
  for (size_t i = 0; i < count; i++)
    if (beats(points + i * width, points + at * width, width)) return false;
  return true;
}

/* Few distinct values: many ties. */
static void test_brute_force(void **state)
{
  struct hone__random random = {7};

  (void)state;
  for (int round = 0; round < 600; round++) {
    size_t count = (size_t)hone__random_below(&random, 40), width = 1 + (size_t)round % 3;
    uint64_t range = 1 + hone__random_below(&random, 20);
    double points[40 * 3];
    bool members[41];
    size_t found, wanted = 0;
    for (size_t i = 0; i < count * width; i++)
      points[i] =
          hone__random_below(&random, 30) ? (double)hone__random_below(&random, range) : NAN;
    found = hone__pareto_find(points, count, width, members);
    for (size_t i = 0; i < count; i++) {
      assert_int_equal(members[i], is_member(points, count, width, i));
      wanted += members[i];
    }
    assert_int_equal(found, wanted);
  }
}

/* A front of all points, and one of a few. */
static void test_many_points(void **state)
{
  enum { COUNT = 100000 };
  double *points = calloc(COUNT * 3, sizeof *points);
  bool *members = calloc(COUNT, sizeof *members);
  struct hone__random random = {1};
  size_t found;

  (void)state;
  for (size_t i = 0; i < COUNT; i++) {
    points[2 * i] = (double)i;
    points[2 * i + 1] = -(double)i;
  }
  assert_int_equal(hone__pareto_find(points, COUNT, 2, members), COUNT);
  for (size_t i = 0; i < 3 * COUNT; i++)
    points[i] = (double)hone__random_below(&random, 1000000);
  found = hone__pareto_find(points, COUNT, 3, members);
  assert_in_range(found, 10, 1000);
  for (size_t i = 0; i < COUNT && found; i += 997)
    assert_int_equal(members[i], is_member(points, COUNT, 3, i));
  free(points);
  free(members);
}

/* ---- Objectives ---- */

static void expect_objective(size_t i, const char *name, size_t metric, bool maximise,
                             bool is_energy)
{
  const struct hone__objective *objective = &spec->objectives[i];

  assert_string_equal(objective->name, name);
  assert_int_equal(objective->metric, metric);
  assert_int_equal(objective->maximise, maximise);
  assert_int_equal(objective->is_energy, is_energy);
}

static void test_objectives_of_a_spec(void **state)
{
  static const char params[] = "params: {A: [1, 2]}\n";
  static const char listed[] = "params: {A: [1, 2]}\n"
                               "metrics: {rate: 1 / time_s, use: power_w, size: A * 4}\n"
                               "objective: [{maximise: rate}, use, energy]\n";
  static const char single[] = "params: {A: [1, 2]}\nmetrics: {size: A}\nmaximise: size\n";

  (void)state;
  hone_space_free(make_space(params));
  assert_int_equal(spec->objective_count, 0);
  assert_false(hone__spec_wants_energy(spec));
  hone_spec_free(spec);
  hone_space_free(make_space(listed));
  assert_int_equal(spec->objective_count, 3);
  expect_objective(0, "rate", 0, true, false);
  expect_objective(1, "use", 1, false, true);
  expect_objective(2, "energy", SIZE_MAX, false, true);
  assert_true(hone__spec_wants_energy(spec));
  hone_spec_free(spec);
  hone_space_free(make_space(single));
  assert_int_equal(spec->objective_count, 1);
  expect_objective(0, "size", 0, true, false);
  hone_spec_free(spec);
}

/* ---- Several searches ---- */

/* A search that asks for 0, 1, 2 ... and keeps what it is told. */
struct diary {
  const struct hone_space *space;
  uint64_t next;
  size_t told;
  double sum;
};
static struct diary *diaries[HONE__MOST_SEARCHES];
static size_t diary_count;

static hone_status open_diary(const struct hone__search_options *options, void **out_state)
{
  struct diary *diary = calloc(1, sizeof *diary);

  diary->space = options->space;
  diaries[diary_count++] = diary;
  *out_state = diary;
  return NULL;
}

static size_t ask_diary(void *state, size_t count, uint32_t *rows)
{
  struct diary *diary = state;

  assert_int_equal(count, 1);
  return hone_space_at(diary->space, diary->next++, rows);
}

static void tell_diary(void *state, const uint32_t *row,
                       const struct hone__observation *observation)
{
  struct diary *diary = state;

  (void)row;
  diary->told++;
  diary->sum += observation->cost;
}

static void close_diary(void *state)
{
  free(state);
  diary_count--;
}

static const struct hone__strategy diary_strategy = {.name = "diary",
                                                     .open = open_diary,
                                                     .ask = ask_diary,
                                                     .tell = tell_diary,
                                                     .close = close_diary};

static void test_each_search_gets_its_cost(void **state)
{
  struct hone_space *space = make_space("params: {A: range(6)}\n");
  const struct hone__search_options options = {.space = space};
  const struct hone__observation good = {.outcome = HONE_OUTCOME_OK, .cost = 99};
  struct hone__search_set *set;
  uint32_t row[2];
  size_t asked = 0;

  (void)state;
  assert_null(hone__search_set_open(&diary_strategy, &options, 3, &set));
  assert_int_equal(diary_count, 3);
  while (hone__search_set_ask(set, 1, row)) {
    assert_int_equal(row[1], asked);
    hone__search_set_tell(set, row, &good, (const double[]){1, 10, 100});
    asked++;
  }
  assert_int_equal(asked, 6);
  for (size_t i = 0; i < 3; i++) /* everything, and again what others had asked for before */
    assert_true(diaries[i]->told >= 6 && fmod(diaries[i]->sum, pow(10, (double)i)) == 0);
  hone__search_set_close(set);
  assert_int_equal(diary_count, 0);
  hone_space_free(space);
  hone_spec_free(spec);
}

static void test_fewer_are_kept(void **state)
{
  struct hone_space *space = make_space("params: {A: range(6)}\n");
  const struct hone__search_options options = {.space = space};
  struct hone__search_set *set;
  uint32_t row[2];

  (void)state;
  assert_null(hone__search_set_open(&diary_strategy, &options, 4, &set));
  hone__search_set_keep(set, 1);
  assert_int_equal(diary_count, 1);
  assert_int_equal(hone__search_set_ask(set, 1, row), 1);
  hone__search_set_close(set);
  hone__search_set_close(NULL);
  hone_space_free(space);
  hone_spec_free(spec);
}

/* Whatever the strategy and however late the answers: each legal configuration once. Groups of
 * different lengths leave parts of a row unused. */
static void expect_each_once(const struct hone_space *space, const struct hone__strategy *strategy,
                             size_t count)
{
  const struct hone__search_options options = {.space = space, .seed = 3};
  const struct hone__observation good = {.outcome = HONE_OUTCOME_OK, .share = NAN};
  size_t total = (size_t)hone_space_count(space), width = hone_space_width(space), asked = 0, got;
  uint32_t *rows = calloc(total + 5, width * sizeof *rows);
  bool *seen = calloc(total, sizeof *seen);
  struct hone__search_set *set;

  assert_null(hone__search_set_open(strategy, &options, count, &set));
  memset(rows, 0xa5, (total + 5) * width * sizeof *rows);
  for (size_t told = 0; (got = hone__search_set_ask(set, 3, rows + asked * width)) || told < asked;
       told++) {
    for (size_t i = asked; i < asked + got; i++) {
      uint64_t index;
      assert_true(hone_space_index_of(space, rows + i * width, &index) && !seen[index]);
      seen[index] = true;
    }
    asked += got;
    if (told < asked)
      hone__search_set_tell(set, rows + told * width, &good,
                            (const double[]){(double)(told % 7 + 1), (double)(told % 5 + 1), 1, 2});
    assert_true(asked <= total);
  }
  assert_int_equal(asked, total);
  hone__search_set_close(set);
  free(seen);
  free(rows);
}

static void test_each_configuration_once(void **state)
{
  static const char *const specs[] = {
      "params: {A: range(5), B: range(13)}\nconstraints: [A != B]\n",
      "params:\n  - {A: range(9)}\n  - {A: range(4), B: range(5), C: [x, y]}\n",
      "params: {A: range(300)}\nsearch: {seeds: [{A: 7}, {A: 3}]}\n"};

  (void)state;
  for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
    struct hone_space *space = make_space(specs[s]);
    const struct hone__strategy *strategy;
    for (size_t i = 0; (strategy = hone__strategy_at(i)); i++)
      for (size_t count = 1; count <= HONE__MOST_SEARCHES; count += 2)
        expect_each_once(space, strategy, count);
    hone_space_free(space);
    hone_spec_free(spec);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_sets),
      cmocka_unit_test(test_ties),
      cmocka_unit_test(test_no_numbers),
      cmocka_unit_test(test_brute_force),
      cmocka_unit_test(test_many_points),
      cmocka_unit_test(test_objectives_of_a_spec),
      cmocka_unit_test(test_each_search_gets_its_cost),
      cmocka_unit_test(test_fewer_are_kept),
      cmocka_unit_test(test_each_configuration_once),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
