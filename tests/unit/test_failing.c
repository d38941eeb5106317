/* Builds that all fail alike end a run, with the compiler's own words. */
#include "opened_tuning.h"

#include "session/failing.h"

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_equal_times(30);
  return 0;
}

/* A build of K=k that ends so; the same evidence for each. */
static void note(struct opened *opened, uint32_t k, enum hone_outcome outcome, const char *evidence)
{
  struct hone__candidate *candidate = candidate_of(opened, k);

  candidate->evaluation.outcome = outcome;
  candidate->evaluation.evidence = evidence;
  hone__failing_note(candidate);
  hone__candidate_free(candidate);
}

static void note_many(struct opened *opened, uint32_t from, uint32_t count, const char *evidence)
{
  for (uint32_t k = from; k < from + count; k++)
    note(opened, k, HONE_OUTCOME_COMPILE_ERROR, evidence);
}

static hone_status failure_of(const struct opened *opened)
{
  return opened->tuning.session.control.failure;
}

static void release(struct opened *opened)
{
  hone_status_free(opened->tuning.session.control.failure);
  opened->tuning.session.control.failure = NULL;
  release_opened(opened);
}

static void ten_equal_failures_end_the_run(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  open_tuning(&opened, "");
  note_many(&opened, 1, 9, "k.c:3: error: no such thing");
  assert_null(failure_of(&opened));
  note_many(&opened, 10, 1, "k.c:3: error: no such thing");
  assert_int_equal(hone_status_code(failure_of(&opened)), HONE_UNAVAILABLE);
  expect_part(hone_status_message(failure_of(&opened)), "the first 10 builds failed");
  expect_part(hone_status_message(failure_of(&opened)), "K=10: k.c:3: error: no such thing");
  assert_true(opened.tuning.session.control.aborting);
  release(&opened);
}

/* One that works, or fails otherwise, shows that they are not all alike. */
static void another_end_stops_the_watch(void **state)
{
  static const struct {
    enum hone_outcome outcome;
    const char *evidence;
  } others[] = {{HONE_OUTCOME_OK, ""},
                {HONE_OUTCOME_COMPILE_TIMEOUT, "k.c:3: error: no such thing"},
                {HONE_OUTCOME_COMPILE_ERROR, "k.c:9: error: quite another thing"}};

  (void)state;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    struct opened opened = {.options = sim_options()};
    open_tuning(&opened, "");
    note_many(&opened, 1, 5, "k.c:3: error: no such thing");
    note(&opened, 6, others[i].outcome, others[i].evidence);
    note_many(&opened, 7, 12, "k.c:3: error: no such thing");
    assert_null(failure_of(&opened));
    release(&opened);
  }
}

static void a_baseline_that_works_does_not_count(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  open_tuning(&opened, "");
  note(&opened, 0, HONE_OUTCOME_OK, "");
  note_many(&opened, 1, 10, "error: no such thing");
  assert_non_null(failure_of(&opened));
  release(&opened);
}

static void the_user_may_insist(void **state)
{
  struct opened opened = {.options = sim_options()};

  (void)state;
  opened.options.keep_going = true;
  open_tuning(&opened, "");
  note_many(&opened, 1, 20, "error: no such thing");
  assert_null(failure_of(&opened));
  release(&opened);
}

/* The whole error, if the evidence is only its first line. */
static void the_compilers_words_are_complete(void **state)
{
  struct opened opened = {.options = sim_options()};
  struct hone__candidate *candidate;
  struct hone__text text = {0};

  (void)state;
  open_tuning(&opened, "");
  candidate = candidate_of(&opened, 1);
  candidate->evaluation.evidence = "k.c:3:1: error: unknown type name 'flaot'";
  hone__failing_print(candidate, &text);
  assert_string_equal(text.data, "k.c:3:1: error: unknown type name 'flaot'");
  text.length = 0;
  candidate->evaluation.output = "{\"build_output\": \"k.c:3:1: error: unknown type name "
                                 "'flaot'\\n    3 | flaot x;\\n      | ^~~~~\\n\"}";
  hone__failing_print(candidate, &text);
  expect_part(text.data, "error: unknown type name 'flaot'\n    3 | flaot x;");
  text.length = 0;
  candidate->evaluation.output = "not JSON";
  hone__failing_print(candidate, &text);
  assert_string_equal(text.data, "k.c:3:1: error: unknown type name 'flaot'");
  hone__text_release(&text);
  hone__candidate_free(candidate);
  release(&opened);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(ten_equal_failures_end_the_run),       TEST(another_end_stops_the_watch),
      TEST(a_baseline_that_works_does_not_count), TEST(the_user_may_insist),
      TEST(the_compilers_words_are_complete),
  };

  return cmocka_run_group_tests_name("failing", tests, NULL, NULL);
}
