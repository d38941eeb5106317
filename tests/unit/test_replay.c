/* Replays on recordings that are made here, whose figures can be worked out by hand, and on the two
 * small files of tests/data/replay, whose times a formula gave. */
#include "folder.h"
#include "hone.h"
#include "hone_replay.h"
#include "replay/replay_result.h"
#include "replay/replay.h"
#include "replay/replay_cell.h"
#include "replay/replay_files.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char bowl[] = "tests/data/replay/synthetic_bowl.json";
static const char ridge[] = "tests/data/replay/synthetic_ridge.json.gz";

/* ---- Recordings of one parameter ---- */

/* NaN is a failure. */
static struct hone__recording *record(const double *times_ms, const double *costs_s, size_t count)
{
  struct hone__recording *recording = hone__alloc(sizeof *recording);
  const char *files[] = {path_of("space.yaml")};
  struct hone_spec_options options;
  struct hone_space_options space_options;
  char text[64];

  snprintf(text, sizeof text, "params: {A: range(%zu)}\n", count);
  write_text("space.yaml", text);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  hone_space_options_init(&space_options);
  recording->path = "made";
  assert_null(hone_spec_load(&options, &recording->spec));
  assert_null(hone_space_build(recording->spec, &space_options, &recording->space));
  recording->at = hone__alloc(count * sizeof *recording->at);
  recording->count = count;
  for (size_t i = 0; i < count; i++) {
    bool works = !isnan(times_ms[i]);
    recording->at[i] =
        (struct hone__recorded){.time_ms = times_ms[i],
                                .cost_s = costs_s ? costs_s[i] : 1,
                                .outcome = works ? HONE_OUTCOME_OK : HONE_OUTCOME_COMPILE_ERROR};
    recording->working += works;
  }
  return recording;
}

static void forget(struct hone__recording *recording)
{
  hone_space_free(recording->space);
  hone_spec_free(recording->spec);
  free(recording->at);
  free(recording);
}

/* Times 99, 98 ... 1 ms, two seconds each. */
static struct hone__recording *record_99(void)
{
  double times[99], costs[99];

  for (int i = 0; i < 99; i++) {
    times[i] = 99 - i;
    costs[i] = 2;
  }
  return record(times, costs, 99);
}

static void expect_near(double expected, double got)
{
  if (!(fabs(expected - got) < 1e-9)) fail_msg("expected %.12g, got %.12g", expected, got);
}

/* ---- The metric ---- */

static void test_scale(void **state)
{
  struct hone__recording *recording = record_99();
  struct hone__score_scale scale;

  (void)state;
  hone__score_scale(recording, &scale);
  assert_int_equal(scale.count, 99);
  expect_near(1, scale.best_ms);
  expect_near(50, scale.median_ms);
  expect_near(2, scale.evaluation_s);
  /* 1 %: 49.51 ms, which 49 ms is the first to reach, 50 / (100 - 50) evaluations; 95 %: 3.45 ms, 3
   * ms, 96 / (100 - 96). */
  assert_int_equal(scale.first, 1);
  assert_int_equal(scale.last, 24);
  expect_near(2, scale.at_s[0]);
  expect_near(48, scale.at_s[HONE__SCORE_POINTS - 1]);
  hone__score_scale_release(&scale);
  forget(recording);
}

static double score_of(const struct hone__score_scale *scale, const struct hone__replay_step *steps,
                       size_t count)
{
  double curve[HONE__SCORE_POINTS];

  hone__score_curve(scale, scale->at_s, steps, count, 1, curve);
  return hone__score(scale, scale->at_s, curve);
}

static void test_score_of_the_best_and_of_random(void **state)
{
  struct hone__recording *recording = record_99();
  const struct hone__replay_step best[] = {{1, 1}};
  struct hone__score_scale scale;
  double curve[HONE__SCORE_POINTS];

  (void)state;
  hone__score_scale(recording, &scale);
  expect_near(1, score_of(&scale, best, 1));
  for (int i = 0; i < HONE__SCORE_POINTS; i++) { /* rank m (N + 1) / (m + 1) of 99, 98 ... */
    double m = nearbyint(scale.at_s[i] / 2);
    curve[i] = 99 - nearbyint(m * 100 / (m + 1));
  }
  expect_near(0, hone__score(&scale, scale.at_s, curve));
  hone__score_scale_release(&scale);
  forget(recording);
}

