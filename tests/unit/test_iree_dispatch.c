/* Dumped dispatches: read, stripped, filled; and whether a configuration was applied. Where IREE is
 * at hand, its own tools read what was written, and a dispatch computes what it should. */
#include "base/npy.h"
#include "folder.h"
#include "iree/dispatch/dispatch.h"
#include "iree/dispatch/dispatch_element.h"
#include "iree/toolset/toolset.h"

#include <math.h>
#include <unistd.h>

static const char data[] = "tests/data/iree/dumps/";
static struct hone__iree_toolset tools;

/* ---- Dispatches ---- */

struct prepared {
  struct hone__mlir mlir;
  struct hone__iree_dispatch dispatch;
};

static void succeed(hone_status status)
{
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
}

static void prepare(struct prepared *prepared, const char *path, const char *arch)
{
  *prepared = (struct prepared){0};
  succeed(hone__mlir_read(&prepared->mlir, path));
  succeed(hone__iree_dispatch_prepare(&prepared->mlir, 42, arch, &prepared->dispatch));
}

static void prepare_dump(struct prepared *prepared, const char *name, const char *arch)
{
  char path[128];

  snprintf(path, sizeof path, "%s%s", data, name);
  prepare(prepared, path, arch);
}

/* Replaces one text in a dump. */
static void prepare_changed(struct prepared *prepared, const char *name, const char *from,
                            const char *to)
{
  struct hone__mlir whole = {0};
  struct hone__text text = {0};
  char path[128];
  const char *at;

  snprintf(path, sizeof path, "%s%s", data, name);
  succeed(hone__mlir_read(&whole, path));
  at = strstr(whole.text, from);
  assert_non_null(at);
  hone__text_addn(&text, whole.text, (size_t)(at - whole.text));
  hone__text_add(&text, to);
  hone__text_add(&text, at + strlen(from));
  *prepared = (struct prepared){0};
  succeed(hone__mlir_parse(&prepared->mlir, "changed.mlir", text.data, text.length));
  succeed(hone__iree_dispatch_prepare(&prepared->mlir, 42, NULL, &prepared->dispatch));
  hone__text_release(&text);
  hone__mlir_release(&whole);
}

static void release(struct prepared *prepared)
{
  hone__iree_dispatch_release(&prepared->dispatch);
  hone__mlir_release(&prepared->mlir);
}

static size_t count_of(const char *text, const char *words)
{
  size_t count = 0;

  for (; (text = strstr(text, words)) != NULL; text++)
    count++;
  return count;
}

static void expect_binding(const struct prepared *prepared, size_t number, size_t offset,
                           size_t size, const char *element, bool is_written)
{
  const struct hone__iree_binding *binding = &prepared->dispatch.bindings[number];

  assert_true(number < prepared->dispatch.binding_count);
  assert_int_equal(binding->offset, offset);
  assert_int_equal(binding->size, size);
  assert_string_equal(binding->element, element);
  assert_int_equal(binding->is_written, is_written);
  assert_int_equal(binding->is_read, !is_written);
}

/* ---- Reading ---- */

static void test_cpu(void **state)
{
  struct prepared p;

  (void)state;
  prepare_dump(&p, "matmul_cpu.mlir", NULL);
  assert_string_equal(p.dispatch.executable, "main_dispatch_0");
  assert_string_equal(
      p.dispatch.benchmark,
      "main_dispatch_0_embedded_elf_x86_64_main_dispatch_0_matmul_256x2048x512_f32");
  assert_string_equal(p.dispatch.answer, "hone_answer");
  assert_null(p.dispatch.why_unchecked);
  assert_int_equal(p.dispatch.buffer_size, 6815744);
  assert_int_equal(p.dispatch.binding_count, 3);
  expect_binding(&p, 0, 0, 524288, "f32", false);
  expect_binding(&p, 1, 524288, 4194304, "f32", false);
  expect_binding(&p, 2, 4718592, 2097152, "f32", true);
  assert_string_equal(
      p.dispatch.choice,
      "#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<distribution = "
      "[64, 64, 0], vector_common_parallel = [8, 16, 0], vector_reduction = [0, 0, 16]>, "
      "translation_info = <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>");
  assert_null(p.dispatch.choice_decomposition);
  release(&p);
}

