/* Knobs for CPUs: every configuration keeps the rules that the compiler has, and those that make it
 * worth trying. The texts are read back as attributes. */
#include "base/file.h"
#include "folder.h"
#include "hone_iree.h"
#include "iree/dispatch/dispatch.h"
#include "iree/knobs/knobs.h"

#include <stdio.h>
#include <stdlib.h>

static struct hone_spec *spec;
static struct hone_space *space;
static struct hone__mlir mlir;
static struct hone__iree_operation operation;
static struct hone__text first; /* of the last generation */
static unsigned threads;

/* ---- From a function to a space ---- */

static void write_matmul(long m, long n, long k, const char *element)
{
  struct hone__text text = {0};

  hone__text_addf(&text,
                  "func.func @f(%%a: tensor<%ldx%ldx%s>, %%b: tensor<%ldx%ldx%s>, "
                  "%%c: tensor<%ldx%ldxf32>) -> tensor<%ldx%ldxf32> {\n"
                  "  %%0 = linalg.matmul ins(%%a, %%b : tensor<%ldx%ldx%s>, tensor<%ldx%ldx%s>) "
                  "outs(%%c : tensor<%ldx%ldxf32>) -> tensor<%ldx%ldxf32>\n"
                  "  return %%0 : tensor<%ldx%ldxf32>\n"
                  "}\n",
                  m, k, element, k, n, element, m, n, m, n, m, k, element, k, n, element, m, n, m,
                  n, m, n);
  write_text("f.mlir", text.data);
  hone__text_release(&text);
}

static void generate(struct hone__text *yaml)
{
  const struct hone__iree_target target = {
      .family = HONE__IREE_CPU, .backend = "llvm-cpu", .native_vector_bytes = 64};
  const struct hone_iree_options options = {.threads = threads};
  struct hone__text why = {0};
  hone_status status = hone__mlir_read(&mlir, path_of("f.mlir"));

  if (status) fail_msg("%s", hone_status_message(status));
  if (hone__iree_operation_find(&mlir, &operation, &why)) fail_msg("%s", why.data);
  hone__iree_cpu_knobs(&operation, &target, &options, yaml, &first, &why);
  assert_int_equal(why.length, 0);
  hone__text_release(&why);
}

static void load(void)
{
  const char *files[] = {path_of("t.yaml")};
  struct hone__text yaml = {0};
  struct hone_spec_options spec_options;
  struct hone_space_options space_options;
  hone_status status;

  hone__text_add(&yaml, "name: t\nalternatives:\n");
  generate(&yaml);
  write_text("t.yaml", yaml.data);
  hone_spec_options_init(&spec_options);
  spec_options.files = files;
  spec_options.file_count = 1;
  status = hone_spec_load(&spec_options, &spec);
  if (status) fail_msg("%s\n%s", hone_status_message(status), yaml.data);
  hone_space_options_init(&space_options);
  status = hone_space_build(spec, &space_options, &space);
  if (status) fail_msg("%s", hone_status_message(status));
  hone__text_release(&yaml);
}

static void release(void)
{
  hone__text_release(&first);
  hone_space_free(space);
  hone_spec_free(spec);
  hone__mlir_release(&mlir);
}

/* ---- The rules ---- */

struct levels { /* tiles of every loop; NULL: the level is not there */
  const struct hone__mlir_attr *distribution, *cache_parallel, *cache_reduction, *parallel,
      *reduction;
  bool is_peeled;
};

static int64_t tile(const struct hone__mlir_attr *level, unsigned loop)
{
  return level ? level->entries[loop].value.integer : 0;
}

static void read_levels(struct hone__arena *arena, const char *text, struct levels *out)
{
  struct hone__mlir_attr info;
  const struct hone__mlir_attr *config;
  hone_status status = hone__mlir_parse_attr(arena, text, &info);

  if (status) fail_msg("%s: %s", text, hone_status_message(status));
  config = hone__mlir_entry(&info, "lowering_config");
  assert_non_null(config);
  out->distribution = hone__mlir_entry(config, "distribution");
  out->cache_parallel = hone__mlir_entry(config, "cache_parallel");
  out->cache_reduction = hone__mlir_entry(config, "cache_reduction");
  out->parallel = hone__mlir_entry(config, "vector_common_parallel");
  out->reduction = hone__mlir_entry(config, "vector_reduction");
  out->is_peeled = strstr(text, "enable_loop_peeling") != NULL;
}

