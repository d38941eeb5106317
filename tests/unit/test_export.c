/* Tuned values in a region of a source file: from a manifest, and from the best rows of results. */
#include "base/text.h"
#include "export/manifest.h"
#include "folder.h"
#include "hone.h"

#define CSV_HEAD "name,met (ms),iters,Rate (GB/s),spec\n"

static void expect_part(const char *text, const char *part)
{
  if (!strstr(text, part)) fail_msg("no '%s' in: %s", part, text);
}

static void expect_error(hone_status status, enum hone_code code, const char *part)
{
  if (!status) fail_msg("no error, but '%s' is expected", part);
  expect_part(hone_status_message(status), part);
  assert_int_equal(hone_status_code(status), code);
  hone_status_free(status);
}

static void expect_file(const char *name, const char *expected)
{
  char text[4096] = "";
  FILE *file = fopen(path_of(name), "re");

  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  assert_string_equal(text, expected);
}

static struct hone_results *read_csv(const char *name, const char *csv)
{
  struct hone_results *results = NULL;
  hone_status status;

  write_text(name, csv);
  status = hone_results_read(path_of(name), &results);
  if (status) fail_msg("%s", hone_status_message(status));
  return results;
}

/* ---- Manifests ---- */

static hone_status read_manifest(const char *yaml, struct hone__manifest *manifest)
{
  *manifest = (struct hone__manifest){0};
  write_text("m.yaml", yaml);
  return hone__manifest_read(path_of("m.yaml"), manifest);
}

static const char *value_of(const struct hone__manifest *manifest, size_t entry, const char *name)
{
  const char *text = hone__entry_find(&manifest->entries[entry], name, strlen(name));

  return text ? text : "(none)";
}

static void entries_have_texts_as_python_prints_them(void **state)
{
  struct hone__manifest manifest;
  hone_status status = read_manifest("params:\n"
                                     "- {M: 64, $x: true, f: 0.5, words: [a, 1, null], t: 'a b'}\n"
                                     "- {M: 65, _template: wide}\n"
                                     "- {M: 66, _template: null}\n",
                                     &manifest);

  (void)state;
  if (status) fail_msg("%s", hone_status_message(status));
  assert_int_equal(manifest.count, 3);
  assert_string_equal(value_of(&manifest, 0, "M"), "64");
  assert_string_equal(value_of(&manifest, 0, "x"), "True"); /* without its $ */
  assert_string_equal(value_of(&manifest, 0, "f"), "0.5");
  assert_string_equal(value_of(&manifest, 0, "words"), "['a', 1, None]");
  assert_string_equal(value_of(&manifest, 0, "t"), "a b");
  assert_string_equal(value_of(&manifest, 0, "$x"), "(none)");
  assert_null(manifest.entries[0].variant);
  assert_string_equal(manifest.entries[1].variant, "wide");
  assert_null(manifest.entries[2].variant);
  hone__manifest_release(&manifest);
}