static void test_stripped(void **state)
{
  static const char *const dumps[] = {"matmul_cpu.mlir", "matmul_gfx942.mlir",
                                      "attention_gfx942.mlir", "conv_sm80.mlir"};
  struct prepared p;

  (void)state;
  for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
    const char *text;
    prepare_dump(&p, dumps[i], NULL);
    text = p.dispatch.text.data;
    assert_null(strstr(text, "lowering_config"));
    assert_null(strstr(text, "translation_info"));
    assert_null(strstr(text, "decomposition_config"));
    assert_int_equal(count_of(text, "root_op = #iree_codegen.root_op<set = 0>"), 1);
    assert_int_equal(count_of(text, "util.func public @hone_answer()"), 1);
    assert_int_equal(count_of(text, "util.func private @hone_fill("), 1);
    assert_int_equal(count_of(text, "util.call @hone_fill("), 2);
    release(&p);
  }
}

static void test_attention(void **state)
{
  struct prepared p;

  (void)state;
  prepare_dump(&p, "attention_gfx942.mlir", NULL);
  assert_int_equal(p.dispatch.binding_count, 4);
  expect_binding(&p, 3, 15728640, 10485760, "f16", true);
  assert_non_null(strstr(p.dispatch.choice, "#iree_gpu.pipeline<VectorDistribute> workgroup_size"));
  assert_non_null(p.dispatch.choice_decomposition);
  assert_non_null(strstr(p.dispatch.choice_decomposition, "{pv_attrs = {lowering_config"));
  assert_int_equal(count_of(p.dispatch.text.data, "util.buffer.constant"), 1); /* all are f16 */
  release(&p);
}

static void test_another_arch(void **state)
{
  struct prepared p;

  (void)state;
  prepare_dump(&p, "conv_sm80.mlir", "sm_90");
  assert_null(strstr(p.dispatch.text.data, "sm_80"));
  assert_int_equal(count_of(p.dispatch.text.data, "arch = \"sm_90\", features = \"+ptx80\""), 2);
  release(&p);
}

/* ---- What is not as usual ---- */

static void test_two_arrays_in_a_binding(void **state)
{
  struct prepared p;

  (void)state;
  prepare_changed(&p, "matmul_cpu.mlir", "          %3 = iree_codegen.load_from_buffer",
                  "          %c64 = arith.constant 64 : index\n"
                  "          %x1 = hal.interface.binding.subspan layout(<bindings = "
                  "[#hal.pipeline.binding<storage_buffer, \"ReadOnly|Indirect\">], flags = "
                  "Indirect>) binding(0) alignment(64) offset(%c64) flags(\"ReadOnly|Indirect\") : "
                  "!iree_tensor_ext.dispatch.tensor<readonly:tensor<16xi8>>\n"
                  "          %3 = iree_codegen.load_from_buffer");
  assert_int_equal(p.dispatch.binding_count, 4);
  expect_binding(&p, 0, 0, 64, "f32", false);
  expect_binding(&p, 1, 64, 524288 - 64, "i8", false);
  expect_binding(&p, 2, 524288, 4194304, "f32", false);
  release(&p);
}

static void expect_unchecked(const char *from, const char *to, const char *why)
{
  struct prepared p;

  prepare_changed(&p, "matmul_cpu.mlir", from, to);
  assert_null(p.dispatch.answer);
  assert_string_equal(p.dispatch.why_unchecked, why);
  assert_null(strstr(p.dispatch.text.data, "hone_"));
  assert_null(strstr(p.dispatch.text.data, "lowering_config"));
  release(&p);
}

