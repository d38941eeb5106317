/* Building OpenCL with the driver of this machine, and with one that crashes and hangs. */
#include "wire/packed_json.h"
#include "deps.h"
#include "unpacked.h"
#include "opencl_kernels.h"

#include "backend/opencl/opencl_source.h"
#include "proc/child_tree.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static const char twice[] = "/* twice */\n"
                            "__kernel void twice(__global float *x)\n"
                            "{\n"
                            "  x[get_global_id(0)] *= FACTOR;\n"
                            "}\n";

static json_t *twice_by(const char *factor)
{
  json_t *candidate = opencl_candidate("twice.cl", "twice", 64, 16);

  write_text("twice.cl", twice);
  opencl_define(candidate, "FACTOR", factor);
  return candidate;
}

/* Nothing is left behind but the cache and what the test wrote. */
static void expect_clean(void)
{
  DIR *dir = opendir(folder);
  struct dirent *entry;

  while ((entry = readdir(dir)))
    assert_null(strstr(entry->d_name, "hone-build-"));
  closedir(dir);
}

static size_t files_in(const char *path)
{
  DIR *dir = path ? opendir(path) : NULL;
  struct dirent *entry;
  size_t count = 0;

  while (dir && (entry = readdir(dir)))
    count += entry->d_name[0] != '.';
  if (dir) closedir(dir);
  return count;
}

/* ---- What works ---- */

static void test_build(void **state)
{
  json_t *candidate;
  struct built built;

  (void)state;
  NEEDS_OPENCL();
  candidate = twice_by("3");
  built = opencl_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_false(built.cached);
  assert_true(built.answer.payload.length > 100);
  assert_non_null(
      strstr(hone__message_text(hone__packed_json(built.answer.head), "command"), "-DFACTOR=3"));
  assert_non_null(
      strstr(hone__message_text(hone__packed_json(built.answer.head), "command"), "twice.cl"));
  assert_true(json_integer_value(json_object_get(
                  json_object_get(hone__packed_json(built.answer.head), "costs"), "binary_bytes")) >
              100);
  release_built(&built);

  built = opencl_build(candidate, 60); /* the answer of the cache is the same */
  assert_true(built.cached);
  assert_non_null(json_object_get(json_object_get(hone__packed_json(built.answer.head), "costs"),
                                  "max_work_group"));
  release_built(&built);
  json_decref(candidate);
  expect_clean();
}

/* Forks begin with a compiler that is warm, and leave nothing in its folder. */
static void test_later_builds(void **state)
{
  static const char *const factors[] = {"4", "5", "(6 + 1)", "7.0f"};

  (void)state;
  NEEDS_OPENCL();
  for (size_t i = 0; i < 4; i++) {
    json_t *candidate = twice_by(factors[i]);
    struct built built = opencl_build(candidate, 60);
    expect_outcome(&built, HONE_OUTCOME_OK);
    assert_false(built.cached);
    release_built(&built);
    json_decref(candidate);
    assert_int_equal(files_in(hone__opencl_folder()), 0);
  }
  expect_clean();
}

static bool has_words(const struct hone__text *bytes, const char *words)
{
  return memmem(bytes->data, bytes->length, words, strlen(words)) != NULL;
}

/* PoCL's code is for the size of work-groups that this build is for, not the one before. */
static void test_sizes_of_groups(void **state)
{
  static const struct {
    int local;
    const char *name;
  } sizes[] = {{16, "16-1-1-goffs0"}, {8, "8-1-1-goffs0"}, {0, ""}};

  (void)state;
  NEEDS_OPENCL();
  if (strncmp(opencl_device, "opencl:pocl", 11) != 0) skip();
  for (size_t i = 0; i < 3; i++) {
    json_t *candidate = opencl_candidate("twice.cl", "twice", 64, sizes[i].local);
    struct built built;
    write_text("twice.cl", twice);
    opencl_define(candidate, "FACTOR", "11");
    built = opencl_build(candidate, 60);
    expect_outcome(&built, HONE_OUTCOME_OK);
    for (size_t k = 0; k < 2; k++)
      assert_int_equal(has_words(&built.answer.payload, sizes[k].name), k == i);
    release_built(&built);
    json_decref(candidate);
  }
}

