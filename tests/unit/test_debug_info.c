/* Parameters of functions as a compiler's debug information has them, and what differs from the
 * arguments of a spec. Two sources are compiled once each.
 */
#include "unpacked.h"
#include "backend/c/c_backend.h"
#include "source/debug_info.h"
#include "backend/kernel/signature.h"
#include "base/folder.h"
#include "base/text.h"
#include "folder.h"

#include <jansson.h>

static const char *const in_c =
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "#include \"types.h\"\n"
    "struct box { int first, last; double step; };\n"
    "enum mode { UP, DOWN };\n"
    "void names(const real *restrict x, REST, index_t n) {}\n"
    "void numbers(float a, double b, int c, unsigned long d, size_t e, unsigned char f, _Bool g,\n"
    "             uint16_t h) {}\n"
    "void structs(struct box by_value, const struct box *by_pointer, enum mode m) {}\n"
    "void arrays(double square[4][4], float **rows, const void *any, half16 *h) {}\n"
    "void from_header(DECLARED);\n"
    "void from_header(DECLARED) {}\n"
    "static void hidden(int a) {}\n"
    "void any(int n, ...) { hidden(n); }\n"
    "void none(void) {}\n"
    "real sum(const real *x) { return *x; }\n";

static const char *const types = "typedef double real;\n"
                                 "typedef long index_t;\n"
                                 "typedef _Float16 half16;\n"
                                 "#define REST real *y\n"
                                 "#define DECLARED int many, real scale\n"
                                 "static inline void in_header(float z) {}\n";

static const char *const in_cplusplus =
    "#include <cstddef>\n"
    "#include \"types.h\"\n"
    "namespace vision { namespace {\n"
    "template <int R, typename T> void blur(const T *__restrict__ in, T *out, std::size_t n) {}\n"
    "} }\n"
    "template <typename T> void scale(T &factor, const T *x) {}\n"
    "template <typename T> void scale(const T *x, T n, int count) {}\n"
    "namespace other { void blur(const float *out, float *in, std::size_t n) {} }\n"
    "extern \"C\" void plain(const float *x, float &total, std::size_t n)\n"
    "{\n"
    "  vision::blur<1, double>(nullptr, nullptr, n);\n"
    "}\n"
    "struct box { float low, high; };\n"
    "extern \"C\" void boxed(box b, box &r) {}\n";

static struct hone__kernel_candidate c_candidate, cplusplus_candidate;
static char *c_folder, *cplusplus_folder;

static int compile_all(void **state)
{
  static const struct hone__kernel_setup setup;

  if (make_folder(state)) return -1;
  write_text("types.h", types);
  write_text("k.c", in_c);
  write_text("k.cpp", in_cplusplus);
  c_candidate = (struct hone__kernel_candidate){
      .source = hone__strdup(path_of("k.c")), .entry = "names", .language = "c", .compiler = "cc"};
  cplusplus_candidate = (struct hone__kernel_candidate){.source = hone__strdup(path_of("k.cpp")),
                                                        .entry = "vision::blur<2, float>",
                                                        .language = "c++",
                                                        .compiler = "c++"};
  c_folder = hone__c_debug_compile(&setup, &c_candidate);
  cplusplus_folder = hone__c_debug_compile(&setup, &cplusplus_candidate);
  return c_folder && cplusplus_folder ? 0 : -1;
}

static int remove_all(void **state)
{
  hone__folder_remove(c_folder);
  hone__folder_remove(cplusplus_folder);
  free(c_folder);
  free(cplusplus_folder);
  free((char *)c_candidate.source);
  free((char *)cplusplus_candidate.source);
  return remove_folder(state);
}

static void print_members(const struct hone__parameter *parameter, struct hone__text *out)
{
  for (size_t i = 0; i < parameter->member_count; i++)
    hone__text_addf(out, "%s%s:%s", i ? " " : " {", parameter->members[i].name,
                    hone__element_name(parameter->members[i].element));
  if (parameter->member_count) hone__text_add(out, "}");
}

