/* The winners of runs as a tuning spec: all of it comes from the store. */
#include "hone_iree.h"
#include "stored_run.h"

static const char settings[] = "{\"settings\": \"iree:\\n  matcher_name: mm\\n  matcher: |\\n"
                               "    %a = transform.iree.match.cast_compatible_type %arg0\\n\"}";
static const char output[] =
    "{\"texts\": {\"compilation_info\": \"#iree_codegen.compilation_info<x>\"}}";

static int begin(void **state)
{
  static struct stored_run stored;

  if (make_folder(state)) return -1;
  stored = (struct stored_run){0};
  *state = &stored;
  return 0;
}

static int end(void **state)
{
  close_stored(*state);
  return remove_folder(state);
}

/* A run of an operation; NULL: it has no winner, or the winner's texts were not kept. */
static void put_run(struct stored_run *stored, const char *options, const char *winner,
                    const char *kept)
{
  struct hone__store_run_record run = stored_record();
  struct hone__evaluation evaluation = evaluated("A=1", HONE_OUTCOME_OK, 500, NULL);
  char key[32];

  snprintf(key, sizeof key, "k%lld", (long long)stored->run);
  run.key = key;
  run.options = options;
  begin_stored(stored, run);
  evaluation.output = kept;
  put_stored(stored, evaluation);
  finish_stored(stored, &(struct hone__store_run_result){
                            .state = HONE_RUN_FINISHED,
                            .verdict = winner ? HONE_VERDICT_IMPROVED : HONE_VERDICT_INCONCLUSIVE,
                            .winner = winner});
}

static void expect_refusal(struct stored_run *stored, enum hone_code code, const char *part)
{
  char *text = NULL;
  hone_status status = hone_iree_export(stored->store, &stored->run, 1, &text);

  if (!status) fail_msg("no error, but '%s' is expected", part);
  if (!strstr(hone_status_message(status), part)) fail_msg("%s", hone_status_message(status));
  assert_int_equal(hone_status_code(status), code);
  assert_null(text);
  hone_status_free(status);
}

static void winners_become_a_spec(void **state)
{
  struct stored_run *stored = *state;
  int64_t runs[2];
  char *text = NULL;

  put_run(stored, settings, "A=1", output);
  runs[0] = stored->run;
  put_run(stored, settings, "A=1", output);
  runs[1] = stored->run;
  assert_null(hone_iree_export(stored->store, runs, 2, &text));
  assert_non_null(strstr(text, "iree_codegen.tuning_spec_with_default_entrypoint"));
  assert_non_null(strstr(text, "transform.iree.match.cast_compatible_type"));
  assert_non_null(strstr(text, "#iree_codegen.compilation_info<x>"));
  if (!strstr(text, "@match_mm(") || !strstr(text, "@match_mm_0(")) fail_msg("%s", text);
  free(text);
}

static void without_a_winner_there_is_nothing_to_export(void **state)
{
  struct stored_run *stored = *state;

  put_run(stored, settings, NULL, output);
  expect_refusal(stored, HONE_NOT_FOUND, "has no winner (INCONCLUSIVE): nothing to export");
}

static void other_runs_have_no_matcher(void **state)
{
  static const char *const options[] = {"{}", "not JSON", "{\"settings\": \"a: [\"}",
                                        "{\"settings\": \"iree: 3\\n\"}", NULL};
  struct stored_run *stored = *state;

  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    put_run(stored, options[i], "A=1", output);
    expect_refusal(stored, HONE_INVALID_ARGUMENT, "did not tune an IREE operation");
  }
}

static void texts_that_were_not_kept_are_missed(void **state)
{
  static const char *const kept[] = {NULL, "{}", "not JSON", "{\"texts\": {}}"};
  struct stored_run *stored = *state;

  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    put_run(stored, settings, "A=1", kept[i]);
    expect_refusal(stored, HONE_NOT_FOUND, "was not stored: tune it again");
  }
  put_run(stored, settings, "A=2", output); /* no evaluation of it */
  expect_refusal(stored, HONE_NOT_FOUND, "was not stored: tune it again");
}

static void a_run_that_is_not_there_is_an_error(void **state)
{
  struct stored_run *stored = *state;

  put_run(stored, settings, "A=1", output);
  stored->run = 99;
  expect_refusal(stored, HONE_NOT_FOUND, "no run 99");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(winners_become_a_spec),
      TEST(without_a_winner_there_is_nothing_to_export),
      TEST(other_runs_have_no_matcher),
      TEST(texts_that_were_not_kept_are_missed),
      TEST(a_run_that_is_not_there_is_an_error),
  };

  return cmocka_run_group_tests_name("iree_export", tests, NULL, NULL);
}
