/* Expected dims, sizes, maps and igemms are what MLIR and IREE themselves say (the files of
 * tests/data/iree); refusals are ours. */
#include "iree/operation/fusion.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define DATA "tests/data/iree/"

/* ---- One file and its operation ---- */

struct subject {
  struct hone__mlir mlir;
  struct hone__iree_operation operation;
  enum hone__iree_refusal refusal;
  struct hone__text why;
};

static void release(struct subject *subject)
{
  hone__mlir_release(&subject->mlir);
  hone__text_release(&subject->why);
}

static void find(struct subject *subject, hone_status status)
{
  if (status) fail_msg("%s", hone_status_message(status));
  subject->refusal = hone__iree_operation_find(&subject->mlir, &subject->operation, &subject->why);
}

static void find_in_text(struct subject *subject, const char *text)
{
  *subject = (struct subject){.refusal = HONE__IREE_TUNABLE};
  find(subject, hone__mlir_parse(&subject->mlir, "test.mlir", text, strlen(text)));
}

static void find_in_file(struct subject *subject, const char *path)
{
  *subject = (struct subject){.refusal = HONE__IREE_TUNABLE};
  find(subject, hone__mlir_read(&subject->mlir, path));
}

static void assert_tunable(const struct subject *subject, const char *what)
{
  if (subject->refusal != HONE__IREE_TUNABLE) {
    fail_msg("%s: refused (%d): %s", what, (int)subject->refusal, subject->why.data);
  }
}

/* ---- Lists as text: "0,1,2", "-" ---- */

static void assert_list(const char *what, const struct hone__dim_list *list, const int64_t *sizes,
                        const char *expected)
{
  struct hone__text text = {0};

  for (unsigned i = 0; i < list->count; i++) {
    hone__text_addf(&text, "%s%lld", i ? "," : "",
                    (long long)(sizes ? sizes[list->dims[i]] : list->dims[i]));
  }
  if (list->count == 0) hone__text_add(&text, "-");
  if (strcmp(text.data, *expected ? expected : "-")) {
    fail_msg("%s: %s instead of %s", what, text.data, expected);
  }
  hone__text_release(&text);
}

/* Lines of a file, each given to `check` cut into words at `separator`. */
typedef void check_line(char **words, int count);
static void each_line(const char *path, const char *separator, check_line *check)
{
  FILE *file = fopen(path, "re");
  char line[4096], *words[16];

  if (!file) fail_msg("cannot open %s", path);
  while (fgets(line, sizeof line, file)) {
    char *rest = line;
    int count = 0;
    line[strcspn(line, "\n")] = '\0';
    while (rest && count < 16)
      words[count++] = strsep(&rest, separator);
    check(words, count);
  }
  fclose(file);
}

/* ---- SHARK Tuner's problems ---- */

static void check_contraction(const char *name, const struct hone__iree_operation *o, char **words)
{
  const struct hone__dim_list *lists[] = {&o->batch, &o->m, &o->n, &o->k};

  assert_int_equal(o->kind, HONE__IREE_CONTRACTION);
  for (int i = 0; i < 4; i++) {
    assert_list(name, lists[i], o->sizes, words[2 + i]);
    assert_list(name, lists[i], NULL, words[6 + i]);
  }
}

static void check_igemm(const char *name, const struct hone__iree_operation *o, char **words)
{
  struct hone__iree_igemm igemm;
  const struct hone__dim_list *lists[] = {&igemm.batch, &igemm.m, &igemm.n, &igemm.k};

  assert_true(hone__iree_igemm_of(o, &igemm));
  for (int i = 0; i < 4; i++) {
    assert_list(name, lists[i], igemm.sizes, words[2 + i]);
    assert_list(name, lists[i], NULL, words[6 + i]);
  }
}

static void check_attention(const char *name, const struct hone__iree_operation *o, char **words)
{
  const struct hone__dim_list *lists[] = {&o->batch, &o->m, &o->n, &o->k1, &o->k2};

  assert_int_equal(o->kind, HONE__IREE_ATTENTION);
  for (int i = 0; i < 5; i++)
    assert_list(name, lists[i], o->sizes, words[2 + i]);
}

/* VectorDistribute: m is batch and image, k the filter and then the input's channels. */
static void check_direct(const char *name, const struct hone__iree_operation *o, char **words)
{
  char batch[32], image[32], filter[32], channel[32];

  assert_int_equal(o->kind, HONE__IREE_CONVOLUTION);
  assert_int_equal(sscanf(words[3], "%31[^,],%31s", batch, image), 2);
  assert_int_equal(sscanf(words[5], "%31[0-9]", filter), 1);
  snprintf(filter, sizeof filter, "%.*s", (int)(strrchr(words[5], ',') - words[5]), words[5]);
  snprintf(channel, sizeof channel, "%s", strrchr(words[5], ',') + 1);
  assert_list(name, &o->batch, o->sizes, batch);
  assert_list(name, &o->image, o->sizes, image);
  assert_list(name, &o->output_channel, o->sizes, words[4]);
  assert_list(name, &o->filter, o->sizes, filter);
  assert_list(name, &o->input_channel, o->sizes, channel);
}

