/* What becomes of evaluations: recorded, ranked, withdrawn, and found again in the store. */
#include "opened_tuning.h"

#include "tune/duplicates.h"
#include "tune/ranking.h"
#include "tune/withdraw.h"

#include <math.h>

static const double BASELINE_NS = 1000;

struct world {
  struct opened opened;
  struct hone__site site;
  char device[8], fingerprint[8];
};

static void open_world(struct world *world, const char *lines)
{
  struct hone__tuning *tuning = &world->opened.tuning;

  *world = (struct world){.device = "sim:0", .fingerprint = "f00"};
  world->site = (struct hone__site){
      .usable = true, .device = world->device, .fingerprint = world->fingerprint};
  world->opened.options = sim_options();
  open_tuning(&world->opened, lines);
  begin_run(&world->opened);
  tuning->session.workers.sites = &world->site;
  tuning->session.workers.site_count = 1;
  tuning->session.entry.may_reuse = true;
  tuning->baseline.candidate = candidate_of(&world->opened, 0);
  assert_null(hone__tuning_open_search(tuning));
  world->opened.said_count = 0;
}

static void close_world(struct world *world)
{
  world->opened.tuning.session.workers.sites = NULL;
  world->opened.tuning.session.workers.site_count = 0;
  release_opened(&world->opened);
}

static int begin(void **state)
{
  struct world *world = calloc(1, sizeof *world);

  if (make_run_folder(state)) return -1;
  write_equal_times(10);
  open_world(world, "metrics: {speed: 1 / time_s}\n");
  *state = world;
  return 0;
}

static int end(void **state)
{
  close_world(*state);
  free(*state);
  return remove_folder(state);
}

/* K=k with this object, whose time is a multiple of the baseline's. */
static struct hone__candidate *measured(struct world *world, uint32_t k, const char *object,
                                        enum hone_outcome outcome, double ratio)
{
  struct hone__candidate *candidate = candidate_of(&world->opened, k);
  struct hone__evaluation *evaluation = &candidate->evaluation;

  snprintf(candidate->object, sizeof candidate->object, "%s", object);
  hone__tuning_candidate_set_site(candidate, 0);
  evaluation->object = candidate->object;
  evaluation->device = world->device;
  evaluation->deps = "[]";
  evaluation->outcome = outcome;
  evaluation->evidence = "as it was told";
  evaluation->time_ns = hone__outcome_works(outcome) ? ratio * BASELINE_NS : NAN;
  evaluation->baseline_ns = BASELINE_NS;
  return candidate;
}

/* Returns the number of its evaluation. */
static int64_t record(struct world *world, uint32_t k, const char *object,
                      enum hone_outcome outcome, double ratio)
{
  struct hone__candidate *candidate = measured(world, k, object, outcome, ratio);
  int64_t id;

  hone__tuning_candidate_record(candidate);
  id = candidate->evaluation.id;
  hone__candidate_free(candidate);
  return id;
}

struct row {
  const char *config;
  char outcome[32], evidence[128], metrics[128];
  bool is_there;
};

static bool keep_row(void *data, const struct hone__evaluation *evaluation)
{
  struct row *row = data;

  if (strcmp(evaluation->config, row->config) != 0) return true;
  row->is_there = true;
  snprintf(row->outcome, sizeof row->outcome, "%s", hone_outcome_name(evaluation->outcome));
  snprintf(row->evidence, sizeof row->evidence, "%s",
           evaluation->evidence ? evaluation->evidence : "");
  snprintf(row->metrics, sizeof row->metrics, "%s", evaluation->metrics ? evaluation->metrics : "");
  return true;
}

static struct row stored(struct world *world, const char *config)
{
  const struct hone__run_entry *entry = &world->opened.tuning.session.entry;
  struct row row = {.config = config};

  assert_null(hone__store_evaluations(entry->store, entry->run.id, keep_row, &row));
  return row;
}

/* ---- Recording ---- */

