/* A build is one compiler process in a folder of its own, unless the cache has its answer. */
#include "backend/program/program_backend.h"

#include "build/build_cache.h"
#include "build/build_outcome.h"
#include "build/build_folder.h"
#include "backend/program/program_origin.h"
#include "backend/program/program_plan.h"
#include "backend/program/serve_build.h"
#include "base/paths.h"
#include "wire/build_job.h"

#include <stdio.h>
#include <stdlib.h>

struct build {
  struct hone__program_origin origin;
  const struct hone__program_candidate *candidate;
  double timeout_s;
  char key[HONE__DIGEST_SIZE];
  struct hone__build_folder workdir;
  char *wrapper;                  /* in the build's folder */
  struct hone__build_draft draft; /* of the reply */
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
  const char *wrapper = build->candidate->wrapper;
  bool is_library = build->candidate->mode == HONE__PROGRAM_LIBRARY;
  hone_status status = NULL;

  if (!hone__build_folder_enter(&build->workdir, is_library ? "program.so" : "program",
                                build->answer))
    return false;
  build->wrapper = hone__build_folder_path(&build->workdir, "hone_wrapper.mojo");
  if (wrapper) status = write_text(build->wrapper, wrapper);
  if (status) hone__build_fail_with(build->answer, status);
  return !status;
}

/* ---- Building ---- */

static void final_words(const struct build *build, struct hone__words *words)
{
  const struct hone__build_folder *workdir = &build->workdir;
  const struct hone__name_value places[] = {{"out", workdir->object},
                                            {"bin", workdir->object},
                                            {"wrapper", build->wrapper},
                                            {"dir", workdir->folder},
                                            {"depfile", workdir->deps}};
  struct hone__pairs values = {0};

  hone__pairs_add_all(&values, places, sizeof places / sizeof *places);
  hone__command_fill((const char *const *)build->candidate->build, &values, words);
  if (!build->candidate->template)
    hone__language_add(words, build->origin.language->worker_words, workdir->folder);
  hone__pairs_release(&values);
}

/* Removes a message that Mojo prints each time its crash reporter is not installed. */
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

/* pip's `mojo` starts the program that the variable names: itself, endlessly, if it is named there.
 */
static const char *driver_variable(const char *program)
{
  const char *path = getenv("MODULAR_MOJO_MAX_DRIVER_PATH");

  return path && program && strcmp(path, program) == 0 ? "MODULAR_MOJO_MAX_DRIVER_PATH" : NULL;
}

static void compile(struct build *build)
{
  const struct hone__program_candidate *candidate = build->candidate;
  struct hone__words words = {0};
  struct hone__pairs deps = {0}, siblings = {0};
  struct hone__child_result result = {0};
  struct hone__build_end end = {
      .key = build->key, .deps = &deps, .result = &result, .draft = &build->draft};

  final_words(build, &words);
  end.program = words.data[0];
  end.macros = (struct hone__macro_build){.defines = candidate->definitions,
                                          .define_count = candidate->definitions_count,
                                          .source = candidate->source,
                                          .folder = build->origin.directory};
  if (candidate->template) hone__build_deps_add_siblings(&siblings, candidate->source);
  if (hone__build_folder_run(&build->workdir, hone__words_list(&words), build->origin.directory,
                             build->timeout_s, 0, driver_variable(end.program), &result,
                             build->answer)) {
    clean(&result.output);
    hone__program_origin_deps(&build->origin, build->workdir.deps, &deps, &end.deps_are_all);
    hone__pairs_add_all(&deps, siblings.data, siblings.count);
    hone__build_cache_end(&end, &build->workdir, build->answer);
  }
  hone__pairs_release(&deps);
  hone__pairs_release(&siblings);
  hone__child_result_release(&result);
  hone__words_release(&words);
}

/* ---- The job ---- */

/* The run identifies the candidate by its source. */
static bool is_same_source(struct build *build)
{
  const char *source = build->candidate->source, *known = build->candidate->source_digest;
  char digest[HONE__DIGEST_SIZE];

  if (!hone__program_digest(source, digest)) {
    hone__build_fail(build->answer, HONE_OUTCOME_COMPILE_ERROR, "cannot read the source: ");
    hone__text_add(&build->answer->evidence, source);
    return false;
  }
  if (strcmp(known, digest) == 0) return true;
  hone__build_source_changed(build->answer, source);
  return false;
}

