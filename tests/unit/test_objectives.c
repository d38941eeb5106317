/* Runs with several objectives: values, costs for the searches, and who goes to the contest. */
#include "opened_tuning.h"

#include "tune/objectives.h"
#include "tune/ranking.h"

#include <math.h>

static const double BASELINE_NS = 1e6;
static const char two[] =
    "metrics: {size: 100 - K, speed: 1 / time_s}\nobjective: [time, {maximise: size}]\n";

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_equal_times(40);
  return 0;
}

static void open_with(struct opened *opened, struct hone__candidate *baseline, const char *lines)
{
  *opened = (struct opened){.options = sim_options()};
  *baseline = (struct hone__candidate){.energy = {.joules = NAN, .watts = NAN}};
  open_tuning(opened, lines);
  opened->tuning.baseline.candidate = baseline;
}

static void release(struct opened *opened)
{
  opened->tuning.baseline.candidate = NULL;
  release_opened(opened);
}

static void costs_of(struct opened *opened, uint32_t k, enum hone_outcome outcome, double ratio,
                     double *costs)
{
  const struct hone__evaluation evaluation = {
      .outcome = outcome, .time_ns = ratio * BASELINE_NS, .baseline_ns = BASELINE_NS};

  hone__tuning_objectives_costs(&opened->tuning, (const uint32_t[]){0, k}, &evaluation, costs);
}

static void values_are_lower_where_they_are_better(void **state)
{
  const struct hone__task_measured measured = {.time_ns = 5e5};
  struct hone__candidate baseline;
  struct opened opened;
  double values[HONE__MOST_OBJECTIVES];

  (void)state;
  open_with(&opened, &baseline, two);
  hone__tuning_objectives_values(&opened.tuning, (const uint32_t[]){0, 30}, &measured, values);
  assert_true(values[0] == 5e5);
  assert_true(values[1] == -70); /* maximised */
  release(&opened);
}

static void one_objective_costs_the_ratio_of_times(void **state)
{
  struct hone__candidate baseline;
  struct opened opened;
  double costs[HONE__PATIENCE_COSTS];

  (void)state;
  open_with(&opened, &baseline, "");
  costs_of(&opened, 3, HONE_OUTCOME_OK, 0.5, costs);
  assert_true(costs[0] == 0.5);
  costs_of(&opened, 3, HONE_OUTCOME_CRASH, 0.5, costs);
  assert_true(isnan(costs[0]));
  release(&opened);
}

/* One cost each, and the geometric mean of all. */
static void several_objectives_have_a_common_cost(void **state)
{
  struct hone__candidate baseline;
  struct opened opened;
  double costs[HONE__PATIENCE_COSTS];

  (void)state;
  open_with(&opened, &baseline, two);
  costs_of(&opened, 20, HONE_OUTCOME_OK, 0.5, costs);
  assert_true(fabs(costs[0] - 0.5) < 1e-12);
  assert_true(fabs(costs[1] - 1.25) < 1e-12); /* size 80 instead of 100 */
  assert_true(fabs(costs[2] - sqrt(0.5 * 1.25)) < 1e-12);
  costs_of(&opened, 20, HONE_OUTCOME_WRONG_RESULT, 0.5, costs);
  assert_true(isnan(costs[0]) && isnan(costs[1]) && isnan(costs[2]));
  release(&opened);
}

static void energy_is_read_from_the_metrics(void **state)
{
  static const struct {
    const char *metrics;
    bool has_energy;
  } cases[] = {{NULL, false}, {"{\"speed\": 3}", false}, {"not JSON", false}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hone__evaluation evaluation = {.metrics = cases[i].metrics};
    assert_int_equal(isfinite(hone__tuning_evaluation_energy(&evaluation).joules),
                     cases[i].has_energy);
  }
}