static void check_problem(char **words, int count)
{
  static const struct {
    const char *kind;
    void (*check)(const char *, const struct hone__iree_operation *, char **);
  } kinds[] = {{"contraction", check_contraction},
               {"igemm", check_igemm},
               {"vd", check_direct},
               {"attention", check_attention}};
  struct subject subject;
  char path[512];

  assert_true(count >= 7);
  snprintf(path, sizeof path, DATA "problems/%s.mlir", words[0]);
  find_in_file(&subject, path);
  assert_tunable(&subject, words[0]);
  assert_true(subject.operation.is_root);
  assert_string_equal(subject.operation.function, "main");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (!strcmp(kinds[i].kind, words[1])) kinds[i].check(words[0], &subject.operation, words);
  }
  release(&subject);
}

static void problems_have_the_dims_that_shark_tuner_sees(void **state)
{
  (void)state;
  each_line(DATA "problems/expected.txt", " ", check_problem);
}

/* ---- Named operations ---- */

static struct hone__mlir named; /* for check_named */

struct wanted {
  char name[96];
  struct hone__mlir_op *op;
};
static bool is_wanted(void *data, struct hone__mlir_op *op)
{
  struct wanted *wanted = data;

  if (!strcmp(op->name, wanted->name)) wanted->op = op;
  return wanted->op == NULL;
}

static void check_named(char **words, int count)
{
  struct hone__text why = {0}, printed = {0};
  struct hone__affine_map *maps;
  struct wanted wanted = {.op = NULL};

  assert_int_equal(count, 4);
  snprintf(wanted.name, sizeof wanted.name, "linalg.%s", words[0]);
  hone__mlir_each(named.root, is_wanted, &wanted);
  assert_non_null(wanted.op);
  maps = hone__iree_named_maps(&named.arena, wanted.op, &why);
  if (strstr(words[0], "mmt4d")) {
    assert_null(maps);
    assert_non_null(strstr(why.data, "tile sizes are fixed"));
  }
  for (int i = 0; maps && i < 3; i++) {
    printed.length = 0;
    hone__mlir_print_map(&maps[i], &printed);
    if (!strstr(printed.data, words[1 + i])) {
      fail_msg("%s: %s instead of %s", words[0], printed.data, words[1 + i]);
    }
  }
  hone__text_release(&why);
  hone__text_release(&printed);
}

static void named_operations_have_the_maps_of_linalg(void **state)
{
  hone_status status = hone__mlir_read(&named, DATA "named.mlir");

  (void)state;
  if (status) fail_msg("%s", hone_status_message(status));
  each_line(DATA "named.txt", "|", check_named);
  hone__mlir_release(&named);
}

/* ---- Igemm: convolutions spelt in letters, as named_operation.c has them ---- */

static const char letters[] = "ngdhwfzyxcbeq";
static const int letter_sizes[] = {2, 3, 4, 5, 6, 7, 2, 3, 4, 8, 2, 11, 13};

static int size_of(char letter)
{
  return letter_sizes[strchr(letters, letter) - letters];
}

static void add_shape(struct hone__text *text, const char *operand, int stride, int dilation)
{
  hone__text_add(text, "tensor<");
  for (const char *c = operand; *c; c++) {
    size_t i = *c == 'D' ? 0 : *c == 'H' ? 1 : 2;
    int size = strchr("DHW", *c)
                   ? (size_of("dhw"[i]) - 1) * stride + (size_of("zyx"[i]) - 1) * dilation + 1
                   : size_of(*c);
    hone__text_addf(text, "%dx", size);
  }
  hone__text_add(text, "f32>");
}

static void add_dim(struct hone__text *text, const char *loops, char letter, int factor)
{
  hone__text_addf(text, "d%d", (int)(strchr(loops, letter) - loops));
  if (factor != 1) hone__text_addf(text, " * %d", factor);
}

static void add_map(struct hone__text *text, const char *loops, const char *operand, int stride,
                    int dilation)
{
  hone__text_add(text, "affine_map<(");
  for (size_t i = 0; loops[i]; i++)
    hone__text_addf(text, "%sd%zu", i ? ", " : "", i);
  hone__text_add(text, ") -> (");
  for (const char *c = operand; *c; c++) {
    size_t i = *c == 'D' ? 0 : *c == 'H' ? 1 : 2;
    if (c != operand) hone__text_add(text, ", ");
    if (!strchr("DHW", *c)) {
      add_dim(text, loops, *c, 1);
      continue;
    }
    add_dim(text, loops, "dhw"[i], stride);
    hone__text_add(text, " + ");
    add_dim(text, loops, "zyx"[i], dilation);
  }
  hone__text_add(text, ")>");
}

static char *generic_text(const char *loops, const char *const *operands, int stride, int dilation)
{
  struct hone__text text = {0};

  hone__text_add(&text, "func.func @f(%a: f32) {\n  %0 = linalg.generic {indexing_maps = [");
  for (int i = 0; i < 3; i++) {
    if (i) hone__text_add(&text, ", ");
    add_map(&text, loops, operands[i], stride, dilation);
  }
  hone__text_add(&text, "], iterator_types = [");
  for (const char *c = loops; *c; c++) {
    hone__text_addf(&text, "%s\"%s\"", c == loops ? "" : ", ",
                    strchr(operands[2], *c) ? "parallel" : "reduction");
  }
  hone__text_add(&text, "]} ins(%a, %b : ");
  add_shape(&text, operands[0], stride, dilation);
  hone__text_add(&text, ", ");
  add_shape(&text, operands[1], stride, dilation);
  hone__text_add(&text, ") outs(%c : ");
  add_shape(&text, operands[2], stride, dilation);
  hone__text_add(&text, ") {\n  ^bb0(%x: f32, %y: f32, %z: f32):\n"
                        "    %1 = arith.mulf %x, %y : f32\n    %2 = arith.addf %z, %1 : f32\n"
                        "    linalg.yield %2 : f32\n  } -> ");
  add_shape(&text, operands[2], stride, dilation);
  hone__text_add(&text, "\n  return\n}\n");
  return hone__text_take(&text);
}

