/* test_iree_knobs.c - knobs of GPUs: how many candidates there are, what their texts say. */
#include "folder.h"

#include "hone_iree.h"
#include "iree/knobs/gpu_knobs.h"

/* ---- The writer ---- */

static void test_writer(void **state)
{
  struct hone__knob_writer writer = {0};
  struct hone__text yaml = {0};

  (void)state;
  hone__knobs_begin(&writer, "TileAndFuse");
  hone__knobs_text(&writer, "info", "it's ${a}: \"x\"");
  hone__knobs_values(&writer, "a", (int64_t[]){1, 2}, 2);
  hone__knobs_range(&writer, "b", 1, 3);
  hone__knobs_divisors(&writer, "c", 48, 4, 16);
  hone__knobs_param(&writer, "d", "[%s, %d]", "word", 7);
  hone__knobs_constraint(&writer, "%d %% a == 0", 4);
  hone__knobs_order(&writer, "-a");
  hone__knobs_end(&writer, &yaml);
  assert_string_equal(yaml.data, "  - name: TileAndFuse\n"
                                 "    params:\n"
                                 "      pipeline: [TileAndFuse]\n"
                                 "      a: [1, 2]\n"
                                 "      b: range(1, 4)\n"
                                 "      c: [4, 8, 12, 16]\n"
                                 "      d: [word, 7]\n"
                                 "    constraints:\n"
                                 "    - '4 % a == 0'\n"
                                 "    texts:\n"
                                 "      info: 'it''s ${a}: \"x\"'\n"
                                 "    order:\n"
                                 "    - '-a'\n");
  hone__text_release(&yaml);
}

static void expect_words(const char *list, const char *fallback, const char *joined)
{
  struct hone__knob_options options;
  struct hone__text text = {0};

  assert_true(hone__knob_options_read(list, fallback, &options));
  for (size_t i = 0; i < options.count; i++)
    hone__text_addf(&text, "%s;", options.words[i]);
  assert_string_equal(text.data, joined);
  hone__text_release(&text);
  hone__knob_options_release(&options);
}

