/* Tuning specs: what is written is what IREE 3.13 was seen to apply (tests/cli/test_iree_specs.sh
 * asks it); what is read are its own files, older ones, and such as it takes without a word. */
#include "hone.h"
#include "hone_iree.h"

#include "iree/dispatch/dispatch.h"
#include "iree/toolset/toolset.h"
#include "iree/tuning_spec/tuning_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define DATA "tests/data/iree/"

/* ---- Help ---- */

static void assert_contains(const char *text, const char *part)
{
  if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
  if (strstr(text, part)) fail_msg("\"%s\" is in:\n%s", part, text);
}

struct subject { /* a file and its operation */
  struct hone__mlir mlir;
  struct hone__iree_operation operation;
};

static void open_subject(struct subject *subject, const char *path)
{
  struct hone__text why = {0};

  assert_null(hone__mlir_read(&subject->mlir, path));
  hone__iree_operation_find(&subject->mlir, &subject->operation, &why);
  assert_non_null(subject->operation.op);
  hone__text_release(&why);
}

static void close_subject(struct subject *subject)
{
  hone__mlir_release(&subject->mlir);
}

static char *matcher_of(const char *path)
{
  struct subject subject;
  struct hone__text text = {0};

  open_subject(&subject, path);
  hone__iree_tuning_spec_matcher(&subject.operation, &text);
  close_subject(&subject);
  return hone__text_take(&text);
}

/* The file with one text in place of another. */
static char *edited(const char *path, const char *from, const char *to)
{
  struct hone__mlir mlir;
  struct hone__text text = {0};
  const char *at;

  assert_null(hone__mlir_read(&mlir, path));
  at = strstr(mlir.text, from);
  assert_non_null(at);
  hone__text_addn(&text, mlir.text, (size_t)(at - mlir.text));
  hone__text_add(&text, to);
  hone__text_add(&text, at + strlen(from));
  hone__mlir_release(&mlir);
  return hone__text_take(&text);
}

static void parse(const char *text, struct hone__iree_tuning_spec *spec)
{
  hone_status status = hone__iree_tuning_spec_parse("spec.mlir", text, strlen(text), spec);

  if (status) fail_msg("%s", hone_status_message(status));
}

static void read_good(const char *path, struct hone__iree_tuning_spec *spec)
{
  hone_status status = hone__iree_tuning_spec_read(path, spec);

  if (status) fail_msg("%s", hone_status_message(status));
  assert_string_equal(spec->problems, "");
}

/* ---- Writing ---- */

static void test_writes_a_contraction(void **state)
{
  char *text = matcher_of(DATA "problems/mm_1024x1280x1280_f16.mlir");

  (void)state;
  assert_int_equal(strncmp(text, "    transform.iree.match.has_no_lowering_config %arg0", 51), 0);
  assert_contains(text, "%batch_dims, %m_dims, %n_dims, %k_dims = transform.iree.match.contraction "
                        "%arg0, lhs_type = f16, rhs_type = f16, output_type = f32, indexing_maps = "
                        "[affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> ");
  assert_contains(text, "dims_equal %batch_dims, [] : !transform.param<i64>\n");
  assert_contains(text, "dims_equal %m_dims, [1024] : ");
  assert_contains(text, "dims_equal %n_dims, [1280] : ");
  assert_contains(text, "dims_equal %k_dims, [1280] : ");
  free(text);
}

/* Configurations pad such sizes; a matcher with padded ones would match nothing. */
static void test_writes_sizes_as_they_are(void **state)
{
  char *text = matcher_of(DATA "problems/mm_5369x112x112_f16.mlir");

  (void)state;
  assert_contains(text, "dims_equal %m_dims, [5369] : ");
  assert_contains(text, "dims_equal %n_dims, [112] : ");
  free(text);
}

static void test_writes_batches(void **state)
{
  char *text = matcher_of(DATA "problems/bmm_16x1024x64x1024_f16.mlir");

  (void)state;
  assert_contains(text, "dims_equal %batch_dims, [16] : ");
  free(text);
}

static void test_writes_a_convolution(void **state)
{
  char *text = matcher_of(DATA "problems/conv_2x34x34x16_3x3_32_f16.mlir");

  (void)state;
  assert_contains(text, "%batch_dims, %output_image_dims, %output_channel_dims, %filter_dims, "
                        "%input_channel_dims, %depth_dims, %strides, %dilations = "
                        "transform.iree.match.convolution %arg0, lhs_type = f16");
  assert_contains(text, "dims_equal %output_image_dims, [32, 32] : ");
  assert_contains(text, "dims_equal %filter_dims, [3, 3] : ");
  assert_contains(text, "dims_equal %depth_dims, [] : ");
  assert_contains(text, "dims_equal %strides, [1, 1] : ");
  assert_contains(text, "dims_equal %dilations, [1, 1] : ");
  free(text);
}

static void test_writes_online_attention(void **state)
{
  char *text = matcher_of(DATA "dumps/attention_gfx942.mlir");

  (void)state;
  assert_contains(text, "%batch_dims, %m_dims, %n_dims, %k1_dims, %k2_dims = "
                        "transform.iree.match.online_attention %arg0, query_type = f16, key_type = "
                        "f16, value_type = f16, scale_type = f16, output_type = f32, max_type = "
                        "f32, sum_type = f32, indexing_maps = [");
  assert_contains(text, "dims_equal %k1_dims, [64] : ");
  free(text);
}

