/* libhone-wisdom: looking up, files that are damaged, files that change, many threads. */
#include "folder.h"
#include "hone_wisdom.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char sample[] =
    "{\n"
    " \"hone_wisdom\": 1,\n"
    " \"nearest\": 2,\n"
    " \"entries\": [\n"
    "  {\"kernel\": \"gemm\", \"problem\": {\"M\": 256, \"N\": 512, \"type\": \"f32\"},\n"
    "   \"device\": \"NVIDIA H200\", \"family\": \"sm_90\", \"aliases\": [\"NVIDIA_H200\"],\n"
    "   \"config\": {\"BM\": 64, \"scale\": 0.5, \"fast\": true, \"mode\": \"pl\\u00e4in\\n\","
    " \"none\": null},\n"
    "   \"verdict\": \"IMPROVED\", \"speedup\": 1.5, \"low\": 1.4, \"high\": 1.6,\n"
    "   \"confidence\": 0.95, \"environment\": {\"compiler\": \"nvcc 12\", \"hone\": \"0.1.0\"}},\n"
    "  {\"kernel\": \"gemm\", \"problem\": {\"M\": 1024, \"N\": 512, \"type\": \"f32\"},\n"
    "   \"device\": \"NVIDIA H200\", \"family\": \"sm_90\",\n"
    "   \"config\": {\"BM\": 128}, \"verdict\": \"NO IMPROVEMENT\"},\n"
    "  {\"kernel\": \"gemm\", \"problem\": {\"M\": 64, \"N\": 64, \"type\": \"f32\"},\n"
    "   \"device\": \"NVIDIA H100\", \"family\": \"sm_90\",\n"
    "   \"config\": {\"BM\": 16}, \"verdict\": \"UNPROVED\", \"speedup\": null},\n"
    "  {\"kernel\": \"copy\", \"problem\": {},\n"
    "   \"device\": \"EPYC, 2 CPUs\", \"config\": {\"W\": -9223372036854775808},\n"
    "   \"verdict\": \"IMPROVED\"}\n"
    " ]\n"
    "}\n";

static struct hone_wisdom *open_text(const char *text)
{
  struct hone_wisdom *wisdom;
  struct hone_wisdom_error error;
  enum hone_wisdom_code code =
      hone_wisdom_open_memory(text, strlen(text), "a.wisdom", &wisdom, &error);

  if (code) fail_msg("%s", error.message);
  return wisdom;
}

static enum hone_wisdom_match find(const struct hone_wisdom *wisdom, const char *device, int m,
                                   int n, double bound, const struct hone_wisdom_entry **entry)
{
  struct hone_wisdom_pair problem[] = {hone_wisdom_text("type", "f32"), hone_wisdom_integer("N", n),
                                       hone_wisdom_integer("M", m)};
  struct hone_wisdom_query query;

  hone_wisdom_query_init(&query);
  query.kernel = "gemm";
  query.device = device;
  query.problem = problem;
  query.problem_count = 3;
  query.bound = bound;
  return hone_wisdom_find(wisdom, &query, entry, NULL);
}

static int64_t block(const struct hone_wisdom_entry *entry)
{
  return hone_wisdom_entry_integer(entry, "BM", -1);
}

/* ---- Looking up ---- */

static void exact_problems(void **state)
{
  struct hone_wisdom *wisdom = open_text(sample);
  const struct hone_wisdom_entry *entry;

  (void)state;
  assert_int_equal(find(wisdom, "NVIDIA H200", 256, 512, 0, &entry), HONE_WISDOM_EXACT);
  assert_int_equal(block(entry), 64);
  assert_int_equal(find(wisdom, "NVIDIA_H200", 256, 512, 0, &entry), HONE_WISDOM_EXACT);
  assert_int_equal(block(entry), 64);
  assert_int_equal(find(wisdom, "NVIDIA H200", 1024, 512, 0, &entry), HONE_WISDOM_EXACT);
  assert_int_equal(block(entry), 128);
  assert_int_equal(hone_wisdom_entry_verdict(entry), HONE_WISDOM_NO_IMPROVEMENT);
  hone_wisdom_free(wisdom);
}

