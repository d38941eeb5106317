/* Alternatives, texts and orders: what a spec with several groups says of each of them. */
#include "folder.h"
#include "space/explanation.h"
#include "hone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct hone_spec *spec;
static struct hone_space *space;

static hone_status try_load(const char *yaml)
{
  const char *files[] = {path_of("t.yaml")};
  struct hone_spec_options options;

  write_text("t.yaml", yaml);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  return hone_spec_load(&options, &spec);
}

static void build(const char *yaml)
{
  struct hone_space_options options;
  hone_status status = try_load(yaml);

  if (status) fail_msg("%s", hone_status_message(status));
  hone_space_options_init(&options);
  status = hone_space_build(spec, &options, &space);
  if (status) fail_msg("%s", hone_status_message(status));
}

static void release(void)
{
  hone_space_free(space);
  hone_spec_free(spec);
}

static void expect_error(const char *yaml, const char *part)
{
  hone_status status = try_load(yaml);

  if (!status) fail_msg("loaded, without '%s'", part);
  if (!strstr(hone_status_message(status), part))
    fail_msg("expected '%s', got %s", part, hone_status_message(status));
  hone_status_free(status);
}

/* NULL as `expected`: it has none. */
static void expect_text(uint64_t index, const char *name, const char *expected)
{
  uint32_t row[8];
  char buffer[256] = "not touched";
  size_t text = 0, length;

  assert_true(hone_space_at(space, index, row));
  while (strcmp(hone_space_text_name(space, text), name) != 0)
    assert_true(++text < hone_space_text_count(space));
  length = hone_space_print_text(space, row, text, buffer, sizeof buffer);
  if (!expected) {
    assert_true(length == HONE_NO_TEXT);
    assert_string_equal(buffer, "");
    return;
  }
  assert_string_equal(buffer, expected);
  assert_int_equal(length, strlen(expected));
}

/* ---- Alternatives ---- */

static const char *const two_ways = "alternatives:\n"
                                    "  - params: {way: [plain]}\n"
                                    "  - name: tiled\n"
                                    "    params: {way: [tiled], A: [1, 2, 3, 4], B: [0, 1]}\n"
                                    "    constraints: [\"A % [1, 2][B] == 0\"]\n"
                                    "  - params: {way: [other], A: [1, 2, 3, 4]}\n"
                                    "constraints: [\"A != 4\"]\n"
                                    "baseline: {way: plain}\n";

static void test_constraints_of_one(void **state)
{
  uint32_t row[8];

  (void)state;
  build(two_ways);
  assert_int_equal(hone_space_group_count(space), 3);
  assert_int_equal(hone_space_count(space), 1 + (3 + 1) + 3);
  assert_null(hone_space_parse(space, "way=plain", row));
  assert_int_equal(row[0], 0);
  assert_null(hone_space_parse(space, "way=tiled,A=3,B=0", row));
  assert_true(hone_space_contains(space, row));
  assert_null(hone_space_parse(space, "way=tiled,A=3,B=1", row));
  assert_false(hone_space_contains(space, row));
  release();
}

static void test_explained_by_its_own(void **state)
{
  struct hone_explanation *explanation;

  (void)state;
  build(two_ways);
  assert_null(hone_space_explain(space, "way=other,A=4", &explanation));
  assert_false(explanation->legal);
  assert_int_equal(explanation->group, 2);
  assert_int_equal(explanation->reason_count, 1); /* the constraint of `tiled` is not for it */
  hone_explanation_free(explanation);
  assert_null(hone_space_explain(space, "way=plain", &explanation));
  assert_int_equal(explanation->reasons[0].state, HONE_DOES_NOT_APPLY);
  hone_explanation_free(explanation);
  release();
}

/* Two groups of the same parameters: the values tell which is meant. */
static void test_values_choose_the_group(void **state)
{
  struct hone_explanation *explanation;

  (void)state;
  build("alternatives:\n"
        "  - params: {way: [a], X: [1, 2]}\n"
        "    constraints: [X == 1]\n"
        "  - params: {way: [b], X: [1, 2]}\n"
        "    constraints: [X == 1]\n");
  assert_null(hone_space_explain(space, "way=b,X=2", &explanation));
  assert_int_equal(explanation->group, 1);
  hone_explanation_free(explanation);
  release();
}

static void test_wrong_alternatives(void **state)
{
  (void)state;
  expect_error("alternatives: [{params: {A: [1]}}]\nparams: {B: [1]}\n",
               "'alternatives' cannot be combined with 'params'");
  expect_error("alternatives: {A: 1}\n", "must be a list of mappings");
  expect_error("alternatives: []\n", "no alternatives");
  expect_error("alternatives: [3]\n", "an alternative is a mapping");
  expect_error("alternatives: [{params: 3}]\n", "expected a mapping of parameters");
  expect_error("alternatives: [{name: x}]\n", "'params' is missing");
  expect_error("alternatives: [{params: {A: [1]}, order_: 1}]\n", "unknown key 'order_'");
  expect_error("alternatives: [{params: {A: [1]}, constraints: [C > 1]}, {params: {C: [1]}}]\n",
               "t.yaml:1:49: error: unknown name 'C'; it belongs to another alternative");
}

