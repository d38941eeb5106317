/* How many configurations are open at once, when answers reach the search, and what it may cut. */
#include "opened_tuning.h"

#include "tune/held_answers.h"

#include <math.h>

static const double BASELINE_NS = 1000;

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_equal_times(40);
  return 0;
}

static void open_for(struct opened *opened, const char *strategy, struct hone__site *sites,
                     size_t site_count)
{
  *opened = (struct opened){.options = sim_options()};
  opened->options.strategy = strategy;
  open_tuning(opened, "");
  opened->tuning.session.workers.sites = sites;
  opened->tuning.session.workers.site_count = site_count;
}

static void release(struct opened *opened)
{
  opened->tuning.session.workers.sites = NULL;
  opened->tuning.session.workers.site_count = 0;
  release_opened(opened);
}

static void learners_have_few_open(void **state)
{
  struct hone__site sites[2] = {0};
  struct opened opened;
  struct hone__tuning *tuning = &opened.tuning;

  (void)state;
  open_for(&opened, "genetic", sites, 2);
  assert_true(hone__tuning_is_scheduled(tuning));
  assert_int_equal(hone__tuning_window(tuning, 0), 4); /* two devices that wait while it builds */
  tuning->session.workers.overlap = true;
  assert_int_equal(hone__tuning_window(tuning, 0), 64); /* nothing ends it before the space does */
  tuning->session.settings.budget_s = 1000;             /* nor does that */
  assert_int_equal(hone__tuning_window(tuning, 0), 64);
  tuning->session.settings.budget_s = 1;
  assert_int_equal(hone__tuning_window(tuning, 0), 12);
  tuning->session.settings.budget_s = 0;
  tuning->session.settings.evaluations = 3;
  assert_int_equal(hone__tuning_window(tuning, 0), 12);
  assert_int_equal(hone__tuning_window(tuning, 160), 20);
  assert_int_equal(hone__tuning_window(tuning, 100000), 32);
  assert_true(hone__tuning_most_ahead(tuning) == SIZE_MAX);
  release(&opened);
}

static void others_have_many_open(void **state)
{
  struct hone__site site = {0};
  struct opened opened;

  (void)state;
  open_for(&opened, "exhaustive", &site, 1);
  assert_false(hone__tuning_is_scheduled(&opened.tuning));
  assert_int_equal(hone__tuning_window(&opened.tuning, 0), 256);
  assert_int_equal(hone__tuning_most_ahead(&opened.tuning), 256);
  release(&opened);
}

static void turns_grow_to_a_limit(void **state)
{
  struct hone__site site = {0};
  struct opened opened;

  (void)state;
  open_for(&opened, "genetic", &site, 1);
  assert_int_equal(hone__tuning_turn(&opened.tuning, 0), 8);
  assert_int_equal(hone__tuning_turn(&opened.tuning, 64), 16);
  assert_int_equal(hone__tuning_turn(&opened.tuning, 1u << 20), 32);
  release(&opened);
}

static void seconds_are_shared_by_devices(void **state)
{
  struct hone__site sites[2] = {0};
  struct hone__candidate candidate = {.build_s = 3, .measure_s = 4};
  struct opened opened;

  (void)state;
  open_for(&opened, "genetic", sites, 2);
  candidate.session = &opened.tuning.session;
  assert_true(hone__tuning_candidate_seconds(&candidate) == 5);
  opened.tuning.session.workers.overlap = true;
  assert_true(hone__tuning_candidate_seconds(&candidate) == 3);
  candidate.build_s = NAN;
  assert_true(hone__tuning_candidate_seconds(&candidate) == 2);
  candidate.measure_s = NAN;
  assert_true(isnan(hone__tuning_candidate_seconds(&candidate)));
  release(&opened);
}

static void the_search_gets_seed_and_first_rows(void **state)
{
  static const char *const first[] = {"K=7"};
  struct opened opened = {.options = sim_options()};
  struct hone__search_options options;

  (void)state;
  opened.options.seed_configs = first;
  opened.options.seed_config_count = 1;
  opened.options.evaluations = 9;
  opened.options.seed = 77;
  open_tuning(&opened, "");
  assert_null(hone__identity_make(&opened.tuning.session));
  options = hone__tuning_search_options(&opened.tuning);
  assert_int_equal(options.first_count, 1);
  assert_int_equal(options.first[1], 7);
  assert_int_equal(options.evaluations, 9);
  assert_int_equal(options.seed, 77);
  assert_ptr_equal(options.space, opened.tuning.session.problem.task.space);
  release_opened(&opened);
}

/* ---- Held answers ---- */

