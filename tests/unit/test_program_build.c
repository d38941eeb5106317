/* Programs: how they are chosen, built and started. A script stands in for mojo; C is built with
 * the compiler of this machine. */
#include "backend/backend.h"
#include "backend/program/program_plan.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/hone-program-XXXXXX";
static char home[4096]; /* of the tests */

/* Makes a file that says its BM; other definitions leave no trace. */
static const char fake_mojo[] =
    "#!/bin/sh\n"
    "echo \"$@\" >>\"$MOJO_LOG\"\n"
    "[ \"$1\" = --version ] && { echo Mojo 1.2.0; exit; }\n"
    "bm=none out=\n"
    "while [ $# -gt 0 ]; do\n"
    "  case $1 in\n"
    "  -o) out=$2; shift;;\n"
    "  BM=*) bm=$1;;\n"
    "  SILENT=1) exit 0;;\n"
    "  SLEEP=1) sleep 30;;\n"
    "  FAIL=1) cat >&2 <<'end'\n"
    "Failed to initialize Crashpad.  Crash reporting will not be available.\n"
    "gemm.mojo:20:5: error: function instantiation failed\n"
    "def main() raises:\n"
    "gemm.mojo:20:5: note: call expansion failed\n"
    "gemm.mojo:21:5: note: constraint failed: BM must divide N\n"
    "/opt/mojo: error: failed to run the pass manager\n"
    "end\n"
    "    exit 1;;\n"
    "  esac\n"
    "  shift\n"
    "done\n"
    "echo Failed to initialize Crashpad. Never mind. >&2\n"
    "echo \"$bm\" >\"$out\"\n";

/* ---- Files ---- */

static const char *path_of(const char *name)
{
  static char paths[8][300];
  static int next;
  char *path = paths[next++ % 8];

  snprintf(path, 300, "%s/%s", folder, name);
  return path;
}

static void write_text(const char *name, const char *text)
{
  FILE *file = fopen(path_of(name), "w");

  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void write_script(const char *name, const char *text)
{
  write_text(name, text);
  assert_int_equal(chmod(path_of(name), 0755), 0);
}

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

/* ---- A task ---- */

struct world {
  struct hone_spec *spec;
  struct hone_space *space;
  struct hone_task task;
  struct hone_program_options options;
  struct hone_message setup;
  bool ready;
};

static void load_spec(struct world *world, const char *yaml)
{
  struct hone_spec_options options;
  struct hone_space_options space_options;
  const char *files[] = {"t.yaml"};
  hone_status status;

  *world = (struct world){0};
  write_text("t.yaml", yaml);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  status = hone_spec_load(&options, &world->spec);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  hone_space_options_init(&space_options);
  assert_null(hone_space_build(world->spec, &space_options, &world->space));
}

static void load(struct world *world, const char *yaml)
{
  hone_status status;

  load_spec(world, yaml);
  status = hone__task_init(&world->task, world->spec, world->space);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  world->ready = true;
  world->task.program = &world->options;
}

static void describe(struct world *world)
{
  hone_status status = world->task.backend->describe(&world->task, &world->setup);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
}

static void unload(struct world *world)
{
  if (world->ready) hone__task_release(&world->task);
  json_decref(world->setup.head);
  hone__text_release(&world->setup.payload);
  hone_space_free(world->space);
  hone_spec_free(world->spec);
}

static hone_status try_candidate(struct world *world, uint64_t index, json_t **out_candidate)
{
  uint32_t row[32];

  assert_true(hone_space_at(world->space, index, row));
  return world->task.backend->candidate(&world->task, row, out_candidate);
}

static json_t *candidate_at(struct world *world, uint64_t index)
{
  json_t *candidate = NULL;
  hone_status status = try_candidate(world, index, &candidate);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  assert_non_null(candidate);
  return candidate;
}

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));

  return text ? text : "";
}

/* In `pattern` a % is the folder. */
static void expect_text(const char *text, const char *pattern)
{
  struct hone_text expected = {0};

  for (; *pattern; pattern++) {
    if (*pattern == '%')
      hone__text_add(&expected, folder);
    else
      hone__text_addn(&expected, pattern, 1);
  }
  assert_string_equal(text, expected.data ? expected.data : "");
  hone__text_release(&expected);
}

static void expect_build(struct world *world, const json_t *candidate, const char *pattern)
{
  struct hone_text line = {0};

  assert_null(world->task.backend->build_command(world->setup.head, candidate, &line));
  expect_text(line.data ? line.data : "", pattern);
  hone__text_release(&line);
}

static void expect_run(struct world *world, const json_t *candidate, const char *pattern)
{
  struct hone_text line = {0};

  assert_null(world->task.backend->run_command(world->setup.head, candidate, &line));
  expect_text(line.data ? line.data : "", pattern);
  hone__text_release(&line);
}

static void expect_status(hone_status status, const char *words)
{
  const char *message = status ? hone_status_message(status) : "no error";

  if (!strstr(message, words)) print_message("no '%s' in:\n%s\n", words, message);
  assert_non_null(strstr(message, words));
  hone_status_free(status);
}