static bool has(const struct hone__dim_list *list, unsigned dim)
{
  for (unsigned i = 0; i < list->count; i++)
    if (list->dims[i] == dim) return true;
  return false;
}

static bool is_reduction(unsigned loop)
{
  return operation.reductions >> loop & 1 || has(&operation.k, loop) || has(&operation.k1, loop) ||
         has(&operation.k2, loop) || has(&operation.filter, loop) ||
         has(&operation.input_channel, loop);
}

static void expect_loop_legal(const struct levels *levels, unsigned loop, const char *text)
{
  const int64_t size = operation.sizes[loop], distribution = tile(levels->distribution, loop),
                vector = tile(levels->parallel, loop) + tile(levels->reduction, loop),
                cache = tile(levels->cache_parallel, loop) + tile(levels->cache_reduction, loop);

  if (is_reduction(loop)
          ? distribution || tile(levels->parallel, loop) || tile(levels->cache_parallel, loop)
          : tile(levels->reduction, loop) || tile(levels->cache_reduction, loop))
    fail_msg("loop %u is of the other kind: %s", loop, text);
  if (vector < 0 || distribution < 0 || vector > size) fail_msg("loop %u: %s", loop, text);
  if (vector && distribution && distribution != size && distribution % vector)
    fail_msg("no whole vectors in loop %u: %s", loop, text);
  if (cache && (cache % vector || (distribution && distribution % cache)))
    fail_msg("no whole tiles in loop %u: %s", loop, text);
  if (vector && size % vector && !levels->is_peeled) fail_msg("not peeled: %s", text);
}

/* What is too large for the compiler: 512 vectors of 64 bytes. */
static void expect_legal(const struct levels *levels, const char *text)
{
  int64_t vector = 1, cached = 1;

  assert_non_null(levels->distribution);
  assert_non_null(levels->parallel);
  assert_non_null(levels->reduction);
  assert_true(!levels->cache_parallel == !levels->cache_reduction);
  assert_int_equal(levels->distribution->count, operation.loop_count);
  for (unsigned i = 0; i < operation.loop_count; i++) {
    const int64_t length = tile(levels->parallel, i) + tile(levels->reduction, i);

    expect_loop_legal(levels, i, text);
    vector *= length ? length : 1;
    if (tile(levels->cache_parallel, i)) cached *= tile(levels->cache_parallel, i);
  }
  if (vector * 4 >= 32768 || cached * 4 >= 32768) fail_msg("too large: %s", text);
}

/* All configurations; gives how many there are. */
static uint64_t expect_all_legal(const char *pipeline)
{
  const uint64_t count = hone_space_count(space);
  char buffer[2048];
  uint32_t row[64];

  assert_true(hone_space_param_count(space, 0) <= 64);
  for (uint64_t i = 0; i < count; i++) {
    struct hone__arena arena = {0};
    struct levels levels;

    assert_true(hone_space_at(space, i, row));
    assert_true(hone_space_print_text(space, row, 0, buffer, sizeof buffer) < sizeof buffer);
    assert_non_null(strstr(buffer, pipeline));
    read_levels(&arena, buffer, &levels);
    expect_legal(&levels, buffer);
    hone__arena_release(&arena);
  }
  return count;
}