static void tell(struct opened *opened, uint32_t k, uint64_t number, double ratio)
{
  struct hone__candidate candidate = {.number = number, .site = HONE__NO_SITE};
  const struct hone__evaluation evaluation = {
      .outcome = HONE_OUTCOME_OK, .time_ns = ratio * BASELINE_NS, .baseline_ns = BASELINE_NS};

  hone__tuning_tell(&opened->tuning, (const uint32_t[]){0, k}, &evaluation, &candidate);
}

/* Held by number: what the search knows depends on what it asked, not on who was faster. */
static void answers_are_held_until_their_number_is_due(void **state)
{
  struct opened opened = {.options = sim_options()};
  struct hone__tuning_search *search = &opened.tuning.search;

  (void)state;
  opened.options.patience = 30;
  open_tuning(&opened, "");
  begin_run(&opened);
  assert_null(hone__tuning_open_search(&opened.tuning));
  hone__tuning_tell_baseline(&opened.tuning, search->set);
  hone__held_answers_hold(&opened.tuning);
  tell(&opened, 1, 0, 0.9);
  tell(&opened, 2, 1, 0.5);
  assert_int_equal(search->patience.evaluated, 0);
  assert_true(search->passed_ratio == 1);
  hone__held_answers_pass(&opened.tuning, 1);
  assert_int_equal(search->patience.evaluated, 1);
  assert_true(search->passed_ratio == 0.9 && search->passed_ns == 900);
  hone__held_answers_release(&opened.tuning);
  assert_int_equal(search->patience.evaluated, 2);
  assert_true(search->passed_ratio == 0.5);
  tell(&opened, 3, 2, 0.4); /* held no longer */
  assert_true(search->passed_ns == 400);
  release_opened(&opened);
}

static void failures_and_doubtful_times_set_no_limit(void **state)
{
  static const struct hone__evaluation cases[] = {
      {.outcome = HONE_OUTCOME_CRASH, .time_ns = 1, .baseline_ns = 1000},
      {.outcome = HONE_OUTCOME_OK, .time_ns = 1, .baseline_ns = 1000, .suspicious = "too fast"},
      {.outcome = HONE_OUTCOME_SLOW, .time_ns = 1, .baseline_ns = 1000},
  };
  struct opened opened = {.options = sim_options()};

  (void)state;
  open_tuning(&opened, "");
  begin_run(&opened);
  assert_null(hone__tuning_open_search(&opened.tuning));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    hone__tuning_tell(&opened.tuning, (const uint32_t[]){0, 1}, &cases[i], NULL);
  assert_true(opened.tuning.search.passed_ratio == 1);
  assert_true(isinf(opened.tuning.search.passed_ns));
  release_opened(&opened);
}

/* ---- What is not worth more time ---- */

static void slow_ones_have_a_cap(void **state)
{
  struct hone__site site = {.passed = {.last_ns = 1000, .noise = 0.01}};
  struct opened opened;
  struct hone__bound bound;

  (void)state;
  open_for(&opened, "exhaustive", &site, 1);
  opened.tuning.search.passed_ratio = 0.5;
  bound = hone__tuning_bound(&opened.tuning, 0);
  assert_true(bound.cap_ns == 1500 && bound.cut_ns == 625);
  site.passed.noise = 0.2; /* a noisy device cuts later */
  assert_true(hone__tuning_bound(&opened.tuning, 0).cut_ns == 1000);
  site.passed.is_unsteady = true;
  assert_true(hone__tuning_bound(&opened.tuning, 0).is_unsteady);
  opened.options.no_cap = true;
  bound = hone__tuning_bound(&opened.tuning, 0);
  assert_true(bound.cap_ns == 0 && bound.cut_ns == 0);
  release(&opened);
}

/* They are settled once: a later best does not change those of a candidate under way. */
static void bounds_of_a_candidate_stay(void **state)
{
  struct hone__site site = {.passed = {.last_ns = 1000}};
  struct hone__candidate candidate = {0};
  struct opened opened;

  (void)state;
  open_for(&opened, "exhaustive", &site, 1);
  candidate.session = &opened.tuning.session;
  hone__tuning_candidate_settle_bounds(&candidate);
  assert_true(candidate.bounds[0].cap_ns == 3000);
  opened.tuning.search.passed_ratio = 0.1;
  hone__tuning_candidate_settle_bounds(&candidate);
  assert_true(candidate.bounds[0].cap_ns == 3000);
  free(candidate.bounds);
  release(&opened);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(learners_have_few_open),
      TEST(others_have_many_open),
      TEST(turns_grow_to_a_limit),
      TEST(seconds_are_shared_by_devices),
      TEST(the_search_gets_seed_and_first_rows),
      TEST(answers_are_held_until_their_number_is_due),
      TEST(failures_and_doubtful_times_set_no_limit),
      TEST(slow_ones_have_a_cap),
      TEST(bounds_of_a_candidate_stay),
  };

  return cmocka_run_group_tests_name("asking", tests, NULL, NULL);
}
