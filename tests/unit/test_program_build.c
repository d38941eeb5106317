/* Programs: how they are built. A script stands in for mojo; C is built with the compiler of this
 * machine. */
#include "deps.h"
#include "wire/packed_json.h"
#include "base/digest.h"
#include "program_task.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static size_t count_lines(const char *name)
{
  FILE *file = fopen(path_of(name), "r");
  size_t count = 0;
  int c;

  while (file && (c = fgetc(file)) != EOF)
    count += c == '\n';
  if (file) fclose(file);
  return count;
}

struct built {
  struct hone__answer answer;
  const char *evidence;
};

/* Takes the candidate. */
static struct built build_with(struct world *world, json_t *candidate, bool cached_only,
                               double timeout_s)
{
  struct built built = {.answer.head = NULL};
  json_t *job = json_pack("{so sb sf}", "candidate", candidate, "cached_only", cached_only,
                          "timeout_s", timeout_s);

  world->task.backend->worker.build(world->setup.head, hone__wire_json_packed(job), &built.answer);
  json_decref(job);
  hone__text_addn(&built.answer.evidence, "", 0);
  built.evidence = built.answer.evidence.data ? built.answer.evidence.data : "";
  return built;
}

static void release(struct built *built)
{
  hone__packed_drop(built->answer.head);
  hone__text_release(&built->answer.evidence);
  hone__text_release(&built->answer.payload);
}

static void expect_built(struct world *world, uint64_t index, bool cached, const char *bytes)
{
  struct built built = build_with(world, candidate_at(world, index), false, 60);

  if (built.answer.outcome != HONE_OUTCOME_OK) print_message("%s\n", built.evidence);
  assert_int_equal(built.answer.outcome, HONE_OUTCOME_OK);
  assert_int_equal(json_is_true(json_object_get(hone__packed_json(built.answer.head), "cached")),
                   cached);
  assert_true(built.answer.payload.length >= strlen(bytes));
  assert_memory_equal(built.answer.payload.data, bytes, strlen(bytes));
  assert_string_equal(text_of(hone__packed_json(built.answer.head), "warnings"), "");
  release(&built);
}

/* Returns the whole output of the compiler in a buffer of this function. */
static const char *expect_failed(struct world *world, uint64_t index, enum hone_outcome outcome,
                                 const char *evidence, double timeout_s)
{
  static char output[4096];
  struct built built = build_with(world, candidate_at(world, index), false, timeout_s);

  if (!strstr(built.evidence, evidence)) print_message("%s\n", built.evidence);
  assert_int_equal(built.answer.outcome, outcome);
  assert_non_null(strstr(built.evidence, evidence));
  snprintf(output, sizeof output, "%s", text_of(hone__packed_json(built.answer.head), "output"));
  release(&built);
  return output;
}

static void test_build_mojo(void **state)
{
  struct world world;
  size_t calls;

  (void)state;
  write_text("gemm.mojo", "from tiles import a\n");
  write_text("tiles.mojo", "1\n");
  load(&world, "file: gemm.mojo\nparams: {BM: [4, 8], FOO: [1, 2], $x: [0, 1]}\n");
  describe(&world);
  expect_built(&world, 0, false, "BM=4\n");
  calls = count_lines("mojo.log");
  expect_built(&world, 0, true, "BM=4\n");
  expect_built(&world, 1, true, "BM=4\n"); /* $x */
  assert_int_equal(count_lines("mojo.log"), calls);
  expect_built(&world, 2, false, "BM=4\n"); /* FOO, which nobody reads */
  expect_built(&world, 4, false, "BM=8\n");
  assert_int_equal(count_lines("mojo.log"), calls + 2);
  write_text("tiles.mojo", "2\n");
  expect_built(&world, 0, false, "BM=4\n");
  unload(&world);
}

static void test_objects_are_equal(void **state)
{
  struct world world;
  struct built first, second;

  (void)state;
  load(&world, "file: gemm.mojo\nparams: {BM: 16, FOO: [5, 6]}\n");
  describe(&world);
  first = build_with(&world, candidate_at(&world, 0), false, 60);
  second = build_with(&world, candidate_at(&world, 1), false, 60);
  assert_string_equal(text_of(hone__packed_json(first.answer.head), "object"),
                      text_of(hone__packed_json(second.answer.head), "object"));
  release(&first);
  release(&second);
  unload(&world);
}

