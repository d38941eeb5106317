/* The words of IREE before 3.12: a dump of 3.11 is read and prepared, its space and its specs are
 * in these words, and what a version does not know is said with the one that does. No compiler is
 * needed: the dump is a file, and toolsets are filled in by hand. */
#include "iree_world.h"
#include "iree/dispatch/dispatch.h"
#include "iree/task/iree_task.h"
#include "iree/tuning_spec/older_words.h"
#include "iree/tuning_spec/tuning_spec.h"
#include "hone_iree.h"

#include <unistd.h>

static const char old_dump[] = "tests/data/iree/dumps/matmul_cpu_311.mlir";
static const char new_dump[] = "tests/data/iree/dumps/matmul_cpu.mlir";
static const char old_spec[] = "tests/data/iree/spec_attention_2025.mlir";

static struct hone__iree_toolset version(const char *number, bool is_new)
{
  struct hone__iree_toolset toolset = {.version = (char *)number};

  for (int i = 0; i < HONE__IREE_FEATURE_COUNT; i++)
    toolset.features[i] = is_new;
  return toolset;
}

static void assert_contains(const char *text, const char *part)
{
  if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void expect_unavailable(hone_status status, const char *words)
{
  assert_non_null(status);
  assert_int_equal(hone_status_code(status), HONE_UNAVAILABLE);
  assert_contains(hone_status_message(status), words);
  hone_status_free(status);
}

/* ---- Pipelines ---- */

static void test_pipelines(void **state)
{
  static const char *const pairs[][2] = {
      {"LLVMGPUTileAndFuse", "#iree_gpu.pipeline<TileAndFuse>"},
      {"LLVMGPUVectorDistribute", "#iree_gpu.pipeline<VectorDistribute>"},
      {"CPUDoubleTilingExpert", "#iree_cpu.pipeline<DoubleTilingExpert>"},
      {"CPULinalgExtTileAndVectorize", "#iree_cpu.pipeline<LinalgExtTileAndVectorize>"},
      {"Mmt4dTilingExpert", "#iree_cpu.pipeline<Mmt4dTilingExpert>"},
  };
  struct hone__text text = {0};

  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    assert_true(hone__iree_pipeline_now(pairs[i][0], &text));
    assert_string_equal(text.data, pairs[i][1]);
    hone__iree_spell_older(&text);
    assert_string_equal(text.data, pairs[i][0]);
    hone__text_release(&text);
  }
  assert_false(hone__iree_pipeline_now("LLVMGPUNoSuchThing", &text));
  assert_false(hone__iree_pipeline_now("Mmt4d", &text));
  assert_false(hone__iree_pipeline_now("", &text));
  hone__text_release(&text);
}

static void expect_older(const char *text, const char *wanted)
{
  struct hone__text spelled = {0};

  hone__text_add(&spelled, text);
  hone__iree_spell_older(&spelled);
  assert_string_equal(spelled.data ? spelled.data : "", wanted);
  hone__text_release(&spelled);
}

static void test_texts(void **state)
{
  (void)state;
  expect_older("", "");
  expect_older("a # b #iree_gpu.pipeline_options<x = 1>",
               "a # b #iree_gpu.pipeline_options<x = 1>");
  expect_older("<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [1]>, #iree_cpu.pip",
               "<pipeline = LLVMGPUTileAndFuse workgroup_size = [1]>, #iree_cpu.pip");
  expect_older("#iree_cpu.pipeline<Default", "#iree_cpu.pipeline<Default"); /* no end */
}

/* ---- Dumps ---- */

static void test_dump(void **state)
{
  struct hone__iree_toolset older = version("3.11.0", false), newer = version("3.12.0", true);
  struct hone__iree_dispatch dispatch;
  struct hone__mlir old = {0}, new = {0};

  (void)state;
  assert_null(hone__mlir_read(&old, old_dump));
  assert_null(hone__mlir_read(&new, new_dump));
  assert_null(hone__iree_dispatch_prepare(&old, 42, NULL, &dispatch));
  assert_non_null(dispatch.answer);
  assert_int_equal(dispatch.binding_count, 3);
  assert_string_equal(dispatch.bindings[2].element, "f32");
  assert_contains(dispatch.choice, "pipeline = CPUDoubleTilingExpert");
  hone__iree_dispatch_release(&dispatch);
  assert_null(hone__iree_need_dump(&older, "d", old.text));
  assert_null(hone__iree_need_dump(&newer, "d", new.text));
  expect_unavailable(hone__iree_need_dump(&older, "d", new.text),
                     "version 3.12 or later is needed");
  expect_unavailable(hone__iree_need_dump(&newer, "d", old.text), "dumped by IREE before 3.12");
  hone__mlir_release(&old);
  hone__mlir_release(&new);
}

/* Without a compiler the dump's own words tell. */
static void expect_space(const char *dump, const char *words)
{
  struct hone_iree_options options = {.knobs = HONE_IREE_KNOBS_HONE, .for_tuning = true};
  struct hone__text yaml = {0};

  assert_null(hone__iree_spec(dump, &options, &yaml, NULL));
  assert_contains(yaml.data, words);
  hone__text_release(&yaml);
}

static void test_space(void **state)
{
  (void)state;
  expect_space(old_dump, "translation_info = <pipeline = CPUDoubleTilingExpert");
  expect_space(new_dump, "translation_info = <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>");
}

/* ---- Specs ---- */

static void test_spec(void **state)
{
  struct hone__iree_tuning_spec spec;

  (void)state;
  assert_null(hone__iree_tuning_spec_read_as(old_spec, true, &spec));
  assert_int_equal(spec.matcher_count, 1);
  assert_string_equal(spec.matchers[0].what, "attention");
  assert_contains(spec.matchers[0].compilation_info, "pipeline = LLVMGPUVectorDistribute");
  assert_contains(spec.matchers[0].compilation_info, "prefetch_num_stages = 2");
  assert_null(strstr(spec.carried, "LLVMGPUVectorDistribute"));
  hone__iree_tuning_spec_release(&spec);
  assert_null(hone__iree_tuning_spec_read(old_spec, &spec));
  assert_string_equal(spec.matchers[0].what, "online_attention");
  assert_contains(spec.matchers[0].compilation_info, "#iree_gpu.pipeline<VectorDistribute>");
  hone__iree_tuning_spec_release(&spec);
}

static void test_needs(void **state)
{
  struct hone__iree_toolset older = version("3.11.0", false), newer = version("3.12.0", true),
                            none = {.version = NULL};

  (void)state;
  assert_true(hone__iree_wants_older(&older));
  assert_false(hone__iree_wants_older(&newer));
  assert_false(hone__iree_wants_older(&none));
  assert_null(hone__iree_need_words(&older, "pipeline = LLVMGPUTileAndFuse"));
  assert_null(hone__iree_need_words(&newer, "#iree_gpu.pipeline<TileAndFuse>"));
  assert_null(hone__iree_need_words(&none, "#iree_gpu.pipeline<TileAndFuse>"));
  expect_unavailable(hone__iree_need_words(&older, "#iree_cpu.pipeline<Default>"),
                     "IREE 3.11.0 has no #iree_gpu.pipeline: version 3.12 or later is needed");
  expect_unavailable(hone__iree_need_words(&older, "transform.iree.match.online_attention %a"),
                     "online_attention: version 3.12");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pipelines),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_dump),
      cmocka_unit_test_setup_teardown(test_space, begin_without_iree, remove_folder),
      cmocka_unit_test(test_spec),
      cmocka_unit_test(test_needs),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
