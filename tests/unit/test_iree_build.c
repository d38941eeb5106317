/* Builds of IREE's dispatches: with scripts that stand in for iree-compile and misbehave, and with
 * the real one where HONE_IREE has it. */
#include "wire/packed_json.h"
#include "iree/backend/iree_backend.h"
#include "iree/backend/iree_costs.h"
#include "base/digest.h"
#include "base/file.h"
#include "folder.h"
#include "iree/dispatch/dispatch.h"
#include "iree/toolset/toolset.h"
#include "iree/tuning_spec/tuning_spec.h"

#include <unistd.h>

static char home[4096], cache[64];

/* ---- A compiler that does what the candidate's text says ---- */

#define INFO(workgroup)                                                                            \
  "#iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<{workgroup = "       \
  "[" workgroup                                                                                    \
  "]}>, translation_info = <pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size "            \
  "= [64, 1, 1] subgroup_size = 64>>"

static const char fake_compiler[] =
    "#!/bin/sh\n"
    "case \" $* \" in *' dispatch.mlir '*) ;; *) echo IREE; exit 0;; esac\n"
    "echo \"$@\" >>\"$FAKE_LOG\"\n"
    "does() { grep -q \"$1\" spec.mlir 2>/dev/null; }\n"
    "does crash && { echo 'LLVM ERROR: Cannot select: mma' >&2; kill -ABRT $$; }\n"
    "does hang && sleep 30\n"
    "does memory && { echo 'LLVM ERROR: out of memory' >&2; exit 1; }\n"
    "does silent && exit 0\n"
    "does fail && { cat >&2 <<'end'\n"
    "warning: <unknown>:0:0: failed to meet occupancy target\n"
    "dispatch.mlir:29:17: error: 'vector.transfer_read' op failed to derive layout\n"
    "          %7 = linalg.matmul\n"
    "dispatch.mlir:3:1: error: failed to run translation of source executable to target\n"
    "end\n"
    "exit 1; }\n"
    "does 'workgroup = .9, 9' || { mkdir -p configured; cat >configured/configured_m.mlir <<'end'\n"
    "func.func @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = "
    "#iree_gpu.pipeline<TileAndFuse> workgroup_size = [64, 1, 1] subgroup_size = 64>} {\n"
    "  %0 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{promote_operands = [0], "
    "workgroup = [64, 128, 0]}>, root_op = #iree_codegen.root_op<set = 0>} ins(%a, %b : "
    "tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "  return\n}\n"
    "end\n"
    "}\n"
    "mkdir -p made; cat >made/m.rocmasm <<'end'\n"
    "amdhsa.kernels:\n"
    "  - .agpr_count:     4\n"
    "    .group_segment_fixed_size: 34816\n"
    "    .sgpr_count:     22\n"
    "    .sgpr_spill_count: 0\n"
    "    .vgpr_count:     152\n"
    "    .vgpr_spill_count: 3\n"
    "end\n"
    "echo module >module.vmfb\n";

/* ---- Builds ---- */

struct build {
  json_t *setup;
  struct hone__answer answer;
};

/* What a setup does not say does not matter here. */
static json_t *complete(json_t *setup)
{
  json_t *rest = json_pack("{s:s, s:s, s:{s:b, s:f, s:f, s:f}, s:{s:s}}", "clock", "wall", "timing",
                           "iree", "check", "enabled", 0, "rtol", -1.0, "atol", -1.0, "ratio", 0.0,
                           "reference", "kind", "none"),
         *subject = json_pack("{s:s, s:s, s:s}", "digest", "", "driver", "hip", "function", "f");

  assert_non_null(setup);
  json_object_update_missing(setup, rest);
  json_object_update_missing(json_object_get(setup, "iree"), subject);
  json_decref(rest);
  json_decref(subject);
  return setup;
}

