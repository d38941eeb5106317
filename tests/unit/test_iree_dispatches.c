/* The functions of a model, the inputs that are made for them, and its dispatches: texts of the
 * compiler by themselves, stand-ins that misbehave, and the real thing where HONE_IREE has it. */
#include "iree/dispatch/dispatch.h"

#include "base/file.h"
#include "base/npy.h"
#include "folder.h"
#include "hone_iree.h"
#include "iree/model/dispatches.h"
#include "iree/model/model_inputs.h"

#include <math.h>
#include <unistd.h>

static int begin(void **state)
{
  if (make_folder(state) != 0) return -1;
  setenv("HONE_CACHE", path_of("cache"), 1);
  return 0;
}

static void expect_message(hone_status status, enum hone_code code, const char *part)
{
  assert_non_null(status);
  if (!strstr(hone_status_message(status), part))
    fail_msg("no '%s' in: %s", part, hone_status_message(status));
  assert_int_equal(hone_status_code(status), code);
  hone_status_free(status);
}

/* ---- Functions ---- */

static const char flow_text[] =
    "module {\n"
    "  util.func public @main(%arg0: !hal.buffer_view, %arg1: index) -> !hal.buffer_view "
    "attributes "
    "{iree.abi.stub, iree.reflection = {iree.abi.declaration = \"sync func @main(%input0: "
    "tensor<3x5xf32> {iree.abi.output = 0 : index}, %input1: index) -> (%output0: "
    "tensor<3x5xf32>)\"}} "
    "{\n"
    "    %0 = flow.dispatch @a::@a_matmul(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>\n"
    "    %1 = flow.dispatch @b::@b_copy(%0) : (tensor<3x5xf32>) -> tensor<3x5xf32>\n"
    "    %2 = util.call @helper(%1) : (tensor<3x5xf32>) -> tensor<3x5xf32>\n"
    "    util.return %2 : !hal.buffer_view\n"
    "  }\n"
    "  util.func private @helper(%arg0: tensor<3x5xf32>) -> tensor<3x5xf32> {\n"
    "    %0 = flow.dispatch @a::@a_matmul(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>\n"
    "    %1 = util.call @helper(%0) : (tensor<3x5xf32>) -> tensor<3x5xf32>\n"
    "    util.return %1 : tensor<3x5xf32>\n"
    "  }\n"
    "  util.func public @\"odd name\"(%arg0: !hal.buffer_view) attributes {iree.reflection = "
    "{iree.abi.declaration = \"sync func @odd name(%input0: tensor<?x4xbf16>, %input1: "
    "tensor<2xcomplex<f32>>) -> ()\"}} {\n"
    "    %0 = flow.dispatch @c::@c_x(%arg0) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "    util.return\n"
    "  }\n"
    "  util.func public @waits$async(%arg0: !hal.buffer_view) attributes {iree.reflection = "
    "{iree.abi.model = \"coarse-fences\"}} {\n"
    "    util.return\n"
    "  }\n"
    "}\n";

static void read_flow(struct hone__mlir *flow, struct hone__model_functions *functions)
{
  assert_null(hone__mlir_parse(flow, "flow.mlir", flow_text, strlen(flow_text)));
  assert_null(hone__model_functions(flow, functions));
}

static void reads_declarations(void **state)
{
  struct hone__model_functions functions;
  struct hone__text words = {0};
  struct hone__mlir flow;

  (void)state;
  read_flow(&flow, &functions);
  assert_int_equal(functions.count, 3);
  hone__model_function_words(&functions.list[0], &words);
  assert_string_equal(words.data, "main(tensor<3x5xf32>, index)");
  assert_int_equal(functions.list[0].arguments[0].type.rank, 2);
  assert_int_equal(functions.list[0].arguments[0].type.dims[1], 5);
  assert_string_equal(functions.list[0].arguments[0].name, "%input0");
  assert_string_equal(functions.list[1].name, "odd name");
  assert_int_equal(functions.list[1].arguments[0].type.dims[0], -1);
  assert_true(functions.list[2].is_async);
  hone__text_release(&words);
  hone__model_functions_release(&functions);
  hone__mlir_release(&flow);
}

