/* A build is NVRTC in a fork, or one nvcc, in a workdir of its own, unless the cache has its
 * answer. The object is a cubin with the kernel's name behind it (cuda_object.h). */
#include "backend/cuda/cuda_backend.h"

#include "build/build_cache.h"
#include "build/build_outcome.h"
#include "build/build_folder.h"
#include "backend/cuda/cuda_costs.h"
#include "backend/cuda/cuda_entry.h"
#include "backend/cuda/cuda_flags.h"
#include "backend/cuda/cuda_nvrtc.h"
#include "backend/cuda/cuda_object.h"
#include "backend/kernel/kernel_build.h"
#include "backend/typed_build.h"
#include "backend/typed_words.h"
#include "wire/packed_json.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>

enum { LONGEST_NAME = 1 << 20 };

struct build {
  struct hone__kernel_order order;
  const struct hone__kernel_candidate *candidate; /* in the order */
  const struct hone__packed *job;
  char *folder; /* where the compiler runs */
  struct hone__pairs deps;
  bool deps_are_all;
  char key[HONE__DIGEST_SIZE];
  struct hone__build_folder workdir;
  char *name_file;       /* in the workdir: NVRTC's answer */
  struct hone__text log; /* with what ptxas said */
  struct hone__answer *answer;
};

/* ---- Commands for people ---- */

/* Whether the words mean the same elsewhere. */
static bool needs_folder(const struct hone__kernel_candidate *candidate)
{
  for (size_t i = 0; i < candidate->flags_count; i++) {
    const char *flag = candidate->flags[i];
    if (hone__starts_with(flag, "-I") && flag[2] != '/') return true;
  }
  return false;
}

static void print_command(const struct hone__kernel_order *order, struct hone__text *out_command)
{
  const struct hone__kernel_candidate *candidate = &order->candidate;
  struct hone__words words = {0};

  hone__cuda_nvcc_words(candidate, candidate->source, "kernel.cubin", true, &words);
  hone__kernel_print_command(&order->setup, (const char *const *)words.data,
                             needs_folder(candidate), out_command);
  hone__words_release(&words);
}

hone_status hone__cuda_build_command(const json_t *setup, const json_t *candidate,
                                     struct hone__text *out_command)
{
  return hone__kernel_build_command(setup, candidate, print_command, out_command);
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
  hone__text_addf(&answer->evidence, "'%s' names no kernel of '%s'; it has %s",
                  build->candidate->entry, build->candidate->source,
                  known && *known ? known : "none");
}

static void note_costs(const struct build *build, const char *name, struct hone__answer *answer)
{
  struct hone__arena arena = {0};
  struct hone__named_list costs = {.arena = &arena};

  hone__cuda_costs(answer->payload.data, answer->payload.length, name, build->log.data, &costs);
  hone__answer_note(answer,
                    &(struct hone__build_notes){.costs = costs.items, .costs_count = costs.count});
  hone__arena_release(&arena);
}

static void finish(void *data, const struct hone__build_folder *workdir,
                   struct hone__answer *answer)
{
  const struct build *build = data;
  const struct hone__text *cubin = &answer->payload;
  struct hone__text known = {0};
  char *name =
      hone__cuda_uses_nvrtc(build->candidate)
          ? read_name(build)
          : hone__cuda_entry_find(cubin->data, cubin->length, build->candidate->entry, &known);

  (void)workdir;
  if (!name) {
    miss_entry(build, known.data, answer);
  } else {
    note_costs(build, name, answer);
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
  struct hone__build_end end = {.key = build->deps_are_all ? build->key : NULL,
                                .deps_are_all = build->deps_are_all,
                                .program = program,
                                .result = result,
                                .macros = {NULL, build->candidate->source, build->folder},
                                .inspect = finish,
                                .data = build};

  if (result->output.data) hone__text_addn(&build->log, result->output.data, result->output.length);
  hone__cuda_log_strip(&result->output);
  if (is_missing_file(&build->log)) end.key = NULL;
  hone__pairs_cache_end(end, &build->deps, build->candidate->defines,
                        build->candidate->defines_count, &build->workdir, build->answer);
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
  struct hone__nvrtc_job job = {
      .options = &options,
      .source = build->candidate->source,
      .shown_as = hone__kernel_short_name(build->candidate->source, build->folder),
      .entry = build->candidate->entry,
      .object = build->workdir.object,
      .name = build->name_file,
      .folder = build->workdir.folder,
      .directory = build->folder,
      .timeout_s = build->order.timeout_s};
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

  hone__cuda_entry_source(build->candidate->source, build->candidate->entry, &text);
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
  struct hone__words words = {0};
  struct hone__child_result result = {0};

  hone__cuda_nvcc_words(build->candidate, wrapper, build->workdir.object, false, &words);
  if (write_wrapper(build, wrapper) &&
      hone__words_run(&build->workdir, (const char *const *)words.data, build->folder,
                      build->order.timeout_s, NULL, &result, build->answer))
    end_build(build, words.data[0], &result);
  hone__child_result_release(&result);
  hone__words_release(&words);
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
  build->deps_are_all =
      hone__pairs_add_includes(&build->deps, build->candidate->source, build->candidate->flags,
                               build->candidate->includes, build->folder);
  hone__pairs_add_named_files(&build->deps, build->candidate->flags, 0, build->candidate->source,
                              build->folder, hone__dependency_digest);
  return true;
}

/* It depends on the launch and the device, which the cache does not know. */
static void add_occupancy(const struct hone__kernel_order *order, struct hone__answer *answer)
{
  struct hone__arena arena = {0};
  struct hone__named_list costs = {.arena = &arena};
  struct hone__build_reply reply = {0};

  if (answer->outcome != HONE__OUTCOME_OK) return;
  hone_status_free(
      hone__unpack(hone__json_packed(answer->head), &hone__build_reply_type, &arena, &reply));
  hone__named_add(&costs, reply.costs, reply.costs_count);
  if (reply.costs) hone__cuda_occupancy(order->setup.target, &order->candidate, &costs);
  hone__answer_note(answer,
                    &(struct hone__build_notes){.costs = costs.items, .costs_count = costs.count});
  hone__arena_release(&arena);
}

static void do_build(struct build *build)
{
  const struct hone__kernel_setup *setup = &build->order.setup;

  build->folder =
      hone__build_directory(setup->folder ? setup->folder : "", build->candidate->source);
  hone__kernel_add_command(&build->order, print_command, build->answer);
  if (look_at_source(build) &&
      !hone__build_cache_answer(build->deps_are_all ? build->key : NULL, hone__dependency_digest,
                                hone__packed_json(build->job), build->answer) &&
      hone__build_folder_enter(&build->workdir, "kernel.cubin", build->answer))
    compile(build);
  add_occupancy(&build->order, build->answer);
  hone__build_folder_leave(&build->workdir);
}

void hone__cuda_build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  struct build build = {.job = hone__json_packed(job), .answer = answer};
  bool is_read = hone__kernel_order_read(hone__json_packed(setup), build.job, answer, &build.order);

  build.candidate = &build.order.candidate;
  if (is_read && (!build.candidate->entry || !*build.candidate->entry))
    hone__build_fail(answer, HONE__OUTCOME_PROTOCOL, "a build without an entry");
  else if (is_read)
    do_build(&build);
  free(build.folder);
  hone__pairs_release(&build.deps);
  hone__kernel_order_release(&build.order);
}
