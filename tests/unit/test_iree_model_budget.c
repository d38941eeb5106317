/* The time of a model's tuning: a budget is for all stages together. */
#include "iree_world.h"

#include "hone_iree.h"
#include "iree/model/model_tune.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct world {
  struct hone_iree_options iree;
  struct hone_iree_model_options model;
  struct hone_tune_options tune;
  struct hone_iree_tune_options options;
  struct hone__model_tuning tuning;
};

static void begin(struct world *world, double budget_s, double spent_s)
{
  *world = (struct world){0};
  hone_iree_model_options_init(&world->model);
  hone_tune_options_init(&world->tune);
  hone_iree_tune_options_init(&world->options);
  world->model.iree = &world->iree;
  world->tune.budget_s = budget_s;
  world->options.model = &world->model;
  world->options.tune = &world->tune;
  world->tuning.options = &world->options;
  world->tuning.began = hone__clock() - spent_s;
}

static void stages_share_what_is_left(void **state)
{
  struct hone_tune_options run = {0}, later = {0};
  struct world world;

  (void)state;
  begin(&world, 180, 0);
  hone__model_limit(&world.tuning, HONE__MODEL_OPTIONS, 1, &run);
  assert_true(run.search_limit_s + run.confirm_limit_s < 0.4 * 180);
  begin(&world, 180, 60);
  hone__model_limit(&world.tuning, HONE__MODEL_SEARCHES, 1, &run);
  assert_true(run.search_limit_s + run.confirm_limit_s < 120 - 0.3 * 180);
  hone__model_limit(&world.tuning, HONE__MODEL_SEARCHES, 0.5, &later);
  assert_true(later.search_limit_s < run.search_limit_s);
  begin(&world, 180, 150);
  assert_true(hone__model_has_time(&world.tuning, HONE__MODEL_CONTEST));
  hone__model_limit(&world.tuning, HONE__MODEL_CONTEST, 1, &run);
  assert_true(run.search_limit_s + run.confirm_limit_s < 30);
}

/* A model that compiles at once is searched in ten seconds, too, and they are kept. */
static void a_short_budget_is_divided(void **state)
{
  struct hone_tune_options run = {0};
  struct world world;

  (void)state;
  begin(&world, 10, 2);
  assert_true(hone__model_has_time(&world.tuning, HONE__MODEL_SEARCHES));
  assert_true(hone__model_has_compiles(&world.tuning, 1, 0));
  hone__model_limit(&world.tuning, HONE__MODEL_SEARCHES, 1, &run);
  assert_true(run.search_limit_s + run.confirm_limit_s < 6);
  begin(&world, 10, 9);
  assert_false(hone__model_has_time(&world.tuning, HONE__MODEL_SEARCHES));
}

/* A model whose compile and first runs took most of the budget is searched with what is left. Once
 * something is found, the rest is the model's. */
static void time_for_the_model_needs_something_found(void **state)
{
  struct hone__model_found found = {0}, *list[] = {&found};
  struct hone_iree_tuned tuned = {.count = 1};
  struct hone_tune_options run = {0};
  struct world world;

  (void)state;
  begin(&world, 180, 140);
  world.tuning.compile_s = 10;
  assert_true(hone__model_has_time(&world.tuning, HONE__MODEL_SEARCHES));
  hone__model_limit(&world.tuning, HONE__MODEL_SEARCHES, 1, &run);
  assert_true(run.search_limit_s > 10 && run.search_limit_s + run.confirm_limit_s <= 20);
  world.tuning.found = list;
  world.tuning.tuned = &tuned;
  assert_false(hone__model_has_time(&world.tuning, HONE__MODEL_SEARCHES));
}

/* The spec is compiled once more at the end: nothing else begins without time for that. */
static void the_last_compile_is_in_the_budget(void **state)
{
  struct hone_tune_options run = {0}, later = {0};
  struct world world;

  (void)state;
  begin(&world, 180, 100);
  hone__model_limit(&world.tuning, HONE__MODEL_CONTEST, 1, &run);
  world.tuning.compile_s = 20;
  hone__model_limit(&world.tuning, HONE__MODEL_CONTEST, 1, &later);
  assert_true(later.search_limit_s + later.confirm_limit_s <= 60);
  assert_true(later.confirm_limit_s < run.confirm_limit_s);
  begin(&world, 180, 176);
  assert_false(hone__model_has_time(&world.tuning, HONE__MODEL_TOGETHER));
}

static void the_model_may_have_less(void **state)
{
  struct hone_tune_options run = {0};
  struct world world;

  (void)state;
  begin(&world, 180, 0);
  world.options.model_budget_s = 20;
  hone__model_limit(&world.tuning, HONE__MODEL_CONTEST, 1, &run);
  assert_true(run.search_limit_s + run.confirm_limit_s <= 20);
  assert_true(run.search_limit_s > 5);
}

