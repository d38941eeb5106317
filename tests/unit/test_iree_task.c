/* From MLIR files to specs: what is written, what is kept, what is refused; with the compiler where
 * HONE_IREE has one, and without. */
#include "iree/task/iree_task.h"

#include "base/digest.h"
#include "folder.h"
#include "iree/toolset/toolset.h"
#include "hone_iree.h"

#include <unistd.h>

static char *real_iree; /* HONE_IREE as the test was started with */

static int begin(void **state)
{
  if (make_folder(state) != 0) return -1;
  setenv("HONE_CACHE", path_of("cache"), 1);
  setenv("HONE_IREE", path_of("no-iree-here"), 1);
  return 0;
}

static bool use_real(void)
{
  struct hone__iree_toolset toolset;
  bool is_there;

  if (!real_iree) return false;
  setenv("HONE_IREE", real_iree, 1);
  hone__iree_toolset_find(NULL, &toolset);
  is_there = toolset.paths[HONE__IREE_COMPILE] != NULL;
  hone__iree_toolset_release(&toolset);
  return is_there;
}

static void use_none(void)
{
  setenv("HONE_IREE", path_of("no-iree-here"), 1);
}

/* ---- Files ---- */

static const char gpu_dump[] = "tests/data/iree/dumps/matmul_gfx942.mlir";

static void add_matmul(struct hone__text *text, const char *name, int m, int n, int k)
{
  hone__text_addf(text,
                  "func.func @%s(%%a: tensor<%dx%dxf16>, %%b: tensor<%dx%dxf16>) -> "
                  "tensor<%dx%dxf32> {\n"
                  "  %%zero = arith.constant 0.0 : f32\n"
                  "  %%e = tensor.empty() : tensor<%dx%dxf32>\n"
                  "  %%f = linalg.fill ins(%%zero : f32) outs(%%e : tensor<%dx%dxf32>) -> "
                  "tensor<%dx%dxf32>\n",
                  name, m, k, k, n, m, n, m, n, m, n, m, n);
  hone__text_addf(text,
                  "  %%r = linalg.matmul ins(%%a, %%b : tensor<%dx%dxf16>, tensor<%dx%dxf16>)\n"
                  "      outs(%%f : tensor<%dx%dxf32>) -> tensor<%dx%dxf32>\n"
                  "  return %%r : tensor<%dx%dxf32>\n"
                  "}\n",
                  m, k, k, n, m, n, m, n, m, n);
}

static const char *write_matmul(void)
{
  struct hone__text text = {0};

  add_matmul(&text, "matmul", 128, 256, 64);
  write_text("matmul.mlir", text.data);
  hone__text_release(&text);
  return path_of("matmul.mlir");
}

static const char *write_model(void)
{
  struct hone__text text = {0};

  add_matmul(&text, "first", 128, 256, 64);
  add_matmul(&text, "second", 128, 128, 64);
  write_text("model.mlir", text.data);
  hone__text_release(&text);
  return path_of("model.mlir");
}

/* ---- Specs ---- */

static char *spec_of(const char *path, const struct hone_iree_options *options)
{
  struct hone__text yaml = {0};
  hone_status status = hone__iree_spec(path, options, &yaml, NULL);

  if (status) fail_msg("%s", hone_status_message(status));
  return hone__text_take(&yaml);
}

static void expect_part(const char *text, const char *part)
{
  if (!strstr(text, part)) fail_msg("no '%s' in\n%.3000s", part, text);
}

static void expect_refusal(const char *path, const struct hone_iree_options *options,
                           enum hone_code code, const char *part)
{
  struct hone__text yaml = {0};
  hone_status status = hone__iree_spec(path, options, &yaml, NULL);

  assert_non_null(status);
  expect_part(hone_status_message(status), part);
  assert_int_equal(hone_status_code(status), code);
  hone_status_free(status);
  hone__text_release(&yaml);
}

/* What stands behind `  key: "` up to the next quote. */
static void setting(const char *yaml, const char *key, char *out, size_t size)
{
  char start[64];
  const char *found;

  snprintf(start, sizeof start, "\n  %s: \"", key);
  found = strstr(yaml, start);
  assert_non_null(found);
  found += strlen(start);
  snprintf(out, size, "%.*s", (int)strcspn(found, "\""), found);
}

static char *read_all(const char *path, size_t *out_size)
{
  FILE *file = fopen(path, "re");
  char *bytes = calloc(1, 1 << 20);

  assert_non_null(file);
  assert_non_null(bytes);
  *out_size = fread(bytes, 1, (1 << 20) - 1, file);
  fclose(file);
  return bytes;
}

/* ---- Without a compiler ---- */