static void a_record_is_stored_counted_and_ranked(void **state)
{
  struct world *world = *state;
  struct hone__tuning *tuning = &world->opened.tuning;
  const struct hone_event *counts = &tuning->session.progress.event;

  record(world, 1, "a", HONE_OUTCOME_OK, 0.5);
  record(world, 2, "b", HONE_OUTCOME_SLOW, 3);
  record(world, 3, "c", HONE_OUTCOME_CRASH, 1);
  assert_string_equal(stored(world, "K=1").outcome, "ok");
  assert_string_equal(stored(world, "K=3").evidence, "as it was told");
  assert_true(counts->done == 3 && counts->ok == 1 && counts->slow == 1 && counts->failed == 1);
  assert_int_equal(tuning->ranking.count, 2);
  assert_true(tuning->ranking.best_ratio == 0.5);
  assert_string_equal(counts->best_config, "K=1");
  assert_true(hone__tuning_knows(tuning, "K=3"));
  assert_false(hone__tuning_knows(tuning, "K=4"));
}

/* It is in the store before its turn, and counted once when that comes. */
static void what_is_kept_is_recorded_later(void **state)
{
  struct world *world = *state;
  const struct hone_event *counts = &world->opened.tuning.session.progress.event;
  struct hone__candidate *candidate = measured(world, 1, "a", HONE_OUTCOME_OK, 0.5);

  hone__tuning_candidate_keep(candidate);
  assert_true(stored(world, "K=1").is_there);
  assert_int_equal(counts->done, 0);
  hone__tuning_candidate_record(candidate);
  assert_int_equal(counts->done, 1);
  hone__candidate_free(candidate);
}

static void a_suspicious_time_is_never_the_best(void **state)
{
  struct world *world = *state;
  struct hone__candidate *candidate = measured(world, 1, "a", HONE_OUTCOME_OK, 0.001);

  candidate->evaluation.suspicious = "too fast";
  hone__tuning_candidate_record(candidate);
  assert_true(world->opened.tuning.ranking.best_ratio == 1);
  assert_int_equal(world->opened.said_count, 1);
  expect_part(world->opened.said[0], "SUSPICIOUS: K=1: too fast");
  hone__candidate_free(candidate);
}

/* One that was cut off too early may lead after all. */
static void a_second_measurement_replaces_the_first(void **state)
{
  struct world *world = *state;
  const struct hone_event *counts = &world->opened.tuning.session.progress.event;
  struct hone__candidate *again;
  int64_t id = record(world, 1, "a", HONE_OUTCOME_SLOW, 3);

  again = measured(world, 1, "a", HONE_OUTCOME_OK, 0.4);
  hone__tuning_candidate_record_again(again);
  assert_int_equal(again->evaluation.id, id);
  assert_true(counts->done == 1 && counts->ok == 1 && counts->slow == 0);
  assert_int_equal(world->opened.tuning.ranking.count, 1);
  assert_true(world->opened.tuning.ranking.best_ratio == 0.4);
  hone__candidate_free(again);
}

/* ---- Withdrawing ---- */

/* K=1 and K=2 have the same object: both are out, and K=3 is the best. */
static void who_fails_late_leaves_with_its_duplicates(void **state)
{
  struct world *world = *state;
  struct hone__tuning *tuning = &world->opened.tuning;
  const struct hone_event *counts = &tuning->session.progress.event;
  int64_t id = record(world, 1, "a", HONE_OUTCOME_OK, 0.2);
  struct hone__candidate *failed;

  record(world, 2, "a", HONE_OUTCOME_OK, 0.3);
  record(world, 3, "b", HONE_OUTCOME_OK, 0.6);
  failed = measured(world, 1, "a", HONE_OUTCOME_WRONG_RESULT, 1);
  hone__tuning_withdraw(tuning, failed, id);
  hone__candidate_free(failed);
  assert_int_equal(tuning->ranking.count, 1);
  assert_string_equal(stored(world, "K=1").outcome, "wrong_result");
  assert_string_equal(stored(world, "K=2").outcome, "wrong_result");
  assert_string_equal(stored(world, "K=2").evidence, "the same object as K=1: as it was told");
  assert_true(counts->ok == 1 && counts->failed == 2 && counts->done == 3);
  assert_true(fabs(tuning->ranking.best_ratio - 0.6) < 1e-12);
  assert_true(tuning->search.passed_ns == 600);
  assert_string_equal(counts->best_config, "K=3");
}

