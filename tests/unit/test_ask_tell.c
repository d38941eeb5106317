/* A host that measures by itself: asks, tells, continues, confirms. */
#include "folder.h"
#include "hone_replay.h"
#include "hone_search.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

/* ---- A space, and a host with a model instead of a machine ---- */

static const char small_yaml[] = "name: small\n"
                                 "problem: {N: 64}\n"
                                 "params: {A: [1, 2, 4, 8], B: [x, y, z]}\n"
                                 "derived: {AREA: A * N}\n"
                                 "constraints: [A != 2 or B != 'z']\n"
                                 "baseline: {A: 1, B: x}\n";

static struct hone_spec *spec;
static struct hone_space *space;
static struct hone_search_options options;

static void use_spec(const char *yaml)
{
  struct hone_space_options space_options;

  assert_null(hone_spec_parse(yaml, strlen(yaml), "t.yaml", NULL, &spec));
  hone_space_options_init(&space_options);
  assert_null(hone_space_build(spec, &space_options, &space));
  hone_search_options_init(&options);
}

static void drop_spec(void)
{
  hone_space_free(space);
  hone_spec_free(spec);
  spec = NULL;
  space = NULL;
}

static struct hone_search *open_search(void)
{
  struct hone_search *search = NULL;
  hone_status status = hone_search_open(space, &options, &search);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  return search;
}

static void expect_error(hone_status status, enum hone_code code, const char *part)
{
  assert_non_null(status);
  if (!strstr(hone_status_message(status), part))
    print_message("%s\n", hone_status_message(status));
  assert_non_null(strstr(hone_status_message(status), part));
  assert_int_equal(hone_status_code(status), code);
  hone_status_free(status);
}

static void expect_refused(enum hone_code code, const char *part)
{
  struct hone_search *search;

  expect_error(hone_search_open(space, &options, &search), code, part);
  assert_null(search);
}

static hone_ticket ask(struct hone_search *search)
{
  hone_ticket ticket;

  assert_null(hone_search_ask(search, &ticket));
  return ticket;
}

static int64_t value_of(struct hone_search *search, hone_ticket ticket, const char *name)
{
  struct hone_value value;

  assert_true(hone_search_value(search, ticket, name, &value));
  return value.integer;
}

/* 100 for A=1,B=x; the best is A=8,B=z with a third of it; a little jitter by the ticket. */
static double model(struct hone_search *search, hone_ticket ticket)
{
  struct hone_value b;
  double a = (double)value_of(search, ticket, "A");

  assert_true(hone_search_value(search, ticket, "B", &b));
  return (100 - 8 * a - 2 * (double)(b.text[0] - 'x')) * (1 + 1e-4 * (double)(ticket * 7 % 5));
}

static void tell_time(struct hone_search *search, hone_ticket ticket, double time_ns)
{
  struct hone_measurement measurement;

  hone_measurement_init(&measurement);
  measurement.times_ns = &time_ns;
  measurement.time_count = 1;
  assert_null(hone_search_tell(search, ticket, &measurement));
}

static void tell_failure(struct hone_search *search, hone_ticket ticket, enum hone_outcome outcome,
                         const char *evidence)
{
  struct hone_measurement measurement;

  hone_measurement_init(&measurement);
  measurement.outcome = outcome;
  measurement.evidence = evidence;
  assert_null(hone_search_tell(search, ticket, &measurement));
}

/* Asks and tells until there is nothing more; returns how often. */
static unsigned run(struct hone_search *search)
{
  unsigned count = 0;
  hone_ticket ticket;

  for (; (ticket = ask(search)); count++)
    tell_time(search, ticket, model(search, ticket));
  assert_true(hone_search_done(search));
  return count;
}

/* ---- Searching ---- */

static void test_searches_the_whole_space(void **state)
{
  struct hone_search *search;
  struct hone_value value;
  hone_ticket best;

  (void)state;
  use_spec(small_yaml);
  search = open_search();
  assert_int_equal(run(search), 11); /* the baseline is one of them, asked once */
  assert_int_equal(hone_search_end(search), HONE_END_SPACE);
  assert_int_equal(hone_search_count(search), 10);
  assert_int_equal(hone_search_failures(search), 0);
  best = hone_search_best(search);
  assert_string_equal(hone_search_config(search, best), "A=8,B=z");
  assert_int_equal(value_of(search, best, "AREA"), 512);
  assert_int_equal(value_of(search, best, "N"), 64);
  assert_false(hone_search_value(search, best, "NOTHING", &value));
  assert_int_equal(value.type, HONE_NONE);
  assert_true(hone_space_contains(space, hone_search_row(search, best)));
  hone_search_free(search);
  drop_spec();
}

static void test_the_baseline_is_asked_first_and_once(void **state)
{
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec(small_yaml);
  options.baseline = "A=4,B=y";
  search = open_search();
  ticket = ask(search);
  assert_int_equal(hone_search_kind(search, ticket), HONE_TICKET_BASELINE);
  assert_string_equal(hone_search_config(search, ticket), "A=4,B=y");
  assert_int_equal(hone_search_baseline(search), ticket);
  tell_time(search, ticket, 50);
  while ((ticket = ask(search))) {
    assert_int_equal(hone_search_kind(search, ticket), HONE_TICKET_CANDIDATE);
    assert_string_not_equal(hone_search_config(search, ticket), "A=4,B=y");
    tell_time(search, ticket, 60);
  }
  assert_int_equal(hone_search_best(search), hone_search_baseline(search));
  hone_search_free(search);
  drop_spec();
}

static void test_every_strategy_ends(void **state)
{
  const char *name;

  (void)state;
  for (size_t i = 0; (name = hone_strategy_name(i)); i++) {
    struct hone_search *search;
    use_spec(small_yaml);
    options.strategy = name;
    search = open_search();
    assert_int_equal(run(search), 11);
    assert_string_equal(hone_search_config(search, hone_search_best(search)), "A=8,B=z");
    hone_search_free(search);
    drop_spec();
  }
}