static void compiles_must_fit(void **state)
{
  struct world world;

  (void)state;
  begin(&world, 340, 300);
  world.tuning.compile_s = 20;
  assert_false(hone__model_has_compiles(&world.tuning, 2, 0));
  assert_true(hone__model_has_compiles(&world.tuning, 1, 0));
  begin(&world, 0, 300);
  world.tune.evaluations = 3;
  world.tuning.compile_s = 20;
  assert_true(hone__model_has_compiles(&world.tuning, 100, 0));
}

/* Parts may take longer than their limits, but not longer than the budget. */
static void every_run_ends_with_the_budget(void **state)
{
  static const enum hone__model_part parts[] = {HONE__MODEL_OPTIONS, HONE__MODEL_SEARCHES,
                                                HONE__MODEL_CONTEST, HONE__MODEL_TOGETHER};

  (void)state;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    struct hone_tune_options run = {0};
    struct world world;
    double left;
    begin(&world, 180, 100);
    world.tuning.compile_s = 20;
    hone__model_limit(&world.tuning, parts[i], 1, &run);
    left = run.deadline - hone__clock_since_1970();
    assert_true(left > 30 && left <= (parts[i] == HONE__MODEL_OPTIONS ? 80 : 60)); /* a compile */
    run.deadline = hone__clock_since_1970() + 7;
    hone__model_limit(&world.tuning, parts[i], 1, &run);
    assert_true(run.deadline < hone__clock_since_1970() + 8);
  }
}

static void calls_must_fit(void **state)
{
  struct hone__model_state known = {.time_ns = 10e9};
  struct world world;

  (void)state;
  begin(&world, 340, 300);
  world.tuning.compile_s = 1;
  world.tuning.state = &known;
  assert_true(hone__model_has_compiles(&world.tuning, 1, 3));
  assert_false(hone__model_has_compiles(&world.tuning, 1, 4));
}

/* That of the plain model. */
static void options_need_a_compile(void **state)
{
  struct world world;

  (void)state;
  begin(&world, 100, 60);
  world.tuning.compile_s = 30;
  assert_true(hone__model_has_time(&world.tuning, HONE__MODEL_OPTIONS));
  world.tuning.compile_s = 40;
  assert_false(hone__model_has_time(&world.tuning, HONE__MODEL_OPTIONS));
  assert_true(hone__model_has_time(&world.tuning, HONE__MODEL_CONTEST));
}

/* Few calls fit into the budget: none of them is for anything else. */
static void options_of_slow_models_are_tried(void **state)
{
  struct hone__model_state known = {.time_ns = 2.5e9};
  struct world world;

  (void)state;
  begin(&world, 60, 30);
  world.tuning.state = &known;
  assert_true(hone__model_has_time(&world.tuning, HONE__MODEL_OPTIONS));
  known.time_ns = 4e9;
  assert_false(hone__model_has_time(&world.tuning, HONE__MODEL_OPTIONS));
}

/* Each compile takes long: what looks faster is proved, and no entries are looked for. */
static void options_take_all_where_nothing_follows(void **state)
{
  struct hone_tune_options run = {0}, few = {0};
  struct world world;

  (void)state;
  begin(&world, 120, 30);
  world.tuning.compile_s = 3;
  assert_true(hone__model_has_rest(&world.tuning));
  hone__model_limit(&world.tuning, HONE__MODEL_OPTIONS, 1, &run);
  assert_false(run.confirm_in_full);
  world.tuning.compile_s = 20;
  assert_false(hone__model_has_rest(&world.tuning));
  hone__model_limit(&world.tuning, HONE__MODEL_OPTIONS, 1, &few);
  assert_true(few.confirm_in_full && few.confirm_limit_s > 2 * run.confirm_limit_s);
  assert_true(few.deadline <= hone__clock_since_1970() + 90);
}

static void numbers_of_candidates_have_no_limit(void **state)
{
  struct hone_tune_options run = {0};
  struct world world;

  (void)state;
  begin(&world, 0, 1000);
  assert_true(hone__model_budget(&world.tuning) > 0);
  world.tune.evaluations = 3;
  assert_true(hone__model_budget(&world.tuning) == 0);
  assert_true(isinf(hone__model_time_left(&world.tuning)));
  assert_true(hone__model_has_time(&world.tuning, HONE__MODEL_SEARCHES));
  hone__model_limit(&world.tuning, HONE__MODEL_SEARCHES, 1, &run);
  assert_true(run.search_limit_s == 0 && run.confirm_limit_s == 0 && run.deadline == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stages_share_what_is_left),
      cmocka_unit_test(a_short_budget_is_divided),
      cmocka_unit_test(time_for_the_model_needs_something_found),
      cmocka_unit_test(the_last_compile_is_in_the_budget),
      cmocka_unit_test(the_model_may_have_less),
      cmocka_unit_test(compiles_must_fit),
      cmocka_unit_test(calls_must_fit),
      cmocka_unit_test(options_need_a_compile),
      cmocka_unit_test(options_of_slow_models_are_tried),
      cmocka_unit_test(options_take_all_where_nothing_follows),
      cmocka_unit_test(every_run_ends_with_the_budget),
      cmocka_unit_test(numbers_of_candidates_have_no_limit),
  };

  return cmocka_run_group_tests(tests, begin_without_iree, remove_folder);
}