static void test_included_files(void **state)
{
  json_t *candidate;
  struct built built;

  (void)state;
  NEEDS_OPENCL();
  candidate = opencl_candidate("includes.cl", "one", 64, 0);
  write_text("inner.h", "#define ONE 1\n");
  write_text("outer.h", "  #  include <inner.h>\n");
  write_text("includes.cl", "#include \"outer.h\"\n"
                            "__kernel void one(__global int *x) { *x = ONE; }\n");
  built = opencl_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_int_equal(json_array_size(json_object_get(hone__packed_json(built.answer.head), "deps")),
                   2);
  assert_true(deps_are_current(hone__backend_opencl.driver.deps_are_current,
                               json_object_get(hone__packed_json(built.answer.head), "deps")));
  release_built(&built);

  write_text("inner.h", "#define ONE 2\n");
  built = opencl_build(candidate, 60);
  assert_false(built.cached);
  release_built(&built);
  built = opencl_build(candidate, 60);
  assert_true(built.cached);
  release_built(&built);
  json_decref(candidate);
}

/* A folder that an option names begins where the compiler runs. */
static void test_included_by_option(void **state)
{
  json_t *candidate;
  struct built built;

  (void)state;
  NEEDS_OPENCL();
  candidate = opencl_candidate("option.cl", "one", 64, 0);
  json_array_append_new(json_object_get(candidate, "flags"), json_string("-Iinner"));
  assert_int_equal(mkdir(path_of("inner"), 0700), 0);
  write_text("inner/one.h", "#define ONE 1\n");
  write_text("option.cl", "#include \"one.h\"\n"
                          "__kernel void one(__global int *x) { *x = ONE; }\n");
  built = opencl_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_OK);
  assert_int_equal(json_array_size(json_object_get(hone__packed_json(built.answer.head), "deps")),
                   1);
  release_built(&built);
  json_decref(candidate);
}

/* ---- What does not ---- */

static void expect_refused(const char *text, const char *entry, const char *evidence)
{
  json_t *candidate = opencl_candidate("bad.cl", entry, 64, 16);
  struct built built;

  write_text("bad.cl", text);
  built = opencl_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_COMPILE_ERROR);
  if (!strstr(built.evidence, evidence)) print_message("%s\n", built.evidence);
  assert_non_null(strstr(built.evidence, evidence));
  assert_int_equal(built.answer.payload.length, 0);
  release_built(&built);
  json_decref(candidate);
  expect_clean();
}

static void test_errors(void **state)
{
  json_t *candidate;
  struct built built;

  (void)state;
  NEEDS_OPENCL();
  candidate = twice_by("1");
  expect_refused("__kernel void f(__global int *x)\n{\n  *x = y;\n}\n", "f", "bad.cl:3");
  expect_refused("__kernel void f(__global int *x) { }\n__kernel void g(__global int *x) { }\n",
                 "h", "no kernel 'h' in the program; it has 'f', 'g'");
  expect_refused("#include \"missing.h\"\n", "f", "missing.h");
  json_array_append_new(json_object_get(candidate, "flags"), json_string("-no-such-option"));
  built = opencl_build(candidate, 60);
  expect_outcome(&built, HONE_OUTCOME_COMPILE_ERROR);
  release_built(&built);
  json_decref(candidate);
}

static void test_missing_source(void **state)
{
  json_t *candidate = opencl_candidate("nowhere.cl", "f", 64, 16);
  struct built built = opencl_build(candidate, 60);

  (void)state;
  expect_outcome(&built, HONE_OUTCOME_COMPILE_ERROR);
  assert_non_null(strstr(built.evidence, "nowhere.cl"));
  release_built(&built);
  json_decref(candidate);
}

/* In a process whose library is another. */
static void test_no_library(void **state)
{
  json_t *candidate = twice_by("9");
  struct built built;

  (void)state;
  if (hone__opencl_is_inherited()) skip();
  setenv("HONE_OPENCL", "/nonexistent", 1);
  built = opencl_build(candidate, 60);
  unsetenv("HONE_OPENCL");
  expect_outcome(&built, HONE_OUTCOME_NOT_BUILT);
  assert_non_null(strstr(built.evidence, "HONE_OPENCL"));
  release_built(&built);
  json_decref(candidate);
}

