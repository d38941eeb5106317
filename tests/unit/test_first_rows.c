/* The configurations that a search starts with: of the user, and the best of earlier runs. */
#include "opened_tuning.h"

#include "tune/first_rows.h"

static const double times_ms[] = {2.0, 2.4, 1.0, 1.9, 0, 2.2};

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_recording(times_ms, sizeof times_ms / sizeof *times_ms);
  return 0;
}

static hone_status open_with(struct opened *opened, const char *const *configs, size_t count,
                             const char *lines)
{
  opened->options = sim_options();
  opened->options.seed_configs = configs;
  opened->options.seed_config_count = count;
  return try_open(opened, lines);
}

static void given_configurations_are_read_once(void **state)
{
  static const char *const configs[] = {"K=5", "K=3", "K=5"};
  struct opened opened = {0};
  const struct hone__first_rows *first = &opened.tuning.search.first;

  (void)state;
  assert_null(open_with(&opened, configs, 3, ""));
  assert_int_equal(first->count, 2);
  assert_int_equal(first->rows[1], 5); /* a row begins with its group */
  assert_int_equal(first->rows[3], 3);
  release_opened(&opened);
}

static void wrong_ones_are_refused_with_the_reason(void **state)
{
  static const struct {
    const char *config, *lines, *part;
  } cases[] = {
      {"K=77", "", "'K=77' cannot be a starting configuration: "},
      {"M=1", "", "M"},
      {"K=3", "constraints: [K % 2 == 0]\n", "K % 2 == 0 is not true"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct opened opened = {0};
    hone_status status = open_with(&opened, &cases[i].config, 1, cases[i].lines);
    assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
    expect_part(hone_status_message(status), cases[i].part);
    hone_status_free(status);
    release_opened(&opened);
  }
}

/* ---- Earlier runs ---- */

static void recall(struct opened *opened, const char *lines)
{
  struct hone_store *store = NULL;
  hone_status status;

  opened->options = sim_options();
  opened->options.no_warm_start = false;
  open_tuning(opened, lines);
  assert_null(hone__identity_make(&opened->tuning.session));
  assert_null(hone__store_open(getenv("HONE_STORE"), false, &store));
  status = hone__first_rows_recall(&opened->tuning, store);
  if (status) fail_msg("%s", hone_status_message(status));
  hone__store_close(store);
}

static void nothing_is_recalled_from_an_empty_store(void **state)
{
  struct opened opened = {0};

  (void)state;
  recall(&opened, "");
  assert_int_equal(opened.tuning.search.before.count, 0);
  release_opened(&opened);
}

/* A run with another size: its best is the first, and what it cannot have is left out. */
static void the_best_of_earlier_runs_come_first(void **state)
{
  struct hone_tune_options options = sim_options();
  struct opened opened = {0};
  const struct hone__first_rows *before = &opened.tuning.search.before;
  struct hone__text text = {0};

  (void)state;
  options.no_confirm = true;
  tune("problem: {M: 64}\n", &options);
  recall(&opened, "problem: {M: 128}\n");
  assert_true(before->count > 0);
  assert_int_equal(before->rows[1], 2);
  hone__first_rows_describe(&opened.tuning, &text);
  expect_part(text.data, "best in earlier runs (M=64");
  hone__text_release(&text);
  release_opened(&opened);
  opened = (struct opened){0};
  recall(&opened, "problem: {M: 128}\nconstraints: [K != 2]\n");
  assert_true(before->count > 0);
  for (size_t i = 0; i < before->count; i++)
    assert_int_not_equal(before->rows[2 * i + 1], 2);
  release_opened(&opened);
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(given_configurations_are_read_once),
      TEST(wrong_ones_are_refused_with_the_reason),
      TEST(nothing_is_recalled_from_an_empty_store),
      TEST(the_best_of_earlier_runs_come_first),
  };
  int status = worker_status(argc, argv);

  return status >= 0 ? status : cmocka_run_group_tests_name("first_rows", tests, NULL, NULL);
}
