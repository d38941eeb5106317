/* The times of a configuration over several processes, and what its interval covers. */
#include "tune/attempt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 8 };

/* Pairs of one process, in which the baseline takes `ratio` times as long. */
static void add_process(struct hone__attempt *attempt, double ratio)
{
  double table[2 * ROWS];

  for (size_t i = 0; i < ROWS; i++) {
    table[2 * i] = 1000 * ratio + (double)i;
    table[2 * i + 1] = 1000 + (double)i;
  }
  hone__attempt_add(attempt, table, ROWS);
}

static void one_process_is_called_so(void **state)
{
  struct hone__attempt attempt = {.is_alone = false};
  struct hone__attempt_speed speed;

  (void)state;
  add_process(&attempt, 1.3);
  speed = hone__attempt_speed(&attempt);
  assert_false(speed.covers_restarts);
  assert_true(speed.ratio.low > 1.29 && speed.ratio.high < 1.31);
  add_process(&attempt, 1.0);
  assert_false(hone__attempt_speed(&attempt).covers_restarts);
  assert_true(hone__attempt_speed(&attempt).ratio.low > 1.29); /* the first one's alone */
  hone__attempt_release_samples(&attempt);
}

static void three_processes_are_covered(void **state)
{
  struct hone__attempt attempt = {.is_alone = false};
  struct hone__attempt_speed speed;

  (void)state;
  add_process(&attempt, 1.3);
  add_process(&attempt, 1.0);
  add_process(&attempt, 1.15);
  speed = hone__attempt_speed(&attempt);
  assert_true(speed.covers_restarts);
  assert_int_equal(attempt.process_count, 3);
  assert_true(speed.ratio.low < 1.0 && speed.ratio.high > 1.3);
  hone__attempt_release_samples(&attempt);
}

static void too_few_pairs_have_no_interval(void **state)
{
  const double table[] = {1300, 1000, 1310, 1000};
  struct hone__attempt attempt = {.is_alone = false};

  (void)state;
  hone__attempt_add(&attempt, table, 2);
  assert_true(hone__attempt_speed(&attempt).ratio.value > 1.29);
  assert_true(isnan(hone__attempt_speed(&attempt).ratio.low));
  hone__attempt_release_samples(&attempt);
}

static void what_is_no_time_is_dropped(void **state)
{
  const double table[] = {1300, NAN, 0, 1000, 1310, 1000, INFINITY, 1000, 1300, -1};
  const double bad[] = {NAN, NAN};
  struct hone__attempt attempt = {.is_alone = false};

  (void)state;
  hone__attempt_add(&attempt, bad, 1);
  assert_int_equal(attempt.process_count, 0);
  hone__attempt_add(&attempt, table, 5);
  assert_int_equal(attempt.count, 1);
  assert_int_equal(attempt.process_count, 1);
  assert_true(attempt.baseline_ns[0] == 1310 && attempt.times_ns[0] == 1000);
  hone__attempt_release_samples(&attempt);
}

/* ---- Interruption ---- */

static bool keep_event(void *data, const struct hone_event *event)
{
  if (event->kind == HONE_EVENT_NOTE) snprintf(data, 256, "%s", event->text);
  return true;
}

/* What a purpose says at the first signal. */
static void interrupt(const struct hone__purpose *purpose, struct hone__tuning *tuning,
                      char text[256])
{
  const struct hone_tune_options options = {.progress = keep_event, .progress_data = text};

  *tuning = (struct hone__tuning){.session = {.settings = {.options = &options}}};
  purpose->on_interrupt(&tuning->session, "interrupted");
  hone__words_release(&tuning->session.entry.notes);
}

static void an_interrupted_run_keeps_nothing(void **state)
{
  struct hone__tuning tuning;
  char text[256] = "";

  (void)state;
  interrupt(&hone__purpose_run, &tuning, text);
  assert_string_equal(text, "interrupted: stopping; what was measured so far is printed, and "
                            "nothing is kept");
  assert_true(tuning.session.control.aborting);
  interrupt(&hone__purpose_tune, &tuning, text);
  assert_non_null(
      strstr(text, "interrupted: stopping; measurements are kept, and the best candidate is"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_process_is_called_so),
      cmocka_unit_test(three_processes_are_covered),
      cmocka_unit_test(too_few_pairs_have_no_interval),
      cmocka_unit_test(what_is_no_time_is_dropped),
      cmocka_unit_test(an_interrupted_run_keeps_nothing),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