/* "0|1,2|3": the lists of the convolution, then strides and dilations. */
static void check_convolution(const char *name, const struct hone__iree_operation *o, char *text)
{
  const struct hone__dim_list *lists[] = {&o->batch,  &o->image,         &o->output_channel,
                                          &o->filter, &o->input_channel, &o->depth};
  const int64_t *factors[] = {o->strides, o->dilations};
  static const unsigned in_order[] = {0, 1, 2, 3};

  for (int i = 0; i < 6; i++)
    assert_list(name, lists[i], NULL, strsep(&text, "|"));
  for (int i = 0; i < 2; i++) {
    struct hone__dim_list list = {.count = o->image.count};
    memcpy(list.dims, in_order, sizeof in_order);
    assert_list(name, &list, factors[i], strsep(&text, "|"));
  }
}

static void check_product(const char *name, const struct hone__iree_operation *o, char **words)
{
  struct hone__iree_igemm igemm;
  const struct hone__dim_list *lists[] = {&igemm.batch, &igemm.m, &igemm.n, &igemm.k};
  struct hone__text sizes = {0}, dims = {0};

  assert_true(hone__iree_igemm_of(o, &igemm));
  for (unsigned i = 0; i < igemm.loop_count; i++) {
    hone__text_addf(&sizes, "%s%lld", i ? "," : "", (long long)igemm.sizes[i]);
  }
  for (unsigned i = 0; i < 16 && igemm.igemm_dim[i] != UINT_MAX; i++) {
    hone__text_addf(&dims, "%s%u", i ? "," : "", igemm.igemm_dim[i]);
  }
  if (strcmp(sizes.data, words[0])) fail_msg("%s: %s is not %s", name, sizes.data, words[0]);
  if (strcmp(dims.data, words[2])) fail_msg("%s: %s is not %s", name, dims.data, words[2]);
  for (int i = 0; i < 4; i++)
    assert_list(name, lists[i], NULL, strsep(&words[1], "|"));
  if (igemm.lhs_ends_in_k != (*words[3] == '1')) fail_msg("%s: lhs_ends_in_k", name);
  hone__text_release(&sizes);
  hone__text_release(&dims);
}

/* name loops input filter out stride dilation dims [sizes roles conv->igemm lhs_ends_in_k] */
static void check_letters(char **words, int count)
{
  struct subject subject;
  char *text =
      generic_text(words[1], (const char *const *)&words[2], atoi(words[5]), atoi(words[6]));
  bool has_igemm = count == 12;

  find_in_text(&subject, text);
  assert_string_equal(subject.operation.op->name, "linalg.generic");
  assert_false(subject.operation.is_root);
  assert_int_equal(subject.operation.kind, HONE__IREE_CONVOLUTION);
  check_convolution(words[0], &subject.operation, words[7]);
  if (has_igemm) {
    assert_tunable(&subject, words[0]);
    check_product(words[0], &subject.operation, &words[8]);
  } else {
    assert_int_equal(subject.refusal, HONE__IREE_UNSUPPORTED);
    assert_non_null(strstr(subject.why.data, "depthwise"));
  }
  release(&subject);
  free(text);
}

static void igemms_are_those_of_iree(void **state)
{
  (void)state;
  each_line(DATA "igemm.txt", " ", check_letters);
}

static void igemm_knows_the_input(void **state)
{
  static const struct {
    const char *loops, *operands[3];
    bool batch_is_last, image_is_last;
  } cases[] = {{"nhwfyxc", {"nHWc", "yxcf", "nhwf"}, false, false},
               {"nfhwcyx", {"ncHW", "fcyx", "nfhw"}, false, true},
               {"fhwncyx", {"cHWn", "cyxf", "fhwn"}, true, false},
               {"hwfyxc", {"HWc", "yxcf", "hwf"}, false, false}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__iree_igemm igemm;
    struct subject subject;
    char *text = generic_text(cases[i].loops, cases[i].operands, 1, 1);
    find_in_text(&subject, text);
    assert_true(hone__iree_igemm_of(&subject.operation, &igemm));
    assert_int_equal(igemm.batch_is_last, cases[i].batch_is_last);
    assert_int_equal(igemm.image_is_last, cases[i].image_is_last);
    assert_int_equal(igemm.channel_size[strchr(cases[i].loops, 'c') - cases[i].loops], 8);
    release(&subject);
    free(text);
  }
}

static void only_convolutions_have_an_igemm(void **state)
{
  struct hone__iree_igemm igemm;
  struct subject subject;

  (void)state;
  find_in_file(&subject, DATA "problems/mm_30x30x30_f16.mlir");
  assert_false(hone__iree_igemm_of(&subject.operation, &igemm));
  release(&subject);
}

/* ---- Dumps ---- */