static void test_build_failures(void **state)
{
  struct world world;
  const char *output;
  struct built built;

  (void)state;
  load(&world, "file: gemm.mojo\nparams: [{FAIL: 1}, {SILENT: 1}, {SLEEP: 1}, {NEW: 1}]\n");
  describe(&world);
  output = expect_failed(&world, 0, HONE_OUTCOME_COMPILE_ERROR,
                         "gemm.mojo:21:5: note: constraint failed: BM must divide N\n"
                         "gemm.mojo:20:5: error: function instantiation failed",
                         60);
  assert_non_null(strstr(output, "call expansion failed"));
  assert_null(strstr(output, "Crashpad"));
  expect_failed(&world, 1, HONE_OUTCOME_COMPILE_ERROR,
                "'mojo' exited with status 0 and without output but wrote no output file", 60);
  expect_failed(&world, 2, HONE_OUTCOME_COMPILE_TIMEOUT, "still running", 0.3);
  built = build_with(&world, candidate_at(&world, 3), true, 60);
  assert_int_equal(built.answer.outcome, HONE_OUTCOME_COMPILE_ERROR);
  assert_string_equal(built.evidence, "not in the cache");
  release(&built);
  unload(&world);
}

/* What the compiler said itself stays known, as long as what it read stays the same. */
static void test_remembered_failures(void **state)
{
  struct world world;
  struct built built;
  json_t *job;
  size_t calls;

  (void)state;
  write_text("gemm.mojo", "from tiles import a\n");
  write_text("tiles.mojo", "3\n");
  load(&world, "file: gemm.mojo\nparams: [{FAIL: 1, AGAIN: 1}, {SILENT: 1, AGAIN: 1}, "
               "{SLEEP: 1, AGAIN: 1}]\n");
  describe(&world);
  expect_failed(&world, 0, HONE_OUTCOME_COMPILE_ERROR, "BM must divide N", 60);
  calls = count_lines("mojo.log");
  built = build_with(&world, candidate_at(&world, 0), true, 60);
  assert_int_equal(built.answer.outcome, HONE_OUTCOME_COMPILE_ERROR);
  assert_non_null(strstr(built.evidence, "BM must divide N"));
  assert_true(json_is_true(json_object_get(hone__packed_json(built.answer.head), "cached")));
  assert_non_null(
      strstr(text_of(hone__packed_json(built.answer.head), "output"), "call expansion failed"));
  assert_null(json_object_get(hone__packed_json(built.answer.head), "failed"));
  release(&built);
  assert_int_equal(count_lines("mojo.log"), calls);

  job = json_pack("{so sb}", "candidate", candidate_at(&world, 0), "anew", true);
  built = (struct built){.answer.head = NULL};
  world.task.backend->worker.build(world.setup.head, hone__wire_json_packed(job), &built.answer);
  assert_int_equal(built.answer.outcome, HONE_OUTCOME_COMPILE_ERROR);
  assert_false(json_is_true(json_object_get(hone__packed_json(built.answer.head), "cached")));
  release(&built);
  json_decref(job);
  assert_int_equal(count_lines("mojo.log"), calls + 1);

  write_text("tiles.mojo", "4\n");
  expect_failed(&world, 0, HONE_OUTCOME_COMPILE_ERROR, "BM must divide N", 60);
  assert_int_equal(count_lines("mojo.log"), calls + 2);
  expect_failed(&world, 1, HONE_OUTCOME_COMPILE_ERROR, "wrote no output file", 60);
  expect_failed(&world, 2, HONE_OUTCOME_COMPILE_TIMEOUT, "still running", 0.3);
  for (uint64_t i = 1; i < 3; i++) {
    built = build_with(&world, candidate_at(&world, i), true, 60);
    assert_string_equal(built.evidence, "not in the cache");
    assert_false(json_is_true(json_object_get(hone__packed_json(built.answer.head), "cached")));
    release(&built);
  }
  unload(&world);
}