/* Five working times: the range is one point, at which random search has 2 ms. */
static void test_score_by_hand(void **state)
{
  const double times[] = {5, 1, NAN, 4, 2, 3};
  struct hone__recording *recording = record(times, NULL, 6);
  const struct hone__replay_step best = {1, 1}, third = {1, 3}, failed = {1, NAN}, late = {1.5, 1};
  struct hone__score_scale scale;

  (void)state;
  hone__score_scale(recording, &scale);
  assert_int_equal(scale.count, 5);
  assert_int_equal(scale.first, 1);
  assert_int_equal(scale.last, 1);
  expect_near(1, score_of(&scale, &best, 1));
  expect_near(-1, score_of(&scale, &third, 1));
  expect_near(-1, score_of(&scale, &failed, 1)); /* the median, which is worse than random's */
  expect_near(-1, score_of(&scale, &late, 1));
  expect_near(-1, score_of(&scale, NULL, 0));
  hone__score_scale_release(&scale);
  forget(recording);
}

/* A step from 50 ms to the optimum in the middle, over four random ones, point by point. */
static void test_score_of_a_curve(void **state)
{
  struct hone__recording *recording = record_99();
  const struct hone__replay_step steps[] = {{2, 50}, {4, NAN}, {25, 1}, {30, 60}};
  struct hone__score_scale scale;
  double sum = 0;

  (void)state;
  hone__score_scale(recording, &scale);
  for (int i = 0; i < HONE__SCORE_POINTS; i++) {
    double at = 2 + 46.0 * i / 199, m = nearbyint(at / 2);
    double random = 99 - nearbyint(m * 100 / (m + 1));
    sum += (random - (at < 25 ? 50 : 1)) / (random - 1);
  }
  expect_near(sum / HONE__SCORE_POINTS, score_of(&scale, steps, 4));
  hone__score_scale_release(&scale);
  forget(recording);
}

static void test_score_where_all_are_equal(void **state)
{
  const double times[] = {2, 2, 2};
  struct hone__recording *recording = record(times, NULL, 3);
  const struct hone__replay_step step = {1, 2};
  struct hone__score_scale scale;

  (void)state;
  hone__score_scale(recording, &scale);
  assert_true(isnan(score_of(&scale, &step, 1)));
  hone__score_scale_release(&scale);
  forget(recording);
}

/* ---- Runs ---- */

static void play(const struct hone__recording *recording, struct hone__replay_plan plan,
                 struct hone__replay_trace *out_trace)
{
  if (!plan.outstanding) plan.outstanding = 1;
  if (!plan.strategy) plan.strategy = &hone__search_exhaustive;
  assert_null(hone__replay_run(recording, &plan, out_trace));
}

static void expect_steps(const struct hone__replay_trace *trace,
                         const struct hone__replay_step *expected, size_t count)
{
  assert_int_equal(trace->count, count);
  for (size_t i = 0; i < count; i++) {
    expect_near(expected[i].at_s, trace->steps[i].at_s);
    assert_true(trace->own_s[i] >= 0);
    if (isnan(expected[i].time_ms))
      assert_true(isnan(trace->steps[i].time_ms));
    else
      expect_near(expected[i].time_ms, trace->steps[i].time_ms);
  }
}

static const double some_times[] = {10, 20, NAN, 40, 50};
static const double some_costs[] = {3, 1, 1, 1, 5};

static void test_one_after_the_other(void **state)
{
  struct hone__recording *recording = record(some_times, some_costs, 5);
  const struct hone__replay_step expected[] = {{3, 10}, {4, 20}, {5, NAN}, {6, 40}, {11, 50}};
  struct hone__replay_trace trace;

  (void)state;
  play(recording, (struct hone__replay_plan){0}, &trace);
  expect_steps(&trace, expected, 5);
  expect_near(11, trace.evaluated_s);
  hone__replay_trace_release(&trace);
  forget(recording);
}

/* Of two that end at once the one that was begun first is told first. */
static void test_two_devices(void **state)
{
  struct hone__recording *recording = record(some_times, some_costs, 5);
  const struct hone__replay_step expected[] = {{1, 20}, {2, NAN}, {3, 10}, {3, 40}, {8, 50}};
  struct hone__replay_trace trace;

  (void)state;
  play(recording, (struct hone__replay_plan){.outstanding = 2}, &trace);
  expect_steps(&trace, expected, 5);
  expect_near(11, trace.evaluated_s);
  hone__replay_trace_release(&trace);
  forget(recording);
}