/* IREE's matchers know no mask. */
static void test_writes_masked_attention_by_its_operands(void **state)
{
  static const char text[] =
      "#q = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>\n"
      "#k = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>\n"
      "#v = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2)>\n"
      "#s = affine_map<(d0, d1, d2, d3, d4) -> ()>\n"
      "#m = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>\n"
      "#o = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>\n"
      "func.func @a(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x4xf16>, %m: "
      "tensor<2x8x6xf16>, %s: f16, %e: tensor<2x8x4xf16>) -> tensor<2x8x4xf16> {\n"
      "  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]} ins(%q, %k, %v, "
      "%s, %m : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x4xf16>, f16, tensor<2x8x6xf16>) "
      "outs(%e : tensor<2x8x4xf16>) {\n"
      "  ^bb0(%x: f32):\n    iree_linalg_ext.yield %x : f32\n  } -> tensor<2x8x4xf16>\n"
      "  return %r : tensor<2x8x4xf16>\n}\n";
  struct subject subject;
  struct hone__text why = {0}, out = {0};

  (void)state;
  assert_null(hone__mlir_parse(&subject.mlir, "a.mlir", text, strlen(text)));
  assert_int_equal(hone__iree_operation_find(&subject.mlir, &subject.operation, &why),
                   HONE__IREE_TUNABLE);
  hone__iree_tuning_spec_matcher(&subject.operation, &out);
  assert_contains(out.data, "operation_name %arg0 [\"iree_linalg_ext.attention\"]");
  assert_contains(out.data, "cast_compatible_type %operand_4 = tensor<2x8x6xf16> : ");
  hone__text_release(&out);
  hone__text_release(&why);
  close_subject(&subject);
}

/* Without a named matcher, the whole operation is the condition. */
static void test_writes_a_pattern(void **state)
{
  char *text = matcher_of(DATA "dumps/depthwise_cpu.mlir");

  (void)state;
  assert_contains(text, "transform.iree.match.has_no_lowering_config %arg0 : ");
  assert_contains(text, "%ins, %outs = transform.iree.match.cast_compatible_dag_from_root %arg0 {");
  assert_contains(text, ": tensor<1x18x18x32xf32>, ");
  assert_contains(text, "%root = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, "
                        "d5) -> (d0, d1 + d4, d2 + d5, d3)>, ");
  assert_contains(text, "linalg.yield ");
  assert_contains(text, "-> tensor<1x16x16x32xf32>\n    } : ");
  assert_lacks(text, "lowering_config =");
  assert_lacks(text, "root_op");
  free(text);
}

/* IREE's pattern never matches a body with constants from outside. */
static void test_writes_loops_and_operands_of_open_bodies(void **state)
{
  char *text = matcher_of(DATA "dumps/elementwise_cpu.mlir");

  (void)state;
  assert_contains(text, "transform.match.operation_name %arg0 [\"linalg.generic\"]");
  assert_contains(text, "%loops = transform.param.constant 1 : i64 -> ");
  assert_contains(text, "<{parallel, raw_dim_list = array<i64: 0>}>");
  assert_contains(text, "cast_compatible_type %operand_1 = tensor<6144xf32> : ");
  assert_lacks(text, "cast_compatible_dag_from_root");
  free(text);
}

static void test_prints_a_module(void **state)
{
  const struct hone__iree_tuning_entry entries[] = {
      {"mm", "    transform.match.operation_name %arg0 [\"linalg.matmul\"] : !transform.any_op\n",
       "#a<b>", NULL},
      {"mm", "    %config = transform.param.constant 1 -> !transform.any_param\n", "#c<d>",
       "{e = 1}"}};
  struct hone__text text = {0};

  (void)state;
  hone__iree_tuning_spec_print(entries, 2, &text);
  assert_contains(text.data, "module attributes {iree_codegen.tuning_spec_with_default_entrypoint, "
                             "transform.with_named_sequence} {\n");
  assert_contains(text.data, "@match_mm -> @apply_op_config,\n");
  assert_contains(text.data, "@match_mm_0 -> @apply_attention_config\n");
  assert_contains(text.data, "transform.annotate %arg0 \"compilation_info\" = %arg1 : ");
  assert_contains(text.data, "transform.annotate %arg0 \"decomposition_config\" = %arg2 : ");
  assert_contains(text.data, "transform.annotate %arg0 \"__tuning_spec_applied__\" : ");
  assert_contains(text.data, "    %config_0 = transform.param.constant #c<d> -> ");
  assert_contains(text.data, "transform.yield %arg0, %config_0, %decomposition : ");
  text.length = 0;
  hone__iree_tuning_spec_print(NULL, 0, &text);
  assert_contains(text.data, "module attributes {transform.with_named_sequence} {\n");
  assert_lacks(text.data, "foreach_match");
  hone__text_release(&text);
}

