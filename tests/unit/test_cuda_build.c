/* Building CUDA without a GPU: with NVRTC and with nvcc, whichever is here. */
#include "wire/packed_json.h"
#include "deps.h"
#include "build/build_includes.h"
#include "unpacked.h"
#include "backend/cuda/cuda_costs.h"
#include "backend/cuda/cuda_cubin.h"
#include "backend/simt/simt_entry.h"
#include "backend/cuda/cuda_flags.h"
#include "backend/simt/simt_object.h"
#include "cuda_kernels.h"

#include <sys/wait.h>

static const char kernels[] =
    "struct pair { int a, b; };\n"
    "extern \"C\" __global__ void plain(float *x, int n) { x[threadIdx.x] = n * FACTOR; }\n"
    "namespace inner { __global__ void copy(pair *x, pair *y, pair z) { *x = *y; y->a = z.b; } }\n"
    "template <int Rows, typename T> __global__ void tiled(T *x, T *y)\n"
    "{\n"
    "  __shared__ T tile[Rows];\n"
    "  tile[threadIdx.x % Rows] = x[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  y[threadIdx.x] = tile[(threadIdx.x + 1) % Rows];\n"
    "}\n";

static json_t *candidate_of(const char *entry, const char *arch)
{
  json_t *candidate = cuda_candidate("kernels.cu", entry, arch);

  write_text("kernels.cu", kernels);
  cuda_define(candidate, "FACTOR", "3");
  return candidate;
}

/* Takes the candidate; the name that the kernel got. */
static char *built_name(json_t *candidate)
{
  struct built built = cuda_build(candidate, 60);
  struct hone__simt_object object;

  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_true(
      hone__simt_object_read(built.answer.payload.data, built.answer.payload.length, &object));
  assert_true(object.code_size > 500);
  assert_memory_equal(built.answer.payload.data, "\177ELF", 4);
  release_built(&built);
  json_decref(candidate);
  return object.name;
}

static void expect_name(json_t *candidate, const char *name)
{
  char *own = built_name(candidate);

  assert_string_equal(own, name);
  free(own);
}

/* ---- NVRTC ---- */

static void test_plain_kernel(void **state)
{
  json_t *candidate = candidate_of("plain", "sm_90a");
  struct built built;

  (void)state;
  NEEDS_NVRTC();
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_false(built.cached);
  assert_true(cost_of(&built, "registers") >= 4);
  assert_int_equal(cost_of(&built, "spills"), 0);
  assert_int_equal(cost_of(&built, "shared_bytes"), 0);
  assert_int_equal(cost_of(&built, "local_bytes"), 0);
  assert_true(cost_of(&built, "const_bytes") > 0);
  assert_true(json_real_value(json_object_get(built.costs, "occupancy")) == 1);
  assert_string_equal(hone__message_text(hone__packed_json(built.answer.head), "warnings"), "");
  assert_non_null(strstr(hone__message_text(hone__packed_json(built.answer.head), "command"),
                         "-gencode=arch=compute_90a,code=sm_90a"));
  assert_non_null(
      strstr(hone__message_text(hone__packed_json(built.answer.head), "command"), "-DFACTOR=3"));
  release_built(&built);

  built = cuda_build(candidate, 60);
  assert_true(built.cached);
  assert_true(cost_of(&built, "registers") >= 4);
  assert_non_null(json_object_get(built.costs, "occupancy"));
  release_built(&built);
  json_decref(candidate);
}

/* NVRTC puts a header of its own before a source, with such names in it. */
static void test_macros_with_common_names(void **state)
{
  json_t *candidate = cuda_candidate("sized.cu", "sized", "sm_90a");

  (void)state;
  NEEDS_NVRTC();
  write_text("sized.cu", "extern \"C\" __global__ void sized(float *x) { *x = size * width; }\n");
  cuda_define(candidate, "size", "3");
  cuda_define(candidate, "width", "4");
  expect_name(candidate, "sized");
}

/* BM stands in the entry alone. */
static void test_template_kernel(void **state)
{
  json_t *candidate = candidate_of("tiled<BM, float>", "sm_80");
  struct built built;

  (void)state;
  NEEDS_NVRTC();
  cuda_define(candidate, "BM", "64");
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_int_equal(cost_of(&built, "shared_bytes"), 256);
  release_built(&built);
  expect_name(candidate, "_Z5tiledILi64EfEvPT0_S1_");

  candidate = candidate_of("tiled<BM, float>", "sm_90a");
  cuda_define(candidate, "BM", "32");
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_false(built.cached);
  assert_int_equal(cost_of(&built, "shared_bytes"), 128);
  release_built(&built);
  expect_name(candidate, "_Z5tiledILi32EfEvPT0_S1_");
  expect_name(candidate_of("inner::copy", "sm_90a"), "_ZN5inner4copyEP4pairS1_S0_");
}