static void test_more_devices_than_configurations(void **state)
{
  struct hone__recording *recording = record(some_times, some_costs, 5);
  const struct hone__replay_step expected[] = {{1, 20}, {1, NAN}, {1, 40}, {3, 10}, {5, 50}};
  struct hone__replay_trace trace;

  (void)state;
  play(recording, (struct hone__replay_plan){.outstanding = 9}, &trace);
  expect_steps(&trace, expected, 5);
  hone__replay_trace_release(&trace);
  forget(recording);
}

static void test_budgets_end(void **state)
{
  struct hone__recording *recording = record(some_times, some_costs, 5);
  const struct hone__replay_step expected[] = {{3, 10}, {4, 20}, {5, NAN}, {6, 40}, {11, 50}};
  static const struct {
    uint64_t evaluations;
    double budget_s;
    size_t count;
  } cases[] = {{1, 0, 1}, {3, 0, 3}, {9, 0, 5}, {0, 3, 1}, {0, 3.5, 2}, {0, 1e-9, 1}, {0, 7, 5}};
  struct hone__replay_trace trace;

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    play(recording,
         (struct hone__replay_plan){.evaluations = cases[i].evaluations,
                                    .budget_s = cases[i].budget_s},
         &trace);
    expect_steps(&trace, expected, cases[i].count);
    hone__replay_trace_release(&trace);
  }
  play(recording, (struct hone__replay_plan){.evaluations = 3, .outstanding = 2}, &trace);
  assert_int_equal(trace.count, 3);
  hone__replay_trace_release(&trace);
  forget(recording);
}

static void test_a_run_is_stopped(void **state)
{
  struct hone__recording *recording = record(some_times, some_costs, 5);
  atomic_bool stop = true;
  struct hone__replay_trace trace;

  (void)state;
  play(recording, (struct hone__replay_plan){.stop = &stop}, &trace);
  assert_int_equal(trace.count, 0);
  hone__replay_trace_release(&trace);
  forget(recording);
}

/* ---- Strategies of this test ---- */

static struct hone__search_options seen_options;
static struct hone__observation told[8];
static uint32_t told_count, asked_count;
static uint32_t script[8]; /* values of A */

static hone_status open_script(const struct hone__search_options *options, void **out_state)
{
  seen_options = *options;
  told_count = asked_count = 0;
  *out_state = script;
  return NULL;
}

/* One at a time, whatever is asked for. */
static size_t ask_script(void *state, size_t count, uint32_t *rows)
{
  (void)state;
  assert_true(count > 0);
  if (asked_count == 5) return 0;
  rows[0] = 0;
  rows[1] = script[asked_count++];
  return 1;
}

static void tell_script(void *state, const uint32_t *row,
                        const struct hone__observation *observation)
{
  (void)state;
  assert_true(row[1] < 5);
  told[told_count++] = *observation;
}

static void close_script(void *state)
{
  (void)state;
}

static const struct hone__strategy scripted = {.name = "scripted",
                                               .open = open_script,
                                               .ask = ask_script,
                                               .tell = tell_script,
                                               .close = close_script};

static void test_answers_to_a_strategy(void **state)
{
  struct hone__recording *recording = record(some_times, some_costs, 5);
  const uint32_t order[] = {2, 1, 0, 3, 4};
  struct hone__replay_trace trace;

  (void)state;
  memcpy(script, order, sizeof order);
  play(recording,
       (struct hone__replay_plan){
           .strategy = &scripted, .seed = 7, .evaluations = 40, .budget_s = 100, .outstanding = 3},
       &trace);
  assert_int_equal(seen_options.seed, 7);
  assert_int_equal(seen_options.evaluations, 40);
  assert_int_equal(told_count, 5);
  assert_int_equal(told[0].outcome, HONE_OUTCOME_COMPILE_ERROR);
  assert_true(isnan(told[0].cost));
  expect_near(1, told[1].cost);          /* the first that works is the unit */
  expect_near(1 / 300.0, told[1].share); /* three evaluations pass in a second */
  expect_near(0.5, told[2].cost);
  expect_near(3 / 300.0, told[2].share);
  expect_near(2, told[3].cost);
  hone__replay_trace_release(&trace);
  forget(recording);
}