/* The sum has the configuration; the tiles of the others follow from it. */
static void test_prints_fused_operations(void **state)
{
  static const char info[] = "#iree_codegen.compilation_info<lowering_config = "
                             "#iree_cpu.lowering_config<distribution = [8, "
                             "0], vector_common_parallel = [4, 0], vector_reduction = [0, 32]>>";
  char *matcher = matcher_of(DATA "dumps/softmax_cpu.mlir");
  const struct hone__iree_tuning_entry entry = {"softmax", matcher, info, NULL};
  struct hone__text text = {0};
  struct hone__iree_tuning_spec spec;

  (void)state;
  hone__iree_tuning_spec_print(&entry, 1, &text);
  assert_contains(text.data, "%op_1 = transform.get_producer_of_operand %arg0[2] : ");
  assert_contains(text.data, "%op_0 = transform.get_producer_of_operand %arg0[1] : ");
  assert_contains(text.data, "cast_compatible_dag_from_root %op_1 {");
  assert_contains(text.data, "%arg0_tiles = transform.param.constant #iree_cpu.lowering_config<"
                             "vector_common_parallel = [4, 0], vector_inner_parallel = [0, 32]> ");
  assert_contains(text.data, "%op_0_tiles = transform.param.constant #iree_cpu.lowering_config<"
                             "vector_common_parallel = [4, 0], vector_reduction = [0, 32]> ");
  assert_contains(text.data,
                  "transform.yield %op_1, %arg0, %op_0, %config, %arg0_tiles, %op_0_tiles : ");
  assert_contains(text.data, "transform.annotate %arg0 \"compilation_info\" = %arg3 : ");
  assert_contains(text.data, "transform.annotate %arg2 \"lowering_config\" = %arg5 : ");
  assert_contains(text.data, "@match_softmax -> @apply_3_configs\n");
  parse(text.data, &spec);
  assert_string_equal(spec.problems, "");
  assert_string_equal(spec.matchers[0].compilation_info, info);
  hone__iree_tuning_spec_release(&spec);
  hone__text_release(&text);
  free(matcher);
}

/* On CPUs a convolution with batch 1 gets its batch dim from a pass that follows specs. */
#define BATCH_PASS                                                                                 \
  "transform.apply_registered_pass \"iree-codegen-insert-batch-dim-for-batchless-conv\" to %arg0"

static char *spec_of_convolution(const char *batch, const char *config)
{
  char matcher[256];
  const struct hone__iree_tuning_entry entry = {"conv", matcher, config, NULL};
  struct hone__text text = {0};

  snprintf(matcher, sizeof matcher,
           "    %%batch_dims = transform.iree.match.convolution %%arg0\n"
           "    transform.iree.match.dims_equal %%batch_dims, [%s] : !transform.param<i64>\n",
           batch);
  hone__iree_tuning_spec_print(&entry, 1, &text);
  return hone__text_take(&text);
}

static void test_batch_1_runs_the_pass_before_its_matchers(void **state)
{
  static const struct {
    const char *batch, *config;
    bool has_pass;
  } cases[] = {{"1", "#x<y = #iree_cpu.lowering_config<>>", true},
               {"2", "#x<y = #iree_cpu.lowering_config<>>", false},
               {"", "#x<y = #iree_cpu.lowering_config<>>", false},
               {"1", "#x<y = #iree_gpu.lowering_config<{}>>", false}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = spec_of_convolution(cases[i].batch, cases[i].config);
    if (cases[i].has_pass) {
      assert_contains(text, "%batched = " BATCH_PASS " : ");
      assert_contains(text, "foreach_match in %batched\n");
      assert_lacks(text, "tuning_spec_with_default_entrypoint");
    } else {
      assert_lacks(text, "apply_registered_pass");
      assert_contains(text, "tuning_spec_with_default_entrypoint");
    }
    free(text);
  }
}

/* ---- Reading ---- */

static void test_reads_what_it_writes(void **state)
{
  static const char *const paths[] = {DATA "problems/mm_5369x112x112_f16.mlir",
                                      DATA "problems/bmm_16x1024x64x1024_f16.mlir",
                                      DATA "problems/conv_2x34x34x16_3x3_32_f16.mlir",
                                      DATA "problems/convnchw_2x64x34x34_32x64x3x3_f16.mlir",
                                      DATA "problems/convgroup_4x18x18x8x16_8x16x3x3x16_f16.mlir",
                                      DATA "dumps/attention_gfx942.mlir"};

  (void)state;
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    struct hone__iree_tuning_entry entry = {
        "x", NULL, "#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<>>",
        "{qk_attrs = {}}"};
    char *matcher = matcher_of(paths[i]);
    struct hone__text text = {0}, why = {0};
    struct hone__iree_tuning_spec spec;
    struct subject subject;
    entry.matcher = matcher;
    hone__iree_tuning_spec_print(&entry, 1, &text);
    parse(text.data, &spec);
    assert_string_equal(spec.problems, "");
    assert_int_equal(spec.matcher_count, 1);
    assert_true(spec.matchers[0].is_understood);
    assert_true(spec.matchers[0].spares_configured);
    assert_string_equal(spec.matchers[0].compilation_info, entry.compilation_info);
    assert_string_equal(spec.matchers[0].decomposition_config, entry.decomposition_config);
    assert_string_equal(spec.matchers[0].lines, matcher);
    open_subject(&subject, paths[i]);
    if (!hone__iree_spec_matcher_hits(&spec.matchers[0], &subject.operation, &why))
      fail_msg("%s: %s", paths[i], why.data);
    close_subject(&subject);
    hone__iree_tuning_spec_release(&spec);
    hone__text_release(&text);
    hone__text_release(&why);
    free(matcher);
  }
}