static void without_others_the_baseline_is_the_best(void **state)
{
  struct world *world = *state;
  struct hone__tuning *tuning = &world->opened.tuning;
  int64_t id = record(world, 1, "a", HONE_OUTCOME_OK, 0.2);
  struct hone__candidate *failed = measured(world, 1, "a", HONE_OUTCOME_CRASH, 1);

  hone__tuning_withdraw(tuning, failed, id);
  hone__candidate_free(failed);
  assert_int_equal(tuning->ranking.count, 0);
  assert_true(tuning->ranking.best_ratio == 1 && isinf(tuning->search.passed_ns));
  assert_null(tuning->session.progress.event.best_config);
}

/* ---- Known already ---- */

static void an_equal_object_is_not_measured_again(void **state)
{
  struct world *world = *state;
  int64_t id = record(world, 1, "a", HONE_OUTCOME_OK, 0.5);
  struct hone__candidate *equal = candidate_of(&world->opened, 2);
  struct hone__candidate *other = candidate_of(&world->opened, 3);

  strcpy(equal->object, "a");
  strcpy(other->object, "b");
  assert_true(hone__tuning_candidate_known_by_object(equal, 0));
  assert_int_equal(equal->evaluation.same_as, id);
  assert_true(equal->evaluation.time_ns == 500);
  assert_false(hone__tuning_candidate_known_by_object(other, 0));
  hone__candidate_free(equal);
  hone__candidate_free(other);
}

/* The same configuration, on the same device; of another device its time says nothing. */
static void an_earlier_evaluation_is_reused(void **state)
{
  struct world *world = *state;
  int64_t id = record(world, 1, "a", HONE_OUTCOME_OK, 0.5);
  struct hone__candidate *same = candidate_of(&world->opened, 1);

  assert_true(hone__tuning_candidate_known_by_key(same));
  assert_int_equal(same->evaluation.reused_from, id);
  assert_true(same->evaluation.time_ns == 500);
  hone__candidate_free(same);
  strcpy(world->fingerprint, "bar");
  same = candidate_of(&world->opened, 1);
  assert_false(hone__tuning_candidate_known_by_key(same));
  hone__candidate_free(same);
  strcpy(world->fingerprint, "f00");
  world->opened.tuning.session.entry.may_reuse = false; /* a fresh run */
  same = candidate_of(&world->opened, 1);
  assert_false(hone__tuning_candidate_known_by_key(same));
  hone__candidate_free(same);
}

static void evaluations_of_other_devices_do_not_hold_here(void **state)
{
  struct world *world = *state;
  struct hone__candidate *old = measured(world, 1, "a", HONE_OUTCOME_OK, 0.5);
  struct hone__candidate *candidate = candidate_of(&world->opened, 1);
  struct hone__evaluation evaluation = old->evaluation;

  assert_true(hone__tuning_candidate_holds_here(candidate, &evaluation));
  evaluation.time_ns = -1; /* of an older version */
  assert_false(hone__tuning_candidate_holds_here(candidate, &evaluation));
  evaluation.time_ns = 500;
  world->site.usable = false;
  assert_false(hone__tuning_candidate_holds_here(candidate, &evaluation));
  evaluation.measure_key = NULL; /* it was never built: no device matters */
  assert_true(hone__tuning_candidate_holds_here(candidate, &evaluation));
  hone__candidate_free(candidate);
  hone__candidate_free(old);
}

