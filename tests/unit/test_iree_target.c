/* Intrinsics, their layouts and the lists of the targets are what IREE's own bindings say. */
#include "iree/operation/mma.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define DATA "tests/data/iree/"

/* ---- Lines of a file, cut at blanks ---- */

typedef void check_line(char **words, int count);
static void each_line(const char *path, check_line *check)
{
  FILE *file = fopen(path, "re");
  static char line[1 << 14];
  char *words[16];

  if (!file) fail_msg("cannot open %s", path);
  while (fgets(line, sizeof line, file)) {
    char *rest = line;
    int count = 0;
    line[strcspn(line, "\n")] = '\0';
    while (rest && count < 16)
      words[count++] = strsep(&rest, " ");
    check(words, count);
  }
  fclose(file);
}

/* ---- Intrinsics ---- */

static void add_layout(struct hone__text *text, const struct hone__mma_layout *layout)
{
  const int *pairs[] = {layout->outer, layout->thread, layout->strides, layout->element};

  for (int i = 0; i < 4; i++) {
    hone__text_addf(text, "%s%d,%d", text->length ? "," : "", pairs[i][0], pairs[i][1]);
  }
}

static void check_layouts(const struct hone__mma *mma, const char *expected)
{
  struct hone__text text = {0};

  assert_int_equal(mma->has_layout, strcmp(expected, "-") != 0);
  if (!mma->has_layout) return;
  add_layout(&text, &mma->lhs);
  add_layout(&text, &mma->rhs);
  add_layout(&text, &mma->acc);
  if (strcmp(text.data, expected)) fail_msg("%s: %s is not %s", mma->name, text.data, expected);
  hone__text_release(&text);
}

static void check_virtuals(const char *name, const char *expected)
{
  const char *const *virtuals = hone__mma_virtual_names(name);
  struct hone__text text = {0};

  for (; virtuals && *virtuals; virtuals++) {
    hone__text_addf(&text, "%s%s", text.length ? "," : "", *virtuals);
  }
  assert_string_equal(text.length ? text.data : "-", expected);
  hone__text_release(&text);
}

/* name m,n,k a,b,c real|virtual|block layouts virtuals */
static void check_intrinsic(char **words, int count)
{
  struct hone__arena arena = {0};
  struct hone__mma mma;
  char shape[64], types[64];

  assert_int_equal(count, 6);
  assert_true(hone__mma_from_name(&arena, words[0], &mma));
  snprintf(shape, sizeof shape, "%d,%d,%d", (int)mma.m, (int)mma.n, (int)mma.k);
  snprintf(types, sizeof types, "%s,%s,%s", mma.a, mma.b, mma.c);
  assert_string_equal(mma.name, words[0]);
  assert_string_equal(shape, words[1]);
  assert_string_equal(types, words[2]);
  assert_int_equal(mma.is_virtual, !strcmp(words[3], "virtual"));
  assert_int_equal(mma.is_block, !strcmp(words[3], "block"));
  check_layouts(&mma, words[4]);
  check_virtuals(words[0], words[5]);
  hone__arena_release(&arena);
}

static void names_say_what_an_intrinsic_is(void **state)
{
  (void)state;
  each_line(DATA "targets/intrinsics.txt", check_intrinsic);
}

static void other_names_are_no_intrinsics(void **state)
{
  static const char *const names[] = {"",
                                      "MFMA",
                                      "MFMA_F32",
                                      "MFMA_F32_16x16x16",
                                      "16x16x16_F16",
                                      "F32_16x16x16_F16",
                                      "MFMA_F32_16x16_F16",
                                      "MFMA_F32_0x16x16_F16",
                                      "MFMA_F32_16xx16_F16",
                                      "MFMA_F32_16x16x16x2x2_F16",
                                      "MFMA_F32_16x16x99999999999999999999_F16",
                                      "A_B_C_D_E_F_G_H_16x16x16_F16",
                                      "MFMA_F32_16x16x16_F16_F16_F16"};
  struct hone__arena arena = {0};
  struct hone__mma mma;

  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (hone__mma_from_name(&arena, names[i], &mma)) fail_msg("'%s' is one", names[i]);
  }
  hone__arena_release(&arena);
}