static void test_the_same_seed_asks_the_same(void **state)
{
  char first[11][32];

  (void)state;
  for (int again = 0; again < 2; again++) {
    struct hone_search *search;
    use_spec(small_yaml);
    options.strategy = "random";
    options.seed = 7;
    search = open_search();
    for (size_t i = 0; i < 11; i++) {
      hone_ticket ticket = ask(search);
      if (again)
        assert_string_equal(first[i], hone_search_config(search, ticket));
      else
        snprintf(first[i], sizeof first[i], "%s", hone_search_config(search, ticket));
      tell_time(search, ticket, model(search, ticket));
    }
    hone_search_free(search);
    drop_spec();
  }
}

static void test_ends_by_its_budget(void **state)
{
  struct hone_search *search;

  (void)state;
  use_spec(small_yaml);
  options.evaluations = 4;
  search = open_search();
  assert_int_equal(run(search), 5);
  assert_int_equal(hone_search_end(search), HONE_END_EVALUATIONS);
  assert_int_equal(hone_search_count(search), 4);
  hone_search_free(search);
  drop_spec();
}

static void test_ends_by_patience(void **state)
{
  struct hone_search *search;
  unsigned count = 0;
  hone_ticket ticket;

  (void)state;
  use_spec(small_yaml);
  options.patience = 3;
  search = open_search();
  for (; (ticket = ask(search)); count++)
    tell_time(search, ticket, 100);
  assert_int_equal(count, 4);
  assert_int_equal(hone_search_end(search), HONE_END_PATIENCE);
  hone_search_free(search);
  drop_spec();
}

static void test_several_tickets_are_open_at_once(void **state)
{
  hone_ticket tickets[11];
  struct hone_search *search;

  (void)state;
  use_spec(small_yaml);
  options.strategy = "exhaustive";
  search = open_search();
  for (size_t i = 0; i < 11; i++) {
    tickets[i] = ask(search);
    assert_true(tickets[i]);
    for (size_t k = 0; k < i; k++)
      assert_int_not_equal(tickets[i], tickets[k]);
  }
  assert_false(ask(search));
  assert_false(hone_search_done(search)); /* until all are told */
  for (size_t i = 11; i-- > 0;)
    tell_time(search, tickets[i], model(search, tickets[i]));
  assert_false(ask(search));
  assert_true(hone_search_done(search));
  assert_string_equal(hone_search_config(search, hone_search_best(search)), "A=8,B=z");
  hone_search_free(search);
  drop_spec();
}

static void test_begins_with_seed_configurations(void **state)
{
  const char *seeds[] = {"A=4,B=z", "B=y,A=2"};
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec(small_yaml);
  options.seed_configs = seeds;
  options.seed_config_count = 2;
  search = open_search();
  tell_time(search, ask(search), 100);
  ticket = ask(search);
  assert_string_equal(hone_search_config(search, ticket), "A=4,B=z");
  tell_time(search, ticket, 90);
  assert_string_equal(hone_search_config(search, ask(search)), "A=2,B=y");
  hone_search_free(search);
  drop_spec();
}

static void test_takes_budget_and_strategy_of_the_spec(void **state)
{
  struct hone_search *search;

  (void)state;
  use_spec("params: {A: [1, 2, 3, 4, 5]}\nsearch: {budget: 2, strategy: exhaustive}\n");
  search = open_search();
  tell_time(search, ask(search), 100);
  assert_string_equal(hone_search_config(search, ask(search)), "A=2");
  assert_true(ask(search));
  assert_false(ask(search));
  assert_int_equal(hone_search_end(search), HONE_END_EVALUATIONS);
  hone_search_free(search);
  drop_spec();
}

static void test_alternatives_have_their_own_parameters(void **state)
{
  struct hone_search *search;
  size_t tiled = 0, direct = 0;
  struct hone_value value;
  hone_ticket ticket;

  (void)state;
  use_spec("alternatives:\n"
           "  - params: {WAY: [direct], UNROLL: [1, 2, 4]}\n"
           "  - params: {WAY: [tiled], TILE: [8, 16]}\n");
  search = open_search();
  while ((ticket = ask(search))) {
    bool is_tiled = hone_search_value(search, ticket, "TILE", &value);
    assert_true(hone_search_value(search, ticket, "UNROLL", &value) != is_tiled);
    tiled += is_tiled;
    direct += !is_tiled;
    tell_time(search, ticket, is_tiled ? 10 : 20);
  }
  assert_int_equal(tiled, 2);
  assert_int_equal(direct, 3);
  assert_true(hone_search_value(search, hone_search_best(search), "TILE", &value));
  hone_search_free(search);
  drop_spec();
}

/* ---- What a host can do wrong ---- */

static void test_refuses_wrong_tickets(void **state)
{
  struct hone_measurement measurement;
  const double time_ns = 5;
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec(small_yaml);
  search = open_search();
  hone_measurement_init(&measurement);
  measurement.times_ns = &time_ns;
  measurement.time_count = 1;
  expect_error(hone_search_tell(search, 0, &measurement), HONE_NOT_FOUND, "ticket 0 was not given");
  expect_error(hone_search_tell(search, 99, &measurement), HONE_NOT_FOUND,
               "ticket 99 was not given");
  expect_error(hone_search_tell(search, UINT64_MAX, &measurement), HONE_NOT_FOUND,
               "was not given by this search");
  expect_error(hone_search_tell(search, hone_search_baseline(search), &measurement), HONE_NOT_FOUND,
               "was not given by this search"); /* it was not asked for yet */
  ticket = ask(search);
  assert_null(hone_search_tell(search, ticket, &measurement));
  expect_error(hone_search_tell(search, ticket, &measurement), HONE_INVALID_ARGUMENT,
               "was told before");
  assert_null(hone_search_config(search, 99));
  assert_null(hone_search_row(search, 0));
  assert_int_equal(hone_search_kind(search, 99), HONE_TICKET_NONE);
  assert_true(isnan(hone_search_objective(search, 99, 0)));
  assert_true(isnan(hone_search_objective(search, ticket, 5)));
  hone_search_free(search);
  drop_spec();
}

