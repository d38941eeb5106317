/* How long a search goes on: budgets, efforts, patience, and what is said of them. */
#include "opened_tuning.h"

#include "tune/baseline_limit.h"
#include "tune/contest_time.h"
#include "tune/effort.h"

enum { LARGE = 400 }; /* configurations: more than are always searched completely */

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_equal_times(LARGE);
  return 0;
}

static void expect_description(const struct hone__tuning *tuning, const char *expected)
{
  struct hone__text text = {0};

  hone__effort_describe(tuning, &text);
  assert_string_equal(text.data ? text.data : "", expected);
  hone__text_release(&text);
}

static void without_a_budget_the_effort_is_normal(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  opened.options.strategy = NULL;
  open_tuning(&opened, "");
  assert_string_equal(hone__effort_name(&opened.tuning), "normal");
  assert_int_equal(opened.tuning.session.settings.patience.least, 150);
  assert_false(opened.tuning.session.settings.budget_given);
  expect_description(&opened.tuning, ": ends after 150 configurations without improvement, or 50 % "
                                     "of all (--patience)");
  release_opened(&opened);
}

static void a_strategy_that_does_not_learn_goes_through_all(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  open_tuning(&opened, "");
  assert_int_equal(opened.tuning.session.settings.patience.least, 0);
  assert_int_equal(opened.tuning.session.settings.evaluations, 0);
  expect_description(&opened.tuning, "");
  release_opened(&opened);
}

static void a_small_space_is_searched_completely(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  write_equal_times(20);
  opened.options.strategy = NULL;
  open_tuning(&opened, "");
  assert_int_equal(opened.tuning.session.settings.patience.least, 0);
  release_opened(&opened);
  opened = (struct opened){.options = sim_options()};
  opened.options.effort = HONE_EFFORT_QUICK; /* but for a quick search */
  open_tuning(&opened, "");
  assert_int_equal(opened.tuning.session.settings.patience.least, 20);
  assert_int_equal(opened.tuning.session.settings.evaluations, 50);
  assert_true(opened.tuning.session.settings.budget_s == 60);
  release_opened(&opened);
}

static void a_budget_replaces_the_effort(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  opened.options.strategy = NULL;
  opened.options.evaluations = 17;
  open_tuning(&opened, "");
  assert_string_equal(hone__effort_name(&opened.tuning), "");
  assert_true(opened.tuning.session.settings.budget_given);
  assert_int_equal(opened.tuning.session.settings.evaluations, 17);
  assert_int_equal(opened.tuning.session.settings.patience.least, 0);
  release_opened(&opened);
}

/* The options win over the spec, and a given effort over the spec's budget. */
static void the_spec_has_a_budget_or_an_effort(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  open_tuning(&opened, "search: {budget: 90s}\n");
  assert_true(opened.tuning.session.settings.budget_s == 90);
  release_opened(&opened);
  opened = (struct opened){.options = sim_options()};
  open_tuning(&opened, "search: {budget: 30, effort: thorough}\n");
  assert_int_equal(opened.tuning.session.settings.evaluations, 30);
  assert_string_equal(hone__effort_name(&opened.tuning), "thorough");
  release_opened(&opened);
  opened = (struct opened){.options = sim_options()};
  opened.options.effort = HONE_EFFORT_THOROUGH;
  open_tuning(&opened, "search: {budget: 30}\n");
  assert_int_equal(opened.tuning.session.settings.evaluations, 0);
  release_opened(&opened);
}

static void patience_of_the_options_always_counts(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  opened.options.patience = 7;
  open_tuning(&opened, "");
  expect_description(&opened.tuning,
                     ": ends after 7 configurations without improvement (--patience)");
  release_opened(&opened);
}

/* ---- The end of a search ---- */