static void test_options_reach_all(void **state)
{
  const char *files[] = {path_of("t.yaml")}, *params[] = {"X:7"}, *filters[] = {"way=b"};
  struct hone_spec_options options;
  struct hone_space_options space_options;

  (void)state;
  write_text("t.yaml", "alternatives:\n"
                       "  - {params: {way: [a], X: [1, 2]}, constraints: [X > 1]}\n"
                       "  - {params: {way: [b], X: [1, 2]}, texts: {t: \"${X}\"}}\n");
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = options.param_count = options.filter_count = 1;
  options.params = params;
  options.filters = filters;
  assert_null(hone_spec_load(&options, &spec));
  hone_space_options_init(&space_options);
  assert_null(hone_space_build(spec, &space_options, &space));
  assert_int_equal(hone_space_count(space), 1);
  expect_text(0, "t", "7");
  release();
}

/* ---- Texts ---- */

static void test_texts(void **state)
{
  (void)state;
  build("problem: {M: 64}\n"
        "alternatives:\n"
        "  - params: {way: [a], X: [1, 2], F: [0.5], T: [yes]}\n"
        "    texts:\n"
        "      own: \"<${['one', 'two'][X - 1]}, ${M // X}, ${double}, ${F}, ${T}, ${[1, 'a']}>\"\n"
        "      both: \"mine\"\n"
        "  - params: {way: [b]}\n"
        "texts:\n"
        "  both: \"${way} costs $$${M}, $5 or ${'}'}\"\n"
        "  lacks: \"${X}\"\n"
        "  empty: \"\"\n"
        "derived: {double: 2 * X}\n");
  assert_int_equal(hone_space_text_count(space), 4);
  expect_text(0, "own", "<one, 64, 2, 0.5, True, [1, 'a']>");
  expect_text(1, "own", "<two, 32, 4, 0.5, True, [1, 'a']>");
  expect_text(2, "own", NULL);
  expect_text(0, "both", "mine");
  expect_text(2, "both", "b costs $64, $5 or }");
  expect_text(1, "lacks", "2");
  expect_text(2, "lacks", NULL);
  expect_text(2, "empty", "");
  release();
}

static void test_conditions(void **state)
{
  (void)state;
  build("params: {A: [0, 1, 2], B: [0, 1]}\n"
        "texts: {t: \"(${if A}a${if B and A > 1}b${A}${end}c${end}${if not A}-${end})\"}\n");
  expect_text(0, "t", "(-)");
  expect_text(1, "t", "(-)");
  expect_text(2, "t", "(ac)");
  expect_text(3, "t", "(ac)");
  expect_text(4, "t", "(ac)");
  expect_text(5, "t", "(ab2c)");
  release();
}

static void test_faults_are_no_text(void **state)
{
  (void)state;
  build("params: {A: [0, 1]}\n"
        "texts: {t: \"${8 // A}\", guarded: \"${if A}${8 // A}${end}.\", far: \"${[5][A]}\"}\n");
  expect_text(0, "t", NULL);
  expect_text(1, "t", "8");
  expect_text(0, "guarded", ".");
  expect_text(1, "guarded", "8.");
  expect_text(0, "far", "5");
  expect_text(1, "far", NULL);
  release();
}

static void test_prints_like_snprintf(void **state)
{
  uint32_t row[4];
  char buffer[8];

  (void)state;
  build("params: {A: [12345]}\ntexts: {t: \"<${A}>\"}\n");
  assert_true(hone_space_at(space, 0, row));
  assert_int_equal(hone_space_print_text(space, row, 0, NULL, 0), 7);
  assert_int_equal(hone_space_print_text(space, row, 0, buffer, 4), 7);
  assert_string_equal(buffer, "<12");
  assert_int_equal(hone_space_print_text(space, row, 0, buffer, 8), 7);
  assert_string_equal(buffer, "<12345>");
  release();
}

static void test_wrong_texts(void **state)
{
  (void)state;
  expect_error("params: {A: [1]}\ntexts: {t: \"x ${A} ${B + 1}\"}\n",
               "t.yaml:2:22: error: unknown name 'B'");
  expect_error("params: {A: [1]}\ntexts:\n  t: |\n    one\n      ${A +}\n", "t.yaml:5:12: error:");
  expect_error("params: {A: [1]}\ntexts: {t: \"${A\"}\n", "2:13: error: unterminated '${'");
  expect_error("params: {A: [1]}\ntexts: {t: \"${end}\"}\n", "'${end}' without an '${if");
  expect_error("params: {A: [1]}\ntexts: {t: \"${if A} ${if A}${end}\"}\n",
               "2:18: error: this condition has no '${end}'");
  expect_error("params: {A: [1]}\ntexts: {t: \"${}\"}\n", "empty expression");
  expect_error("params: {A: [1]}\ntexts: {t: \"${'a' + A}\"}\n", "type error");
  expect_error("params: {A: [1]}\ntexts: {t: [1]}\n", "'t' must be text");
  expect_error("params: {A: [1]}\ntexts: 3\n", "'texts' must be a mapping");
  expect_error("params: {A: [1]}\ntexts: {A: x}\n",
               "'A' is already a parameter or a derived value");
}

static void test_deep_conditions_are_refused(void **state)
{
  char yaml[4096] = "params: {A: [1]}\ntexts: {t: \"";

  (void)state;
  for (int i = 0; i < 60; i++)
    strcat(yaml, "${if A}");
  strcat(yaml, "\"}\n");
  expect_error(yaml, "nested too deeply");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_constraints_of_one),
      cmocka_unit_test(test_explained_by_its_own),
      cmocka_unit_test(test_values_choose_the_group),
      cmocka_unit_test(test_wrong_alternatives),
      cmocka_unit_test(test_options_reach_all),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_faults_are_no_text),
      cmocka_unit_test(test_prints_like_snprintf),
      cmocka_unit_test(test_wrong_texts),
      cmocka_unit_test(test_deep_conditions_are_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