static void test_refuses_wrong_measurements(void **state)
{
  const double wrong[] = {NAN, -1, 0, INFINITY, -INFINITY};
  struct hone_measurement m;
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec(small_yaml);
  search = open_search();
  ticket = ask(search);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    hone_measurement_init(&m);
    m.times_ns = &wrong[i];
    m.time_count = 1;
    expect_error(hone_search_tell(search, ticket, &m), HONE_INVALID_ARGUMENT, "time 1 is");
    m.time_count = 0;
    m.values = &wrong[i];
    m.value_count = 1;
    expect_error(hone_search_tell(search, ticket, &m), HONE_INVALID_ARGUMENT,
                 isnan(wrong[i]) ? "the objective 'time' has no value" : "is not possible");
  }
  hone_measurement_init(&m);
  expect_error(hone_search_tell(search, ticket, &m), HONE_INVALID_ARGUMENT,
               "the objective 'time' has no value: tell at least one time");
  m.time_count = 3;
  expect_error(hone_search_tell(search, ticket, &m), HONE_INVALID_ARGUMENT, "none are given");
  hone_measurement_init(&m);
  m.outcome = HONE_OUTCOME_COUNT;
  expect_error(hone_search_tell(search, ticket, &m), HONE_INVALID_ARGUMENT, "no outcome");
  hone_measurement_init(&m);
  m.values = wrong;
  m.value_count = 2;
  expect_error(hone_search_tell(search, ticket, &m), HONE_INVALID_ARGUMENT, "2 values are given");
  hone_measurement_init(&m);
  m.outcome = HONE_OUTCOME_CRASH;
  m.energy_j = -1;
  expect_error(hone_search_tell(search, ticket, &m), HONE_INVALID_ARGUMENT, "an energy of -1");
  m = (struct hone_measurement){0};
  expect_error(hone_search_tell(search, ticket, &m), HONE_INVALID_ARGUMENT, "not initialised");
  expect_error(hone_search_tell(search, ticket, NULL), HONE_INVALID_ARGUMENT, "not initialised");
  assert_int_equal(hone_search_count(search), 0);
  tell_time(search, ticket, 5); /* the ticket is still open */
  hone_search_free(search);
  drop_spec();
}

static void test_refuses_wrong_options(void **state)
{
  const char *seeds[] = {"A=4,C=1"};
  const struct hone_objective twice[] = {{"a", false}, {"a", true}};
  const struct hone_objective most[] = {{"time", true}};

  (void)state;
  use_spec(small_yaml);
  options.seed_configs = seeds;
  options.seed_config_count = 1;
  expect_refused(HONE_INVALID_ARGUMENT, "'C'");
  seeds[0] = "A=2,B=z";
  expect_refused(HONE_INVALID_ARGUMENT, "A != 2 or B != 'z' is not true");
  seeds[0] = "A=3,B=x";
  expect_refused(HONE_INVALID_ARGUMENT, "'A=3,B=x' cannot be a starting configuration");
  seeds[0] = NULL;
  expect_refused(HONE_INVALID_ARGUMENT, "is NULL");
  hone_search_options_init(&options);
  options.baseline = "A=2,B=z";
  expect_refused(HONE_INVALID_ARGUMENT, "cannot be the baseline: A != 2 or B != 'z' is not true");
  options.baseline = "Q=1";
  expect_refused(HONE_INVALID_ARGUMENT, "'Q'");
  hone_search_options_init(&options);
  options.strategy = "nonsense";
  expect_refused(HONE_INVALID_ARGUMENT, "unknown strategy 'nonsense'");
  hone_search_options_init(&options);
  options.objectives = twice;
  options.objective_count = 2;
  expect_refused(HONE_INVALID_ARGUMENT, "'a' is already an objective");
  options.objectives = most;
  options.objective_count = 1;
  expect_refused(HONE_INVALID_ARGUMENT, "time is minimised");
  options.objective_count = 4;
  expect_refused(HONE_INVALID_ARGUMENT, "4 objectives are too many");
  hone_search_options_init(&options);
  options.margin = NAN;
  expect_refused(HONE_INVALID_ARGUMENT, "a margin of");
  options = (struct hone_search_options){0};
  expect_refused(HONE_INVALID_ARGUMENT, "not initialised");
  drop_spec();
}

static void test_an_empty_space_is_an_error(void **state)
{
  (void)state;
  use_spec("params: {A: [1, 2]}\nconstraints: [A > 5, A < 9]\n");
  expect_refused(HONE_NOT_FOUND, "has no legal configuration");
  drop_spec();
}

static void test_failures_are_data(void **state)
{
  struct hone_search *search;
  enum hone_outcome outcome;
  hone_ticket ticket;
  unsigned count = 0;

  (void)state;
  use_spec(small_yaml);
  search = open_search();
  while ((ticket = ask(search))) {
    assert_false(hone_search_outcome(search, ticket, &outcome));
    if (count++ % 2)
      tell_failure(search, ticket, HONE_OUTCOME_COMPILE_ERROR, "line 3: no such tile");
    else
      tell_time(search, ticket, model(search, ticket));
    assert_true(hone_search_outcome(search, ticket, &outcome));
  }
  assert_int_equal(hone_search_count(search), 10);
  assert_int_equal(hone_search_failures(search), 5);
  ticket = hone_search_best(search);
  assert_true(hone_search_outcome(search, ticket, &outcome));
  assert_int_equal(outcome, HONE_OUTCOME_OK);
  hone_search_free(search);
  drop_spec();
}

