/* A build is NVRTC in a fork, or one nvcc, in a separate folder, unless the cache has its answer.
 * The object is a cubin followed by the kernel's name (cuda_object.h).
 */
#include "backend/cuda/cuda_backend.h"

#include "build/build_includes.h"
#include "build/build_outcome.h"
#include "backend/cuda/cuda_costs.h"
#include "backend/cuda/cuda_entry.h"
#include "backend/cuda/cuda_flags.h"
#include "backend/cuda/cuda_nvrtc.h"
#include "backend/cuda/cuda_object.h"
#include "backend/kernel/kernel_build.h"
#include "wire/named.h"
#include "base/file.h"
#include "base/paths.h"

#include <stdlib.h>

enum { LONGEST_NAME = 1 << 20 };
static const char name_file[] = "name";

struct built {
  struct hone__kernel_build *build;
  struct hone__text log; /* includes the output of ptxas */
};

/* ---- Commands for people ---- */

/* Whether the words depend on the folder. */
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

hone_status hone__cuda_build_command(const struct hone__packed *setup,
                                     const struct hone__packed *candidate,
                                     struct hone__text *out_command)
{
  return hone__kernel_build_command(setup, candidate, print_command, out_command);
}

/* ---- What was built ---- */

/* The output of NVRTC; free(). */
static char *read_name(const struct hone__build_folder *workdir)
{
  char *path = hone__build_folder_path(workdir, name_file), *name = NULL;
  size_t size;

  hone_status_free(hone__file_read(path, LONGEST_NAME, &name, &size));
  free(path);
  return name;
}

static void miss_entry(const struct hone__kernel_build *build, const char *known,
                       struct hone__answer *answer)
{
  hone__build_fail(answer, HONE_OUTCOME_COMPILE_ERROR, "");
  hone__text_addf(&answer->evidence, "no kernel '%s' in '%s'; it has %s", build->entry,
                  build->source, known && *known ? known : "none");
}

static void note_costs(const struct built *built, const char *name,
                       const struct hone__answer *answer)
{
  struct hone__arena arena = {0};
  struct hone__named_list costs = {.arena = &arena};

  hone__cuda_costs(answer->payload.data, answer->payload.length, name, built->log.data, &costs);
  hone__build_draft_costs(&built->build->draft, costs.items, costs.count);
  hone__arena_release(&arena);
}

static void finish(void *data, const struct hone__build_folder *workdir,
                   struct hone__answer *answer)
{
  const struct built *built = data;
  const struct hone__kernel_build *build = built->build;
  const struct hone__text *cubin = &answer->payload;
  struct hone__text known = {0};
  char *name = hone__cuda_uses_nvrtc(build->candidate)
                   ? read_name(workdir)
                   : hone__cuda_entry_find(cubin->data, cubin->length, build->entry, &known);

  if (!name) {
    miss_entry(build, known.data, answer);
  } else {
    note_costs(built, name, answer);
    hone__cuda_object_finish(&answer->payload, name);
  }
  hone__text_release(&known);
  free(name);
}

/* A missing file may be added later: such an error is not kept. */
static bool is_missing_file(const struct hone__text *log)
{
  return log->data && strstr(log->data, "could not open source file");
}

static void end_build(struct hone__kernel_build *build, const char *program,
                      struct hone__child_result *result)
{
  struct built built = {.build = build};

  if (result->output.data) hone__text_addn(&built.log, result->output.data, result->output.length);
  hone__cuda_log_strip(&result->output);
  if (is_missing_file(&built.log)) build->is_cached = false;
  hone__kernel_build_end(build, program, result, finish, &built);
  hone__text_release(&built.log);
}

/* ---- Compiling ---- */

/* Not the candidate's fault: another host may work. */
static bool is_broken(const struct hone__child_result *result, struct hone__answer *answer)
{
  if (result->end != HONE__CHILD_EXITED || result->code != HONE__NVRTC_IS_BROKEN) return false;
  hone__build_fail(answer, HONE_OUTCOME_NOT_BUILT, "NVRTC does not work here: ");
  if (result->output.length)
    hone__text_addn(&answer->evidence, result->output.data, strcspn(result->output.data, "\n"));
  else
    hone__text_add(&answer->evidence, "libnvrtc-builtins in the same folder cannot be loaded");
  return true;
}

