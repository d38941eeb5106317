/* Options of callers that know fewer or more fields than the library, or have not set any. */
#include "base/options_size.h"
#include "hone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct older {
  size_t size;
  int first;
};
struct own {
  size_t size;
  int first, second;
};
struct newer {
  size_t size;
  int first, second;
  int third[8];
};

static const struct own defaults = {.first = 1, .second = 2};

static void a_shorter_struct_keeps_newer_defaults(void **state)
{
  struct {
    struct older options;
    int behind;
  } caller = {.behind = 77};
  struct own own = defaults;

  (void)state;
  hone__options_fill(&caller.options, sizeof caller.options, &defaults, sizeof defaults);
  assert_int_equal(caller.options.first, 1);
  assert_int_equal(caller.behind, 77);
  caller.options.first = 5;
  assert_null(hone__options_take(&own, sizeof own, &caller.options, "options"));
  assert_int_equal(own.first, 5);
  assert_int_equal(own.second, 2);
  assert_int_equal(own.size, sizeof own);
}

static void a_longer_struct_is_cut(void **state)
{
  struct newer caller;
  struct own own = defaults;

  (void)state;
  memset(&caller, 0xff, sizeof caller);
  hone__options_fill(&caller, sizeof caller, &defaults, sizeof defaults);
  assert_int_equal(caller.second, 2);
  assert_int_equal(caller.third[7], 0);
  caller.second = 6;
  assert_null(hone__options_take(&own, sizeof own, &caller, "options"));
  assert_int_equal(own.second, 6);
}

static void none_are_all_defaults(void **state)
{
  struct own own = defaults;

  (void)state;
  assert_null(hone__options_take(&own, sizeof own, NULL, "options"));
  assert_int_equal(own.second, 2);
}

static void expect_refused(hone_status status, const char *name)
{
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  assert_non_null(strstr(hone_status_message(status), name));
  hone_status_free(status);
}

static void what_is_not_initialised_is_refused(void **state)
{
  const struct hone_spec_options spec_options = {0};
  const struct hone_tune_options tune_options = {0};
  struct hone_spec *spec;
  struct hone_tuning *tuning;

  (void)state;
  expect_refused(hone_spec_load(&spec_options, &spec), "hone_spec_options_init");
  assert_null(spec);
  expect_refused(hone_tune(NULL, &tune_options, &tuning), "hone_tune_options_init");
  assert_null(tuning);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shorter_struct_keeps_newer_defaults),
      cmocka_unit_test(a_longer_struct_is_cut),
      cmocka_unit_test(none_are_all_defaults),
      cmocka_unit_test(what_is_not_initialised_is_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