static void test_parameters(void **state)
{
  json_t *candidate = candidate_of("inner::copy", "sm_90a");
  struct hone__cubin_kernel *kernel;
  struct hone__simt_object object;
  struct built built;

  (void)state;
  NEEDS_NVRTC();
  kernel = calloc(1, sizeof *kernel);
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_true(
      hone__simt_object_read(built.answer.payload.data, built.answer.payload.length, &object));
  assert_int_equal(hone__cubin_capability(built.answer.payload.data, object.code_size), 90);
  assert_true(hone__cubin_kernel(built.answer.payload.data, object.code_size, object.name, kernel));
  assert_int_equal(kernel->param_count, 3);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(kernel->params[i].size, 8);
  assert_int_equal(kernel->params[2].offset, 16);
  free(object.name);
  free(kernel);
  release_built(&built);
  json_decref(candidate);
}

static void test_spills(void **state)
{
  json_t *candidate = cuda_candidate("spills.cu", "spills", "sm_90a");
  struct built built;

  (void)state;
  NEEDS_NVRTC();
  write_text("spills.cu", "extern \"C\" __global__ void spills(float *x)\n"
                          "{\n"
                          "  float r[48];\n"
                          "#pragma unroll\n"
                          "  for (int i = 0; i < 48; i++) r[i] = x[i * 32];\n"
                          "  __syncthreads();\n"
                          "#pragma unroll\n"
                          "  for (int i = 0; i < 48; i++) x[i * 64] = r[47 - i] * r[i];\n"
                          "}\n");
  cuda_flag(candidate, "-maxrregcount");
  cuda_flag(candidate, "24");
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_true(cost_of(&built, "registers") <= 24);
  assert_true(cost_of(&built, "spills") > 0);
  assert_true(cost_of(&built, "local_bytes") > 0);
  release_built(&built);
  json_decref(candidate);
}

/* What nvcc knows and NVRTC does not, is left out; warnings are kept. */
static void test_flags(void **state)
{
  static const char *const flags[] = {"-O3",
                                      "-lineinfo",
                                      "--use_fast_math",
                                      "-Xcompiler",
                                      "-Wall",
                                      "-std",
                                      "c++14",
                                      "-Xptxas",
                                      "-O2,-warn-spills",
                                      "-gencode",
                                      "arch=compute_80,code=sm_80",
                                      "-lm",
                                      "-D",
                                      "TWO=2",
                                      "-I",
                                      ".",
                                      "-include",
                                      "one.h"};
  json_t *candidate = cuda_candidate("warns.cu", "warns", "sm_80");
  struct hone__arena arena = {0};
  struct hone__kernel_candidate unpacked;
  char arch[HONE__CUDA_ARCH_SIZE];
  struct built built;

  (void)state;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    cuda_flag(candidate, flags[i]);
  unpacked = unpacked_candidate(candidate, &arena);
  assert_true(hone__cuda_flags_arch(unpacked.flags, arch));
  hone__arena_release(&arena);
  assert_string_equal(arch, "sm_80");
  NEEDS_NVRTC();
  write_text("one.h", "#define ONE 1\n");
  write_text("warns.cu",
             "extern \"C\" __global__ void warns(int *x) { int unused; *x = ONE + TWO; }\n");
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_non_null(
      strstr(hone__message_text(hone__packed_json(built.answer.head), "warnings"), "unused"));
  assert_null(
      strstr(hone__message_text(hone__packed_json(built.answer.head), "warnings"), "ptxas"));
  release_built(&built);
  json_decref(candidate);
}