/* The configuration that the compiler has put into a dump is one of the space. */
static void expect_choice(void)
{
  const uint64_t count = hone_space_count(space);
  struct hone__arena arena = {0};
  struct hone__text text = {0}, decomposition = {0};
  struct hone__mlir_attr choice, own;
  char buffer[2048];
  uint32_t row[64];
  bool is_there = false;

  assert_true(hone__iree_configuration(operation.op, &text, &decomposition));
  assert_null(hone__mlir_parse_attr(&arena, text.data, &choice));
  for (uint64_t i = 0; i < count && !is_there; i++) {
    struct hone__arena mine = {0};
    assert_true(hone_space_at(space, i, row));
    assert_true(hone_space_print_text(space, row, 0, buffer, sizeof buffer) < sizeof buffer);
    assert_null(hone__mlir_parse_attr(&mine, buffer, &own));
    is_there = hone__mlir_same_attr(&own, &choice);
    hone__arena_release(&mine);
  }
  if (!is_there) fail_msg("%s is not one of %llu", text.data, (unsigned long long)count);
  hone__text_release(&text);
  hone__text_release(&decomposition);
  hone__arena_release(&arena);
}

static void take_dump(const char *path)
{
  char *text = NULL;
  size_t size;

  assert_null(hone__file_read(path, 1 << 24, &text, &size));
  write_text("f.mlir", text);
  free(text);
}

/* ---- Tests ---- */

static void expect_matmul(long m, long n, long k, const char *element)
{
  uint64_t count;

  write_matmul(m, n, k, element);
  load();
  count = expect_all_legal("#iree_cpu.pipeline<DoubleTilingExpert>");
  if (!count || count > 20000)
    fail_msg("%ldx%ldx%ld %s: %lu configurations", m, n, k, element, (unsigned long)count);
  release();
}

static void test_products(void **state)
{
  (void)state;
  expect_matmul(256, 2048, 512, "f32");
  expect_matmul(256, 384, 2048, "f32");
  expect_matmul(512, 512, 512, "f16");
  expect_matmul(1, 4096, 4096, "f32");
  expect_matmul(3, 64, 64, "f32");
  expect_matmul(201, 500, 317, "f32");
  expect_matmul(5, 7, 11, "f32");
  expect_matmul(128, 1, 64, "f32");
}

/* What is known to be good must be among them. */
static void test_good_ones_are_there(void **state)
{
  uint32_t row[64];

  (void)state;
  write_matmul(256, 2048, 512, "f32");
  load();
  assert_null(hone_space_parse(space,
                               "pipeline=DoubleTilingExpert,vec_0=8,vec_1=32,vec_2=1,dist_0=64,"
                               "dist_1=2048,cache_0=0,cache_1=0,cache_2=0",
                               row));
  assert_true(hone_space_contains(space, row));
  assert_null(hone_space_parse(space,
                               "pipeline=DoubleTilingExpert,vec_0=8,vec_1=32,vec_2=8,dist_0=256,"
                               "dist_1=256,cache_0=64,cache_1=64,cache_2=128",
                               row));
  assert_true(hone_space_contains(space, row));
  release();
}

/* ---- What is tried first ---- */

static void write_transposed(long m, long n, long k)
{
  struct hone__text text = {0};

  hone__text_addf(&text,
                  "#a = affine_map<(m, n, k) -> (m, k)>\n#b = affine_map<(m, n, k) -> (n, k)>\n"
                  "#c = affine_map<(m, n, k) -> (m, n)>\n"
                  "func.func @f(%%a: tensor<%ldx%ldxf32>, %%b: tensor<%ldx%ldxf32>, "
                  "%%c: tensor<%ldx%ldxf32>) -> tensor<%ldx%ldxf32> {\n"
                  "  %%0 = linalg.matmul indexing_maps = [#a, #b, #c] "
                  "ins(%%a, %%b : tensor<%ldx%ldxf32>, tensor<%ldx%ldxf32>) "
                  "outs(%%c : tensor<%ldx%ldxf32>) -> tensor<%ldx%ldxf32>\n"
                  "  return %%0 : tensor<%ldx%ldxf32>\n"
                  "}\n",
                  m, k, n, k, m, n, m, n, m, k, n, k, m, n, m, n, m, n);
  write_text("f.mlir", text.data);
  hone__text_release(&text);
}

