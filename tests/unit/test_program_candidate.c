/* Programs: how they are chosen, and what would build and start them. */
#include "wire/packed_json.h"
#include "backend/program/program_plan.h"
#include "program_task.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

static void expect_build(struct world *world, const json_t *candidate, const char *pattern)
{
  struct hone__text line = {0};

  assert_null(world->task.backend->driver.build_command(world->setup.head,
                                                        hone__wire_json_packed(candidate), &line));
  expect_text(line.data ? line.data : "", pattern);
  hone__text_release(&line);
}

static void expect_run(struct world *world, const json_t *candidate, const char *pattern)
{
  struct hone__text line = {0};

  assert_null(world->task.backend->driver.run_command(world->setup.head,
                                                      hone__wire_json_packed(candidate), &line));
  expect_text(line.data ? line.data : "", pattern);
  hone__text_release(&line);
}

/* ---- Commands ---- */

static void test_mojo_executable(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  load(&world, sample);
  describe(&world);
  world.task.output_dir = "kbench-output";
  world.options.mode = "process";
  candidate = candidate_at(&world, 2);
  expect_build(&world, candidate,
               "mojo build -D dtype=DType.float16 -D shape=32x32x32 -D stages=4 %/sample.mojo -o "
               "kbench-output/out_2/sample_dtype-DType.float16_shape-32x32x32_stages-4");
  expect_run(&world, candidate,
             "kbench-output/out_2/sample_dtype-DType.float16_shape-32x32x32_stages-4 --x=0 -o "
             "kbench-output/out_2/output.csv");
  json_decref(candidate);
  unload(&world);
}

static void test_mojo_library(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  load(&world, sample);
  describe(&world);
  world.task.output_dir = "kbench-output";
  world.options = (struct hone_program_options){.build_opts = "--foo 'a b'",
                                                .debug_level = "full",
                                                .optimization = "2",
                                                .experimental_kernels = true,
                                                .target_accelerator = "nvidia:sm_90",
                                                .disable_warnings = true,
                                                .march = "native"};
  candidate = candidate_at(&world, 1);
  assert_string_equal(text_of(candidate, "mode"), "library");
  assert_non_null(
      strstr(text_of(candidate, "wrapper"), "from sample import main as _bench_main\n"));
  assert_non_null(strstr(text_of(candidate, "wrapper"), "def benchmark_entry() abi(\"C\")"));
  expect_build(
      &world, candidate,
      "mojo build --emit shared-lib -I % --foo 'a b' --debug-level full -O2 -D "
      "USE_EXPERIMENTAL_KERNELS=1 --target-accelerator nvidia:sm_90 --disable-warnings --march "
      "native -D KBENCH_USE_ENV_ARGS=True -D dtype=DType.float16 -D shape=1024x512x256 -D stages=4 "
      "kbench-output/out_1/sample_dtype-DType.float16_shape-1024x512x256_stages-4_wrapper.mojo -o "
      "kbench-output/out_1/sample_dtype-DType.float16_shape-1024x512x256_stages-4.so");
  expect_run(&world, candidate,
             "KBENCH_ARG_x=1 KBENCH_OUTFILE=kbench-output/out_1/output.csv benchmark_entry() of "
             "kbench-output/out_1/sample_dtype-DType.float16_shape-1024x512x256_stages-4.so");
  json_decref(candidate);
  unload(&world);
}

/* Each of these stands around a program, and a library has no place for it. */
static void test_mojo_mode(void **state)
{
  static const struct hone_program_options around[] = {
      {.exec_prefix = "nice"}, {.exec_suffix = "-v"}, {.profile = "ncu"}, {.mpirun_np = 2}};
  struct world world;
  json_t *candidate;

  (void)state;
  load(&world, sample);
  for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
    world.options = around[i];
    candidate = candidate_at(&world, 0);
    assert_string_equal(text_of(candidate, "mode"), "process");
    json_decref(candidate);
    world.options.mode = "library";
    expect_status(try_candidate(&world, 0, &candidate), "needs mode 'process'");
  }
  world.options = (struct hone_program_options){.mpirun_np = 1, .exec_prefix = ""};
  candidate = candidate_at(&world, 0);
  assert_string_equal(text_of(candidate, "mode"), "library");
  json_decref(candidate);
  world.options.mode = "thread";
  expect_status(try_candidate(&world, 0, &candidate), "unknown mode 'thread'");
  world.options = (struct hone_program_options){.profile = "nuc"};
  expect_status(try_candidate(&world, 0, &candidate), "unknown profiler 'nuc'");
  unload(&world);
}

