/* Candidates from the search to their record: in which order they are measured and recorded. */
#include "opened_tuning.h"

#include "tune/underway.h"

enum { COUNT = 4 };

static struct {
  char recorded[64]; /* "K=0 K=1 " */
  const char *again; /* one that has more to do when it is settled first */
} log_;

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_equal_times(COUNT);
  memset(&log_, 0, sizeof log_);
  return 0;
}

static bool note_record(struct hone__candidate *candidate)
{
  if (log_.again && strcmp(candidate->config, log_.again) == 0) {
    log_.again = NULL;
    return false;
  }
  strcat(log_.recorded, candidate->config);
  strcat(log_.recorded, " ");
  return true;
}

struct world {
  struct opened opened;
  struct hone__underway underway;
  struct hone__candidate *candidates[COUNT];
};

static void open_world(struct world *world, const char *strategy)
{
  *world = (struct world){.opened = {.options = sim_options()}};
  world->opened.options.strategy = strategy;
  open_tuning(&world->opened, "");
  begin_run(&world->opened);
  hone__underway_open(&world->underway, &world->opened.tuning, note_record);
  for (uint32_t i = 0; i < COUNT; i++) {
    world->candidates[i] = candidate_of(&world->opened, i);
    world->candidates[i]->size = 10;
    hone__underway_add(&world->underway, world->candidates[i]);
  }
}

static void make_ready(struct world *world, size_t i)
{
  hone__underway_make_ready(&world->underway, world->candidates[i]);
}

static void settle(struct world *world, size_t i)
{
  world->candidates[i]->evaluation.outcome = HONE_OUTCOME_OK;
  world->candidates[i]->evaluation.time_ns = 100;
  hone__underway_settle(&world->underway, world->candidates[i]);
}

static bool nobody_waits(void *data, struct hone__candidate *candidate)
{
  (void)data, (void)candidate;
  return false;
}

static bool one_waits(void *data, struct hone__candidate *candidate)
{
  return candidate == data;
}

static void candidates_are_numbered(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "exhaustive");
  assert_int_equal(world.candidates[2]->number, 2);
  assert_int_equal(world.candidates[2]->evaluation.asked, 3);
  assert_int_equal(world.underway.added, COUNT);
  for (size_t i = 0; i < COUNT; i++)
    hone__underway_drop(&world.underway, world.candidates[i]);
  assert_null(world.underway.first);
  assert_int_equal(world.underway.recorded, COUNT);
  assert_string_equal(log_.recorded, "");
  release_opened(&world.opened);
}

static void without_learning_the_built_one_is_next(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "exhaustive");
  assert_null(hone__underway_next(&world.underway, nobody_waits, NULL));
  make_ready(&world, 1);
  make_ready(&world, 3);
  assert_int_equal(world.underway.ready, 2);
  assert_int_equal(world.underway.ready_bytes, 20);
  assert_ptr_equal(hone__underway_next(&world.underway, nobody_waits, NULL), world.candidates[1]);
  assert_ptr_equal(hone__underway_next(&world.underway, one_waits, world.candidates[1]),
                   world.candidates[3]);
  hone__underway_measure(&world.underway, world.candidates[1]);
  assert_int_equal(world.underway.ready, 1);
  settle(&world, 1);
  assert_string_equal(log_.recorded, "K=1 ");
  hone__underway_drop_ready(&world.underway);
  assert_int_equal(world.underway.ready, 0);
  hone__underway_drop(&world.underway, world.candidates[0]);
  hone__underway_drop(&world.underway, world.candidates[2]);
  release_opened(&world.opened);
}

/* A search that learns must not see which of two was faster to build. */
static void learners_go_in_the_order_of_the_search(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "genetic");
  make_ready(&world, 1);
  assert_ptr_equal(hone__underway_next(&world.underway, nobody_waits, NULL), world.candidates[1]);
  world.underway.measures_in_order = true; /* the search may end before the space does */
  assert_null(hone__underway_next(&world.underway, nobody_waits, NULL)); /* K=0 is not built */
  make_ready(&world, 0);
  assert_ptr_equal(hone__underway_next(&world.underway, nobody_waits, NULL), world.candidates[0]);
  assert_null(hone__underway_next(&world.underway, one_waits, world.candidates[0]));
  hone__underway_measure(&world.underway, world.candidates[0]);
  assert_ptr_equal(hone__underway_next(&world.underway, nobody_waits, NULL), world.candidates[1]);
  settle(&world, 1);
  assert_string_equal(log_.recorded, "");
  settle(&world, 0);
  assert_string_equal(log_.recorded, "K=0 K=1 ");
  settle(&world, 3);
  hone__underway_drop(&world.underway, world.candidates[2]); /* K=3 waits no longer */
  assert_string_equal(log_.recorded, "K=0 K=1 K=3 ");
  release_opened(&world.opened);
}

/* One with more to do stays, and those behind it wait. */
static void who_has_more_to_do_is_settled_again(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "genetic");
  log_.again = "K=0";
  settle(&world, 1);
  settle(&world, 0);
  assert_string_equal(log_.recorded, "");
  settle(&world, 0);
  assert_string_equal(log_.recorded, "K=0 K=1 ");
  hone__underway_drop(&world.underway, world.candidates[2]);
  hone__underway_drop(&world.underway, world.candidates[3]);
  release_opened(&world.opened);
}

static void equal_objects_wait_for_each_other(void **state)
{
  struct world world;
  struct hone__candidate **c = world.candidates;

  (void)state;
  open_world(&world, "exhaustive");
  for (size_t i = 0; i < COUNT; i++)
    strcpy(c[i]->measure_key, i < 2 ? "same" : "other");
  assert_false(hone__underway_is_timing(&world.underway, c[1]));
  hone__underway_measure(&world.underway, c[0]);
  assert_true(hone__underway_is_timing(&world.underway, c[1]));
  assert_false(hone__underway_is_timing(&world.underway, c[0])); /* only itself */
  assert_false(hone__underway_is_timing(&world.underway, c[2]));
  assert_false(hone__underway_has_unchecked(&world.underway, c[3]));
  c[2]->may_lead = true;
  assert_true(hone__underway_has_unchecked(&world.underway, c[3]));
  assert_true(hone__underway_is_timing(&world.underway, c[3])); /* an earlier one may lead */
  for (size_t i = 0; i < COUNT; i++)
    hone__underway_drop(&world.underway, c[i]);
  release_opened(&world.opened);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(candidates_are_numbered),
      TEST(without_learning_the_built_one_is_next),
      TEST(learners_go_in_the_order_of_the_search),
      TEST(who_has_more_to_do_is_settled_again),
      TEST(equal_objects_wait_for_each_other),
  };

  return cmocka_run_group_tests_name("underway", tests, NULL, NULL);
}