static void expect_refusal(const struct hone__recording *recording, const char *what)
{
  struct hone__replay_plan plan = {.strategy = &scripted, .seed = 3, .outstanding = 1};
  struct hone__replay_trace trace;
  hone_status status = hone__replay_run(recording, &plan, &trace);

  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  assert_non_null(strstr(hone_status_message(status), "'scripted' with seed 3"));
  if (!strstr(hone_status_message(status), what)) fail_msg("%s", hone_status_message(status));
  assert_int_equal(trace.count, 0);
  hone_status_free(status);
}

static void test_defects_of_strategies_are_found(void **state)
{
  struct hone__recording *recording = record(some_times, some_costs, 5);
  const uint32_t twice[] = {2, 1, 2, 3, 4}, illegal[] = {0, 7, 1, 2, 3};

  (void)state;
  memcpy(script, twice, sizeof twice);
  expect_refusal(recording, "the row '0 2', which it requested before");
  memcpy(script, illegal, sizeof illegal);
  expect_refusal(recording, "the row '0 7', which is not legal");
  forget(recording);
}

/* ---- Cells ---- */

static void test_runs_come_to_a_cell(void **state)
{
  struct hone__recording *recording = record_99();
  struct hone__replay_ground ground = {.outstanding = 2};
  struct hone__replay_step fast[] = {{2, 1}, {4, 7}}, slow[] = {{2, 50}, {4, NAN}, {6, 2}};
  double own_s[] = {1e-3, 3e-3, 5e-3};
  struct hone__replay_run runs[3] = {0}; /* the last was not done */
  struct hone__replay_trace trace = {.own_s = own_s, .evaluated_s = 4};
  struct hone_replay_cell cell;
  double p;

  (void)state;
  hone__score_scale(recording, &ground.scale);
  p = (1 + score_of(&ground.scale, slow, 3)) / 2;
  trace.steps = fast, trace.count = 2;
  hone__replay_run_take(&ground, &trace, &runs[0]);
  trace.steps = slow, trace.count = 3;
  hone__replay_run_take(&ground, &trace, &runs[1]);
  hone__replay_cell_sum(&ground, runs, 3, &cell);
  assert_int_equal(cell.runs, 2);
  expect_near(p, cell.p);
  expect_near(p, cell.p_budget);
  assert_true(cell.p_work < cell.p);
  expect_near(2.5, cell.evaluations);
  expect_near(1.5, cell.final_over_best);
  expect_near(0.5, cell.optimum_share);
  assert_true(fabs(cell.overhead_ms - 3) < 1e-6);
  assert_true(fabs(cell.overhead_mean_ms - 2.6) < 1e-6);
  assert_true(isnan(cell.overhead_late_ms));
  assert_true(fabs(cell.overhead_share - 13e-3 / 8) < 1e-9);
  assert_int_equal(cell.point_count, HONE__SCORE_POINTS);
  free(cell.points);
  hone__score_scale_release(&ground.scale);
  forget(recording);
}

/* ---- Files ---- */

static void expect_labels(const char *const *words, size_t count, const char *const *labels,
                          size_t label_count)
{
  struct hone__replay_paths paths;

  assert_null(hone__replay_paths_find(words, count, &paths));
  hone__replay_paths_label(&paths);
  assert_int_equal(paths.count, label_count);
  for (size_t i = 0; i < label_count; i++)
    assert_string_equal(paths.paths[i].label, labels[i]);
  hone__replay_paths_release(&paths);
}

static void make_files(void)
{
  assert_int_equal(mkdir(path_of("data"), 0777), 0);
  assert_int_equal(mkdir(path_of("data/gemm"), 0777), 0);
  assert_int_equal(mkdir(path_of("data/conv"), 0777), 0);
  write_text("data/gemm/a.json.gz", "");
  write_text("data/gemm/b.json", "");
  write_text("data/conv/a.json", "");
  write_text("data/conv/a.csv", "");
}

static void test_files_and_labels(void **state)
{
  const char *whole[1];

  (void)state;
  make_files();
  whole[0] = path_of("data");
  expect_labels(whole, 1, (const char *[]){"conv/a", "gemm/a", "gemm/b"}, 3);
  whole[0] = path_of("data/gemm/a.json.gz");
  expect_labels(whole, 1, (const char *[]){"a"}, 1);
}

