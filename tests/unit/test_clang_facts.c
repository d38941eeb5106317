/* What libclang knows of a source. Skipped where there is none. */
#include "build/clang_facts.h"
#include "folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static struct hone__clang_facts *ask(const char *name, enum hone__build_clang_language language,
                                     const char *text, const char *flag)
{
  struct hone__words flags = {0};
  struct hone__clang_facts *facts;
  bool is_available;

  write_text(name, text);
  if (flag) hone__words_add(&flags, flag);
  facts = hone__build_clang_ask(path_of(name), language, NULL, &flags, &is_available);
  hone__words_release(&flags);
  if (!is_available) skip();
  assert_non_null(facts);
  return facts;
}

static const struct hone__clang_function *find(const struct hone__clang_facts *facts,
                                               const char *name)
{
  const struct hone__clang_function *found = NULL;

  for (size_t i = 0; i < facts->function_count; i++)
    if (strcmp(facts->functions[i].name, name) == 0) found = &facts->functions[i];
  assert_non_null(found);
  return found;
}

static void expect_parameter(const struct hone__clang_function *function, size_t index,
                             const char *text, enum hone__element element, bool is_pointer)
{
  const struct hone__parameter *own = &function->prototype.parameters[index];

  assert_true(index < function->prototype.count);
  assert_string_equal(own->text, text);
  assert_true(own->has_element);
  assert_int_equal(own->element, element);
  assert_int_equal(own->is_pointer, is_pointer);
}

static void macros_typedefs_and_attributes_are_resolved(void **state)
{
  struct hone__clang_facts *facts =
      ask("m.c", HONE__BUILD_CLANG_C,
          "#include <stdint.h>\n#include <stddef.h>\n"
          "#define REAL float\n#define API __attribute__((visibility(\"default\")))\n"
          "#define VECTORS const REAL *restrict x, REAL *restrict y\n"
          "#define KERNEL(name, type) API type name(VECTORS, size_t n, WIDE w)\n"
          "typedef uint16_t small;\n"
          "KERNEL(scale, double) { __builtin_unknown(); return 0; }\n"
          "static int helper(void) { return 1; }\n"
          "void other(small (*a)[4], enum { ONE } e) { }\n",
          "-DWIDE=short");
  const struct hone__clang_function *scale = find(facts, "scale"), *other = find(facts, "other");

  (void)state;
  assert_true(facts->is_flawless);
  assert_int_equal(scale->line, 8);
  assert_int_equal(scale->prototype.count, 4);
  expect_parameter(scale, 0, "const float *restrict x", HONE__ELEMENT_F32, true);
  expect_parameter(scale, 2, "size_t n", HONE__ELEMENT_U64, false);
  expect_parameter(scale, 3, "short w", HONE__ELEMENT_I16, false);
  assert_int_equal(scale->prototype.returns->element, HONE__ELEMENT_F64);
  assert_true(find(facts, "helper")->is_hidden);
  assert_int_equal(other->prototype.parameters[0].element, HONE__ELEMENT_U16);
  assert_true(other->prototype.parameters[1].is_enum);
  hone__build_clang_free(facts);
}

static void structs_have_sizes_and_members(void **state)
{
  struct hone__clang_facts *facts =
      ask("s.c", HONE__BUILD_CLANG_C,
          "typedef struct { float x, y; } point;\nstruct list { struct list *next; };\n"
          "struct box { int width; double scale; };\n"
          "void f(const point *p, struct list *l, struct box b, missing *m) { }\n",
          NULL);
  const struct hone__prototype *f = &find(facts, "f")->prototype;

  (void)state;
  assert_int_equal(f->parameters[0].target_bytes, 8);
  assert_int_equal(f->parameters[0].member_count, 2);
  assert_string_equal(f->parameters[0].members[1].name, "y");
  assert_int_equal(f->parameters[1].target_bytes, 8);
  assert_null(f->parameters[1].members);
  assert_int_equal(f->parameters[2].struct_bytes, 16);
  assert_int_equal(f->parameters[2].members[1].element, HONE__ELEMENT_F64);
  assert_false(f->parameters[3].has_element); /* clang takes it for an int */
  assert_string_equal(f->parameters[3].text, "missing * m");
  assert_true(find(facts, "f")->is_doubtful);
  assert_false(facts->is_flawless);
  assert_non_null(strstr(facts->complaint, "unknown type name 'missing'"));
  hone__build_clang_free(facts);
}