static void earlier_sessions_of_a_run_are_taken_up(void **state)
{
  struct world *world = *state;
  struct hone__tuning *tuning = &world->opened.tuning;
  struct hone__evaluation old = {.id = 7,
                                 .config = "K=5",
                                 .outcome = HONE_OUTCOME_OK,
                                 .time_ns = 250,
                                 .baseline_ns = BASELINE_NS,
                                 .asked = 12};

  hone__tuning_take_up(tuning, (const uint32_t[]){0, 5}, &old);
  assert_true(hone__tuning_knows(tuning, "K=5"));
  assert_int_equal(tuning->search.asked_before, 12);
  assert_true(tuning->ranking.best_ratio == 0.25);
  assert_int_equal(tuning->session.progress.event.done, 1);
  old.config = "K=6";
  old.suspicious = "too fast";
  old.time_ns = 1;
  hone__tuning_take_up(tuning, (const uint32_t[]){0, 6}, &old);
  assert_true(tuning->ranking.best_ratio == 0.25);
}

/* ---- Duplicates ---- */

/* The confirmed time of K=1 is that of K=2 too; K=3 has another object. */
static void duplicates_get_the_metrics_of_a_confirmed_time(void **state)
{
  struct world *world = *state;
  struct hone__duplicates duplicates = {.tuning = &world->opened.tuning};
  struct hone__candidate *confirmed = measured(world, 1, "a", HONE_OUTCOME_OK, 0.5);
  char before[128];

  hone__tuning_candidate_record(confirmed);
  record(world, 2, "a", HONE_OUTCOME_OK, 0.52);
  record(world, 3, "b", HONE_OUTCOME_OK, 0.6);
  snprintf(before, sizeof before, "%s", stored(world, "K=3").metrics);
  hone__duplicates_add(&duplicates, confirmed, NAN); /* not confirmed */
  assert_int_equal(duplicates.time_count, 0);
  hone__duplicates_add(&duplicates, confirmed, 400);
  hone__duplicates_store(&duplicates);
  expect_part(stored(world, "K=2").metrics, "2500000"); /* 1 / 400 ns */
  assert_string_equal(stored(world, "K=3").metrics, before);
  hone__candidate_free(confirmed);
}

/* ---- The best so far is checked ---- */

static void only_a_new_best_is_checked(void **state)
{
  struct world *world = *state;
  struct hone__tuning *tuning = &world->opened.tuning;
  struct hone__candidate *candidate = measured(world, 1, "a", HONE_OUTCOME_OK, 0.5);

  tuning->session.problem.task.check = true;
  assert_true(hone__tuning_candidate_would_lead(candidate));
  tuning->ranking.best_ratio = 0.4;
  assert_false(hone__tuning_candidate_would_lead(candidate));
  tuning->ranking.best_ratio = 1;
  candidate->evaluation.suspicious = "too fast";
  assert_false(hone__tuning_candidate_would_lead(candidate));
  candidate->evaluation.suspicious = NULL;
  candidate->evaluation.outcome = HONE_OUTCOME_SLOW;
  assert_false(hone__tuning_candidate_would_lead(candidate));
  candidate->evaluation.outcome = HONE_OUTCOME_OK;
  tuning->session.problem.task.check = false;
  assert_false(hone__tuning_candidate_would_lead(candidate));
  hone__candidate_free(candidate);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(a_record_is_stored_counted_and_ranked),
      TEST(what_is_kept_is_recorded_later),
      TEST(a_suspicious_time_is_never_the_best),
      TEST(a_second_measurement_replaces_the_first),
      TEST(who_fails_late_leaves_with_its_duplicates),
      TEST(without_others_the_baseline_is_the_best),
      TEST(an_equal_object_is_not_measured_again),
      TEST(an_earlier_evaluation_is_reused),
      TEST(evaluations_of_other_devices_do_not_hold_here),
      TEST(earlier_sessions_of_a_run_are_taken_up),
      TEST(duplicates_get_the_metrics_of_a_confirmed_time),
      TEST(only_a_new_best_is_checked),
  };

  return cmocka_run_group_tests_name("evaluations", tests, NULL, NULL);
}