static void test_reads_the_files_that_iree_applies(void **state)
{
  static const struct {
    const char *path, *what;
    unsigned types, dims;
  } files[] = {{DATA "spec_gfx942_matmul.mlir", "contraction", 3, 4},
               {DATA "spec_gfx942_conv.mlir", "convolution", 3, 8},
               {DATA "spec_gfx942_attention.mlir", "online_attention", 7, 5},
               {DATA "spec_cpu_matmul.mlir", "contraction", 3, 4},
               {DATA "spec_cpu_conv.mlir", "convolution", 3, 8},
               {DATA "spec_cuda_matmul.mlir", "contraction", 3, 4}};

  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct hone__iree_tuning_spec spec;
    read_good(files[i].path, &spec);
    assert_string_equal(spec.carried, "");
    assert_true(spec.matcher_count >= 1);
    assert_string_equal(spec.matchers[0].what, files[i].what);
    assert_int_equal(spec.matchers[0].type_count, files[i].types);
    assert_int_equal(spec.matchers[0].dim_count, files[i].dims);
    assert_true(spec.matchers[0].is_understood);
    assert_contains(spec.matchers[0].compilation_info, "#iree_codegen.compilation_info<");
    hone__iree_tuning_spec_release(&spec);
  }
}

/* Of linked modules the last one counts, as iree-compile was seen to do it. */
static void test_reads_linked_modules(void **state)
{
  struct hone__iree_tuning_spec spec;

  (void)state;
  read_good(DATA "spec_linked.mlir", &spec);
  assert_int_equal(spec.matcher_count, 2);
  assert_contains(spec.matchers[0].compilation_info, "distribution = [32, 32, 0]");
  assert_contains(spec.matchers[1].compilation_info, "distribution = [128, 128, 0]");
  hone__iree_tuning_spec_release(&spec);
  read_good(DATA "spec_linked_sparing.mlir", &spec);
  assert_contains(spec.matchers[0].compilation_info, "distribution = [128, 128, 0]");
  hone__iree_tuning_spec_release(&spec);
}

static void test_refuses_what_is_no_spec(void **state)
{
  static const char *const texts[] = {"module {}", "", "module attributes {a} { func.func @f() }",
                                      "module { transform.named_sequence @a("};

  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct hone__iree_tuning_spec spec;
    hone_status status =
        hone__iree_tuning_spec_parse("spec.mlir", texts[i], strlen(texts[i]), &spec);
    assert_non_null(status);
    assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
    hone_status_free(status);
    hone__iree_tuning_spec_release(&spec);
  }
}