static void test_not_understood(void **state)
{
  (void)state;
  expect_unchecked("hal.command_buffer.dispatch<", "hal.command_buffer.dance<",
                   "its function dispatches nothing");
  expect_unchecked("util.global.store %buffer", "util.global.keep %buffer",
                   "nothing allocates its buffer");
  expect_unchecked("!hal.buffer{%c6815744}", "!hal.buffer{%elsewhere}",
                   "the size of its buffer is not known");
  expect_unchecked("[%c4718592, %c2097152]", "[%c4718592, %size]",
                   "its bindings are not constant pieces of one buffer");
  expect_unchecked("[%c4718592, %c2097152]", "[%c4718592, %c4194304]",
                   "its bindings are not constant pieces of one buffer");
  expect_unchecked("function(@main_dispatch_0::", "function(@other::",
                   "the kernel that it dispatches is not found in the file");
}

static void expect_refused(const char *text, const char *words)
{
  struct hone__mlir mlir = {0};
  struct hone__iree_dispatch dispatch;
  hone_status status;

  succeed(hone__mlir_parse(&mlir, "x.mlir", text, strlen(text)));
  status = hone__iree_dispatch_prepare(&mlir, 42, NULL, &dispatch);
  assert_non_null(status);
  assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
  assert_non_null(strstr(hone_status_message(status), words));
  hone_status_free(status);
  hone__iree_dispatch_release(&dispatch);
  hone__mlir_release(&mlir);
}

static void test_refused(void **state)
{
  struct prepared p;

  (void)state;
  expect_refused("func.func @f() { return }\n", "not a dump of a dispatch");
  expect_refused("", "not a dump of a dispatch");
  prepare_dump(&p, "matmul_cpu.mlir", NULL);
  expect_refused(p.dispatch.text.data, "is already prepared");
  release(&p);
}

/* ---- Values ---- */

static void test_elements(void **state)
{
  static const char *const names[] = {"f32",        "f16",   "bf16",     "f64", "f8E4M3FN",
                                      "f8E4M3FNUZ", "i1",    "i4",       "i8",  "i32",
                                      "i64",        "index", "f4E2M1FN", "what"};

  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const struct hone__iree_element *element = hone__iree_element(names[i]);
    size_t size = hone__iree_element_block(element), count, positive = 0;
    unsigned char *one = hone__alloc(size), *two = hone__alloc(size);
    assert_true(size % 4 == 0 && size % hone__element_size(element->element) == 0);
    count = size / hone__element_size(element->element);
    hone__iree_element_fill(element, 1, one);
    hone__iree_element_fill(element, 1, two);
    assert_memory_equal(one, two, size);
    hone__iree_element_fill(element, 2, two);
    assert_int_not_equal(memcmp(one, two, size), 0);
    for (size_t k = 0; k < count; k++) {
      double value = hone__element_get(element->element, one, k);
      assert_true(isfinite(value));
      positive += value > 0;
      if (element->has_no_minus_zero) assert_int_not_equal(one[k], 0x80);
      if (strcmp(names[i], "i32") == 0) assert_true(value >= 0);
    }
    assert_true(positive > count / 5);
    free(one);
    free(two);
  }
}

/* ---- Configurations ---- */

static void expect_applied(const char *dump, const char *info, const char *decomposition,
                           const char *why_not)
{
  struct hone__mlir mlir = {0};
  struct hone__text why = {0};
  char path[128];
  bool applied;

  snprintf(path, sizeof path, "%s%s", data, dump);
  succeed(hone__mlir_read(&mlir, path));
  applied = hone__iree_is_applied(&mlir, info, decomposition, &why);
  if (applied != !why_not || (why_not && !strstr(why.data ? why.data : "", why_not)))
    print_message("%s\n", why.data ? why.data : "applied");
  assert_int_equal(applied, !why_not);
  if (why_not) assert_non_null(strstr(why.data, why_not));
  hone__text_release(&why);
  hone__mlir_release(&mlir);
}