static void intrinsics_fit_their_types(void **state)
{
  static const struct {
    const char *name, *lhs, *rhs, *out;
    bool allow_virtual, fits;
  } cases[] = {
      {"MFMA_F32_16x16x16_F16", "f16", "f16", "f32", false, true},
      {"MFMA_F32_16x16x16_F16", "f16", "f16", "f16", false, true},
      {"MFMA_F32_16x16x16_F16", "f16", "f16", "bf16", false, false},
      {"MFMA_F32_16x16x16_F16", "f16", "f32", "f32", false, false},
      {"MFMA_F32_16x16x16_F16", "f32", "f32", "f32", false, false},
      {"MFMA_F32_16x16x16_BF16", "bf16", "bf16", "bf16", false, true},
      {"MFMA_F32_16x16x16_BF16", "f16", "f16", "bf16", false, false},
      {"MFMA_F32_16x16x4_F32", "f32", "f32", "f32", false, true},
      {"MFMA_I32_16x16x32_I8", "i8", "i8", "i32", false, true},
      {"MFMA_I32_16x16x32_I8", "i8", "i8", "i8", false, false},
      {"WMMAR4_F16_16x16x16_F16", "f16", "f16", "f16", false, true},
      {"WMMAR4_F16_16x16x16_F16", "f16", "f16", "f32", false, false},
      {"MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3FNUZ", "f32", false, true},
      {"MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ", "f8E4M3FNUZ", "f8E5M2FNUZ", "f32", false, false},
      {"MFMA_F32_16x16x32_F8E4M3FNUZ", "f8E4M3FNUZ", "f8E4M3FNUZ", "f8E4M3FNUZ", false, false},
      {"VMFMA_F32_16x16x32_F16", "f16", "f16", "f32", false, false},
      {"VMFMA_F32_16x16x32_F16", "f16", "f16", "f32", true, true},
      {"MFMA_F64_4x4x4x4B_F64", "f64", "f64", "f64", true, false},
  };
  struct hone__arena arena = {0};
  struct hone__mma mma;

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_true(hone__mma_from_name(&arena, cases[i].name, &mma));
    if (hone__mma_fits(&mma, cases[i].lhs, cases[i].rhs, cases[i].out, cases[i].allow_virtual) !=
        cases[i].fits) {
      fail_msg("case %zu: %s", i, cases[i].name);
    }
  }
  hone__arena_release(&arena);
}

/* ---- Targets ---- */

static bool read_target(struct hone__mlir *mlir, hone_status status,
                        struct hone__iree_target *target, struct hone__text *why)
{
  if (status) fail_msg("%s", hone_status_message(status));
  return hone__iree_target_read(mlir, target, why);
}

static void read_file(struct hone__mlir *mlir, const char *file, struct hone__iree_target *target)
{
  struct hone__text why = {0};
  char path[256];

  *mlir = (struct hone__mlir){.path = NULL};
  snprintf(path, sizeof path, DATA "%s", file);
  if (!read_target(mlir, hone__mlir_read(mlir, path), target, &why)) {
    fail_msg("%s: %s", file, why.data);
  }
  hone__text_release(&why);
}