static void test_surroundings(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  load(&world, "file: sample.py\nparams: {$x: 0, dtype: DType.float16, fast: true}\n");
  describe(&world);
  world.task.output_dir = "OUT";
  world.options = (struct hone_program_options){
      .exec_prefix = "env A=1", .mpirun_np = 4, .profile = "ncu-single", .exec_suffix = "-v -w"};
  candidate = candidate_at(&world, 0);
  expect_build(&world, candidate, "");
  expect_run(&world, candidate,
             "env A=1 mpirun -np 4 ncu -o OUT/out_0/sample_dtype-DType.float16_fast-True_profile "
             "python3 %/sample.py --dtype=DType.float16 --fast=True --x=0 -o OUT/out_0/output.csv "
             "-v -w --bench-max-iters=0 --bench-max-batch-size=1");
  json_decref(candidate);
  world.options = (struct hone_program_options){.profile = "rocm"};
  candidate = candidate_at(&world, 0);
  expect_run(&world, candidate,
             "rocprof-compute profile --name NAME -p "
             "OUT/out_0/sample_dtype-DType.float16_fast-True_profile -- python3 %/sample.py "
             "--dtype=DType.float16 --fast=True --x=0 -o OUT/out_0/output.csv");
  json_decref(candidate);
  unload(&world);
}

static void test_dollars(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  load(&world, "file: sample.py\nparams: {$M: 1024, $a$b: test, $$a: test}\n");
  describe(&world);
  candidate = candidate_at(&world, 0);
  expect_run(&world, candidate,
             "python3 %/sample.py --M=1024 '--a$b=test' '--$a=test' -o output.csv");
  json_decref(candidate);
  unload(&world);
}

static void test_compilers(void **state)
{
  static const struct {
    const char *file, *command;
  } cases[] = {
      {"p.c", "cc -O2 -w -DBM=4 -DFAST=1 %/p.c -o p_BM-4_FAST-True -lm"},
      {"p.cc", "c++ -O2 -w -DBM=4 -DFAST=1 %/p.cc -o p_BM-4_FAST-True"},
      {"p.cu", "nvcc -O2 -arch=sm_90 -w -DBM=4 -DFAST=1 %/p.cu -o p_BM-4_FAST-True"},
      {"p.f90", "gfortran -cpp -O2 -w -DBM=4 -DFAST=1 %/p.f90 -o p_BM-4_FAST-True"},
      {"p.F", "gfortran -cpp -O2 -w -DBM=4 -DFAST=1 %/p.F -o p_BM-4_FAST-True"},
  };
  struct world world;
  json_t *candidate;
  char yaml[200];

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_text(cases[i].file, "");
    snprintf(yaml, sizeof yaml, "file: %s\nparams: {BM: 4, FAST: yes}\n", cases[i].file);
    load(&world, yaml);
    describe(&world);
    world.options = (struct hone_program_options){
        .optimization = "2", .disable_warnings = true, .target_accelerator = "nvidia:90"};
    candidate = candidate_at(&world, 0);
    expect_build(&world, candidate, cases[i].command);
    expect_run(&world, candidate, "./p_BM-4_FAST-True -o output.csv");
    json_decref(candidate);
    unload(&world);
  }
}

static void test_flags(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  write_text("p.c", "int N = 2;\n");
  setenv("CC", "cc -m64", 1);
  load(&world, "file: p.c\nproblem: {M: 7, N: 3}\nparams: {BM: 4}\nderived: {TWICE: BM * 2}\n"
               "build: {flags: [-O1, '-fx={BM}', -lz], includes: [inc], defines: {DEBUG: yes}}\n"
               "run: {prefix: 'nice -n {BM}', suffix: [-q]}\n");
  describe(&world);
  world.options.debug_level = "line-tables";
  candidate = candidate_at(&world, 0);
  expect_build(&world, candidate,
               "cc -m64 -g1 -O1 -fx=4 -I%/inc -DBM=4 -DTWICE=8 -DM=7 -DDEBUG=1 %/p.c -o p_BM-4 "
               "-lz -lm");
  expect_run(&world, candidate, "nice -n 4 ./p_BM-4 -o output.csv -q");
  json_decref(candidate);
  world.options.debug_level = "much";
  expect_status(try_candidate(&world, 0, &candidate), "unknown debug level 'much'");
  unload(&world);
  unsetenv("CC");
}