static void test_architectures(void **state)
{
  static const struct {
    const char *flag, *next, *arch;
  } cases[] = {{"-arch=sm_90a", NULL, "sm_90a"},
               {"-arch", "compute_86", "sm_86"},
               {"--gpu-architecture=compute_100a", NULL, "sm_100a"},
               {"-gencode=arch=compute_90a,code=sm_90a", NULL, "sm_90a"},
               {"-architecture", "sm_90", NULL},
               {"-arch=native", NULL, NULL},
               {"-DARCH=sm_90", NULL, NULL}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *const flags[] = {"-O3", cases[i].flag, cases[i].next, NULL};
    char arch[HONE__CUDA_ARCH_SIZE] = "";
    assert_int_equal(hone__cuda_flags_arch(flags, arch), cases[i].arch != NULL);
    if (cases[i].arch) assert_string_equal(arch, cases[i].arch);
  }
}

static void test_headers(void **state)
{
  json_t *candidate = cuda_candidate("half.cu", "half_of", "sm_90a");
  char *headers = hone__cuda_headers(NULL);
  struct built built;

  (void)state;
  if (!headers || !has_nvrtc) {
    free(headers);
    skip();
  }
  write_text("half.cu", "#include <cuda_fp16.h>\n"
                        "#include <mma.h>\n"
                        "__global__ void half_of(__half *x) { *x = __hmul(*x, *x); }\n");
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  release_built(&built);
  json_decref(candidate);
  free(headers);
}

/* A kernel may come with the includes of the program that it is from. */
static void test_host_headers(void **state)
{
  json_t *candidate = cuda_candidate("host.cu", "use", "sm_90a");
  struct built built;

  (void)state;
  if (!has_nvrtc) skip();
  write_text("host.cu",
             "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stddef.h>\n"
             "#include <stdint.h>\n#include <limits.h>\n#include <float.h>\n#include <math.h>\n"
             "#include <assert.h>\n#include <stdbool.h>\n#include <cstdio>\n#include <cstdint>\n"
             "#include <cmath>\n#include <cassert>\n#include <cstddef>\n#include <climits>\n"
             "#include <cfloat>\n#include <cstdlib>\n#include <cstring>\n"
             "struct pair { char one; int64_t other; };\n"
             "__global__ void use(uint64_t *x, float *y, ptrdiff_t n)\n"
             "{\n"
             "  assert(n < LLONG_MAX);\n"
             "  if (n > INT64_MAX - 1) printf(\"%d\\n\", (int)offsetof(struct pair, other));\n"
             "  x[0] = UINT32_MAX;\n"
             "  y[0] = fminf(FLT_MAX, INFINITY) * sinf((float)M_PI / 3);\n"
             "  static_assert(sizeof(uint8_t) == 1 && sizeof(int64_t) == 8, \"\");\n"
             "}\n");
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  release_built(&built);
  json_decref(candidate);
}

/* As the files of a program are: its headers, too, hold code of the host. */
static void test_headers_of_the_program(void **state)
{
  json_t *candidate = cuda_candidate("program.cu", "scale", "sm_80");
  struct built built;

  (void)state;
  NEEDS_NVRTC();
  write_text("program.h", "#include <filesystem>\n#include <fcntl.h>\n#include <vector>\n"
                          "using std::vector;\nFILE *open_it(const char *name);\n"
                          "static std::string name_of(const std::string &path) { return path; }\n"
                          "struct run { std::vector<double> times; };\n"
                          "__device__ inline float twice(float x) { return 2 * x; }\n");
  write_text("program.cu", "#include \"program.h\"\n#include <thrust/device_vector.h>\n"
                           "std::chrono::seconds limit(3);\n"
                           "__global__ void scale(float *x, uint n, ushort m, uint64_t k)\n"
                           "{ if (threadIdx.x < n + m + k) x[threadIdx.x] = twice(x[0]); }\n"
                           "float *all(int n) { std::vector<float> x(n); return x.data(); }\n");
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  release_built(&built);
  json_decref(candidate);
}

/* Whether NVRTC takes the headers of the toolkit that is here, which may be of another version. */
static bool takes(const char *name)
{
  json_t *candidate = cuda_candidate("probe.cu", "probe", "sm_80");
  struct built built;
  char text[256];
  bool is_ok;

  snprintf(text, sizeof text, "#include <%s>\n__global__ void probe(int *x) { *x = 1; }\n", name);
  write_text("probe.cu", text);
  built = cuda_build(candidate, 60);
  is_ok = built.answer.outcome == HONE_OUTCOME_OK;
  release_built(&built);
  json_decref(candidate);
  return is_ok;
}

static void expect_sum(const char *text)
{
  json_t *candidate = cuda_candidate("sum.cu", "sum", "sm_80");
  struct built built;

  write_text("sum.cu", text);
  cuda_define(candidate, "N", "64");
  cuda_define(candidate, "T", "32");
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  release_built(&built);
  json_decref(candidate);
}

