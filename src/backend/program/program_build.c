/* A build is one process with a folder of its own for what it makes, which is gone afterwards. The
 * names in it are always the same: equal code gives equal bytes. The cache works as that of C does:
 * a manifest, named by all that goes into the command, tells the object and the files that it was
 * made from. */
#include "backend/program/program_backend.h"

#include "backend/build_outcome.h"
#include "backend/command.h"
#include "backend/program/program_origin.h"
#include "backend/program/program_plan.h"
#include "base/file.h"
#include "base/folder.h"
#include "store/cache.h"
#include "store/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MOST_OBJECT_BYTES = 1 << 29,
  DEFAULT_TIMEOUT_S = 60,
  LONGEST_WARNINGS = 16384,
  LONGEST_OUTPUT = 65536
};
static const size_t least_memory_bytes = (size_t)2 << 30;

struct build {
  struct hone_program_origin origin;
  const json_t *candidate;
  double timeout_s;
  char key[HONE_DIGEST_SIZE];
  char *room, *object, *deps, *wrapper; /* of the compiler: a folder and files in it */
  struct hone_answer *answer;
};

static void fail(struct build *build, enum hone_outcome outcome, const char *evidence)
{
  build->answer->outcome = outcome;
  hone__text_add(&build->answer->evidence, evidence);
}

static void fail_with(struct build *build, enum hone_outcome outcome, hone_status status)
{
  fail(build, outcome, hone_status_message(status));
  hone_status_free(status);
}

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));

  return text ? text : "";
}

static char *join(const char *folder, const char *name)
{
  struct hone_text text = {0};

  hone__text_addf(&text, "%s/%s", folder, name);
  return hone__text_take(&text);
}

/* ---- The cache ---- */

/* Those of the system change with its packages only: they are for the cache, not for records. */
static json_t *own_deps(const json_t *deps)
{
  json_t *own = json_array();

  for (size_t i = 0; i < json_array_size(deps); i++) {
    json_t *pair = json_array_get(deps, i);
    if (!hone__starts_with(json_string_value(json_array_get(pair, 0)), "/usr/"))
      json_array_append(own, pair);
  }
  return own;
}

static void answer_with(struct build *build, json_t *manifest, bool cached)
{
  json_t *head = build->answer->head;

  build->answer->outcome = HONE_OUTCOME_OK;
  json_object_update(head, manifest);
  json_object_set_new(head, "deps", own_deps(json_object_get(manifest, "deps")));
  json_object_set_new(head, "cached", json_boolean(cached));
}

static json_t *find_manifest(const struct build *build)
{
  char *bytes = NULL;
  size_t size = 0;
  json_t *manifest = NULL;
  hone_status status = hone__cache_get("builds", build->key, &bytes, &size);

  if (!status) manifest = json_loadb(bytes, size, 0, NULL);
  hone_status_free(status);
  free(bytes);
  if (json_object_get(manifest, "object") &&
      hone__program_deps_are_current(json_object_get(manifest, "deps")))
    return manifest;
  json_decref(manifest);
  return NULL;
}

static bool take_from_cache(struct build *build)
{
  json_t *manifest = find_manifest(build);
  char *bytes = NULL;
  size_t size = 0;
  hone_status status;

  if (!manifest) return false;
  status = hone__cache_get("objects", text_of(manifest, "object"), &bytes, &size);
  if (!status) {
    hone__text_addn(&build->answer->payload, bytes, size);
    answer_with(build, manifest, true);
  }
  free(bytes);
  json_decref(manifest);
  hone_status_free(status);
  return build->answer->payload.length > 0;
}

/* Failing to keep something costs a build later on, no more. */
static void put_into_cache(const struct build *build, const json_t *manifest)
{
  const struct hone_text *object = &build->answer->payload;
  char *bytes = json_dumps(manifest, JSON_COMPACT);

  hone_status_free(
      hone__cache_put("objects", text_of(manifest, "object"), object->data, object->length));
  hone_status_free(hone__cache_put("builds", build->key, bytes, strlen(bytes)));
  free(bytes);
}

/* ---- A room for the compiler ---- */

static hone_status write_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "we");
  bool ok = file && fputs(text, file) >= 0;

  if (file) ok = fclose(file) == 0 && ok;
  return ok ? NULL : hone__path_error("write", path);
}

static bool enter_room(struct build *build)
{
  const char *wrapper = text_of(build->candidate, "wrapper");
  bool is_library = strcmp(text_of(build->candidate, "mode"), "library") == 0;
  hone_status status = hone__folder_make(NULL, &build->room);

  if (!status) {
    build->object = join(build->room, is_library ? "program.so" : "program");
    build->wrapper = join(build->room, "hone_wrapper.mojo");
    if (build->origin.language->in_room && !build->origin.is_template)
      build->deps = join(build->room, "program.d");
    if (*wrapper) status = write_text(build->wrapper, wrapper);
  }
  if (!status) return true;
  fail_with(build,
            hone_status_code(status) == HONE_EXHAUSTED ? HONE_OUTCOME_DISK_FULL
                                                       : HONE_OUTCOME_WORKER_LOST,
            status);
  return false;
}

