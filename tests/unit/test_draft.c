/* Specs without files: texts in memory, and drafts made in code. */
#include "folder.h"
#include "hone_search.h"

#include <math.h>

static struct hone_value integer(int64_t value)
{
  return (struct hone_value){.type = HONE_INT, .integer = value};
}

static struct hone_value real(double value)
{
  return (struct hone_value){.type = HONE_FLOAT, .real = value};
}

static struct hone_value boolean(bool value)
{
  return (struct hone_value){.type = HONE_BOOL, .integer = value};
}

static struct hone_value text(const char *value)
{
  return (struct hone_value){.type = HONE_TEXT, .text = value};
}

static hone_status parse(const char *yaml, const char *name, struct hone_spec **out_spec)
{
  return hone_spec_parse(yaml, strlen(yaml), name, NULL, out_spec);
}

static void expect_error(hone_status status, enum hone_code code, const char *part)
{
  assert_non_null(status);
  if (!strstr(hone_status_message(status), part))
    print_message("%s\n", hone_status_message(status));
  assert_non_null(strstr(hone_status_message(status), part));
  assert_int_equal(hone_status_code(status), code);
  hone_status_free(status);
}

static struct hone_space *solve(const struct hone_spec *spec)
{
  struct hone_space_options options;
  struct hone_space *space;

  hone_space_options_init(&options);
  assert_null(hone_space_build(spec, &options, &space));
  return space;
}

static uint64_t count_of(const struct hone_spec *spec)
{
  struct hone_space *space = solve(spec);
  uint64_t count = hone_space_count(space);

  hone_space_free(space);
  return count;
}

/* ---- Texts ---- */

static void test_parses_text(void **state)
{
  struct hone_spec *spec;

  (void)state;
  assert_null(
      parse("name: t\nparams: {A: [1, 2, 3], B: [x, y]}\nconstraints: [A > 1]\n", "t.yaml", &spec));
  assert_string_equal(hone_spec_name(spec), "t");
  assert_int_equal(count_of(spec), 4);
  hone_spec_free(spec);
}

static void test_reads_length_not_nul(void **state)
{
  static const char yaml[] = "params: {A: [1, 2]}\nnot: [a spec";
  struct hone_spec *spec;

  (void)state;
  assert_null(hone_spec_parse(yaml, 20, "kernel.yaml", NULL, &spec));
  assert_string_equal(hone_spec_name(spec), "kernel");
  hone_spec_free(spec);
  expect_error(hone_spec_parse("a: 1\0b", 6, "nul.yaml", NULL, &spec), HONE_INVALID_SPEC,
               "nul.yaml: error: not a text file");
  assert_null(spec);
}

static void test_parses_annotated_source(void **state)
{
  static const char source[] = "//@hone params: {BM: [16, 32]}\n"
                               "int f(void) { return BM; }\n";
  struct hone_spec *spec;

  (void)state;
  assert_null(parse(source, "kernel.c", &spec));
  assert_string_equal(hone_spec_file(spec), "kernel.c");
  assert_int_equal(count_of(spec), 2);
  hone_spec_free(spec);
  expect_error(parse("int f(void);\n", "plain.c", &spec), HONE_INVALID_SPEC,
               "no tuning annotations found");
}

static void test_says_where_an_error_is(void **state)
{
  struct hone_spec *spec;

  (void)state;
  expect_error(parse("params: {A: [1, 2]}\nconstraints:\n  - A > B\n", "here.yaml", &spec),
               HONE_INVALID_SPEC, "here.yaml:3:9: error:");
  assert_null(spec);
}

static void test_refuses_what_is_not_text(void **state)
{
  struct hone_spec_options options;
  const char *files[] = {"t.yaml"};
  struct hone_spec *spec;

  (void)state;
  expect_error(parse("", "empty.yaml", &spec), HONE_INVALID_SPEC, "the file holds no spec");
  expect_error(hone_spec_parse(NULL, 0, "empty.yaml", NULL, &spec), HONE_INVALID_SPEC,
               "the file holds no spec");
  expect_error(hone_spec_parse(NULL, 3, "t.yaml", NULL, &spec), HONE_INVALID_ARGUMENT,
               "needs a text and a name");
  expect_error(parse("params: {A: 1}", NULL, &spec), HONE_INVALID_ARGUMENT,
               "needs a text and a name");
  expect_error(parse("module {}", "d.mlir", &spec), HONE_INVALID_ARGUMENT,
               "write it to a file and load that");
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  expect_error(hone_spec_parse("params: {A: 1}", 14, "t.yaml", &options, &spec),
               HONE_INVALID_ARGUMENT, "must not name files as well");
}

