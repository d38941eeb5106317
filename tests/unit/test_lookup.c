/* What the store knows to be best. */
#include "folder.h"
#include "hone_results.h"
#include "store/store.h"

#include <math.h>

static struct hone_store *store;

static int open_store(void **state)
{
  if (make_folder(state)) return -1;
  assert_null(hone__store_open(path_of("s.db"), false, &store));
  return 0;
}

static int close_store(void **state)
{
  hone__store_close(store);
  return remove_folder(state);
}

struct told {
  const char *name, *problem, *device;
  enum hone_run_state state;
  enum hone_verdict verdict;
  const char *winner;
};

/* `suspicious`: why the winner's time is; NULL: it is not. */
static int64_t add_doubtful_run(const struct told *told, const char *suspicious)
{
  static int number;
  char key[32];
  struct hone__store_run_record run = {.key = key,
                                       .name = told->name,
                                       .spec = "/t.yaml",
                                       .problem = told->problem,
                                       .host = "h",
                                       .driver_pid = 1,
                                       .is_locked = true};
  struct hone__evaluation evaluation = {
      .config = "BM=16", .is_baseline = true, .device = told->device, .time_ns = 5, .mesh_idx = -1};
  const struct hone__store_run_result result = {.state = told->state,
                                                .verdict = told->verdict,
                                                .baseline = "BM=16,ALGO=direct",
                                                .winner = told->winner,
                                                .speedup = 1.5,
                                                .low = 1.4,
                                                .high = 1.6};
  bool resumed;

  snprintf(key, sizeof key, "key %d", number++);
  assert_null(hone__store_run_begin(store, &run, &resumed));
  assert_null(hone__store_evaluation_put(store, run.id, &evaluation));
  if (suspicious) {
    evaluation = (struct hone__evaluation){.config = told->winner,
                                           .device = told->device,
                                           .time_ns = 1,
                                           .suspicious = suspicious,
                                           .mesh_idx = -1};
    assert_null(hone__store_evaluation_put(store, run.id, &evaluation));
  }
  assert_null(hone__store_run_finish(store, run.id, &result));
  return run.id;
}

static int64_t add_run(const struct told *told)
{
  return add_doubtful_run(told, NULL);
}

static void expect_missing(const char *kernel, const char *problem, const char *device,
                           const char *part)
{
  struct hone_found *found;
  hone_status status = hone_store_lookup(store, kernel, problem, device, &found);

  assert_non_null(status);
  assert_null(found);
  if (!strstr(hone_status_message(status), part))
    print_message("%s\n", hone_status_message(status));
  assert_non_null(strstr(hone_status_message(status), part));
  hone_status_free(status);
}

static void test_a_suspicious_winner_proves_nothing(void **state)
{
  (void)state;
  add_doubtful_run(
      &(struct told){"gemm", "M=64", "c", HONE_RUN_FINISHED, HONE_VERDICT_IMPROVED, "BM=64"},
      "faster than the memory allows");
  expect_missing("gemm", "M=64", NULL, "the time of its winner is suspicious");
}

static struct hone_found *look_up(const char *problem, const char *device)
{
  struct hone_found *found = NULL;

  assert_null(hone_store_lookup(store, "gemm", problem, device, &found));
  return found;
}

static void test_finds_the_winner(void **state)
{
  int64_t run =
      add_run(&(struct told){"gemm", "M=64", "c:0", HONE_RUN_FINISHED, HONE_VERDICT_IMPROVED,
                             "BM=64,SCALE=0.5,ON=True,ALGO=packed,NOTE='a,b',ODD=1e-05,NO=None"});
  struct hone_found *found = look_up("M=64", "c:0");
  struct hone_value value;
  double low, high;

  (void)state;
  assert_int_equal(hone_found_run(found), run);
  assert_int_equal(hone_found_verdict(found), HONE_VERDICT_IMPROVED);
  assert_true(hone_found_speedup(found, &low, &high) == 1.5);
  assert_true(low == 1.4 && high == 1.6);
  assert_string_equal(hone_found_device(found), "c:0");
  assert_int_equal(hone_found_param_count(found), 7);
  assert_string_equal(hone_found_param_name(found, 0), "BM");
  assert_null(hone_found_param_name(found, 7));
  assert_int_equal(hone_found_param(found, 7).type, HONE_NONE);
  assert_int_equal(hone_found_param(found, 0).integer, 64);
  assert_true(hone_found_value(found, "SCALE", &value));
  assert_true(value.type == HONE_FLOAT && value.real == 0.5);
  assert_true(hone_found_value(found, "ON", &value));
  assert_true(value.type == HONE_BOOL && value.integer == 1);
  assert_true(hone_found_value(found, "NOTE", &value));
  assert_string_equal(value.text, "a,b");
  assert_true(hone_found_value(found, "ODD", &value));
  assert_true(value.type == HONE_FLOAT && value.real == 1e-05);
  assert_true(hone_found_value(found, "NO", &value));
  assert_int_equal(value.type, HONE_NONE);
  assert_false(hone_found_value(found, "NOTHING", &value));
  hone_found_free(found);
}