static json_t *fake_setup(void)
{
  return complete(json_pack(
      "{s:s, s:s, s:{s:f}, s:{s:s, s:s, s:s, s:[s]}}", "dispatch", path_of("d.mlir"), "iree_dir",
      path_of("tools"), "build", "timeout_s", 20.0, "iree", "backend", "rocm", "matcher_name", "m",
      "matcher", "transform.iree.match.x %arg0 : !transform.any_op", "flags", "--a-flag"));
}

/* The key is that of the text. */
static json_t *candidate_of(const char *digest, const char *info, const char *identity)
{
  json_t *candidate = json_pack("{s:s, s:s}", "dispatch_digest", digest, "identity", identity);
  struct hone__digester *digester = hone__digest_begin();
  char key[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, digest);
  hone__digest_add_text(digester, info);
  hone__digest_end(digester, key);
  if (info) json_object_set_new(candidate, "compilation_info", json_string(info));
  json_object_set_new(candidate, "build_key", json_string(key));
  return candidate;
}

/* Takes the candidate. */
static void build(struct build *build, json_t *candidate, double timeout_s)
{
  json_t *job = json_pack("{s:o, s:f}", "candidate", candidate, "timeout_s", timeout_s);

  build->answer = (struct hone__answer){0};
  hone__backend_iree.worker.build(hone__wire_json_packed(build->setup), hone__wire_json_packed(job),
                                  &build->answer);
  json_decref(job);
}

static void forget(struct build *build)
{
  hone__packed_drop(build->answer.head);
  hone__text_release(&build->answer.evidence);
  hone__text_release(&build->answer.payload);
}

static void expect(const struct build *build, enum hone_outcome outcome, const char *words,
                   bool cached)
{
  const char *evidence = build->answer.evidence.data ? build->answer.evidence.data : "";

  if (build->answer.outcome != outcome || !strstr(evidence, words))
    print_message("%s: %s\n", hone_outcome_name(build->answer.outcome), evidence);
  assert_int_equal(build->answer.outcome, outcome);
  assert_non_null(strstr(evidence, words));
  assert_int_equal(json_is_true(json_object_get(hone__packed_json(build->answer.head), "cached")),
                   cached);
  assert_int_equal(build->answer.payload.length > 0, outcome == HONE_OUTCOME_OK);
}

static char fake_digest[HONE__DIGEST_SIZE];

static void expect_fake(struct build *b, const char *info, double timeout_s,
                        enum hone_outcome outcome, const char *words, bool cached)
{
  build(b, candidate_of(fake_digest, info, ""), timeout_s);
  expect(b, outcome, words, cached);
  forget(b);
}

static size_t calls(void)
{
  char *text = NULL;
  size_t size = 0, count = 0;
  hone_status status = hone__file_read(path_of("log"), 1 << 20, &text, &size);

  for (size_t i = 0; i < size; i++)
    count += text[i] == '\n';
  hone_status_free(status);
  free(text);
  return count;
}

/* ---- Stand-ins ---- */

static void test_failures(void **state)
{
  struct build b = {.setup = fake_setup()};

  (void)state;
  expect_fake(&b, "fail", 20, HONE_OUTCOME_COMPILE_ERROR, "op failed to derive layout", false);
  expect_fake(&b, "fail", 20, HONE_OUTCOME_COMPILE_ERROR, "op failed to derive layout", true);
  expect_fake(&b, "crash", 20, HONE_OUTCOME_COMPILE_CRASH, "LLVM ERROR: Cannot select", false);
  expect_fake(&b, "crash", 20, HONE_OUTCOME_COMPILE_CRASH, "SIGABRT", false); /* not kept */
  expect_fake(&b, "memory", 20, HONE_OUTCOME_COMPILE_OOM, "out of memory", false);
  expect_fake(&b, "hang", 0.3, HONE_OUTCOME_COMPILE_TIMEOUT, "still running after", false);
  expect_fake(&b, "silent", 20, HONE_OUTCOME_COMPILE_ERROR, "wrote no output file", false);
  json_decref(b.setup);
}