#define CPU(lowering, translation)                                                                 \
  "#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<" lowering           \
  ">, translation_info = <" translation ">>"
#define GPU(lowering, translation)                                                                 \
  "#iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<{" lowering          \
  "}>, translation_info = <" translation ">>"

static void test_applied_on_cpu(void **state)
{
  static const char right[] = "distribution = [64, 64, 0], vector_common_parallel = [8, 16, 0], "
                              "vector_reduction = [0, 0, 16]",
                    expert[] = "pipeline = #iree_cpu.pipeline<DoubleTilingExpert>";
  char text[1024];

  (void)state;
  snprintf(text, sizeof text, CPU("%s", "%s"), right, expert);
  expect_applied("matmul_cpu.mlir", text, NULL, NULL);
  snprintf(text, sizeof text, CPU("%s", "%s"), right, expert);
  expect_applied("matmul_cpu.mlir", text, "", NULL);
  expect_applied("matmul_cpu.mlir",
                 CPU("vector_reduction = [0, 0, 16], distribution = [64, 64, 0]",
                     "pipeline = #iree_cpu.pipeline<DoubleTilingExpert>"),
                 NULL, NULL);
  expect_applied(
      "matmul_cpu.mlir",
      CPU("distribution = [128, 64, 0]", "pipeline = #iree_cpu.pipeline<DoubleTilingExpert>"), NULL,
      "distribution should be [128, 64, 0] and is [64, 64, 0]");
  expect_applied(
      "matmul_cpu.mlir",
      CPU("cache_parallel = [64, 64, 0]", "pipeline = #iree_cpu.pipeline<DoubleTilingExpert>"),
      NULL, "cache_parallel should be [64, 64, 0] and is nothing");
  expect_applied("matmul_cpu.mlir",
                 CPU("distribution = [64, 64, 0]", "pipeline = #iree_cpu.pipeline<Default>"), NULL,
                 "pipeline should be");
  expect_applied("matmul_cpu.mlir",
                 CPU("distribution = [64, 64, 0]",
                     "pipeline = #iree_cpu.pipeline<DoubleTilingExpert>, {enable_loop_peeling}"),
                 NULL, "translation_info should be");
  expect_applied("matmul_cpu.mlir",
                 GPU("workgroup = [64, 64, 0]", "pipeline = #iree_gpu.pipeline<TileAndFuse>"), NULL,
                 "lowering_config should be");
  expect_applied("matmul_cpu.mlir", "#iree_codegen.compilation_info<", NULL, "not understood");
}

static void test_applied_on_gpu(void **state)
{
  static const char lowering[] = "mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, "
                                 "promote_operands = [0, 1], reduction "
                                 "= [0, 0, 8], subgroup = [2, 4, 0], workgroup = [64, 128, 0]";
  char text[2048];

  (void)state;
  /* The compiler adds options that nobody asked for. */
  snprintf(text, sizeof text,
           GPU("%s", "pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [256, 1, 1] "
                     "subgroup_size = 64, {gpu_pipeline_options = "
                     "#iree_gpu.pipeline_options<prefetch_num_stages = 2>}"),
           lowering);
  expect_applied("matmul_gfx942.mlir", text, NULL, NULL);
  snprintf(text, sizeof text,
           GPU("%s", "pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [256, 1, 1] "
                     "subgroup_size = 64, {gpu_pipeline_options = "
                     "#iree_gpu.pipeline_options<prefetch_num_stages = 3>}"),
           lowering);
  expect_applied("matmul_gfx942.mlir", text, NULL, "prefetch_num_stages should be 3 and is 2");
  snprintf(text, sizeof text,
           GPU("%s", "pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [128, 1, 1] "
                     "subgroup_size = 64"),
           lowering);
  expect_applied("matmul_gfx942.mlir", text, NULL, "workgroup_size should be [128, 1, 1]");
  expect_applied("matmul_gfx942.mlir",
                 GPU("mma_kind = #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>",
                     "pipeline = #iree_gpu.pipeline<TileAndFuse>"),
                 NULL, "mma_kind should be");
}

