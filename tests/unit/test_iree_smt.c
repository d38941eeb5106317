/* The compiler's constraints as alternatives. The files of constraints are IREE 3.13's own output,
 * and so are the texts that configurations must give (materialized.txt). */
#include "folder.h"
#include "hone_iree.h"
#include "iree/constraints/smt_knobs.h"
#include "iree/constraints/smt_model.h"

#include <stdio.h>
#include <stdlib.h>

#define DATA "tests/data/iree/"

/* ---- Terms ---- */

static struct hone__arena arena;
static const char *const letters[] = {"a", "b", "c", "d"};

static const struct hone__smt_term *var(unsigned number)
{
  return hone__smt_variable(&arena, number);
}

static const struct hone__smt_term *num(int64_t value)
{
  return hone__smt_constant(&arena, value);
}

static const struct hone__smt_term *two(enum hone__smt_kind kind, const struct hone__smt_term *a,
                                        const struct hone__smt_term *b)
{
  const struct hone__smt_term *args[] = {a, b};

  return hone__smt_term(&arena, kind, args, 2);
}

static void expect_print(const struct hone__smt_term *term, const char *expected)
{
  struct hone__text text = {0};

  assert_non_null(term);
  hone__smt_print(term, letters, &text);
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
}

static void test_terms_are_simplified(void **state)
{
  const int64_t keys[] = {0, 1}, same[] = {7, 7};

  (void)state;
  expect_print(two(HONE__SMT_MUL, num(1), var(0)), "a");
  expect_print(two(HONE__SMT_ADD, num(2), num(3)), "5");
  expect_print(two(HONE__SMT_DIV, num(-7), num(2)), "-4");
  expect_print(two(HONE__SMT_MOD, num(-7), num(2)), "1");
  expect_print(hone__smt_lookup(&arena, var(0), keys, same, 2), "7");
  expect_print(hone__smt_lookup(&arena, num(1), keys, keys, 2), "1");
  expect_print(hone__smt_replace(&arena, two(HONE__SMT_MUL, var(0), var(1)), 0, num(1)), "b");
  assert_null(hone__smt_lookup(&arena, num(2), keys, keys, 2));
  assert_null(two(HONE__SMT_DIV, num(1), num(0)));
  assert_null(two(HONE__SMT_MUL, num(INT64_MAX), num(2)));
  hone__arena_release(&arena);
}

static void test_terms_print_as_python(void **state)
{
  const struct hone__smt_term *sum = two(HONE__SMT_ADD, var(0), var(1));
  const struct hone__smt_term *equal = two(HONE__SMT_EQ, var(0), var(1));
  const struct hone__smt_term *choice[] = {equal, var(2), var(3)};
  const int64_t keys[] = {0, 1}, values[] = {16, 32};

  (void)state;
  expect_print(two(HONE__SMT_MUL, sum, var(2)), "(a + b) * c");
  expect_print(two(HONE__SMT_SUB, var(2), sum), "c - (a + b)");
  expect_print(two(HONE__SMT_MOD, var(0), two(HONE__SMT_MUL, var(1), var(2))), "a % (b * c)");
  expect_print(two(HONE__SMT_MUL, two(HONE__SMT_DIV, var(0), var(1)), var(1)), "a // b * b");
  expect_print(two(HONE__SMT_EQ, equal, var(2)), "(a == b) == c");
  expect_print(two(HONE__SMT_AND, two(HONE__SMT_OR, equal, var(2)), var(3)), "(a == b or c) and d");
  expect_print(hone__smt_term(&arena, HONE__SMT_CHOICE, choice, 3), "(c if a == b else d)");
  expect_print(hone__smt_lookup(&arena, var(0), keys, values, 2), "[16, 32][a]");
  hone__arena_release(&arena);
}

/* ---- From text to spaces ---- */

static struct hone_iree_options options;
static struct hone_spec *spec;
static struct hone_space *space;

static hone_status generate(const char *path, struct hone__text *yaml, struct hone__text *why)
{
  struct hone__mlir mlir;
  hone_status status = hone__mlir_read(&mlir, path);

  if (!status) status = hone__iree_smt_knobs(&mlir, &options, yaml, why);
  hone__mlir_release(&mlir);
  return status;
}

