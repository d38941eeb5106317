/* Run jobs whose samples come out of processes: rows, failures, and the answer. */
#include "backend/process_job.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CANDIDATES = 3 };

struct fixture {
  struct hone__process_job job;
  size_t turns[CANDIDATES]; /* that each has had */
  size_t fails_at[CANDIDATES], most[CANDIDATES];
};

static void open_fixture(struct fixture *f)
{
  *f = (struct fixture){.job.plan = {.is_rows = true, .count = CANDIDATES, .seed = 7}};
  hone__process_job_open(&f->job);
  f->job.count = CANDIDATES;
  for (size_t i = 0; i < CANDIDATES; i++)
    f->fails_at[i] = f->most[i] = SIZE_MAX;
}

static size_t sample(void *data, size_t index, size_t wanted, double *ns)
{
  struct fixture *f = data;
  size_t count = wanted < f->most[index] ? wanted : f->most[index];

  if (f->turns[index]++ >= f->fails_at[index]) {
    f->job.records[index].outcome = HONE_OUTCOME_CRASH;
    return 0;
  }
  for (size_t i = 0; i < count; i++)
    ns[i] = (double)(100 * (index + 1) + i);
  return count;
}

static void take(struct fixture *f, size_t rows, size_t block)
{
  struct hone__process_turns turns = {.rows = rows, .block = block, .sample = sample, .data = f};

  hone__process_job_take_rows(&f->job, &turns);
  hone__process_job_settle(&f->job);
}

static void expect_rows(const struct fixture *f, size_t rows)
{
  assert_int_equal(f->job.rows_done, rows);
  assert_int_equal(f->job.time_count, rows * CANDIDATES);
}

static void each_row_has_a_time_of_every_candidate(void **state)
{
  struct fixture f;

  (void)state;
  open_fixture(&f);
  take(&f, 5, 2); /* two, two, one */
  expect_rows(&f, 5);
  for (size_t i = 0; i < CANDIDATES; i++) {
    assert_int_equal(f.turns[i], 3);
    assert_int_equal(f.job.records[i].samples, 5);
    assert_true(f.job.times[1 * CANDIDATES + i] == (double)(100 * (i + 1) + 1));
    assert_true(f.job.times[4 * CANDIDATES + i] == (double)(100 * (i + 1)));
  }
  hone__process_job_release(&f.job);
}

static void a_failure_ends_the_rows_and_the_others_keep_theirs(void **state)
{
  struct fixture f;

  (void)state;
  open_fixture(&f);
  f.fails_at[1] = 2;
  take(&f, 10, 1);
  expect_rows(&f, 3);
  assert_int_equal(f.job.records[0].samples, 3);
  assert_int_equal(f.job.records[1].samples, 0);
  for (size_t row = 0; row < 3; row++) {
    assert_true(f.job.times[row * CANDIDATES] == 100);
    assert_true(isnan(f.job.times[row * CANDIDATES + 1]));
  }
  assert_ptr_equal(hone__process_job_worst(&f.job), &f.job.records[1]);
  hone__process_job_release(&f.job);
}

static void where_all_fail_there_are_no_rows(void **state)
{
  struct fixture f;

  (void)state;
  open_fixture(&f);
  for (size_t i = 0; i < CANDIDATES; i++)
    f.fails_at[i] = 0;
  take(&f, 10, 4);
  expect_rows(&f, 0);
  hone__process_job_release(&f.job);
}

static void a_block_is_as_long_as_its_shortest_turn(void **state)
{
  struct fixture f;

  (void)state;
  open_fixture(&f);
  f.most[2] = 3;
  take(&f, 10, 4);
  expect_rows(&f, 3);
  assert_int_equal(f.turns[0], 1);
  hone__process_job_release(&f.job);
}

static void a_spent_budget_ends_the_rows_after_one_block(void **state)
{
  struct fixture f;

  (void)state;
  open_fixture(&f);
  f.job.plan.budget_s = 1e-12;
  take(&f, 10, 2);
  expect_rows(&f, 2);
  hone__process_job_release(&f.job);
}

static void the_worst_is_the_first_that_failed_or_is_slow(void **state)
{
  struct fixture f;

  (void)state;
  open_fixture(&f);
  assert_ptr_equal(hone__process_job_worst(&f.job), &f.job.records[0]);
  f.job.plan.cap_ns = 2e6;
  assert_false(hone__process_job_is_slow(&f.job, &f.job.records[1], 2e6));
  assert_true(hone__process_job_is_slow(&f.job, &f.job.records[1], 3e6));
  assert_string_equal(f.job.records[1].evidence.data, "3.000 ms, above the cap of 2.000 ms");
  assert_ptr_equal(hone__process_job_worst(&f.job), &f.job.records[1]);
  f.job.records[2].outcome = HONE_OUTCOME_CRASH;
  assert_ptr_equal(hone__process_job_worst(&f.job), &f.job.records[2]);
  hone__process_job_release(&f.job);
}

static void a_process_may_take_its_start_and_its_call(void **state)
{
  struct fixture f;

  (void)state;
  open_fixture(&f);
  assert_true(hone__process_job_timeout(&f.job, 3) == 0);
  f.job.plan.call_timeout_s = 2;
  assert_true(hone__process_job_timeout(&f.job, 3) == 5);
  hone__process_job_release(&f.job);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_row_has_a_time_of_every_candidate),
      cmocka_unit_test(a_failure_ends_the_rows_and_the_others_keep_theirs),
      cmocka_unit_test(where_all_fail_there_are_no_rows),
      cmocka_unit_test(a_block_is_as_long_as_its_shortest_turn),
      cmocka_unit_test(a_spent_budget_ends_the_rows_after_one_block),
      cmocka_unit_test(the_worst_is_the_first_that_failed_or_is_slow),
      cmocka_unit_test(a_process_may_take_its_start_and_its_call),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
