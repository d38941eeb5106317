/* Parameters as sources declare them, and what differs from the arguments of a spec. */
#include "unpacked.h"
#include "backend/kernel/signature.h"
#include "build/clang_facts.h"
#include "source/prototype.h"
#include "base/text.h"
#include "folder.h"

#include <jansson.h>

/* "p:f32:x s:i64:n": pointer or scalar, element, name; "unsure" */
static void expect(const char *source, const char *expected)
{
  struct hone__arena arena = {0};
  struct hone__prototype prototype;
  struct hone__text text = {0};

  hone__text_add(&text, "");
  if (!hone__prototype_find(source, "f", &arena, &prototype))
    hone__text_add(&text, "unsure");
  else
    for (size_t i = 0; i < prototype.count; i++) {
      const struct hone__parameter *p = &prototype.parameters[i];
      hone__text_addf(&text, "%s%s:%s:%s", i ? " " : "", p->is_pointer ? "p" : "s",
                      p->has_element ? hone__element_name(p->element) : "?", p->name);
    }
  if (strcmp(text.data, expected) != 0)
    fail_msg("%s\n  gives    '%s'\n  expected '%s'", source, text.data, expected);
  hone__text_release(&text);
  hone__arena_release(&arena);
}

static void declarations(void **state)
{
  (void)state;
  expect("void f(const float *x, float *restrict y, long n) {}", "p:f32:x p:f32:y s:i64:n");
  expect("void f(void) {}", "");
  expect("void f() {}", "");
  expect("static inline int *f(unsigned n, unsigned char c[], double d[4][4]);",
         "s:u32:n p:u8:c p:?:d");
  expect("void f(float, int);\nvoid f(float x, int n) { g(); }", "s:f32:x s:i32:n");
  expect("__kernel void f(__global const half *a, __local float *t, uint n) {}",
         "p:f16:a p:f32:t s:u32:n");
  expect("extern \"C\" { __global__ void f(int *p) {} }", "p:i32:p");
  expect("namespace a { namespace { __global__ void f(size_t n) {} } }", "s:u64:n");
  expect("__global__ void __launch_bounds__(256) f(float *__restrict__ x) {}", "p:f32:x");
  expect("void g(int x) { f(x, x); }\nvoid f(int x) {}", "s:i32:x");
  expect("/* void f(int a); */\n// void f(char *s);\n#define F void f(double d)\n"
         "const char *s = \"void f(int a, int b)\";\nvoid f(short h) {}",
         "s:i16:h");
}

static void types_that_are_not_known(void **state)
{
  (void)state;
  expect("void f(real_t *x, real_t s, struct box b) {}", "p:?:x s:?:s s:?:b");
  expect("template <typename T> void f(T *x, int n) {}", "p:?:x s:i32:n");
  expect("void f(std::byte b, float **rows, const float &r) {}", "s:?:b p:?:rows s:?:r");
  expect("void f(std::size_t n, std::int32_t *x) {}", "s:u64:n p:i32:x");
  expect("void f(void *x, long double d) {}", "p:?:x s:?:d");
}

static void what_may_be_anything_is_unsure(void **state)
{
  static const char *const sources[] = {
      "int x;",
      "void g(int f) { f(1); }",
      "void f(ARGS) {}",
      "void f(float x, REST) {}",
      "void f(int (*call)(int)) {}",
      "void f(int n, ...) {}",
      "void f(DECL(x), int n) {}",
      "void f(int a,\n#ifdef B\nint b\n#else\nfloat b\n#endif\n) {}",
      "void f(int a);\nvoid f(int a, int b);",
      "void f(float a);\nvoid f(int a) {}",
      "void f(vec<float> v) {}",
      "void f(int n = 4) {}",
      "void f(int a, int b",
      "void f(int a,) {}",
      "void f(, int a) {}",
      "",
  };

  (void)state;
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
    expect(sources[i], "unsure");
}

static void names_of_types(void **state)
{
  (void)state;
  expect("typedef float real;\nvoid f(const real *x, real s, other o) {}", "p:f32:x s:f32:s s:?:o");
  expect("using real = unsigned int;\nvoid f(real x[], real) {}", "p:u32:x s:u32:");
  expect("typedef double real;\ntypedef float real;\nvoid f(real s) {}", "s:?:s");
  expect("typedef float *real;\nvoid f(real s) {}", "s:?:s");
  expect("typedef struct { int a; } real;\nvoid f(real s) {}", "s:?:s");
}