static void the_end_is_explained(void **state)
{
  static const struct {
    enum hone__effort_end end;
    const char *text;
  } cases[] = {
      {HONE__END_BY_COUNT, "the search ended: the limit of 50 configurations for a quick search is "
                           "reached; --effort normal continues it"},
      {HONE__END_BY_TIME, "the search ended: the limit of 60 s for a quick search is reached; "
                          "--effort normal continues it"},
      {HONE__END_BY_PATIENCE, "the search ended: 3 candidates without improvement (patience 20); "
                              "--patience N or --effort normal continues it"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct opened opened = {.options = sim_options()};
    opened.options.effort = HONE_EFFORT_QUICK;
    open_tuning(&opened, "");
    for (int k = 0; k < 3; k++)
      hone__patience_note(&opened.tuning.search.patience, &(const double){2}, 1);
    opened.said_count = 0;
    hone__effort_report_end(&opened.tuning, cases[i].end);
    assert_int_equal(opened.said_count, 1);
    assert_string_equal(opened.said[0], cases[i].text);
    release_opened(&opened);
  }
}

static void the_end_of_a_given_budget_is_no_news(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  opened.options.evaluations = 5;
  open_tuning(&opened, "");
  opened.said_count = 0;
  hone__effort_report_end(&opened.tuning, HONE__END_BY_COUNT);
  assert_int_equal(opened.said_count, 0);
  release_opened(&opened);
}

/* It may be none of the options' own: the time of a stage is not "0 s for a normal search". */
static void the_end_of_a_callers_limit_is_no_news(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  opened.options.search_limit_s = 5;
  open_tuning(&opened, "");
  opened.said_count = 0;
  hone__effort_report_end(&opened.tuning, HONE__END_BY_TIME);
  assert_int_equal(opened.said_count, 0);
  release_opened(&opened);
}

/* A baseline that took most of the budget, and a proof that would take all that is left. */
static void a_proof_leaves_time_for_the_search(void **state)
{
  struct opened opened = {.options = sim_options()};
  struct hone__site site = {.device = (char *)"sim", .last_ns = 1e9, .reading_s = 5};
  struct hone__control *control = &opened.tuning.session.control;
  struct hone__workers *workers = &opened.tuning.session.workers;
  struct hone__workers kept;

  (void)state;
  opened.options.budget_s = 10;
  open_tuning(&opened, "");
  kept = *workers;
  workers->sites = &site;
  workers->site_count = 1;
  workers->runners = (void *)&site; /* nothing asks it: the clock is virtual */
  control->started = 0;
  control->ends_at = 10;
  opened.tuning.search.asked_from = 6;
  hone__contest_reserve(&opened.tuning);
  assert_true(control->stop_at == 10); /* there is nothing to prove yet */
  opened.tuning.ranking.count = 1;
  hone__contest_reserve(&opened.tuning);
  assert_true(control->stop_at >= 7.5 && control->stop_at < 9);
  opened.tuning.search.asked_from = 1; /* there is time: half of the budget stays for the proof */
  hone__contest_reserve(&opened.tuning);
  assert_true(control->stop_at == 5);
  opened.options.search_limit_s = 2; /* a caller's own limit is not extended */
  opened.tuning.search.began = 0;
  opened.tuning.session.progress.event.ok = 1;
  hone__contest_reserve(&opened.tuning);
  assert_true(control->stop_at == 2);
  opened.tuning.ranking.count = 0;
  *workers = kept;
  release_opened(&opened);
}

/* Who divides a budget himself tells the user about it himself. */
static void a_callers_limit_needs_no_warning(void **state)
{
  struct opened opened = {.options = sim_options()};
  struct hone__site site = {.device = (char *)"sim", .last_ns = 8e9, .reading_s = 5};
  struct hone__workers *workers = &opened.tuning.session.workers;
  struct hone__workers kept;

  (void)state;
  open_tuning(&opened, "");
  kept = *workers;
  workers->sites = &site;
  workers->site_count = 1;
  workers->runners = (void *)&site;
  opened.tuning.session.control.ends_at = 10;
  opened.said_count = 0;
  hone__baseline_limit_warn(&opened.tuning);
  assert_int_equal(opened.said_count, 1);
  opened.options.confirm_limit_s = 2;
  hone__baseline_limit_warn(&opened.tuning);
  assert_int_equal(opened.said_count, 1);
  *workers = kept;
  release_opened(&opened);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(without_a_budget_the_effort_is_normal),
      TEST(a_strategy_that_does_not_learn_goes_through_all),
      TEST(a_small_space_is_searched_completely),
      TEST(a_budget_replaces_the_effort),
      TEST(the_spec_has_a_budget_or_an_effort),
      TEST(patience_of_the_options_always_counts),
      TEST(the_end_is_explained),
      TEST(the_end_of_a_given_budget_is_no_news),
      TEST(the_end_of_a_callers_limit_is_no_news),
      TEST(a_proof_leaves_time_for_the_search),
      TEST(a_callers_limit_needs_no_warning),
  };

  return cmocka_run_group_tests_name("effort", tests, NULL, NULL);
}
