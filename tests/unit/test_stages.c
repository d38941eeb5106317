/* A host that filters and ranks candidates between the stages of hone_tune: a recording stands in
 * for the kernel. */
#include "folder.h"
#include "hone_search.h"
#include "own_worker.h"
#include "store/stored.h"

#include <math.h>
#include <stdbool.h>

static struct hone_spec *spec;
static struct hone_tune_options options;
static struct hone_stages stages;

struct rule {
  enum hone_stage stage;                 /* after which it rejects */
  const char *mode;                      /* that is rejected; NULL: none */
  int64_t a;                             /* that is rejected; 0: none */
  bool all;                              /* everything is rejected */
  unsigned filtered, ranked;             /* calls */
  unsigned times_seen;                   /* calls with a time */
  const char *first;                     /* configuration that is ranked first after screening */
  unsigned calls[HONE_STAGE_SCREEN + 1]; /* of the filter */
};
static struct rule rule;

static struct hone_value value_of(const struct hone_candidate *candidate, const char *name)
{
  struct hone_value value;

  assert_true(hone_candidate_value(candidate, name, &value));
  return value;
}

static bool filter(void *data, enum hone_stage stage, const struct hone_candidate *candidate,
                   const char **out_reason)
{
  struct rule *r = data;

  r->calls[stage]++;
  assert_true(hone_space_contains(hone_candidate_space(candidate), hone_candidate_row(candidate)));
  if (stage != r->stage) return true;
  r->filtered++;
  r->times_seen +=
      hone_candidate_time_ns(candidate) > 0 && hone_candidate_baseline_ns(candidate) > 0;
  *out_reason = "the rule of the test";
  if (r->all) return false;
  if (r->mode && strcmp(value_of(candidate, "MODE").text, r->mode) == 0) return false;
  return value_of(candidate, "A").integer != r->a;
}

/* Before the build: large A first. After screening: one that is named. */
static double rank(void *data, enum hone_stage stage, const struct hone_candidate *candidate)
{
  struct rule *r = data;

  r->ranked++;
  if (stage == HONE_STAGE_GENERATE) return -(double)value_of(candidate, "A").integer;
  return r->first && strcmp(hone_candidate_config(candidate), r->first) == 0 ? 0 : NAN;
}

static int set_up(void **state)
{
  static const char *const files[] = {"tests/data/sim/tiny.json"};
  struct hone_spec_options spec_options;

  if (make_folder(state)) return -1;
  setenv("HONE_CACHE", path_of("cache"), 1);
  hone_spec_options_init(&spec_options);
  spec_options.files = files;
  spec_options.file_count = 1;
  assert_null(hone_spec_load(&spec_options, &spec));
  hone_tune_options_init(&options);
  options.store = strdup(path_of("store.db"));
  options.hone_program = this_program();
  options.stages = &stages;
  options.top = 2;
  hone_stages_init(&stages);
  stages.filter = filter;
  stages.data = &rule;
  rule = (struct rule){0};
  return 0;
}

static int tear_down(void **state)
{
  hone_spec_free(spec);
  free((char *)options.store);
  return remove_folder(state);
}

/* ---- What the run has ---- */

struct seen {
  size_t ok, other, rejected; /* other: failures that were recorded */
  size_t of_a[16];            /* that work, without the baseline */
};

static bool count(void *data, const struct hone__evaluation *evaluation)
{
  struct seen *seen = data;
  int a = 0;

  if (evaluation->is_baseline) return true;
  sscanf(evaluation->config, "A=%d", &a);
  seen->ok += evaluation->outcome <= HONE_OUTCOME_SLOW;
  if (evaluation->outcome <= HONE_OUTCOME_SLOW) seen->of_a[a & 15]++;
  if (evaluation->outcome == HONE_OUTCOME_INVALID &&
      strcmp(evaluation->evidence, "the host's filter rejects it: the rule of the test") == 0)
    seen->rejected++;
  else
    seen->other += evaluation->outcome > HONE_OUTCOME_SLOW;
  return true;
}

/* Tunes and reads the run; the texts live in the arena. */
static struct hone__arena arena;
static struct hone__store_run_stored stored;

static struct seen tune(void)
{
  struct hone_tuning *tuning = NULL;
  struct hone_store *store;
  struct seen seen = {0};
  hone_status status = hone_tune(spec, &options, &tuning);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  assert_int_equal(hone_tuning_count(tuning), 1);
  assert_null(hone__store_open(options.store, true, &store));
  assert_null(hone__store_evaluations(store, hone_tuning_run(tuning, 0), count, &seen));
  assert_null(hone__store_run(store, hone_tuning_run(tuning, 0), &arena, &stored));
  hone__store_close(store);
  hone_tuning_free(tuning);
  return seen;
}

static void expect_note(const char *part)
{
  if (!strstr(stored.result.notes, part)) print_message("%s\n", stored.result.notes);
  assert_non_null(strstr(stored.result.notes, part));
}

static void drop_run(void)
{
  hone__arena_release(&arena);
}

/* ---- Filters ---- */

static void test_filters_before_the_build(void **state)
{
  struct seen seen;

  (void)state;
  rule.stage = HONE_STAGE_GENERATE;
  rule.a = 8;
  seen = tune();
  assert_true(seen.rejected > 0);
  assert_int_equal(seen.of_a[8], 0);
  assert_true(seen.of_a[4] > 0);
  assert_null(strstr(stored.result.winner, "A=8"));
  expect_note("rejected 4 candidates before they were built");
  assert_true(rule.calls[HONE_STAGE_BUILD] <= rule.calls[HONE_STAGE_GENERATE] - 4);
  drop_run();
}

