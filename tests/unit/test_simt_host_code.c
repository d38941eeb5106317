/* Functions of the host in sources of CUDA and HIP. */
#include "backend/simt/simt_host_code.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool keeps(const char *source, const char *part)
{
  char *text = hone__strdup(source);
  bool is_there;

  hone__simt_host_code_drop(text);
  assert_int_equal(strlen(text), strlen(source));
  is_there = strstr(text, part);
  free(text);
  return is_there;
}

static void test_host(void **state)
{
  (void)state;
  assert_false(keeps("int main(int argc, char **argv) { return 0; }", "main"));
  assert_false(keeps("void run(float *x) { scale<<<4, 64>>>(x); }", "run"));
  assert_false(
      keeps("template <int N> static void run(std::vector<float> &x)\n{ cudaFree(0); }", "std"));
  assert_false(
      keeps("extern \"C\" void run(void) { if (hipMalloc(&x, 4)) { exit(1); } }", "extern"));
  assert_false(keeps("namespace a { void run() { fprintf(stderr, \"}\"); } }", "run"));
  assert_false(keeps("extern \"C\" { int a; void run() { cudaFree(0); } }", "run"));
}

static void test_device(void **state)
{
  (void)state;
  assert_true(keeps("__global__ void k(float *x) { child<<<1, 1>>>(x); }", "child"));
  assert_true(keeps("template <int N> __device__ int f() { return rand; }", "rand"));
  assert_true(keeps("HD float f(float x) { return x * x; } int main() { }",
                    "HD float f(float x) { return x * x; }"));
  assert_true(keeps("struct s { int a; }; constexpr int f(int n) { return n; }",
                    "constexpr int f(int n) { return n; }"));
  assert_true(keeps("__constant__ float c[] = {1, 2}; cudaTextureObject_t t;",
                    "= {1, 2}; cudaTextureObject_t t;"));
  assert_true(keeps("void f() { const char *t = \"cudaFree(0) <<<\"; }", "void f()"));
  assert_true(
      keeps("void run() { cudaFree(0); }\n__global__ void k() { }", " \n__global__ void k() { }"));
}

static void test_lines(void **state)
{
  (void)state;
  assert_true(keeps("int a;\nint main()\n{\n#define X 1 /* c */\n  // why\n  f();\n}\nint b;",
                    "int a;\n          \n \n#define X 1 /* c */\n  // why\n      \n \nint b;"));
  assert_true(keeps("int main() {", "main"));
  assert_true(keeps("", ""));
}

static bool keeps_after(const char *source, const char *log, const char *part)
{
  char *text = hone__strdup(source);
  bool has_dropped = hone__simt_host_code_drop_at(text, log, "k.cu"), is_there;

  is_there = strstr(text, part);
  assert_int_equal(has_dropped, strcmp(text, source) != 0);
  free(text);
  return is_there;
}

static void test_errors(void **state)
{
  static const char source[] = "float *made(int n)\n{\n  return memalign(16, n);\n}\n"
                               "__device__ int f()\n{\n  return wrong;\n}\n";

  (void)state;
  assert_false(keeps_after(source, "k.cu(3): error: identifier\n  return\n", "memalign"));
  assert_false(keeps_after(source, "a\nk.cu:3:10: fatal error: use of\n", "memalign"));
  assert_true(keeps_after(source, "k.cu(3): error: identifier\n", "wrong"));
  assert_true(keeps_after(source, "k.cu(3): warning: identifier\nerror\n", "memalign"));
  assert_true(keeps_after(source, "k.cu(3): warning: \"error\" is not used\n", "memalign"));
  assert_false(keeps_after(source, "k.cu(3): catastrophic error: memory\n", "memalign"));
  assert_true(keeps_after(source, "k.cu(7): error: identifier\n", "wrong"));
  assert_true(keeps_after(source, "k.cu(5): error: a\nother.cu(3): error: b\n", "memalign"));
  assert_true(keeps_after(source, "k.cu: error: a\nk.cu(x): error\nk.cu", "memalign"));
  assert_true(keeps_after(source, "", "memalign"));
}

/* Declarations, too: what a kernel needs of them is missed in the next attempt. */
static void test_declarations(void **state)
{
  static const char source[] = "FILE *log;\nstd::string name(int);\nusing std::endl;\n"
                               "struct times\n{\n  std::vector<float> all;\n};\n"
                               "__constant__ wrong values[] = {1, 2};\n"
                               "namespace a::b { int first = wrong(); }\n"
                               "__global__ void k(missing *x);\n";

  (void)state;
  assert_false(keeps_after(source, "k.cu(1): error: FILE\n", "log"));
  assert_true(keeps_after(source, "k.cu(1): error: FILE\n", "name("));
  assert_false(keeps_after(source, "k.cu(2): error: string\n", "name("));
  assert_false(keeps_after(source, "k.cu(3): error: endl\n", "using"));
  assert_false(keeps_after(source, "k.cu(6): error: vector\n", "times"));
  assert_true(keeps_after(source, "k.cu(8): error: wrong\n", "values"));
  assert_false(keeps_after(source, "k.cu(9): error: wrong\n", "first"));
  assert_true(keeps_after(source, "k.cu(9): error: wrong\n", "namespace a::b {"));
  assert_true(keeps_after(source, "k.cu(10): error: missing\n", "missing"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_host),         cmocka_unit_test(test_device),
      cmocka_unit_test(test_lines),        cmocka_unit_test(test_errors),
      cmocka_unit_test(test_declarations),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