static void expect_other_key(struct world *world, char key[HONE__DIGEST_SIZE])
{
  json_t *candidate = candidate_at(world, 0);

  assert_string_not_equal(text_of(candidate, "build_key"), key);
  snprintf(key, HONE__DIGEST_SIZE, "%s", text_of(candidate, "build_key"));
  json_decref(candidate);
}

/* What the task keeps from one candidate to the next follows the files and the options. */
static void test_plan_is_current(void **state)
{
  struct hone_program_options options = {.optimization = "1"};
  char key[HONE__DIGEST_SIZE] = "", before[HONE__DIGEST_SIZE];
  struct world world;
  json_t *candidate;

  (void)state;
  write_text("gemm.mojo", "from tiles import a\n");
  write_text("tiles.mojo", "5\n");
  load(&world, "file: gemm.mojo\nparams: {BM: 64}\n");
  expect_other_key(&world, key);
  snprintf(before, sizeof before, "%s", key);
  write_text("tiles.mojo", "66\n");
  expect_other_key(&world, key);
  write_text("gemm.mojo", "from tiles import a, b\n");
  expect_other_key(&world, key);
  world.task.program = &options;
  expect_other_key(&world, key);
  options.optimization = "2";
  expect_other_key(&world, key);
  world.task.program = NULL;
  write_text("gemm.mojo", "from tiles import a\n");
  write_text("tiles.mojo", "5\n");
  candidate = candidate_at(&world, 0);
  assert_string_equal(text_of(candidate, "build_key"), before);
  json_decref(candidate);
  unload(&world);
}

/* The driver's copy was of another text. */
static void test_changed_source(void **state)
{
  struct world world;
  struct built built;
  json_t *candidate;

  (void)state;
  load(&world, "file: gemm.mojo\nparams: {BM: 32}\n");
  describe(&world);
  candidate = candidate_at(&world, 0);
  json_object_set_new(candidate, "source_digest", json_string("0"));
  built = build_with(&world, candidate, false, 60);
  assert_int_equal(built.answer.outcome, HONE_OUTCOME_WORKER_LOST);
  release(&built);
  unload(&world);
}

static void test_driver_path(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  setenv("MODULAR_MOJO_MAX_DRIVER_PATH", path_of("nowhere"), 1);
  expect_bad_candidate(sample, "MODULAR_MOJO_MAX_DRIVER_PATH is not a program");
  setenv("MODULAR_MOJO_MAX_DRIVER_PATH", path_of("bin/mojo"), 1);
  load(&world, "file: gemm.mojo\nparams: {BM: 64}\n");
  describe(&world);
  candidate = candidate_at(&world, 0);
  expect_text(json_string_value(json_array_get(json_object_get(candidate, "build"), 0)),
              "%/bin/mojo");
  json_decref(candidate);
  expect_built(&world, 0, false, "BM=64\n");
  unsetenv("MODULAR_MOJO_MAX_DRIVER_PATH");
  unload(&world);
}

static void test_build_c(void **state)
{
  struct world world;

  (void)state;
  write_text("inc.h", "#define TWO 2\n");
  write_text("prog.c", "#include \"inc.h\"\nint main(void) { return BM - TWO * N; }\n");
  load(&world, "file: prog.c\nproblem: {N: 2}\nparams: {BM: [4, 8]}\n");
  describe(&world);
  expect_built(&world, 0, false,
               "\x7f"
               "ELF");
  expect_built(&world, 0, true,
               "\x7f"
               "ELF");
  expect_built(&world, 1, false,
               "\x7f"
               "ELF");
  write_text("inc.h", "#define TWO 3\n");
  expect_built(&world, 0, false,
               "\x7f"
               "ELF");
  write_text("prog.c", "int main(void) { return nothing; }\n");
  expect_failed(&world, 0, HONE_OUTCOME_COMPILE_ERROR, "prog.c:1:25: error: ", 60);
  unload(&world);
}