static void test_files_of_the_same_name(void **state)
{
  const char *twice[] = {path_of("data/gemm/b.json"), path_of("data/../data/gemm/b.json")};
  const char *same[] = {path_of("data/gemm/a.json"), path_of("data/gemm/a.json.gz")};

  (void)state;
  write_text("data/gemm/a.json", "");
  expect_labels(twice, 2, (const char *[]){"b"}, 1);
  expect_labels(same, 2, (const char *[]){"a.json", "a.json.gz"}, 2);
}

static void expect_no_files(const char *word, enum hone_code code)
{
  struct hone__replay_paths paths;
  hone_status status = hone__replay_paths_find(&word, 1, &paths);

  assert_int_equal(hone_status_code(status), code);
  assert_int_equal(paths.count, 0);
  hone_status_free(status);
}

static void test_files_that_are_not_there(void **state)
{
  (void)state;
  assert_int_equal(mkdir(path_of("empty"), 0777), 0);
  expect_no_files(path_of("nothing.json"), HONE_IO);
  expect_no_files(path_of("empty"), HONE_NOT_FOUND);
}

/* ---- All together ---- */

static struct hone_replay_result *replay(struct hone_replay_options options)
{
  static const char *const files[] = {bowl, ridge};
  static const char *const strategies[] = {"random", "exhaustive", "annealing"};
  struct hone_replay_result *result = NULL;

  options.files = files;
  options.file_count = 2;
  options.strategies = strategies;
  options.strategy_count = 3;
  assert_null(hone_replay(&options, &result));
  assert_int_equal(hone_replay_result_file_count(result), 2);
  assert_int_equal(hone_replay_result_strategy_count(result), 3);
  return result;
}

static const struct hone_replay_cell *cell_at(const struct hone_replay_result *result, size_t i)
{
  return hone_replay_result_cell(result, i / 3, i % 3);
}

static void expect_equal_cells(const struct hone_replay_result *a,
                               const struct hone_replay_result *b)
{
  for (size_t i = 0; i < 6; i++) {
    const struct hone_replay_cell *one = cell_at(a, i), *other = cell_at(b, i);
    assert_int_equal(hone_replay_cell_runs(one), hone_replay_cell_runs(other));
    assert_true(hone_replay_cell_p(one) == hone_replay_cell_p(other) &&
                hone_replay_cell_p_budget(one) == hone_replay_cell_p_budget(other));
    assert_true(hone_replay_cell_p_work(one) == hone_replay_cell_p_work(other) &&
                hone_replay_cell_evaluations(one) == hone_replay_cell_evaluations(other));
    assert_true(hone_replay_cell_final_over_best(one) == hone_replay_cell_final_over_best(other));
    assert_true(hone_replay_cell_optimum_share(one) == hone_replay_cell_optimum_share(other));
  }
}

static void test_threads_make_no_difference(void **state)
{
  struct hone_replay_result *one, *many, *others;
  struct hone_replay_options options;

  (void)state;
  hone_replay_options_init(&options);
  options.repeats = 7;
  options.outstanding = 3;
  options.threads = 1;
  one = replay(options);
  options.threads = 5;
  many = replay(options);
  expect_equal_cells(one, many);
  options.seed = 100;
  others = replay(options);
  assert_true(hone_replay_cell_p(cell_at(one, 0)) != hone_replay_cell_p(cell_at(others, 0)));
  assert_true(hone_replay_cell_p(cell_at(one, 1)) ==
              hone_replay_cell_p(cell_at(others, 1))); /* exhaustive: seeds are nothing to it */
  hone_replay_result_free(one);
  hone_replay_result_free(many);
  hone_replay_result_free(others);
}