/* As imports from torch and ONNX have them. */
static const char torch_text[] =
    "module {\n"
    "  util.func public @\"torch-jit-export$async\"(%arg0: !hal.buffer_view, %arg1: !hal.fence, "
    "%arg2: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {inlining_policy = "
    "#util.inline.never, iree.abi.model = \"coarse-fences\", iree.abi.stub} {\n"
    "    %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<?x2048xi32>{%d}\n"
    "    %1:2 = hal.tensor.barrier join(%0, %0 : tensor<1x4xf32>, tensor<2xi64>) => %arg2 : "
    "!hal.fence\n"
    "    %2 = hal.tensor.export %1#0 : tensor<1x4xf32> -> !hal.buffer_view\n"
    "    %3 = hal.tensor.export %1#1 : tensor<2xi64> -> !hal.buffer_view\n"
    "    util.return %2, %3 : !hal.buffer_view, !hal.buffer_view\n"
    "  }\n"
    "  util.func public @\"torch-jit-export\"(%arg0: !hal.buffer_view) -> (!hal.buffer_view, "
    "!hal.buffer_view) attributes {iree.abi.stub} {\n"
    "    %0 = util.null : !hal.fence\n"
    "    %1:2 = util.call @\"torch-jit-export$async\"(%arg0, %0, %0) : (!hal.buffer_view, "
    "!hal.fence, !hal.fence) -> (!hal.buffer_view, !hal.buffer_view)\n"
    "    util.return %1#1, %1#0 : !hal.buffer_view, !hal.buffer_view\n"
    "  }\n"
    "}\n";

static void finds_tensors_behind_buffer_views(void **state)
{
  const struct hone__model_function *function;
  struct hone__model_functions functions;
  struct hone__words outputs = {0};
  struct hone__mlir flow;

  (void)state;
  assert_null(hone__mlir_parse(&flow, "flow.mlir", torch_text, strlen(torch_text)));
  assert_null(hone__model_functions(&flow, &functions));
  assert_null(hone__model_function_choose(&functions, NULL, &function));
  assert_string_equal(function->name, "torch-jit-export");
  assert_int_equal(function->argument_count, 1);
  assert_string_equal(function->arguments[0].type.element, "i32");
  assert_int_equal(function->arguments[0].type.dims[0], -1);
  assert_int_equal(function->arguments[0].type.dims[1], 2048);
  hone__model_outputs(&flow, "torch-jit-export", &outputs);
  assert_int_equal(outputs.count, 2);
  assert_string_equal(outputs.data[0], "tensor<2xi64>");
  assert_string_equal(outputs.data[1], "tensor<1x4xf32>");
  hone__words_release(&outputs);
  hone__model_functions_release(&functions);
  hone__mlir_release(&flow);
}

static void lists_functions_where_one_must_be_chosen(void **state)
{
  const struct hone__model_function *function;
  struct hone__model_functions functions;
  struct hone__mlir flow;

  (void)state;
  read_flow(&flow, &functions);
  expect_message(hone__model_function_choose(&functions, NULL, &function), HONE_INVALID_ARGUMENT,
                 "--function NAME; it has: main(tensor<3x5xf32>, index), odd name(");
  expect_message(hone__model_function_choose(&functions, "mian", &function), HONE_INVALID_ARGUMENT,
                 "it has no function 'mian'");
  assert_null(hone__model_function_choose(&functions, "main", &function));
  assert_string_equal(function->name, "main");
  hone__model_functions_release(&functions);
  hone__mlir_release(&flow);
}

