/* Functions of a source that can be a kernel's entry. */
#include "source/source_functions.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* "f:1 g:3": names and lines; "<" of a template, "::" of a namespace; "..." where others may be. */
static void expect(enum hone__code_language language, const char *source, const char *expected)
{
  struct hone__arena arena = {0};
  struct hone__code_functions functions;
  struct hone__text text = {0};

  hone__text_add(&text, "");
  hone__code_functions_find(source, language, &arena, &functions);
  for (size_t i = 0; i < functions.count; i++) {
    const struct hone__code_function *f = &functions.list[i];
    hone__text_addf(&text, "%s%s%s%s:%d", i ? " " : "", f->is_scoped ? "::" : "", f->name,
                    f->is_template ? "<" : "", f->line);
  }
  if (!functions.is_sure) hone__text_addf(&text, "%s...", text.length ? " " : "");
  if (strcmp(text.data, expected) != 0)
    fail_msg("%s\n  gives    '%s'\n  expected '%s'", source, text.data, expected);
  hone__text_release(&text);
  hone__arena_release(&arena);
}

static void of_main(void **state)
{
  (void)state;
  assert_true(hone__code_functions_has_main("int main(void) { return 0; }"));
  assert_true(
      hone__code_functions_has_main("void f(void) {}\nint main(int n, char **v)\n{ f(); }"));
  assert_false(hone__code_functions_has_main("void f(void) {}"));
  assert_false(hone__code_functions_has_main("int main(void);"));
  assert_false(hone__code_functions_has_main("/* int main() {} */ int x;"));
  assert_false(hone__code_functions_has_main("int main(void) { x.main(1); }"));
}

static void of_c(void **state)
{
  enum hone__code_language c = HONE__FUNCTIONS_C;

  (void)state;
  expect(c, "void f(const float *x, long n) { for (;;) { g(x); } }\n", "f:1");
  expect(
      c,
      "static int helper(int a) { return a; }\nint main(void) { return 0; }\nfloat *f(void)\n{ }",
      "f:3");
  expect(c, "void f(int n); /* void g(void) { } */ // void h(void) { }\nvoid f(int n) { }", "f:2");
  expect(c, "void f(void) {}\nvoid g(void) {}\nint x;\nlong unsigned h(int a) {}", "f:1 g:2 h:4");
  expect(c,
         "struct s { int (*call)(int); };\nenum { A = (1) };\nint t[] = { (1) }, u = (2);\n"
         "typedef struct __attribute__((packed)) { int a; } p;\nvoid f(struct s *x) {}",
         "f:5");
  expect(c, "__attribute__((noinline)) void f(int a) __attribute__((hot)) {}", "f:1");
  expect(c, "static inline __attribute__((always_inline)) int g(int a) {}\nvoid f(int a) {}",
         "f:2");
  expect(c, "int x = 3;\ninline int g(void) {}\nunsigned f(int (*g)(int)) {}", "f:3");
  expect(c, "#ifdef A\nvoid f(int a) {}\n#else\nvoid f(float a) {}\n#endif", "f:2");
  expect(
      c,
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\nvoid f(int a) {}\n#ifdef __cplusplus\n}\n#endif",
      "f:4");
  expect(c, "", "");
  expect(c, "int x;", "");
  c = HONE__FUNCTIONS_C_LOCAL;
  expect(c, "static int f(int a) {}\nvoid g(int a) {}\ninline void h(int a) {}\nint main(void) {}",
         "f:1 h:3");
}

static void of_cplusplus(void **state)
{
  enum hone__code_language cpp = HONE__FUNCTIONS_CPLUSPLUS;

  (void)state;
  expect(cpp, "template <typename T> T g(T a) { return a; }\nextern \"C\" void f(float *x) {}",
         "f:2");
  expect(cpp, "extern \"C\" {\nvoid f(float *x) noexcept {}\n}\nvoid g(int a) {}", "f:2");
  expect(cpp, "namespace n { int g(int a) { return a; } }\nextern \"C\" float f(float *x) {}",
         "f:2");
  expect(cpp,
         "class c { public: c(int a) : b(a) {} int b; };\nauto l = [](int a) { return a; };\n"
         "extern \"C\" void f(const std::size_t n) {}",
         "f:3");
  expect(cpp, "void f(float *x) {}", "");
}