static void compile_with_nvrtc(struct hone__kernel_build *build)
{
  char *name = hone__build_folder_path(&build->workdir, name_file), *headers = NULL;
  struct hone__words options = {0};
  struct hone__child_result result = {0};
  struct hone__nvrtc_job job = {.options = &options,
                                .source = build->source,
                                .shown_as = hone__kernel_short_name(build->source, build->folder),
                                .entry = build->entry,
                                .object = build->workdir.object,
                                .name = name,
                                .folder = build->workdir.folder,
                                .directory = build->folder,
                                .timeout_s = build->order.timeout_s};
  hone_status status = hone__nvrtc_library(&job.nvrtc);

  if (status) {
    hone__build_fail(build->answer, HONE_OUTCOME_NOT_BUILT, hone_status_message(status));
    hone_status_free(status);
    goto done;
  }
  headers = hone__cuda_headers(job.nvrtc->path);
  hone__cuda_nvrtc_options(build->candidate, headers, &options);
  hone__nvrtc_run(&job, &result);
  if (!is_broken(&result, build->answer)) end_build(build, "NVRTC", &result);
done:
  hone__child_result_release(&result);
  hone__words_release(&options);
  free(headers);
  free(name);
}

static bool write_wrapper(const struct hone__kernel_build *build, const char *path)
{
  struct hone__text text = {0};
  hone_status status;

  hone__cuda_entry_source(build->source, build->entry, &text);
  status = hone__path_write(path, text.data, text.length);
  hone__text_release(&text);
  hone_status_free(status);
  if (status)
    hone__build_fail(build->answer, HONE_OUTCOME_DISK_FULL, "cannot write to the build folder");
  return !status;
}

static void compile_with_nvcc(struct hone__kernel_build *build)
{
  char *wrapper = hone__build_folder_path(&build->workdir, "kernel.cu");
  struct hone__words words = {0};
  struct hone__child_result result = {0};

  hone__cuda_nvcc_words(build->candidate, wrapper, build->workdir.object, false, &words);
  if (write_wrapper(build, wrapper) &&
      hone__build_folder_run(&build->workdir, (const char *const *)words.data, build->folder,
                             build->order.timeout_s, NULL, &result, build->answer))
    end_build(build, words.data[0], &result);
  hone__child_result_release(&result);
  hone__words_release(&words);
  free(wrapper);
}

static void compile(struct hone__kernel_build *build)
{
  (hone__cuda_uses_nvrtc(build->candidate) ? compile_with_nvrtc : compile_with_nvcc)(build);
}

/* ---- The build ---- */

static void identify(const struct hone__kernel_build *build, struct hone__digester *digester)
{
  hone__cuda_identify(build->candidate, &build->text, build->folder, true, digester);
}

static void look(struct hone__kernel_build *build)
{
  const struct hone__include_paths paths = {.source = build->source,
                                            .flags = build->candidate->flags,
                                            .includes = build->candidate->includes,
                                            .folder = build->folder};

  build->deps_are_all = build->is_cached = hone__build_includes(&paths, &build->deps);
  hone__build_deps_add_named(&build->deps, build->candidate->flags, 0, build->source, build->folder,
                             hone__dependency_digest);
}

/* It depends on the launch and the device, which the cache does not cover. */
static void add_occupancy(struct hone__kernel_build *build)
{
  struct hone__arena arena = {0};
  struct hone__named_list costs = {.arena = &arena};
  const struct hone__build_reply *reply = &build->draft.reply;

  hone__named_add(&costs, reply->costs, reply->costs_count);
  if (reply->costs) hone__cuda_occupancy(build->order.setup.target, build->candidate, &costs);
  hone__build_draft_costs(&build->draft, costs.items, costs.count);
  hone__arena_release(&arena);
}

void hone__cuda_build(const struct hone__packed *setup, const struct hone__packed *job,
                      struct hone__answer *answer)
{
  static const struct hone__kernel_compiler compiler = {.object = "kernel.cubin",
                                                        .needs_entry = true,
                                                        .print = print_command,
                                                        .identify = identify,
                                                        .look = look,
                                                        .compile = compile,
                                                        .finish = add_occupancy};

  hone__kernel_build(&compiler, setup, job, answer);
}