static void expect_bad_candidate(const char *yaml, const char *words)
{
  struct world world;
  json_t *candidate = NULL;

  load(&world, yaml);
  expect_status(try_candidate(&world, 0, &candidate), words);
  assert_null(candidate);
  unload(&world);
}

/* ---- Commands ---- */

static const char sample[] = "name: sample\n"
                             "file: sample.mojo\n"
                             "params:\n"
                             "- {dtype: DType.float16, shape: [1024x512x256, 32x32x32], stages: 4, "
                             "$x: [0, 1]}\n"
                             "- {dtype: DType.float32, shape: 64x64x64, stages: 2}\n";

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
                       "must be a word of its own");
  expect_bad_candidate("file: p.rs\nparams: {BM: 4}\nrun: {command: 'x {BN}'}\n",
                       "did you mean {BM}?");
  expect_bad_candidate("file: p.rs\nparams: {BM: 4}\nrun: {command: 'x \"y'}\n", "quote");
}

static void test_bad_specs(void **state)
{
  (void)state;
  write_text("p.xyz", "");
  expect_bad_candidate("file: p.c\nparams: {a-b: 4}\n", "is no identifier of c; write '$a-b'");
  expect_bad_candidate("file: p.xyz\nbackend: program\nparams: {A: 4}\n",
                       "known suffixes are .mojo .py .sh .c");
  expect_bad_candidate("file: sample.py\nparams: {A: 4}\nrun: {mode: library}\n",
                       "cannot be called as a library");
  expect_bad_candidate("file: no.py\nparams: {A: 4}\n", "t.yaml:1:7: error: no file 'no.py' in '");
  expect_bad_candidate("file: $NO_SUCH_VARIABLE/x.py\nparams: {A: 4}\n",
                       "no variable 'NO_SUCH_VARIABLE'");
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
      {"file: p.cu\nentry: f\n", NULL},
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

/* ---- Building ---- */

struct built {
  struct hone_answer answer;
  const char *evidence;
};

/* Takes the candidate. */
static struct built build_with(struct world *world, json_t *candidate, bool cached_only,
                               double timeout_s)
{
  struct built built = {.answer.head = NULL};
  json_t *job = json_pack("{so sb sf}", "candidate", candidate, "cached_only", cached_only,
                          "timeout_s", timeout_s);

  world->task.backend->build(world->setup.head, job, &built.answer);
  json_decref(job);
  hone__text_addn(&built.answer.evidence, "", 0);
  built.evidence = built.answer.evidence.data ? built.answer.evidence.data : "";
  return built;
}

static void release(struct built *built)
{
  json_decref(built->answer.head);
  hone__text_release(&built->answer.evidence);
  hone__text_release(&built->answer.payload);
}

static void expect_built(struct world *world, uint64_t index, bool cached, const char *bytes)
{
  struct built built = build_with(world, candidate_at(world, index), false, 60);

  if (built.answer.outcome != HONE_OUTCOME_OK) print_message("%s\n", built.evidence);
  assert_int_equal(built.answer.outcome, HONE_OUTCOME_OK);
  assert_int_equal(json_is_true(json_object_get(built.answer.head, "cached")), cached);
  assert_true(built.answer.payload.length >= strlen(bytes));
  assert_memory_equal(built.answer.payload.data, bytes, strlen(bytes));
  assert_string_equal(text_of(built.answer.head, "warnings"), "");
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
  snprintf(output, sizeof output, "%s", text_of(built.answer.head, "output"));
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
  assert_string_equal(text_of(first.answer.head, "object"), text_of(second.answer.head, "object"));
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
                "'mojo' ended with exit status 0 and without a word, but made no file", 60);
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
  assert_true(json_is_true(json_object_get(built.answer.head, "cached")));
  assert_non_null(strstr(text_of(built.answer.head, "output"), "call expansion failed"));
  assert_null(json_object_get(built.answer.head, "failed"));
  release(&built);
  assert_int_equal(count_lines("mojo.log"), calls);

  job = json_pack("{so sb}", "candidate", candidate_at(&world, 0), "anew", true);
  built = (struct built){.answer.head = NULL};
  world.task.backend->build(world.setup.head, job, &built.answer);
  assert_int_equal(built.answer.outcome, HONE_OUTCOME_COMPILE_ERROR);
  assert_false(json_is_true(json_object_get(built.answer.head, "cached")));
  release(&built);
  json_decref(job);
  assert_int_equal(count_lines("mojo.log"), calls + 1);

  write_text("tiles.mojo", "4\n");
  expect_failed(&world, 0, HONE_OUTCOME_COMPILE_ERROR, "BM must divide N", 60);
  assert_int_equal(count_lines("mojo.log"), calls + 2);
  expect_failed(&world, 1, HONE_OUTCOME_COMPILE_ERROR, "made no file", 60);
  expect_failed(&world, 2, HONE_OUTCOME_COMPILE_TIMEOUT, "still running", 0.3);
  for (uint64_t i = 1; i < 3; i++) {
    built = build_with(&world, candidate_at(&world, i), true, 60);
    assert_string_equal(built.evidence, "not in the cache");
    assert_false(json_is_true(json_object_get(built.answer.head, "cached")));
    release(&built);
  }
  unload(&world);
}