static void test_build_template(void **state)
{
  struct world world;

  (void)state;
  write_script("make.sh", "#!/bin/sh\ncat part.txt - >\"$1\" <<end\n$2\nend\n");
  write_text("part.txt", "a\n");
  write_text("p.rs", "");
  load(&world, "file: p.rs\nparams: {BM: [4, 8]}\nbuild: {command: './make.sh {out} {BM}'}\n");
  describe(&world);
  expect_built(&world, 0, false, "a\n4\n");
  expect_built(&world, 0, true, "a\n4\n");
  write_text("part.txt", "b2\n");
  expect_built(&world, 0, false, "b2\n4\n");
  write_script("make.sh", "#!/bin/sh\necho new >\"$1\"\n");
  expect_built(&world, 0, false, "new\n");
  unload(&world);
}

/* Nothing is built, but the object has a name that follows the program. */
static void test_build_nothing(void **state)
{
  struct world world;
  struct built first, second;

  (void)state;
  write_text("main.py", "import lib_a\n");
  write_text("lib_a.py", "1\n");
  load(&world, "file: main.py\nparams: {BM: [4, 8]}\n");
  describe(&world);
  first = build_with(&world, candidate_at(&world, 0), true, 60);
  assert_int_equal(first.answer.outcome, HONE_OUTCOME_OK);
  assert_int_equal(first.answer.payload.length, 0);
  assert_int_equal(json_array_size(json_object_get(hone__packed_json(first.answer.head), "deps")),
                   1);
  assert_true(deps_are_current(world.task.backend->driver.deps_are_current,
                               json_object_get(hone__packed_json(first.answer.head), "deps")));
  write_text("lib_a.py", "2\n");
  assert_false(deps_are_current(world.task.backend->driver.deps_are_current,
                                json_object_get(hone__packed_json(first.answer.head), "deps")));
  second = build_with(&world, candidate_at(&world, 0), true, 60);
  assert_string_not_equal(text_of(hone__packed_json(first.answer.head), "object"),
                          text_of(hone__packed_json(second.answer.head), "object"));
  release(&first);
  release(&second);
  unload(&world);
}

static void test_bad_jobs(void **state)
{
#define WHOLE                                                                                      \
  "\"source_digest\": \"\", \"mode\": \"process\", \"name\": \"n\", \"source\": \"/etc/hostname\""
  static const struct {
    const char *candidate, *why;
  } jobs[] = {
      {"{}", "candidate of programs: 'source' is missing"},
      {"{\"source\": 1}", "candidate of programs: 'source' is not a string"},
      {"{" WHOLE "}", "candidate of programs: 'language' is missing"},
      {"{" WHOLE ", \"language\": \"klingon\"}", "a build without a source"},
      {"{" WHOLE ", \"language\": \"c\", \"build\": []}", "a build without a source"},
      {"{" WHOLE ", \"language\": \"c\", \"build\": [1, 2]}",
       "candidate of programs: 'build' has an item of the wrong type"},
      {"{" WHOLE ", \"language\": \"c\", \"definitions\": [[\"BM\"]]}",
       "candidate of programs: 'definitions' has an item of the wrong type"},
  };
#undef WHOLE
  struct world world;

  (void)state;
  load(&world, sample);
  describe(&world);
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    struct built built = build_with(&world, json_loads(jobs[i].candidate, 0, NULL), false, 60);
    assert_int_equal(built.answer.outcome, HONE_OUTCOME_PROTOCOL);
    if (!strstr(built.evidence, jobs[i].why)) print_message("%s\n", built.evidence);
    assert_non_null(strstr(built.evidence, jobs[i].why));
    release(&built);
  }
  unload(&world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_build_mojo),      cmocka_unit_test(test_objects_are_equal),
      cmocka_unit_test(test_build_failures),  cmocka_unit_test(test_remembered_failures),
      cmocka_unit_test(test_plan_is_current), cmocka_unit_test(test_changed_source),
      cmocka_unit_test(test_driver_path),     cmocka_unit_test(test_build_c),
      cmocka_unit_test(test_build_template),  cmocka_unit_test(test_build_nothing),
      cmocka_unit_test(test_bad_jobs),
  };

  return cmocka_run_group_tests(tests, begin, end);
}