/* What IREE ignores or refuses: a text of the file, what stands there instead, and the problem. */
static void test_finds_problems(void **state)
{
  static const struct {
    const char *from, *to, *problem;
  } cases[] = {
      {"\"compilation_info\"", "\"compilatoin_info\"", "did you mean \"compilation_info\"?"},
      {"workgroup = [128", "wrkgroup = [128",
       "unknown key 'wrkgroup' in lowering_config: IREE "
       "ignores it; did you mean 'workgroup'?"},
      {"promote_operands =", "foo = 3, promote_operands =", "unknown key 'foo' in lowering_config"},
      {"workgroup = [128, 128, 0]", "workgroup = [128, 128]",
       "workgroup has 2 entries, but the operation has 3 loops"},
      {"prefetch_num_stages", "prefetch_num_stage", "did you mean 'prefetch_num_stages'?"},
      {"pipeline<TileAndFuse>", "pipeline<TileAndFus>", "did you mean 'TileAndFuse'?"},
      {"workgroup_size", "workgroup_sizes", "did you mean 'workgroup_size'?"},
      {"match.contraction", "match.contractoin",
       "unknown operation 'transform.iree.match.contractoin'; did you mean "
       "'transform.iree.match.contraction'?"},
      {"@__kernel_config(", "@__kernel_confg(", "must be called @__kernel_config"},
      {" attributes {iree_codegen.tuning_spec_entrypoint}", "",
       "has no attribute 'iree_codegen.tuning_spec_entrypoint'"},
      {"-> @apply_op_config", "-> @nope", "its action @nope does not exist"},
      {"        @match_mmt_1024x1280x1280 ->", "        @match ->", "there is no matcher"},
      {"iree_codegen.tuning_spec_with_default_entrypoint, transform.with_named_sequence",
       "iree_codegen.tuning_spec_with_default_entrypoint",
       "the module has no attribute 'transform.with_named_sequence'"},
      {"%k_dims, [1280]", "%k_dims, [1280, 2]", "it never matches: k_dims are 1"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = edited(DATA "spec_gfx942_matmul.mlir", cases[i].from, cases[i].to);
    struct hone__iree_tuning_spec spec;
    parse(text, &spec);
    assert_contains(spec.problems, cases[i].problem);
    hone__iree_tuning_spec_release(&spec);
    free(text);
  }
}

/* ---- Older forms ---- */

static void test_carries_the_published_guide_over(void **state)
{
  struct hone__iree_tuning_spec spec;

  (void)state;
  read_good(DATA "spec_guide.mlir", &spec);
  assert_int_equal(spec.matcher_count, 1);
  assert_true(spec.matchers[0].is_understood && spec.matchers[0].has_new_lines);
  assert_string_equal(spec.matchers[0].what, "contraction");
  assert_contains(spec.matchers[0].lines, "dims_equal %m_dims, [2048] : ");
  assert_contains(spec.matchers[0].lines, "dims_equal %k_dims, [5120] : ");
  assert_contains(spec.matchers[0].compilation_info, "subgroup_basis = [[2, 2, 1], [0, 1, 2]]");
  assert_contains(spec.matchers[0].compilation_info,
                  "pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size");
  assert_contains(spec.matchers[0].compilation_info, "<prefetch_num_stages = 2>");
  assert_lacks(spec.matchers[0].compilation_info, "subgroup_m_count");
  assert_contains(spec.carried, "pipeline LLVMGPUVectorDistribute is");
  hone__iree_tuning_spec_release(&spec);
}

static void test_carries_attention_over(void **state)
{
  struct hone__iree_tuning_spec spec;
  const struct hone__iree_spec_matcher *matcher;

  (void)state;
  read_good(DATA "spec_attention_2025.mlir", &spec);
  matcher = &spec.matchers[0];
  assert_string_equal(matcher->what, "online_attention");
  assert_contains(matcher->lines, "output_type = f32, max_type = f32, sum_type = f32");
  assert_contains(matcher->lines, "(d0, d1, d2)>, affine_map<(d0, d1, d2, d3, d4, d5) -> "
                                  "(d0, d1, d2)>] : ");
  assert_contains(matcher->lines, "dim_is_multiple_of %operand_0[2], 128 : ");
  assert_contains(matcher->lines, "dims_equal %k1_dims, [64] : ");
  assert_lacks(matcher->lines, "dims_equal %m_dims");
  assert_contains(matcher->decomposition_config,
                  "virtual_mma_layout<VMFMA_F32_32x32x16_F16>, promote_operands = [1], "
                  "subgroup_basis = [[1, 1, 4, 1, 1, 1], [0, 1, 2, 4, 5]]");
  assert_lacks(matcher->decomposition_config, "attention_qk_matmul");
  hone__iree_tuning_spec_release(&spec);
}

static void test_reports_missing_counterparts(void **state)
{
  char *text = edited(DATA "spec_guide.mlir", "LLVMGPUVectorDistribute", "LLVMGPUMatmulSimt");
  struct hone__iree_tuning_spec spec;

  (void)state;
  parse(text, &spec);
  assert_contains(spec.problems, "pipeline LLVMGPUMatmulSimt is of an older version");
  hone__iree_tuning_spec_release(&spec);
  free(text);
  text = edited(DATA "spec_cpu_matmul.mlir", "#iree_cpu.pipeline<DoubleTilingExpert>",
                "CPUDoubleTilingExpert");
  parse(text, &spec);
  assert_string_equal(spec.problems, "");
  assert_true(spec.matchers[0].is_carried && !spec.matchers[0].has_new_lines);
  assert_contains(spec.matchers[0].compilation_info,
                  "pipeline = #iree_cpu.pipeline<DoubleTilingExpert>");
  hone__iree_tuning_spec_release(&spec);
  free(text);
}

/* ---- Matching ---- */

static void test_reports_differences(void **state)
{
  static const struct {
    const char *from, *to, *why;
  } cases[] = {{"%n_dims, [1280]", "%n_dims, [512]", "n is 1280, the spec says 512"},
               {"lhs_type = f16", "lhs_type = bf16", "lhs_type is f16, the spec says bf16"},
               {"(d1, d2)>", "(d2, d1)>", "its indexing maps differ (operand 1)"},
               {"%batch_dims, []", "%batch_dims, [2]", "batch is none, the spec says 2"}};
  struct subject subject;

  (void)state;
  open_subject(&subject, DATA "problems/mm_1024x1280x1280_f16.mlir");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = edited(DATA "spec_gfx942_matmul.mlir", cases[i].from, cases[i].to);
    struct hone__iree_tuning_spec spec;
    struct hone__text why = {0};
    parse(text, &spec);
    assert_false(hone__iree_spec_matcher_hits(&spec.matchers[0], &subject.operation, &why));
    assert_string_equal(why.data, cases[i].why);
    hone__text_release(&why);
    hone__iree_tuning_spec_release(&spec);
    free(text);
  }
  close_subject(&subject);
}

static void test_kind_and_mask_differ(void **state)
{
  struct hone__iree_tuning_spec spec;
  struct subject subject;
  struct hone__text why = {0};

  (void)state;
  read_good(DATA "spec_gfx942_conv.mlir", &spec);
  open_subject(&subject, DATA "problems/mm_1024x1280x1280_f16.mlir");
  assert_false(hone__iree_spec_matcher_hits(&spec.matchers[0], &subject.operation, &why));
  assert_string_equal(why.data, "it is contraction, the spec says convolution");
  hone__text_release(&why);
  close_subject(&subject);
  hone__iree_tuning_spec_release(&spec);
}