static void expect_other_key(struct world *world, char key[HONE_DIGEST_SIZE])
{
  json_t *candidate = candidate_at(world, 0);

  assert_string_not_equal(text_of(candidate, "build_key"), key);
  snprintf(key, HONE_DIGEST_SIZE, "%s", text_of(candidate, "build_key"));
  json_decref(candidate);
}

/* What the task keeps from one candidate to the next follows the files and the options. */
static void test_plan_is_current(void **state)
{
  struct hone_program_options options = {.optimization = "1"};
  char key[HONE_DIGEST_SIZE] = "", before[HONE_DIGEST_SIZE];
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
  expect_bad_candidate(sample, "MODULAR_MOJO_MAX_DRIVER_PATH names no program");
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
  assert_int_equal(json_array_size(json_object_get(first.answer.head, "deps")), 1);
  assert_true(world.task.backend->deps_are_current(json_object_get(first.answer.head, "deps")));
  write_text("lib_a.py", "2\n");
  assert_false(world.task.backend->deps_are_current(json_object_get(first.answer.head, "deps")));
  second = build_with(&world, candidate_at(&world, 0), true, 60);
  assert_string_not_equal(text_of(first.answer.head, "object"),
                          text_of(second.answer.head, "object"));
  release(&first);
  release(&second);
  unload(&world);
}

static void test_bad_jobs(void **state)
{
  static const char *const candidates[] = {
      "{}", "{\"source\": \"x\"}", "{\"source\": \"/x\", \"language\": \"klingon\"}",
      "{\"source\": \"/etc/hostname\", \"language\": \"c\", \"build\": []}",
      "{\"source\": \"/etc/hostname\", \"language\": \"c\", \"build\": [1, 2]}"};
  struct world world;

  (void)state;
  load(&world, sample);
  describe(&world);
  for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
    struct built built = build_with(&world, json_loads(candidates[i], 0, NULL), false, 60);
    assert_int_not_equal(built.answer.outcome, HONE_OUTCOME_OK);
    assert_true(*built.evidence);
    release(&built);
  }
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
  check = json_object_get(world.setup.head, "check");
  assert_true(json_is_true(json_object_get(check, "enabled")));
  assert_int_equal(json_array_size(json_object_get(check, "command")), 3);
  assert_true(json_number_value(json_object_get(world.setup.head, "unit_ns")) == 1e3);
  assert_true(json_number_value(
                  json_object_get(json_object_get(world.setup.head, "build"), "timeout_s")) == 300);
  assert_string_equal(text_of(world.setup.head, "device_variable"), "ROCR_VISIBLE_DEVICES");
  expect_text(text_of(world.setup.head, "directory"), "%");
  unload(&world);
  load(&world, "file: sample.py\nparams: {A: [1, 2]}\ncheck: {command: 'diff {cvs}'}\n");
  expect_status(world.task.backend->describe(&world.task, &world.setup), "did you mean {csv}?");
  unload(&world);
}

static void test_languages(void **state)
{
  (void)state;
  for (const char *const *suffix = hone__language_suffixes; *suffix; suffix++)
    assert_non_null(hone__language_of_suffix(*suffix));
  assert_null(hone__language_of_suffix(""));
}

/* ---- Around the tests ---- */

static int remove_one(const char *path, const struct stat *info, int flag, struct FTW *walk)
{
  (void)info, (void)flag, (void)walk;
  return remove(path);
}

static int begin(void **state)
{
  char path[1024];

  (void)state;
  assert_non_null(getcwd(home, sizeof home));
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  mkdir(path_of("bin"), 0755);
  mkdir(path_of("inc"), 0755);
  write_script("bin/mojo", fake_mojo);
  write_text("sample.mojo", "def main(): pass\n");
  write_text("sample.py", "");
  snprintf(path, sizeof path, "%s/bin:%s", folder, getenv("PATH"));
  setenv("PATH", path, 1);
  setenv("MOJO_LOG", path_of("mojo.log"), 1);
  setenv("HONE_CACHE", path_of("cache"), 1);
  unsetenv("CC");
  unsetenv("CXX");
  unsetenv("FC");
  unsetenv("NVCC");
  unsetenv("MODULAR_MOJO_MAX_DRIVER_PATH");
  return 0;
}

static int end(void **state)
{
  (void)state;
  assert_int_equal(chdir(home), 0);
  return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
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
      cmocka_unit_test(test_build_mojo),
      cmocka_unit_test(test_objects_are_equal),
      cmocka_unit_test(test_build_failures),
      cmocka_unit_test(test_remembered_failures),
      cmocka_unit_test(test_plan_is_current),
      cmocka_unit_test(test_changed_source),
      cmocka_unit_test(test_driver_path),
      cmocka_unit_test(test_build_c),
      cmocka_unit_test(test_build_template),
      cmocka_unit_test(test_build_nothing),
      cmocka_unit_test(test_bad_jobs),
      cmocka_unit_test(test_setup),
      cmocka_unit_test(test_languages),
  };

  return cmocka_run_group_tests(tests, begin, end);
}