static void leave_room(struct build *build)
{
  hone__folder_remove(build->room);
  free(build->room);
  free(build->object);
  free(build->deps);
  free(build->wrapper);
}

/* ---- Building ---- */

static json_t *final_words(const struct build *build)
{
  json_t *values = json_pack("{ss ss ss ss}", "out", build->object, "bin", build->object, "wrapper",
                             build->wrapper, "dir", build->room);
  json_t *words = hone__program_fill(build->origin.words, values);

  if (!build->origin.is_template)
    hone__language_add(words, build->origin.language->in_room, build->room);
  json_decref(values);
  return words;
}

/* Without what Mojo says each time where its crash reporter is not installed. */
static void clean(struct hone_text *output)
{
  static const char noise[] = "Failed to initialize Crashpad.";
  char *line = output->data ? strstr(output->data, noise) : NULL;
  size_t length;

  if (!line || (line > output->data && line[-1] != '\n')) return;
  length = strcspn(line, "\n");
  length += line[length] == '\n';
  memmove(line, line + length, strlen(line + length) + 1);
  output->length = strlen(output->data);
}

static json_t *text_json(const struct hone_text *output, size_t longest)
{
  size_t length = output->length < longest ? output->length : longest;

  return hone__frame_text(output->data ? output->data : "", length);
}

static void no_object(struct build *build, const struct hone_child_result *result,
                      hone_status status)
{
  const char *program = json_string_value(json_array_get(build->origin.words, 0));

  if (status && access(build->object, F_OK) == 0) {
    fail_with(build, HONE_OUTCOME_COMPILE_ERROR, status);
    return;
  }
  hone_status_free(status);
  build->answer->outcome = HONE_OUTCOME_COMPILE_ERROR;
  hone__text_addf(&build->answer->evidence, "'%s' ended with exit status 0%s, but made no file",
                  program ? program : "", result->output.length ? "" : " and without a word");
}

static void take_object(struct build *build, const struct hone_child_result *result)
{
  struct hone_text *payload = &build->answer->payload;
  char *bytes = NULL, digest[HONE_DIGEST_SIZE];
  size_t size = 0;
  json_t *manifest;
  hone_status status = hone__file_read(build->object, MOST_OBJECT_BYTES, &bytes, &size);

  if (status || !size) {
    free(bytes);
    no_object(build, result, status);
    return;
  }
  hone__text_addn(payload, bytes, size);
  free(bytes);
  hone__digest(payload->data, payload->length, digest);
  manifest = json_pack("{ss so sf so sO}", "object", digest, "deps",
                       hone__program_origin_deps(&build->origin, build->deps), "compile_s",
                       result->seconds, "warnings", text_json(&result->output, LONGEST_WARNINGS),
                       "command", json_object_get(build->answer->head, "command"));
  put_into_cache(build, manifest);
  answer_with(build, manifest, false);
  json_decref(manifest);
}

/* Enough for any compiler, too little to take the machine down. */
static size_t memory_bytes(void)
{
  size_t half = (size_t)sysconf(_SC_PHYS_PAGES) / 2 * (size_t)sysconf(_SC_PAGESIZE);

  return half > least_memory_bytes ? half : least_memory_bytes;
}

/* pip's `mojo` starts what the variable names: itself, for ever, if it is named there. */
static const char *driver_variable(const char *program)
{
  const char *path = getenv("MODULAR_MOJO_MAX_DRIVER_PATH");

  return path && program && strcmp(path, program) == 0 ? "MODULAR_MOJO_MAX_DRIVER_PATH" : NULL;
}

static void run_compiler(struct build *build, const char *const *argv,
                         struct hone_child_result *result)
{
  struct hone_text temporary = {0}; /* what it leaves when it is killed is removed with the room */
  const char *variables[] = {"LC_ALL=C", NULL, driver_variable(argv[0]), NULL};
  struct hone_child_options options = {.argv = argv,
                                       .directory = build->origin.directory,
                                       .timeout_s = build->timeout_s,
                                       .grace_s = 0.5,
                                       .memory_bytes = memory_bytes(),
                                       .file_bytes = MOST_OBJECT_BYTES,
                                       .variables = variables};

  hone__text_addf(&temporary, "TMPDIR=%s", build->room);
  variables[1] = temporary.data;
  hone__child_run(&options, result);
  clean(&result->output);
  hone__text_release(&temporary);
}

static void compile(struct build *build)
{
  json_t *words = final_words(build), *head = build->answer->head;
  const char **argv = hone__command_argv(words);
  struct hone_child_result result = {0};

  if (argv[0] && *argv[0]) {
    run_compiler(build, argv, &result);
    hone__build_judge(&result, argv[0], build->answer);
    if (result.end == HONE_CHILD_EXITED && result.code == 0) take_object(build, &result);
    json_object_set_new(head, "compile_s", json_real(result.seconds));
    if (result.output.length)
      json_object_set_new(head, "build_output", text_json(&result.output, LONGEST_OUTPUT));
  } else {
    fail(build, HONE_OUTCOME_COMPILE_ERROR, "the command to build with is empty");
  }
  hone__child_result_release(&result);
  free((void *)argv);
  json_decref(words);
}