/* As a dump: vectors are not tuned elsewhere. */
static void write_vector(bool is_matvec, long results, long steps)
{
  const char *name = is_matvec ? "matvec" : "vecmat";
  struct hone__text text = {0}, matrix = {0}, vector = {0};

  hone__text_addf(&matrix, "tensor<%ldx%ldxf32>", is_matvec ? results : steps,
                  is_matvec ? steps : results);
  hone__text_addf(&vector, "tensor<%ldxf32>", steps);
  hone__text_addf(
      &text,
      "hal.executable.variant public @x target(<\"llvm-cpu\", \"embedded-elf-x86_64\", "
      "{cpu = \"generic\", native_vector_size = 64 : i64}>) {\n"
      "func.func @f(%%a: %s, %%b: %s, %%c: tensor<%ldxf32>) attributes "
      "{translation_info = "
      "#iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>} {\n"
      "  %%0 = linalg.%s {lowering_config = #iree_cpu.lowering_config<distribution = [50, 0], "
      "vector_common_parallel = [25, 0], vector_reduction = [0, 16]>, root_op} "
      "ins(%s : %s, %s) outs(%%c : tensor<%ldxf32>) -> tensor<%ldxf32>\n"
      "  return\n"
      "}\n"
      "}\n",
      matrix.data, vector.data, results, name, is_matvec ? "%a, %b" : "%b, %a",
      is_matvec ? matrix.data : vector.data, is_matvec ? vector.data : matrix.data, results,
      results);
  write_text("f.mlir", text.data);
  hone__text_release(&vector);
  hone__text_release(&matrix);
  hone__text_release(&text);
}

/* "{vec_0: 1, vec_1: 16}" as "vec_0=1,vec_1=16". */
static char *as_config(const char *mapping)
{
  struct hone__text text = {0};

  for (const char *c = mapping; *c; c++) {
    if (*c == ':') hone__text_add(&text, "=");
    if (!strchr("{}: ", *c)) hone__text_addn(&text, c, 1);
  }
  return hone__text_take(&text);
}

/* NULL: whatever it is, it must be in the space. */
static void expect_first(const char *expected)
{
  uint32_t row[64];
  char *config;

  load();
  config = as_config(first.data ? first.data : "");
  if (*config) assert_null(hone_space_parse(space, config, row));
  if (*config && !hone_space_contains(space, row)) fail_msg("%s is not legal", config);
  if (expected) assert_string_equal(config, expected);
  free(config);
  release();
}

static void test_first(void **state)
{
  static const long sizes[] = {1, 5, 16, 24, 40, 64, 300, 317, 500, 512, 1000, 1008, 4096};

  (void)state;
  write_transposed(1, 1000, 2048);
  expect_first("vec_0=1,vec_1=16,vec_2=16,dist_0=1,dist_1=1000,pipeline=DoubleTilingExpert");
  write_matmul(1, 1000, 2048, "f32");
  expect_first("vec_0=1,vec_1=64,vec_2=4,dist_0=1,dist_1=1000,pipeline=DoubleTilingExpert");
  write_vector(true, 1000, 2048);
  expect_first("vec_0=16,vec_1=16,dist_0=1000,pipeline=DoubleTilingExpert");
  write_vector(false, 1000, 2048);
  expect_first("vec_0=64,vec_1=4,dist_0=1000,pipeline=DoubleTilingExpert");
  threads = 2;
  write_transposed(1, 1000, 2048);
  expect_first("vec_0=1,vec_1=16,vec_2=16,dist_0=1,dist_1=500,pipeline=DoubleTilingExpert");
  write_vector(true, 1000, 2048);
  expect_first("vec_0=16,vec_1=16,dist_0=500,pipeline=DoubleTilingExpert");
  write_matmul(64, 512, 512, "f32");
  expect_first("");
  for (threads = 0; threads <= 6; threads += 3)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      for (long k = 4; k <= 256; k *= 8) {
        write_vector(true, sizes[i], k);
        expect_first(NULL);
        write_vector(false, sizes[i], k);
        expect_first(NULL);
      }
      for (long rows = 1; rows <= 64; rows *= 2) {
        write_transposed(rows, sizes[i], 1 + sizes[i]);
        expect_first(NULL);
        write_matmul(rows, sizes[i], 64, "f32");
        expect_first(NULL);
      }
    }
  threads = 0;
}

