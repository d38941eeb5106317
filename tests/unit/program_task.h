/* program_task.h - a task of the program backend, in a folder where a script stands in for mojo. */
#ifndef HONE_TESTS_PROGRAM_TASK_H
#define HONE_TESTS_PROGRAM_TASK_H

#include "wire/packed_json.h"
#include "backend/backend.h"
#include "folder.h"

#include <unistd.h>

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

static const char sample[] = "name: sample\n"
                             "file: sample.mojo\n"
                             "params:\n"
                             "- {dtype: DType.float16, shape: [1024x512x256, 32x32x32], stages: 4, "
                             "$x: [0, 1]}\n"
                             "- {dtype: DType.float32, shape: 64x64x64, stages: 2}\n";

/* ---- A task ---- */

struct world {
  struct hone_spec *spec;
  struct hone_space *space;
  struct hone__task task;
  struct hone_program_options options;
  struct hone__message setup;
  bool ready;
};

static inline void load_spec(struct world *world, const char *yaml)
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

static inline void load(struct world *world, const char *yaml)
{
  hone_status status;

  load_spec(world, yaml);
  status = hone__task_init(&world->task, world->spec, world->space);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  world->ready = true;
  world->task.program = &world->options;
}

static inline void describe(struct world *world)
{
  hone_status status = world->task.backend->driver.describe(&world->task, &world->setup);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
}

static inline void unload(struct world *world)
{
  if (world->ready) hone__task_release(&world->task);
  hone__packed_drop(world->setup.head);
  hone__text_release(&world->setup.payload);
  hone_space_free(world->space);
  hone_spec_free(world->spec);
}

static inline hone_status try_candidate(struct world *world, uint64_t index, json_t **out_candidate)
{
  struct hone__packed *packed = NULL;
  uint32_t row[32];
  hone_status status;

  assert_true(hone_space_at(world->space, index, row));
  status = world->task.backend->driver.candidate(&world->task, row, &packed);
  *out_candidate = hone__packed_json(packed);
  return status;
}

static inline json_t *candidate_at(struct world *world, uint64_t index)
{
  json_t *candidate = NULL;
  hone_status status = try_candidate(world, index, &candidate);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  assert_non_null(candidate);
  return candidate;
}

static inline const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));

  return text ? text : "";
}

/* In `pattern` a % is the folder. */
static inline void expect_text(const char *text, const char *pattern)
{
  struct hone__text expected = {0};

  for (; *pattern; pattern++) {
    if (*pattern == '%')
      hone__text_add(&expected, folder);
    else
      hone__text_addn(&expected, pattern, 1);
  }
  assert_string_equal(text, expected.data ? expected.data : "");
  hone__text_release(&expected);
}

static inline void expect_status(hone_status status, const char *words)
{
  const char *message = status ? hone_status_message(status) : "no error";

  if (!strstr(message, words)) print_message("no '%s' in:\n%s\n", words, message);
  assert_non_null(strstr(message, words));
  hone_status_free(status);
}

static inline void expect_bad_candidate(const char *yaml, const char *words)
{
  struct world world;
  json_t *candidate = NULL;

  load(&world, yaml);
  expect_status(try_candidate(&world, 0, &candidate), words);
  assert_null(candidate);
  unload(&world);
}

/* ---- Around the tests ---- */

static inline int begin(void **state)
{
  char path[1024];

  assert_non_null(getcwd(home, sizeof home));
  assert_int_equal(make_folder(state), 0);
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

static inline int end(void **state)
{
  assert_int_equal(chdir(home), 0);
  return remove_folder(state);
}

#endif