static void test_first_error_only(void **state)
{
  struct build b = {.setup = fake_setup()};

  (void)state;
  build(&b, candidate_of(fake_digest, "fail again", ""), 20);
  expect(&b, HONE_OUTCOME_COMPILE_ERROR, "derive layout", false);
  assert_null(strstr(b.answer.evidence.data, "failed to run translation"));
  assert_non_null(
      strstr(json_string_value(json_object_get(hone__packed_json(b.answer.head), "output")),
             "failed to run translation"));
  forget(&b);
  json_decref(b.setup);
}

static void test_applied(void **state)
{
  struct build b = {.setup = fake_setup()};
  const json_t *costs;
  size_t before;

  (void)state;
  expect_fake(&b, INFO("64, 128, 0"), 20, HONE_OUTCOME_OK, "", false);
  build(&b, candidate_of(fake_digest, INFO("64, 128, 0"), ""), 20);
  expect(&b, HONE_OUTCOME_OK, "", true);
  costs = json_object_get(hone__packed_json(b.answer.head), "costs");
  assert_int_equal(json_integer_value(json_object_get(costs, "vgpr_count")), 152);
  assert_int_equal(json_integer_value(json_object_get(costs, "agpr_count")), 4);
  assert_int_equal(json_integer_value(json_object_get(costs, "vgpr_spill_count")), 3);
  assert_int_equal(json_integer_value(json_object_get(costs, "shared_bytes")), 34816);
  forget(&b);
  before = calls();
  expect_fake(&b, INFO("32, 128, 0"), 20, HONE_OUTCOME_NOT_APPLIED,
              "workgroup should be [32, 128, 0] and is [64, 128, 0]", false);
  expect_fake(&b, INFO("32, 128, 0"), 20, HONE_OUTCOME_NOT_APPLIED, "workgroup should be", true);
  assert_int_equal(calls(), before + 1);
  expect_fake(&b, INFO("9, 9, 0"), 20, HONE_OUTCOME_NOT_APPLIED, "did not report", false);
  expect_fake(&b, NULL, 20, HONE_OUTCOME_OK, "", false); /* the compiler's own choice */
  json_decref(b.setup);
}

static void test_command(void **state)
{
  struct build b = {.setup = fake_setup()};
  struct hone__text command = {0};
  json_t *with = candidate_of(fake_digest, INFO("1, 1, 0"), ""),
         *without = candidate_of(fake_digest, NULL, "");

  (void)state;
  assert_null(hone__backend_iree.driver.build_command(hone__wire_json_packed(b.setup),
                                                      hone__wire_json_packed(without), &command));
  assert_null(strstr(command.data, "spec"));
  hone__text_release(&command);
  assert_null(hone__backend_iree.driver.build_command(hone__wire_json_packed(b.setup),
                                                      hone__wire_json_packed(with), &command));
  assert_non_null(strstr(command.data, "--iree-codegen-tuning-spec-path=spec.mlir"));
  assert_non_null(strstr(command.data, "--a-flag"));
  hone__text_release(&command);
  json_object_set_new(json_object_get(b.setup, "iree"), "backend", json_string("cuda"));
  assert_null(hone__backend_iree.driver.build_command(hone__wire_json_packed(b.setup),
                                                      hone__wire_json_packed(with), &command));
  assert_non_null(strstr(command.data, "--iree-codegen-transform-dialect-library=spec.mlir"));
  hone__text_release(&command);
  json_decref(with);
  json_decref(without);
  json_decref(b.setup);
}

/* Another host: no compiler, no dispatch, but the cache. */
static void test_no_compiler(void **state)
{
  struct build b = {.setup = fake_setup()};

  (void)state;
  expect_fake(&b, INFO("64, 128, 0"), 20, HONE_OUTCOME_OK, "", true);
  mkdir(path_of("empty"), 0755);
  json_object_set_new(b.setup, "iree_dir", json_string(path_of("empty")));
  json_object_set_new(b.setup, "dispatch", json_string("/nowhere/d.mlir"));
  expect_fake(&b, INFO("64, 128, 0"), 20, HONE_OUTCOME_OK, "", true);
  expect_fake(&b, INFO("32, 128, 0"), 20, HONE_OUTCOME_NOT_APPLIED, "", true);
  json_object_set_new(b.setup, "iree_dir", json_string(path_of("tools")));
  expect_fake(&b, "new", 20, HONE_OUTCOME_NOT_BUILT, "/nowhere/d.mlir", false);
  json_decref(b.setup);
}