static void dumps_have_their_marked_operation(void **state)
{
  struct subject subject;
  const struct hone__iree_operation *o = &subject.operation;

  (void)state;
  find_in_file(&subject, DATA "dumps/matmul_gfx942.mlir");
  assert_tunable(&subject, "matmul_gfx942");
  assert_true(o->is_root);
  assert_string_equal(o->function, "matmul_f16_dispatch_0_matmul_like_1024x1280x1280_f16xf16xf32");
  assert_list("m", &o->m, o->sizes, "1024");
  assert_list("n", &o->n, o->sizes, "1280");
  release(&subject);

  find_in_file(&subject, DATA "dumps/matmul_cpu.mlir");
  assert_tunable(&subject, "matmul_cpu");
  assert_string_equal(o->op->name, "linalg.matmul");
  assert_list("n", &o->n, o->sizes, "2048");
  release(&subject);
}

static void attention_of_a_dump_is_online(void **state)
{
  static const char *const types[] = {"f16", "f16", "f16", "f16", "f32", "f32", "f32"};
  struct subject subject;
  const struct hone__iree_operation *o = &subject.operation;

  (void)state;
  find_in_file(&subject, DATA "dumps/attention_gfx942.mlir");
  assert_tunable(&subject, "attention_gfx942");
  assert_true(o->is_online);
  assert_false(o->has_mask);
  assert_int_equal(o->map_count, 7);
  for (int i = 0; i < 7; i++)
    assert_string_equal(o->types[i], types[i]);
  assert_list("batch", &o->batch, o->sizes, "20");
  assert_list("m", &o->m, o->sizes, "4096");
  assert_list("n", &o->n, o->sizes, "64");
  assert_list("k1", &o->k1, o->sizes, "64");
  assert_list("k2", &o->k2, o->sizes, "1024");
  release(&subject);
}

static void add_attention_shape(struct hone__text *text, const char *operand)
{
  hone__text_add(text, "tensor<");
  for (; *operand; operand++)
    hone__text_addf(text, "%dx", *operand);
  hone__text_add(text, "f32>");
}

/* query, key, value, scale, [a mask like the query,] out. */
static char *attention_text(const char *loops, const char *const *operands, bool has_mask)
{
  const char *all[] = {operands[0], operands[1], operands[2], "", operands[0], operands[3]};
  const char *separator = "";
  struct hone__text text = {0};

  hone__text_add(&text, "func.func @f() {\n  %0 = iree_linalg_ext.attention <indexing_maps = [");
  for (int i = 0; i < 6; i++) {
    if (i == 4 && !has_mask) continue;
    hone__text_add(&text, i ? ", " : "");
    add_map(&text, loops, all[i], 1, 1);
  }
  hone__text_addf(&text, "]> ins(%%q, %%k, %%v, %%s%s : ", has_mask ? ", %m" : "");
  for (int i = 0; i < (has_mask ? 5 : 4); i++, separator = ", ") {
    hone__text_add(&text, separator);
    if (i == 3) hone__text_add(&text, "f32");
    if (i != 3) add_attention_shape(&text, all[i]);
  }
  hone__text_add(&text, ") outs(%o : ");
  add_attention_shape(&text, all[5]);
  hone__text_add(&text, ") {\n  ^bb0(%x: f32):\n    iree_linalg_ext.yield %x : f32\n  } -> ");
  add_attention_shape(&text, all[5]);
  hone__text_add(&text, "\n  return\n}\n");
  return hone__text_take(&text);
}

/* Roles as IREE's own AttentionOpDetail gives them. */
static void attention_has_the_dims_that_iree_sees(void **state)
{
  static const struct {
    const char *loops, *operands[4]; /* query, key, value, out */
    const char *batch, *m, *n, *k1, *k2;
  } cases[] = {{"bmkcn", {"bmk", "bck", "bcn", "bmn"}, "0", "1", "4", "2", "3"},
               {"bmkcn", {"bmk", "bck", "bnc", "bmn"}, "0", "1", "4", "2", "3"},
               {"bghmkcn", {"bghmk", "bgck", "bgcn", "bghmn"}, "0,1", "2,3", "6", "4", "5"},
               {"hmkcn", {"hmk", "ck", "cn", "hmn"}, "-", "0,1", "4", "2", "3"},
               {"bmkcn", {"bmk", "bkc", "bcn", "bnm"}, "0", "1", "4", "2", "3"},
               {"mkcn", {"mk", "ck", "cn", "mn"}, "-", "0", "3", "1", "2"},
               {"bhmkcn", {"bhmk", "bhck", "bcn", "bhmn"}, "0,1", "2", "5", "3", "4"},
               {"bhmkcn", {"bhmk", "bck", "bhcn", "bhmn"}, "0,1", "2", "5", "3", "4"}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = attention_text(cases[i].loops, cases[i].operands, i % 2);
    const struct hone__iree_operation *o;
    struct subject subject;
    find_in_text(&subject, text);
    assert_tunable(&subject, text);
    o = &subject.operation;
    assert_int_equal(o->has_mask, i % 2);
    assert_list(text, &o->batch, NULL, cases[i].batch);
    assert_list(text, &o->m, NULL, cases[i].m);
    assert_list(text, &o->n, NULL, cases[i].n);
    assert_list(text, &o->k1, NULL, cases[i].k1);
    assert_list(text, &o->k2, NULL, cases[i].k2);
    release(&subject);
    free(text);
  }
}

/* ---- Texts ---- */

#define MATMUL                                                                                     \
  "linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) "                                 \
  "outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>\n"
#define MARKED(set)                                                                                \
  "linalg.matmul {root_op = #iree_codegen.root_op<set = " set ">} "                                \
  "ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) "                                               \
  "outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>\n"
