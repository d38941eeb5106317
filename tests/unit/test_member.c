/* A strategy that takes part in another search: what it is told of, and what it is not. */
#include "search/member.h"
#include "search_spaces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WIDTH = 3 };

static struct hone__search_options options;
static struct hone__trail trail;
static struct hone__member member;

static void open_all(const char *yaml)
{
  build(yaml);
  options = (struct hone__search_options){.space = space, .seed = 7};
  hone__trail_open(&trail, &options);
  assert_null(hone__member_open(&member, &hone__search_pattern, &options, &trail));
}

static void release_all(void)
{
  hone__member_release(&member);
  hone__trail_release(&trail);
  release();
}

static void answer(const uint32_t *row, double cost)
{
  struct hone__observation observation = {.outcome = HONE_OUTCOME_OK, .cost = cost, .share = NAN};

  hone__member_tell(&member, hone__trail_tell(&trail, row, &observation));
}

static double cost_of(const uint32_t *row)
{
  return 10 + fabs(row[1] - 70.0) + fabs(row[2] - 60.0);
}

/* What it requests and the search knows is free: it goes on to what nobody knows. */
static void test_what_is_known_is_free(void **state)
{
  const uint32_t unknown[WIDTH] = {0, 3, 7};
  uint32_t row[WIDTH] = {0};

  (void)state;
  open_all("params: {A: range(9), B: range(9)}\n");
  for (row[1] = 0; row[1] < 9; row[1]++)
    for (row[2] = 0; row[2] < 9; row[2]++)
      if (row[1] != unknown[1] || row[2] != unknown[2]) answer(row, cost_of(row));
  assert_true(hone__member_ask(&member, row));
  assert_memory_equal(row, unknown, sizeof row);
  answer(row, 1);
  assert_false(hone__member_ask(&member, row));
  release_all();
}

/* The first requests of a member; another search finds something much better after some of them. */
static void request_some(uint32_t rows[][WIDTH], size_t count, bool others_find)
{
  const uint32_t better[WIDTH] = {0, 1, 2};

  open_all("params: {A: range(101), B: range(101)}\n");
  for (size_t i = 0; i < count; i++) {
    if (i == 3 && others_find) answer(better, 1);
    assert_true(hone__member_ask(&member, rows[i]));
    assert_true(hone__trail_ask(&trail, rows[i]));
    answer(rows[i], cost_of(rows[i]));
  }
  release_all();
}

static void test_what_others_find_does_not_lead(void **state)
{
  uint32_t alone[20][WIDTH], together[20][WIDTH];

  (void)state;
  request_some(alone, 20, false);
  request_some(together, 20, true);
  assert_memory_equal(alone, together, sizeof alone);
}

/* What it requests while somebody else's request for it is out is told later, once. */
static void test_what_is_out_is_told_later(void **state)
{
  uint32_t middle[WIDTH] = {0}, row[WIDTH];

  (void)state;
  open_all("params: {A: range(9), B: range(9)}\n");
  assert_true(hone__middle_row(space, HONE__MIDDLE_LOWER, middle));
  assert_true(hone__trail_ask(&trail, middle));
  assert_true(hone__member_ask(&member, row)); /* the middle is what it requests first */
  assert_memory_not_equal(row, middle, sizeof row);
  assert_true(member.is_wanted[0]);
  answer(middle, 1);
  assert_false(member.is_wanted[0]);
  release_all();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_known_is_free),
      cmocka_unit_test(test_what_others_find_does_not_lead),
      cmocka_unit_test(test_what_is_out_is_told_later),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
