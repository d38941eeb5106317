/* The clock of a tuning, and how the jobs of a pool move a virtual one. */
#include "pool/pool_inside.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { SLOTS = 2 };

struct scene {
  struct hone__clock clock;
  struct hone__slot slots[SLOTS];
  struct hone__pool pool;
};

static void open_scene(struct scene *scene)
{
  *scene = (struct scene){.clock = {.is_virtual = true}};
  scene->pool.options = (struct hone__pool_options){.clock = &scene->clock, .slot_count = SLOTS};
  scene->pool.slots = scene->slots;
}

static void begin(struct scene *scene)
{
  hone__pool_clock_begin(&scene->pool);
  scene->pool.pending++;
}

static double end(struct scene *scene, int slot, double worked_s)
{
  const struct hone__job job = {.slot = slot};

  scene->pool.pending--;
  return hone__pool_clock_end(&scene->pool, &job, worked_s);
}

static void expect_time(double expected, double got)
{
  if (fabs(expected - got) > 1e-9) fail_msg("%g is not %g", got, expected);
}

static void count_move(void *data)
{
  ++*(int *)data;
}

static void test_real_by_default(void **state)
{
  struct hone__clock clock = {0};
  double before = hone__clock(), now = hone__clock_now(&clock);

  (void)state;
  assert_true(before <= now && now <= hone__clock());
  hone__clock_reach(&clock, now + 1000);
  assert_true(hone__clock_now(&clock) < now + 1000);
}

static void test_virtual_moves_forward_only(void **state)
{
  int moves = 0;
  struct hone__clock clock = {.is_virtual = true, .on_move = count_move, .data = &moves};

  (void)state;
  expect_time(0, hone__clock_now(&clock));
  hone__clock_reach(&clock, 600);
  expect_time(600, hone__clock_now(&clock));
  hone__clock_reach(&clock, 5);
  hone__clock_reach(&clock, NAN);
  expect_time(600, hone__clock_now(&clock));
  assert_int_equal(moves, 1);
}

static void test_jobs_of_a_slot_follow_each_other(void **state)
{
  struct scene scene;

  (void)state;
  open_scene(&scene);
  begin(&scene);
  begin(&scene); /* queued behind the first */
  expect_time(3, end(&scene, 0, 3));
  expect_time(5, end(&scene, 0, 2));
  expect_time(5, scene.clock.now_s);
}

/* The fast slot does three short jobs while the other one does a long one, whoever replies first.
 */
static void test_slots_work_at_the_same_time(void **state)
{
  struct scene scene;

  (void)state;
  open_scene(&scene);
  for (int i = 0; i < 4; i++)
    begin(&scene);
  expect_time(100, end(&scene, 1, 100));
  for (int i = 1; i <= 3; i++)
    expect_time(i, end(&scene, 0, 1));
  expect_time(100, scene.clock.now_s);
}

static void test_an_idle_pool_begins_now(void **state)
{
  struct scene scene;

  (void)state;
  open_scene(&scene);
  begin(&scene);
  end(&scene, 0, 3);
  scene.clock.now_s = 50; /* another pool worked */
  begin(&scene);
  expect_time(51, end(&scene, 1, 1));
}

static void test_jobs_for_any_slot_are_spread(void **state)
{
  static const double ends[] = {10, 1, 2, 3};
  struct scene scene;

  (void)state;
  open_scene(&scene);
  for (int i = 0; i < 4; i++)
    begin(&scene);
  for (int i = 0; i < 4; i++)
    expect_time(ends[i], end(&scene, HONE__ANY_SLOT, i ? 1 : 10));
  expect_time(10, scene.clock.now_s);
}

static void test_what_takes_no_time(void **state)
{
  const struct hone__job again = {.is_repeated = true};
  struct scene scene;

  (void)state;
  open_scene(&scene);
  begin(&scene);
  expect_time(0, end(&scene, 0, NAN)); /* no worker did it */
  begin(&scene);
  expect_time(0, end(&scene, 0, INFINITY));
  begin(&scene);
  expect_time(0, hone__pool_clock_end(&scene.pool, &again, 7));
}

static void assert_in_real_time(double moment, double before)
{
  assert_true(before <= moment && moment <= hone__clock());
}

static void test_a_pool_without_a_virtual_clock(void **state)
{
  struct scene scene;
  double before = hone__clock();

  (void)state;
  open_scene(&scene);
  scene.clock.is_virtual = false;
  begin(&scene);
  assert_in_real_time(end(&scene, 0, 1000), before);
  scene.pool.options.clock = NULL;
  begin(&scene);
  assert_in_real_time(end(&scene, 0, 1000), before);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_real_by_default),
      cmocka_unit_test(test_virtual_moves_forward_only),
      cmocka_unit_test(test_jobs_of_a_slot_follow_each_other),
      cmocka_unit_test(test_slots_work_at_the_same_time),
      cmocka_unit_test(test_an_idle_pool_begins_now),
      cmocka_unit_test(test_jobs_for_any_slot_are_spread),
      cmocka_unit_test(test_what_takes_no_time),
      cmocka_unit_test(test_a_pool_without_a_virtual_clock),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