static void counts_what_is_dispatched(void **state)
{
  struct hone__model model = {0};
  struct hone__model_functions functions;
  struct hone__model_executable a = {.name = (char *)"a", .entry = (char *)"a_matmul"},
                                b = {.name = (char *)"b", .entry = (char *)"b_copy"},
                                c = {.name = (char *)"c", .entry = (char *)"c_x"};

  (void)state;
  read_flow(&model.flow, &functions);
  assert_int_equal(hone__model_calls(&model, "main", &b), 1);
  assert_int_equal(hone__model_calls(&model, "main", &c), 0);
  assert_int_equal(hone__model_calls(&model, NULL, &c), 1);
  assert_true(hone__model_calls(&model, "main", &a) >= 2); /* a function that calls itself ends */
  hone__model_functions_release(&functions);
  hone__mlir_release(&model.flow);
}

/* ---- Inputs ---- */

static const char *word_at(const struct hone__words *words, size_t index)
{
  assert_true(index < words->count);
  return words->data[index];
}

static void makes_inputs(void **state)
{
  static int64_t dims[] = {3, 5}, odd[] = {7};
  struct hone__model_argument arguments[] = {{"%input0", {"tensor<3x5xf32>", true, dims, 2, "f32"}},
                                             {"%input1", {"index", false, NULL, 0, "index"}},
                                             {"%input2", {"f16", false, NULL, 0, "f16"}},
                                             {"%input3", {"tensor<7xbf16>", true, odd, 1, "bf16"}},
                                             {"%input4", {"tensor<7xi4>", true, odd, 1, "i4"}},
                                             {"%input5", {"tensor<3x5xi32>", true, dims, 2, "i32"}},
                                             {"%input6", {"tensor<ui8>", true, dims, 0, "ui8"}}};
  struct hone__model_function function = {"main", arguments, 7, false};
  struct hone_iree_model_options options;
  struct hone__text given = {0};
  struct hone__words words = {0}, again = {0};
  struct hone__npy npy;
  char *bytes;
  size_t size;

  (void)state;
  hone_iree_model_options_init(&options);
  assert_null(hone__model_inputs(&function, &options, path_of("inputs"), &words));
  assert_int_equal(words.count, 7);
  assert_string_equal(word_at(&words, 1), "--input=1");
  assert_string_equal(word_at(&words, 2), "--input=0.5");
  assert_non_null(strstr(word_at(&words, 3), "--input=7xbf16=@"));
  assert_null(hone__file_read(path_of("inputs/input4.bin"), 1 << 20, &bytes, &size));
  assert_int_equal(size, 4);
  free(bytes);
  assert_null(hone__file_read(path_of("inputs/input0.npy"), 1 << 20, &bytes, &size));
  assert_null(hone__npy_parse(bytes, size, &npy));
  assert_int_equal(npy.count, 15);
  assert_int_equal(npy.shape[1], 5);
  assert_true(fabs(hone__element_get(HONE__ELEMENT_F32, bytes + npy.offset, 7)) <= 1);
  free(bytes);
  assert_null(hone__file_read(path_of("inputs/input5.npy"), 1 << 20, &bytes, &size));
  assert_null(hone__npy_parse(bytes, size, &npy));
  for (size_t i = 0; i < npy.count; i++) /* they may be indices */
    assert_true(hone__element_get(HONE__ELEMENT_I32, bytes + npy.offset, i) >= 0);
  free(bytes);
  hone__text_addf(&given, "@%s/../inputs/input0.npy", path_of("inputs"));
  options.inputs = (const char *const *)&given.data;
  options.input_count = 1;
  assert_null(hone__model_inputs(&function, &options, path_of("inputs"), &again));
  assert_string_equal(word_at(&again, 0), word_at(&words, 0));
  assert_string_equal(word_at(&again, 5), word_at(&words, 5));
  hone__text_release(&given);
  hone__words_release(&again);
  hone__words_release(&words);
}