/* ---- Templates ---- */

static void test_templates(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  write_text("p.rs", "");
  load(&world, "file: p.rs\nparams: {BM: 4, FAST: yes, $x: [1]}\n"
               "build: {command: 'rustc --cfg bm{BM} {defines} {source} -o {out}'}\n"
               "run: {command: 'time {bin} {args} --x {x} > {csv} ${HOME} ${csv}'}\n");
  describe(&world);
  candidate = candidate_at(&world, 0);
  expect_build(&world, candidate, "rustc --cfg bm4 -DBM=4 -DFAST=True %/p.rs -o p_BM-4_FAST-True");
  expect_run(&world, candidate,
             "time ./p_BM-4_FAST-True --x=1 --x 1 '>' output.csv '${HOME}' '${csv}'");
  json_decref(candidate);
  unload(&world);
}

static void test_interpreters(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  write_text("p.jl", "");
  load(&world, "file: p.jl\nparams: {$x: 1, BM: 4}\nrun: {command: 'julia {source} {args}'}\n");
  describe(&world);
  candidate = candidate_at(&world, 0);
  expect_build(&world, candidate, "");
  expect_run(&world, candidate, "julia %/p.jl --BM=4 --x=1");
  json_decref(candidate);
  unload(&world);
  load(&world, "file: sample.mojo\nparams: {$x: 1, BM: 4}\n"
               "run: {command: 'mojo {defines} {source} {args} -o {csv}'}\n");
  describe(&world);
  candidate = candidate_at(&world, 0);
  assert_null(json_object_get(candidate, "build"));
  expect_run(&world, candidate, "mojo -D BM=4 %/sample.mojo --x=1 -o output.csv");
  json_decref(candidate);
  unload(&world);
}

static void test_bad_templates(void **state)
{
  (void)state;
  expect_bad_candidate("file: p.rs\nparams: {BM: 4}\nbuild: {command: 'cc {sorce} -o {out}'}\n",
                       "t.yaml:3:18: error: unknown name {sorce}; did you mean {source}?");
  expect_bad_candidate("file: p.rs\nparams: {BM: 4}\nbuild: {command: 'cc {source}'}\n",
                       "needs {out}");
  expect_bad_candidate("file: p.rs\nparams: {BM: 4}\nrun: {command: 'x --{args}'}\n",
                       "must be a separate word");
  expect_bad_candidate("file: p.rs\nparams: {BM: 4}\nrun: {command: 'x {BN}'}\n",
                       "did you mean {BM}?");
  expect_bad_candidate(
      "file: p.rs\nparams: {BM: 4}\nrun: {command: '{executable} 3'}\n",
      "not a parameter, size or derived value; besides these there are {source}, ");
  expect_bad_candidate("file: p.rs\nparams: {BM: 4}\nrun: {command: 'x \"y'}\n", "quote");
}

static void test_bad_specs(void **state)
{
  (void)state;
  write_text("p.xyz", "");
  expect_bad_candidate("file: p.c\nparams: {a-b: 4}\n", "is not an identifier in c; write '$a-b'");
  expect_bad_candidate("file: p.xyz\nbackend: program\nparams: {A: 4}\n",
                       "known suffixes are .mojo .py .sh .c");
  expect_bad_candidate("file: sample.py\nparams: {A: 4}\nrun: {mode: library}\n",
                       "cannot be called as a library");
  expect_bad_candidate("file: no.py\nparams: {A: 4}\n", "t.yaml:1:7: error: no file 'no.py' in '");
  expect_bad_candidate("file: $NO_SUCH_VARIABLE/x.py\nparams: {A: 4}\n",
                       "variable 'NO_SUCH_VARIABLE' is not set");
  expect_bad_candidate("file: sample.py\nbackend: program\nentry: f\nparams: {A: 4}\n",
                       "'entry' is for functions");
}

/* ---- Choosing ---- */

