/* Keys that were set are found with their last value, however many there are. */
#include "base/key_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 20000 };

static void finds_what_was_set(void **state)
{
  struct hone__key_map map = {0};
  char key[32];
  int64_t value;

  (void)state;
  for (int i = 0; i < MANY; i++) {
    snprintf(key, sizeof key, "BM=%d,BN=%d", i % 100, i);
    hone__key_map_set(&map, key, i);
  }
  assert_int_equal(map.count, MANY);
  for (int i = 0; i < MANY; i++) {
    snprintf(key, sizeof key, "BM=%d,BN=%d", i % 100, i);
    assert_true(hone__key_map_find(&map, key, &value));
    assert_int_equal(value, i);
  }
  assert_false(hone__key_map_has(&map, "BM=0"));
  hone__key_map_release(&map);
}

static void replaces_values(void **state)
{
  struct hone__key_map map = {0};
  char key[] = "a";
  int64_t value;

  (void)state;
  hone__key_map_set(&map, key, 1);
  hone__key_map_set(&map, key, -7);
  key[0] = 'b'; /* it was copied */
  assert_int_equal(map.count, 1);
  assert_true(hone__key_map_find(&map, "a", &value));
  assert_int_equal(value, -7);
  hone__key_map_release(&map);
}

static void is_empty_at_first(void **state)
{
  struct hone__key_map map = {0};
  int64_t value = 3;

  (void)state;
  assert_false(hone__key_map_has(&map, ""));
  assert_false(hone__key_map_find(&map, "x", &value));
  assert_int_equal(value, 3);
  hone__key_map_set(&map, "", 5);
  assert_true(hone__key_map_has(&map, ""));
  hone__key_map_release(&map);
  assert_false(hone__key_map_has(&map, ""));
  hone__key_map_release(&map);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_what_was_set),
      cmocka_unit_test(replaces_values),
      cmocka_unit_test(is_empty_at_first),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