static void test_applied_to_attention(void **state)
{
  struct prepared p;
  char *other, *at;

  (void)state;
  prepare_dump(&p, "attention_gfx942.mlir", NULL);
  expect_applied("attention_gfx942.mlir", p.dispatch.choice, p.dispatch.choice_decomposition, NULL);
  other = strdup(p.dispatch.choice_decomposition);
  at = strstr(other, "subgroup_basis = [[1, 4");
  assert_non_null(at);
  at[strlen("subgroup_basis = [[1, ")] = '2';
  expect_applied("attention_gfx942.mlir", p.dispatch.choice, other, "subgroup_basis should be");
  free(other);
  release(&p);
}

/* A benchmark that was not stripped keeps its old configuration beside the wanted one. */
static void test_not_stripped(void **state)
{
  static const char text[] =
      "func.func @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = "
      "#iree_cpu.pipeline<DoubleTilingExpert>>} {\n"
      "  %0 = linalg.matmul {compilation_info = #iree_codegen.compilation_info<lowering_config = "
      "#iree_cpu.lowering_config<distribution = [8, 8, 0]>, translation_info = <pipeline = "
      "#iree_cpu.pipeline<DoubleTilingExpert>>>, lowering_config = "
      "#iree_cpu.lowering_config<distribution = [64, 64, 0]>, root_op = #iree_codegen.root_op<set "
      "= 0>} ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> "
      "tensor<4x4xf32>\n  return\n}\n";
  struct hone__mlir mlir = {0};
  struct hone__text why = {0};

  (void)state;
  succeed(hone__mlir_parse(&mlir, "x.mlir", text, strlen(text)));
  assert_false(hone__iree_is_applied(
      &mlir, CPU("distribution = [8, 8, 0]", "pipeline = #iree_cpu.pipeline<DoubleTilingExpert>"),
      NULL, &why));
  assert_non_null(strstr(why.data, "already had a configuration"));
  hone__text_release(&why);
  hone__mlir_release(&mlir);
}

/* ---- With IREE ---- */

static void need(enum hone__iree_tool tool)
{
  if (tools.paths[tool]) return;
  print_message("IREE is not here (HONE_IREE): skipped\n");
  skip();
}

static void run(enum hone__iree_tool tool, const char *const *words, struct hone__text *out)
{
  succeed(hone__iree_run(&tools, tool, words, folder, 120, out));
}

/* iree-opt verifies all of it. */
static void test_iree_reads_it(void **state)
{
  static const char *const dumps[] = {"matmul_cpu.mlir", "matmul_gfx942.mlir",
                                      "attention_gfx942.mlir", "conv_sm80.mlir"};
  struct prepared p;

  (void)state;
  need(HONE__IREE_OPT);
  for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
    prepare_dump(&p, dumps[i], NULL);
    write_file("d.mlir", p.dispatch.text.data, p.dispatch.text.length);
    run(HONE__IREE_OPT, (const char *const[]){"d.mlir", "-o", "checked.mlir", NULL}, NULL);
    release(&p);
  }
}

static const char model[] =
    "func.func @mm(%a: tensor<24x40xf32>, %b: tensor<40x56xf32>) -> tensor<24x56xf32> {\n"
    "  %z = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<24x56xf32>\n"
    "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24x56xf32>) -> tensor<24x56xf32>\n"
    "  %c = linalg.matmul ins(%a, %b : tensor<24x40xf32>, tensor<40x56xf32>) outs(%f : "
    "tensor<24x56xf32>) -> tensor<24x56xf32>\n"
    "  return %c : tensor<24x56xf32>\n}\n";