#define FILL(mark)                                                                                 \
  "linalg.fill " mark "ins(%x : f32) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>\n"
#define SET0              "{root_op = #iree_codegen.root_op<set = 0>} "
#define IN_FUNCTION(body) "func.func @f(%a: tensor<4x8xf32>) {\n" body "  return\n}\n"
#define GENERIC(maps, iterators, types, body)                                                      \
  IN_FUNCTION("  %0 = linalg.generic {indexing_maps = [" maps "], iterator_types = [" iterators    \
              "]} " types " {\n" body "  } -> tensor<4x16xf32>\n")
#define MM_MAPS                                                                                    \
  "affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, "                   \
  "affine_map<(d0, d1, d2) -> (d0, d1)>"
#define MM_ITERATORS "\"parallel\", \"parallel\", \"reduction\""
#define MM_TYPES     "ins(%a, %b : tensor<4x8xf16>, tensor<8x16xf16>) outs(%c : tensor<4x16xf32>)"
#define MM_BODY                                                                                    \
  "  ^bb0(%x: f16, %y: f16, %z: f32):\n    %1 = arith.extf %x : f16 to f32\n"                      \
  "    %2 = arith.extf %y : f16 to f32\n    %3 = arith.mulf %1, %2 : f32\n"                        \
  "    %4 = arith.addf %z, %3 : f32\n    linalg.yield %4 : f32\n"