/* ---- The job ---- */

/* The run knows the candidate by its source: another text must not go by the same name. */
static bool is_same_source(struct build *build)
{
  const char *known = text_of(build->candidate, "source_digest");
  char digest[HONE_DIGEST_SIZE];

  if (!hone__program_digest(build->origin.source, digest)) {
    fail(build, HONE_OUTCOME_COMPILE_ERROR, "cannot read the source: ");
    hone__text_add(&build->answer->evidence, build->origin.source);
    return false;
  }
  if (!*known || strcmp(known, digest) == 0) return true;
  fail(build, HONE_OUTCOME_WORKER_LOST, "the source was changed, or differs on this host: ");
  hone__text_add(&build->answer->evidence, build->origin.source);
  return false;
}

/* Nothing to build: the object is empty, its name that of the program with all it imports. */
static void answer_without_object(struct build *build)
{
  struct hone_digester *digester = hone__digest_begin();
  json_t *deps = hone__program_imports(build->origin.language, build->origin.source, NULL);
  char *text = json_dumps(deps, JSON_COMPACT), digest[HONE_DIGEST_SIZE];
  json_t *head = build->answer->head;

  hone__digest_add_text(digester, text_of(build->candidate, "source_digest"));
  hone__digest_add_text(digester, build->origin.source);
  hone__digest_add_text(digester, text);
  hone__digest_end(digester, digest);
  free(text);
  build->answer->outcome = HONE_OUTCOME_OK;
  json_object_set_new(head, "object", json_string(digest));
  json_object_set_new(head, "deps", deps);
  json_object_set_new(head, "compile_s", json_real(0));
  json_object_set_new(head, "cached", json_false());
}

static bool is_folder(const char *path)
{
  struct stat info;

  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* A command of the spec runs in the spec's folder, a compiler where Hone was started; on a host
 * that does not have it, beside the source. */
static char *directory_of(const struct build *build, const json_t *setup)
{
  const char *wanted = text_of(setup, build->origin.is_template ? "folder" : "directory");
  char *parent;

  if (is_folder(wanted)) return hone__strdup(wanted);
  parent = hone__strdup(build->origin.source);
  *strrchr(parent, '/') = 0;
  return parent;
}

static double timeout_s(const json_t *setup, const json_t *job)
{
  double own = json_number_value(json_object_get(job, "timeout_s"));

  if (own <= 0)
    own = json_number_value(json_object_get(json_object_get(setup, "build"), "timeout_s"));
  return own > 0 ? own : DEFAULT_TIMEOUT_S;
}

/* Where somebody looks into the folder, what the library was built from shall be there. */
static void show_wrapper(const struct build *build, const json_t *setup)
{
  const char *folder = text_of(build->candidate, "folder");
  const char *wrapper = text_of(build->candidate, "wrapper");
  struct hone_text path = {0};
  hone_status status;

  if (!*folder || !*wrapper) return;
  if (*folder != '/') hone__text_addf(&path, "%s/", text_of(setup, "directory"));
  hone__text_addf(&path, "%s/%s_wrapper.mojo", folder, text_of(build->candidate, "name"));
  status = hone__path_make_folders(path.data);
  if (!status) status = write_text(path.data, wrapper);
  hone_status_free(status);
  hone__text_release(&path);
}

static void build_object(struct build *build, const json_t *setup, const json_t *job)
{
  struct hone_text command = {0};

  build->timeout_s = timeout_s(setup, job);
  build->origin.directory = directory_of(build, setup);
  hone_status_free(hone__program_build_command(setup, build->candidate, &command));
  json_object_set_new(build->answer->head, "command",
                      hone__frame_text(command.data, command.length));
  hone__program_origin_key(&build->origin, build->key);
  show_wrapper(build, setup);
  if (!take_from_cache(build)) {
    if (json_is_true(json_object_get(job, "cached_only")))
      fail(build, HONE_OUTCOME_COMPILE_ERROR, "not in the cache");
    else if (enter_room(build))
      compile(build);
  }
  leave_room(build);
  free(build->origin.directory);
  hone__text_release(&command);
}

void hone__program_build(const json_t *setup, const json_t *job, struct hone_answer *answer)
{
  const json_t *candidate = json_object_get(job, "candidate");
  struct build build = {.candidate = candidate, .answer = answer};

  if (!answer->head) answer->head = json_object();
  build.origin = (struct hone_program_origin){
      .candidate = candidate,
      .words = json_object_get(candidate, "build"),
      .language = hone__language_find(text_of(candidate, "language")),
      .source = text_of(candidate, "source"),
      .is_template = json_is_true(json_object_get(candidate, "template"))};
  if (*build.origin.source != '/' || !build.origin.language ||
      (build.origin.words && !json_array_size(build.origin.words))) {
    fail(&build, HONE_OUTCOME_PROTOCOL, "a build without a source, a language or a command");
    return;
  }
  if (!is_same_source(&build)) return;
  if (build.origin.words)
    build_object(&build, setup, job);
  else
    answer_without_object(&build);
}