/* Pairs of texts in place of "%m_dims, [1024]": whether they overlap, and the first covers. */
static void test_overlap(void **state)
{
  static const char line[] =
      "    transform.iree.match.dims_equal %m_dims, [1024] : !transform.param<i64>\n";
  static const struct {
    const char *first, *second;
    bool overlap, covers;
  } cases[] = {
      {line, line, true, true},
      {"", line, true, true},
      {line, "", true, false},
      {line, "    transform.iree.match.dims_equal %m_dims, [512] : !transform.param<i64>\n", false,
       false},
      {"    %x = transform.get_operand %arg0[0] : (!transform.any_op) -> !transform.any_value\n"
       "    transform.iree.match.dim_is_multiple_of %x[0], 16 : !transform.any_value\n",
       "    %x = transform.get_operand %arg0[0] : (!transform.any_op) -> !transform.any_value\n"
       "    transform.iree.match.cast_compatible_type %x = tensor<40x?xf16> : "
       "!transform.any_value\n",
       false, false},
      {"    %x = transform.get_operand %arg0[0] : (!transform.any_op) -> !transform.any_value\n"
       "    transform.iree.match.dim_bounds %x[0], umin = 8, none : !transform.any_value\n",
       "    %x = transform.get_operand %arg0[0] : (!transform.any_op) -> !transform.any_value\n"
       "    transform.iree.match.dim_bounds %x[0], umin = 16, umax = 64 : !transform.any_value\n",
       true, true},
      {"    transform.match.structured.rank %arg0 : (!transform.any_op) -> !transform.param<i64>\n",
       line, true, false},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *a = edited(DATA "spec_gfx942_matmul.mlir", line, cases[i].first);
    char *b = edited(DATA "spec_gfx942_matmul.mlir", line, cases[i].second);
    struct hone__iree_tuning_spec first, second;
    parse(a, &first);
    parse(b, &second);
    assert_int_equal(hone__iree_spec_matchers_overlap(&first.matchers[0], &second.matchers[0]),
                     cases[i].overlap);
    assert_int_equal(hone__iree_spec_matcher_covers(&first.matchers[0], &second.matchers[0]),
                     cases[i].covers);
    hone__iree_tuning_spec_release(&first);
    hone__iree_tuning_spec_release(&second);
    free(a);
    free(b);
  }
}

/* ---- Merging ---- */

static struct hone_iree_merged *merge(const char *const *files, size_t count, const char *starter)
{
  struct hone_iree_merge_options options;
  struct hone_iree_merged *merged = NULL;
  hone_status status;

  hone_iree_merge_options_init(&options);
  options.files = files;
  options.count = count;
  options.starter = starter;
  status = hone_iree_merge(&options, &merged);
  if (status) fail_msg("%s", hone_status_message(status));
  return merged;
}

static void test_merges(void **state)
{
  static const char *const files[] = {DATA "spec_gfx942_matmul.mlir", DATA "spec_guide.mlir",
                                      DATA "spec_gfx942_attention.mlir",
                                      DATA "spec_gfx942_conv.mlir", DATA "spec_linked.mlir"};
  struct hone_iree_merged *merged;
  struct hone__iree_tuning_spec spec;

  (void)state;
  merged = merge(files, 5, DATA "spec_cuda_matmul.mlir");
  parse(hone_iree_merged_text(merged), &spec);
  assert_string_equal(spec.problems, "");
  assert_string_equal(spec.carried, "");
  assert_int_equal(spec.matcher_count, hone_iree_merged_matcher_count(merged));
  assert_contains(spec.matchers[0].compilation_info, "MFMA_F32_16x16x16_F16");
  assert_contains(hone_iree_merged_notes(merged), "'" DATA "spec_cuda_matmul.mlir' is skipped");
  assert_contains(hone_iree_merged_notes(merged),
                  "'" DATA "spec_linked.mlir': @match_matmul_512x512x512 is dropped");
  assert_contains(hone_iree_merged_notes(merged), "pipeline LLVMGPUVectorDistribute is");
  assert_lacks(hone_iree_merged_text(merged), "#config");
  assert_lacks(hone_iree_merged_text(merged), "module @");
  hone__iree_tuning_spec_release(&spec);
  hone_iree_merged_free(merged);
}

/* The same name for different operations: both stay. */
static void test_merge_goes_by_what_is_matched(void **state)
{
  char path[] = "/tmp/hone_spec_XXXXXX";
  char *text = edited(DATA "spec_cpu_matmul.mlir", "%m_dims, [512]", "%m_dims, [64]");
  const char *files[] = {DATA "spec_cpu_matmul.mlir", path};
  struct hone_iree_merged *merged;
  int file = mkstemp(path);

  (void)state;
  assert_int_not_equal(file, -1);
  assert_int_equal(write(file, text, strlen(text)), (int)strlen(text));
  close(file);
  merged = merge(files, 2, NULL);
  assert_int_equal(hone_iree_merged_matcher_count(merged), 2);
  assert_string_equal(hone_iree_merged_notes(merged), "");
  assert_contains(hone_iree_merged_text(merged),
                  "@match_matmul_512x512x512 -> @apply_op_config,\n");
  assert_contains(hone_iree_merged_text(merged),
                  "@match_matmul_512x512x512_0 -> @apply_op_config\n");
  hone_iree_merged_free(merged);
  unlink(path);
  free(text);
}

static void write_temporary(char *path, const char *text)
{
  int file = mkstemp(path);

  assert_int_not_equal(file, -1);
  assert_int_equal(write(file, text, strlen(text)), (int)strlen(text));
  close(file);
}