/* ---- A driver that misbehaves ---- */

/* A libOpenCL with one platform and one device, whose compiler does what BAD says. */
static const char bad_driver[] =
    "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n#include <stdlib.h>\n"
    "#include <stdio.h>\n#include <unistd.h>\n#include <signal.h>\n#include <sys/stat.h>\n"
    "int clGetPlatformIDs(unsigned n, void **p, unsigned *c) { if (p) *p = (void *)8; *c = 1; "
    "return 0; }\n"
    "int clGetPlatformInfo(void *p, unsigned w, size_t n, void *v, size_t *s) "
    "{ strcpy(v, \"Bad\"); return 0; }\n"
    "int clGetDeviceIDs(void *p, uint64_t t, unsigned n, void **d, unsigned *c) "
    "{ *d = (void *)8; *c = 1; return 0; }\n"
    "int clGetDeviceInfo(void *d, unsigned w, size_t n, void *v, size_t *s) { return -30; }\n"
    "void *clCreateContext(void *a, unsigned b, void *c, void *d, void *e, int *code) "
    "{ FILE *opened = fopen(getenv(\"BAD_OPENED\"), \"a\"); fputc('x', opened); fclose(opened); "
    "if (getenv(\"BAD_OPEN\")) abort(); *code = 0; return (void *)8; }\n"
    "void *clCreateProgramWithSource(void *a, unsigned b, void *c, void *d, int *code) "
    "{ *code = 0; return (void *)8; }\n"
    "int clBuildProgram(void *a, unsigned b, void *c, const char *o, void *d, void *e) "
    "{ if (strstr(o, \"KILLED\") && !mkdir(getenv(\"BAD_KILLED\"), 0700)) kill(getpid(), 9); "
    "if (strstr(o, \"HANG\")) for (;;) pause(); if (strstr(o, \"CRASH\")) abort(); return -11; "
    "}\n";

static bool make_bad_driver(void)
{
  static const char *const given[] = {
      "GetPlatformIDs", "GetPlatformInfo",         "GetDeviceIDs", "GetDeviceInfo",
      "CreateContext",  "CreateProgramWithSource", "BuildProgram", NULL};

  return opencl_make_stub(bad_driver, given);
}

static void expect_bad(const char *what, double timeout_s, enum hone_outcome outcome)
{
  json_t *candidate = twice_by(what);
  struct built built = opencl_build(candidate, timeout_s);

  expect_outcome(&built, outcome);
  release_built(&built);
  json_decref(candidate);
  expect_clean();
}

/* How often the device was opened so far. */
static size_t times_opened(void)
{
  struct stat info;

  return stat(getenv("BAD_OPENED"), &info) == 0 ? (size_t)info.st_size : 0;
}

/* One process compiles until it does not come back. */
static void test_bad_driver(void **state)
{
  const char *before = opencl_device;

  (void)state;
  if (!make_bad_driver()) skip();
  setenv("HONE_OPENCL", folder, 1);
  setenv("BAD_OPENED", path_of("opened"), 1);
  setenv("BAD_KILLED", path_of("killed"), 1);
  opencl_device = "opencl";
  expect_bad("REFUSE", 60, HONE_OUTCOME_COMPILE_ERROR);
  expect_bad("REFUSE2", 60, HONE_OUTCOME_COMPILE_ERROR);
  expect_bad("CRASH", 60, HONE_OUTCOME_COMPILE_CRASH);
  assert_int_equal(times_opened(), 1);
  expect_bad("REFUSE3", 60, HONE_OUTCOME_COMPILE_ERROR);
  assert_int_equal(times_opened(), 2);
  hone__tree_sweep(5); /* somebody ends it between two builds */
  expect_bad("REFUSE5", 60, HONE_OUTCOME_COMPILE_ERROR);
  assert_int_equal(times_opened(), 3);
  expect_bad("KILLED", 60, HONE_OUTCOME_COMPILE_ERROR); /* and during one */
  assert_int_equal(times_opened(), 4);
  expect_bad("HANG", 0.3, HONE_OUTCOME_COMPILE_TIMEOUT);
  setenv("BAD_OPEN", "1", 1);
  expect_bad("REFUSE4", 60, HONE_OUTCOME_NOT_BUILT);
  unsetenv("BAD_OPEN");
  expect_bad("REFUSE4", 60, HONE_OUTCOME_COMPILE_ERROR);
  assert_int_equal(times_opened(), 6);
  unsetenv("HONE_OPENCL");
  opencl_device = before;
}