/* A backend without a counter: what is left is named. */
static void objectives_of_energy_are_dropped_without_it(void **state)
{
  struct hone__candidate baseline;
  struct opened opened;

  (void)state;
  open_with(&opened, &baseline, "objective: [time, energy]\n");
  assert_int_equal(opened.tuning.session.objectives.count, 2);
  opened.said_count = 0;
  hone__tuning_objectives_look_for_energy(&opened.tuning);
  assert_int_equal(opened.tuning.session.objectives.count, 1);
  assert_int_equal(opened.said_count, 1);
  expect_part(opened.said[0], "tuning for time only");
  release(&opened);
}

static void objectives_of_energy_stay_where_it_is_measured(void **state)
{
  struct hone__candidate baseline;
  struct opened opened;

  (void)state;
  open_with(&opened, &baseline, "objective: [time, energy]\n");
  baseline.energy.joules = 3;
  hone__tuning_objectives_look_for_energy(&opened.tuning);
  assert_int_equal(opened.tuning.session.objectives.count, 2);
  assert_int_equal(opened.said_count, 0);
  release(&opened);
}

/* ---- The contest ---- */

static void rank(struct opened *opened, uint32_t k, double ratio, const char *key)
{
  char config[16];
  const uint32_t row[] = {0, k};
  struct hone__evaluation evaluation = {.id = k,
                                        .config = config,
                                        .measure_key = key,
                                        .time_ns = ratio * BASELINE_NS,
                                        .baseline_ns = BASELINE_NS};

  snprintf(config, sizeof config, "K=%u", k);
  hone__ranking_add(&opened->tuning, row, &evaluation,
                    &(const struct hone__ranked_time){evaluation.time_ns, BASELINE_NS, .at = NAN});
}

static void expect_leaders(const struct opened *opened, const char *expected)
{
  char text[256] = "";

  for (size_t i = 0; i < opened->tuning.ranking.count; i++)
    if (opened->tuning.ranking.entries[i].leads) {
      strcat(text, *text ? " " : "");
      strcat(text, opened->tuning.ranking.entries[i].config);
    }
  assert_string_equal(text, expected);
}

/* The size falls with K: K=4 beats K=5 and K=6 in both, and the baseline (K=0) is the largest. */
static void members_of_the_pareto_set_lead(void **state)
{
  struct hone__candidate baseline;
  struct opened opened;

  (void)state;
  open_with(&opened, &baseline, two);
  hone__tuning_objectives_lead(&opened.tuning, 3); /* nobody is there */
  rank(&opened, 5, 0.7, "e");
  rank(&opened, 4, 0.6, "d");
  rank(&opened, 6, 0.65, "f");
  rank(&opened, 9, 0.4, "i");
  rank(&opened, 2, 0.9, "b");
  rank(&opened, 3, 1.2, "c");
  hone__tuning_objectives_lead(&opened.tuning, 8);
  expect_leaders(&opened, "K=9 K=4 K=2");
  hone__tuning_objectives_lead(&opened.tuning, 2); /* both ends of the set */
  expect_leaders(&opened, "K=9 K=2");
  assert_string_equal(opened.tuning.ranking.entries[0].config, "K=9");
  release(&opened);
}

static void equal_objects_lead_once(void **state)
{
  struct hone__candidate baseline;
  struct opened opened;

  (void)state;
  open_with(&opened, &baseline, "metrics: {one: 1 + 0 * K}\nobjective: [time, one]\n");
  rank(&opened, 5, 0.7, "same");
  rank(&opened, 4, 0.7, "same");
  hone__tuning_objectives_lead(&opened.tuning, 8);
  expect_leaders(&opened, "K=4");
  release(&opened);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(values_are_lower_where_they_are_better),
      TEST(one_objective_costs_the_ratio_of_times),
      TEST(several_objectives_have_a_common_cost),
      TEST(energy_is_read_from_the_metrics),
      TEST(objectives_of_energy_are_dropped_without_it),
      TEST(objectives_of_energy_stay_where_it_is_measured),
      TEST(members_of_the_pareto_set_lead),
      TEST(equal_objects_lead_once),
  };

  return cmocka_run_group_tests_name("objectives", tests, NULL, NULL);
}