/* The pass of batch 1 is kept for all, or another is refused; neither is dropped in silence. */
static void test_merge_keeps_or_refuses_passes(void **state)
{
  char path[] = "/tmp/hone_spec_XXXXXX", other[] = "/tmp/hone_spec_XXXXXX";
  char *text = spec_of_convolution("1", "#x<y = #iree_cpu.lowering_config<>>");
  const char *files[] = {DATA "spec_cpu_matmul.mlir", path}, *refused[] = {other};
  char *name = strstr(text, "iree-codegen-insert-batch");
  struct hone_iree_merge_options options;
  struct hone_iree_merged *merged;
  struct hone__iree_tuning_spec spec;
  hone_status status;

  (void)state;
  write_temporary(path, text);
  memcpy(name, "iree-codegen-another-pass", strlen("iree-codegen-another-pass"));
  write_temporary(other, text);
  hone_iree_merge_options_init(&options);
  options.iree_dir = "/nonexistent"; /* the texts are not for iree-opt */
  options.files = files;
  options.count = 2;
  assert_null(hone_iree_merge(&options, &merged));
  assert_int_equal(hone_iree_merged_matcher_count(merged), 2);
  assert_contains(hone_iree_merged_text(merged), BATCH_PASS);
  assert_lacks(hone_iree_merged_text(merged), "tuning_spec_with_default_entrypoint");
  parse(hone_iree_merged_text(merged), &spec);
  assert_true(spec.inserts_batch);
  hone__iree_tuning_spec_release(&spec);
  hone_iree_merged_free(merged);
  options.files = refused;
  options.count = 1;
  status = hone_iree_merge(&options, &merged);
  assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
  assert_contains(hone_status_message(status), "runs the pass 'iree-codegen-another-pass");
  hone_status_free(status);
  unlink(path);
  unlink(other);
  free(text);
}

static void test_merging_one_or_none(void **state)
{
  const char *files[] = {DATA "spec_cpu_matmul.mlir"}, *absent[] = {DATA "absent.mlir"};
  struct hone_iree_merge_options options;
  struct hone_iree_merged *merged;
  hone_status status;

  (void)state;
  merged = merge(files, 1, NULL);
  assert_int_equal(hone_iree_merged_matcher_count(merged), 1);
  hone_iree_merged_free(merged);
  merged = merge(NULL, 0, NULL);
  assert_int_equal(hone_iree_merged_matcher_count(merged), 0);
  assert_contains(hone_iree_merged_text(merged), "transform.yield %arg0 : !transform.any_op");
  hone_iree_merged_free(merged);
  hone_iree_merge_options_init(&options);
  options.files = absent;
  options.count = 1;
  status = hone_iree_merge(&options, &merged);
  assert_non_null(status);
  assert_null(merged);
  assert_contains(hone_status_message(status), "absent.mlir");
  hone_status_free(status);
}

/* ---- With the compiler: what is written is applied ---- */

static bool has_compiler(void)
{
  struct hone__iree_toolset toolset;
  bool is_there;

  hone__iree_toolset_find(NULL, &toolset);
  is_there = toolset.paths[HONE__IREE_COMPILE] != NULL;
  hone__iree_toolset_release(&toolset);
  if (!is_there) print_message("IREE is not here (HONE_IREE): skipped\n");
  return is_there;
}

static void write_spec(const char *path, const char *info, const char *decomposition, char *out)
{
  char *matcher = matcher_of(path);
  const struct hone__iree_tuning_entry entry = {"x", matcher, info, decomposition};
  struct hone__text text = {0};
  int file = mkstemp(out);

  assert_int_not_equal(file, -1);
  hone__iree_tuning_spec_print(&entry, 1, &text);
  assert_int_equal(write(file, text.data, text.length), (int)text.length);
  close(file);
  hone__text_release(&text);
  free(matcher);
}

/* The only matcher has one hit, and the configuration is there. */
static void prove(const char *spec, const char *model, const char *target)
{
  const struct hone_iree_options options = {.target = target};
  struct hone_iree_verification *found = NULL;
  const struct hone_iree_spec_use *use;
  hone_status status = hone_iree_verify(spec, model, &options, &found);

  if (status) fail_msg("%s: %s", model, hone_status_message(status));
  use = hone_iree_verification_use(found, 0);
  if (!hone_iree_verification_is_good(found))
    fail_msg("%s, %s: %s%s%s%s", model, target ? target : "",
             hone_iree_verification_problems(found), hone_iree_verification_refusal(found),
             hone_iree_spec_use_why_none(use),
             hone_iree_spec_use_hit_count(use)
                 ? hone_iree_spec_hit_why_not(hone_iree_spec_use_hit(use, 0))
                 : "");
  assert_int_equal(hone_iree_verification_use_count(found), 1);
  assert_int_equal(hone_iree_spec_use_hit_count(use), 1);
  hone_iree_verification_free(found);
}