static void test_lists(void **state)
{
  struct hone__knob_options options;

  (void)state;
  expect_words("2,3", "1", "2;3;");
  expect_words("[2, 3, 2]", "1", "2;3;");
  expect_words(" true ", "1", "true;");
  expect_words(NULL, "none", "none;");
  expect_words("", "2", "2;");
  assert_false(hone__knob_options_read("2,,3", "1", &options));
  assert_false(hone__knob_options_read("2,", "1", &options));
  assert_false(hone__knob_options_read("2 3", "1", &options));
  assert_false(hone__knob_options_read("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "1", &options));
}

/* ---- Problems ---- */

struct problem {
  struct hone__mlir file, target_file;
  struct hone__iree_operation operation;
  struct hone__iree_target target;
  struct hone__text yaml, why;
};

static void open_problem(struct problem *problem, const char *text, const char *target)
{
  char path[128];

  *problem = (struct problem){0};
  snprintf(path, sizeof path, "tests/data/iree/targets/%s.mlir", target);
  assert_null(hone__mlir_read(&problem->target_file, path));
  assert_true(hone__iree_target_read(&problem->target_file, &problem->target, &problem->why));
  assert_null(hone__mlir_parse(&problem->file, "problem", text, strlen(text)));
  assert_int_equal(hone__iree_operation_find(&problem->file, &problem->operation, &problem->why),
                   HONE__IREE_TUNABLE);
}

static void close_problem(struct problem *problem)
{
  hone__text_release(&problem->yaml);
  hone__text_release(&problem->why);
  hone__mlir_release(&problem->file);
  hone__mlir_release(&problem->target_file);
}

static void generate(struct problem *problem, const struct hone_iree_options *options)
{
  hone__text_release(&problem->yaml);
  hone__text_release(&problem->why);
  hone__iree_gpu_knobs(&problem->operation, &problem->target, options, &problem->yaml,
                       &problem->why);
}

/* "lhs x rhs -> out" of C = A * B^T, with A transposed where asked for. */
static const char *matmul(int m, int n, int k, const char *in, const char *out, bool transposed)
{
  static char text[2048];
  char a[32];
  bool is_float = *out != 'i', is_same = strcmp(in, out) == 0;

  snprintf(a, sizeof a, transposed ? "%2$dx%1$d" : "%dx%d", m, k);
  snprintf(text, sizeof text,
           "func.func @main(%%l: tensor<%sx%s>, %%r: tensor<%dx%dx%s>, %%c: tensor<%dx%dx%s>) -> "
           "tensor<%dx%dx%s> {\n"
           "  %%0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (%s)>, "
           "affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], "
           "iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} ins(%%l, %%r : "
           "tensor<%sx%s>, tensor<%dx%dx%s>) outs(%%c : tensor<%dx%dx%s>) {\n"
           "  ^bb0(%%a: %s, %%b: %s, %%o: %s):\n",
           a, in, n, k, in, m, n, out, m, n, out, transposed ? "d2, d0" : "d0, d2", a, in, n, k, in,
           m, n, out, in, in, out);
  if (!is_same)
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "    %%x = arith.%s %%a : %s to %s\n    %%y = arith.%s %%b : %s to %s\n",
             is_float ? "extf" : "extsi", in, out, is_float ? "extf" : "extsi", in, out);
  snprintf(text + strlen(text), sizeof text - strlen(text),
           "    %%1 = arith.%s %s : %s\n    %%2 = arith.%s %%o, %%1 : %s\n"
           "    linalg.yield %%2 : %s\n  } -> tensor<%dx%dx%s>\n"
           "  return %%0 : tensor<%dx%dx%s>\n}\n",
           is_float ? "mulf" : "muli", is_same ? "%a, %b" : "%x, %y", out,
           is_float ? "addf" : "addi", out, out, m, n, out, m, n, out);
  return text;
}

static const char *convolution(const char *name, const char *lhs, const char *rhs, const char *out,
                               int stride)
{
  static char text[1024];

  snprintf(text, sizeof text,
           "func.func @main(%%l: tensor<%sxf16>, %%r: tensor<%sxf16>, %%c: tensor<%sxf32>) -> "
           "tensor<%sxf32> {\n"
           "  %%0 = linalg.%s {dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : "
           "tensor<2xi64>} ins(%%l, %%r : tensor<%sxf16>, tensor<%sxf16>) outs(%%c : "
           "tensor<%sxf32>) -> tensor<%sxf32>\n  return %%0 : tensor<%sxf32>\n}\n",
           lhs, rhs, out, out, name, stride, lhs, rhs, out, out, out);
  return text;
}

/* The problem of SHARK Tuner's own test: Q and K transposed. */
static const char *const attention =
    "func.func @main(%q: tensor<2x64x64xf16>, %k: tensor<2x64x64xf16>, %v: tensor<2x64x32xf16>, "
    "%s: f16, %o: tensor<2x64x32xf16>) -> tensor<2x64x32xf16> {\n"
    "  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, "
    "d2, d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) "
    "-> (d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> ()>, affine_map<(d0, d1, d2, d3, d4) -> "
    "(d0, d1, d4)>]} ins(%q, %k, %v, %s : tensor<2x64x64xf16>, tensor<2x64x64xf16>, "
    "tensor<2x64x32xf16>, f16) outs(%o : tensor<2x64x32xf16>) {\n"
    "  ^bb0(%x: f32):\n    iree_linalg_ext.yield %x : f32\n  } -> tensor<2x64x32xf16>\n"
    "  return %0 : tensor<2x64x32xf16>\n}\n";

/* ---- Counting: the YAML is loaded as any spec ---- */

static uint64_t count(const struct problem *problem)
{
  struct hone_spec_options options;
  struct hone_space_options space_options;
  struct hone_spec *spec = NULL;
  struct hone_space *space = NULL;
  const char *file = path_of("knobs.yaml");
  struct hone__text text = {0};
  hone_status status;
  uint64_t result;

  hone__text_addf(&text, "name: knobs\nfile: knobs.mlir\nalternatives:\n%s", problem->yaml.data);
  write_text("knobs.yaml", text.data);
  hone__text_release(&text);
  hone_spec_options_init(&options);
  hone_space_options_init(&space_options);
  options.files = &file;
  options.file_count = 1;
  status = hone_spec_load(&options, &spec);
  if (!status) status = hone_space_build(spec, &space_options, &space);
  if (status) fail_msg("%s", hone_status_message(status));
  result = hone_space_count(space);
  hone_space_free(space);
  hone_spec_free(spec);
  return result;
}

static void expect_count(const char *text, const char *target, const char *pipeline, int subgroups,
                         uint64_t expected)
{
  struct problem problem;

  open_problem(&problem, text, target);
  generate(&problem, &(struct hone_iree_options){.pipeline = pipeline, .num_subgroups = subgroups});
  if (!problem.yaml.length) fail_msg("%s", problem.why.data);
  assert_int_equal(count(&problem), expected);
  close_problem(&problem);
}

static void test_contraction_counts(void **state)
{
  static const struct {
    int m, n, k, subgroups;
    const char *pipeline, *in, *out, *target;
    uint64_t count;
  } rows[] = {
      {1024, 1280, 1280, -1, "VD", "f16", "f32", "mi300x", 1265},
      {1024, 1280, 1280, 4, "VD", "f16", "f32", "mi300x", 358},
      {1024, 1280, 1280, 0, "TF", "f16", "f32", "mi300x", 2442},
      {1024, 1280, 1280, 4, "TF", "f16", "f32", "mi300x", 611},
      {2048, 3840, 1280, 4, "VD", "f16", "f32", "mi300x", 555},
      {2048, 2048, 2048, -1, "VD", "f16", "f32", "mi300x", 821},
      {4096, 4096, 4096, -1, "TF", "f16", "f32", "mi300x", 1369},
      {128, 128, 128, -1, "VD", "f16", "f32", "mi300x", 273},
      {128, 128, 128, -1, "TF", "f16", "f32", "mi300x", 515},
      {5369, 112, 112, 4, "TF", "f16", "f32", "mi300x", 226},
      {5369, 112, 112, -1, "TF", "f16", "f32", "mi300x", 996},
      {150000, 16384, 4096, 4, "TF", "f16", "f32", "mi300x", 402},
      {30, 30, 30, 4, "TF", "f16", "f32", "mi300x", 2},
      {200, 300, 50, -1, "TF", "f16", "f32", "mi300x", 1096},
      {20, 50, 40, -1, "TF", "f16", "f32", "mi300x", 42},
      {1, 4096, 4096, -1, "TF", "f16", "f32", "mi300x", 131},
      {1024, 1280, 1280, -1, "VD", "bf16", "f32", "mi300x", 1265},
      {1024, 1280, 1280, -1, "VD", "f8E4M3FNUZ", "f32", "mi300x", 1465},
      {1024, 1280, 1280, -1, "TF", "i8", "i32", "mi300x", 2358},
      {1024, 1280, 1280, -1, "TF", "f16", "f16", "mi300x", 2442},
      {128, 128, 128, 4, "VD", "f64", "f64", "mi300x", 29},  /* no block intrinsics */
      {128, 128, 128, 4, "TF", "f64", "f64", "mi300x", 111}, /* likewise */
      {1024, 1280, 1280, -1, "VD", "f16", "f32", "gfx950", 3820},
      {1024, 1280, 1280, -1, "TF", "f16", "f32", "gfx1100", 1437},
      {1024, 1280, 1280, -1, "VD", "f16", "f16", "gfx1201", 1183}, /* each once */
      /* Intrinsics that are not square; as many as the compiler's own constraints allow. */
      {1024, 1280, 1280, -1, "VD", "f16", "f32", "sm_80", 2002},
      {1024, 1280, 1280, -1, "TF", "f16", "f32", "sm_80", 3019},
  };

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    expect_count(matmul(rows[i].m, rows[i].n, rows[i].k, rows[i].in, rows[i].out, false),
                 rows[i].target, rows[i].pipeline, rows[i].subgroups, rows[i].count);
  expect_count(matmul(5369, 112, 112, "f16", "f32", true), "mi300x", "TF", 4, 121);
}

static void test_convolution_counts(void **state)
{
  const char *nhwc =
      convolution("conv_2d_nhwc_hwcf", "2x34x34x1280", "3x3x1280x1280", "2x32x32x1280", 1);

  (void)state;
  expect_count(nhwc, "mi300x", "VD", -1, 220);
  expect_count(nhwc, "mi300x", "TF", -1, 14146 + 9284);
  expect_count(nhwc, "mi300x", "TF", 4, 4008 + 2649);
  expect_count(convolution("conv_2d_nhwc_hwcf", "2x7x7x32", "3x3x32x64", "2x3x3x64", 2), "mi300x",
               "TF", -1, 484);
  expect_count(convolution("conv_2d_nhwc_hwcf", "3x19x25x20", "3x3x20x50", "3x17x23x50", 1),
               "mi300x", "TF", 4, 53 + 18);
  expect_count(convolution("conv_2d_nchw_fchw", "2x64x34x34", "32x64x3x3", "2x32x32x32", 1),
               "mi300x", "TF", -1, 1902 + 922);
}

static void test_attention_counts(void **state)
{
  struct problem problem;
  struct hone_iree_options options = {.num_subgroups = 4};

  (void)state;
  expect_count(attention, "mi300x", NULL, 4, 20);
  expect_count(attention, "mi300x", "VectorDistribute", -1, 162);

  /* Without virtual intrinsics, and with the two of this type alone. */
  open_problem(&problem, attention, "mi300x");
  for (size_t i = 0; i < problem.target.mma_count; i++)
    problem.target.mmas[i].is_block |= problem.target.mmas[i].is_virtual;
  generate(&problem, &options);
  assert_int_equal(count(&problem), 6);
  options.num_subgroups = -1;
  generate(&problem, &options);
  assert_int_equal(count(&problem), 48);
  close_problem(&problem);
}

/* ---- What the compiler rejects ---- */

static void expect_part(const struct problem *problem, const char *part)
{
  if (!problem->yaml.data || !strstr(problem->yaml.data, part))
    fail_msg("no '%s' in %s%s", part, problem->yaml.data ? problem->yaml.data : "",
             problem->why.data ? problem->why.data : "");
}

static void test_compilable(void **state)
{
  struct problem problem;
  struct hone_iree_options options = {.pipeline = "VD", .for_tuning = true};

  (void)state;
  open_problem(&problem, matmul(1024, 1280, 1280, "f16", "f32", false), "mi300x");
  generate(&problem, &options);
  assert_int_equal(count(&problem), 913);
  options.all = true;
  generate(&problem, &options);
  assert_int_equal(count(&problem), 1265);
  close_problem(&problem);

  /* A row of A is along M where A is transposed. */
  options.all = false;
  open_problem(&problem, matmul(192, 320, 256, "f16", "f32", true), "mi300x");
  generate(&problem, &options);
  expect_part(&problem, "wg_0 % min(8, red_2 * wg_0 // (64 * sg_m_cnt * sg_n_cnt)) == 0");
  expect_part(&problem, "red_2 % min(8, wg_1 * red_2 // (64 * sg_m_cnt * sg_n_cnt)) == 0");
  close_problem(&problem);
}

/* 16 columns are one intrinsic of 16, and half of one of 32; 28 are neither. */
static void test_compilable_convolutions(void **state)
{
  struct problem problem;
  struct hone_iree_options options = {
      .pipeline = "TF", .conv_strategy = HONE_IREE_CONV_DIRECT, .for_tuning = true};

  (void)state;
  open_problem(&problem,
               convolution("conv_2d_nhwc_hwcf", "2x18x18x64", "3x3x64x64", "2x16x16x64", 1),
               "mi300x");
  generate(&problem, &options);
  expect_part(&problem, "not [0, 1][mma_idx] == 1");
  options.all = true;
  generate(&problem, &options);
  assert_null(strstr(problem.yaml.data, "not [0, 1]"));
  close_problem(&problem);

  options.all = false;
  open_problem(&problem,
               convolution("conv_2d_nhwc_hwcf", "2x30x30x64", "3x3x64x64", "2x28x28x64", 1),
               "mi300x");
  generate(&problem, &options);
  assert_int_equal(problem.yaml.length, 0);
  assert_non_null(strstr(problem.why.data, "would need padding"));
  options.conv_strategy = HONE_IREE_CONV_BOTH;
  generate(&problem, &options);
  assert_non_null(strstr(problem.yaml.data, "TileAndFuseIgemm"));
  assert_null(strstr(problem.yaml.data, "TileAndFuseDirect"));
  close_problem(&problem);
}

/* ---- Options ---- */

static void test_option_texts(void **state)
{
  struct problem problem;
  struct hone_iree_options options = {.pipeline = "llvmgpu_vector_distribute"};

  (void)state;
  open_problem(&problem, matmul(128, 128, 128, "f16", "f32", false), "mi300x");
  generate(&problem, &options);
  expect_part(&problem, "subgroup_size = 64, {gpu_pipeline_options = "
                        "#iree_gpu.pipeline_options<prefetch_num_stages = 2>, llvm_func_attrs = "
                        "{\"amdgpu-waves-per-eu\" = \"2\"}}>>'");
  assert_null(strstr(problem.yaml.data, "denormal"));

  options.prefetch_num_stages = options.waves_per_eu = "none";
  generate(&problem, &options);
  expect_part(&problem, "{gpu_pipeline_options = #iree_gpu.pipeline_options<>}>>'");

  options.prefetch_num_stages = NULL;
  options.no_reduce_bank_conflicts = "False";
  options.denorm_flushing = "true"; /* of attention alone */
  generate(&problem, &options);
  expect_part(&problem,
              "<prefetch_num_stages = 2, no_reduce_shared_memory_bank_conflicts = false>}");
  assert_null(strstr(problem.yaml.data, "denorm"));

  options.prefetch_num_stages = "None";
  options.no_reduce_bank_conflicts = NULL;
  options.reorder_workgroups = "transpose";
  generate(&problem, &options);
  expect_part(&problem, "#iree_gpu.pipeline_options<reorder_workgroups_strategy = <Transpose>>");
  close_problem(&problem);
}

static void test_option_knobs(void **state)
{
  struct problem problem;
  struct hone_iree_options options = {.pipeline = "tileandfuse",
                                      .num_subgroups = 4,
                                      .prefetch_num_stages = "0,2,none",
                                      .no_reduce_bank_conflicts = "none,true,false",
                                      .waves_per_eu = "1, none",
                                      .reorder_workgroups = "None,Transpose"};

  (void)state;
  open_problem(&problem, matmul(30, 30, 30, "f16", "f32", false), "mi300x");
  generate(&problem, &options);
  expect_part(&problem, "      prefetch_num_stages: [0, 2, none]\n"
                        "      no_reduce_shared_memory_bank_conflicts: [none, true, false]\n"
                        "      reorder_workgroups_strategy: [none, Transpose]\n"
                        "      waves_per_eu: [1, none]\n");
  assert_int_equal(count(&problem), 2 * 3 * 3 * 2 * 2);
  close_problem(&problem);
}

static void test_attention_options(void **state)
{
  struct problem problem;
  struct hone_iree_options options = {.num_subgroups = 4, .denorm_flushing = "false,true"};

  (void)state;
  open_problem(&problem, attention, "mi300x");
  generate(&problem, &options);
  assert_int_equal(count(&problem), 40);
  options.denorm_flushing = "true";
  generate(&problem, &options);
  assert_int_equal(count(&problem), 20);
  expect_part(&problem, ", iree_codegen.denormal_fp_math_f32 = "
                        "#iree_codegen.denormal_fp_math<\"preserve-sign\">, llvm_func_attrs");
  close_problem(&problem);
}

/* ---- Texts ---- */

static void test_texts(void **state)
{
  struct problem problem;
  struct hone_iree_options options = {.pipeline = "TF", .num_subgroups = 4};

  (void)state;
  open_problem(&problem, matmul(1024, 1280, 1280, "f16", "f32", false), "mi300x");
  generate(&problem, &options);
  expect_part(&problem, "subgroup = [${sg_0}, ${sg_1}, 0], workgroup = [${wg_0}, ${wg_1}, 0]");
  assert_null(strstr(problem.yaml.data, "padding"));
  assert_null(strstr(problem.yaml.data, "subgroup_basis"));
  expect_part(&problem, "not pow2(red_2)");
  options.pipeline = "VD";
  generate(&problem, &options);
  expect_part(&problem, "subgroup_basis = [[${sg_m_cnt}, ${sg_n_cnt}, 1], [0, 1, 2]]");
  expect_part(&problem, "workgroup_size = [${64 * sg_n_cnt}, ${sg_m_cnt}, 1]");
  assert_null(strstr(problem.yaml.data, "subgroup = "));
  close_problem(&problem);

  options.pipeline = "TF";
  open_problem(&problem, matmul(5369, 112, 112, "f16", "f32", false), "mi300x");
  generate(&problem, &options);
  expect_part(&problem, "padding = [${wg_0}, ${wg_1}, ${red_2 * [16, 8][mma_idx]}], "
                        "promote_operands = [0, 1]");
  assert_null(strstr(problem.yaml.data, "padding_conv"));
  close_problem(&problem);

  open_problem(&problem, matmul(1024, 1280, 1280, "f16", "f32", false), "sm_80");
  generate(&problem, &options);
  expect_part(&problem, "{convert_acc_gemm, mma_kind = "
                        "#iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, ");
  assert_null(strstr(problem.yaml.data, "waves-per-eu"));
  close_problem(&problem);
}

/* K is 180, which no intrinsic divides: channels are padded with it, unless they are far fewer. */
static void test_padding_conv(void **state)
{
  struct problem problem;
  struct hone_iree_options options = {.pipeline = "TF", .conv_strategy = HONE_IREE_CONV_IGEMM};

  (void)state;
  open_problem(&problem,
               convolution("conv_2d_nhwc_hwcf", "3x19x25x20", "3x3x20x50", "3x17x23x50", 1),
               "mi300x");
  generate(&problem, &options);
  expect_part(&problem, "padding_conv = [${wg_0}, ${wg_1}, ${wg_2}, ${wg_3}, 0, 0, ${0 if 180 % "
                        "(red_4 * [16, 8][mma_idx]) == 0 or (red_4 * [16, 8][mma_idx]) // 20 > 2 "
                        "else red_4 * [16, 8][mma_idx]}]");
  expect_part(&problem, "use_igemm_convolution = true");
  close_problem(&problem);

  open_problem(&problem, convolution("conv_2d_nchw_fchw", "2x20x9x9", "50x20x3x3", "2x50x7x7", 1),
               "mi300x");
  generate(&problem, &options);
  expect_part(&problem, "padding = ");
  assert_null(strstr(problem.yaml.data, "padding_conv"));
  options.conv_strategy = HONE_IREE_CONV_DIRECT;
  generate(&problem, &options);
  expect_part(&problem, "use_igemm_convolution = false");
  expect_part(&problem, "reduction = [0, 0, 0, 0, ${red_4}, 1, 1]");
  close_problem(&problem);
}

/* ---- Without intrinsics ---- */

static void expect_none(const char *text, const char *target,
                        const struct hone_iree_options *options, const char *why)
{
  struct problem problem;

  open_problem(&problem, text, target);
  generate(&problem, options);
  assert_int_equal(problem.yaml.length, 0);
  assert_non_null(problem.why.data);
  if (!strstr(problem.why.data, why)) fail_msg("'%s' has no '%s'", problem.why.data, why);
  close_problem(&problem);
}

static void test_simt(void **state)
{
  struct problem problem;
  struct hone_iree_options options = {0};

  (void)state;
  open_problem(&problem, matmul(512, 97, 256, "f32", "f32", false), "sm_80");
  generate(&problem, &options);
  expect_part(&problem, "${if promote == 1}promote_operands = [0, 1], ${end}reduction = "
                        "[0, 0, ${red_2}], thread = [${th_0}, ${th_1}, 0], "
                        "workgroup = [${wg_0}, ${wg_1}, 0]");
  expect_part(&problem, "workgroup_size = [${(wg_0 * wg_1) // (th_0 * th_1)}, 1, 1]");
  expect_part(&problem, "wg_1: [1, 4, 8, 16, 32, 64, 97]");
  expect_part(&problem, "((wg_0 * wg_1) // (th_0 * th_1)) % 32 == 0");
  assert_null(strstr(problem.yaml.data, "mma_kind"));
  assert_true(count(&problem) > 1000);
  options.pipeline = "VD";
  generate(&problem, &options);
  assert_int_equal(problem.yaml.length, 0);
  close_problem(&problem);
  expect_none(matmul(2, 8, 64, "f32", "f32", false), "sm_80", &(struct hone_iree_options){0},
              "fewer results than a subgroup has threads");
}

/* Strides are no obstacle; what intrinsics compute stays with them. */
static void test_simt_convolution(void **state)
{
  struct problem problem;
  struct hone_iree_options options = {.conv_strategy = HONE_IREE_CONV_DIRECT};
  const char *text = convolution("conv_2d_nhwc_hwcf", "2x17x17x32", "3x3x32x64", "2x8x8x64", 2);

  (void)state;
  open_problem(&problem, text, "sm_80");
  generate(&problem, &options);
  assert_int_equal(problem.yaml.length, 0);
  problem.operation.types[0] = problem.operation.types[1] = "f32";
  generate(&problem, &options);
  expect_part(&problem, "reduction = [0, 0, 0, 0, ${red_4}, ${red_5}, ${red_6}], thread = "
                        "[${th_0}, ${th_1}, ${th_2}, ${th_3}, 0, 0, 0]");
  expect_part(&problem, "use_igemm_convolution = false");
  assert_true(count(&problem) > 1000);
  close_problem(&problem);
}

/* ---- No candidates ---- */

static void test_none(void **state)
{
  const char *f16 = matmul(128, 128, 128, "f16", "f32", false);

  (void)state;
  expect_none(f16, "mi300x", &(struct hone_iree_options){.pipeline = "Distribute"},
              "no knobs for the pipeline 'Distribute'");
  expect_none(f16, "mi300x", &(struct hone_iree_options){.waves_per_eu = "many"},
              "'many' is not a list of values for --waves-per-eu-options");
  expect_none(f16, "mi300x", &(struct hone_iree_options){.conv_strategy = (enum hone_iree_conv)99},
              "99 is not");
  expect_none(f16, "mi300x", &(struct hone_iree_options){.num_subgroups = 17},
              "17 subgroups of 64 threads exceed the limit of 1024 threads");
  expect_none(attention, "mi300x", &(struct hone_iree_options){.pipeline = "TF"},
              "VectorDistribute only");
  expect_none(matmul(128, 128, 128, "f32", "f32", false), "gfx1100", &(struct hone_iree_options){0},
              "no compatible intrinsic on gfx1100");
  expect_none(matmul(1, 4096, 4096, "f16", "f32", false), "mi300x",
              &(struct hone_iree_options){.pipeline = "VD"}, "no tile");
  expect_none(convolution("conv_2d_nchw_fchw", "2x20x9x9", "50x20x3x3", "2x50x7x7", 1), "mi300x",
              &(struct hone_iree_options){.pipeline = "VD"}, "nhwc_hwcf");
  expect_none(convolution("conv_2d_nhwc_hwcf", "2x7x7x32", "3x3x32x64", "2x3x3x64", 2), "mi300x",
              &(struct hone_iree_options){.conv_strategy = HONE_IREE_CONV_DIRECT}, "strides of 1");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_writer),
      cmocka_unit_test(test_lists),
      cmocka_unit_test(test_contraction_counts),
      cmocka_unit_test(test_convolution_counts),
      cmocka_unit_test(test_attention_counts),
      cmocka_unit_test(test_compilable),
      cmocka_unit_test(test_compilable_convolutions),
      cmocka_unit_test(test_simt),
      cmocka_unit_test(test_simt_convolution),
      cmocka_unit_test(test_option_texts),
      cmocka_unit_test(test_option_knobs),
      cmocka_unit_test(test_attention_options),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_padding_conv),
      cmocka_unit_test(test_none),
  };

  return cmocka_run_group_tests_name("iree_knobs", tests, make_folder, remove_folder);
}