static void names_that_end_in_mlir(void **state)
{
  (void)state;
  assert_true(hone__iree_is_mlir("a.mlir"));
  assert_true(hone__iree_is_mlir("/x/y_benchmark.mlir"));
  assert_false(hone__iree_is_mlir(".mlir"));
  assert_false(hone__iree_is_mlir("a.yaml"));
  assert_false(hone__iree_is_mlir("a.mlir.bak"));
  assert_false(hone__iree_is_mlir(""));
}

static void a_dump_tells_its_target_and_operation(void **state)
{
  struct hone_iree_options options = {.knobs = HONE_IREE_KNOBS_HONE};
  char *yaml;

  (void)state;
  yaml = spec_of(gpu_dump, &options);
  expect_part(yaml, "name: \"matmul_gfx942\"\n");
  expect_part(yaml, "backend: iree\n");
  expect_part(yaml, "  target: \"gfx942\"\n  backend: \"rocm\"\n  driver: \"hip\"\n");
  expect_part(yaml, "  operation: \"contraction mmt 1024x1280x1280 f16xf16->f32\"\n");
  expect_part(yaml, "\nalternatives:\n");
  expect_part(yaml, "TileAndFuse");
  assert_null(strstr(yaml, "dispatch: "));
  assert_null(strstr(yaml, "baseline: "));
  free(yaml);
}

static void a_dispatch_lies_in_the_cache(void **state)
{
  struct hone_iree_options options = {.knobs = HONE_IREE_KNOBS_HONE, .for_tuning = true};
  char path[512], digest[64], found[HONE__DIGEST_SIZE], *yaml, *text;
  size_t size;

  (void)state;
  yaml = spec_of(gpu_dump, &options);
  setting(yaml, "dispatch", path, sizeof path);
  setting(yaml, "digest", digest, sizeof digest);
  text = read_all(path, &size);
  hone__digest(text, size, found);
  assert_string_equal(digest, found);
  expect_part(text, "@hone_answer");
  assert_null(strstr(text, "lowering_config ="));
  expect_part(yaml, "  - name: compiler\n    params: {pipeline: [compiler]}\n");
  expect_part(yaml, "\nbaseline: {pipeline: compiler}\n");
  expect_part(yaml, "  answer: \"hone_answer\"\n");
  expect_part(yaml, "  choice: \"#iree_codegen.compilation_info<");
  free(text);
  free(yaml);
}

static void wrong_files_are_refused_by_name(void **state)
{
  struct hone_iree_options options = {.knobs = HONE_IREE_KNOBS_HONE}, target = {.target = "gfx942"},
                           odd = {.knobs = (enum hone_iree_knobs)99}, unknown = {.target = "gfx"};

  (void)state;
  write_text("text.mlir", "this is { no MLIR");
  write_text("empty.mlir", "");
  write_text("add.mlir", "func.func @f(%a: i32) -> i32 {\n"
                         "  %b = arith.addi %a, %a : i32\n"
                         "  return %b : i32\n}\n");
  expect_refusal(write_matmul(), &options, HONE_INVALID_SPEC,
                 "matmul.mlir: error: it has no target");
  expect_refusal(write_matmul(), &target, HONE_UNAVAILABLE, "cannot find 'iree-compile'");
  expect_refusal(write_matmul(), &unknown, HONE_INVALID_ARGUMENT, "unknown target 'gfx'");
  expect_refusal(gpu_dump, &odd, HONE_INVALID_ARGUMENT, "no kind 99");
  expect_refusal(path_of("text.mlir"), &options, HONE_INVALID_SPEC, "text.mlir:");
  expect_refusal(path_of("empty.mlir"), &options, HONE_INVALID_SPEC, "empty.mlir: error:");
  expect_refusal(path_of("nothing.mlir"), &options, HONE_IO, "nothing.mlir");
  options.target = "llvm-cpu";
  expect_refusal(path_of("add.mlir"), &options, HONE_UNAVAILABLE, "cannot find 'iree-compile'");
}

/* ---- With the compiler ---- */

static void a_function_needs_the_compiler_once(void **state)
{
  struct hone_iree_options options = {
      .knobs = HONE_IREE_KNOBS_HONE, .target = "gfx942", .for_tuning = true};
  char *first, *second, identity[128];

  (void)state;
  if (!use_real()) skip();
  first = spec_of(write_matmul(), &options);
  setting(first, "identity", identity, sizeof identity);
  assert_true(strlen(identity) > 0);
  expect_part(first, "  operation: \"contraction matmul 128x256x64 f16xf16->f32\"\n");
  use_none();
  second = spec_of(write_matmul(), &options);
  assert_string_equal(first, second);
  free(second);
  free(first);
}