static void refusals_say_why(void **state)
{
  static const struct {
    const char *text;
    enum hone__iree_refusal refusal;
    const char *why;
  } cases[] = {
      {"module {\n}\n", HONE__IREE_NO_ROOT, "--iree-codegen-add-tuner-attributes"},
      {IN_FUNCTION("  %0 = " FILL("")), HONE__IREE_NO_ROOT, "no root operation"},
      {IN_FUNCTION("  %0 = " MATMUL "  %1 = " MATMUL), HONE__IREE_TWO_ROOTS, "line 2"},
      {IN_FUNCTION("  %0 = " MARKED("0") "  %1 = " MARKED("1")), HONE__IREE_TWO_ROOTS, "line 3"},
      {IN_FUNCTION("  %0 = " MARKED("0") "  %1 = " MARKED("0")), HONE__IREE_TWO_ROOTS, "line 3"},
      {IN_FUNCTION("  %0 = " FILL(SET0) "  %1 = " MARKED("1")), HONE__IREE_TWO_ROOTS,
       "linalg.fill in line 2"},
      {IN_FUNCTION("  %0 = " FILL(SET0)), HONE__IREE_UNSUPPORTED, "linalg.fill fills"},
      {IN_FUNCTION("  %0 = linalg.matvec ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%c : "
                   "tensor<4xf32>) -> tensor<4xf32>\n"),
       HONE__IREE_UNSUPPORTED, "matrix-vector product (no n dim)"},
      {IN_FUNCTION("  %0 = linalg.vecmat ins(%a, %b : tensor<8xf32>, tensor<8x4xf32>) outs(%c : "
                   "tensor<4xf32>) -> tensor<4xf32>\n"),
       HONE__IREE_UNSUPPORTED, "vector-matrix product (no m dim)"},
      {IN_FUNCTION("  %0 = linalg.dot ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%c : "
                   "tensor<f32>) -> tensor<f32>\n"),
       HONE__IREE_UNSUPPORTED, "dot product"},
      {IN_FUNCTION("  %0 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides "
                   "= dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x8x8x4xf32>, tensor<3x3xf32>)"
                   " outs(%c : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>\n"),
       HONE__IREE_UNSUPPORTED, "linalg.pooling_nhwc_max is pooling"},
      {IN_FUNCTION("  %0 = linalg.quantized_matmul ins(%a, %b, %x, %y : tensor<4x8xi8>, "
                   "tensor<8x16xi8>, i32, i32) outs(%c : tensor<4x16xi32>) -> tensor<4x16xi32>\n"),
       HONE__IREE_UNSUPPORTED, "zero points"},
      {IN_FUNCTION("  %0 = linalg.conv_2d_nhwc_hwcf_q {strides = dense<1> : tensor<2xi64>} "
                   "ins(%a, %b, %x, %y : tensor<1x8x8x4xi8>, tensor<3x3x4x5xi8>, i32, i32) "
                   "outs(%c : tensor<1x6x6x5xi32>) -> tensor<1x6x6x5xi32>\n"),
       HONE__IREE_UNSUPPORTED, "zero points"},
      {IN_FUNCTION("  %0 = linalg.mmt4d ins(%a, %b : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) "
                   "outs(%c : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>\n"),
       HONE__IREE_UNSUPPORTED, "tile sizes are fixed"},
      {IN_FUNCTION("  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : "
                   "tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : "
                   "tensor<1x8x8x4xf32>, tensor<3x3x4xf32>) outs(%c : tensor<1x6x6x4xf32>) -> "
                   "tensor<1x6x6x4xf32>\n"),
       HONE__IREE_UNSUPPORTED, "depthwise"},
      {IN_FUNCTION("  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<0> : tensor<2xi64>} ins(%a, "
                   "%b : tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>) outs(%c : "
                   "tensor<1x6x6x5xf32>) -> tensor<1x6x6x5xf32>\n"),
       HONE__IREE_UNSUPPORTED, "strides or dilations"},
      {IN_FUNCTION("  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x16xf32>) outs(%c "
                   ": tensor<?x16xf32>) -> tensor<?x16xf32>\n"),
       HONE__IREE_DYNAMIC, "d0 (m)"},
      {IN_FUNCTION("  %0 = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<8x16xf32>) outs(%c "
                   ": tensor<4x16xf32>) -> tensor<4x16xf32>\n"),
       HONE__IREE_DYNAMIC, "no fixed size"},
      {IN_FUNCTION("  %0 = linalg.matmul ins(%a, %b : tensor<4x9xf32>, tensor<8x16xf32>) outs(%c "
                   ": tensor<4x16xf32>) -> tensor<4x16xf32>\n"),
       HONE__IREE_UNSUPPORTED, "contradict"},
      {IN_FUNCTION("  %0 = linalg.matmul ins(%a, %b : tensor<8xf32>, tensor<8x16xf32>) outs(%c "
                   ": tensor<4x16xf32>) -> tensor<4x16xf32>\n"),
       HONE__IREE_UNSUPPORTED, "do not fit its indexing maps"},
      {IN_FUNCTION("  %0 = linalg.matmul ins(%a : tensor<8xf32>) outs(%c : tensor<4x16xf32>)\n"),
       HONE__IREE_UNSUPPORTED, "do not fit its indexing maps"},
      {GENERIC(MM_MAPS, MM_ITERATORS, MM_TYPES,
               "  ^bb0(%x: f16, %y: f16, %z: f32):\n    %3 = arith.maximumf %x, %y : f32\n"
               "    %4 = arith.addf %z, %3 : f32\n    linalg.yield %4 : f32\n"),
       HONE__IREE_UNSUPPORTED, "its body is not a multiply-add"},
      {GENERIC(MM_MAPS, MM_ITERATORS, MM_TYPES,
               "  ^bb0(%x: f16, %y: f16, %z: f32):\n    %3 = arith.mulf %x, %x : f32\n"
               "    %4 = arith.addf %z, %3 : f32\n    linalg.yield %4 : f32\n"),
       HONE__IREE_UNSUPPORTED, "its body is not a multiply-add"},
      {GENERIC("affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>",
               "\"parallel\", \"reduction\"", "ins(%a : tensor<4x8xf32>) outs(%c : tensor<4xf32>)",
               "  ^bb0(%x: f32, %z: f32):\n    %4 = arith.addf %z, %x : f32\n"
               "    linalg.yield %4 : f32\n"),
       HONE__IREE_UNSUPPORTED, "a reduction of one input"},
      {GENERIC("affine_map<(d0, d1, d2) -> (d0, d2 mod 4)>, affine_map<(d0, d1, d2) -> (d2, d1)>, "
               "affine_map<(d0, d1, d2) -> (d0, d1)>",
               MM_ITERATORS, MM_TYPES, MM_BODY),
       HONE__IREE_UNSUPPORTED, "input map that is not understood"},
      {GENERIC("affine_map<(d0, d1, d2, d3) -> (d0, d2)>, affine_map<(d0, d1, d2, d3) -> (d2, "
               "d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>",
               MM_ITERATORS ", \"reduction\"", MM_TYPES, MM_BODY),
       HONE__IREE_UNSUPPORTED, "not a batch, m, n or k"},
      {GENERIC("affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, "
               "d16) -> (d0, d2)>",
               MM_ITERATORS, MM_TYPES, MM_BODY),
       HONE__IREE_UNSUPPORTED, "17 loops"},
      {GENERIC("", MM_ITERATORS, MM_TYPES, MM_BODY), HONE__IREE_UNSUPPORTED,
       "no supported indexing_maps"},
      {IN_FUNCTION("  %0 = iree_linalg_ext.attention <indexing_maps = [" MM_MAPS "]> ins(%a, %b : "
                   "tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>)\n"),
       HONE__IREE_UNSUPPORTED, "2 inputs and 1 outputs"},
      {IN_FUNCTION("  %0 = iree_linalg_ext.scan {root_op} ins(%a : tensor<4xf32>) outs(%b : "
                   "tensor<4xf32>)\n"),
       HONE__IREE_UNSUPPORTED, "iree_linalg_ext.scan"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct subject subject;
    find_in_text(&subject, cases[i].text);
    if (subject.refusal != cases[i].refusal || !strstr(subject.why.data, cases[i].why)) {
      fail_msg("case %zu: %d instead of %d: %s", i, (int)subject.refusal, (int)cases[i].refusal,
               subject.why.data ? subject.why.data : "");
    }
    release(&subject);
  }
}

/* With the target of a CPU in the file, and on no other. */
static void anything_else_is_generic_on_cpus(void **state)
{
  static const struct {
    const char *file, *layout, *sizes;
  } cases[] = {{"depthwise_cpu", "depthwise convolution", "1x16x16x32x3x3 f32xf32->f32"},
               {"elementwise_cpu", "elementwise", "6144 f32->f32"}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__text path = {0}, layout = {0}, sizes = {0};
    struct subject subject;
    hone__text_addf(&path, "tests/data/iree/dumps/%s.mlir", cases[i].file);
    find_in_file(&subject, path.data);
    assert_tunable(&subject, path.data);
    assert_int_equal(subject.operation.kind, HONE__IREE_GENERIC);
    assert_int_equal(subject.why.length, 0);
    hone__iree_operation_layout(&subject.operation, &layout);
    hone__iree_operation_sizes(&subject.operation, &sizes);
    assert_string_equal(layout.data, cases[i].layout);
    assert_string_equal(sizes.data, cases[i].sizes);
    assert_int_equal(subject.operation.reductions, i == 0 ? 3u << 4 : 0);
    hone__text_release(&path);
    hone__text_release(&layout);
    hone__text_release(&sizes);
    release(&subject);
  }
}

static void products_are_found_among_others(void **state)
{
  static const char *const texts[] = {
      IN_FUNCTION("  %0 = " MATMUL),
      IN_FUNCTION("  %0 = " FILL("") "  %1 = " MATMUL),
      IN_FUNCTION("  %0 = " FILL(SET0) "  %1 = " MARKED("0")),
      IN_FUNCTION("  %0 = " MARKED("0") "  %1 = " FILL(SET0)),
      IN_FUNCTION("  %0 = " MATMUL "  %1 = " MARKED("3")),
      IN_FUNCTION("  %0 = linalg.matmul {root_op} ins(%a, %b : tensor<4x8xf32>, "
                  "tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>\n"),
      GENERIC(MM_MAPS, MM_ITERATORS, MM_TYPES, MM_BODY),
      GENERIC(MM_MAPS, MM_ITERATORS, MM_TYPES,
              "  ^bb0(%x: f16, %y: f16, %z: f32):\n    %3 = arith.mulf %y, %x : f16\n"
              "    %1 = arith.extf %3 : f16 to f32\n    %4 = arith.addf %1, %z : f32\n"
              "    linalg.yield %4 : f32\n"),
      GENERIC(MM_MAPS,
              "#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, "
              "#linalg.iterator_type<reduction>",
              MM_TYPES, MM_BODY),
      IN_FUNCTION("  %0 = linalg.contract indexing_maps = [" MM_MAPS "] ins(%a, %b : "
                  "tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> "
                  "tensor<4x16xf32>\n"),
  };

  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct subject subject;
    find_in_text(&subject, texts[i]);
    assert_tunable(&subject, texts[i]);
    assert_list(texts[i], &subject.operation.m, subject.operation.sizes, "4");
    assert_list(texts[i], &subject.operation.n, subject.operation.sizes, "16");
    assert_list(texts[i], &subject.operation.k, subject.operation.sizes, "8");
    assert_list(texts[i], &subject.operation.k, NULL, "2");
    assert_string_equal(subject.operation.function, "f");
    release(&subject);
  }
}