static void endless_texts(void **state)
{
  (void)state;
  expect("void f(int a) {} /* never closed", "s:i32:a");
  expect("void f(int a) {} \"never closed", "s:i32:a");
  expect("} } } void f(int a) {}", "s:i32:a");
  expect("void f(int a) {}\n#define X \\", "s:i32:a");
}

/* ---- Beside a spec's arguments ---- */

static const char *const tensors =
    "{\"name\":\"x\",\"type\":\"f32\",\"role\":\"in\",\"shape\":[4]},"
    "{\"name\":\"y\",\"type\":\"f32\",\"role\":\"out\",\"shape\":[4]}";

static void differ(const char *args, const char *source, const char *expected)
{
  struct hone__kernel_candidate candidate = {.source = path_of("k.c"), .entry = "f"};
  struct hone__kernel_setup setup;
  struct hone__arena arena = {0};
  struct hone__text list = {0}, text = {0};
  size_t arg;
  json_t *json;

  write_text("k.c", source);
  hone__text_addf(&list, "{\"args\": [%s]}", args);
  json = json_loads(list.data, 0, NULL);
  assert_non_null(json);
  setup = unpacked_setup(json, &arena);
  hone__signature_compare(&setup, &candidate, &text, &arg);
  assert_string_equal(text.data ? text.data : "", expected);
  json_decref(json);
  hone__arena_release(&arena);
  hone__text_release(&list);
  hone__text_release(&text);
}

static void differ_more(const char *more, const char *source, const char *expected)
{
  struct hone__text args = {0};

  hone__text_addf(&args, "%s%s%s", tensors, *more ? "," : "", more);
  differ(args.data, source, expected);
  hone__text_release(&args);
}
#define N(type) "{\"name\":\"n\",\"type\":\"" type "\",\"scalar\":true}"

static void equal_signatures(void **state)
{
  (void)state;
  differ_more(N("i64"), "void f(const float *x, float *y, long n) {}", "");
  differ_more(N("i32"), "void f(const float *a, float *b, unsigned count) {}", "");
  differ_more(N("i64"), "void f(real *x, void *y, index n) {}", "");
  differ("{\"name\":\"h\",\"type\":\"f16\",\"shape\":[4]}", "void f(unsigned short *h) {}", "");
  differ("{\"name\":\"s\",\"struct\":true,\"size\":8}", "void f(struct s s) {}", "");
  differ_more(N("i64"), "void f(ARGS) {}", "");
}

static void arguments_that_are_missing_or_too_many(void **state)
{
  (void)state;
  differ_more(
      "", "\nvoid f(const float *x, float *y, long n) {}",
      "the spec has 2 arguments, 'f' in k.c:2 takes 3; the spec has no argument for 'long n'");
  differ_more(
      "", "void f(long n, const float *x, float *y) {}",
      "the spec has 2 arguments, 'f' in k.c:1 takes 3; the spec has no argument for 'long n'");
  differ_more(N("i64"), "void f(const float *x, float *y) {}",
              "the spec has 3 arguments, 'f' in k.c:1 takes 2; argument 3 'n' of the spec has no "
              "matching parameter");
}

/* `backend` is there where the reference of a GPU's kernel is in C. */
static void a_reference_in_c_gets_tensors_and_scalars_alone(void **state)
{
  int64_t shape[] = {4};
  struct hone__kernel_arg args[] = {{.name = "x", .type = "f32", .shape = shape, .shape_count = 1},
                                    {.name = "t", .type = "f32", .is_local = true},
                                    {.name = "n", .type = "i64", .is_scalar = true}};
  struct hone__kernel_setup setup = {.args = args, .args_count = 3};
  struct hone__kernel_candidate candidate = {
      .source = path_of("k.c"), .entry = "f", .backend = "c"};
  struct hone__text text = {0}, call = {0};
  size_t arg;

  (void)state;
  write_text("k.c", "void f(float *x, long n) {}");
  hone__signature_compare(&setup, &candidate, &text, &arg);
  assert_int_equal(text.length, 0);
  candidate.backend = NULL;
  hone__signature_compare(&setup, &candidate, &text, &arg);
  assert_string_equal(text.data, "the spec has 3 arguments, 'f' in k.c:1 takes 2; argument 2 't' "
                                 "of the spec has no matching parameter");
  assert_int_equal(arg, 1);
  hone__signature_call(&setup, &candidate, &call);
  assert_string_equal(call.data, "f(f32 *x, f32 *t, i64 n)");
  hone__text_release(&text);
  hone__text_release(&call);
}