static void says_which_input_must_be_given(void **state)
{
  const struct hone__model_function *function;
  struct hone__model_functions functions;
  struct hone__mlir flow;
  const char *given[] = {"4x4xbf16=1", "@no/y.npy", "@z.npy"};
  const char *dims[] = {"input0.0=2", "input0.1=4"};
  struct hone_iree_model_options options;
  struct hone__words words = {0};

  (void)state;
  read_flow(&flow, &functions);
  assert_null(hone__model_function_choose(&functions, "odd name", &function));
  hone_iree_model_options_init(&options);
  expect_message(hone__model_inputs(function, &options, path_of("in"), &words),
                 HONE_INVALID_ARGUMENT,
                 "argument 0 of 'odd name' is tensor<?x4xbf16>: a dim has no fixed size; give "
                 "--dim input0.0=1, or the arguments up to it with --input=@FILE.npy, or such as "
                 "--input=64x4xbf16=1");
  options.inputs = given;
  options.input_count = 1;
  expect_message(hone__model_inputs(function, &options, path_of("in"), &words),
                 HONE_INVALID_ARGUMENT, "argument 1 of 'odd name' is tensor<2xcomplex<f32>>");
  options.input_count = 3;
  expect_message(hone__model_inputs(function, &options, path_of("in"), &words),
                 HONE_INVALID_ARGUMENT, "has 2 arguments, but 3 inputs are given");
  assert_int_equal(words.count, 0);
  options.input_count = 2;
  expect_message(hone__model_inputs(function, &options, path_of("in"), &words), HONE_IO,
                 "cannot open 'no/y.npy'");
  expect_message(hone__model_fix_dims(&functions.list[1], &dims[1], 1), HONE_INVALID_ARGUMENT,
                 "'--dim input0.1=4' is not a dynamic dim of 'odd name': give --dim input0.0=1");
  assert_null(hone__model_fix_dims(&functions.list[1], dims, 1));
  assert_int_equal(function->arguments[0].type.dims[0], 2);
  hone__words_release(&words);
  hone__model_functions_release(&functions);
  hone__mlir_release(&flow);
}

/* ---- Configurations ---- */

static void shortens_configurations(void **state)
{
  static const struct {
    const char *info, *pipeline, *words;
  } cases[] = {
      {"#iree_codegen.compilation_info<lowering_config = "
       "#iree_gpu.lowering_config<{convert_acc_gemm, "
       "mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promotion_types = "
       "[#iree_gpu.derived_thread_config], workgroup = [64, 128, 0]}>, translation_info = "
       "<pipeline = "
       "#iree_gpu.pipeline<TileAndFuse> workgroup_size = [256, 1, 1] subgroup_size = 64>>",
       "TileAndFuse",
       "convert_acc_gemm, mma_kind MFMA_F32_16x16x16_F16, promotion_types [derived_thread_config], "
       "workgroup [64,128,0], workgroup_size [256,1,1]"},
      {"#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<distribution = "
       "[8, "
       "0]>, translation_info = <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>",
       "DoubleTilingExpert", "distribution [8,0]"},
      {"#iree_codegen.compilation_info<lowering_config = #iree_codegen.lowering_config<tile_sizes "
       "= "
       "[[64, 64], [8, 8]]>, translation_info = <CPUDoubleTilingExpert>>",
       "CPUDoubleTilingExpert", "tile_sizes [[64,64],[8,8]]"},
      {"what is this", "", ""},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__text pipeline = {0}, words = {0};
    hone__iree_configuration_words(cases[i].info, &pipeline, &words);
    assert_string_equal(cases[i].pipeline, pipeline.data ? pipeline.data : "");
    assert_string_equal(cases[i].words, words.data ? words.data : "");
    hone__text_release(&pipeline);
    hone__text_release(&words);
  }
}

/* ---- Stand-ins that misbehave ---- */

#define MODELS "tests/data/iree/models/"

#define VERSION                                                                                    \
  "#!/bin/sh\ncase \"$*\" in *--version) echo 'IREE compiler version 3.13.0rc20261016 @ "          \
  "89ece87b'; "                                                                                    \
  "exit;; *--help*) echo '--iree-codegen-add-tuner-attributes'; exit;; esac\n"