static void test_choice(void **state)
{
  static const struct {
    const char *yaml, *backend;
  } cases[] = {
      {"file: p.c\nentry: f\n", "c"},
      {"file: p.c\nargs: []\n", "c"},
      {"file: p.c\n", "program"},
      {"file: p.cpp\n", "program"},
      {"file: p.c\nbackend: c\n", "c"},
      {"file: p.c\nentry: f\nbackend: program\n", "program"},
      {"file: p.py\n", "program"},
      {"file: p.cu\n", "program"},
      {"file: p.xyz\nrun: {command: 'x {source}'}\n", "program"},
      {"file: tool\n", "program"},
      {"file: p.xyz\n", NULL},
      {"file: p.cu\nentry: f\n", "cuda"},
      {"file: p.cl\nentry: f\n", "opencl"},
      {"file: p.py\nentry: f\n", "program"}, /* which refuses it */
      {"file: missing\n", NULL},
  };
  struct world world;
  char yaml[200];
  hone_status status;

  (void)state;
  write_script("tool", "#!/bin/sh\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    snprintf(yaml, sizeof yaml, "%sparams: {A: [1, 2]}\n", cases[i].yaml);
    load_spec(&world, yaml);
    status = hone__task_init(&world.task, world.spec, world.space);
    world.ready = !status;
    if (cases[i].backend) {
      assert_null(status);
      assert_string_equal(world.task.backend->name, cases[i].backend);
    } else {
      expect_status(status, "no backend for '");
    }
    unload(&world);
  }
}

static void test_executable(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  write_script("tool", "#!/bin/sh\n");
  load(&world, "file: tool\nparams: {A: [1, 2], $b: x y}\n");
  describe(&world);
  candidate = candidate_at(&world, 1);
  expect_run(&world, candidate, "%/tool --A=2 '--b=x y' -o output.csv");
  assert_int_equal(json_array_size(json_object_get(candidate, "knobs")), 0);
  json_decref(candidate);
  unload(&world);
}

static void test_places(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  setenv("HONE_TEST_ROOT", folder, 1);
  load(&world, "file: ${HONE_TEST_ROOT}/sample.py\nparams: {A: 1}\n");
  candidate = candidate_at(&world, 0);
  expect_text(text_of(candidate, "source"), "%/sample.py");
  json_decref(candidate);
  unload(&world);
}

/* ---- Names and keys ---- */

static void test_names(void **state)
{
  struct world world;
  json_t *first, *second;
  char yaml[600], letters[241];

  (void)state;
  memset(letters, 'x', 240);
  letters[240] = 0;
  snprintf(yaml, sizeof yaml, "file: sample.py\nparams: {A: [%s, %sy], b: ../z}\n", letters,
           letters);
  load(&world, yaml);
  first = candidate_at(&world, 0);
  second = candidate_at(&world, 1);
  assert_int_equal(strlen(text_of(first, "name")), 224);
  assert_memory_equal(text_of(first, "name"), text_of(second, "name"), 216);
  assert_string_not_equal(text_of(first, "name"), text_of(second, "name"));
  assert_int_equal(strspn(json_string_value(json_object_get(first, "name")) + 216, "0123456789"),
                   8);
  json_decref(first);
  json_decref(second);
  unload(&world);
  load(&world, "file: sample.py\nparams: {A: ../z}\n");
  first = candidate_at(&world, 0);
  assert_string_equal(text_of(first, "name"), "sample_A-.._z");
  json_decref(first);
  unload(&world);
}

static void test_equal_groups(void **state)
{
  struct world world;
  json_t *first, *second;

  (void)state;
  load(&world, "file: sample.py\nparams: [{A: 1}, {A: 1}]\n");
  world.task.output_dir = "o";
  first = candidate_at(&world, 0);
  second = candidate_at(&world, 1);
  assert_string_equal(text_of(first, "folder"), "o/out_0");
  assert_string_equal(text_of(second, "folder"), "o/out_1");
  assert_string_equal(text_of(first, "key"), text_of(second, "key"));
  json_decref(first);
  json_decref(second);
  unload(&world);
}

/* Takes the candidates. */
static void expect_keys(json_t *a, json_t *b, bool same_build, bool same_key)
{
  assert_int_equal(strcmp(text_of(a, "build_key"), text_of(b, "build_key")) == 0, same_build);
  assert_int_equal(strcmp(text_of(a, "key"), text_of(b, "key")) == 0, same_key);
  json_decref(a);
  json_decref(b);
}

static void test_keys(void **state)
{
  static const char *const files[] = {"sample.mojo", "sample.py", "p.c"};
  struct world world;
  char yaml[100];
  json_t *before;

  (void)state;
  for (size_t i = 0; i < 3; i++) {
    snprintf(yaml, sizeof yaml, "file: %s\nparams: {A: [1, 2], $x: [1, 2]}\n", files[i]);
    load(&world, yaml);
    expect_keys(candidate_at(&world, 0), candidate_at(&world, 0), true, true);
    expect_keys(candidate_at(&world, 0), candidate_at(&world, 1), true, false);
    expect_keys(candidate_at(&world, 0), candidate_at(&world, 2), false, false);
    before = candidate_at(&world, 0);
    world.options.exec_prefix = "nice";
    world.options.mode = "process";
    expect_keys(before, candidate_at(&world, 0), i > 0, false);
    unload(&world);
  }
}