/* ---- Pieces ---- */

static void test_options(void **state)
{
  json_t *candidate = opencl_candidate("k.cl", "k", 64, 16);
  struct hone__text options = {0}, prologue = {0}, expected = {0};
  struct hone__arena arena = {0};
  struct hone__kernel_candidate unpacked;

  (void)state;
  json_array_append_new(json_object_get(candidate, "flags"), json_string("-cl-mad-enable"));
  json_array_append_new(json_object_get(candidate, "includes"), json_string("/inc"));
  opencl_define(candidate, "BM", "64");
  opencl_define(candidate, "TYPE", "unsigned int");
  unpacked = unpacked_candidate(candidate, &arena);
  hone__opencl_options(&unpacked, NULL, &options, &prologue);
  hone__arena_release(&arena);
  hone__text_addf(&expected, "-cl-mad-enable -DBM=64 -I/inc -I%s", folder);
  assert_string_equal(options.data, expected.data);
  assert_string_equal(prologue.data, "#define TYPE unsigned int\n#line 1 \"k.cl\"\n");
  hone__text_release(&options);
  hone__text_release(&prologue);
  hone__text_release(&expected);
  json_decref(candidate);
}

static void expect_specialised(int global, int local, const char *expected)
{
  json_t *candidate = opencl_candidate("k.cl", "k", global, local);
  struct hone__text text = {0};
  struct hone__arena arena = {0};
  struct hone__kernel_candidate unpacked;

  hone__text_add(&text, "");
  unpacked = unpacked_candidate(candidate, &arena);
  hone__opencl_specialise(&unpacked, &text);
  hone__arena_release(&arena);
  assert_string_equal(text.data ? text.data : "", expected);
  hone__text_release(&text);
  json_decref(candidate);
}

static void test_folder_with_blanks(void **state)
{
  const char *includes[] = {"/c d"};
  struct hone__kernel_candidate candidate = {
      .source = "/a b/k.cl", .includes = includes, .includes_count = 1};
  struct hone__text options = {0}, prologue = {0}, expected = {0};
  const char *link = path_of("include-1");
  char target[16] = "";

  (void)state;
  hone__opencl_options(&candidate, NULL, &options, &prologue);
  assert_string_equal(options.data, "-I'/c d' -I'/a b'");
  options.length = 0;
  hone__opencl_options(&candidate, folder, &options, &prologue);
  hone__text_addf(&expected, "-I%s/include-0 -I%s", folder, link);
  assert_string_equal(options.data, expected.data);
  assert_int_equal(readlink(link, target, sizeof target - 1), 4);
  assert_string_equal(target, "/a b");
  hone__text_release(&expected);
  hone__text_release(&options);
  hone__text_release(&prologue);
}

static void test_specialise(void **state)
{
  (void)state;
  expect_specialised(64, 16, "16-1-1-goffs0-smallgrid");
  expect_specialised(1 << 20, 16, "16-1-1-goffs0");
  expect_specialised(64, 0, "");
}

int main(void)
{
  /* Those that want another library come first: it is loaded once a process. */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bad_driver),
      cmocka_unit_test(test_no_library),
      cmocka_unit_test(test_missing_source),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_folder_with_blanks),
      cmocka_unit_test(test_specialise),
      cmocka_unit_test(test_build),
      cmocka_unit_test(test_later_builds),
      cmocka_unit_test(test_sizes_of_groups),
      cmocka_unit_test(test_included_files),
      cmocka_unit_test(test_included_by_option),
      cmocka_unit_test(test_errors),
  };

  return cmocka_run_group_tests(tests, find_opencl, leave_opencl);
}
