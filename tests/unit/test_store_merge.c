/* Saved baselines, and stores that are merged into one. */
#include "stores.h"

#include <unistd.h>

/* ---- Saved baselines ---- */

static int64_t begin_problem(struct hone_store *store, const char *key, const char *name,
                             const char *problem)
{
  struct hone__store_run_record run = some_run(key);
  bool resumed;

  run.name = name;
  run.problem = problem;
  assert_null(hone__store_run_begin(store, &run, &resumed));
  return run.id;
}

static void expect_saved(const char *expected)
{
  struct hone_store *store = open_store(true);
  struct hone_baseline_list *list;
  struct hone__text text = {0};

  assert_null(hone_store_baselines(store, &list));
  for (size_t i = 0; i < hone_baseline_list_count(list); i++)
    hone__text_addf(&text, "%s=%d ", hone_baseline_list_name(list, i),
                    (int)hone_baseline_list_run(list, i));
  assert_string_equal(text.data ? text.data : "", expected);
  assert_null(hone_baseline_list_name(list, hone_baseline_list_count(list)));
  hone__text_release(&text);
  hone_baseline_list_free(list);
  hone__store_close(store);
}

static void a_name_stands_for_a_run_of_each_problem(void **state)
{
  struct hone_store *store = open_store(false);
  size_t replaced = 9;

  (void)state;
  begin_problem(store, "1", "k", "n=1");
  begin_problem(store, "2", "k", "n=2");
  begin_problem(store, "3", "k", "n=1");
  begin_problem(store, "4", "other", NULL);
  begin_problem(store, "5", "other", NULL);
  hone__store_close(store);
  expect_saved("");
  assert_null(hone_store_save_baseline(file, "main", (int64_t[]){1, 2}, 2, &replaced));
  assert_int_equal(replaced, 0);
  assert_null(hone_store_save_baseline(file, "main", (int64_t[]){4, 5}, 2, NULL));
  assert_null(hone_store_save_baseline(file, "branch", (int64_t[]){1}, 1, NULL));
  expect_saved("branch=1 main=1 main=2 main=4 main=5 ");
  assert_null(hone_store_save_baseline(file, "main", (int64_t[]){3}, 1, &replaced));
  assert_int_equal(replaced, 1);
  assert_null(hone_store_save_baseline(file, "main", (int64_t[]){4}, 1, &replaced));
  assert_int_equal(replaced, 2);
  expect_saved("branch=1 main=2 main=3 main=4 ");
}

static void what_has_a_name_is_not_deleted(void **state)
{
  struct hone_store *store = open_store(false);

  (void)state;
  begin(store, "1");
  begin(store, "2");
  hone__store_close(store);
  assert_null(hone_store_save_baseline(file, "main", (int64_t[]){2}, 1, NULL));
  expect(hone_store_delete_runs(file, (int64_t[]){1, 2}, 2), HONE_INVALID_ARGUMENT,
         "run 2 is saved as the baseline 'main'");
  expect_answer("SELECT count(*) FROM runs", "2");
  expect(hone_store_forget_baseline(file, "nobody"), HONE_NOT_FOUND, "'nobody'");
  assert_null(hone_store_forget_baseline(file, "main"));
  expect_saved("");
  assert_null(hone_store_delete_runs(file, (int64_t[]){1, 2}, 2));
  expect_answer("SELECT count(*) FROM runs", "0");
}

static void names_of_runs_and_files_are_refused(void **state)
{
  static const char *const names[] = {"", "12", "last", "a.csv", "../x", "-v", "a b", "\033"};
  struct hone_store *store = open_store(false);

  (void)state;
  begin(store, "1");
  hone__store_close(store);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    expect(hone_store_save_baseline(file, names[i], (int64_t[]){1}, 1, NULL), HONE_INVALID_ARGUMENT,
           "cannot be the name of a baseline");
  assert_null(hone_store_save_baseline(file, "v1-2_a:b@c+d", (int64_t[]){1}, 1, NULL));
}

/* ---- Merging stores ---- */

static void put(struct hone_store *store, int64_t run, const char *config, int64_t same_as,
                int64_t reused_from, int64_t *out_id)
{
  const struct hone__samples samples = {.phase = HONE_PHASE_SCREEN, .times_ns = times, .count = 2};
  struct hone__evaluation evaluation = some_evaluation(config);

  evaluation.same_as = same_as;
  evaluation.reused_from = reused_from;
  evaluation.samples = &samples;
  evaluation.sample_count = 1;
  assert_null(hone__store_evaluation_put(store, run, &evaluation));
  if (out_id) *out_id = evaluation.id;
}

static void expect_merged(const char *from, uint64_t added, uint64_t grown, uint64_t known)
{
  struct hone_store *store = open_store(false);
  struct hone__store_merged merged;

  assert_null(hone__store_merge(store, from, &merged));
  assert_int_equal(merged.added, added);
  assert_int_equal(merged.grown, grown);
  assert_int_equal(merged.known, known);
  hone__store_close(store);
}

/* References point to the same configurations as before; nothing is there twice. */
static const char references[] = "SELECT group_concat(a.config || '<' || b.config, ' ') FROM "
                                 "evaluations AS a JOIN evaluations "
                                 "AS b ON b.id = a.same_as OR b.id = a.reused_from";

