/* A build is one compiler process in a folder of its own, unless the cache has its answer. */
#include "backend/program/program_backend.h"

#include "build/build_cache.h"
#include "build/build_outcome.h"
#include "build/build_folder.h"
#include "wire/message_text.h"
#include "backend/program/program_origin.h"
#include "backend/program/program_plan.h"
#include "base/paths.h"

#include <stdio.h>
#include <stdlib.h>

struct build {
  struct hone__program_origin origin;
  const json_t *candidate;
  double timeout_s;
  char key[HONE__DIGEST_SIZE];
  struct hone__build_folder workdir;
  char *wrapper; /* in the build's folder */
  struct hone__answer *answer;
};

/* ---- A folder for the compiler ---- */

static hone_status write_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "we");
  bool ok = file && fputs(text, file) >= 0;

  if (file) ok = fclose(file) == 0 && ok;
  return ok ? NULL : hone__path_error("write", path);
}

static bool enter_workdir(struct build *build)
{
  const char *wrapper = hone__message_text(build->candidate, "wrapper");
  bool is_library = strcmp(hone__message_text(build->candidate, "mode"), "library") == 0;
  hone_status status = NULL;

  if (!hone__build_folder_enter(&build->workdir, is_library ? "program.so" : "program",
                                build->answer))
    return false;
  build->wrapper = hone__build_folder_path(&build->workdir, "hone_wrapper.mojo");
  if (*wrapper) status = write_text(build->wrapper, wrapper);
  if (status) hone__build_fail_with(build->answer, status);
  return !status;
}

/* ---- Building ---- */

static json_t *final_words(const struct build *build)
{
  const struct hone__build_folder *workdir = &build->workdir;
  json_t *values =
      json_pack("{ss ss ss ss ss}", "out", workdir->object, "bin", workdir->object, "wrapper",
                build->wrapper, "dir", workdir->folder, "depfile", workdir->deps);
  json_t *words = hone__command_fill(build->origin.words, values);

  if (!build->origin.is_template)
    hone__language_add(words, build->origin.language->in_room, workdir->folder);
  json_decref(values);
  return words;
}

/* Without what Mojo says each time where its crash reporter is not installed. */
static void clean(struct hone__text *output)
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

/* pip's `mojo` starts what the variable names: itself, for ever, if it is named there. */
static const char *driver_variable(const char *program)
{
  const char *path = getenv("MODULAR_MOJO_MAX_DRIVER_PATH");

  return path && program && strcmp(path, program) == 0 ? "MODULAR_MOJO_MAX_DRIVER_PATH" : NULL;
}

static void compile(struct build *build)
{
  json_t *words = final_words(build), *siblings = json_array();
  struct hone__child_result result = {0};
  struct hone__build_end end = {.key = build->key,
                                .program = hone__message_word(words, 0),
                                .result = &result,
                                .macros = {json_object_get(build->candidate, "definitions"),
                                           build->origin.source, build->origin.directory}};

  if (build->origin.is_template) hone__build_deps_add_siblings(siblings, build->origin.source);
  if (hone__build_folder_run(&build->workdir, words, build->origin.directory, build->timeout_s,
                             driver_variable(end.program), &result, build->answer)) {
    clean(&result.output);
    end.deps = hone__program_origin_deps(&build->origin, build->workdir.deps, &end.deps_are_all);
    json_array_extend(end.deps, siblings);
    hone__build_cache_end(&end, &build->workdir, build->answer);
  }
  json_decref(end.deps);
  json_decref(siblings);
  hone__child_result_release(&result);
  json_decref(words);
}

/* ---- The job ---- */