static void wrong_manifests_are_explained(void **state)
{
  static const struct {
    const char *yaml, *part;
  } cases[] = {
      {"", "expected a YAML mapping with 'params'"},
      {"- 1\n", "expected a YAML mapping with 'params'"},
      {"other: 1\n", "expected 'params' to be a sequence"},
      {"params: {M: 1}\n", "expected 'params' to be a sequence"},
      {"params: [3]\n", "params[0] must be a mapping"},
      {"params: [{M: {a: 1}}]\n", "a mapping cannot be inserted into a snippet"},
      {"params: [{M: [{a: 1}]}]\n", "a mapping cannot be inserted into a snippet"},
      {"params: [{M: 1, _template: 3}]\n", "'_template' must be text"},
      {"params: [{M: 1, N: 2}, {N: 2, M: 1}]\n", "duplicate params entry at index 1"},
      {"params: [\n", "m.yaml:"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__manifest manifest;
    expect_error(read_manifest(cases[i].yaml, &manifest), HONE_INVALID_SPEC, cases[i].part);
    hone__manifest_release(&manifest);
  }
}

static void a_manifest_that_is_not_there_is_an_error(void **state)
{
  struct hone__manifest manifest = {0};

  (void)state;
  expect_error(hone__manifest_read(path_of("none.yaml"), &manifest), HONE_IO, "none.yaml");
  hone__manifest_release(&manifest);
}

/* The best row, or the one that was asked for; the same entry once. */
static void rows_of_results_become_entries(void **state)
{
  struct hone_results *results =
      read_csv("a.csv", CSV_HEAD "x,2,1,8,k/A=1/B=x\ny,1,1,4,k/A=2/B=y\nz,3,1,9,k/A=3/B=z\n");
  struct hone__manifest manifest = {0};

  (void)state;
  assert_null(hone__manifest_add_row(&manifest, results, SIZE_MAX, NULL));
  assert_string_equal(value_of(&manifest, 0, "A"), "2");
  assert_string_equal(value_of(&manifest, 0, "B"), "y");
  assert_null(hone__manifest_add_row(&manifest, results, SIZE_MAX, "Rate"));
  assert_string_equal(value_of(&manifest, 1, "A"), "3");
  assert_null(hone__manifest_add_row(&manifest, results, 1, NULL)); /* it is there already */
  assert_int_equal(manifest.count, 2);
  expect_error(hone__manifest_add_row(&manifest, results, SIZE_MAX, "nothing"), HONE_NOT_FOUND,
               "nothing");
  hone__manifest_release(&manifest);
  hone_results_free(results);
}

static void sizes_of_the_problem_come_first(void **state)
{
  struct hone_results *results = read_csv("a.csv", CSV_HEAD "x,2,1,8,k/A=1/M=7\n");
  struct hone__manifest manifest = {0};
  const char *problem = results->problem;

  (void)state;
  results->problem = "M=5 $N=6 nonsense =3";
  assert_null(hone__manifest_add_row(&manifest, results, SIZE_MAX, NULL));
  assert_string_equal(value_of(&manifest, 0, "N"), "6");
  assert_string_equal(value_of(&manifest, 0, "M"), "7"); /* a parameter of the same name counts */
  assert_int_equal(manifest.entries[0].count, 3);
  results->problem = problem;
  hone__manifest_release(&manifest);
  hone_results_free(results);
}

static void results_without_a_number_have_no_best(void **state)
{
  struct hone_results *results = read_csv("a.csv", CSV_HEAD "x,nan,1,8,k/A=1\n");
  struct hone__manifest manifest = {0};

  (void)state;
  expect_error(hone__manifest_add_row(&manifest, results, SIZE_MAX, NULL), HONE_NOT_FOUND,
               "no configuration has a number in 'met (ms)'");
  hone__manifest_release(&manifest);
  hone_results_free(results);
}

/* ---- Files ---- */

static const char target[] = "a\n  # hone:begin\nold\n  # hone:end\nb\n";

static struct hone_export_options options_for(const char *name, const char *text)
{
  struct hone_export_options options;

  write_text(name, text);
  write_text("m.yaml", "params:\n- {M: 64}\n- {M: 65}\n");
  write_text("s.txt", "C([@M])\n");
  hone_export_options_init(&options);
  options.manifest = path_of("m.yaml");
  options.snippet = path_of("s.txt");
  options.target = path_of(name);
  options.indent = 2;
  return options;
}

static void export_to(const struct hone_export_options *options, bool is_stale)
{
  struct hone_export_result *result = NULL;
  hone_status status = hone_export(options, &result);

  if (status) fail_msg("%s", hone_status_message(status));
  assert_int_equal(hone_export_result_is_stale(result), is_stale);
  assert_int_equal(*hone_export_result_diff(result) != '\0', is_stale);
  hone_export_result_free(result);
}

/* Lists of Python have commas and # comments. */
static void a_region_gets_the_entries(void **state)
{
  struct hone_export_options options = options_for("t.py", target);

  (void)state;
  export_to(&options, true);
  expect_file("t.py", "a\n  # hone:begin\n"
                      "  # Automatically generated from [m.yaml]\n  # index: [0]\n  C(64),\n"
                      "  # Automatically generated from [m.yaml]\n  # index: [1]\n  C(65),\n"
                      "  # hone:end\nb\n");
  export_to(&options, false);
}

static void a_check_writes_nothing(void **state)
{
  struct hone_export_options options = options_for("t.py", target);

  (void)state;
  options.check = true;
  export_to(&options, true);
  expect_file("t.py", target);
}

/* The last line of the region tells comment and separator. */
static void comments_and_separators_suit_the_language(void **state)
{
  static const struct {
    const char *name, *line;
  } cases[] = {
      {"t.c", "  // index: [1]\n  C(65)\n"},       {"t.f90", "  ! index: [1]\n  C(65)\n"},
      {"t.lua", "  -- index: [1]\n  C(65)\n"},     {"t.json", "  C(64)\n  C(65)\n"},
      {"t.mojo", "  # index: [1]\n  C(65),\n"},    {"t", "  # index: [1]\n  C(65),\n"},
      {"t.unknown", "  # index: [1]\n  C(65),\n"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone_export_options options = options_for(cases[i].name, target);
    struct hone_export_result *result = NULL;
    char text[1024] = "";
    FILE *file;
    assert_null(hone_export(&options, &result));
    hone_export_result_free(result);
    file = fopen(options.target, "re");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    expect_part(text, cases[i].line);
  }
}

static void the_caller_may_choose_them(void **state)
{
  struct hone_export_options options = options_for("t.c", target);

  (void)state;
  options.comment = "REM";
  options.separator = ";";
  options.source_label = "by\nhand";
  export_to(&options, true);
  expect_file("t.c", "a\n  # hone:begin\n"
                     "  REM Automatically generated from [by?hand]\n  REM index: [0]\n  C(64);\n"
                     "  REM Automatically generated from [by?hand]\n  REM index: [1]\n  C(65);\n"
                     "  # hone:end\nb\n");
}

static void entries_choose_among_snippets(void **state)
{
  struct hone_export_options options = options_for("t.c", target);
  char variant[600];
  const char *variants[] = {variant, variant};

  (void)state;
  write_text("m.yaml", "params:\n- {M: 64, _template: wide}\n- {M: 65}\n");
  write_text("w.txt", "W([@M])\n");
  snprintf(variant, sizeof variant, "wide=%s", path_of("w.txt"));
  options.variants = variants;
  options.variant_count = 1;
  options.comment = "";
  export_to(&options, true);
  expect_file("t.c", "a\n  # hone:begin\n  W(64)\n  C(65)\n  # hone:end\nb\n");
}

static void results_are_exported_like_a_manifest(void **state)
{
  struct hone_results *results[] = {read_csv("a.csv", CSV_HEAD "x,2,1,8,k/M=1\ny,1,1,8,k/M=2\n"),
                                    read_csv("b.csv", CSV_HEAD "x,2,1,8,k/M=3\n")};
  const size_t rows[] = {0, SIZE_MAX};
  struct hone_export_options options = options_for("t.c", target);

  (void)state;
  options.manifest = NULL;
  options.results = (const struct hone_results *const *)results;
  options.result_count = 2;
  options.rows = rows;
  export_to(&options, true);
  expect_file("t.c", "a\n  # hone:begin\n"
                     "  // Automatically generated from [a.csv, b.csv]\n  // index: [0]\n  C(1)\n"
                     "  // Automatically generated from [a.csv, b.csv]\n  // index: [1]\n  C(3)\n"
                     "  # hone:end\nb\n");
  hone_results_free(results[0]);
  hone_results_free(results[1]);
}

static void wrong_requests_leave_the_target_alone(void **state)
{
  static const struct {
    const char *manifest, *snippet, *target, *variant, *part;
    enum hone_code code;
  } cases[] = {
      {"params: [{M: 1}]\n", "C([@N])\n", target, NULL, "params[0]", HONE_INVALID_ARGUMENT},
      {"params: [{M: 1, _template: w}]\n", "C\n", target, NULL,
       "params[0] references unknown template 'w'", HONE_INVALID_ARGUMENT},
      {"params: [{M: 1}]\n", "C\n", "no region\n", NULL, "hone:begin", HONE_INVALID_ARGUMENT},
      {"params: [{M: 1}]\n", "C\n", target, "wide", "expected NAME=FILE", HONE_INVALID_ARGUMENT},
      {"params: [{M: 1}]\n", "C\n", target, "=f", "expected NAME=FILE", HONE_INVALID_ARGUMENT},
      {"params: [{M: 1}]\n", "C\n", target, "w=", "expected NAME=FILE", HONE_INVALID_ARGUMENT},
      {"params: [{M: 1}]\n", "C\n", target, "w=/none/f", "/none/f", HONE_IO},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone_export_options options = options_for("t.c", cases[i].target);
    struct hone_export_result *result = NULL;
    hone_status status;
    write_text("m.yaml", cases[i].manifest);
    write_text("s.txt", cases[i].snippet);
    options.variants = &cases[i].variant;
    options.variant_count = cases[i].variant != NULL;
    status = hone_export(&options, &result);
    if (!status) fail_msg("no '%s'", cases[i].part);
    expect_part(hone_status_message(status), cases[i].part);
    if (hone_status_code(status) != cases[i].code)
      fail_msg("code %d of: %s", hone_status_code(status), hone_status_message(status));
    hone_status_free(status);
    assert_null(result);
    expect_file("t.c", cases[i].target);
  }
}

static void what_is_missing_is_said(void **state)
{
  struct hone_export_options options = options_for("t.c", target);
  struct hone_export_result *result = NULL;
  char twice[600];
  const char *variants[] = {twice, twice};

  (void)state;
  options.manifest = NULL;
  expect_error(hone_export(&options, &result), HONE_INVALID_ARGUMENT, "nothing to export");
  options = options_for("t.c", target);
  options.snippet = NULL;
  expect_error(hone_export(&options, &result), HONE_INVALID_ARGUMENT, "a snippet and a target");
  options = options_for("t.c", target);
  snprintf(twice, sizeof twice, "w=%s", options.snippet);
  options.variants = variants;
  options.variant_count = 2;
  expect_error(hone_export(&options, &result), HONE_INVALID_ARGUMENT,
               "duplicate snippet variant 'w'");
  options = options_for("t.c", target);
  write_file("s.txt", "a\0b", 3);
  expect_error(hone_export(&options, &result), HONE_IO, "is not a text file: it holds NUL bytes");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(entries_have_texts_as_python_prints_them),
      TEST(wrong_manifests_are_explained),
      TEST(a_manifest_that_is_not_there_is_an_error),
      TEST(rows_of_results_become_entries),
      TEST(sizes_of_the_problem_come_first),
      TEST(results_without_a_number_have_no_best),
      TEST(a_region_gets_the_entries),
      TEST(a_check_writes_nothing),
      TEST(comments_and_separators_suit_the_language),
      TEST(the_caller_may_choose_them),
      TEST(entries_choose_among_snippets),
      TEST(results_are_exported_like_a_manifest),
      TEST(wrong_requests_leave_the_target_alone),
      TEST(what_is_missing_is_said),
  };

  return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