static void test_another_dispatch(void **state)
{
  struct build b = {.setup = fake_setup()};
  json_t *candidate;

  (void)state;
  build(&b, candidate_of("0123456789abcdef0123456789abcdef", NULL, ""), 20);
  expect(&b, HONE_OUTCOME_NOT_BUILT, "is not the dispatch that is tuned", false);
  forget(&b);
  build(&b, candidate_of(fake_digest, "of another", "3.99 elsewhere"), 20);
  expect(&b, HONE_OUTCOME_NOT_BUILT, "not the version that this dispatch was prepared with", false);
  forget(&b);
  build(&b, json_object(), 20);
  expect(&b, HONE_OUTCOME_PROTOCOL, "candidate of IREE: 'dispatch_digest' is missing", false);
  forget(&b);
  candidate = candidate_of(fake_digest, NULL, "");
  json_object_set_new(candidate, "build_key", json_string("short"));
  build(&b, candidate, 20);
  expect(&b, HONE_OUTCOME_PROTOCOL, "without a key", false);
  forget(&b);
  json_object_del(json_object_get(b.setup, "iree"), "driver");
  build(&b, candidate_of(fake_digest, NULL, ""), 20);
  expect(&b, HONE_OUTCOME_PROTOCOL, "setup of IREE: 'driver' is missing", false);
  forget(&b);
  json_decref(b.setup);
}

/* ---- Costs ---- */

static void test_costs_of_ptx(void **state)
{
  struct hone__iree_costs costs = {0};

  (void)state;
  mkdir(path_of("made"), 0755);
  write_text("made/k.ptx", ".version 7.6\n.target sm_80\n.shared .align 16 .b8 a[1024];\n"
                           ".shared .align 4 .b8 b[16];\n.extern .shared .align 16 .b8 dyn[];\n");
  write_script("ptxas",
               "#!/bin/sh\n[ \"$1\" = -arch=sm_80 ] || exit 1\n"
               "echo 'ptxas info    : Function properties for k' >&2\n"
               "echo '    8 bytes stack frame, 24 bytes spill stores, 16 bytes spill loads' "
               ">&2\n"
               "echo 'ptxas info    : Used 126 registers, used 1 barriers' >&2\n");
  setenv("HONE_PTXAS", path_of("ptxas"), 1);
  hone__iree_costs_read(path_of("made"), &costs);
  assert_int_equal(hone__iree_cost(&costs, "shared_bytes"), 1040);
  assert_int_equal(hone__iree_cost(&costs, "registers"), 126);
  assert_int_equal(hone__iree_cost(&costs, "spill_bytes"), 40);
  assert_int_equal(hone__iree_cost(&costs, "stack_bytes"), 8);
  costs = (struct hone__iree_costs){0};
  setenv("HONE_PTXAS", "/nowhere/ptxas", 1);
  hone__iree_costs_read(path_of("made"), &costs);
  hone__iree_costs_read("/nowhere", &costs);
  assert_int_equal(costs.count, 1);
  unsetenv("HONE_PTXAS");
}

/* Whatever a module holds, reading it ends. */
static void test_costs_of_broken_modules(void **state)
{
  char module[160] = "..CDA1";
  struct hone__iree_costs costs = {0};

  (void)state;
  for (unsigned seed = 0; seed < 20000; seed++) {
    for (size_t i = 66; i < sizeof module; i++)
      module[i] = (char)((seed * 2654435761u + i * 40503u * (seed + 7)) >> 13 & 0x1f);
    memcpy(module + 70, "CDA1", 4);
    for (size_t size = 60; size <= sizeof module; size += 25)
      hone__iree_costs_of_module(module, size, &costs);
  }
}

/* ---- The real compiler ---- */

struct real {
  struct build build;
  char digest[HONE__DIGEST_SIZE];
};

