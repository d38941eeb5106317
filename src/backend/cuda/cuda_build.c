/* A build is NVRTC in a fork, or one nvcc, in a folder of its own, unless the cache has its
 * answer. The object is a cubin with the kernel's name behind it (cuda_object.h). */
#include "backend/cuda/cuda_backend.h"

#include "build/build_cache.h"
#include "build/build_includes.h"
#include "build/build_outcome.h"
#include "build/build_folder.h"
#include "backend/cuda/cuda_costs.h"
#include "backend/cuda/cuda_entry.h"
#include "backend/cuda/cuda_flags.h"
#include "backend/cuda/cuda_nvrtc.h"
#include "backend/cuda/cuda_object.h"
#include "backend/kernel/kernel_build.h"
#include "wire/message_text.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>

enum { LONGEST_NAME = 1 << 20 };

struct build {
  const json_t *candidate;
  const char *source, *entry; /* source: absolute */
  char *folder;               /* where the compiler runs */
  double timeout_s;
  json_t *deps;
  bool deps_are_all;
  char key[HONE__DIGEST_SIZE];
  struct hone__build_folder workdir;
  char *name_file;       /* in the build's folder: NVRTC's answer */
  struct hone__text log; /* with what ptxas said */
  struct hone__answer *answer;
};

/* ---- Commands for people ---- */

/* Whether the words mean the same elsewhere. */
static bool needs_folder(const json_t *candidate)
{
  const json_t *flags = json_object_get(candidate, "flags");

  for (size_t i = 0; i < json_array_size(flags); i++) {
    const char *flag = hone__message_word(flags, i);
    if (hone__starts_with(flag, "-I") && flag[2] != '/') return true;
  }
  return false;
}

hone_status hone__cuda_build_command(const json_t *setup, const json_t *candidate,
                                     struct hone__text *out_command)
{
  const char *source = hone__message_text(candidate, "source");
  json_t *words;

  if (!*source) return hone__error(HONE_INVALID_ARGUMENT, "a candidate without a source");
  words = hone__cuda_nvcc_words(candidate, source, "kernel.cubin", true);
  hone__kernel_print_command(setup, words, needs_folder(candidate), out_command);
  json_decref(words);
  return NULL;
}

/* ---- What was built ---- */

/* free(). */
static char *read_name(const struct build *build)
{
  char *name = NULL;
  size_t size;

  hone_status_free(hone__file_read(build->name_file, LONGEST_NAME, &name, &size));
  return name;
}

static void miss_entry(const struct build *build, const char *known, struct hone__answer *answer)
{
  hone__build_fail(answer, HONE__OUTCOME_COMPILE_ERROR, "");
  hone__text_addf(&answer->evidence, "'%s' names no kernel of '%s'; it has %s", build->entry,
                  build->source, known && *known ? known : "none");
}

static void finish(void *data, const struct hone__build_folder *workdir,
                   struct hone__answer *answer)
{
  const struct build *build = data;
  const struct hone__text *cubin = &answer->payload;
  struct hone__text known = {0};
  char *name = hone__cuda_uses_nvrtc(build->candidate)
                   ? read_name(build)
                   : hone__cuda_entry_find(cubin->data, cubin->length, build->entry, &known);

  (void)workdir;
  if (!name) {
    miss_entry(build, known.data, answer);
  } else {
    json_object_set_new(answer->head, "costs",
                        hone__cuda_costs(cubin->data, cubin->length, name, build->log.data));
    hone__cuda_object_finish(&answer->payload, name);
  }
  hone__text_release(&known);
  free(name);
}

/* A file that is missing may come: such an error is not kept. */
static bool is_missing_file(const struct hone__text *log)
{
  return log->data && strstr(log->data, "could not open source file");
}

static void end_build(struct build *build, const char *program, struct hone__child_result *result)
{
  struct hone__build_end end = {
      .key = build->deps_are_all ? build->key : NULL,
      .deps = build->deps,
      .deps_are_all = build->deps_are_all,
      .program = program,
      .result = result,
      .macros = {json_object_get(build->candidate, "defines"), build->source, build->folder},
      .inspect = finish,
      .data = build};

  if (result->output.data) hone__text_addn(&build->log, result->output.data, result->output.length);
  hone__cuda_log_strip(&result->output);
  if (is_missing_file(&build->log)) end.key = NULL;
  hone__build_cache_end(&end, &build->workdir, build->answer);
}

/* ---- Compiling ---- */

/* Not the candidate's fault: another host may have what it takes. */
static bool is_broken(const struct hone__child_result *result, struct hone__answer *answer)
{
  if (result->end != HONE__CHILD_EXITED || result->code != HONE__NVRTC_IS_BROKEN) return false;
  hone__build_fail(answer, HONE__OUTCOME_NOT_BUILT, "NVRTC cannot work here: ");
  if (result->output.length)
    hone__text_addn(&answer->evidence, result->output.data, strcspn(result->output.data, "\n"));
  else
    hone__text_add(&answer->evidence, "libnvrtc-builtins, which lies beside it, does not load");
  return true;
}