static void stores_are_merged(void **state)
{
  struct hone__store_run_result finish = {.state = HONE_RUN_FINISHED,
                                          .speedup = NAN,
                                          .low = NAN,
                                          .high = NAN,
                                          .confidence = NAN,
                                          .drift = NAN,
                                          .wall_s = 1};
  struct hone_store *store = open_store(false), *other;
  int64_t run = begin(store, "k"), old, first, second;
  char from[120];

  (void)state;
  put(store, run, "A=9", 0, 0, NULL);
  assert_null(hone__store_run_finish(store, run, &finish));
  hone__store_close(store);
  snprintf(from, sizeof from, "%s/other.db", folder);
  assert_null(hone__store_open(from, false, &other));
  first = begin(other, "k");
  put(other, first, "A=1", 0, 0, &old);
  assert_null(hone__store_log(other, first, "a line"));
  put_jobs(other, first, 1);
  finish.devices = "{\"elsewhere\": [{\"run\": 1, \"config\": \"A=1\"}]}";
  assert_null(hone__store_run_finish(other, first, &finish));
  second = begin(other, "l");
  put(other, second, "A=2", 0, old, &old);
  put(other, second, "A=3", old, 0, NULL);

  expect_merged(from, 2, 0, 0);
  expect_merged(from, 0, 0, 2);
  expect_merged(file, 0, 0, 0);
  expect_answer("SELECT group_concat(run || config, ' ') FROM evaluations", "1A=9 2A=1 3A=2 3A=3");
  expect_answer("SELECT count(*) FROM samples", "4");
  expect_answer("SELECT group_concat(run || line) FROM log", "2a line");
  expect_answer("SELECT group_concat(jobs.run || name || phase, ' ') FROM jobs JOIN workers"
                " ON workers.run = jobs.run AND workers.number = jobs.worker",
                "2gpu1/sim:0joined 2gpu1/sim:0screen 2builder 1build");
  expect_answer(references, "A=2<A=1 A=3<A=2");
  expect_answer("SELECT json_extract(devices, '$.elsewhere[0].run') FROM runs WHERE id = 2", "2");

  put(other, second, "A=4", 0, 0, NULL); /* it goes on */
  hone__store_close(other);
  expect_merged(from, 0, 1, 1);
  expect_answer("SELECT group_concat(run || config, ' ') FROM evaluations",
                "1A=9 2A=1 3A=2 3A=3 3A=4");
  expect_answer(references, "A=2<A=1 A=3<A=2");
  expect_answer("SELECT count(*) FROM samples", "5");
  expect_answer("SELECT count(*) FROM pragma_foreign_key_check", "0");
}

static const char names[] =
    "SELECT group_concat(name || run, ' ') FROM (SELECT * FROM saved_baselines ORDER BY run, name)";

/* Those of a run that is copied anew are kept; a name that both have stays with the run that it has
 * here. */
static void names_of_baselines_are_merged(void **state)
{
  struct hone_store *store = open_store(false), *other;
  int64_t run = begin(store, "k"), first;
  char from[120];

  (void)state;
  put(store, run, "A=9", 0, 0, NULL);
  hone__store_close(store);
  snprintf(from, sizeof from, "%s/other.db", folder);
  assert_null(hone__store_open(from, false, &other));
  first = begin(other, "k");
  put(other, first, "A=1", 0, 0, NULL);
  assert_null(hone_store_save_baseline(file, "both", &run, 1, NULL));
  assert_null(hone_store_save_baseline(from, "both", &first, 1, NULL));
  assert_null(hone_store_save_baseline(from, "theirs", &first, 1, NULL));

  expect_merged(from, 1, 0, 0);
  expect_answer(names, "both1 theirs2");
  assert_null(hone_store_save_baseline(file, "ours", (int64_t[]){2}, 1, NULL));
  put(other, first, "A=2", 0, 0, NULL);
  hone__store_close(other);
  expect_merged(from, 0, 1, 0);
  expect_answer(names, "both1 ours2 theirs2");
}

static void what_is_no_store_is_not_merged(void **state)
{
  struct hone_store *store = open_store(false);
  struct hone__store_merged merged;
  char from[120];
  FILE *foreign;

  (void)state;
  snprintf(from, sizeof from, "%s/foreign", folder);
  foreign = fopen(from, "w");
  fputs("not a store, but a text that is long enough to be read as the header of a file\n",
        foreign);
  fclose(foreign);
  expect(hone__store_merge(store, from, &merged), HONE_INVALID_ARGUMENT, from);
  snprintf(from, sizeof from, "%s/missing", folder);
  expect(hone__store_merge(store, from, &merged), HONE_NOT_FOUND, from);
  hone__store_close(store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_open_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(a_name_stands_for_a_run_of_each_problem), TEST(what_has_a_name_is_not_deleted),
      TEST(names_of_runs_and_files_are_refused),     TEST(stores_are_merged),
      TEST(names_of_baselines_are_merged),           TEST(what_is_no_store_is_not_merged),
  };

  return cmocka_run_group_tests_name("store_merge", tests, NULL, NULL);
}