static void test_takes_options(void **state)
{
  const char *params[] = {"A:[7,8,9]"};
  struct hone_spec_options options;
  struct hone_spec *spec;

  (void)state;
  hone_spec_options_init(&options);
  options.params = params;
  options.param_count = 1;
  assert_null(hone_spec_parse("params: {A: [1, 2]}", 19, "t.yaml", &options, &spec));
  assert_int_equal(count_of(spec), 3);
  hone_spec_free(spec);
}

/* ---- Drafts ---- */

static void expect_values(const struct hone_space *space, const char *name,
                          const struct hone_value *values, size_t count)
{
  char own[256], other[256];
  size_t at = 0;

  while (strcmp(hone_space_param_name(space, 0, at), name) != 0)
    at++;
  assert_int_equal(hone_space_value_count(space, 0, at), count);
  for (size_t i = 0; i < count; i++) {
    struct hone_value value = hone_space_value(space, 0, at, (uint32_t)i);
    assert_int_equal(value.type, values[i].type);
    hone_value_print(value, own, sizeof own);
    hone_value_print(values[i], other, sizeof other);
    assert_string_equal(own, other);
  }
}

static void test_builds_a_draft(void **state)
{
  struct hone_draft *draft = hone_draft_new("matmul");
  const struct hone_value sizes[] = {{.type = HONE_INT, .integer = 64},
                                     {.type = HONE_INT, .integer = 96}};
  struct hone_spec *spec;

  (void)state;
  hone_draft_ints(draft, "BM", (const int64_t[]){16, 32, 64}, 3);
  hone_draft_texts(draft, "ALGO", (const char *const[]){"direct", "packed"}, 2);
  hone_draft_size(draft, "M", sizes, 2);
  hone_draft_derived(draft, "TILES", "M // BM");
  hone_draft_constraint(draft, "M % BM == 0 and TILES > 1");
  hone_draft_metric(draft, "rows/s", "M / time_s");
  hone_draft_objective(draft, "rows/s", true);
  hone_draft_setting(draft, "baseline", "{BM: 16, ALGO: direct}");
  assert_null(hone_draft_build(draft, NULL, &spec));
  assert_string_equal(hone_spec_name(spec), "matmul");
  assert_int_equal(hone_spec_problem_count(spec), 2);
  assert_string_equal(hone_spec_problem(spec, 1), "M=96");
  assert_int_equal(count_of(spec), 4);
  hone_spec_free(spec);
  hone_draft_free(draft);
}

static void test_keeps_values_exactly(void **state)
{
  const struct hone_value odd[] = {text("2 * 8"),
                                   text("yes"),
                                   text("12"),
                                   text(""),
                                   text(" a b "),
                                   text("it's \"so\": #1, [x]"),
                                   text("line\nbreak\ttab \\ back"),
                                   text("\xc3\xa4\xe2\x82\xac"),
                                   text("range(4)"),
                                   text("~"),
                                   text("M"),
                                   text("device.cache_bytes")};
  const struct hone_value numbers[] = {integer(INT64_MIN), integer(INT64_MAX), real(1e22),
                                       real(1e-05),        real(0.1),          real(-2.5),
                                       real(5e-324),       real(3.0),          boolean(true)};
  struct hone_draft *draft = hone_draft_new("odd: \"name\" #1.c");
  struct hone_space *space;
  struct hone_spec *spec;

  (void)state;
  hone_draft_param(draft, "ODD", odd, sizeof odd / sizeof *odd);
  hone_draft_param(draft, "NUMBERS", numbers, sizeof numbers / sizeof *numbers);
  hone_draft_param(draft, "a b: {c}", (const struct hone_value[]){boolean(false)}, 1);
  hone_draft_param(draft, "yes", (const struct hone_value[]){integer(1)}, 1);
  hone_draft_param(draft, "NONE", (const struct hone_value[]){{.type = HONE_NONE}, integer(0)}, 2);
  hone_draft_param(draft, "$run", (const struct hone_value[]){integer(1), integer(2)}, 2);
  assert_null(hone_draft_build(draft, NULL, &spec));
  assert_string_equal(hone_spec_name(spec), "odd: \"name\" #1.c");
  space = solve(spec);
  expect_values(space, "ODD", odd, sizeof odd / sizeof *odd);
  expect_values(space, "NUMBERS", numbers, sizeof numbers / sizeof *numbers);
  expect_values(space, "a b: {c}", (const struct hone_value[]){boolean(false)}, 1);
  expect_values(space, "yes", (const struct hone_value[]){integer(1)}, 1);
  expect_values(space, "NONE", (const struct hone_value[]){{.type = HONE_NONE}, integer(0)}, 2);
  assert_true(hone_space_param_is_runtime(space, 0, 5));
  hone_space_free(space);
  hone_spec_free(spec);
  hone_draft_free(draft);
}