static void nearest_problems(void **state)
{
  struct hone_wisdom *wisdom = open_text(sample);
  const struct hone_wisdom_entry *entry;

  (void)state;
  assert_int_equal(find(wisdom, "NVIDIA H200", 300, 512, 0, &entry), HONE_WISDOM_NEAREST);
  assert_int_equal(block(entry), 64);
  assert_int_equal(find(wisdom, "NVIDIA H200", 900, 512, 0, &entry), HONE_WISDOM_NEAREST);
  assert_int_equal(block(entry), 128);
  /* 1024 to 2049 is more than the file's bound, 2; a caller may say 3 */
  assert_int_equal(find(wisdom, "NVIDIA H200", 2049, 512, 0, &entry), HONE_WISDOM_DEFAULT);
  assert_null(entry);
  assert_int_equal(find(wisdom, "NVIDIA H200", 2049, 512, 3, &entry), HONE_WISDOM_NEAREST);
  assert_int_equal(block(entry), 128);
  assert_int_equal(find(wisdom, "NVIDIA H200", 300, 512, 1, &entry), HONE_WISDOM_DEFAULT);
  /* sizes of zero and less have no ratio */
  assert_int_equal(find(wisdom, "NVIDIA H200", 0, 512, 1e300, &entry), HONE_WISDOM_DEFAULT);
  assert_int_equal(find(wisdom, "NVIDIA H200", -256, -512, 1e300, &entry), HONE_WISDOM_DEFAULT);
  hone_wisdom_free(wisdom);
}

static void other_texts_and_names_never_match(void **state)
{
  struct hone_wisdom *wisdom = open_text(sample);
  struct hone_wisdom_pair other_type[] = {hone_wisdom_integer("M", 256),
                                          hone_wisdom_integer("N", 512),
                                          hone_wisdom_text("type", "f16")};
  struct hone_wisdom_pair other_name[] = {hone_wisdom_integer("M", 256),
                                          hone_wisdom_integer("K", 512),
                                          hone_wisdom_text("type", "f32")};
  const struct hone_wisdom_entry *entry;
  struct hone_wisdom_query query;

  (void)state;
  hone_wisdom_query_init(&query);
  query.kernel = "gemm";
  query.device = "NVIDIA H200";
  query.bound = 1e9;
  query.problem_count = 3;
  query.problem = other_type;
  assert_int_equal(hone_wisdom_find(wisdom, &query, &entry, NULL), HONE_WISDOM_DEFAULT);
  query.problem = other_name;
  assert_int_equal(hone_wisdom_find(wisdom, &query, &entry, NULL), HONE_WISDOM_DEFAULT);
  query.problem_count = 2;
  assert_int_equal(hone_wisdom_find(wisdom, &query, &entry, NULL), HONE_WISDOM_DEFAULT);
  query.kernel = NULL;
  assert_int_equal(hone_wisdom_find(wisdom, &query, &entry, NULL), HONE_WISDOM_DEFAULT);
  hone_wisdom_free(wisdom);
}

static void families(void **state)
{
  struct hone_wisdom *wisdom = open_text(sample);
  struct hone_wisdom_pair problem[] = {hone_wisdom_integer("M", 256), hone_wisdom_integer("N", 512),
                                       hone_wisdom_text("type", "f32")};
  const struct hone_wisdom_entry *entry;
  struct hone_wisdom_query query;
  double distance;

  (void)state;
  /* the file knows the family of an H100 */
  assert_int_equal(find(wisdom, "NVIDIA H100", 256, 512, 0, &entry), HONE_WISDOM_FAMILY);
  assert_string_equal(hone_wisdom_entry_device(entry), "NVIDIA H200");
  assert_int_equal(block(entry), 64);
  assert_int_equal(find(wisdom, "NVIDIA GH200", 256, 512, 0, &entry), HONE_WISDOM_DEFAULT);
  hone_wisdom_query_init(&query);
  query.kernel = "gemm";
  query.device = "NVIDIA GH200";
  query.family = "sm_90";
  query.problem = problem;
  query.problem_count = 3;
  assert_int_equal(hone_wisdom_find(wisdom, &query, &entry, &distance), HONE_WISDOM_FAMILY);
  assert_true(distance == 1);
  problem[0] = hone_wisdom_integer("M", 384);
  assert_int_equal(hone_wisdom_find(wisdom, &query, &entry, &distance), HONE_WISDOM_FAMILY);
  assert_true(distance == 1.5);
  query.family = "sm_80";
  assert_int_equal(hone_wisdom_find(wisdom, &query, &entry, &distance), HONE_WISDOM_DEFAULT);
  hone_wisdom_free(wisdom);
}

