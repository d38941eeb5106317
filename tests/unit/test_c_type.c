#include "base/c_type.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *element_of(const char *text)
{
  enum hone__element element;

  return hone__element_of_c_type(text, strlen(text), &element) ? hone__element_name(element)
                                                               : "none";
}

static void known_types(void **state)
{
  static const char *const cases[][2] = {
      {"float", "f32"},
      {"const float", "f32"},
      {"double const", "f64"},
      {"int", "i32"},
      {"unsigned", "u32"},
      {"unsigned int", "u32"},
      {"signed", "i32"},
      {"long", "i64"},
      {"long long int", "i64"},
      {"unsigned long", "u64"},
      {"long unsigned int", "u64"},
      {"short", "i16"},
      {"char", "i8"},
      {"unsigned char", "u8"},
      {"size_t", "u64"},
      {"half", "f16"},
      {"__global const half", "f16"},
      {"__nv_bfloat16", "bf16"},
      {"_Bool", "bool"},
      {" uint32_t ", "u32"},
      {"uint", "u32"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(element_of(cases[i][0]), cases[i][1]);
}

static void what_only_a_compiler_knows(void **state)
{
  static const char *const cases[] = {"",
                                      "const",
                                      "void",
                                      "real_t",
                                      "struct x",
                                      "long double",
                                      "T",
                                      "float *",
                                      "float int",
                                      "unsigned float",
                                      "f<int>",
                                      "unsigned signed",
                                      "float double",
                                      "short char",
                                      "4",
                                      "long long long"};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(element_of(cases[i]), "none");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_types),
      cmocka_unit_test(what_only_a_compiler_knows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