/* Nothing to build: the object is empty, its name that of the program with all it imports. */
static void answer_without_object(struct build *build)
{
  struct hone__digester *digester = hone__digest_begin();
  struct hone__pairs imports = {0};
  char digest[HONE__DIGEST_SIZE];

  hone__program_imports(build->origin.language, build->candidate->source, NULL, &imports);
  hone__digest_add_text(digester, build->candidate->source_digest);
  hone__digest_add_text(digester, build->candidate->source);
  for (size_t i = 0; i < imports.count; i++) {
    hone__digest_add_text(digester, imports.data[i].name);
    hone__digest_add_text(digester, imports.data[i].value);
  }
  hone__digest_end(digester, digest);
  build->answer->outcome = HONE_OUTCOME_OK;
  build->draft.reply.object = hone__arena_strdup(&build->draft.arena, digest);
  hone__build_draft_deps(&build->draft, imports.data, imports.count);
  hone__pairs_release(&imports);
}

/* If the user keeps the folder, the source of the library is put there. */
static void show_wrapper(const struct build *build, const struct hone__program_setup *setup)
{
  const struct hone__program_candidate *candidate = build->candidate;
  struct hone__text path = {0};
  hone_status status;

  if (!candidate->folder || !candidate->wrapper) return;
  if (*candidate->folder != '/') hone__text_addf(&path, "%s/", setup->directory);
  hone__text_addf(&path, "%s/%s_wrapper.mojo", candidate->folder, candidate->name);
  status = hone__path_make_folders(path.data);
  if (!status) status = write_text(path.data, candidate->wrapper);
  hone_status_free(status);
  hone__text_release(&path);
}

/* A command of the spec runs in the spec's folder, a compiler where Hone was started. */
static void build_object(struct build *build, const struct hone__program_setup *setup,
                         const struct hone__wire_build_job *job)
{
  const char *wanted = build->candidate->template ? setup->folder : setup->directory;
  struct hone__text command = {0};

  build->origin.directory = hone__build_directory(wanted, build->candidate->source);
  hone__program_build_command(setup, build->candidate, &command);
  hone__build_draft_command(&build->draft, command.data);
  hone__program_origin_key(&build->origin, build->key);
  show_wrapper(build, setup);
  if (!hone__build_cache_answer(build->key, hone__program_digest, job, &build->draft,
                                build->answer) &&
      enter_workdir(build))
    compile(build);
  hone__build_folder_leave(&build->workdir);
  free(build->wrapper);
  free(build->origin.directory);
  hone__text_release(&command);
}

static void build_candidate(const struct hone__program_setup *setup,
                            const struct hone__program_candidate *candidate,
                            const struct hone__wire_build_job *job, struct hone__answer *answer)
{
  struct build build = {.candidate = candidate, .answer = answer};

  build.timeout_s = hone__build_timeout_s(job->timeout_s, setup->build->timeout_s);
  build.origin = (struct hone__program_origin){
      .candidate = candidate, .language = hone__language_find(candidate->language)};
  if (*candidate->source != '/' || !build.origin.language ||
      (candidate->build && !candidate->build_count)) {
    hone__build_fail(answer, HONE_OUTCOME_PROTOCOL,
                     "a build without a source, a language or a command");
    return;
  }
  if (!is_same_source(&build)) return;
  hone__build_draft_begin(&build.draft);
  if (candidate->build)
    build_object(&build, setup, job);
  else if (!setup->serve || hone__serve_build(setup, candidate, &build.draft, answer))
    answer_without_object(&build);
  hone__build_draft_end(&build.draft, answer);
}

void hone__program_build(const struct hone__packed *setup_message,
                         const struct hone__packed *job_message, struct hone__answer *answer)
{
  struct hone__arena arena = {0};
  struct hone__program_setup setup;
  struct hone__program_candidate candidate;
  struct hone__wire_build_job job;
  hone_status status = hone__unpack(setup_message, &hone__program_setup_type, &arena, &setup);

  if (!status) status = hone__unpack(job_message, &hone__wire_build_job_type, &arena, &job);
  if (!status)
    status = hone__unpack(job.candidate, &hone__program_candidate_type, &arena, &candidate);
  if (status)
    hone__build_fail(answer, HONE_OUTCOME_PROTOCOL, hone_status_message(status));
  else
    build_candidate(&setup, &candidate, &job, answer);
  hone_status_free(status);
  hone__arena_release(&arena);
}