static void templates_have_parameters_and_namespaces(void **state)
{
  struct hone__clang_facts *facts =
      ask("t.cpp", HONE__BUILD_CLANG_CPLUSPLUS,
          "#include <type_traits>\n#include <cstddef>\nnamespace vision { namespace {\n"
          "void hidden(int *x) { }\n}\n"
          "template <typename T, int TILE = (4 > 2) ? 8 : 4, bool FAST = true,\n"
          "          std::enable_if_t<(TILE > 2), int> = 0>\n"
          "void blur(const T *in, T *out, std::size_t n) { }\n"
          "inline void twice(float &x) { }\n}\n"
          "extern \"C\" { void plain(float *x) { } }\n"
          "void sum(const float *x, int n) { }\nvoid sum(const double *x, int n) { }\n"
          "struct A { template <typename T> void method(T *x); };\n"
          "template <typename T> void A::method(T *x) { }\n",
          "-std=gnu++17");
  const struct hone__clang_function *blur = find(facts, "blur");

  (void)state;
  assert_true(facts->is_flawless);
  assert_true(blur->is_template);
  assert_false(blur->is_doubtful);
  assert_string_equal(blur->scope, "vision::");
  assert_int_equal(blur->parameter_count, 4);
  assert_true(blur->parameters[0].is_type);
  assert_string_equal(blur->parameters[1].name, "TILE");
  assert_string_equal(blur->parameters[1].value, "8");
  assert_string_equal(blur->parameters[2].value, "1");
  assert_true(blur->parameters[2].is_flag);
  assert_string_equal(blur->parameters[3].name, "");
  assert_string_equal(blur->prototype.parameters[0].text, "const T *in");
  assert_false(blur->prototype.parameters[0].has_element);
  expect_parameter(blur, 2, "std::size_t n", HONE__ELEMENT_U64, false);
  assert_true(find(facts, "hidden")->is_hidden);
  assert_true(find(facts, "twice")->is_inline);
  assert_true(find(facts, "plain")->is_c);
  assert_false(find(facts, "sum")->is_c);
  assert_int_equal(find(facts, "sum")->prototype.parameters[0].element, HONE__ELEMENT_F64);
  for (size_t i = 0; i < facts->function_count; i++)
    assert_string_not_equal(facts->functions[i].name, "method");
  hone__build_clang_free(facts);
}

static void constants_are_computed_and_headers_have_macros(void **state)
{
  struct hone__clang_facts *facts;

  (void)state;
  write_text("tiles.h", "#ifndef TILES_H\n#define TILES_H\n#ifndef TILE\n#define TILE 16\n#endif\n"
                        "#ifndef TILE_WIDTH\n#define WIDTH_OF_TILE 4\n#endif\n"
                        "#ifndef UNITS\n#define UNIT 2\n#endif\n"
                        "#define FIXED 3\n#endif\n");
  facts = ask("c.cpp", HONE__BUILD_CLANG_CPLUSPLUS,
              "#include \"tiles.h\"\nconstexpr int LANES = 4;\nconstexpr int WIDTH = 2 * LANES;\n"
              "void f(float *x) { }\n",
              NULL);
  assert_int_equal(facts->constant_count, 3);
  assert_string_equal(facts->constants[0].name, "TILE");
  assert_string_equal(facts->constants[0].value, "16");
  assert_true(facts->constants[0].is_macro);
  assert_non_null(strstr(facts->constants[0].file, "tiles.h"));
  assert_string_equal(facts->constants[2].name, "WIDTH");
  assert_string_equal(facts->constants[2].value, "8");
  hone__build_clang_free(facts);
}

static void kernels_of_gpus_need_no_toolkit(void **state)
{
  struct hone__clang_facts *facts =
      ask("k.cu", HONE__BUILD_CLANG_CUDA,
          "#include \"missing.h\"\ntypedef float real;\n"
          "__global__ void __launch_bounds__(256) scale(real *x, const half *h, int n)\n"
          "{ x[blockIdx.x] *= 2; }\n",
          NULL);
  const struct hone__clang_function *scale = find(facts, "scale");

  (void)state;
  assert_true(scale->is_global);
  assert_int_equal(scale->prototype.parameters[0].element, HONE__ELEMENT_F32);
  assert_false(scale->prototype.parameters[1].has_element);
  assert_true(scale->prototype.parameters[1].is_pointer);
  assert_false(facts->is_flawless);
  hone__build_clang_free(facts);
  facts = ask("k.cl", HONE__BUILD_CLANG_OPENCL,
              "#define TYPE float\n__kernel void copy(__global TYPE *y, const int n) { }\n", NULL);
  assert_int_equal(find(facts, "copy")->prototype.parameters[1].element, HONE__ELEMENT_I32);
  assert_int_equal(find(facts, "copy")->prototype.parameters[0].element, HONE__ELEMENT_F32);
  hone__build_clang_free(facts);
}

static void without_a_library_there_is_no_answer(void **state)
{
  bool is_available = true;
  const char *before = getenv("HONE_LIBCLANG");
  char *kept = before ? strdup(before) : NULL;

  (void)state;
  write_text("n.c", "void f(float *x) { }\n");
  setenv("HONE_LIBCLANG", path_of("n.c"), 1);
  assert_null(
      hone__build_clang_ask(path_of("n.c"), HONE__BUILD_CLANG_C, NULL, NULL, &is_available));
  assert_false(is_available);
  if (kept)
    setenv("HONE_LIBCLANG", kept, 1);
  else
    unsetenv("HONE_LIBCLANG");
  free(kept);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(macros_typedefs_and_attributes_are_resolved),
      cmocka_unit_test(structs_have_sizes_and_members),
      cmocka_unit_test(templates_have_parameters_and_namespaces),
      cmocka_unit_test(constants_are_computed_and_headers_have_macros),
      cmocka_unit_test(kernels_of_gpus_need_no_toolkit),
      cmocka_unit_test(without_a_library_there_is_no_answer),
  };

  return cmocka_run_group_tests_name("clang_facts", tests, make_folder, remove_folder);
}