static void test_imports(void **state)
{
  static const char *const parts[] = {"lib_a.py", "lib_b.py", "lib_c.py", "pack/deep.py"};
  struct world world;
  json_t *before;

  (void)state;
  write_text("main.py", "import os, lib_a as a\nfrom .lib_b import z\n  from pack.deep import q\n");
  write_text("lib_a.py", "import lib_c\n");
  write_text("lib_b.py", "");
  write_text("lib_c.py", "import lib_a, main\n");
  mkdir(path_of("pack"), 0755);
  write_text("pack/deep.py", "");
  load(&world, "file: main.py\nparams: {A: 1}\n");
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    before = candidate_at(&world, 0);
    write_text(parts[i], i == 0 ? "import lib_c # 2\n" : "# 2\n");
    expect_keys(before, candidate_at(&world, 0), false, false);
    before = candidate_at(&world, 0);
    write_text("other.py", i % 2 ? "1" : "2");
    expect_keys(before, candidate_at(&world, 0), true, true);
  }
  unload(&world);
}

/* Names that JSON does not take, in a circle. */
static void test_odd_imports(void **state)
{
  struct world world;

  (void)state;
  write_text("main.py", "import odd\xe9\n");
  write_text("odd\xe9.py", "import odd\xe9, main\n");
  load(&world, "file: main.py\nparams: {A: 1}\n");
  json_decref(candidate_at(&world, 0));
  unload(&world);
}

/* ---- The setup ---- */

static void test_setup(void **state)
{
  struct world world;
  json_t *check;

  (void)state;
  load(&world, "file: sample.py\nparams: {A: [1, 2]}\nrun: {unit: us}\nbuild: {timeout: 5m}\n"
               "check: {command: 'diff {csv} {A}.txt'}\n");
  world.options.target_accelerator = "amdgpu:mi300x";
  describe(&world);
  check = json_object_get(hone__packed_json(world.setup.head), "check");
  assert_true(json_is_true(json_object_get(check, "enabled")));
  assert_int_equal(json_array_size(json_object_get(check, "command")), 3);
  assert_true(json_number_value(json_object_get(hone__packed_json(world.setup.head), "unit_ns")) ==
              1e3);
  assert_true(json_number_value(json_object_get(
                  json_object_get(hone__packed_json(world.setup.head), "build"), "timeout_s")) ==
              300);
  assert_string_equal(text_of(hone__packed_json(world.setup.head), "device_variable"),
                      "ROCR_VISIBLE_DEVICES");
  expect_text(text_of(hone__packed_json(world.setup.head), "directory"), "%");
  unload(&world);
  load(&world, "file: sample.py\nparams: {A: [1, 2]}\ncheck: {command: 'diff {cvs}'}\n");
  expect_status(world.task.backend->driver.describe(&world.task, &world.setup),
                "did you mean {csv}?");
  unload(&world);
}

static void test_languages(void **state)
{
  (void)state;
  for (const char *const *suffix = hone__language_suffixes; *suffix; suffix++)
    assert_non_null(hone__language_of_suffix(*suffix));
  assert_null(hone__language_of_suffix(""));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mojo_executable),
      cmocka_unit_test(test_mojo_library),
      cmocka_unit_test(test_mojo_mode),
      cmocka_unit_test(test_surroundings),
      cmocka_unit_test(test_dollars),
      cmocka_unit_test(test_compilers),
      cmocka_unit_test(test_flags),
      cmocka_unit_test(test_templates),
      cmocka_unit_test(test_interpreters),
      cmocka_unit_test(test_bad_templates),
      cmocka_unit_test(test_bad_specs),
      cmocka_unit_test(test_choice),
      cmocka_unit_test(test_executable),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_equal_groups),
      cmocka_unit_test(test_keys),
      cmocka_unit_test(test_imports),
      cmocka_unit_test(test_odd_imports),
      cmocka_unit_test(test_setup),
      cmocka_unit_test(test_languages),
  };

  return cmocka_run_group_tests(tests, begin, end);
}
