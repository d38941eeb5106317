/* Strategies: every configuration once, the same seed the same order. */
#include "search/search.h"
#include "search/seeds.h"
#include "spec_space.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The indices in the order of asking; the caller frees them. */
static uint64_t *order(const struct hone_space *space, const char *name, uint64_t seed,
                       size_t *out_count)
{
  struct hone__search_options options = {.space = space, .seed = seed};
  const struct hone__strategy *strategy;
  size_t width = hone_space_width(space), total = (size_t)hone_space_count(space), count = 0, got;
  uint32_t *rows = calloc(7, width * sizeof *rows);
  uint64_t *indices = calloc(total + 7, sizeof *indices);
  void *state;

  assert_null(hone__strategy_find(name, &strategy));
  assert_null(strategy->open(&options, &state));
  while ((got = strategy->ask(state, 7, rows)) > 0)
    for (size_t i = 0; i < got; i++) {
      assert_true(count < total);
      assert_true(hone_space_index_of(space, rows + i * width, &indices[count++]));
    }
  strategy->close(state);
  free(rows);
  *out_count = count;
  return indices;
}

static void expect_each_once(const uint64_t *indices, size_t count, size_t total)
{
  char *seen = calloc(total, 1);

  assert_int_equal(count, total);
  for (size_t i = 0; i < count; i++) {
    assert_true(indices[i] < total && !seen[indices[i]]);
    seen[indices[i]] = 1;
  }
  free(seen);
}

static void test_each_configuration_once(void **state)
{
  static const char *const specs[] = {
      "params: {A: [1]}\n", "params: {A: [1, 2]}\n",
      "params: {A: range(5), B: range(13)}\nconstraints: [A != B]\n",
      "params: {A: range(1000)}\nsearch: {seeds: [{A: 7}, {A: 2000}, {A: 3}, {A: 7}, {B: 1}]}\n"};
  static const char *const names[] = {"exhaustive", "random", "ordered", "auto"};

  (void)state;
  for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
    struct hone_space *space = make_space(specs[s]);
    for (size_t n = 0; n < 4; n++) {
      size_t count;
      uint64_t *indices = order(space, names[n], 42, &count);
      expect_each_once(indices, count, (size_t)hone_space_count(space));
      free(indices);
    }
    hone_space_free(space);
    hone_spec_free(spec);
  }
}

static void test_seed_decides(void **state)
{
  struct hone_space *space = make_space("params: {A: range(100)}\n");
  size_t count;
  uint64_t *a = order(space, "random", 1, &count), *b = order(space, "random", 1, &count),
           *c = order(space, "random", 2, &count), *d = order(space, "exhaustive", 1, &count);

  (void)state;
  assert_memory_equal(a, b, count * sizeof *a);
  assert_memory_not_equal(a, c, count * sizeof *a);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(d[i], i);
  free(a);
  free(b);
  free(c);
  free(d);
  hone_space_free(space);
  hone_spec_free(spec);
}

/* Legal seeds come first, in their order; others are left out. */
static void test_seeds_come_first(void **state)
{
  static const char *const names[] = {"exhaustive", "random", "ordered"};
  struct hone_space *space = make_space("params: {A: range(20), W: [x, y]}\n"
                                        "constraints: [A != 5]\n"
                                        "search:\n"
                                        "  seeds: [{A: 9, W: y}, {A: 5, W: x}, {A: 2, W: x}]\n");

  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t count;
    uint64_t *indices = order(space, names[i], 3, &count);
    assert_int_equal(indices[0], 17); /* A=5 is not there */
    assert_int_equal(indices[1], 4);
    expect_each_once(indices, count, 38);
    free(indices);
  }
  hone_space_free(space);
  hone_spec_free(spec);
}

/* Those of the caller stand around them; the same again is left out. */
static void test_rows_of_the_caller(void **state)
{
  struct hone_space *space = make_space("params: {A: range(20)}\n"
                                        "search: {seeds: [{A: 9}, {A: 3}]}\n");
  const uint32_t first[] = {0, 7, 0, 9}, before[] = {0, 3, 0, 12, 0, 7, 0, 1, 0, 20};
  const struct hone__search_options options = {
      .space = space, .first = first, .first_count = 2, .before = before, .before_count = 5};
  const uint32_t expected[] = {0, 7, 0, 9, 0, 3, 0, 12, 0, 1};
  struct hone__seeds seeds;
  uint32_t rows[20];

  (void)state;
  hone__seeds_open(&seeds, &options);
  assert_int_equal(hone__seeds_ask(&seeds, 10, rows), 5);
  assert_memory_equal(rows, expected, sizeof expected);
  hone__seeds_release(&seeds);
  hone_space_free(space);
  hone_spec_free(spec);
}

static void expect_order(const char *yaml, const uint64_t *expected, size_t total)
{
  struct hone_space *space = make_space(yaml);
  size_t count;
  uint64_t *indices = order(space, "ordered", 0, &count);

  assert_int_equal(count, total);
  assert_memory_equal(indices, expected, total * sizeof *expected);
  free(indices);
  hone_space_free(space);
  hone_spec_free(spec);
}