/* "p:f32:const float *x s:i64:long n": pointer or scalar, element, text; and members. */
static void print(const struct hone__prototype *prototype, struct hone__text *out)
{
  for (size_t i = 0; i < prototype->count; i++) {
    const struct hone__parameter *p = &prototype->parameters[i];
    hone__text_addf(out, "%s%s:%s:%s", i ? " | " : "", p->is_pointer ? "p" : "s",
                    p->has_element ? hone__element_name(p->element) : "?", p->text);
    print_members(p, out);
  }
}

static void expect_of(const char *object, const struct hone__kernel_candidate *candidate,
                      const char *entry, const char *name, const char *expected)
{
  struct hone__arena arena = {0};
  struct hone__prototype prototype;
  struct hone__text text = {0};

  hone__text_add(&text, "");
  if (hone__c_debug_find(object, candidate, entry, name, &arena, &prototype))
    print(&prototype, &text);
  else
    hone__text_add(&text, "unknown");
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
  hone__arena_release(&arena);
}

static void expect_c(const char *name, const char *expected)
{
  expect_of(c_folder, &c_candidate, name, name, expected);
}

static void expect_plain(const char *name, const char *expected)
{
  expect_of(cplusplus_folder, &cplusplus_candidate, name, name, expected);
}

static void typedefs_macros_and_headers(void **state)
{
  (void)state;
  expect_c("names", "p:f64:const real *restrict x | p:f64:real *y | s:i64:index_t n");
  expect_c("from_header", "s:i32:int many | s:f64:real scale");
  expect_c("none", "");
}

static void numbers(void **state)
{
  (void)state;
  expect_c(
      "numbers",
      "s:f32:float a | s:f64:double b | s:i32:int c | s:u64:unsigned long d | s:u64:size_t e | "
      "s:u8:unsigned char f | s:bool:_Bool g | s:u16:uint16_t h");
}

static void structs_enums_and_arrays(void **state)
{
  (void)state;
  expect_c("structs", "s:?:struct box by_value {first:i32 last:i32 step:f64} | p:?:const struct "
                      "box *by_pointer {first:i32 last:i32 step:f64} | "
                      "s:i32:enum mode m");
  expect_c("arrays", "p:f64:double *square | p:?:float **rows | p:?:const void *any | "
                     "p:f16:half16 *h");
}

static void functions_that_cannot_be_called(void **state)
{
  (void)state;
  expect_c("any", "unknown");    /* of any number of arguments */
  expect_c("hidden", "unknown"); /* static */
  expect_c("missing", "unknown");
  expect_plain("blur", "unknown"); /* without a name of C */
}

/* Another instance of it, and another function of that name, do not confuse it. */
static void templates_in_namespaces(void **state)
{
  (void)state;
  expect_of(cplusplus_folder, &cplusplus_candidate, "vision::blur<2, float>", "blur",
            "p:f32:const float *restrict in | p:f32:float *out | s:u64:size_t n");
}

static void references_of_cplusplus(void **state)
{
  (void)state;
  expect_plain("plain", "p:f32:const float *x | p:f32:float &total | s:u64:size_t n");
  expect_plain("boxed", "s:?:box b {low:f32 high:f32} | p:?:box &r {low:f32 high:f32}");
}

static void objects_that_are_none(void **state)
{
  struct hone__arena arena = {0};
  struct hone__prototype prototype;

  (void)state;
  assert_false(
      hone__code_debug_info_find(path_of("missing"), "k.c", "f", "f", NULL, &arena, &prototype));
  assert_false(
      hone__code_debug_info_find(path_of("k.c"), "k.c", "f", "f", NULL, &arena, &prototype));
  write_text("cut", "\177ELF\2\1\1");
  assert_false(
      hone__code_debug_info_find(path_of("cut"), "k.c", "f", "f", NULL, &arena, &prototype));
  hone__arena_release(&arena);
}

/* ---- Beside a spec's arguments ---- */