static void written_maps_override_a_name(void **state)
{
  struct subject subject;

  (void)state;
  find_in_text(&subject,
               IN_FUNCTION("  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, "
                           "d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> "
                           "(d0, d1)>] ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) outs(%c : "
                           "tensor<4x16xf32>) -> tensor<4x16xf32>\n"));
  assert_tunable(&subject, "matmul with maps");
  assert_list("n", &subject.operation.n, subject.operation.sizes, "16");
  release(&subject);
}

/* ---- Words ---- */

static void check_words(struct subject *subject, const char *layout, const char *sizes)
{
  struct hone__text text = {0};

  hone__iree_operation_layout(&subject->operation, &text);
  assert_string_equal(text.data, layout);
  text.length = 0;
  hone__iree_operation_sizes(&subject->operation, &text);
  assert_string_equal(text.data, sizes);
  hone__text_release(&text);
}

static void operations_have_words(void **state)
{
  static const struct {
    const char *file, *layout, *sizes;
  } files[] = {
      {"problems/mm_1024x1280x1280_f16.mlir", "mmt", "1024x1280x1280 f16xf16->f32"},
      {"problems/mm_tn_5369x112x112_f16.mlir", "tn", "5369x112x112 f16xf16->f32"},
      {"problems/conv_2x34x34x16_3x3_32_f16.mlir", "nhwc_hwcf", "2x32x32x32x3x3x16 f16xf16->f32"},
      {"problems/convgroup_4x18x18x8x16_8x16x3x3x16_f16.mlir", "nhwgc_gfhwc",
       "4x8x16x16x16x3x3x16 f16xf16->f32"},
      {"problems/attn_2x10x4096x64_f16.mlir", "attention", "2x10x4096x64x64x4096 f16xf16xf16->f16"},
      {"dumps/matmul_cpu.mlir", "matmul", "256x2048x512 f32xf32->f32"},
      {"dumps/attention_gfx942.mlir", "attention", "20x4096x64x64x1024 f16xf16xf16->f32"},
  };
  struct subject subject;

  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[256];
    snprintf(path, sizeof path, DATA "%s", files[i].file);
    find_in_file(&subject, path);
    check_words(&subject, files[i].layout, files[i].sizes);
    release(&subject);
  }
  find_in_text(&subject, IN_FUNCTION("  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, "
                                     "tensor<8x16xf32>) outs(%c : tensor<?x16xf32>)\n"));
  check_words(&subject, "matmul", "?x16x8 f32xf32->f32");
  release(&subject);
}