/* Names of parameters in a toolkit's headers are sizes and parameters of specs. */
static void test_headers_with_common_names(void **state)
{
  (void)state;
  if (!has_nvrtc || !takes("cooperative_groups.h") || !takes("cuda.h")) skip();
  write_text("with_cuda.h", "#include <cuda.h>\n");
  expect_sum("#include \"with_cuda.h\"\n#include <cooperative_groups.h>\n"
             "__global__ void sum(int *x)\n{\n"
             "  auto block = cooperative_groups::this_thread_block();\n"
             "  x[block.thread_rank()] = N + T;\n}\n");
  if (!takes("cub/block/block_reduce.cuh")) return;
  expect_sum("#include <cub/cub.cuh>\n"
             "__global__ void sum(int *x)\n{\n"
             "  typedef cub::BlockReduce<int, N> reduce;\n"
             "  __shared__ typename reduce::TempStorage room;\n"
             "  *x = reduce(room).Sum(threadIdx.x);\n}\n");
}

static void test_included_files(void **state)
{
  json_t *candidate = cuda_candidate("includes.cu", "one", "sm_80");
  struct built built;

  (void)state;
  NEEDS_NVRTC();
  write_text("inner.h", "#define ONE 1\n");
  write_text("outer.h", "  #  include <inner.h>\n");
  write_text("includes.cu", "#include \"outer.h\"\n__global__ void one(int *x) { *x = ONE; }\n");
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_int_equal(json_array_size(json_object_get(hone__packed_json(built.answer.head), "deps")),
                   2);
  assert_true(deps_are_current(hone__backend_cuda.driver.deps_are_current,
                               json_object_get(hone__packed_json(built.answer.head), "deps")));
  release_built(&built);

  write_text("inner.h", "#define ONE 2\n");
  built = cuda_build(candidate, 60);
  assert_false(built.cached);
  release_built(&built);
  built = cuda_build(candidate, 60);
  assert_true(built.cached);
  release_built(&built);
  json_decref(candidate);
}

/* ---- What does not work ---- */

static void expect_refused(const char *text, const char *entry, const char *flag,
                           const char *evidence)
{
  json_t *candidate = cuda_candidate("bad.cu", entry, "sm_80");
  struct built built;

  write_text("bad.cu", text);
  if (flag) cuda_flag(candidate, flag);
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_COMPILE_ERROR);
  if (!strstr(built.evidence, evidence)) print_message("evidence: %s\n", built.evidence);
  assert_non_null(strstr(built.evidence, evidence));
  assert_int_equal(built.answer.payload.length, 0);
  release_built(&built);
  json_decref(candidate);
}

static void test_errors(void **state)
{
  static const char good[] = "__global__ void f(int *x) { *x = 1; }\n";
  json_t *candidate;
  struct built built;

  (void)state;
  NEEDS_NVRTC();
  expect_refused("__global__ void f(int *x)\n{\n  *x = y;\n}\n", "f", NULL, "bad.cu(3): error");
  expect_refused(good, "g", NULL, "g");
  expect_refused(good, "f", "--no-such-option", "no-such-option");
  expect_refused("#include \"missing.h\"\n", "f", NULL, "missing.h");
  expect_refused(good, "f", "-Xptxas=-no-such", "no-such");
  expect_refused("__global__ void f(int *x)\n{\n  __shared__ int all[99999];\n"
                 "  all[threadIdx.x] = *x;\n  __syncthreads();\n  *x = all[*x];\n}\n",
                 "f", NULL, "uses too much shared data");
  candidate = cuda_candidate("bad.cu", "f", "sm_80");
  write_text("bad.cu", good);
  built = cuda_build(candidate, 0.001);
  expect_outcome(&built, HONE_OUTCOME_COMPILE_TIMEOUT);
  release_built(&built);
  json_decref(candidate);
}

/* It is looked for once in a process: another one looks elsewhere. */
static void test_without_nvrtc(void **state)
{
  json_t *candidate = candidate_of("plain", "sm_90a");
  int status;

  (void)state;
  fflush(NULL);
  if (fork() == 0) {
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    setenv("HONE_NVRTC", "/nowhere/libnvrtc.so", 1);
    execl(program, program, "without", folder, (char *)NULL);
    _exit(127);
  }
  wait(&status);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  json_decref(candidate);
}

