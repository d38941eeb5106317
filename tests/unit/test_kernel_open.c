/* Kernels of programs, and the options that they are opened with. */
#include "hone_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void options_of_an_older_version_keep_defaults(void **state)
{
  struct hone_kernel_options options;
  struct hone_kernel *opened = NULL;
  static const char *const none[] = {"no such size"};
  hone_status status;

  (void)state;
  hone_kernel_options_init(&options);
  options.ignored = none; /* behind the end of that version */
  options.ignored_count = 1;
  status = hone_kernel_open("tests/kernel/add.yaml", &options, &opened);
  assert_non_null(status);
  hone_status_free(status);
  options.size = offsetof(struct hone_kernel_options, ignored);
  assert_null(hone_kernel_open("tests/kernel/add.yaml", &options, &opened));
  assert_int_equal(hone_kernel_size_count(opened), 1);
  assert_string_equal(hone_kernel_size_name(opened, 0), "N");
  assert_null(hone_kernel_size_name(opened, 1));
  hone_kernel_free(opened);
  hone_kernel_free(NULL);
}

static void a_loaded_spec_is_lent(void **state)
{
  static const char *const files[] = {"tests/kernel/add.yaml"}, *const params[] = {"WORK:[3,4]"};
  struct hone_spec_options options;
  struct hone_spec *spec = NULL;
  struct hone_kernel *opened = NULL;

  (void)state;
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  options.params = params;
  options.param_count = 1;
  assert_null(hone_spec_load(&options, &spec));
  assert_null(hone_kernel_open_spec(spec, NULL, &opened));
  assert_int_equal(hone_kernel_autotune(opened), HONE_AUTOTUNE_ON);
  hone_kernel_free(opened);
  assert_string_equal(hone_spec_name(spec), "add");
  hone_spec_free(spec);
}

static void expect_refused(struct hone_kernel *opened, const struct hone_kernel_size *sizes,
                           size_t count, const char *message)
{
  const struct hone_kernel_function *function;
  hone_status status = hone_kernel_get_named(opened, sizes, count, &function);

  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  assert_string_equal(hone_status_message(status), message);
  assert_null(function);
  hone_status_free(status);
}

static void named_sizes_are_checked(void **state)
{
  static const struct hone_kernel_size unknown[] = {{"M", 4}}, twice[] = {{"N", 4}, {"N", 8}};
  struct hone_kernel *opened = NULL;

  (void)state;
  assert_null(hone_kernel_open("tests/kernel/add.yaml", NULL, &opened));
  expect_refused(opened, unknown, 1, "the kernel 'add' has no size 'M'; it has N");
  expect_refused(opened, twice, 2, "the size 'N' is given twice");
  expect_refused(opened, NULL, 0, "the size 'N' of the kernel 'add' is missing");
  hone_kernel_free(opened);
}

static void modes_have_names(void **state)
{
  static const char *const names[] = {"on", "off", "lookup", "require", ""};

  (void)state;
  for (int i = 0; i < 5; i++)
    assert_string_equal(hone_autotune_name((enum hone_autotune)i), names[i]);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_of_an_older_version_keep_defaults),
      cmocka_unit_test(a_loaded_spec_is_lent),
      cmocka_unit_test(named_sizes_are_checked),
      cmocka_unit_test(modes_have_names),
  };

  return cmocka_run_group_tests_name("kernel_open", tests, NULL, NULL);
}