static void test_convolution(void **state)
{
  (void)state;
  write_text("f.mlir", "func.func @f(%a: tensor<2x34x34x64xf32>, %b: tensor<3x3x64x64xf32>, "
                       "%c: tensor<2x32x32x64xf32>) -> tensor<2x32x32x64xf32> {\n"
                       "  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, "
                       "strides = dense<1> : tensor<2xi64>} "
                       "ins(%a, %b : tensor<2x34x34x64xf32>, tensor<3x3x64x64xf32>) "
                       "outs(%c : tensor<2x32x32x64xf32>) -> tensor<2x32x32x64xf32>\n"
                       "  return %0 : tensor<2x32x32x64xf32>\n"
                       "}\n");
  load();
  assert_true(expect_all_legal("#iree_cpu.pipeline<ConvTileAndDecomposeExpert>") > 50);
  release();
}

static void test_compilers_own_tiles_are_there(void **state)
{
  static const char *const dumps[] = {"matmul_cpu", "conv_cpu", "depthwise_cpu", "elementwise_cpu",
                                      "softmax_cpu"};

  (void)state;
  for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
    struct hone__text path = {0};
    hone__text_addf(&path, "tests/data/iree/dumps/%s.mlir", dumps[i]);
    take_dump(path.data);
    load();
    expect_choice();
    release();
    hone__text_release(&path);
  }
}

/* Of two operations without a common last one, none could have its tiles. */
static void test_operations_apart_are_refused(void **state)
{
  const struct hone__iree_target target = {.family = HONE__IREE_CPU, .backend = "llvm-cpu"};
  const struct hone_iree_options options = {0};
  struct hone__text yaml = {0}, why = {0};
  char *text, *used;
  size_t size;

  (void)state;
  assert_null(hone__file_read("tests/data/iree/dumps/softmax_cpu.mlir", 1 << 20, &text, &size));
  used = strstr(text, "ins(%2, %6, %8 :"); /* of the quotient: the sum becomes the maximum */
  assert_non_null(used);
  used[strlen("ins(%2, %6, %")] = '6';
  assert_null(hone__mlir_parse(&mlir, "softmax.mlir", text, size));
  assert_int_equal(hone__iree_operation_find(&mlir, &operation, &why), HONE__IREE_TUNABLE);
  hone__iree_cpu_knobs(&operation, &target, &options, &yaml, &first, &why);
  assert_int_equal(yaml.length, 0);
  assert_non_null(strstr(why.data, "whose result the last one does not need: linalg.generic"));
  hone__text_release(&yaml);
  hone__text_release(&why);
  hone__mlir_release(&mlir);
  free(text);
}

/* A remainder of an image costs up to 35 times as much; of a line it does not. */
static void test_tiles_of_images_divide(void **state)
{
  (void)state;
  write_text("f.mlir", "func.func @f(%a: tensor<1x30x39x64xf32>, %b: tensor<3x3x64x48xf32>, "
                       "%c: tensor<1x28x37x48xf32>) -> tensor<1x28x37x48xf32> {\n"
                       "  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, "
                       "strides = dense<1> : tensor<2xi64>} "
                       "ins(%a, %b : tensor<1x30x39x64xf32>, tensor<3x3x64x48xf32>) "
                       "outs(%c : tensor<1x28x37x48xf32>) -> tensor<1x28x37x48xf32>\n"
                       "  return %0 : tensor<1x28x37x48xf32>\n"
                       "}\n");
  load();
  assert_true(expect_all_legal("#iree_cpu.pipeline<ConvTileAndDecomposeExpert>") > 10);
  for (uint64_t i = 0; i < hone_space_count(space); i++) {
    char buffer[2048];
    uint32_t row[64];
    assert_true(hone_space_at(space, i, row));
    assert_true(hone_space_print_text(space, row, 0, buffer, sizeof buffer) < sizeof buffer);
    assert_null(strstr(buffer, "enable_loop_peeling"));
  }
  release();
}

/* Of what has no generator of its own: tiles that divide, and those of the compiler. */
static void test_generic(void **state)
{
  (void)state;
  take_dump("tests/data/iree/dumps/depthwise_cpu.mlir");
  load();
  assert_true(expect_all_legal("#iree_cpu.pipeline<ConvTileAndDecomposeExpert>") > 50);
  release();
  take_dump("tests/data/iree/dumps/elementwise_cpu.mlir");
  load();
  assert_true(hone_space_count(space) > 10);
  release();
}