static int try_without(const char *place)
{
  json_t *candidate;
  struct built built;
  bool is_right;

  snprintf(folder, sizeof folder, "%s", place);
  candidate = cuda_candidate("kernels.cu", "plain", "sm_90a");
  built = cuda_build(candidate, 60);
  is_right = built.answer.outcome == HONE_OUTCOME_NOT_BUILT &&
             strstr(built.evidence, "/nowhere/libnvrtc.so") &&
             strstr(built.evidence, "pip install") && strstr(built.evidence, "HONE_NVRTC");
  if (!is_right) printf("# %s\n", built.evidence);
  release_built(&built);
  json_decref(candidate);
  return is_right ? 0 : 1;
}

/* ---- nvcc ---- */

static bool has_nvcc(void)
{
  return system("nvcc --version >/dev/null 2>&1") == 0;
}

static json_t *with_nvcc(const char *entry)
{
  json_t *candidate = candidate_of(entry, "sm_90a");

  json_object_set_new(candidate, "compiler", json_string("nvcc"));
  cuda_define(candidate, "BM", "64");
  return candidate;
}

static void test_nvcc(void **state)
{
  json_t *candidate;
  struct built built;

  (void)state;
  if (!has_nvcc()) skip();
  expect_name(with_nvcc("plain"), "plain");
  expect_name(with_nvcc("inner::copy"), "_ZN5inner4copyEP4pairS1_S0_");
  expect_name(with_nvcc("tiled<BM, float>"), "_Z5tiledILi64EfEvPT0_S1_");
  candidate = with_nvcc("tiled<BM, double>");
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_int_equal(cost_of(&built, "shared_bytes"), 512);
  assert_int_equal(cost_of(&built, "spills"), 0);
  assert_true(cost_of(&built, "registers") > 4);
  assert_string_equal(hone__message_text(hone__packed_json(built.answer.head), "warnings"), "");
  release_built(&built);
  json_decref(candidate);
}

static void test_nvcc_errors(void **state)
{
  json_t *candidate = with_nvcc("nothing");
  struct built built;

  (void)state;
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_COMPILE_ERROR);
  release_built(&built);
  json_object_set_new(candidate, "compiler", json_string("/nowhere/nvcc"));
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_COMPILE_ERROR);
  assert_non_null(strstr(built.evidence, "cannot start '/nowhere/nvcc'"));
  release_built(&built);
  json_decref(candidate);
}

/* ---- Objects ---- */

static void test_object(void **state)
{
  struct hone__text object = {0};
  struct hone__simt_object read;

  (void)state;
  hone__text_add(&object, "cubin");
  hone__simt_object_finish(&object, "_Z4gemm");
  assert_true(hone__simt_object_read(object.data, object.length, &read));
  assert_int_equal(read.code_size, 5);
  assert_string_equal(read.name, "_Z4gemm");
  free(read.name);
  for (size_t size = 0; size < object.length; size++)
    assert_false(hone__simt_object_read(object.data, size, &read));
  object.data[object.length - 9] = 1; /* a length beyond the file */
  assert_false(hone__simt_object_read(object.data, object.length, &read));
  hone__text_release(&object);
}

static void expect_entry(const char *names, const char *entry, const char *expected)
{
  char copy[64];
  struct hone__simt_object object = {.name = names ? strcpy(copy, names) : NULL};
  char *name = hone__simt_object_entry(&object, entry);

  assert_string_equal(name, expected);
  free(name);
}

static void test_objects_of_several_kernels(void **state)
{
  static const char names[] = "a\n_Z1a\nab\n_Z2ab\na<1>\n_Z1aILi1EEvv";

  (void)state;
  expect_entry(names, "a", "_Z1a");
  expect_entry(names, "ab", "_Z2ab");
  expect_entry(names, "a<1>", "_Z1aILi1EEvv");
  expect_entry(names, "b", "b"); /* which no code has */
  expect_entry("_Z1a", "a", "_Z1a");
  expect_entry(NULL, "a", "a"); /* code from another source */
}

static void test_source_of_several_entries(void **state)
{
  struct hone__text text = {0};

  (void)state;
  hone__simt_entry_source("/k.cu", "a\nb<2>", &text);
  assert_string_equal(text.data, "#include \"/k.cu\"\n"
                                 "template <auto Kernel> __global__ void hone__mark() {}\n"
                                 "void *hone__entry() { return (void *)hone__mark<a>; }\n"
                                 "template <auto Kernel> __global__ void hone__mark1() {}\n"
                                 "void *hone__entry1() { return (void *)hone__mark1<b<2>>; }\n");
  hone__text_release(&text);
}