static void test_nothing_works(void **state)
{
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec(small_yaml);
  search = open_search();
  assert_false(hone_search_best(search));
  while ((ticket = ask(search)))
    tell_failure(search, ticket, HONE_OUTCOME_CRASH, NULL);
  assert_false(hone_search_best(search));
  assert_int_equal(hone_search_pareto(search, NULL, 0), 0);
  expect_error(hone_search_confirm(search), HONE_NOT_FOUND, "the baseline A=1,B=x failed (crash)");
  hone_search_free(search);
  drop_spec();
}

/* ---- Values ---- */

static void test_samples_give_a_median_and_an_interval(void **state)
{
  const double times[] = {10, 11, 12, 13, 14, 15, 16, 17, 30};
  struct hone_measurement m;
  struct hone_search *search;
  struct hone_interval time;
  hone_ticket ticket;

  (void)state;
  use_spec(small_yaml);
  search = open_search();
  ticket = ask(search);
  hone_measurement_init(&m);
  m.times_ns = times;
  m.time_count = 9;
  assert_null(hone_search_tell(search, ticket, &m));
  time = hone_search_time(search, ticket);
  assert_true(time.value == 14);
  assert_true(time.low >= 10 && time.low < 14 && time.high > 14 && time.high <= 30);
  assert_true(hone_search_objective(search, ticket, 0) == 14);
  ticket = ask(search);
  tell_time(search, ticket, 9);
  assert_true(isnan(hone_search_time(search, ticket).low));
  hone_search_free(search);
  drop_spec();
}

static void test_metrics_of_the_spec_follow_from_times(void **state)
{
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec("params: {A: [1, 2, 4]}\nmetrics: {rate: A / time_s}\nobjective: {maximise: rate}\n");
  search = open_search();
  while ((ticket = ask(search)))
    tell_time(search, ticket, 1e9); /* the same time for more work */
  ticket = hone_search_best(search);
  assert_string_equal(hone_search_config(search, ticket), "A=4");
  assert_true(fabs(hone_search_objective(search, ticket, 0) - 4) < 1e-9);
  hone_search_free(search);
  drop_spec();
}

static void test_several_objectives_have_a_pareto_set(void **state)
{
  const struct hone_objective objectives[] = {{"time", false}, {"accuracy", true}};
  struct hone_measurement m;
  struct hone_search *search;
  hone_ticket ticket, set[8];

  (void)state;
  use_spec("params: {A: [1, 2, 3, 4, 5, 6]}\n");
  options.objectives = objectives;
  options.objective_count = 2;
  search = open_search();
  while ((ticket = ask(search))) { /* slower is more accurate; 5 is slow and bad */
    double a = (double)value_of(search, ticket, "A");
    double values[] = {10 * a, a == 5 ? 0.1 : a / 10};
    hone_measurement_init(&m);
    m.values = values;
    m.value_count = 1;
    expect_error(hone_search_tell(search, ticket, &m), HONE_INVALID_ARGUMENT,
                 "there are 2 objectives");
    m.value_count = 2;
    assert_null(hone_search_tell(search, ticket, &m));
  }
  assert_int_equal(hone_search_pareto(search, set, 8), 5);
  assert_string_equal(hone_search_config(search, set[0]), "A=1");
  assert_string_equal(hone_search_config(search, set[4]), "A=6");
  assert_int_equal(hone_search_pareto(search, set, 1), 5);
  assert_true(hone_search_objective(search, set[0], 1) == 0.1);
  hone_search_free(search);
  drop_spec();
}

static void test_values_may_be_negative_or_zero(void **state)
{
  const struct hone_objective loss = {"loss", false};
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec("params: {A: [1, 2, 3, 4, 5, 6]}\n");
  options.objectives = &loss;
  options.objective_count = 1;
  search = open_search();
  while ((ticket = ask(search))) {
    struct hone_measurement m;
    double value = 3 - (double)value_of(search, ticket, "A");
    hone_measurement_init(&m);
    m.values = &value;
    m.value_count = 1;
    assert_null(hone_search_tell(search, ticket, &m));
  }
  assert_string_equal(hone_search_config(search, hone_search_best(search)), "A=6");
  hone_search_free(search);
  drop_spec();
}

/* ---- The store ---- */

static void test_continues_from_the_store(void **state)
{
  struct hone_search *search;
  hone_ticket ticket;
  int64_t number;

  (void)state;
  use_spec(small_yaml);
  options.store = path_of("store.db");
  options.device = "mine";
  search = open_search();
  assert_int_equal(hone_search_run(search), 0);
  for (int i = 0; i < 5; i++) {
    ticket = ask(search);
    tell_time(search, ticket, model(search, ticket));
  }
  number = hone_search_run(search);
  assert_true(number > 0);
  ask(search); /* in flight: lost */
  hone_search_free(search);
  search = open_search();
  assert_int_equal(hone_search_run(search), number);
  assert_int_equal(hone_search_reused(search), 4);
  assert_int_equal(hone_search_count(search), 4);
  assert_int_equal(run(search), 6);
  assert_string_equal(hone_search_config(search, hone_search_best(search)), "A=8,B=z");
  hone_search_free(search);
  search = open_search(); /* all is known: nothing is asked */
  assert_int_equal(run(search), 0);
  assert_int_equal(hone_search_reused(search), 10);
  hone_search_free(search);
  options.device = "another";
  search = open_search();
  assert_int_equal(hone_search_reused(search), 0);
  hone_search_free(search);
  options.device = "mine";
  options.fresh = true;
  search = open_search();
  assert_int_equal(run(search), 11);
  assert_int_not_equal(hone_search_run(search), number);
  hone_search_free(search);
  drop_spec();
}