static void typed_values(void **state)
{
  struct hone_wisdom *wisdom = open_text(sample);
  const struct hone_wisdom_entry *entry = hone_wisdom_at(wisdom, 0);

  (void)state;
  assert_int_equal(hone_wisdom_count(wisdom), 4);
  assert_null(hone_wisdom_at(wisdom, 4));
  assert_string_equal(hone_wisdom_entry_text(entry, "mode", ""), "pl\xc3\xa4in\n");
  assert_true(hone_wisdom_entry_real(entry, "scale", 0) == 0.5);
  assert_true(hone_wisdom_entry_real(entry, "BM", 0) == 64);
  assert_int_equal(hone_wisdom_entry_integer(entry, "fast", 7), 1);
  assert_int_equal(hone_wisdom_entry_integer(entry, "scale", 7), 7);
  assert_int_equal(hone_wisdom_entry_integer(entry, "absent", 7), 7);
  assert_string_equal(hone_wisdom_entry_text(entry, "BM", "x"), "x");
  assert_int_equal(hone_wisdom_entry_value(entry, "none")->type, HONE_WISDOM_NONE);
  assert_string_equal(hone_wisdom_entry_environment(entry, 0)->value.text, "nvcc 12");
  assert_null(hone_wisdom_entry_environment(entry, 2));
  assert_true(hone_wisdom_entry_low(entry) == 1.4 && hone_wisdom_entry_high(entry) == 1.6);
  assert_true(isnan(hone_wisdom_entry_speedup(hone_wisdom_at(wisdom, 2))));
  assert_true(hone_wisdom_entry_integer(hone_wisdom_at(wisdom, 3), "W", 0) == INT64_MIN);
  hone_wisdom_free(wisdom);
}

static void numbers_in_any_locale(void **state)
{
  struct hone_wisdom *wisdom;

  (void)state;
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
    print_message("# no locale with a comma here\n");
    skip();
  }
  wisdom = open_text(sample);
  assert_true(hone_wisdom_entry_real(hone_wisdom_at(wisdom, 0), "scale", 0) == 0.5);
  setlocale(LC_NUMERIC, "C");
  hone_wisdom_free(wisdom);
}

/* A table with many entries finds every one, under every name. */
static void many_entries(void **state)
{
  enum { COUNT = 2000 };
  char *text = malloc(COUNT * 256), *end = text;
  struct hone_wisdom *wisdom;
  const struct hone_wisdom_entry *entry;

  (void)state;
  end += sprintf(end, "{\"hone_wisdom\":1,\"entries\":[");
  for (int i = 0; i < COUNT; i++)
    end += sprintf(end,
                   "%s{\"kernel\":\"gemm\",\"problem\":{\"M\":%d,\"N\":%d,\"type\":\"f32\"},"
                   "\"device\":\"d%d\",\"aliases\":[\"a%d\"],\"config\":{\"BM\":%d},"
                   "\"verdict\":\"IMPROVED\"}",
                   i ? "," : "", 1 + i % 50, 1 + i / 50 % 10, i / 500, i / 500, i);
  sprintf(end, "]}");
  wisdom = open_text(text);
  for (int i = 0; i < COUNT; i++) {
    char device[8];
    snprintf(device, sizeof device, "%c%d", i % 2 ? 'a' : 'd', i / 500);
    assert_int_equal(find(wisdom, device, 1 + i % 50, 1 + i / 50 % 10, 0, &entry),
                     HONE_WISDOM_EXACT);
    assert_int_equal(block(entry), i);
  }
  hone_wisdom_free(wisdom);
  free(text);
}

/* ---- What is not a wisdom file ---- */

static void expect_error(const char *text, enum hone_wisdom_code expected, const char *message)
{
  struct hone_wisdom *wisdom;
  struct hone_wisdom_error error;

  assert_int_equal(hone_wisdom_open_memory(text, strlen(text), "a.wisdom", &wisdom, &error),
                   expected);
  assert_null(wisdom);
  assert_int_equal(error.code, expected);
  if (!strstr(error.message, message)) fail_msg("'%s' has no '%s'", error.message, message);
}

#define HEAD "{\"hone_wisdom\": 1, \"entries\": ["
#define ENTRY                                                                                      \
  "{\"kernel\": \"k\", \"problem\": {\"M\": 1}, \"device\": \"d\", \"config\": {},"                \
  " \"verdict\": \"IMPROVED\"}"