static void test_keys_decide(void **state)
{
  (void)state;
  expect_order("params: {A: [1, 2, 3, 4]}\n", (const uint64_t[]){0, 1, 2, 3}, 4);
  expect_order("params: {A: [1, 2, 3, 4]}\nsearch: {order: [not pow2(A), -A]}\n",
               (const uint64_t[]){3, 1, 0, 2}, 4);
  expect_order("params: {A: [b, 2, 0, c]}\nsearch: {order: A}\n", (const uint64_t[]){2, 1, 0, 3},
               4); /* numbers, then texts */
  expect_order("params: {A: [0, 1, 2]}\nsearch: {order: [8 // A]}\n", (const uint64_t[]){2, 1, 0},
               3); /* faults come last */
}

/* An alternative's own keys stand instead of those for all; where a key's name lacks, it is last.
 */
static void test_alternatives_have_their_order(void **state)
{
  (void)state;
  expect_order("alternatives:\n"
               "  - {params: {A: [1, 2]}, order: [-A]}\n"
               "  - {params: {A: [1, 2]}}\n"
               "  - {params: {B: [1]}}\n"
               "search: {order: [A]}\n",
               (const uint64_t[]){1, 0, 2, 3, 4}, 5);
}

static void test_unknown_strategy(void **state)
{
  const struct hone__strategy *strategy;
  hone_status status = hone__strategy_find("clever", &strategy);

  (void)state;
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  assert_non_null(strstr(hone_status_message(status), "exhaustive"));
  hone_status_free(status);
}

/* Where there are more configurations than indices, seeds come first as well, and none twice. */
static void test_seeds_of_a_vast_space(void **state)
{
  struct hone__search_options options = {.seed = 3};
  char yaml[4096] = "params:\n";
  uint32_t first[3 * 71], rows[8 * 71];

  (void)state;
  for (int i = 0; i < 70; i++)
    snprintf(yaml + strlen(yaml), sizeof yaml - strlen(yaml), "  P%d: [1, 2, 3]\n", i);
  options.space = make_space(yaml);
  assert_true(hone_space_count(options.space) == UINT64_MAX);
  for (size_t i = 0; i < 3 * 71; i++)
    first[i] = i % 71 == 0 ? 0 : i / 71 == 1 ? 1 : 2;
  options.first = first;
  options.first_count = 3; /* the last is the first again */
  for (size_t i = 0; hone__strategy_at(i); i++) {
    const struct hone__strategy *strategy = hone__strategy_at(i);
    void *search;
    if (strcmp(strategy->name, "ordered") == 0) continue; /* it needs all of them */
    assert_null(strategy->open(&options, &search));
    assert_true(strategy->ask(search, 8, rows) >= 3);
    assert_memory_equal(rows, first, 2 * 71 * sizeof *rows);
    assert_memory_not_equal(rows + 2 * 71, first, 71 * sizeof *rows);
    strategy->close(search);
  }
  hone_space_free((struct hone_space *)options.space);
  hone_spec_free(spec);
}

/* Costs of choices are factors; C and the pair of A and D do not work. */
static double cost_of_choices(const uint32_t *row)
{
  static const double factors[4][3] = {{1, 0.5, 0.4}, {1, 1.2, 1.1}, {1, NAN, 0.9}, {1, 0.7, 0.95}};
  double cost = 1;

  for (size_t i = 0; i < 4; i++)
    cost *= factors[i][row[1 + i]];
  return row[1] == 2 && row[4] ? NAN : cost;
}

static void test_greedy_keeps_what_helps(void **state)
{
  static const char *const expected[] = {"0000", "1000", "1100", "1010", "1001", "2001",
                                         "1201", "1021", "1022", "0021", "1020"};
  struct hone_space *space =
      make_space("params: {A: [0, 1, 2], B: [0, 1, 2], C: [0, 1, 2], D: [0, 1, 2]}\n");
  const uint32_t first[] = {0, 0, 0, 0, 0};
  struct hone__search_options options = {.space = space, .first = first, .first_count = 1};
  const struct hone__strategy *strategy;
  uint32_t rows[4 * 5];
  void *search;
  size_t at = 0;

  (void)state;
  assert_null(hone__strategy_find("greedy", &strategy));
  assert_null(strategy->open(&options, &search));
  for (; strategy->ask(search, 4, rows) == 1; at++) {
    char text[5] = {0};
    double cost = cost_of_choices(rows);
    struct hone__observation seen = {
        .outcome = isnan(cost) ? HONE_OUTCOME_CRASH : HONE_OUTCOME_OK, .cost = cost, .share = NAN};
    for (size_t i = 0; i < 4; i++)
      text[i] = (char)('0' + rows[1 + i]);
    assert_true(at < sizeof expected / sizeof *expected);
    assert_string_equal(text, expected[at]);
    strategy->tell(search, rows, &seen);
  }
  assert_int_equal(at, sizeof expected / sizeof *expected);
  strategy->close(search);
  hone_space_free(space);
  hone_spec_free(spec);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_greedy_keeps_what_helps),
      cmocka_unit_test(test_each_configuration_once),
      cmocka_unit_test(test_seed_decides),
      cmocka_unit_test(test_seeds_come_first),
      cmocka_unit_test(test_seeds_of_a_vast_space),
      cmocka_unit_test(test_rows_of_the_caller),
      cmocka_unit_test(test_keys_decide),
      cmocka_unit_test(test_alternatives_have_their_order),
      cmocka_unit_test(test_unknown_strategy),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