/* The run knows the candidate by its source. */
static bool is_same_source(struct build *build)
{
  const char *known = hone__message_text(build->candidate, "source_digest");
  char digest[HONE__DIGEST_SIZE];

  if (!hone__program_digest(build->origin.source, digest)) {
    hone__build_fail(build->answer, HONE__OUTCOME_COMPILE_ERROR, "cannot read the source: ");
    hone__text_add(&build->answer->evidence, build->origin.source);
    return false;
  }
  if (!*known || strcmp(known, digest) == 0) return true;
  hone__build_source_changed(build->answer, build->origin.source);
  return false;
}

/* Nothing to build: the object is empty, its name that of the program with all it imports. */
static void answer_without_object(struct build *build)
{
  struct hone__digester *digester = hone__digest_begin();
  json_t *deps = hone__program_imports(build->origin.language, build->origin.source, NULL);
  char *text = json_dumps(deps, JSON_COMPACT), digest[HONE__DIGEST_SIZE];
  json_t *head = build->answer->head;

  hone__digest_add_text(digester, hone__message_text(build->candidate, "source_digest"));
  hone__digest_add_text(digester, build->origin.source);
  hone__digest_add_text(digester, text);
  hone__digest_end(digester, digest);
  free(text);
  build->answer->outcome = HONE__OUTCOME_OK;
  json_object_set_new(head, "object", json_string(digest));
  json_object_set_new(head, "deps", deps);
  json_object_set_new(head, "cached", json_false());
}

/* Where somebody looks into the folder, what the library was built from shall be there. */
static void show_wrapper(const struct build *build, const json_t *setup)
{
  const char *folder = hone__message_text(build->candidate, "folder");
  const char *wrapper = hone__message_text(build->candidate, "wrapper");
  struct hone__text path = {0};
  hone_status status;

  if (!*folder || !*wrapper) return;
  if (*folder != '/') hone__text_addf(&path, "%s/", hone__message_text(setup, "directory"));
  hone__text_addf(&path, "%s/%s_wrapper.mojo", folder,
                  hone__message_text(build->candidate, "name"));
  status = hone__path_make_folders(path.data);
  if (!status) status = write_text(path.data, wrapper);
  hone_status_free(status);
  hone__text_release(&path);
}

/* A command of the spec runs in the spec's folder, a compiler where Hone was started. */
static void build_object(struct build *build, const json_t *setup, const json_t *job)
{
  const char *wanted =
      hone__message_text(setup, build->origin.is_template ? "folder" : "directory");
  struct hone__text command = {0};

  build->timeout_s = hone__build_timeout_s(setup, job);
  build->origin.directory = hone__build_directory(wanted, build->origin.source);
  hone_status_free(hone__program_build_command(setup, build->candidate, &command));
  json_object_set_new(build->answer->head, "command",
                      hone__json_string(command.data, command.length));
  hone__program_origin_key(&build->origin, build->key);
  show_wrapper(build, setup);
  if (!hone__build_cache_answer(build->key, hone__program_digest, job, build->answer) &&
      enter_workdir(build))
    compile(build);
  hone__build_folder_leave(&build->workdir);
  free(build->wrapper);
  free(build->origin.directory);
  hone__text_release(&command);
}

void hone__program_build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  const json_t *candidate = json_object_get(job, "candidate");
  struct build build = {.candidate = candidate, .answer = answer};

  if (!answer->head) answer->head = json_object();
  build.origin = (struct hone__program_origin){
      .candidate = candidate,
      .words = json_object_get(candidate, "build"),
      .language = hone__language_find(hone__message_text(candidate, "language")),
      .source = hone__message_text(candidate, "source"),
      .is_template = json_is_true(json_object_get(candidate, "template"))};
  if (*build.origin.source != '/' || !build.origin.language ||
      (build.origin.words && !json_array_size(build.origin.words))) {
    hone__build_fail(answer, HONE__OUTCOME_PROTOCOL,
                     "a build without a source, a language or a command");
    return;
  }
  if (!is_same_source(&build)) return;
  if (build.origin.words)
    build_object(&build, setup, job);
  else
    answer_without_object(&build);
}
