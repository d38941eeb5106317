/* What was found for one operation is tried first for others of its kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hone_iree.h"
#include "iree/model/model_tune.h"
#include "spec_space.h"

#define COMPILER                                                                                   \
  "name: t\nbackend: sim\nalternatives:\n  - params: {pipeline: [compiler]}\n  - params: "
static const char first_spec[] =
    COMPILER "{pipeline: [Expert], vec_0: [1, 4, 8, 16], dist_0: [8, 16, 32, 64]}\n"
             "    constraints: [dist_0 % vec_0 == 0]\n";
static const char second_spec[] =
    COMPILER "{pipeline: [Expert], vec_0: [1, 2, 8, 32], dist_0: [24, 48, 96, 192]}\n"
             "    constraints: [dist_0 % vec_0 == 0]\n";
static const char other_spec[] = COMPILER "{pipeline: [Expert], vec_1: [1, 2], dist_1: [24, 48]}\n";

struct world {
  struct hone_iree_tune_options options;
  struct hone__model_tuning tuning;
  struct hone__model_dispatch dispatches[3];
  struct hone__model_state state;
  struct hone__model_candidate candidate;
  struct hone__model_found found, *list[3];
  struct hone_iree_tuned tuned;
  char tool[16];
};

static void put(struct world *world, size_t number, const char *name, const char *yaml)
{
  struct hone__model_dispatch_space space = {.dump = strdup(name), .for_tuning = true};

  world->dispatches[number].file = name;
  space.space = make_space(yaml);
  space.spec = spec;
  hone__model_dispatch_spaces_put(&world->tuning.spaces, &space);
}

static void begin(struct world *world, const char *config, double speedup)
{
  *world = (struct world){.tool = "iree-compile"};
  world->options.stop_after = HONE_IREE_STAGE_ALL;
  world->tuning = (struct hone__model_tuning){.options = &world->options,
                                              .state = &world->state,
                                              .found = world->list,
                                              .tuned = &world->tuned};
  world->tuning.tools.paths[HONE__IREE_COMPILE] = world->tool;
  world->tuned.count = world->state.dispatches_count = 3;
  world->state.dispatches = world->dispatches;
  world->candidate = (struct hone__model_candidate){.config = config, .speedup = speedup};
  world->found = (struct hone__model_found){.candidates = &world->candidate, .candidates_count = 1};
  world->list[0] = &world->found;
  put(world, 0, "first", first_spec);
  put(world, 1, "second", second_spec);
  put(world, 2, "other", other_spec);
}

static const struct hone_space *space_of(const struct world *world, const char *name)
{
  return hone__model_dispatch_spaces_find(&world->tuning.spaces, name)->space;
}

/* Half of a loop of 64 is half of one of 192. A vector of 16 is as far from 8 as from 32: the first
 * counts. */
static void the_nearest_legal_one_is_taken(void **state)
{
  struct hone__words seeds = {0};
  struct world world;

  (void)state;
  begin(&world, "pipeline=Expert,vec_0=8,dist_0=32", 2);
  hone__model_similar_seeds(&world.tuning, 1, space_of(&world, "second"), &seeds);
  assert_int_equal(seeds.count, 1);
  assert_string_equal(seeds.data[0], "pipeline=Expert,vec_0=8,dist_0=96");
  hone__words_release(&seeds);
  world.candidate.config = "pipeline=Expert,vec_0=16,dist_0=64";
  hone__model_similar_seeds(&world.tuning, 1, space_of(&world, "second"), &seeds);
  assert_string_equal(seeds.data[0], "pipeline=Expert,vec_0=8,dist_0=192");
  hone__words_release(&seeds);
  hone__model_dispatch_spaces_release(&world.tuning.spaces);
}

static void others_of_its_kind_are_similar(void **state)
{
  struct hone__words seeds = {0};
  struct world world;

  (void)state;
  begin(&world, "pipeline=Expert,vec_0=8,dist_0=32", 2);
  assert_true(hone__model_is_similar(&world.tuning, 1));
  assert_false(hone__model_is_similar(&world.tuning, 2));
  hone__model_similar_seeds(&world.tuning, 2, space_of(&world, "other"), &seeds);
  assert_int_equal(seeds.count, 0);
  hone__model_dispatch_spaces_release(&world.tuning.spaces);
}

/* Nothing follows from what is not faster; and a host without a compiler takes what was built. */
static void nothing_is_taken_without_need(void **state)
{
  struct world world;

  (void)state;
  begin(&world, "pipeline=Expert,vec_0=8,dist_0=32", 1.01);
  assert_false(hone__model_is_similar(&world.tuning, 1));
  world.candidate.speedup = 2;
  assert_true(hone__model_is_similar(&world.tuning, 1));
  world.tuning.tools.paths[HONE__IREE_COMPILE] = NULL;
  assert_false(hone__model_is_similar(&world.tuning, 1));
  hone__model_dispatch_spaces_release(&world.tuning.spaces);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_legal_one_is_taken),
      cmocka_unit_test(others_of_its_kind_are_similar),
      cmocka_unit_test(nothing_is_taken_without_need),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