static void arguments_in_another_order(void **state)
{
  (void)state;
  differ_more("", "void f(float *y, const float *x) {}",
              "argument 1 'x' of the spec is parameter 2 of 'f', 'const float *x' in k.c:1\n"
              "argument 2 'y' of the spec is parameter 1 of 'f', 'float *y' in k.c:1");
}

static void arguments_of_another_type(void **state)
{
  (void)state;
  differ_more(N("i64"), "void f(const float *x,\n float *y,\n int n) {}",
              "argument 3 'n' is i64 in the spec and 'int n' in k.c:3");
  differ_more(N("f32"), "void f(const float *x, float *y, double n) {}",
              "argument 3 'n' is f32 in the spec and 'double n' in k.c:1");
  differ_more(N("i32"), "void f(const double *a, int b, float *c) {}",
              "argument 1 'x' is a tensor of f32 in the spec and 'const double *a' in k.c:1\n"
              "argument 2 'y' is a tensor of f32 in the spec and 'int b' in k.c:1\n"
              "argument 3 'n' is i32 in the spec and 'float *c' in k.c:1");
  differ("{\"name\":\"h\",\"type\":\"f16\",\"shape\":[4]}", "void f(__bf16 *h) {}",
         "argument 1 'h' is a tensor of f16 in the spec and '__bf16 *h' in k.c:1");
}

/* `differ` for a kernel of a GPU, whose text leaves types open. */
static void gpu_differs(const char *name, const char *source, const char *expected)
{
  int64_t shape[] = {4};
  struct hone__kernel_arg args[] = {{.name = "x", .type = "f32", .shape = shape, .shape_count = 1},
                                    {.name = "n", .type = "i64", .is_scalar = true}};
  struct hone__kernel_setup setup = {.args = args, .args_count = 2, .folder = folder};
  struct hone__name_value wide = {"WIDE", "int"};
  struct hone__kernel_candidate candidate = {
      .source = path_of(name), .entry = "f", .defines = &wide, .defines_count = 1};
  struct hone__text text = {0};
  size_t arg;

  write_text(name, source);
  hone__signature_compare(&setup, &candidate, &text, &arg);
  if (strcmp(text.data ? text.data : "", expected) != 0)
    fail_msg("%s\n  gives    '%s'\n  expected '%s'", source, text.data, expected);
  hone__text_release(&text);
}

static bool has_clang(void)
{
  struct hone__clang_facts *facts;
  bool has;

  write_text("c.c", "");
  facts = hone__build_clang_ask(path_of("c.c"), HONE__BUILD_CLANG_C, NULL, NULL, &has);
  hone__build_clang_free(facts);
  return has;
}

static void kernels_of_gpus_by_clang(void **state)
{
  (void)state;
  if (!has_clang()) skip();
  gpu_differs("k.cl", "#define T float\n__kernel void f(__global T *x, const WIDE n) {}",
              "argument 2 'n' is i64 in the spec and 'const int n' in k.cl:2");
  gpu_differs("k.cu",
              "#define T(t) t *\n__global__ void f(T(double) x, long n) { x[threadIdx.x] = n; }",
              "argument 1 'x' is a tensor of f32 in the spec and 'double *x' in k.cu:2");
  gpu_differs("k.cu", "#include \"missing.h\"\n__global__ void f(T(double) x, int n) {}", "");
  gpu_differs("k.cu", "__global__ void f(half_of_a_toolkit *x, WIDE n) {}", "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(declarations),
      cmocka_unit_test(types_that_are_not_known),
      cmocka_unit_test(what_may_be_anything_is_unsure),
      cmocka_unit_test(names_of_types),
      cmocka_unit_test(endless_texts),
      cmocka_unit_test(equal_signatures),
      cmocka_unit_test(arguments_that_are_missing_or_too_many),
      cmocka_unit_test(a_reference_in_c_gets_tensors_and_scalars_alone),
      cmocka_unit_test(arguments_in_another_order),
      cmocka_unit_test(arguments_of_another_type),
      cmocka_unit_test(kernels_of_gpus_by_clang),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