static void load(const char *path)
{
  const char *files[] = {path_of("t.yaml")};
  struct hone__text yaml = {0}, why = {0};
  struct hone_spec_options spec_options;
  struct hone_space_options space_options;
  hone_status status;

  hone__text_add(&yaml, "name: t\nalternatives:\n");
  status = generate(path, &yaml, &why);
  if (status) fail_msg("%s", hone_status_message(status));
  write_text("t.yaml", yaml.data);
  hone_spec_options_init(&spec_options);
  spec_options.files = files;
  spec_options.file_count = 1;
  status = hone_spec_load(&spec_options, &spec);
  if (status) fail_msg("%s", hone_status_message(status));
  hone_space_options_init(&space_options);
  status = hone_space_build(spec, &space_options, &space);
  if (status) fail_msg("%s", hone_status_message(status));
  hone__text_release(&yaml);
  hone__text_release(&why);
}

static void release(void)
{
  hone_space_free(space);
  hone_spec_free(spec);
  space = NULL;
  spec = NULL;
}

static void expect_count(const char *file, const char *pipeline, uint64_t expected)
{
  options.pipeline = pipeline;
  load(file);
  if (hone_space_count(space) != expected)
    fail_msg("%s %s: %s instead of %llu", file, pipeline ? pipeline : "all",
             hone_space_count_text(space), (unsigned long long)expected);
  release();
}

static void test_counts(void **state)
{
  (void)state;
  options = (struct hone_iree_options){0};
  expect_count(DATA "matmul_f16.constraints.mlir", "VD", 870);
  expect_count(DATA "matmul_f16.constraints.mlir", "llvmgpu_tile_and_fuse", 2442);
  expect_count(DATA "matmul_f16.constraints.mlir", NULL, 870 + 2442);
  expect_count(DATA "matmul_f16.sm80.constraints.mlir", "VD", 2002);
  expect_count(DATA "matmul_f16.sm80.constraints.mlir", "TF", 3019);
  expect_count(DATA "attention_f16.constraints.mlir", NULL, 162);
  expect_count(DATA "conv_f16.constraints.mlir", "VectorDistribute", 141);
}

static void test_convolutions_have_three_ways(void **state)
{
  (void)state;
  options = (struct hone_iree_options){0};
  load(DATA "conv_f16.constraints.mlir");
  assert_int_equal(hone_space_group_count(space), 3);
  release();
  options.conv_strategy = HONE_IREE_CONV_IGEMM;
  expect_count(DATA "conv_f16.constraints.mlir", "TF", 12197);
  options.conv_strategy = HONE_IREE_CONV_DIRECT;
  expect_count(DATA "conv_f16.constraints.mlir", "TF", 7812);
}

static void test_options(void **state)
{
  (void)state;
  options = (struct hone_iree_options){.num_subgroups = 4};
  expect_count(DATA "matmul_f16.constraints.mlir", "VD", 218);
  options = (struct hone_iree_options){.prefetch_num_stages = "0,2,3"};
  expect_count(DATA "matmul_f16.constraints.mlir", "VD", 3 * 870);
  options = (struct hone_iree_options){.waves_per_eu = "1,2", .denorm_flushing = "true,false"};
  expect_count(DATA "matmul_f16.constraints.mlir", "VD", 4 * 870);
  expect_count(DATA "matmul_f16.constraints.mlir", "TF", 2 * 2442);
  expect_count(DATA "matmul_f16.sm80.constraints.mlir", "TF", 3019);
  options = (struct hone_iree_options){.for_tuning = true};
  expect_count(DATA "matmul_f16.constraints.mlir", "VD", 663);
  expect_count(DATA "attention_f16.constraints.mlir", NULL, 114);
  expect_count(DATA "conv_f16.constraints.mlir", "TF", 12197 + 7812);
  options.all = true;
  expect_count(DATA "matmul_f16.constraints.mlir", "VD", 870);
  expect_count(DATA "attention_f16.constraints.mlir", NULL, 162);
}

/* ---- Texts ---- */

static void expect_text(const uint32_t *row, const char *name, const char *expected)
{
  char buffer[4096];
  size_t text = 0;

  while (strcmp(hone_space_text_name(space, text), name) != 0)
    assert_true(++text < hone_space_text_count(space));
  assert_true(hone_space_print_text(space, row, text, buffer, sizeof buffer) < sizeof buffer);
  assert_string_equal(buffer, expected);
}