/* Maximum, sum and quotient: all have the rows in common, and their own columns. */
static void a_softmax_is_three_operations(void **state)
{
  struct subject subject;
  const struct hone__iree_fusion *fusion;

  (void)state;
  find_in_file(&subject, DATA "dumps/softmax_cpu.mlir");
  assert_tunable(&subject, "softmax");
  fusion = subject.operation.fusion;
  assert_non_null(fusion);
  assert_int_equal(fusion->count, 3);
  assert_int_equal(fusion->root, 1);
  assert_ptr_equal(fusion->operations[1].operation.op, subject.operation.op);
  for (unsigned i = 0; i < 3; i++)
    for (int d = 0; d < 2; d++)
      assert_int_equal(fusion->operations[i].loops[d], d);
  assert_int_equal(fusion->operations[0].user, 2);
  assert_int_equal(fusion->operations[0].operand, 1);
  assert_int_equal(fusion->operations[1].user, 2);
  assert_int_equal(fusion->operations[1].operand, 2);
  release(&subject);
}

#define ROWS                                                                                       \
  "hal.executable.variant public @x target(<\"llvm-cpu\", \"embedded-elf-x86_64\", {cpu = "        \
  "\"generic\", native_vector_size = 64 : i64}>) {\n"                                              \
  "func.func @f(%a: tensor<8x8xf32>, %b: tensor<8xf32>, %c: tensor<8x8xf32>) {\n"                  \
  "  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) " \
  "-> (d0)>], iterator_types = [\"parallel\", \"reduction\"]} ins(%a : tensor<8x8xf32>) outs(%b "  \
  ": "                                                                                             \
  "tensor<8xf32>) attrs = {lowering_config = #iree_cpu.lowering_config<distribution = [4, 0], "    \
  "vector_common_parallel = [4, 0], vector_reduction = [0, 8]>, root_op} {\n"                      \
  "  ^bb0(%in: f32, %out: f32):\n    linalg.yield %in : f32\n  } -> tensor<8xf32>\n"
#define USER                                                                                       \
  "  %%1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (%s)>, affine_map<(d0, d1) -> " \
  "(%s)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\"]} "      \
  "ins(%%a, %%0 : tensor<8x8xf32>, tensor<8xf32>) outs(%%c : tensor<8x8xf32>) attrs = "            \
  "{lowering_config = #iree_cpu.lowering_config<vector_common_parallel = [4, 0], "                 \
  "vector_inner_parallel = [0, 8]>} {\n"                                                           \
  "  ^bb0(%%x: f32, %%y: f32, %%z: f32):\n    linalg.yield %%x : f32\n  } -> tensor<8x8xf32>\n"    \
  "}\n}\n"

static void fused_loops_are_followed(void **state)
{
  static const struct {
    const char *input, *row;
    int loops[2]; /* -1: refused */
  } cases[] = {{"d0, d1", "d0", {0, 1}}, {"d1, d0", "d1", {1, 0}}, {"d1, d0", "d0", {-1, -1}}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__text text = {0};
    struct subject subject;
    const struct hone__iree_fusion *fusion;

    hone__text_add(&text, ROWS);
    hone__text_addf(&text, USER, cases[i].input, cases[i].row);
    find_in_text(&subject, text.data);
    assert_tunable(&subject, text.data);
    fusion = subject.operation.fusion;
    if (cases[i].loops[0] < 0)
      assert_non_null(strstr(subject.operation.why_not_fused, "other loops: linalg.generic"));
    for (int d = 0; cases[i].loops[0] >= 0 && d < 2; d++)
      assert_int_equal(fusion->operations[1].loops[d], cases[i].loops[d]);
    release(&subject);
    hone__text_release(&text);
  }
}

static void letters_name_layouts(void **state)
{
  static const struct {
    const char *loops, *operands[3];
    const char *layout;
  } cases[] = {{"nbfec", {"nbc", "fec", "nbfe"}, "generic contraction"},
               {"nfc", {"nc", "cf", "nf"}, "matmul"},
               {"nfc", {"nc", "cf", "fn"}, "generic contraction"},
               {"nfc", {"cn", "fc", "nf"}, "tt"},
               {"bnfc", {"bnc", "bcf", "bnf"}, "batch_matmul"},
               {"bnfc", {"bnc", "bfc", "bnf"}, "batch_mmt"},
               {"fwcx", {"cW", "fcx", "fw"}, "cw_fcw"},
               {"ndhwfzyxc", {"nDHWc", "zyxcf", "ndhwf"}, "ndhwc_dhwcf"}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__text layout = {0};
    struct subject subject;
    char *text = generic_text(cases[i].loops, cases[i].operands, 1, 1);
    find_in_text(&subject, text);
    assert_tunable(&subject, text);
    hone__iree_operation_layout(&subject.operation, &layout);
    assert_string_equal(layout.data, cases[i].layout);
    hone__text_release(&layout);
    release(&subject);
    free(text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(problems_have_the_dims_that_shark_tuner_sees),
      cmocka_unit_test(named_operations_have_the_maps_of_linalg),
      cmocka_unit_test(igemms_are_those_of_iree),
      cmocka_unit_test(igemm_knows_the_input),
      cmocka_unit_test(only_convolutions_have_an_igemm),
      cmocka_unit_test(dumps_have_their_marked_operation),
      cmocka_unit_test(attention_of_a_dump_is_online),
      cmocka_unit_test(attention_has_the_dims_that_iree_sees),
      cmocka_unit_test(refusals_say_why),
      cmocka_unit_test(anything_else_is_generic_on_cpus),
      cmocka_unit_test(products_are_found_among_others),
      cmocka_unit_test(written_maps_override_a_name),
      cmocka_unit_test(a_softmax_is_three_operations),
      cmocka_unit_test(fused_loops_are_followed),
      cmocka_unit_test(operations_have_words),
      cmocka_unit_test(letters_name_layouts),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