static void differ(const char *args, const char *source, const char *entry, const char *expected)
{
  struct hone__kernel_candidate candidate = c_candidate;
  struct hone__kernel_setup setup;
  struct hone__arena arena = {0};
  struct hone__text list = {0}, text = {0};
  size_t arg;
  json_t *json;

  if (source) write_text("one.c", source);
  if (source) candidate.source = path_of("one.c");
  candidate.entry = entry;
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
#define TENSOR(name, type) "{\"name\":\"" name "\",\"type\":\"" type "\",\"shape\":[4]}"
#define SCALAR(name, type) "{\"name\":\"" name "\",\"type\":\"" type "\",\"scalar\":true}"
#define STRUCT(name, size) "{\"name\":\"" name "\",\"struct\":true,\"size\":" size "}"

static void equal_arguments(void **state)
{
  (void)state;
  differ(TENSOR("x", "f64") "," TENSOR("y", "f64") "," SCALAR("n", "i64"), NULL, "names", "");
  differ(STRUCT("s", "16") "," TENSOR("p", "u8") "," SCALAR("m", "i32"), NULL, "structs", "");
}

static void other_types_and_orders(void **state)
{
  (void)state;
  differ(
      TENSOR("x", "f32") "," TENSOR("y", "f64") "," SCALAR("n", "i32"), NULL, "names",
      "argument 1 'x' is a tensor of f32 in the spec and 'const real *restrict x' (f64) in k.c:6\n"
      "argument 3 'n' is i32 in the spec and 'index_t n' (i64) in k.c:6");
  differ(TENSOR("y", "f64") "," TENSOR("x", "f64") "," SCALAR("n", "i64"), NULL, "names",
         "argument 1 'y' of the spec is parameter 2 of 'names', 'real *y' in k.c:6\n"
         "argument 2 'x' of the spec is parameter 1 of 'names', 'const real *restrict x' in k.c:6");
  differ(TENSOR("x", "f64") "," TENSOR("y", "f64"), NULL, "names",
         "the spec has 2 arguments, 'names' in k.c:6 takes 3; the spec has no argument for "
         "'index_t n'");
}

static void structs_of_another_size(void **state)
{
  (void)state;
  differ(STRUCT("s", "12") "," STRUCT("p", "16") "," SCALAR("m", "f64"), NULL, "structs",
         "argument 1 's' is a struct of 12 bytes in the spec and 'struct box by_value' (16 bytes) "
         "in k.c:9\n"
         "argument 2 'p' is a struct of 16 bytes in the spec and 'const struct box *by_pointer' "
         "in k.c:9\n"
         "argument 3 'm' is f64 in the spec and 'enum mode m' (i32) in k.c:9");
}

static void returned_values(void **state)
{
  static const char *const f32 =
      TENSOR("x", "f64") ",{\"name\":\"s\",\"type\":\"f32\",\"shape\":[1],\"return\":true}";
  static const char *const f64 =
      TENSOR("x", "f64") ",{\"name\":\"s\",\"type\":\"f64\",\"shape\":[1],\"return\":true}";

  (void)state;
  differ(f64, NULL, "sum", "");
  differ(f32, NULL, "sum", "'s' is f32 in the spec, and 'sum' in k.c:16 returns 'real' (f64)");
  differ(f64, "void f(double *x) {}\n", "f",
         "'s' is f64 in the spec, and 'f' in one.c:1 returns 'void'");
}

static void sources_that_do_not_compile_are_read_as_text(void **state)
{
  (void)state;
  differ(SCALAR("x", "f64") "," SCALAR("n", "i64"), "#error\nvoid f(float x, some_t n) {}\n", "f",
         "argument 1 'x' is f64 in the spec and 'float x' in one.c:2");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(typedefs_macros_and_headers),
      cmocka_unit_test(numbers),
      cmocka_unit_test(structs_enums_and_arrays),
      cmocka_unit_test(functions_that_cannot_be_called),
      cmocka_unit_test(templates_in_namespaces),
      cmocka_unit_test(references_of_cplusplus),
      cmocka_unit_test(objects_that_are_none),
      cmocka_unit_test(equal_arguments),
      cmocka_unit_test(other_types_and_orders),
      cmocka_unit_test(structs_of_another_size),
      cmocka_unit_test(returned_values),
      cmocka_unit_test(sources_that_do_not_compile_are_read_as_text),
  };
  return cmocka_run_group_tests(tests, compile_all, remove_all);
}
