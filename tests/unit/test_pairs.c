/* Lists of names with values. */
#include "base/pairs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void test_found_by_name(void **state)
{
  struct hone__pairs pairs = {0};
  char name[32], value[32];

  (void)state;
  assert_null(hone__pairs_find(&pairs, "a"));
  for (int i = 0; i < 1000; i++) {
    snprintf(name, sizeof name, "name %d", i);
    snprintf(value, sizeof value, "%d", i * i);
    hone__pairs_add(&pairs, name, value);
  }
  assert_int_equal(pairs.count, 1000);
  for (int i = 0; i < 1000; i++) {
    snprintf(name, sizeof name, "name %d", i);
    snprintf(value, sizeof value, "%d", i * i);
    assert_string_equal(pairs.data[i].name, name);
    assert_string_equal(hone__pairs_find(&pairs, name), value);
  }
  assert_null(hone__pairs_find(&pairs, "name 1000"));
  hone__pairs_release(&pairs);
  assert_null(hone__pairs_find(&pairs, "name 0"));
}

static void test_names_that_come_again(void **state)
{
  struct hone__pairs pairs = {0}, copy = {0};

  (void)state;
  hone__pairs_add(&pairs, "x", "1");
  hone__pairs_add(&pairs, "x", "2");
  assert_int_equal(pairs.count, 2);
  assert_string_equal(hone__pairs_find(&pairs, "x"), "1");
  hone__pairs_set(&pairs, "x", "3");
  hone__pairs_set(&pairs, "y", "");
  assert_int_equal(pairs.count, 3);
  assert_string_equal(hone__pairs_find(&pairs, "x"), "3");
  assert_string_equal(pairs.data[1].value, "2");
  hone__pairs_add_all(&copy, pairs.data, pairs.count);
  hone__pairs_release(&pairs);
  assert_string_equal(hone__pairs_find(&copy, "y"), "");
  hone__pairs_release(&copy);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_found_by_name),
      cmocka_unit_test(test_names_that_come_again),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
