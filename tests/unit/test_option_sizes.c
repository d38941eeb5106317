/* Option structs of programs that were compiled with an older or a newer header. */
#include "base/options_size.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct older {
  size_t size;
  int a;
};
struct known { /* the library's */
  size_t size;
  int a, b, c, d;
};
struct newer {
  size_t size;
  int a, b, c, d, e, f;
};

static const struct known defaults = {.a = 1, .b = 2, .c = 3, .d = 4};

static void test_init_writes_no_byte_behind_an_older_struct(void **state)
{
  struct {
    struct older options;
    int behind[6];
  } program = {.behind = {7, 7, 7, 7, 7, 7}};

  (void)state;
  hone__options_fill(&program.options, sizeof program.options, &defaults, sizeof defaults);
  assert_int_equal(program.options.size, sizeof program.options);
  assert_int_equal(program.options.a, 1);
  for (int i = 0; i < 6; i++)
    assert_int_equal(program.behind[i], 7);
}

static void test_init_clears_what_the_library_does_not_know(void **state)
{
  struct newer options = {.e = 7, .f = 7};

  (void)state;
  hone__options_fill(&options, sizeof options, &defaults, sizeof defaults);
  assert_int_equal(options.size, sizeof options);
  assert_int_equal(options.b, 2);
  assert_int_equal(options.e, 0);
  assert_int_equal(options.f, 0);
}

static void test_fields_of_newer_headers_keep_their_defaults(void **state)
{
  struct {
    struct older options;
    int behind[6];
  } program = {.options = {.size = sizeof(struct older), .a = 9}, .behind = {7, 7, 7, 7, 7, 7}};
  struct known options = defaults;

  (void)state;
  assert_null(hone__options_take(&options, sizeof options, &program.options, "hone_x_options"));
  assert_int_equal(options.size, sizeof options);
  assert_int_equal(options.a, 9);
  assert_int_equal(options.d, 4);
}

static void test_fields_behind_the_known_ones_are_left_out(void **state)
{
  struct newer given = {sizeof given, 5, 6, 7, 8, 9, 10};
  struct {
    struct known options;
    int behind;
  } library = {.options = defaults, .behind = 7};

  (void)state;
  assert_null(
      hone__options_take(&library.options, sizeof library.options, &given, "hone_x_options"));
  assert_int_equal(library.options.size, sizeof library.options);
  assert_int_equal(library.options.d, 8);
  assert_int_equal(library.behind, 7);
}

static void test_no_options_are_the_defaults(void **state)
{
  struct known options = defaults;

  (void)state;
  assert_null(hone__options_take(&options, sizeof options, NULL, "hone_x_options"));
  assert_int_equal(options.b, 2);
}

static void test_options_without_a_size_are_refused(void **state)
{
  struct known given = {.a = 9}, options = defaults;
  hone_status status = hone__options_take(&options, sizeof options, &given, "hone_x_options");

  (void)state;
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  assert_non_null(strstr(hone_status_message(status), "_init"));
  assert_int_equal(options.a, 1);
  hone_status_free(status);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_init_writes_no_byte_behind_an_older_struct),
      cmocka_unit_test(test_init_clears_what_the_library_does_not_know),
      cmocka_unit_test(test_fields_of_newer_headers_keep_their_defaults),
      cmocka_unit_test(test_fields_behind_the_known_ones_are_left_out),
      cmocka_unit_test(test_no_options_are_the_defaults),
      cmocka_unit_test(test_options_without_a_size_are_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