static void succeed(hone_status status)
{
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
}

/* The dispatch of a dump, prepared, with a matcher for its operation. */
static void open_real(struct real *real, const char *dump, const char *backend)
{
  struct hone__mlir mlir = {0};
  struct hone__iree_dispatch dispatch;
  struct hone__iree_operation operation;
  struct hone__text matcher = {0}, why = {0};
  struct hone__iree_toolset tools;
  char path[5000];

  hone__iree_toolset_find(NULL, &tools);
  if (!tools.paths[HONE__IREE_COMPILE]) {
    print_message("IREE is not here (HONE_IREE): skipped\n");
    hone__iree_toolset_release(&tools);
    skip();
  }
  hone__iree_toolset_release(&tools);
  snprintf(path, sizeof path, "%s/tests/data/iree/dumps/%s", home, dump);
  succeed(hone__mlir_read(&mlir, path));
  succeed(hone__iree_dispatch_prepare(&mlir, 42, NULL, &dispatch));
  assert_int_equal(hone__iree_operation_find(&mlir, &operation, &why), HONE__IREE_TUNABLE);
  hone__iree_tuning_spec_matcher(&operation, &matcher);
  write_file("real.mlir", dispatch.text.data, dispatch.text.length);
  hone__digest(dispatch.text.data, dispatch.text.length, real->digest);
  real->build.setup =
      complete(json_pack("{s:s, s:{s:f}, s:{s:s, s:s, s:s, s:[]}}", "dispatch",
                         path_of("real.mlir"), "build", "timeout_s", 120.0, "iree", "backend",
                         backend, "matcher_name", "m", "matcher", matcher.data, "flags"));
  hone__text_release(&matcher);
  hone__text_release(&why);
  hone__iree_dispatch_release(&dispatch);
  hone__mlir_release(&mlir);
}

/* The object's digest, in a buffer of this function, which has eight. */
static const char *expect_real(struct real *real, const char *info, enum hone_outcome outcome,
                               const char *words)
{
  static char objects[8][HONE__DIGEST_SIZE];
  static unsigned next;
  char *object = objects[next++ % 8];
  const char *said;

  build(&real->build, candidate_of(real->digest, info, ""), 120);
  if (real->build.answer.outcome != outcome) print_message("%s\n", info);
  expect(&real->build, outcome, words, false);
  said = json_string_value(json_object_get(hone__packed_json(real->build.answer.head), "object"));
  snprintf(object, HONE__DIGEST_SIZE, "%s", said ? said : "");
  forget(&real->build);
  return object;
}

#define CPU(lowering)                                                                              \
  "#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<" lowering           \
  ">, translation_info = <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>"
#define TILES(d, v, r) "distribution = " d ", vector_common_parallel = " v ", vector_reduction = " r

/* What is legal on llvm-cpu, what is not and what the compiler says then. */
static void test_cpu(void **state)
{
  static const struct {
    const char *info, *words;
  } errors[] = {
      {CPU(TILES("[64, 64, 0]", "[8, 32, 0]", "[0, 0, 64]")), "large vector sizes"},
      {CPU("distribution = [64, 64, 0], vector_common_parallel = [8, 32, 0]"),
       "large vector sizes"},
      {CPU("vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16]"),
       "failed to build pass pipeline"},
      {CPU(TILES("[-64, 64, 0]", "[8, 32, 0]", "[0, 0, 16]")), "expected sizes to be non-negative"},
      {CPU(TILES("[64, 64, 8]", "[8, 32, 0]", "[0, 0, 16]")), "expected only parallel dims"},
      {CPU(TILES("[64, 64, 0]", "[8, 32, 0]", "[4, 0, 16]")), "expected only reduction dims"},
      {"#iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<{workgroup = "
       "[64, "
       "64, 0]}>, translation_info = <pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = "
       "[64, 1, 1] subgroup_size = 64>>",
       "failed to build pass pipeline"},
      {"#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<distribution = "
       "[64, 64, 0]>, translation_info = <pipeline = CPUDoubleTilingExpert>>",
       "error: expected"},
      {"#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<distribution = "
       "[64, 64, 0]>, translation_info = <pipeline = #iree_cpu.pipeline<Nonsense>>>",
       "LoweringPipeline to be one of"},
  };
  struct real real;
  const char *object;

  (void)state;
  open_real(&real, "matmul_cpu.mlir", "llvm-cpu");
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    expect_real(&real, errors[i].info, HONE_OUTCOME_COMPILE_ERROR, errors[i].words);
  object = expect_real(&real, CPU(TILES("[2048, 2048, 0]", "[8, 32, 0]", "[0, 0, 16]")),
                       HONE_OUTCOME_OK, "");
  assert_string_equal(object,
                      expect_real(&real, CPU(TILES("[4096, 4096, 0]", "[8, 32, 0]", "[0, 0, 16]")),
                                  HONE_OUTCOME_OK, ""));
  object = expect_real(&real, CPU(TILES("[64, 64, 0]", "[8, 16, 0]", "[0, 0, 16]")),
                       HONE_OUTCOME_OK, "");
  assert_string_equal(object, expect_real(&real, NULL, HONE_OUTCOME_OK, "")); /* its own choice */
  json_decref(real.build.setup);
}