static void test_filters_after_the_build(void **state)
{
  struct seen seen;

  (void)state;
  rule.stage = HONE_STAGE_BUILD;
  rule.mode = "safe";
  seen = tune();
  assert_true(seen.rejected > 0);
  assert_null(strstr(stored.result.winner, "safe"));
  expect_note("after they were built");
  drop_run();
}

static void test_filters_before_the_confirmation(void **state)
{
  struct seen seen;

  (void)state;
  rule.stage = HONE_STAGE_SCREEN;
  rule.mode = "fast";
  seen = tune();
  assert_int_equal(seen.rejected, 0); /* their times stay */
  assert_int_equal(rule.times_seen, rule.filtered);
  if (stored.result.winner) assert_null(strstr(stored.result.winner, "fast"));
  expect_note("before the confirmation");
  drop_run();
}

static void test_nothing_is_left_to_confirm(void **state)
{
  (void)state;
  rule.stage = HONE_STAGE_SCREEN;
  rule.all = true;
  tune();
  assert_int_equal(stored.result.verdict, HONE_VERDICT_INCONCLUSIVE);
  assert_string_equal(stored.result.why, "the host's filter rejected every candidate that works");
  drop_run();
  rule = (struct rule){.stage = HONE_STAGE_GENERATE, .all = true};
  tune();
  assert_int_equal(stored.result.verdict, HONE_VERDICT_INCONCLUSIVE);
  assert_string_equal(stored.result.why, "the host's filter rejected every candidate that works");
  drop_run();
}

static void test_rejections_count_for_no_budget(void **state)
{
  struct seen seen;

  (void)state;
  rule.stage = HONE_STAGE_GENERATE;
  rule.mode = "safe";
  options.evaluations = 5;
  options.strategy = "exhaustive";
  seen = tune();
  assert_int_equal(seen.ok + seen.other, 5);
  assert_true(seen.rejected > 0);
  drop_run();
}

/* Later runs measure what was only rejected. */
static void test_a_rejection_is_not_reused(void **state)
{
  struct seen seen;

  (void)state;
  rule.stage = HONE_STAGE_BUILD;
  rule.a = 4;
  tune();
  drop_run();
  options.stages = NULL;
  seen = tune();
  assert_int_equal(seen.rejected, 0);
  assert_true(seen.of_a[4] > 0);
  drop_run();
}

static void test_a_finished_run_does_not_answer_for_another_filter(void **state)
{
  struct seen seen;
  int64_t first;

  (void)state;
  rule.stage = HONE_STAGE_GENERATE;
  rule.a = 8;
  tune();
  first = stored.record.id;
  drop_run();
  rule.a = 4;
  seen = tune();
  assert_int_not_equal(stored.record.id, first);
  assert_int_equal(seen.of_a[4], 0);
  assert_true(seen.of_a[8] > 0);
  drop_run();
}

/* ---- Ranks ---- */

static void test_keeps_the_best_of_a_ranking(void **state)
{
  struct seen seen;

  (void)state;
  rule.stage = HONE_STAGE_GENERATE;
  rule.a = 8;
  stages.rank = rank;
  stages.keep = 4;
  seen = tune();
  assert_string_equal(stored.record.strategy, "selected");
  assert_int_equal(rule.calls[HONE_STAGE_GENERATE], 22); /* once for each */
  assert_int_equal(seen.ok + seen.other + seen.rejected, 4);
  assert_int_equal(seen.of_a[4], seen.ok);
  expect_note("the host's ranking kept 4 of 18 configurations; its filter rejected 4");
  drop_run();
}

static void test_no_configuration_is_left(void **state)
{
  struct hone_tuning *tuning = NULL;
  hone_status status;

  (void)state;
  rule.stage = HONE_STAGE_GENERATE;
  rule.all = true;
  stages.rank = rank;
  stages.keep_share = 0.5;
  status = hone_tune(spec, &options, &tuning);
  assert_non_null(status);
  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  assert_non_null(
      strstr(hone_status_message(status), "the host's filter rejects all 22 of 'tiny'"));
  hone_status_free(status);
  hone_tuning_free(tuning);
}

static void test_ranks_finalists(void **state)
{
  (void)state;
  stages.filter = NULL;
  stages.rank = rank;
  options.top = 1;
  rule.first = "A=2,B=10,MODE=fast"; /* others have better times */
  tune();
  assert_string_equal(stored.result.winner, "A=2,B=10,MODE=fast");
  drop_run();
}

#define STAGE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      STAGE_TEST(test_filters_before_the_build),
      STAGE_TEST(test_filters_after_the_build),
      STAGE_TEST(test_filters_before_the_confirmation),
      STAGE_TEST(test_nothing_is_left_to_confirm),
      STAGE_TEST(test_rejections_count_for_no_budget),
      STAGE_TEST(test_a_rejection_is_not_reused),
      STAGE_TEST(test_a_finished_run_does_not_answer_for_another_filter),
      STAGE_TEST(test_keeps_the_best_of_a_ranking),
      STAGE_TEST(test_no_configuration_is_left),
      STAGE_TEST(test_ranks_finalists),
  };
  int status = worker_status(argc, argv);

  if (status >= 0) return status;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
