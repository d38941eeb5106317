/* The Pareto set of a run, from its evaluations. */
#include "results/pareto_set.h"

#include "hone_results.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char two[] = "{\"objectives\": [{\"name\": \"time\"}, {\"name\": \"GB/s\", "
                          "\"maximise\": true}]}";

struct world {
  struct hone__arena arena;
  struct hone__results_pareto_making making;
  struct hone_pareto *pareto;
  int64_t id;
};

static void begin(struct world *world, const char *options, const char *winner)
{
  struct hone__store_run_stored run = {.record = {.options = options},
                                       .result = {.winner = winner}};

  *world = (struct world){0};
  hone__results_pareto_begin(&world->making, &world->arena, &run);
}

static struct hone__stored stored_of(struct world *world, const char *config, double time_ns,
                                     const char *metrics)
{
  return (struct hone__stored){.evaluation = {.id = ++world->id,
                                              .config = config,
                                              .outcome = HONE_OUTCOME_OK,
                                              .time_ns = time_ns,
                                              .metrics = metrics},
                               .time_ns = NAN,
                               .baseline_ns = NAN};
}

static void put(struct world *world, const char *config, double time_ns, const char *metrics)
{
  struct hone__stored stored = stored_of(world, config, time_ns, metrics);

  stored.evaluation.is_baseline = strcmp(config, "BASE") == 0;
  assert_true(hone__results_pareto_collect(&world->making, &stored));
}

/* "C=1 A=2 | B=3": members, then the others. */
static void expect_points(struct world *world, const char *expected)
{
  char text[256] = "";

  world->pareto = hone__results_pareto_end(&world->making);
  assert_non_null(world->pareto);
  for (size_t i = 0; i < world->pareto->point_count; i++) {
    if (i == world->pareto->member_count) strcat(text, "| ");
    assert_int_equal(world->pareto->points[i].is_member, i < world->pareto->member_count);
    strcat(strcat(text, world->pareto->points[i].config), " ");
  }
  assert_string_equal(text, expected);
}

static void end(struct world *world)
{
  hone__arena_release(&world->arena);
}

static const struct hone_pareto_point *find(const struct world *world, const char *config)
{
  for (size_t i = 0; i < world->pareto->point_count; i++)
    if (strcmp(world->pareto->points[i].config, config) == 0) return &world->pareto->points[i];
  fail_msg("no %s", config);
  return NULL;
}

static void members_come_first(void **state)
{
  struct world world;

  (void)state;
  begin(&world, two, NULL);
  put(&world, "BASE", 100, "{\"GB/s\": 10}");
  put(&world, "worse", 120, "{\"GB/s\": 9}");
  put(&world, "fast", 50, "{\"GB/s\": 8}");
  put(&world, "wide", 80, "{\"GB/s\": 20}");
  put(&world, "BASE", 90, "{\"GB/s\": 30}"); /* of another device */
  expect_points(&world, "fast wide | BASE worse ");
  assert_int_equal(world.pareto->objectives[0].unit, HONE_UNIT_NS);
  assert_int_equal(world.pareto->objectives[1].unit, HONE_UNIT_NONE);
  assert_true(world.pareto->objectives[1].maximise);
  assert_true(find(&world, "wide")->ratios[0] == 0.8 && find(&world, "wide")->ratios[1] == 2);
  assert_true(isnan(find(&world, "wide")->values[2]));
  assert_true(find(&world, "BASE")->is_baseline && find(&world, "BASE")->values[0] == 100);
  end(&world);
}

static void what_has_no_number_is_no_member(void **state)
{
  struct hone__stored failed;
  struct world world;

  (void)state;
  begin(&world, two, NULL);
  put(&world, "a", 50, NULL);
  put(&world, "b", 100, "{\"GB/s\": 10}");
  put(&world, "c", 10, "{\"GB/s\": \"many\"}");
  put(&world, "d", 20, "not JSON");
  put(&world, "e", NAN, "{\"GB/s\": 99}");
  failed = stored_of(&world, "f", 1, "{\"GB/s\": 1000}");
  failed.evaluation.outcome = HONE_OUTCOME_WRONG_RESULT;
  assert_true(hone__results_pareto_collect(&world.making, &failed));
  expect_points(&world, "b | c d a e ");
  assert_true(isnan(find(&world, "b")->ratios[0])); /* there is no baseline */
  end(&world);
}

static void a_ratio_to_nothing_is_none(void **state)
{
  struct world world;

  (void)state;
  begin(&world, two, NULL);
  put(&world, "BASE", 100, "{\"GB/s\": 0}");
  put(&world, "a", 50, "{\"GB/s\": 5}");
  expect_points(&world, "a | BASE ");
  assert_true(find(&world, "a")->ratios[0] == 0.5);
  assert_true(isnan(find(&world, "a")->ratios[1]));
  end(&world);
}