#define GPU(lowering, size, subgroup)                                                              \
  "#iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<{" lowering          \
  "}>, translation_info = <pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = " size      \
  " subgroup_size = " subgroup ">>"
#define MFMA "mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promote_operands = [0, 1], "

static void test_gfx942(void **state)
{
  static const struct {
    const char *info, *words;
  } errors[] = {
      {GPU("mma_kind = #iree_gpu.mma_layout<MFMA_NONE>, workgroup = [64, 64, 0]", "[256, 1, 1]",
           "64"),
       "MMAIntrinsic to be one of"},
      {GPU(MFMA "reduction = [0, 0, 40], subgroup = [4, 4, 0], workgroup = [128, 128, 0]",
           "[256, 1, 1]", "64"),
       "of shared memory; exceeded the limit"},
      {GPU(MFMA "reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [100, 128, 0]",
           "[256, 1, 1]", "64"),
       "error: "},
      {GPU(MFMA "reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [128, 128, 0]",
           "[256, 1, 1]", "128"),
       "invalid subgroup size 128"},
      {GPU(MFMA "reduction = [0, 0, 4], workgroup = [128, 128, 0]", "[256, 1, 1]", "64"),
       "must have a parent subgroup distributed loop"},
  };
  struct real real;
  const json_t *costs;

  (void)state;
  open_real(&real, "matmul_gfx942.mlir", "rocm");
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    expect_real(&real, errors[i].info, HONE_OUTCOME_COMPILE_ERROR, errors[i].words);
  build(&real.build,
        candidate_of(real.digest,
                     GPU(MFMA
                         "reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [128, 128, 0]",
                         "[256, 1, 1]", "64"),
                     ""),
        120);
  expect(&real.build, HONE_OUTCOME_OK, "", false);
  costs = json_object_get(hone__packed_json(real.build.answer.head), "costs");
  assert_true(json_integer_value(json_object_get(costs, "vgpr_count")) > 0);
  assert_true(json_integer_value(json_object_get(costs, "shared_bytes")) > 0);
  assert_int_equal(json_integer_value(json_object_get(costs, "threads")), 256);
  forget(&real.build);
  json_decref(real.build.setup);
}