static void invalid_files(void **state)
{
  (void)state;
  expect_error("", HONE_WISDOM_INVALID, "a.wisdom:1:1: not a wisdom file");
  expect_error("{\"a\": 1}", HONE_WISDOM_INVALID, "has no 'hone_wisdom' with a version");
  expect_error("[1]", HONE_WISDOM_INVALID, "not a wisdom file");
  expect_error("\x7f"
               "ELF",
               HONE_WISDOM_INVALID, "not a wisdom file");
  expect_error("{\"hone_wisdom\": 2}", HONE_WISDOM_NEWER, "use a newer libhone-wisdom");
  expect_error("{\"hone_wisdom\": 1}", HONE_WISDOM_INVALID, "no 'entries'");
  expect_error("{\"hone_wisdom\": 1, \"nearest\": 0.5, \"entries\": []}", HONE_WISDOM_INVALID,
               "'nearest' is less than 1");
  expect_error("{\"hone_wisdom\": 1, \"entrees\": []}", HONE_WISDOM_INVALID,
               "1:31: unknown key 'entrees'");
  expect_error(HEAD "{}]}", HONE_WISDOM_INVALID, "the entry has no 'kernel'");
  expect_error(HEAD "7]}", HONE_WISDOM_INVALID, "is not an object");
  expect_error(HEAD "{\"kernel\": 7}]}", HONE_WISDOM_INVALID, "'kernel' is not a text");
  expect_error(HEAD "{\"colour\": 7}]}", HONE_WISDOM_INVALID, "unknown key 'colour'");
  expect_error(HEAD ENTRY ",\n " ENTRY "]}", HONE_WISDOM_INVALID,
               "a.wisdom:2:2: an earlier entry has the same kernel 'k', device and problem");
  expect_error(HEAD ENTRY "]} x", HONE_WISDOM_INVALID, "more text after the end");
  expect_error(HEAD ENTRY ",]}", HONE_WISDOM_INVALID, "expected a value");
  expect_error("{\"hone_wisdom\": 1, \"hone_wisdom\": 1}", HONE_WISDOM_INVALID, "occurs twice");
  expect_error("{\"hone_wisdom\": 01}", HONE_WISDOM_INVALID, "leading zeros");
  expect_error("{\"hone_wisdom\": 1e999}", HONE_WISDOM_INVALID, "too large");
  expect_error("{\"a\": \"\\ud800\"}", HONE_WISDOM_INVALID, "four hexadecimal digits");
  expect_error("{\"a\": \"\\u0000\"}", HONE_WISDOM_INVALID, "not NUL");
  expect_error("{\"a\": \"\xff\"}", HONE_WISDOM_INVALID, "UTF-8");
  expect_error("{\"a\": [[[[[[[[[[[[[[[[[[[[", HONE_WISDOM_INVALID, "more than 16 levels");
}

static void truncated_at_every_byte(void **state)
{
  size_t size = strlen(sample);

  (void)state;
  for (size_t i = 0; i + 2 < size; i++) { /* the last line's end is not needed */
    struct hone_wisdom *wisdom;
    struct hone_wisdom_error error;
    char *copy = malloc(i + 1); /* a sanitizer sees what is read beyond it */
    memcpy(copy, sample, i);
    if (hone_wisdom_open_memory(copy, i, "a.wisdom", &wisdom, &error) != HONE_WISDOM_INVALID)
      fail_msg("cut at %zu: it was read", i);
    assert_true(error.line > 0 && *error.message);
    free(copy);
  }
}

/* Every byte with every bit: an error with a place, or a wisdom that answers. */
static void flipped_bits(void **state)
{
  size_t size = strlen(sample), errors = 0;
  char *copy = malloc(size);

  (void)state;
  for (size_t i = 0; i < 8 * size; i++) {
    struct hone_wisdom *wisdom;
    struct hone_wisdom_error error;
    const struct hone_wisdom_entry *entry;
    memcpy(copy, sample, size);
    copy[i / 8] = (char)(copy[i / 8] ^ 1 << i % 8);
    if (hone_wisdom_open_memory(copy, size, "a.wisdom", &wisdom, &error)) {
      assert_true(*error.message);
      errors++;
      continue;
    }
    find(wisdom, "NVIDIA H200", 300, 512, 0, &entry);
    hone_wisdom_free(wisdom);
  }
  assert_true(errors > 4 * size); /* of what is not a value, most */
  free(copy);
}