static const char *const known_kernels[] = {"_Z10hone__markIXadL_Z1aPfEEEvv",
                                            "_Z11hone__mark1IXadL_Z1bILi2EEvPfEEEvv", "_Z1aPf",
                                            "_Z1bILi2EEvPf", "_Z1bILi3EEvPf"};

static void list_known(const void *code, size_t size, bool (*visit)(void *data, const char *name),
                       void *data)
{
  (void)code, (void)size;
  for (size_t i = 0; i < sizeof known_kernels / sizeof *known_kernels; i++)
    if (!visit(data, known_kernels[i])) return;
}

static void test_marks_of_several_entries(void **state)
{
  struct hone__text known = {0};
  char *one = hone__simt_entry_find(list_known, "", 0, "a", 0, &known);
  char *other = hone__simt_entry_find(list_known, "", 0, "b<2>", 1, &known);

  (void)state;
  assert_string_equal(one, "_Z1aPf");
  assert_string_equal(other, "_Z1bILi2EEvPf");
  assert_null(hone__simt_entry_find(list_known, "", 0, "c", 2, &known));
  free(one);
  free(other);
  hone__text_release(&known);
}

static bool count(void *data, const char *name)
{
  (void)name;
  ++*(size_t *)data;
  return true;
}

static void read_all(const char *bytes, size_t size, struct hone__cubin_kernel *kernel)
{
  char *copy = malloc(size ? size : 1); /* its end is the end of the memory */
  size_t kernels_found = 0;

  memcpy(copy, bytes, size);
  hone__cubin_kernel(copy, size, "plain", kernel);
  hone__cubin_kernels(copy, size, count, &kernels_found);
  hone__cubin_capability(copy, size);
  free(copy);
}

/* Whatever a file says, only its own bytes are read. */
static void test_broken_cubins(void **state)
{
  json_t *candidate = candidate_of("plain", "sm_90a");
  struct hone__cubin_kernel *kernel;
  uint64_t random = 7;
  struct built built;
  char *bytes;
  size_t size;

  (void)state;
  NEEDS_NVRTC();
  kernel = calloc(1, sizeof *kernel);
  built = cuda_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  bytes = built.answer.payload.data;
  size = built.answer.payload.length;
  for (size_t cut = 0; cut < size; cut += 7)
    read_all(bytes, cut, kernel);
  for (int i = 0; i < 4000; i++) {
    size_t place;
    char old;
    random = random * UINT64_C(6364136223846793005) + 1;
    place = (size_t)(random >> 20) % size;
    old = bytes[place];
    bytes[place] = (char)(random >> 50);
    read_all(bytes, size, kernel);
    bytes[place] = old;
  }
  free(kernel);
  release_built(&built);
  json_decref(candidate);
}

static void test_log(void **state)
{
  struct hone__text log = {0};
  struct hone__arena arena = {0};
  struct hone__named_list of_a = {.arena = &arena}, of_b = {.arena = &arena};

  (void)state;
  hone__text_add(&log, "a.cu(1): warning #1: hm\n"
                       "ptxas info    : 0 bytes gmem\n"
                       "ptxas info    : Compiling entry function 'ab' for 'sm_90'\n"
                       "ptxas info    : Function properties for ab\n"
                       "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
                       "ptxas info    : Function properties for a\n"
                       "    0 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n"
                       "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored\n"
                       "ptxas info    : Used 8 registers");
  hone__cuda_costs("", 0, "a", log.data, &of_a);
  assert_true(hone__named_number(of_a.items, of_a.count, "spills") == 3);
  hone__cuda_costs("", 0, "b", log.data, &of_b);
  assert_null(hone__named_find(of_b.items, of_b.count, "spills"));
  hone__arena_release(&arena);
  hone__cuda_log_strip(&log);
  assert_string_equal(log.data,
                      "a.cu(1): warning #1: hm\n"
                      "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored\n");
  hone__text_release(&log);
}