static void test_keeps_failures_values_and_samples(void **state)
{
  const struct hone_objective objectives[] = {{"accuracy", true}, {"time", false}};
  const double times[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  struct hone_measurement m;
  struct hone_search *search;
  enum hone_outcome outcome;
  hone_ticket ticket;

  (void)state;
  use_spec(small_yaml);
  options.store = path_of("values.db");
  options.objectives = objectives;
  options.objective_count = 2;
  search = open_search();
  ticket = ask(search);
  hone_measurement_init(&m);
  m.times_ns = times;
  m.time_count = 9;
  m.values = (const double[]){0.25, NAN};
  m.value_count = 2;
  assert_null(hone_search_tell(search, ticket, &m));
  tell_failure(search, ask(search), HONE_OUTCOME_HANG, "60 s");
  tell_failure(search, ask(search), HONE_OUTCOME_WORKER_LOST, "gone");
  assert_int_equal(hone_search_count(search), 2);
  hone_search_free(search);
  search = open_search();
  ticket = hone_search_baseline(search);
  assert_true(hone_search_objective(search, ticket, 0) == 0.25);
  assert_true(hone_search_objective(search, ticket, 1) == 5);
  assert_true(hone_search_time(search, ticket).low < 5);
  assert_int_equal(hone_search_count(search), 1); /* a lost worker says nothing of a candidate */
  assert_true(hone_search_outcome(search, hone_search_at(search, 0), &outcome));
  assert_int_equal(outcome, HONE_OUTCOME_HANG);
  assert_false(hone_search_at(search, 1));
  hone_search_free(search);
  drop_spec();
}

/* Tells two results of a problem; returns how many were known before. */
static uint64_t count_known(const char *yaml, const char *problem, const char *device)
{
  struct hone_search *search;
  uint64_t known;

  use_spec(yaml);
  options.store = path_of("problems.db");
  options.strategy = "exhaustive";
  options.problem = problem;
  options.device = device;
  search = open_search();
  known = hone_search_reused(search);
  for (int i = 0; i < 3; i++) {
    hone_ticket ticket = ask(search);
    if (ticket) tell_time(search, ticket, 100);
  }
  hone_search_free(search);
  drop_spec();
  return known;
}

static void test_the_host_names_what_results_are_for(void **state)
{
  static const char one[] = "name: k\nproblem: {N: 64}\nparams: {A: [1, 2, 3]}\n";
  static const char other[] = "name: k\nproblem: {N: 128}\nparams: {A: [1, 2, 3]} # moved\n";
  static const char more[] = "name: k\nproblem: {N: 64}\nparams: {A: [1, 2, 3, 4]}\n";

  (void)state;
  assert_int_equal(count_known(one, NULL, NULL), 0);
  assert_int_equal(count_known(one, NULL, NULL), 2);
  assert_int_equal(count_known(other, NULL, NULL), 0); /* another size */
  assert_int_equal(count_known(more, NULL, NULL), 0);  /* another space */
  assert_int_equal(count_known(one, "any N", NULL), 0);
  assert_int_equal(count_known(other, "any N", NULL), 2); /* the size does not matter to the host */
  assert_int_equal(count_known(other, "any N", "8 threads"), 0);
  assert_int_equal(count_known(other, "any N", "8 threads"), 2);
}

static void test_a_store_that_goes_away_keeps_the_ticket_open(void **state)
{
  struct hone_measurement m;
  const double time_ns = 5;
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec(small_yaml);
  options.store = path_of("gone.db");
  search = open_search();
  tell_time(search, ask(search), 5);
  ticket = ask(search);
  assert_int_equal(remove(path_of("gone.db")), 0);
  hone_measurement_init(&m);
  m.times_ns = &time_ns;
  m.time_count = 1;
  for (int again = 0; again < 2; again++) {
    hone_status status = hone_search_tell(search, ticket, &m);
    assert_non_null(status);
    assert_int_equal(hone_status_code(status), HONE_IO);
    hone_status_free(status);
    assert_int_equal(hone_search_count(search), 0);
  }
  hone_search_free(search);
  options.store = "/dev/null/store.db";
  expect_refused(HONE_IO, "/dev/null/store.db");
  drop_spec();
}

static void test_one_search_of_a_run_at_a_time(void **state)
{
  struct hone_search *search;

  (void)state;
  use_spec(small_yaml);
  options.store = path_of("once.db");
  search = open_search();
  expect_refused(HONE_UNAVAILABLE, "a search for 'small' with this store is open already");
  tell_time(search, ask(search), 5);
  expect_refused(HONE_UNAVAILABLE, "run 1, pid");
  hone_search_free(search);
  search = open_search();
  hone_search_free(search);
  drop_spec();
}

/* ---- Proof ---- */

/* Measures finalists and the baseline until the verdict; a factor for what is not the baseline. */
static unsigned prove(struct hone_search *search, double factor)
{
  hone_ticket ticket;
  unsigned count = 0;
  uint32_t group = 1;

  for (; (ticket = ask(search)); count++) {
    double noise = 1 + 1e-3 * (double)(count * 31 % 7);
    const char *config = hone_search_config(search, ticket);
    bool is_baseline =
        strcmp(config, hone_search_config(search, hone_search_baseline(search))) == 0;
    assert_int_equal(hone_search_kind(search, ticket), HONE_TICKET_CONFIRM);
    assert_true(hone_search_group(search, ticket) >= group);
    group = hone_search_group(search, ticket);
    tell_time(search, ticket, (is_baseline ? 100 : 100 * factor) * noise);
  }
  assert_true(hone_search_done(search));
  assert_int_equal(hone_search_end(search), HONE_END_CONFIRMED);
  return count;
}

static void test_proves_an_improvement(void **state)
{
  struct hone_search *search;
  struct hone_interval speedup;

  (void)state;
  use_spec(small_yaml);
  options.store = path_of("proof.db");
  search = open_search();
  run(search);
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_NONE);
  assert_null(hone_search_confirm(search));
  assert_false(hone_search_done(search));
  assert_true(prove(search, 0.5) >= 2 * 18);
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_IMPROVED);
  assert_true(hone_search_winner(search));
  assert_true(hone_search_winner(search) != hone_search_baseline(search));
  speedup = hone_search_speedup(search);
  assert_true(fabs(speedup.value - 2) < 0.05);
  assert_true(speedup.low > 1.9 && speedup.high < 2.1 && speedup.low <= speedup.value);
  hone_search_free(search);
  search = open_search(); /* the verdict is kept */
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_IMPROVED);
  assert_true(fabs(hone_search_speedup(search).value - 2) < 0.05);
  assert_true(hone_search_winner(search));
  assert_null(hone_search_confirm(search)); /* once more, without any new result */
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_NONE);
  prove(search, 1.5);
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_INCONCLUSIVE);
  hone_search_free(search);
  search = open_search();
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_INCONCLUSIVE);
  hone_search_free(search);
  drop_spec();
}