static void test_what_is_said_of_files(void **state)
{
  struct hone_replay_result *result;
  struct hone_replay_options options;

  (void)state;
  hone_replay_options_init(&options);
  options.repeats = 2;
  options.evaluations = 30;
  result = replay(options);
  assert_string_equal(hone_replay_file_label(hone_replay_result_file(result, 0)), "synthetic_bowl");
  assert_string_equal(hone_replay_result_strategy(result, 1), "exhaustive");
  assert_int_equal(hone_replay_file_config_count(hone_replay_result_file(result, 0)), 232);
  assert_int_equal(hone_replay_file_config_count(hone_replay_result_file(result, 1)), 165);
  assert_int_equal(hone_replay_file_working_count(hone_replay_result_file(result, 1)), 165);
  for (size_t i = 0; i < 6; i++) {
    expect_near(30, hone_replay_cell_evaluations(cell_at(result, i)));
    assert_int_equal(hone_replay_cell_runs(cell_at(result, i)), 2);
    assert_true(isfinite(hone_replay_cell_p(cell_at(result, i))) &&
                isfinite(hone_replay_cell_p_budget(cell_at(result, i))));
  }
  assert_null(cell_at(result, 6));
  assert_null(hone_replay_result_file(result, 2));
  assert_null(hone_replay_result_strategy(result, 3));
  assert_null(hone_replay_result_skipped_path(result, 0));
  assert_false(hone_replay_result_is_interrupted(result));
  hone_replay_result_free(result);
}

static bool stop_runs(void *data, uint64_t done, uint64_t total)
{
  (void)data;
  assert_true(done <= total);
  return total == 0;
}

static bool stop_loading(void *data, uint64_t done, uint64_t total)
{
  (void)data, (void)done, (void)total;
  return false;
}

static void test_progress_ends_it(void **state)
{
  struct hone_replay_result *result;
  struct hone_replay_options options;
  uint64_t runs = 0;

  (void)state;
  hone_replay_options_init(&options);
  options.repeats = 10000;
  options.evaluations = 150;
  options.progress = stop_runs;
  result = replay(options);
  assert_true(hone_replay_result_is_interrupted(result));
  for (size_t i = 0; i < 6; i++)
    runs += hone_replay_cell_runs(cell_at(result, i));
  assert_true(runs < 6 * 10000);
  hone_replay_result_free(result);
}

static void test_progress_ends_loading(void **state)
{
  const char *files[] = {bowl};
  struct hone_replay_result *result;
  struct hone_replay_options options;
  hone_status status;

  (void)state;
  hone_replay_options_init(&options);
  options.files = files;
  options.file_count = 1;
  options.progress = stop_loading;
  status = hone_replay(&options, &result);
  assert_int_equal(hone_status_code(status), HONE_CANCELLED);
  assert_null(result);
  hone_status_free(status);
}

static void expect_bad(const struct hone_replay_options *options, const char *what)
{
  struct hone_replay_result *result;
  hone_status status = hone_replay(options, &result);

  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  if (!strstr(hone_status_message(status), what)) fail_msg("%s", hone_status_message(status));
  assert_null(result);
  hone_status_free(status);
}

static void test_bad_options(void **state)
{
  const char *files[] = {bowl}, *strategies[] = {"nonsense"};
  struct hone_replay_options good, options;

  (void)state;
  hone_replay_options_init(&good);
  expect_bad(&good, "no recording");
  good.files = files;
  good.file_count = 1;
  options = good;
  options.strategies = strategies;
  options.strategy_count = 1;
  expect_bad(&options, "unknown strategy 'nonsense'");
  options = good;
  options.outstanding = 0;
  expect_bad(&options, "outstanding");
  options = good;
  options.repeats = 0;
  expect_bad(&options, "repeats");
  options = good;
  options.evaluations = 3;
  options.budget_s = 3;
  expect_bad(&options, "not both");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scale),
      cmocka_unit_test(test_score_of_the_best_and_of_random),
      cmocka_unit_test(test_score_by_hand),
      cmocka_unit_test(test_score_of_a_curve),
      cmocka_unit_test(test_score_where_all_are_equal),
      cmocka_unit_test(test_one_after_the_other),
      cmocka_unit_test(test_two_devices),
      cmocka_unit_test(test_more_devices_than_configurations),
      cmocka_unit_test(test_budgets_end),
      cmocka_unit_test(test_a_run_is_stopped),
      cmocka_unit_test(test_answers_to_a_strategy),
      cmocka_unit_test(test_defects_of_strategies_are_found),
      cmocka_unit_test(test_runs_come_to_a_cell),
      cmocka_unit_test(test_files_and_labels),
      cmocka_unit_test(test_files_of_the_same_name),
      cmocka_unit_test(test_files_that_are_not_there),
      cmocka_unit_test(test_threads_make_no_difference),
      cmocka_unit_test(test_what_is_said_of_files),
      cmocka_unit_test(test_progress_ends_it),
      cmocka_unit_test(test_progress_ends_loading),
      cmocka_unit_test(test_bad_options),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