static void test_occupancy(void **state)
{
  static const struct {
    int threads, registers, shared_bytes, dynamic;
    double occupancy;
  } cases[] = {{128, 128, 0, 0, 0.25}, {256, 32, 0, 0, 1},       {1024, 65, 0, 0, 0},
               {1024, 64, 0, 0, 0.5},  {128, 32, 1024, 0, 1},    {128, 32, 0, 100 << 10, 0.125},
               {32, 16, 0, 0, 0.5},    {96, 255, 0, 0, 0.09375}, {2000, 16, 0, 0, -1}};
  static const struct {
    const char *name;
    int64_t value;
  } numbers[] = {{"compute_capability", 90},     {"warp_size", 32},
                 {"max_threads_per_sm", 2048},   {"max_blocks_per_sm", 32},
                 {"registers_per_sm", 65536},    {"shared_per_sm_bytes", 233472},
                 {"shared_reserved_bytes", 1024}};
  struct hone__arena arena = {0};
  struct hone__named_list other = {.arena = &arena};
  struct hone__wire_device_facts target = {0};

  (void)state;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    hone__named_int(&other, numbers[i].name, numbers[i].value);
  target.other = other.items;
  target.other_count = other.count;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int64_t local[] = {cases[i].threads, 1, 1};
    struct hone__kernel_launch launch = {
        .local = local, .local_count = 3, .shared = cases[i].dynamic};
    struct hone__kernel_candidate candidate = {.launch = &launch};
    struct hone__named_list costs = {.arena = &arena};
    const struct hone_value *occupancy;
    hone__named_int(&costs, "registers", cases[i].registers);
    hone__named_int(&costs, "shared_bytes", cases[i].shared_bytes);
    hone__cuda_occupancy(&target, &candidate, &costs);
    occupancy = hone__named_find(costs.items, costs.count, "occupancy");
    assert_int_equal(occupancy != NULL, cases[i].occupancy >= 0);
    if (occupancy && occupancy->real != cases[i].occupancy)
      fail_msg("case %zu: %g", i, occupancy->real);
  }
  hone__arena_release(&arena);
}

/* ---- Which backend ---- */

static void expect_backend(const char *spec_text, const char *name)
{
  struct hone_spec_options options;
  const struct hone__backend *backend = NULL;
  struct hone_spec *spec = NULL;
  const char *path = path_of("spec.yaml");
  hone_status status;

  write_text("kernels.cu", kernels);
  write_text("spec.yaml", spec_text);
  hone_spec_options_init(&options);
  options.files = &path;
  options.file_count = 1;
  status = hone_spec_load(&options, &spec);
  if (!status) status = hone__backend_of(spec, &backend);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  assert_string_equal(backend->name, name);
  hone_spec_free(spec);
}

static void test_choice(void **state)
{
  (void)state;
  expect_backend("file: kernels.cu\nentry: plain\nparams: {A: [1]}\n", "cuda");
  expect_backend("file: kernels.cu\nentry: 'tiled<A, float>'\nparams: {A: [1]}\n", "cuda");
  expect_backend("file: kernels.cu\nparams: {A: [1]}\n", "program");
  expect_backend("file: kernels.cu\nbackend: program\nparams: {A: [1]}\n", "program");
  expect_backend("file: kernels.c\nbackend: cuda\nentry: f\nparams: {A: [1]}\n", "cuda");
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain_kernel),
      cmocka_unit_test(test_macros_with_common_names),
      cmocka_unit_test(test_template_kernel),
      cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_spills),
      cmocka_unit_test(test_flags),
      cmocka_unit_test(test_architectures),
      cmocka_unit_test(test_headers),
      cmocka_unit_test(test_host_headers),
      cmocka_unit_test(test_headers_of_the_program),
      cmocka_unit_test(test_headers_with_common_names),
      cmocka_unit_test(test_included_files),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_without_nvrtc),
      cmocka_unit_test(test_nvcc),
      cmocka_unit_test(test_nvcc_errors),
      cmocka_unit_test(test_object),
      cmocka_unit_test(test_broken_cubins),
      cmocka_unit_test(test_log),
      cmocka_unit_test(test_occupancy),
      cmocka_unit_test(test_choice),
      cmocka_unit_test(test_objects_of_several_kernels),
      cmocka_unit_test(test_source_of_several_entries),
      cmocka_unit_test(test_marks_of_several_entries),
  };

  if (argc == 3 && strcmp(argv[1], "without") == 0) return try_without(argv[2]);
  return cmocka_run_group_tests_name("cuda_build", tests, find_nvrtc, remove_folder);
}