static void expect_refused(struct hone_draft *draft, enum hone_code code, const char *part)
{
  struct hone_spec *spec;

  expect_error(hone_draft_build(draft, NULL, &spec), code, part);
  assert_null(spec);
  hone_draft_free(draft);
}

static struct hone_draft *draft_of(const char *name, struct hone_value value)
{
  struct hone_draft *draft = hone_draft_new("t");

  hone_draft_param(draft, name, &value, 1);
  return draft;
}

static void test_refuses_what_it_cannot_keep(void **state)
{
  struct hone_draft *draft = draft_of("A", text("\xff"));

  (void)state;
  expect_refused(draft, HONE_INVALID_ARGUMENT, "parameter 'A': the value");
  expect_refused(draft_of("metadata", integer(1)), HONE_INVALID_ARGUMENT,
                 "'metadata' cannot be the name of a parameter");
  expect_refused(draft_of("", integer(1)), HONE_INVALID_ARGUMENT, "has no name");
  expect_refused(draft_of(NULL, integer(1)), HONE_INVALID_ARGUMENT, "has no name");
  expect_refused(draft_of("A", (struct hone_value){.type = HONE_LIST}), HONE_INVALID_ARGUMENT,
                 "'A': a value is");
  expect_refused(draft_of("A", text(NULL)), HONE_INVALID_ARGUMENT, "'A': a value is");
  expect_refused(hone_draft_new("t"), HONE_INVALID_SPEC, "no parameters");
  expect_refused(hone_draft_new(NULL), HONE_INVALID_ARGUMENT, "the draft has no name");
}

static void test_refuses_what_is_there_twice(void **state)
{
  const struct hone_value equal[] = {integer(1), real(1.0)};
  struct hone_draft *draft = draft_of("A", integer(1));

  (void)state;
  hone_draft_ints(draft, "A", (const int64_t[]){2}, 1);
  expect_refused(draft, HONE_INVALID_ARGUMENT, "the parameter 'A' is given twice");
  draft = hone_draft_new("t");
  hone_draft_param(draft, "A", equal, 2);
  expect_refused(draft, HONE_INVALID_ARGUMENT, "'A' has the value 1.0 twice");
}

static void test_reports_errors_of_a_draft_by_its_lines(void **state)
{
  struct hone_draft *draft = draft_of("A", integer(1));

  (void)state;
  hone_draft_constraint(draft, "A > NOTHING");
  assert_non_null(strstr(hone_draft_yaml(draft), "NOTHING"));
  expect_refused(draft, HONE_INVALID_SPEC, "t (draft):5:");
}

static void test_a_parameter_without_values_is_an_error(void **state)
{
  struct hone_draft *draft = hone_draft_new("t");

  (void)state;
  hone_draft_ints(draft, "A", NULL, 0);
  expect_refused(draft, HONE_INVALID_SPEC, "parameter 'A' has no values");
}

static void test_a_draft_is_built_again_after_a_change(void **state)
{
  struct hone_draft *draft = draft_of("A", integer(1));
  struct hone_spec *spec;

  (void)state;
  assert_null(hone_draft_build(draft, NULL, &spec));
  assert_int_equal(count_of(spec), 1);
  hone_spec_free(spec);
  hone_draft_ints(draft, "B", (const int64_t[]){1, 2}, 2);
  assert_null(hone_draft_build(draft, NULL, &spec));
  assert_int_equal(count_of(spec), 2);
  hone_spec_free(spec);
  hone_draft_free(draft);
  hone_draft_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parses_text),
      cmocka_unit_test(test_reads_length_not_nul),
      cmocka_unit_test(test_parses_annotated_source),
      cmocka_unit_test(test_says_where_an_error_is),
      cmocka_unit_test(test_refuses_what_is_not_text),
      cmocka_unit_test(test_takes_options),
      cmocka_unit_test(test_builds_a_draft),
      cmocka_unit_test(test_keeps_values_exactly),
      cmocka_unit_test(test_refuses_what_it_cannot_keep),
      cmocka_unit_test(test_refuses_what_is_there_twice),
      cmocka_unit_test(test_reports_errors_of_a_draft_by_its_lines),
      cmocka_unit_test(test_a_parameter_without_values_is_an_error),
      cmocka_unit_test(test_a_draft_is_built_again_after_a_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