static void expect_materialized(char *line)
{
  char *fields[4], *next = line, name[64], path[128];
  uint32_t row[64];
  hone_status status;

  for (unsigned i = 0; i < 4; i++)
    assert_non_null(fields[i] = strsep(&next, "\t\n"));
  snprintf(name, sizeof name, "%s.constraints.mlir", fields[0]);
  snprintf(path, sizeof path, DATA "%s", name);
  load(path);
  assert_true(hone_space_param_count(space, 0) <= sizeof row / sizeof *row);
  status = hone_space_parse(space, fields[1], row);
  if (status) fail_msg("%s", hone_status_message(status));
  assert_true(hone_space_contains(space, row));
  expect_text(row, "compilation_info", fields[2]);
  if (strcmp(fields[3], "-")) expect_text(row, "decomposition_config", fields[3]);
  release();
}

static void test_texts_are_the_compilers(void **state)
{
  FILE *file = fopen(DATA "materialized.txt", "re");
  char *line = NULL;
  size_t room = 0, count = 0;

  (void)state;
  options = (struct hone_iree_options){0};
  assert_non_null(file);
  while (getline(&line, &room, file) > 0)
    if (*line != '#') {
      expect_materialized(line);
      count++;
    }
  assert_int_equal(count, 32);
  free(line);
  fclose(file);
}

/* Of options that may be absent the commas must fit. */
static void test_options_in_texts(void **state)
{
  static const char *const parts[] = {
      "subgroup_size = 64, {gpu_pipeline_options = "
      "#iree_gpu.pipeline_options<reorder_workgroups_strategy = <Transpose>>, "
      "llvm_func_attrs = {\"amdgpu-waves-per-eu\" = \"2\"}}>>",
      "subgroup_size = 64, {gpu_pipeline_options = #iree_gpu.pipeline_options<"
      "no_reduce_shared_memory_bank_conflicts = true>, "
      "llvm_func_attrs = {\"amdgpu-waves-per-eu\" = \"2\"}}>>",
      "subgroup_size = 64, {gpu_pipeline_options = #iree_gpu.pipeline_options<"
      "no_reduce_shared_memory_bank_conflicts = true, "
      "reorder_workgroups_strategy = <Transpose>>, "
      "llvm_func_attrs = {\"amdgpu-waves-per-eu\" = \"2\"}}>>",
  };
  unsigned seen = 0;
  uint32_t row[64];
  char buffer[4096];

  (void)state;
  options = (struct hone_iree_options){.no_reduce_bank_conflicts = "true,none",
                                       .reorder_workgroups = "none,transpose",
                                       .waves_per_eu = "2"};
  load(DATA "attention_f16.constraints.mlir");
  for (uint64_t i = 0; i < hone_space_count(space); i++) {
    assert_true(hone_space_at(space, i, row));
    hone_space_print_text(space, row, 0, buffer, sizeof buffer);
    for (unsigned j = 0; j < 3; j++)
      if (strstr(buffer, parts[j])) seen |= 1u << j;
  }
  assert_int_equal(seen, 7);
  release();
}

/* ---- What cannot be ---- */

static const char *const frame =
    "module {\n"
    "func.func @f() {\n"
    "%%c8 = arith.constant 8 : index\n"
    "iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_gpu.pipeline<TileAndFuse>,\n"
    "knobs = {workgroup = [#iree_codegen.smt.int_knob<\"wg_0\">], subgroup_size = 64}\n"
    "dims(%%c8) {\n"
    "^bb0(%%arg0: !smt.int):\n"
    "%%c8_0 = smt.int.constant 8\n"
    "%%0 = smt.eq %%arg0, %%c8_0 : !smt.int\n"
    "iree_codegen.smt.assert %%0, \"dim\", %%arg0 : !smt.bool, !smt.int\n"
    "%%1 = iree_codegen.smt.knob \"wg_0\" : !smt.int\n"
    "%s"
    "}\n"
    "return\n"
    "}\n"
    "}\n";

static void write_constraints(const char *lines)
{
  char text[4096];

  snprintf(text, sizeof text, frame, lines);
  write_text("c.mlir", text);
}

static void expect_error(const char *lines, const char *expected)
{
  struct hone__text yaml = {0}, why = {0};
  hone_status status;

  options = (struct hone_iree_options){0};
  write_constraints(lines);
  status = generate(path_of("c.mlir"), &yaml, &why);
  if (!status) fail_msg("no error for %s: %s", lines, yaml.data);
  if (!strstr(hone_status_message(status), expected))
    fail_msg("expected '%s', got %s", expected, hone_status_message(status));
  hone_status_free(status);
  hone__text_release(&yaml);
  hone__text_release(&why);
}