static void test_proves_that_nothing_is_faster(void **state)
{
  struct hone_search *search;

  (void)state;
  use_spec("params: {A: [1, 2, 3]}\n");
  search = open_search();
  for (hone_ticket ticket; (ticket = ask(search));)
    tell_time(search, ticket, 100);
  assert_null(hone_search_confirm(search));
  prove(search, 1.2);
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_NO_IMPROVEMENT);
  assert_int_equal(hone_search_winner(search), hone_search_baseline(search));
  assert_true(hone_search_speedup(search).value < 1);
  hone_search_free(search);
  drop_spec();
}

static void test_noise_is_inconclusive(void **state)
{
  struct hone_search *search;
  unsigned count = 0;
  hone_ticket ticket;

  (void)state;
  use_spec("params: {A: [1, 2]}\n");
  search = open_search();
  while ((ticket = ask(search)))
    tell_time(search, ticket, 100);
  assert_null(hone_search_confirm(search));
  while ((ticket = ask(search))) { /* faster and slower in turn */
    bool is_baseline = value_of(search, ticket, "A") == 1;
    tell_time(search, ticket, is_baseline ? 100 : count % 2 ? 90 : 112);
    count += !is_baseline;
  }
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_INCONCLUSIVE);
  assert_false(hone_search_winner(search));
  assert_non_null(strstr(hone_search_why(search), "too small for the noise"));
  assert_true(count >= 200 && count <= 300);
  hone_search_free(search);
  drop_spec();
}

static void test_confirmation_needs_an_order(void **state)
{
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec(small_yaml);
  search = open_search();
  ticket = ask(search);
  expect_error(hone_search_confirm(search), HONE_INVALID_ARGUMENT, "1 ticket is not told yet");
  tell_time(search, ticket, 5);
  expect_error(hone_search_confirm(search), HONE_NOT_FOUND, "no candidate works");
  tell_time(search, ask(search), 4);
  assert_null(hone_search_confirm(search));
  expect_error(hone_search_confirm(search), HONE_INVALID_ARGUMENT, "under way already");
  ticket = ask(search);
  assert_true(ask(search));
  assert_false(ask(search)); /* the row first */
  assert_false(hone_search_done(search));
  hone_search_free(search);
  drop_spec();
}

static void test_a_finalist_fails_in_the_confirmation(void **state)
{
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec("params: {A: [1, 2, 3]}\nbaseline: {A: 1}\n");
  options.store = path_of("late.db");
  search = open_search();
  while ((ticket = ask(search)))
    tell_time(search, ticket, 100 - (double)value_of(search, ticket, "A"));
  assert_null(hone_search_confirm(search));
  while ((ticket = ask(search))) {
    int64_t a = value_of(search, ticket, "A");
    if (a == 3)
      tell_failure(search, ticket, HONE_OUTCOME_WRONG_RESULT, "element 7");
    else
      tell_time(search, ticket, a == 1 ? 100 : 50);
  }
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_IMPROVED);
  assert_string_equal(hone_search_config(search, hone_search_winner(search)), "A=2");
  assert_string_equal(hone_search_config(search, hone_search_best(search)), "A=2");
  assert_int_equal(hone_search_failures(search), 1);
  hone_search_free(search);
  drop_spec();
}

static void test_the_baseline_fails_in_the_confirmation(void **state)
{
  struct hone_search *search;
  unsigned count = 0;
  hone_ticket ticket;

  (void)state;
  use_spec("params: {A: [1, 2, 3]}\nbaseline: {A: 1}\n");
  search = open_search();
  while ((ticket = ask(search)))
    tell_time(search, ticket, 100);
  assert_null(hone_search_confirm(search));
  for (; (ticket = ask(search)); count++)
    if (value_of(search, ticket, "A") == 1)
      tell_failure(search, ticket, HONE_OUTCOME_CRASH, NULL);
    else
      tell_time(search, ticket, 50);
  assert_int_equal(count, 3); /* one row is enough */
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_INCONCLUSIVE);
  assert_non_null(strstr(hone_search_why(search), "the baseline failed"));
  hone_search_free(search);
  drop_spec();
}

/* ---- Filters and ranks ---- */

struct judge {
  int64_t most; /* values of A that pass */
  unsigned filtered, ranked;
  enum hone_stage stage; /* after which it filters */
};

static int64_t a_of(const struct hone_candidate *candidate)
{
  struct hone_value value;

  assert_true(hone_candidate_value(candidate, "A", &value));
  return value.integer;
}

static bool filter(void *data, enum hone_stage stage, const struct hone_candidate *candidate,
                   const char **out_reason)
{
  struct judge *judge = data;

  if (stage != judge->stage) return true;
  judge->filtered++;
  if (a_of(candidate) <= judge->most) return true;
  *out_reason = "A is too large";
  return false;
}