static void classifies_compilers_that_misbehave(void **state)
{
  static const struct {
    const char *script, *message;
    enum hone_code code;
  } cases[] = {
      {VERSION "exit 0\n", "flow.mlir", HONE_IO},
      {VERSION "kill -SEGV $$\n", "it does not compile for llvm-cpu: crashed: signal 11",
       HONE_INVALID_SPEC},
      {VERSION "echo 'x.mlir:1:1: error: no such thing' >&2; exit 1\n",
       "it does not compile for llvm-cpu: no such thing", HONE_INVALID_SPEC},
      {VERSION "while [ $# -gt 1 ]; do shift; done; echo 'garbage <<< {' >\"$1\"\n", "flow.mlir",
       HONE_INVALID_SPEC},
  };
  struct hone_iree_options iree = {.target = "llvm-cpu"};
  struct hone_iree_model_options options;
  struct hone_iree_dispatches *dispatches;

  (void)state;
  hone_iree_model_options_init(&options);
  options.iree = &iree;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hone_status status;
    mkdir(path_of("tools"), 0777);
    write_script("tools/iree-compile", cases[i].script);
    iree.iree_dir = path_of("tools");
    status = hone_iree_dispatches(MODELS "model.mlir", &options, &dispatches);
    expect_message(status, cases[i].code, cases[i].message);
    assert_null(dispatches);
  }
}

/* ---- The real ones ---- */

static bool find_real(struct hone__iree_toolset *tools)
{
  hone__iree_toolset_find(NULL, tools);
  if (tools->paths[HONE__IREE_COMPILE] && tools->paths[HONE__IREE_BENCHMARK]) return true;
  hone__iree_toolset_release(tools);
  return false;
}

static void lists_a_model(void **state)
{
  struct hone__iree_toolset tools;
  struct hone_iree_options iree = {.target = "llvm-cpu"};
  struct hone_iree_model_options options;
  struct hone_iree_dispatches *found;
  double shares = 0;

  (void)state;
  if (!find_real(&tools)) skip();
  hone_iree_model_options_init(&options);
  options.iree = &iree;
  options.folder = path_of("kept");
  assert_null(hone_iree_dispatches(MODELS "model.mlir", &options, &found));
  assert_int_equal(hone_iree_dispatches_count(found), 2);
  assert_string_equal(hone_iree_dispatches_function(found), "main");
  assert_string_equal(hone_iree_dispatches_backend(found), "llvm-cpu");
  assert_string_equal(hone_iree_dispatches_why_untimed(found), "");
  for (size_t i = 0; i < hone_iree_dispatches_count(found); i++) {
    const struct hone_iree_dispatch *info = hone_iree_dispatches_at(found, i);
    assert_string_equal(hone_iree_dispatch_operation(info), "contraction");
    assert_string_equal(hone_iree_dispatch_layout(info), "matmul");
    assert_string_equal(hone_iree_dispatch_types(info), "f32xf32->f32");
    assert_null(hone_iree_dispatch_why_not(info));
    assert_true(hone_iree_dispatch_candidate_count(info) > 0);
    assert_int_equal(hone_iree_dispatch_calls(info), 1);
    assert_int_equal(access(hone_iree_dispatch_file(info), R_OK), 0);
    assert_true(i == 0 || hone_iree_dispatch_time_ns(info) <=
                              hone_iree_dispatch_time_ns(hone_iree_dispatches_at(found, i - 1)));
    shares += hone_iree_dispatch_share(info);
  }
  assert_true(fabs(shares - 1) < 1e-9);
  assert_int_equal(access(hone_iree_dispatches_module(found), R_OK), 0);
  hone_iree_dispatches_free(found);
  hone__iree_toolset_release(&tools);
}

static void fill_infos(const struct hone__model *model, struct hone_iree_dispatches *out)
{
  *out = (struct hone_iree_dispatches){.time_ns = NAN};
  out->device = hone__strdup("local-sync");
  out->function = hone__strdup("dyn");
  out->why_untimed = hone__strdup("");
  out->count = model->count;
  out->dispatches = hone__alloc(model->count * sizeof *out->dispatches);
  for (size_t i = 0; i < model->count; i++)
    assert_null(
        hone__model_dispatch_describe(model, &model->executables[i], NULL, &out->dispatches[i]));
}

