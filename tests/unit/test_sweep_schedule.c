/* Who runs what next in a sweep, and which parameters change nothing. */
#include "base/memory.h"
#include "session/knobs.h"
#include "sweep/sweep_schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- The schedule ---- */

/* Groups [1], [2, 3], [4, 5, 6], [7, 8], all of them ready. */
static struct hone__schedule *four_groups(size_t devices)
{
  static const uint32_t groups[] = {0, 1, 1, 2, 2, 2, 3, 3};
  struct hone__schedule *schedule = hone__schedule_open(4, devices);

  for (uint32_t i = 0; i < 8; i++)
    hone__schedule_add(schedule, groups[i], i + 1);
  hone__schedule_seal(schedule);
  for (uint32_t i = 0; i < 4; i++)
    hone__schedule_ready(schedule, i);
  return schedule;
}

/* Each device in turn asks, until none gets anything. */
static void take_in_turn(struct hone__schedule *schedule, size_t devices, char *text, size_t size)
{
  size_t length = 0, idle = 0;
  uint32_t item;

  *text = 0;
  for (size_t device = 0; idle < devices; device = (device + 1) % devices) {
    idle++;
    if (!hone__schedule_take(schedule, device, &item)) continue;
    idle = 0;
    length +=
        (size_t)snprintf(text + length, size - length, "%s%zu:%u", length ? " " : "", device, item);
  }
}

static void large_groups_come_first(void **state)
{
  struct hone__schedule *schedule = four_groups(1);
  char text[128];

  (void)state;
  assert_int_equal(hone__schedule_left(schedule), 8);
  take_in_turn(schedule, 1, text, sizeof text);
  assert_string_equal(text, "0:4 0:5 0:6 0:2 0:3 0:7 0:8 0:1");
  assert_int_equal(hone__schedule_left(schedule), 0);
  hone__schedule_free(schedule);
}

static void a_device_takes_a_whole_group(void **state)
{
  struct hone__schedule *schedule = four_groups(2);
  char text[128];

  (void)state;
  take_in_turn(schedule, 2, text, sizeof text);
  assert_string_equal(text, "0:4 1:2 0:5 1:3 0:6 1:7 0:1 1:8");
  hone__schedule_free(schedule);
}

static void idle_devices_take_from_the_longest_queue(void **state)
{
  struct hone__schedule *schedule = hone__schedule_open(2, 3);
  uint32_t item;

  (void)state;
  for (uint32_t i = 0; i < 7; i++)
    hone__schedule_add(schedule, i < 3, 10 + i);
  hone__schedule_seal(schedule);
  hone__schedule_ready(schedule, 0);
  hone__schedule_ready(schedule, 1);
  assert_true(hone__schedule_take(schedule, 0, &item) && item == 13); /* of four */
  assert_true(hone__schedule_take(schedule, 1, &item) && item == 10); /* of three */
  assert_true(hone__schedule_take(schedule, 2, &item) && item == 14);
  assert_true(hone__schedule_take(schedule, 2, &item) && item == 15); /* of equals the first */
  assert_true(hone__schedule_take(schedule, 2, &item) && item == 11);
  assert_true(hone__schedule_take(schedule, 0, &item) && item == 16);
  assert_true(hone__schedule_take(schedule, 0, &item) && item == 12);
  assert_false(hone__schedule_take(schedule, 1, &item));
  hone__schedule_free(schedule);
}