/* Channels stand in front of the image: whole lines of it, several of them, and a whole filter were
 * the best by hand, and vectors along channels have nothing in common. */
static void test_lines_of_images(void **state)
{
  uint32_t row[64];

  (void)state;
  write_text(
      "f.mlir",
      "hal.executable.variant public @x target(<\"llvm-cpu\", \"embedded-elf-x86_64\", "
      "{cpu = \"generic\", native_vector_size = 64 : i64}>) {\n"
      "func.func @f(%a: tensor<1x256x30x30xf32>, %b: tensor<256x3x3xf32>, "
      "%c: tensor<1x256x28x28xf32>) attributes {translation_info = "
      "#iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>} {\n"
      "  %0 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, "
      "lowering_config = #iree_cpu.lowering_config<distribution = [0, 14, 28, 32, 0, 0], "
      "vector_common_parallel = [0, 1, 8, 1, 0, 0], vector_reduction = [0, 0, 0, 0, 1, 16]>, "
      "root_op, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x256x30x30xf32>, "
      "tensor<256x3x3xf32>) outs(%c : tensor<1x256x28x28xf32>) -> "
      "tensor<1x256x28x28xf32>\n}\n}\n");
  load();
  for (int line = 7; line <= 28; line *= 2)
    for (int filter = 1; filter <= 3; filter += 2) {
      char text[128];
      snprintf(text, sizeof text,
               "pipeline=DoubleTilingExpert,vec_1=%d,vec_2=%d,vec_4=%d,vec_5=3,dist_1=28,dist_2=28,"
               "dist_3=256",
               56 / line > 7 ? 7 : 56 / line, line, filter);
      assert_null(hone_space_parse(space, text, row));
      assert_true(hone_space_contains(space, row));
    }
  release();
}

static void test_attention(void **state)
{
  (void)state;
  write_text("f.mlir",
             "#q = affine_map<(b, m, n, k1, k2) -> (b, m, k1)>\n"
             "#k = affine_map<(b, m, n, k1, k2) -> (b, k2, k1)>\n"
             "#v = affine_map<(b, m, n, k1, k2) -> (b, k2, n)>\n"
             "#s = affine_map<(b, m, n, k1, k2) -> ()>\n"
             "#o = affine_map<(b, m, n, k1, k2) -> (b, m, n)>\n"
             "func.func @f(%q: tensor<4x1024x64xf32>, %k: tensor<4x512x64xf32>, "
             "%v: tensor<4x512x64xf32>, %o: tensor<4x1024x64xf32>) -> tensor<4x1024x64xf32> {\n"
             "  %s = arith.constant 0.125 : f32\n"
             "  %r = iree_linalg_ext.attention <indexing_maps = [#q, #k, #v, #s, #o]> "
             "ins(%q, %k, %v, %s : tensor<4x1024x64xf32>, tensor<4x512x64xf32>, "
             "tensor<4x512x64xf32>, f32) outs(%o : tensor<4x1024x64xf32>) {\n"
             "  ^bb0(%score: f32):\n"
             "    iree_linalg_ext.yield %score : f32\n"
             "  } -> tensor<4x1024x64xf32>\n"
             "  return %r : tensor<4x1024x64xf32>\n"
             "}\n");
  load();
  assert_true(expect_all_legal("#iree_cpu.pipeline<LinalgExtTileAndVectorize>") > 50);
  release();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_products),
      cmocka_unit_test(test_good_ones_are_there),
      cmocka_unit_test(test_first),
      cmocka_unit_test(test_convolution),
      cmocka_unit_test(test_compilers_own_tiles_are_there),
      cmocka_unit_test(test_tiles_of_images_divide),
      cmocka_unit_test(test_operations_apart_are_refused),
      cmocka_unit_test(test_generic),
      cmocka_unit_test(test_lines_of_images),
      cmocka_unit_test(test_attention),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