/* file arch subgroup threads shared simds processors names */
static void check_target(char **words, int count)
{
  struct hone__mlir mlir;
  struct hone__iree_target target;
  char file[64], *names;

  assert_int_equal(count, 8);
  snprintf(file, sizeof file, "targets/%s.mlir", words[0]);
  read_file(&mlir, file, &target);
  assert_int_equal(target.family, *words[1] == 'g' ? HONE__IREE_AMD : HONE__IREE_NVIDIA);
  assert_string_equal(target.backend, *words[1] == 'g' ? "rocm" : "cuda");
  assert_string_equal(target.arch, words[1]);
  assert_int_equal(target.subgroup_size, atoi(words[2]));
  assert_int_equal(target.max_threads, atoi(words[3]));
  assert_int_equal(target.shared_bytes, atoi(words[4]));
  assert_int_equal(target.simds, atoi(words[5]));
  assert_int_equal(target.processors, atoi(words[6]));
  names = words[7];
  for (size_t i = 0; i < target.mma_count; i++) {
    assert_string_equal(target.mmas[i].name, strsep(&names, ","));
  }
  assert_null(names);
  hone__mlir_release(&mlir);
}

static void targets_are_what_the_bindings_report(void **state)
{
  (void)state;
  each_line(DATA "targets/expected.txt", check_target);
}

static void other_targets_are_read_too(void **state)
{
  struct hone__iree_target target;
  struct hone__mlir mlir;

  (void)state;
  read_file(&mlir, "targets/cpu.mlir", &target);
  assert_int_equal(target.family, HONE__IREE_CPU);
  assert_string_equal(target.backend, "llvm-cpu");
  assert_string_equal(target.arch, "znver4");
  assert_int_equal(target.native_vector_bytes, 64);
  assert_int_equal(target.mma_count, 0);
  hone__mlir_release(&mlir);

  read_file(&mlir, "targets/vulkan.mlir", &target);
  assert_int_equal(target.family, HONE__IREE_OTHER);
  assert_string_equal(target.backend, "vulkan-spirv");
  assert_int_equal(target.subgroup_size, 64);
  hone__mlir_release(&mlir);
}

static void dumps_have_the_target_of_their_variant(void **state)
{
  struct hone__iree_target target;
  struct hone__mlir mlir;

  (void)state;
  read_file(&mlir, "dumps/matmul_gfx942.mlir", &target);
  assert_string_equal(target.arch, "gfx942");
  assert_int_equal(target.mma_count, 35);
  hone__mlir_release(&mlir);
  read_file(&mlir, "dumps/matmul_cpu.mlir", &target);
  assert_string_equal(target.arch, "znver4");
  hone__mlir_release(&mlir);
}

static void the_target_may_stand_anywhere(void **state)
{
  static const struct {
    const char *text, *arch; /* NULL: none is found */
  } cases[] = {
      {"#executable_target = #hal.executable.target<\"rocm\", \"x\", {iree_codegen.target_info = "
       "#iree_gpu.target<arch = \"gfx90a\">}>\nmodule {\n}\n",
       "gfx90a"},
      {"// #hal.executable.target<\"rocm\">\nmodule attributes {a = "
       "\"#hal.executable.target<\\\"rocm\\\">\"} {\n}\n",
       NULL},
      {"module {\n}\n", NULL},
      {"", NULL},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__mlir mlir = {.path = NULL};
    struct hone__iree_target target;
    struct hone__text why = {0};
    bool is_found = read_target(
        &mlir, hone__mlir_parse(&mlir, "test.mlir", cases[i].text, strlen(cases[i].text)), &target,
        &why);
    if (is_found != (cases[i].arch != NULL)) fail_msg("case %zu: %s", i, why.data);
    if (is_found) assert_string_equal(target.arch, cases[i].arch);
    if (!is_found) assert_non_null(strstr(why.data, "no #hal.executable.target"));
    hone__text_release(&why);
    hone__mlir_release(&mlir);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_say_what_an_intrinsic_is),
      cmocka_unit_test(other_names_are_no_intrinsics),
      cmocka_unit_test(intrinsics_fit_their_types),
      cmocka_unit_test(targets_are_what_the_bindings_report),
      cmocka_unit_test(other_targets_are_read_too),
      cmocka_unit_test(dumps_have_the_target_of_their_variant),
      cmocka_unit_test(the_target_may_stand_anywhere),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
