/* How long devices were idle, and how long of that although there was something to do. */
#include "wire/packed_json.h"
#include "tune/utilisation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void expect(const struct hone__utilisation *use, const char *name, double seconds)
{
  json_t *json = hone__packed_json(hone__utilisation_pack(use, false, 21));

  assert_true(fabs(json_number_value(json_object_get(json, name)) - seconds) < 1e-9);
  json_decref(json);
}

/* From 10 to 20: wanted from 12 to 17, worked for 4 of these 5 seconds. */
static void idle_times_are_told_apart(void **state)
{
  struct hone__utilisation use;

  (void)state;
  hone__utilisation_open(&use, 1, 10);
  hone__utilisation_want(&use, 0, true, 12);
  hone__utilisation_want(&use, 0, true, 13);
  hone__utilisation_work(&use, 0, 3);
  hone__utilisation_work(&use, 0, 1);
  hone__utilisation_want(&use, 0, false, 17);
  hone__utilisation_close(&use, 20);
  expect(&use, "devices", 1);
  expect(&use, "wall_s", 10);
  expect(&use, "ended_s", 21);
  expect(&use, "busy_s", 4);
  expect(&use, "idle_s", 6);
  expect(&use, "idle_ready_s", 1);
  assert_true(fabs(hone__utilisation_idle_ready(&use) - 0.1) < 1e-9);
  hone__utilisation_release(&use);
}

/* Two devices: one works all the time, the other is wanted and does nothing. */
static void devices_add_up(void **state)
{
  struct hone__utilisation use;

  (void)state;
  hone__utilisation_open(&use, 2, 0);
  hone__utilisation_want(&use, 0, true, 0);
  hone__utilisation_want(&use, 1, true, 0);
  hone__utilisation_work(&use, 0, 8);
  hone__utilisation_close(&use, 8);
  expect(&use, "busy_s", 8);
  expect(&use, "idle_s", 8);
  expect(&use, "idle_ready_s", 8);
  assert_true(fabs(hone__utilisation_idle_ready(&use) - 0.5) < 1e-9);
  hone__utilisation_release(&use);
}

static void no_figure_is_beyond_sense(void **state)
{
  struct hone__utilisation use;

  (void)state;
  hone__utilisation_open(&use, 1, 0);
  hone__utilisation_close(&use, 0);
  assert_true(hone__utilisation_idle_ready(&use) == 0);
  hone__utilisation_release(&use);

  hone__utilisation_open(&use, 1, 0);
  hone__utilisation_want(&use, 0, true, 1);
  hone__utilisation_work(&use, 0, 9); /* a clock of its own */
  hone__utilisation_close(&use, 2);
  expect(&use, "busy_s", 2);
  expect(&use, "idle_s", 0);
  expect(&use, "idle_ready_s", 0);
  hone__utilisation_release(&use);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(idle_times_are_told_apart),
      cmocka_unit_test(devices_add_up),
      cmocka_unit_test(no_figure_is_beyond_sense),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