static float *read_answer(const char *name, char **out_bytes)
{
  FILE *file = fopen(path_of(name), "r");
  struct hone__npy npy;
  size_t size;

  assert_non_null(file);
  *out_bytes = hone__alloc(1 << 20);
  size = fread(*out_bytes, 1, 1 << 20, file);
  fclose(file);
  succeed(hone__npy_parse(*out_bytes, size, &npy));
  return (float *)(void *)(*out_bytes + npy.offset);
}

/* Offsets are multiples of 64, as all of these sizes are. */
static void expect_product(const struct hone__iree_dispatch *dispatch, const char *answer)
{
  char *bytes;
  float *all = read_answer(answer, &bytes), *a = all + dispatch->bindings[0].offset / 4,
        *b = all + dispatch->bindings[1].offset / 4, *c = all + dispatch->bindings[2].offset / 4;

  for (size_t i = 0; i < 24; i++)
    for (size_t j = 0; j < 56; j++) {
      double sum = 0;
      for (size_t k = 0; k < 40; k++)
        sum += (double)a[i * 40 + k] * (double)b[k * 56 + j];
      assert_true(fabs(sum - (double)c[i * 56 + j]) < 1e-4);
    }
  assert_true(fabsf(a[0]) > 0 && a[0] != a[1] && a[0] != b[0]);
  free(bytes);
}

/* Compiled for any x86-64, so that it runs here. */
static void test_answer(void **state)
{
  static const char dump[] = "dump/module_mm_dispatch_0_embedded_elf_x86_64_benchmark.mlir";
  struct prepared p;

  (void)state;
  need(HONE__IREE_COMPILE);
  need(HONE__IREE_RUN);
  write_text("model.mlir", model);
  run(HONE__IREE_COMPILE,
      (const char *const[]){
          "model.mlir", "--iree-hal-target-device=local",
          "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic",
          "--iree-codegen-add-tuner-attributes", "--iree-hal-dump-executable-benchmarks-to=dump",
          "-o", "model.vmfb", NULL},
      NULL);
  if (access(path_of(dump), R_OK) != 0) skip(); /* of another processor */
  prepare(&p, path_of(dump), NULL);
  assert_string_equal(p.dispatch.answer, "hone_answer");
  write_file("d.mlir", p.dispatch.text.data, p.dispatch.text.length);
  run(HONE__IREE_COMPILE,
      (const char *const[]){"d.mlir", "--compile-from=executable-sources", "-o", "d.vmfb", NULL},
      NULL);
  for (int i = 0; i < 2; i++) {
    run(HONE__IREE_RUN,
        (const char *const[]){"--module=d.vmfb", i ? "--device=local-task" : "--device=local-sync",
                              "--function=hone_answer", i ? "--output=@1.npy" : "--output=@0.npy",
                              NULL},
        NULL);
    expect_product(&p.dispatch, i ? "1.npy" : "0.npy");
  }
  release(&p);
}

static int begin(void **state)
{
  hone__iree_toolset_find(NULL, &tools);
  return make_folder(state);
}

static int end(void **state)
{
  hone__iree_toolset_release(&tools);
  return remove_folder(state);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cpu),
      cmocka_unit_test(test_stripped),
      cmocka_unit_test(test_attention),
      cmocka_unit_test(test_another_arch),
      cmocka_unit_test(test_two_arrays_in_a_binding),
      cmocka_unit_test(test_not_understood),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_elements),
      cmocka_unit_test(test_applied_on_cpu),
      cmocka_unit_test(test_applied_on_gpu),
      cmocka_unit_test(test_applied_to_attention),
      cmocka_unit_test(test_not_stripped),
      cmocka_unit_test(test_iree_reads_it),
      cmocka_unit_test(test_answer),
  };

  return cmocka_run_group_tests(tests, begin, end);
}