static void objectives_without_numbers_are_left_out(void **state)
{
  static const char three[] = "{\"objectives\": [{\"name\": \"energy\"}, {\"name\": \"time\"}, "
                              "{\"name\": \"GB/s\", \"maximise\": true}]}";
  struct world world;

  (void)state;
  begin(&world, three, NULL);
  put(&world, "BASE", 100, "{\"GB/s\": 10}");
  put(&world, "a", 50, "{\"GB/s\": 20}");
  expect_points(&world, "a | BASE ");
  assert_int_equal(world.pareto->objective_count, 2);
  assert_string_equal(world.pareto->objectives[0].name, "time");
  assert_int_equal(world.pareto->objectives[0].unit, HONE_UNIT_NS);
  assert_true(find(&world, "a")->values[0] == 50 && find(&world, "a")->values[1] == 20);
  assert_true(isnan(find(&world, "a")->values[2]) && find(&world, "a")->ratios[1] == 2);
  end(&world);
  begin(&world, three, NULL);
  put(&world, "a", 50, "{\"energy_j\": 0.5}");
  put(&world, "b", 40, "{\"energy_j\": 0.75}");
  expect_points(&world, "a b ");
  assert_int_equal(world.pareto->objectives[0].unit, HONE_UNIT_J);
  end(&world);
}

static void fewer_than_two_objectives_are_no_set(void **state)
{
  static const char *const options[] = {
      NULL,
      "",
      "not JSON",
      "{}",
      "{\"objectives\": 3}",
      "{\"objectives\": [{\"name\": \"time\"}]}",
      "{\"objectives\": [{\"name\": \"time\"}, {\"unit\": \"s\"}, 7]}",
      "{\"objectives\": [{\"name\": \"time\"}, {\"name\": \"energy\"}]}"};
  struct world world;

  (void)state;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    begin(&world, options[i], NULL);
    put(&world, "a", 50, "{\"GB/s\": 20}");
    assert_null(hone__results_pareto_end(&world.making));
    end(&world);
  }
  begin(&world, two, NULL); /* nothing was measured */
  assert_null(hone__results_pareto_end(&world.making));
  end(&world);
}

static void no_more_objectives_than_there_is_room_for(void **state)
{
  char text[2048] = "{\"objectives\": [";
  struct world world;

  (void)state;
  for (int i = 0; i < HONE_PARETO_OBJECTIVES + 3; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s{\"name\": \"m%d\"}",
             i ? ", " : "", i);
  strcat(text, "]}");
  begin(&world, text, NULL);
  put(&world, "a", 1, "{\"m0\": 1, \"m1\": 2}");
  assert_int_equal(world.making.objective_count, HONE_PARETO_OBJECTIVES);
  expect_points(&world, "a ");
  assert_int_equal(world.pareto->objective_count, 2);
  end(&world);
}

/* Equal objects are measured once, and the baseline again beside who is confirmed. */
static void confirmed_times_count_for_equal_objects(void **state)
{
  struct hone__stored stored;
  struct world world;

  (void)state;
  begin(&world, two, "win");
  put(&world, "BASE", 100, "{\"GB/s\": 10}");
  world.making.keys[0] = "base-object";
  stored = stored_of(&world, "other", 60, "{\"GB/s\": 11}");
  stored.evaluation.measure_key = "x";
  stored.confirmed = true;
  stored.time_ns = 66;
  stored.baseline_ns = 111;
  assert_true(hone__results_pareto_collect(&world.making, &stored));
  stored = stored_of(&world, "win", 50, "{\"GB/s\": 12}");
  stored.evaluation.measure_key = "y";
  stored.confirmed = true;
  stored.time_ns = 55;
  stored.baseline_ns = 110;
  assert_true(hone__results_pareto_collect(&world.making, &stored));
  stored = stored_of(&world, "equal", 48, "{\"GB/s\": 12}");
  stored.evaluation.measure_key = "y";
  assert_true(hone__results_pareto_collect(&world.making, &stored));
  expect_points(&world, "win equal | other BASE ");
  assert_true(find(&world, "equal")->confirmed && find(&world, "equal")->values[0] == 55);
  assert_true(find(&world, "BASE")->confirmed && find(&world, "BASE")->values[0] == 110);
  assert_true(find(&world, "win")->ratios[0] == 0.5);
  end(&world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_come_first),
      cmocka_unit_test(what_has_no_number_is_no_member),
      cmocka_unit_test(a_ratio_to_nothing_is_none),
      cmocka_unit_test(objectives_without_numbers_are_left_out),
      cmocka_unit_test(fewer_than_two_objectives_are_no_set),
      cmocka_unit_test(no_more_objectives_than_there_is_room_for),
      cmocka_unit_test(confirmed_times_count_for_equal_objects),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