static void test_errors_name_the_place(void **state)
{
  (void)state;
  expect_error("%2 = smt.bv.add %1, %1 : !smt.int\n", "c.mlir:12:");
  expect_error("%2 = smt.bv.add %1, %1 : !smt.int\n",
               "unknown operation in the compiler's constraints: 'smt.bv.add'");
  expect_error("", "do not bound 'wg_0'");
  expect_error("%2 = smt.int.add %1, %9 : !smt.int\n", "'%9', which is not defined");
  expect_error("%2 = smt.int.constant x\n", "cannot read the number");
  expect_error("%2 = iree_codegen.smt.lookup %1 [0, 1] -> [16] : !smt.int\n", "lists of a lookup");
  expect_error("%2 = iree_codegen.smt.knob \"a b\" : !smt.int\n", "cannot use the name");
  expect_error("%2 = smt.int.cmp xx %1, %c8_0\n", "unknown comparison");
}

/* x >= 1, x <= 3 y + 1 and so on: bounds come through terms. */
static void test_bounds(void **state)
{
  (void)state;
  options = (struct hone_iree_options){0};
  write_constraints("%c1 = smt.int.constant 1\n"
                    "%c0 = smt.int.constant 0\n"
                    "%2 = smt.int.cmp ge %1, %c1\n"
                    "iree_codegen.smt.assert %2, \"least\" : !smt.bool\n"
                    "%3 = smt.int.mod %arg0, %1\n"
                    "%4 = smt.eq %3, %c0 : !smt.int\n"
                    "iree_codegen.smt.assert %4, \"divides\" : !smt.bool\n");
  expect_count(path_of("c.mlir"), NULL, 4);
  write_constraints("%c1 = smt.int.constant 1\n"
                    "%x = smt.declare_fun \"x\" : !smt.int\n"
                    "%2 = smt.int.cmp ge %1, %c1\n"
                    "%3 = smt.int.cmp ge %x, %c1\n"
                    "%4 = smt.and %2, %3\n"
                    "iree_codegen.smt.assert %4, \"least\" : !smt.bool\n"
                    "%5 = smt.int.mul %1, %x\n"
                    "%6 = smt.int.add %5, %1\n"
                    "%7 = smt.int.cmp lt %6, %arg0\n"
                    "iree_codegen.smt.assert %7, \"most\" : !smt.bool\n");
  expect_count(path_of("c.mlir"), NULL, 6 + 2 + 1); /* w * (x + 1) < 8 */
}

static void expect_why(const char *path, const char *expected)
{
  struct hone__text yaml = {0}, why = {0};
  hone_status status = generate(path, &yaml, &why);

  if (status) fail_msg("%s", hone_status_message(status));
  assert_int_equal(yaml.length, 0);
  if (!why.data || !strstr(why.data, expected))
    fail_msg("expected '%s', got '%s'", expected, why.data ? why.data : "");
  hone__text_release(&yaml);
  hone__text_release(&why);
}

static void test_why_there_is_nothing(void **state)
{
  (void)state;
  options = (struct hone_iree_options){0};
  write_text("none.mlir", "module {\n}\n");
  expect_why(path_of("none.mlir"), "has no constraints for this operation");
  options.num_subgroups = 11;
  expect_why(DATA "matmul_f16.constraints.mlir", "no workgroup of 11 subgroups");
  options = (struct hone_iree_options){.pipeline = "TF"};
  expect_why(DATA "attention_f16.constraints.mlir", "for the pipeline 'TileAndFuse'");
  options.pipeline = "fast";
  expect_why(DATA "attention_f16.constraints.mlir", "write VD or TF");
  options = (struct hone_iree_options){.waves_per_eu = "2,x"};
  expect_why(DATA "attention_f16.constraints.mlir",
             "--waves-per-eu-options: write numbers or none");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_terms_are_simplified),
      cmocka_unit_test(test_terms_print_as_python),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_convolutions_have_three_ways),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_texts_are_the_compilers),
      cmocka_unit_test(test_options_in_texts),
      cmocka_unit_test(test_errors_name_the_place),
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_why_there_is_nothing),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
