/* A build is one driver's compiler at work in another process (opencl_compile.h), unless the cache
 * has its answer. The object is the program's binary. */
#include "backend/opencl/opencl_backend.h"

#include "build/build_cache.h"
#include "build/build_includes.h"
#include "build/build_outcome.h"
#include "build/build_folder.h"
#include "backend/c/compiler.h"
#include "backend/kernel/kernel_build.h"
#include "wire/message_text.h"
#include "backend/opencl/opencl_compile.h"
#include "backend/opencl/opencl_source.h"
#include "base/file.h"

#include <stdlib.h>

enum { MOST_SOURCE_BYTES = 16 << 20, MOST_COSTS_BYTES = 1 << 16 };

struct build {
  const json_t *candidate, *setup;
  const char *source; /* absolute */
  char *folder;       /* where the compiler runs */
  double timeout_s;
  json_t *deps;
  bool deps_are_all;
  char key[HONE__DIGEST_SIZE];
  struct hone__build_folder workdir;
  char *costs; /* a file in the build's folder */
  struct hone__answer *answer;
};

/* ---- What it is ---- */

hone_status hone__opencl_build_command(const json_t *setup, const json_t *candidate,
                                       struct hone__text *out_command)
{
  struct hone__text options = {0}, prologue = {0};

  (void)setup;
  hone__opencl_options(candidate, &options, &prologue);
  hone__text_addf(out_command, "clBuildProgram: %s %s", options.data,
                  hone__message_text(candidate, "source"));
  hone__text_release(&options);
  hone__text_release(&prologue);
  return NULL;
}

/* PoCL's objects have code for one size of work-groups. */
static void identify_target(const json_t *candidate, struct hone__digester *digester)
{
  const char *target = hone__message_text(candidate, "built_for");
  struct hone__text size = {0};

  if (strstr(target, "PoCL")) hone__opencl_specialise(candidate, &size);
  hone__digest_add_text(digester, target);
  hone__digest_add_text(digester, size.data);
  hone__digest_add_text(digester, hone__message_text(candidate, "entry"));
  hone__text_release(&size);
}

void hone__opencl_identify(const json_t *candidate, const struct hone__source_text *source,
                           const char *folder, struct hone__digester *digester)
{
  hone__digest_add_text(digester, "opencl 1"); /* and what the options add by themselves */
  hone__compiler_identify(candidate, source, folder, false, digester);
  identify_target(candidate, digester);
}

/* ---- Building ---- */

static void add_costs(void *data, const struct hone__build_folder *workdir,
                      struct hone__answer *answer)
{
  const struct build *build = data;
  char *text = NULL;
  size_t size = 0;
  json_t *costs = NULL;

  (void)workdir;
  hone_status_free(hone__file_read(build->costs, MOST_COSTS_BYTES, &text, &size));
  if (text) costs = json_loadb(text, size, 0, NULL);
  if (costs) json_object_set_new(answer->head, "costs", costs);
  free(text);
}

/* Not the candidate's fault: another host may have what it takes. */
static bool is_built_elsewhere(const struct hone__child_result *result, struct hone__answer *answer)
{
  struct hone__text line = {0};

  if (result->end != HONE__CHILD_EXITED || result->code != HONE__OPENCL_NO_DEVICE) return false;
  hone__last_line(&result->output, &line);
  hone__build_fail(answer, HONE__OUTCOME_NOT_BUILT, line.data ? line.data : "no device");
  hone__text_release(&line);
  return true;
}

static void compile_text(struct build *build, const char *text)
{
  struct hone__text options = {0}, prologue = {0}, specialised = {0};
  struct hone__child_result result = {0};
  struct hone__opencl_compilation job = {.target = json_object_get(build->setup, "target"),
                                         .device = hone__message_text(build->setup, "device"),
                                         .text = text,
                                         .entry = hone__message_text(build->candidate, "entry"),
                                         .folder = build->workdir.folder,
                                         .directory = build->folder,
                                         .object = build->workdir.object,
                                         .costs = build->costs,
                                         .timeout_s = build->timeout_s};
  struct hone__build_end end = {
      .key = build->deps_are_all ? build->key : NULL,
      .deps = build->deps,
      .deps_are_all = build->deps_are_all,
      .program = "clBuildProgram",
      .result = &result,
      .macros = {json_object_get(build->candidate, "defines"), build->source, build->folder},
      .inspect = add_costs,
      .data = build};

  hone__opencl_options(build->candidate, &options, &prologue);
  hone__opencl_specialise(build->candidate, &specialised);
  job.options = options.data;
  job.prologue = prologue.data;
  job.specialised = specialised.data ? specialised.data : "";
  hone__opencl_compile(&job, &result);
  if (!is_built_elsewhere(&result, build->answer))
    hone__build_cache_end(&end, &build->workdir, build->answer);
  hone__child_result_release(&result);
  hone__text_release(&options);
  hone__text_release(&prologue);
  hone__text_release(&specialised);
}

static void compile(struct build *build)
{
  char *text = NULL;
  size_t size;
  hone_status status = hone__file_read(build->source, MOST_SOURCE_BYTES, &text, &size);

  build->costs = hone__build_folder_path(&build->workdir, "costs.json");
  if (status)
    hone__build_fail(build->answer, HONE__OUTCOME_COMPILE_ERROR, hone_status_message(status));
  else
    compile_text(build, text);
  hone_status_free(status);
  free(build->costs);
  free(text);
}

static bool look_at_source(struct build *build)
{
  struct hone__source_text text = {0};
  bool is_same = hone__kernel_source_read(build->candidate, build->answer, &text);
  struct hone__digester *digester;

  if (is_same) {
    digester = hone__digest_begin();
    hone__opencl_identify(build->candidate, &text, build->folder, digester);
    hone__digest_end(digester, build->key);
  }
  hone__source_text_release(&text);
  if (!is_same) return false;
  build->deps_are_all = hone__build_includes(build->candidate, build->folder, build->deps);
  return true;
}

void hone__opencl_build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  struct build build = {.candidate = json_object_get(job, "candidate"),
                        .setup = setup,
                        .deps = json_array(),
                        .answer = answer};

  if (!answer->head) answer->head = json_object();
  build.source = hone__message_text(build.candidate, "source");
  build.timeout_s = hone__build_timeout_s(setup, job);
  build.folder = hone__build_directory(hone__message_text(setup, "folder"), build.source);
  if (!*build.source) {
    hone__build_fail(answer, HONE__OUTCOME_PROTOCOL, "a build without a source");
  } else {
    hone__kernel_add_command(setup, build.candidate, hone__opencl_build_command, answer);
    if (look_at_source(&build) &&
        !hone__build_cache_answer(build.deps_are_all ? build.key : NULL, hone__dependency_digest,
                                  job, answer) &&
        hone__build_folder_enter(&build.workdir, "kernel.clbin", answer))
      compile(&build);
  }
  hone__build_folder_leave(&build.workdir);
  free(build.folder);
  json_decref(build.deps);
}