/* As the examples of Kernel Tuner have them. */
static void of_cuda(void **state)
{
  enum hone__code_language cuda = HONE__FUNCTIONS_CUDA;

  (void)state;
  expect(cuda,
         "__global__ void vector_add(float *c, float *a, float *b, int n) {\n"
         "    int i = blockIdx.x * block_size_x + threadIdx.x;\n"
         "    if (i < n) {\n        c[i] = a[i] + b[i];\n    }\n}\n",
         "vector_add:1");
  expect(
      cuda,
      "#ifndef use_shmem\n#define use_shmem 1\n#endif\n#define input_width (image_width + 16)\n"
      "__constant__ float d_filter[33 * 33];\n"
      "__device__ __forceinline__ int clamp(int a) { return a > 0 ? a : 0; }\n"
      "extern \"C\" __global__ void __launch_bounds__(block_size_x * 4)\n"
      "convolution_kernel(float *output, float *input, float *filter) { __shared__ float s[4]; }",
      "convolution_kernel:8");
  expect(cuda,
         "extern \"C\" {\n__global__ void ExpDist(const double *A, int m) { }\n"
         "__global__ void reduce_cross_term(double *out, int m) { }\n}",
         "ExpDist:2 reduce_cross_term:3");
  expect(cuda, "template <int BM, int BN = (4)>\n__global__ void gemm(const float *a) {}",
         "gemm<:2");
  expect(cuda, "namespace tiled { __global__ void gemm(float *a) {} }", "::gemm:1");
  expect(cuda, "__device__ float f(float x) {}\nfloat g(int a) {}", "");
  expect(cuda, "__global__ void f(float *x);", "");
}

static void of_opencl(void **state)
{
  enum hone__code_language opencl = HONE__FUNCTIONS_OPENCL;

  (void)state;
  expect(opencl,
         "float half_of(float x) { return x / 2; }\n"
         "__kernel __attribute__((reqd_work_group_size(8, 8, 1)))\n"
         "void matmul(__global const float *a, __local float *tile, uint n) { }\n",
         "matmul:3");
  expect(opencl, "kernel void f(global float *x) {}\n__kernel void g(global float *x) {}",
         "f:1 g:2");
  expect(opencl, "void f(__global float *x) {}", "");
}

static void what_macros_hide_is_unsure(void **state)
{
  (void)state;
  expect(HONE__FUNCTIONS_C, "#define NAME sgemm\nvoid NAME(float *x) {}", "...");
  expect(HONE__FUNCTIONS_C, "# \tdefine  f(x) x\nvoid f(int a) {}\nvoid g(int a) {}", "g:3 ...");
  expect(HONE__FUNCTIONS_C, "void CAT(gemm_, T)(float *x) {}\nvoid g(int a) {}", "g:2 ...");
  expect(HONE__FUNCTIONS_C, "KERNEL(gemm) {}\nvoid g(int a) {}", "g:2 ...");
  expect(HONE__FUNCTIONS_C, "void f(a) float *a; {}\nvoid g(int a) {}", "g:2 ...");
  expect(HONE__FUNCTIONS_C,
         "#if A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n}\nvoid g(int a) {}",
         "f:2 ...");
  expect(HONE__FUNCTIONS_C, "void f(int a) {} }", "f:1 ...");
  expect(HONE__FUNCTIONS_CUDA, "__global__ void CAT(a, b)(float *x) {}", "...");
  expect(HONE__FUNCTIONS_CUDA, "MAKE(a) {}\n__global__ void f(float *x) {}", "f:2");
}

static void broken_texts(void **state)
{
  (void)state;
  expect(HONE__FUNCTIONS_C, "{", "...");
  expect(HONE__FUNCTIONS_C, "= {", "...");
  expect(HONE__FUNCTIONS_C, "( {", "...");
  expect(HONE__FUNCTIONS_C, "void f(int a", "");
  expect(HONE__FUNCTIONS_C, "void f(int a) { \"never closed", "f:1 ...");
  expect(HONE__FUNCTIONS_C, "extern \"C\" {", "...");
  expect(HONE__FUNCTIONS_CPLUSPLUS, "extern", "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_main),      cmocka_unit_test(of_c),
      cmocka_unit_test(of_cplusplus), cmocka_unit_test(of_cuda),
      cmocka_unit_test(of_opencl),    cmocka_unit_test(what_macros_hide_is_unsure),
      cmocka_unit_test(broken_texts),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