/* ---- Files ---- */

static void replace_file(const char *path, const char *text)
{
  char aside[8192];
  FILE *file;

  assert_true(snprintf(aside, sizeof aside, "%s.new", path) < (int)sizeof aside);
  file = fopen(aside, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  assert_int_equal(rename(aside, path), 0);
}

static void print_sample(char *text, int number)
{
  sprintf(text,
          HEAD "{\"kernel\": \"gemm\", \"problem\": {\"M\": 1, \"N\": 1, \"type\": \"f32\"},"
               " \"device\": \"d\", \"config\": {\"BM\": %d, \"again\": %d},"
               " \"verdict\": \"IMPROVED\"}]}",
          number, number);
}

static void files_that_cannot_be_read(void **state)
{
  struct hone_wisdom *wisdom;
  struct hone_wisdom_file *file;
  struct hone_wisdom_error error;

  (void)state;
  assert_int_equal(hone_wisdom_open("/nonexistent/x", &wisdom, &error), HONE_WISDOM_IO);
  assert_non_null(strstr(error.message, "'/nonexistent/x': No such file"));
  assert_int_equal(hone_wisdom_open("/", &wisdom, &error), HONE_WISDOM_IO);
  assert_non_null(strstr(error.message, "not a plain file"));
  assert_int_equal(hone_wisdom_open("/nonexistent/x", &wisdom, NULL), HONE_WISDOM_IO);
  assert_int_equal(hone_wisdom_file_open("/nonexistent/x", &file, &error), HONE_WISDOM_IO);
  assert_null(file);
  hone_wisdom_free(NULL);
  hone_wisdom_file_free(NULL);
}

static void a_file_that_changes(void **state)
{
  char path[4096], text[1024];
  struct hone_wisdom_file *file;
  struct hone_wisdom *old, *now;
  struct hone_wisdom_error error;
  const struct hone_wisdom_entry *entry;
  bool changed;

  (void)state;
  snprintf(path, sizeof path, "%s/a.wisdom", folder);
  print_sample(text, 1);
  replace_file(path, text);
  assert_int_equal(hone_wisdom_file_open(path, &file, &error), HONE_WISDOM_OK);
  old = hone_wisdom_file_get(file);
  assert_int_equal(hone_wisdom_file_reload(file, &changed, &error), HONE_WISDOM_OK);
  assert_false(changed);
  print_sample(text, 2);
  replace_file(path, text);
  assert_int_equal(hone_wisdom_file_reload(file, &changed, &error), HONE_WISDOM_OK);
  assert_true(changed);
  now = hone_wisdom_file_get(file);
  find(old, "d", 1, 1, 0, &entry);
  assert_int_equal(block(entry), 1);
  find(now, "d", 1, 1, 0, &entry);
  assert_int_equal(block(entry), 2);
  hone_wisdom_free(now);
  replace_file(path, "{");
  assert_int_equal(hone_wisdom_file_reload(file, &changed, &error), HONE_WISDOM_INVALID);
  assert_false(changed);
  unlink(path);
  assert_int_equal(hone_wisdom_file_reload(file, &changed, &error), HONE_WISDOM_IO);
  now = hone_wisdom_file_get(file); /* what was read last */
  hone_wisdom_file_free(file);
  find(now, "d", 1, 1, 0, &entry);
  assert_int_equal(block(entry), 2);
  hone_wisdom_free(now);
  hone_wisdom_free(old);
}

/* ---- Threads ---- */

enum { THREADS = 16, QUESTIONS = 2000 };

struct asking {
  struct hone_wisdom_file *file;
  atomic_int *going;
  const char *wrong;
};

/* Two numbers of one file are equal, whichever file it was. */
static void *ask(void *data)
{
  struct asking *asking = data;

  for (int i = 0; i < QUESTIONS && !asking->wrong; i++) {
    struct hone_wisdom *wisdom = hone_wisdom_file_get(asking->file);
    const struct hone_wisdom_entry *entry;
    if (i % 10 == 0 && hone_wisdom_file_reload(asking->file, NULL, NULL)) asking->wrong = "reload";
    if (find(wisdom, "d", 1, 1, 0, &entry) != HONE_WISDOM_EXACT)
      asking->wrong = "not found";
    else if (block(entry) != hone_wisdom_entry_integer(entry, "again", -2))
      asking->wrong = "mixed";
    hone_wisdom_free(wisdom);
  }
  atomic_fetch_sub(asking->going, 1);
  return NULL;
}

static void sixteen_threads_and_a_writer(void **state)
{
  char path[4096], text[1024];
  pthread_t threads[THREADS];
  struct asking asking[THREADS];
  struct hone_wisdom_file *file;
  atomic_int going = THREADS;

  (void)state;
  snprintf(path, sizeof path, "%s/a.wisdom", folder);
  print_sample(text, 0);
  replace_file(path, text);
  assert_int_equal(hone_wisdom_file_open(path, &file, NULL), HONE_WISDOM_OK);
  for (int i = 0; i < THREADS; i++) {
    asking[i] = (struct asking){file, &going, NULL};
    assert_int_equal(pthread_create(&threads[i], NULL, ask, &asking[i]), 0);
  }
  for (int number = 1; atomic_load(&going); number++) {
    print_sample(text, number);
    replace_file(path, text);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    if (asking[i].wrong) fail_msg("%s", asking[i].wrong);
  }
  hone_wisdom_file_free(file);
}

/* More questions than a wisdom remembers, by their numbers. */
enum { DIFFERENT = 3000 };

static int64_t ask_number(const struct hone_wisdom *wisdom, int number)
{
  static const char *const devices[] = {"NVIDIA H200", "NVIDIA_H200", "another", "NVIDIA H100"};
  static const double bounds[] = {0, 1, 3, 1e9};
  const struct hone_wisdom_entry *entry;
  enum hone_wisdom_match match = find(wisdom, devices[number % 4], 1 + number / 16,
                                      64 << number % 3, bounds[number / 4 % 4], &entry);

  return 1000 * (int64_t)match + (entry ? block(entry) : -1);
}

struct repeating {
  const struct hone_wisdom *wisdom;
  const int64_t *right;
  int first, wrong;
};

static void *ask_all_twice(void *data)
{
  struct repeating *repeating = data;

  for (int i = 0; i < 2 * DIFFERENT; i++) {
    int number = (repeating->first + i) % DIFFERENT;
    repeating->wrong += ask_number(repeating->wisdom, number) != repeating->right[number];
  }
  return NULL;
}

static void repeated_questions(void **state)
{
  static int64_t right[DIFFERENT];
  struct hone_wisdom *wisdom = open_text(sample);
  struct repeating repeating[THREADS];
  pthread_t threads[THREADS];

  (void)state;
  for (int i = 0; i < DIFFERENT; i++) {
    struct hone_wisdom *fresh = open_text(sample);
    right[i] = ask_number(fresh, i);
    hone_wisdom_free(fresh);
  }
  for (int i = 0; i < THREADS; i++) {
    repeating[i] = (struct repeating){wisdom, right, i * DIFFERENT / THREADS, 0};
    assert_int_equal(pthread_create(&threads[i], NULL, ask_all_twice, &repeating[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    assert_int_equal(repeating[i].wrong, 0);
  }
  hone_wisdom_free(wisdom);
}

static void this_cpu(void **state)
{
  char device[512], family[512], small[4];
  size_t length;

  (void)state;
  length = hone_wisdom_cpu(device, sizeof device);
  assert_int_equal(length, strlen(device));
  length = hone_wisdom_cpu_family(family, sizeof family);
  assert_int_equal(length, strlen(family));
  assert_memory_equal(device, family, strlen(family));
  assert_non_null(strstr(device + strlen(family), " CPU"));
  assert_int_equal(hone_wisdom_cpu(small, sizeof small), strlen(device));
  assert_int_equal(strlen(small), 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_problems),
      cmocka_unit_test(nearest_problems),
      cmocka_unit_test(other_texts_and_names_never_match),
      cmocka_unit_test(families),
      cmocka_unit_test(typed_values),
      cmocka_unit_test(numbers_in_any_locale),
      cmocka_unit_test(many_entries),
      cmocka_unit_test(invalid_files),
      cmocka_unit_test(truncated_at_every_byte),
      cmocka_unit_test(flipped_bits),
      cmocka_unit_test(files_that_cannot_be_read),
      cmocka_unit_test(a_file_that_changes),
      cmocka_unit_test(sixteen_threads_and_a_writer),
      cmocka_unit_test(repeated_questions),
      cmocka_unit_test(this_cpu),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