static void compile_with_nvrtc(struct build *build)
{
  struct hone__words options = {0};
  struct hone__child_result result = {0};
  struct hone__nvrtc_job job = {.options = &options,
                                .source = build->source,
                                .shown_as = hone__kernel_short_name(build->source, build->folder),
                                .entry = build->entry,
                                .object = build->workdir.object,
                                .name = build->name_file,
                                .folder = build->workdir.folder,
                                .directory = build->folder,
                                .timeout_s = build->timeout_s};
  hone_status status = hone__nvrtc_library(&job.nvrtc);
  char *headers;

  if (status) {
    hone__build_fail(build->answer, HONE__OUTCOME_NOT_BUILT, hone_status_message(status));
    hone_status_free(status);
    return;
  }
  headers = hone__cuda_headers(job.nvrtc->path);
  hone__cuda_nvrtc_options(build->candidate, headers, &options);
  hone__nvrtc_run(&job, &result);
  if (!is_broken(&result, build->answer)) end_build(build, "NVRTC", &result);
  hone__child_result_release(&result);
  hone__words_release(&options);
  free(headers);
}

static bool write_wrapper(const struct build *build, const char *path)
{
  struct hone__text text = {0};
  FILE *file = fopen(path, "we");
  bool works;

  hone__cuda_entry_source(build->source, build->entry, &text);
  works = file && fwrite(text.data, 1, text.length, file) == text.length;
  if (file) works = fclose(file) == 0 && works;
  hone__text_release(&text);
  if (!works)
    hone__build_fail(build->answer, HONE__OUTCOME_DISK_FULL,
                     "cannot write into the folder of the build");
  return works;
}

static void compile_with_nvcc(struct build *build)
{
  char *wrapper = hone__build_folder_path(&build->workdir, "kernel.cu");
  json_t *words = hone__cuda_nvcc_words(build->candidate, wrapper, build->workdir.object, false);
  struct hone__child_result result = {0};

  if (write_wrapper(build, wrapper) &&
      hone__build_folder_run(&build->workdir, words, build->folder, build->timeout_s, NULL, &result,
                             build->answer))
    end_build(build, hone__message_word(words, 0), &result);
  hone__child_result_release(&result);
  json_decref(words);
  free(wrapper);
}

static void compile(struct build *build)
{
  build->name_file = hone__build_folder_path(&build->workdir, "name");
  (hone__cuda_uses_nvrtc(build->candidate) ? compile_with_nvrtc : compile_with_nvcc)(build);
  free(build->name_file);
  hone__text_release(&build->log);
}

/* ---- The build ---- */

static bool look_at_source(struct build *build)
{
  struct hone__source_text text = {0};
  bool is_same = hone__kernel_source_read(build->candidate, build->answer, &text);
  struct hone__digester *digester;

  if (is_same) {
    digester = hone__digest_begin();
    hone__cuda_identify(build->candidate, &text, build->folder, true, digester);
    hone__digest_end(digester, build->key);
  }
  hone__source_text_release(&text);
  if (!is_same) return false;
  build->deps_are_all = hone__build_includes(build->candidate, build->folder, build->deps);
  hone__build_deps_add_named(build->deps, json_object_get(build->candidate, "flags"), 0,
                             build->source, build->folder, hone__dependency_digest);
  return true;
}

/* It depends on the launch and the device, which the cache does not know. */
static void add_occupancy(const json_t *setup, const json_t *candidate, struct hone__answer *answer)
{
  json_t *costs = json_object_get(answer->head, "costs");

  if (answer->outcome == HONE__OUTCOME_OK && costs)
    hone__cuda_occupancy(json_object_get(setup, "target"), candidate, costs);
}

void hone__cuda_build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  struct build build = {
      .candidate = json_object_get(job, "candidate"), .deps = json_array(), .answer = answer};

  if (!answer->head) answer->head = json_object();
  build.source = hone__message_text(build.candidate, "source");
  build.entry = hone__message_text(build.candidate, "entry");
  build.timeout_s = hone__build_timeout_s(setup, job);
  build.folder = hone__build_directory(hone__message_text(setup, "folder"), build.source);
  if (!*build.source || !*build.entry) {
    hone__build_fail(answer, HONE__OUTCOME_PROTOCOL, "a build without a source or an entry");
  } else {
    hone__kernel_add_command(setup, build.candidate, hone__cuda_build_command, answer);
    if (look_at_source(&build) &&
        !hone__build_cache_answer(build.deps_are_all ? build.key : NULL, hone__dependency_digest,
                                  job, answer) &&
        hone__build_folder_enter(&build.workdir, "kernel.cubin", answer))
      compile(&build);
    add_occupancy(setup, build.candidate, answer);
  }
  hone__build_folder_leave(&build.workdir);
  free(build.folder);
  json_decref(build.deps);
}