/* The largest first. */
static double rank(void *data, enum hone_stage stage, const struct hone_candidate *candidate)
{
  struct judge *judge = data;

  if (stage != HONE_STAGE_GENERATE) return NAN;
  judge->ranked++;
  return -(double)a_of(candidate);
}

static const char ten_yaml[] = "params: {A: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}\n";

static struct hone_stages use_judge(struct judge *judge)
{
  struct hone_stages stages;

  hone_stages_init(&stages);
  stages.filter = filter;
  stages.data = judge;
  return stages;
}

static void test_a_filter_rejects_with_a_reason(void **state)
{
  struct judge judge = {.most = 6, .stage = HONE_STAGE_GENERATE};
  struct hone_stages stages = use_judge(&judge);
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec(ten_yaml);
  options.stages = &stages;
  search = open_search();
  while ((ticket = ask(search))) {
    assert_true(value_of(search, ticket, "A") <= 6);
    tell_time(search, ticket, 100);
  }
  assert_int_equal(hone_search_count(search), 5); /* and the baseline */
  assert_int_equal(hone_search_rejected(search), 4);
  assert_int_equal(judge.filtered, 10); /* once each */
  hone_search_free(search);
  drop_spec();
}

static void test_keeps_the_best_of_a_ranking(void **state)
{
  struct judge judge = {.most = 6, .stage = HONE_STAGE_GENERATE};
  struct hone_stages stages = use_judge(&judge);
  const int64_t wanted[] = {1, 6, 5, 4}; /* the baseline, then the best three of six */
  struct hone_search *search;
  hone_ticket ticket;
  size_t count = 0;

  (void)state;
  use_spec(ten_yaml);
  stages.rank = rank;
  stages.keep_share = 0.5;
  options.stages = &stages;
  search = open_search();
  assert_int_equal(judge.filtered, 10);
  assert_int_equal(judge.ranked, 6);
  for (; (ticket = ask(search)); count++) {
    assert_true(count < 4);
    assert_int_equal(value_of(search, ticket, "A"), wanted[count]);
    tell_time(search, ticket, 100);
  }
  assert_int_equal(count, 4);
  assert_int_equal(hone_search_end(search), HONE_END_SPACE);
  hone_search_free(search);
  drop_spec();
}

static void test_a_small_share_keeps_one(void **state)
{
  struct judge judge = {.most = 10, .stage = HONE_STAGE_GENERATE};
  struct hone_stages stages = use_judge(&judge);
  struct hone_search *search;

  (void)state;
  use_spec("params: {A: [1, 2]}\n");
  stages.rank = rank;
  stages.keep_share = 0.3;
  options.stages = &stages;
  search = open_search();
  assert_false(ask(search)); /* nothing has to be measured */
  assert_int_equal(hone_search_end(search), HONE_END_ONE);
  assert_string_equal(hone_search_config(search, hone_search_best(search)), "A=2");
  assert_int_equal(hone_search_count(search), 0);
  assert_null(hone_search_confirm(search)); /* but it can be proved */
  prove(search, 0.5);
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_IMPROVED);
  hone_search_free(search);
  drop_spec();
}

static void test_one_admitted_needs_no_measurement(void **state)
{
  struct judge judge = {.most = 1, .stage = HONE_STAGE_GENERATE};
  struct hone_stages stages = use_judge(&judge);
  struct hone_search *search;

  (void)state;
  use_spec(ten_yaml);
  options.stages = &stages;
  search = open_search();
  assert_false(ask(search));
  assert_int_equal(hone_search_end(search), HONE_END_ONE);
  assert_string_equal(hone_search_config(search, hone_search_best(search)), "A=1");
  expect_error(hone_search_confirm(search), HONE_NOT_FOUND, "no candidate works");
  hone_search_free(search);
  drop_spec();
  use_spec("params: {A: 3}\n");
  search = open_search();
  assert_false(ask(search));
  assert_int_equal(hone_search_end(search), HONE_END_ONE);
  assert_string_equal(hone_search_config(search, hone_search_best(search)), "A=3");
  hone_search_free(search);
  drop_spec();
}

static void test_none_admitted_is_an_error(void **state)
{
  struct judge judge = {.most = 0, .stage = HONE_STAGE_GENERATE};
  struct hone_stages stages = use_judge(&judge);

  (void)state;
  use_spec(ten_yaml);
  options.stages = &stages;
  expect_refused(HONE_NOT_FOUND, "no configuration is left: the host's filter rejects all 10");
  stages.rank = rank;
  stages.keep = 3;
  expect_refused(HONE_NOT_FOUND, "no configuration is left: the host's filter rejects all 10");
  drop_spec();
}

static void test_refuses_contradictory_stages(void **state)
{
  struct hone_stages stages;

  (void)state;
  use_spec(ten_yaml);
  options.stages = &stages;
  hone_stages_init(&stages);
  stages.keep = 3;
  expect_refused(HONE_INVALID_ARGUMENT, "no rank to find them");
  stages.rank = rank;
  stages.keep_share = 0.5;
  expect_refused(HONE_INVALID_ARGUMENT, "both 'keep' and 'keep_share'");
  stages.keep = 0;
  stages.keep_share = NAN;
  expect_refused(HONE_INVALID_ARGUMENT, "not between 0 and 1");
  stages = (struct hone_stages){0};
  expect_refused(HONE_INVALID_ARGUMENT, "not initialised");
  drop_spec();
}