static void a_group_waits_for_its_binary(void **state)
{
  struct hone__schedule *schedule = hone__schedule_open(3, 1);
  const uint32_t *items;
  uint32_t item;
  size_t count;

  (void)state;
  for (uint32_t i = 0; i < 6; i++)
    hone__schedule_add(schedule, i % 3, i);
  hone__schedule_seal(schedule);
  assert_false(hone__schedule_take(schedule, 0, &item));
  hone__schedule_ready(schedule, 2);
  assert_true(hone__schedule_take(schedule, 0, &item) && item == 2);
  hone__schedule_drop(schedule, 0);
  assert_int_equal(hone__schedule_left(schedule), 3);
  items = hone__schedule_items(schedule, 0, &count);
  assert_true(count == 2 && items[0] == 0 && items[1] == 3);
  assert_true(hone__schedule_take(schedule, 0, &item) && item == 5);
  assert_false(hone__schedule_take(schedule, 0, &item));
  hone__schedule_ready(schedule, 0); /* too late */
  assert_false(hone__schedule_take(schedule, 0, &item));
  hone__schedule_ready(schedule, 1);
  assert_true(hone__schedule_take(schedule, 0, &item) && item == 1);
  hone__schedule_return(schedule, 1);
  assert_int_equal(hone__schedule_left(schedule), 2);
  assert_true(hone__schedule_take(schedule, 0, &item) && item == 1);
  assert_true(hone__schedule_take(schedule, 0, &item) && item == 4);
  assert_int_equal(hone__schedule_left(schedule), 0);
  hone__schedule_free(schedule);
}

static void an_empty_schedule_has_nothing(void **state)
{
  struct hone__schedule *schedule = hone__schedule_open(0, 1);
  uint32_t item;

  (void)state;
  hone__schedule_seal(schedule);
  assert_false(hone__schedule_take(schedule, 0, &item));
  assert_int_equal(hone__schedule_left(schedule), 0);
  hone__schedule_free(schedule);
  hone__schedule_free(NULL);
}

/* ---- Knobs ---- */

static void built(struct hone__knobs *knobs, uint64_t a, uint64_t b, const char *object)
{
  const char *names[] = {"A", "B"};
  const uint64_t values[] = {a, b};

  hone__session_knobs_add(knobs, names, values, 2, object);
}

static void a_knob_without_effect_is_found(void **state)
{
  struct hone__knobs *knobs = hone__session_knobs_new();
  char object[16];

  (void)state;
  for (uint64_t a = 0; a < 50; a++)
    for (uint64_t b = 0; b < 20; b++) {
      snprintf(object, sizeof object, "o%d", (int)a);
      built(knobs, a, b, object);
    }
  assert_string_equal(hone__session_knobs_idle(knobs, 0), "B");
  assert_null(hone__session_knobs_idle(knobs, 1));
  hone__session_knobs_free(knobs);
}

static void one_difference_is_enough(void **state)
{
  struct hone__knobs *knobs = hone__session_knobs_new();

  (void)state;
  built(knobs, 1, 1, "x");
  built(knobs, 1, 2, "x");
  assert_string_equal(hone__session_knobs_idle(knobs, 0), "B");
  built(knobs, 1, 3, "y");
  assert_null(hone__session_knobs_idle(knobs, 0));
  built(knobs, 1, 4, "x");
  assert_null(hone__session_knobs_idle(knobs, 0));
  hone__session_knobs_free(knobs);
}

static void without_pairs_nothing_is_said(void **state)
{
  struct hone__knobs *knobs = hone__session_knobs_new();

  (void)state;
  built(knobs, 1, 1, "x");
  built(knobs, 2, 2, "x"); /* differs in both */
  built(knobs, 1, 1, "x"); /* the same again */
  assert_null(hone__session_knobs_idle(knobs, 0));
  hone__session_knobs_free(knobs);
  hone__session_knobs_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(large_groups_come_first),
      cmocka_unit_test(a_device_takes_a_whole_group),
      cmocka_unit_test(idle_devices_take_from_the_longest_queue),
      cmocka_unit_test(a_group_waits_for_its_binary),
      cmocka_unit_test(an_empty_schedule_has_nothing),
      cmocka_unit_test(a_knob_without_effect_is_found),
      cmocka_unit_test(one_difference_is_enough),
      cmocka_unit_test(without_pairs_nothing_is_said),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