static void a_prepared_dispatch_compiles(void **state)
{
  struct hone_iree_options options = {
      .knobs = HONE_IREE_KNOBS_HONE, .target = "gfx942", .for_tuning = true};
  struct hone__iree_toolset toolset;
  char path[512], *yaml;
  const char *words[] = {path, "-o", path_of("out.vmfb"), NULL};
  hone_status status;

  (void)state;
  if (!use_real()) skip();
  yaml = spec_of(write_matmul(), &options);
  setting(yaml, "dispatch", path, sizeof path);
  hone__iree_toolset_find(NULL, &toolset);
  status = hone__iree_run(&toolset, HONE__IREE_COMPILE, words, NULL, 120, NULL);
  if (status) fail_msg("%s", hone_status_message(status));
  hone__iree_toolset_release(&toolset);
  free(yaml);
}

static void later_cards_are_written_into_the_dispatch(void **state)
{
  struct hone_iree_options options = {
      .knobs = HONE_IREE_KNOBS_HONE, .target = "h200", .for_tuning = true};
  char path[512], *yaml, *text;
  size_t size;

  (void)state;
  if (!use_real()) skip();
  yaml = spec_of(write_matmul(), &options);
  expect_part(yaml, "  target: \"sm_90\"\n  backend: \"cuda\"\n  driver: \"cuda\"\n");
  setting(yaml, "dispatch", path, sizeof path);
  text = read_all(path, &size);
  expect_part(text, "arch = \"sm_90\"");
  assert_null(strstr(text, "sm_80"));
  free(text);
  free(yaml);
}

static void the_compiler_tells_its_own_knobs(void **state)
{
  struct hone_iree_options options = {.target = "gfx942"};
  char *yaml, *asked;

  (void)state;
  if (!use_real()) skip();
  yaml = spec_of(write_matmul(), &options);
  expect_part(yaml, "pipeline: [VectorDistribute");
  expect_part(yaml, "pipeline: [TileAndFuse");
  options.knobs = HONE_IREE_KNOBS_COMPILER;
  asked = spec_of(write_matmul(), &options);
  assert_string_equal(yaml, asked);
  free(asked);
  free(yaml);
  options.target = "llvm-cpu";
  expect_refusal(write_matmul(), &options, HONE_INVALID_SPEC, "has no constraints");
}

static void several_dispatches_are_listed(void **state)
{
  struct hone_iree_options options = {
      .knobs = HONE_IREE_KNOBS_HONE, .target = "gfx942", .for_tuning = true};

  (void)state;
  if (!use_real()) skip();
  expect_refusal(write_model(), &options, HONE_INVALID_SPEC,
                 "model.mlir: error: it has several dispatches that can be tuned: ");
  expect_refusal(write_model(), &options, HONE_INVALID_SPEC, "'hone iree tune'");
}

static void a_dump_is_for_one_target(void **state)
{
  struct hone_iree_options options = {.knobs = HONE_IREE_KNOBS_HONE, .target = "gfx1100"};
  char *yaml;

  (void)state;
  if (!use_real()) skip();
  expect_refusal(gpu_dump, &options, HONE_INVALID_ARGUMENT, "was dumped for gfx942");
  options.target = "mi300x";
  yaml = spec_of(gpu_dump, &options);
  expect_part(yaml, "  target: \"gfx942\"\n");
  free(yaml);
}

static void what_the_compiler_says_is_told(void **state)
{
  struct hone_iree_options options = {
      .knobs = HONE_IREE_KNOBS_HONE, .target = "llvm-cpu", .for_tuning = true};

  (void)state;
  if (!use_real()) skip();
  write_text("odd.mlir", "func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
                         "  %0 = linalg.nonsense ins(%a : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
                         "  return %0 : tensor<4x4xf32>\n}\n");
  expect_refusal(path_of("odd.mlir"), &options, HONE_INVALID_SPEC,
                 "odd.mlir: error: iree-compile: ");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, begin, remove_folder)

int main(void)
{
  const struct CMUnitTest tests[] = {
      CASE(names_that_end_in_mlir),
      CASE(a_dump_tells_its_target_and_operation),
      CASE(a_dispatch_lies_in_the_cache),
      CASE(wrong_files_are_refused_by_name),
      CASE(a_function_needs_the_compiler_once),
      CASE(a_prepared_dispatch_compiles),
      CASE(later_cards_are_written_into_the_dispatch),
      CASE(the_compiler_tells_its_own_knobs),
      CASE(several_dispatches_are_listed),
      CASE(a_dump_is_for_one_target),
      CASE(what_the_compiler_says_is_told),
  };
  const char *given = getenv("HONE_IREE");

  real_iree = given && *given ? strdup(given) : NULL;
  return cmocka_run_group_tests_name("iree_task", tests, NULL, NULL);
}