/* Specs reach CUDA by another flag; shared memory is known from the module. */
static void test_sm80(void **state)
{
  static const char info[] =
      "#iree_codegen.compilation_info<lowering_config = "
      "#iree_gpu.lowering_config<{convert_acc_gemm, mma_kind = "
      "#iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = "
      "[0, "
      "0, 0, 0, 4], subgroup = [1, 2, 1, 2, 0], workgroup = [1, 4, 32, 32, 0]}>, translation_info "
      "= "
      "<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [256, 1, 1] subgroup_size = "
      "32, "
      "{gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2, "
      "no_reduce_shared_memory_bank_conflicts = false, use_igemm_convolution = true>}>>";
  struct real real;
  const json_t *costs;

  (void)state;
  open_real(&real, "conv_sm80.mlir", "cuda");
  build(&real.build, candidate_of(real.digest, info, ""), 120);
  expect(&real.build, HONE_OUTCOME_OK, "", false);
  costs = json_object_get(hone__packed_json(real.build.answer.head), "costs");
  assert_int_equal(json_integer_value(json_object_get(costs, "threads")), 256);
  assert_true(json_integer_value(json_object_get(costs, "shared_bytes")) > 1024);
  forget(&real.build);
  json_decref(real.build.setup);
}

/* ---- Around the tests ---- */

/* ---- Keys of a model ---- */

/* Of configuration `index` of a model with these lines besides. */
static void key_of(const char *lines, uint64_t index, char key[HONE__DIGEST_SIZE])
{
  const char *files[] = {path_of("model.yaml")};
  struct hone_spec_options options;
  struct hone_space_options space_options;
  struct hone_spec *spec = NULL;
  struct hone_space *space = NULL;
  struct hone__task task;
  struct hone__packed *candidate = NULL;
  uint32_t row[8];
  char text[2048];

  snprintf(text, sizeof text,
           "name: m\nfile: d.mlir\nbackend: iree\niree: {model: d.mlir, digest: d, identity: i, "
           "backend: llvm-cpu, driver: local-sync, function: f, %s\n",
           lines);
  write_text("model.yaml", text);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  hone_space_options_init(&space_options);
  assert_null(hone_spec_load(&options, &spec));
  assert_null(hone_space_build(spec, &space_options, &space));
  assert_null(hone__task_init(&task, spec, space));
  assert_true(hone_space_at(space, index, row));
  assert_null(hone__iree_candidate(&task, row, &candidate));
  snprintf(key, HONE__DIGEST_SIZE, "%s",
           json_string_value(json_object_get(hone__packed_json(candidate), "build_key")));
  hone__packed_drop(candidate);
  hone__task_release(&task);
  hone_space_free(space);
  hone_spec_free(spec);
}

/* The winner of the options is built once, though it is the baseline of later stages. */
static void test_words_have_one_key(void **state)
{
  static const char variants[] = "flags: [--a], variants: [{param: o, value: 1, flags: [--b]}]}\n"
                                 "params: {o: [0, 1]}\nbaseline: {o: 0}";
  char plain[HONE__DIGEST_SIZE], option[HONE__DIGEST_SIZE], base[HONE__DIGEST_SIZE];

  (void)state;
  key_of(variants, 0, plain);
  key_of(variants, 1, option);
  key_of("flags: [--a, --b]}\nparams: {d: [0]}\nbaseline: {d: 0}", 0, base);
  assert_string_equal(option, base);
  assert_string_not_equal(plain, base);
}

static int begin(void **state)
{
  static const char text[] = "module {}\n";

  assert_non_null(getcwd(home, sizeof home));
  assert_int_equal(make_folder(state), 0);
  mkdir(path_of("tools"), 0755);
  write_script("tools/iree-compile", fake_compiler);
  write_text("d.mlir", text);
  hone__digest(text, strlen(text), fake_digest);
  setenv("FAKE_LOG", path_of("log"), 1);
  snprintf(cache, sizeof cache, "%s/cache", folder);
  setenv("HONE_CACHE", cache, 1);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_failures),     cmocka_unit_test(test_first_error_only),
      cmocka_unit_test(test_applied),      cmocka_unit_test(test_command),
      cmocka_unit_test(test_no_compiler),  cmocka_unit_test(test_another_dispatch),
      cmocka_unit_test(test_costs_of_ptx), cmocka_unit_test(test_costs_of_broken_modules),
      cmocka_unit_test(test_cpu),          cmocka_unit_test(test_gfx942),
      cmocka_unit_test(test_sm80),         cmocka_unit_test(test_words_have_one_key),
  };

  return cmocka_run_group_tests(tests, begin, remove_folder);
}