/* The compiler's own configuration, as a spec, on the stripped dump. */
static void test_specs_of_dumps_apply(void **state)
{
  static const char *const dumps[] = {
      DATA "dumps/matmul_cpu.mlir",       DATA "dumps/matmul_gfx942.mlir",
      DATA "dumps/attention_gfx942.mlir", DATA "dumps/conv_sm80.mlir",
      DATA "dumps/depthwise_cpu.mlir",    DATA "dumps/elementwise_cpu.mlir",
      DATA "dumps/softmax_cpu.mlir"};

  (void)state;
  if (!has_compiler()) skip();
  for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
    char path[] = "/tmp/hone_spec_XXXXXX";
    struct hone__iree_dispatch dispatch;
    struct hone__mlir mlir;
    assert_null(hone__mlir_read(&mlir, dumps[i]));
    assert_null(hone__iree_dispatch_prepare(&mlir, 0, NULL, &dispatch));
    write_spec(dumps[i], dispatch.choice, dispatch.choice_decomposition, path);
    prove(path, dumps[i], NULL);
    hone__iree_dispatch_release(&dispatch);
    hone__mlir_release(&mlir);
    unlink(path);
  }
}

#define GPU(size, lists)                                                                           \
  "#iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<{" lists             \
  "}>, translation_info = <pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [64, 1, "   \
  "1] "                                                                                            \
  "subgroup_size = " size ">>"
#define CPU(lists)                                                                                 \
  "#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<" lists              \
  ">, translation_info = <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>"

static void test_specs_of_functions_apply(void **state)
{
  static const struct {
    const char *path, *target, *info;
  } cases[] = {
      {DATA "problems/mm_5369x112x112_f16.mlir", "llvm-cpu",
       CPU("distribution = [64, 16, 0], vector_common_parallel = [8, 16, 0], vector_reduction = "
           "[0, 0, 16]")},
      {DATA "problems/mm_5369x112x112_f16.mlir", "gfx942",
       GPU("64", "workgroup = [64, 16, 0], reduction = [0, 0, 16]")},
      {DATA "problems/mm_5369x112x112_f16.mlir", "sm_80",
       GPU("32", "workgroup = [64, 16, 0], reduction = [0, 0, 16]")},
      {DATA "problems/bmm_16x1024x64x1024_f16.mlir", "llvm-cpu",
       CPU("distribution = [1, 64, 64, 0], vector_common_parallel = [1, 8, 16, 0], "
           "vector_reduction = [0, 0, 0, 16]")},
      {DATA "problems/bmm_16x1024x64x1024_f16.mlir", "sm_80",
       GPU("32", "workgroup = [1, 64, 16, 0], reduction = [0, 0, 0, 16]")},
      {DATA "problems/conv_2x34x34x16_3x3_32_f16.mlir", "llvm-cpu",
       CPU("distribution = [1, 8, 8, 16, 0, 0, 0]")},
      {DATA "problems/conv_2x34x34x16_3x3_32_f16.mlir", "gfx942",
       GPU("64", "workgroup = [1, 1, 32, 32, 0, 0, 0], reduction = [0, 0, 0, 0, 1, 1, 16]")},
      {DATA "problems/convnchw_2x64x34x34_32x64x3x3_f16.mlir", "gfx942",
       GPU("64", "workgroup = [1, 32, 1, 32, 0, 0, 0], reduction = [0, 0, 0, 0, 16, 1, 1]")},
      {DATA "problems/convnchw_2x64x34x34_32x64x3x3_f16.mlir", "sm_80",
       GPU("32", "workgroup = [1, 32, 1, 32, 0, 0, 0], reduction = [0, 0, 0, 0, 16, 1, 1]")},
  };

  (void)state;
  if (!has_compiler()) skip();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[] = "/tmp/hone_spec_XXXXXX";
    write_spec(cases[i].path, cases[i].info, NULL, path);
    prove(path, cases[i].path, cases[i].target);
    unlink(path);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_writes_a_contraction),
      cmocka_unit_test(test_writes_sizes_as_they_are),
      cmocka_unit_test(test_writes_batches),
      cmocka_unit_test(test_writes_a_convolution),
      cmocka_unit_test(test_writes_online_attention),
      cmocka_unit_test(test_writes_masked_attention_by_its_operands),
      cmocka_unit_test(test_writes_a_pattern),
      cmocka_unit_test(test_writes_loops_and_operands_of_open_bodies),
      cmocka_unit_test(test_prints_a_module),
      cmocka_unit_test(test_prints_fused_operations),
      cmocka_unit_test(test_batch_1_runs_the_pass_before_its_matchers),
      cmocka_unit_test(test_reads_what_it_writes),
      cmocka_unit_test(test_reads_the_files_that_iree_applies),
      cmocka_unit_test(test_reads_linked_modules),
      cmocka_unit_test(test_refuses_what_is_no_spec),
      cmocka_unit_test(test_finds_problems),
      cmocka_unit_test(test_carries_the_published_guide_over),
      cmocka_unit_test(test_carries_attention_over),
      cmocka_unit_test(test_reports_missing_counterparts),
      cmocka_unit_test(test_reports_differences),
      cmocka_unit_test(test_kind_and_mask_differ),
      cmocka_unit_test(test_overlap),
      cmocka_unit_test(test_merges),
      cmocka_unit_test(test_merge_goes_by_what_is_matched),
      cmocka_unit_test(test_merge_keeps_or_refuses_passes),
      cmocka_unit_test(test_merging_one_or_none),
      cmocka_unit_test(test_specs_of_dumps_apply),
      cmocka_unit_test(test_specs_of_functions_apply),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