static void test_no_improvement_gives_the_baseline(void **state)
{
  struct hone_found *found;
  double low, high;

  (void)state;
  add_run(&(struct told){"gemm", "M=65", "c:0", HONE_RUN_FINISHED, HONE_VERDICT_NO_IMPROVEMENT,
                         "BM=32"});
  found = look_up("M=65", NULL);
  assert_string_equal(hone_found_config(found), "BM=16,ALGO=direct");
  assert_true(hone_found_speedup(found, &low, &high) == 1);
  assert_true(isnan(low) && isnan(high));
  hone_found_free(found);
}

static void test_takes_the_newest_that_proves_something(void **state)
{
  struct hone_found *found;
  int64_t wanted;

  (void)state;
  add_run(&(struct told){"gemm", "", "c:0", HONE_RUN_FINISHED, HONE_VERDICT_IMPROVED, "BM=1"});
  wanted =
      add_run(&(struct told){"gemm", "", "c:0", HONE_RUN_FINISHED, HONE_VERDICT_IMPROVED, "BM=2"});
  add_run(&(struct told){"gemm", "", "c:0", HONE_RUN_FINISHED, HONE_VERDICT_INCONCLUSIVE, "BM=3"});
  add_run(&(struct told){"gemm", "", "c:0", HONE_RUN_INTERRUPTED, HONE_VERDICT_IMPROVED, "BM=4"});
  add_run(&(struct told){"gemm", "", "c:1", HONE_RUN_FINISHED, HONE_VERDICT_IMPROVED, "BM=5"});
  found = look_up(NULL, "c:0");
  assert_int_equal(hone_found_run(found), wanted);
  assert_string_equal(hone_found_config(found), "BM=2");
  hone_found_free(found);
  found = look_up("", NULL);
  assert_string_equal(hone_found_config(found), "BM=5");
  hone_found_free(found);
}

static void test_takes_sizes_in_any_order(void **state)
{
  static const char *const same[] = {"M=8 N=16 K=4", "N=16 K=4 M=8", "K=4,M=8,N=16",
                                     "M=8, N=16, K=4"};
  static const char *const others[] = {"M=8 N=16",     "M=8 N=16 K=4 L=1", "M=8 N=16 K=5",
                                       "M=16 N=8 K=4", "M=8 M=8 K=4",      "M=8 N=16 K=44"};
  int64_t run = add_run(&(struct told){"gemm", "M=8 N=16 K=4", "c", HONE_RUN_FINISHED,
                                       HONE_VERDICT_IMPROVED, "BM=2"});

  (void)state;
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    struct hone_found *found = look_up(same[i], "c");
    assert_int_equal(hone_found_run(found), run);
    hone_found_free(found);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    expect_missing("gemm", others[i], NULL, "is for the problem");
}

static void test_says_what_is_missing(void **state)
{
  (void)state;
  expect_missing("other", "M=64", NULL, "the store has no finished run of 'other'");
  expect_missing("gemm", "M=6", NULL, "is for the problem 'M=6'");
  expect_missing("gemm", "M=64", "cuda:0", "was made on 'cuda:0'");
  expect_missing(NULL, "", NULL, "needs the name of a kernel");
  add_run(&(struct told){"noisy", "", "c:0", HONE_RUN_FINISHED, HONE_VERDICT_INCONCLUSIVE, NULL});
  expect_missing("noisy", "", "c:0", "its verdict is INCONCLUSIVE");
  hone_found_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_suspicious_winner_proves_nothing),
      cmocka_unit_test(test_finds_the_winner),
      cmocka_unit_test(test_no_improvement_gives_the_baseline),
      cmocka_unit_test(test_takes_the_newest_that_proves_something),
      cmocka_unit_test(test_takes_sizes_in_any_order),
      cmocka_unit_test(test_says_what_is_missing),
  };
  return cmocka_run_group_tests(tests, open_store, close_store);
}