static void test_a_space_too_large_to_rank(void **state)
{
  struct judge judge = {.most = 10, .stage = HONE_STAGE_GENERATE};
  struct hone_stages stages = use_judge(&judge);
  struct hone_search *search;

  (void)state;
  use_spec("params: {A: \"range(1, 2001)\", B: \"range(1000)\"}\n");
  options.stages = &stages;
  stages.rank = rank;
  stages.keep = 3;
  expect_refused(HONE_EXHAUSTED, "2000000 configurations are too many to be ranked");
  stages.keep = 0; /* a filter alone is asked as the search goes */
  options.strategy = "exhaustive";
  options.evaluations = 5;
  search = open_search();
  assert_int_equal(judge.filtered, 0);
  for (hone_ticket ticket; (ticket = ask(search));)
    tell_time(search, ticket, 100);
  assert_int_equal(hone_search_count(search), 5);
  assert_int_equal(judge.filtered, 5);
  hone_search_free(search);
  drop_spec();
}

static void test_filters_finalists(void **state)
{
  struct judge judge = {.most = 3, .stage = HONE_STAGE_SCREEN};
  struct hone_stages stages = use_judge(&judge);
  struct hone_search *search;
  hone_ticket ticket;

  (void)state;
  use_spec(ten_yaml);
  options.stages = &stages;
  search = open_search();
  while ((ticket = ask(search)))
    tell_time(search, ticket, 100 - (double)value_of(search, ticket, "A"));
  assert_null(hone_search_confirm(search));
  while ((ticket = ask(search))) {
    assert_true(value_of(search, ticket, "A") <= 3);
    tell_time(search, ticket, value_of(search, ticket, "A") == 1 ? 100 : 50);
  }
  assert_int_equal(hone_search_rejected(search), 7);
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_IMPROVED);
  hone_search_free(search);
  drop_spec();
}

/* ---- Threads ---- */

static atomic_uint told_by_threads;

static void *work(void *data)
{
  struct hone_search *search = data;
  hone_ticket ticket = 0;

  while (!hone_search_wait(search, &ticket) && ticket) {
    struct hone_value value;
    double time_ns;
    struct hone_measurement m;
    hone_measurement_init(&m);
    if (!hone_search_value(search, ticket, "A", &value)) break;
    time_ns = 2000 - (double)value.integer;
    m.times_ns = &time_ns;
    m.time_count = 1;
    if (hone_search_tell(search, ticket, &m)) break;
    hone_search_best(search);
    hone_search_count(search);
    atomic_fetch_add(&told_by_threads, 1);
  }
  return NULL;
}

static void run_threads(struct hone_search *search)
{
  pthread_t threads[8];

  atomic_store(&told_by_threads, 0);
  for (size_t i = 0; i < 8; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, work, search), 0);
  for (size_t i = 0; i < 8; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void test_many_threads_share_a_search(void **state)
{
  struct hone_search *search;

  (void)state;
  use_spec("params: {A: \"range(1, 301)\"}\n");
  options.store = path_of("threads.db");
  options.strategy = "genetic";
  search = open_search();
  run_threads(search);
  assert_int_equal(atomic_load(&told_by_threads), 300);
  assert_int_equal(hone_search_count(search), 299);
  assert_string_equal(hone_search_config(search, hone_search_best(search)), "A=300");
  assert_null(hone_search_confirm(search));
  run_threads(search);
  assert_int_equal(hone_search_verdict(search), HONE_VERDICT_IMPROVED);
  hone_search_free(search);
  drop_spec();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_searches_the_whole_space),
      cmocka_unit_test(test_the_baseline_is_asked_first_and_once),
      cmocka_unit_test(test_every_strategy_ends),
      cmocka_unit_test(test_the_same_seed_asks_the_same),
      cmocka_unit_test(test_ends_by_its_budget),
      cmocka_unit_test(test_ends_by_patience),
      cmocka_unit_test(test_several_tickets_are_open_at_once),
      cmocka_unit_test(test_begins_with_seed_configurations),
      cmocka_unit_test(test_takes_budget_and_strategy_of_the_spec),
      cmocka_unit_test(test_alternatives_have_their_own_parameters),
      cmocka_unit_test(test_refuses_wrong_tickets),
      cmocka_unit_test(test_refuses_wrong_measurements),
      cmocka_unit_test(test_refuses_wrong_options),
      cmocka_unit_test(test_an_empty_space_is_an_error),
      cmocka_unit_test(test_failures_are_data),
      cmocka_unit_test(test_nothing_works),
      cmocka_unit_test(test_samples_give_a_median_and_an_interval),
      cmocka_unit_test(test_metrics_of_the_spec_follow_from_times),
      cmocka_unit_test(test_several_objectives_have_a_pareto_set),
      cmocka_unit_test(test_values_may_be_negative_or_zero),
      cmocka_unit_test(test_continues_from_the_store),
      cmocka_unit_test(test_keeps_failures_values_and_samples),
      cmocka_unit_test(test_the_host_names_what_results_are_for),
      cmocka_unit_test(test_a_store_that_goes_away_keeps_the_ticket_open),
      cmocka_unit_test(test_one_search_of_a_run_at_a_time),
      cmocka_unit_test(test_proves_an_improvement),
      cmocka_unit_test(test_proves_that_nothing_is_faster),
      cmocka_unit_test(test_noise_is_inconclusive),
      cmocka_unit_test(test_confirmation_needs_an_order),
      cmocka_unit_test(test_a_finalist_fails_in_the_confirmation),
      cmocka_unit_test(test_the_baseline_fails_in_the_confirmation),
      cmocka_unit_test(test_a_filter_rejects_with_a_reason),
      cmocka_unit_test(test_keeps_the_best_of_a_ranking),
      cmocka_unit_test(test_a_small_share_keeps_one),
      cmocka_unit_test(test_one_admitted_needs_no_measurement),
      cmocka_unit_test(test_none_admitted_is_an_error),
      cmocka_unit_test(test_refuses_contradictory_stages),
      cmocka_unit_test(test_a_space_too_large_to_rank),
      cmocka_unit_test(test_filters_finalists),
      cmocka_unit_test(test_many_threads_share_a_search),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