static void times_each_by_itself(void **state)
{
  struct hone__iree_toolset tools;
  const struct hone_iree_options iree = {.target = "llvm-cpu"};
  struct hone_iree_model_options options;
  struct hone_iree_dispatches found;
  struct hone__model model;

  (void)state;
  if (!find_real(&tools)) skip();
  hone_iree_model_options_init(&options);
  options.iree = &iree;
  assert_null(hone__model_open(&model, MODELS "dyn.mlir", &options, folder));
  assert_null(hone__model_flow(&model));
  assert_null(hone__model_dump(&model));
  assert_int_equal(model.count, 2);
  assert_null(model.executables[0].benchmark);
  fill_infos(&model, &found);
  assert_null(hone__dispatches_time_alone(&model, &options, &found));
  assert_true(found.is_alone);
  assert_true(isnan(found.dispatches[0].time_ns));
  assert_non_null(strstr(found.dispatches[0].why_not, "no fixed size"));
  assert_string_equal(found.dispatches[0].sizes, "?x512x512");
  assert_true(found.dispatches[1].time_ns > 0);
  assert_int_equal(found.dispatches[1].calls, 2);
  assert_true(found.dispatches[1].share == 1);
  hone__dispatches_release(&found);
  hone__model_release(&model);
  hone__iree_toolset_release(&tools);
}

/* A runtime that says nothing, or falls over: the list is there, or the error says what happened.
 */
static void survives_runtimes_that_misbehave(void **state)
{
  struct hone__iree_toolset tools;
  struct hone_iree_options iree = {.target = "llvm-cpu"};
  struct hone_iree_model_options options;
  struct hone_iree_dispatches *found;
  char path[1024];

  (void)state;
  if (!find_real(&tools)) skip();
  hone_iree_model_options_init(&options);
  options.iree = &iree;
  mkdir(path_of("tools"), 0777);
  snprintf(path, sizeof path, "%s", tools.paths[HONE__IREE_COMPILE]);
  assert_int_equal(symlink(path, path_of("tools/iree-compile")), 0);
  assert_int_equal(symlink(tools.paths[HONE__IREE_RUN], path_of("tools/iree-run-module")), 0);
  iree.iree_dir = path_of("tools");
  write_script("tools/iree-benchmark-module", "#!/bin/sh\nexit 0\n");
  assert_null(hone_iree_dispatches(MODELS "model.mlir", &options, &found));
  assert_int_equal(hone_iree_dispatches_count(found), 2);
  assert_true(isnan(hone_iree_dispatch_time_ns(hone_iree_dispatches_at(found, 0))));
  hone_iree_dispatches_free(found);
  write_script(
      "tools/iree-benchmark-module",
      "#!/bin/sh\ncase \"$*\" in *--help*) echo --dispatch_statistics; exit;; esac\n"
      "for w; do case $w in --benchmark_out=*) echo '{\"benchmarks\": [{\"calls\": \"x\"}, 3]}' "
      ">\"${w#*=}\";; esac; done\n");
  assert_null(hone_iree_dispatches(MODELS "model.mlir", &options, &found));
  assert_int_equal(hone_iree_dispatches_count(found), 2);
  hone_iree_dispatches_free(found);
  write_script("tools/iree-benchmark-module",
               "#!/bin/sh\ncase \"$*\" in *--help*) echo --dispatch_statistics; exit;; esac\n"
               "kill -SEGV $$\n");
  expect_message(hone_iree_dispatches(MODELS "model.mlir", &options, &found), HONE_INVALID_ARGUMENT,
                 "the model does not run: crashed");
  hone__iree_toolset_release(&tools);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
      TEST(reads_declarations),
      TEST(finds_tensors_behind_buffer_views),
      TEST(lists_functions_where_one_must_be_chosen),
      TEST(counts_what_is_dispatched),
      TEST(makes_inputs),
      TEST(says_which_input_must_be_given),
      TEST(shortens_configurations),
      TEST(classifies_compilers_that_misbehave),
      TEST(lists_a_model),
      TEST(times_each_by_itself),
      TEST(survives_runtimes_that_misbehave),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
