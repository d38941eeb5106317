/* A build is one driver's compiler at work in another process (opencl_compile.h), unless the cache
 * has its answer. The object is the program's binary. */
#include "backend/opencl/opencl_backend.h"

#include "build/build_includes.h"
#include "build/build_outcome.h"
#include "backend/c/compiler.h"
#include "backend/kernel/generator.h"
#include "backend/kernel/pipeline.h"
#include "wire/named.h"
#include "backend/opencl/opencl_compile.h"
#include "backend/opencl/opencl_source.h"
#include "base/file.h"

#include <stdlib.h>

enum { MOST_SOURCE_BYTES = 16 << 20, MOST_COSTS_BYTES = 1 << 16 };

static const char costs_file[] = "costs.json";

/* ---- What it is ---- */

static void print_command(const struct hone__kernel_order *order, struct hone__text *out_command)
{
  struct hone__text options = {0}, prologue = {0};

  if (hone__generator_print(order, "kernel.clbin", out_command)) return;
  hone__opencl_options(&order->candidate, NULL, &options, &prologue);
  hone__text_addf(out_command, "clBuildProgram: %s %s", options.data, order->candidate.source);
  hone__text_release(&options);
  hone__text_release(&prologue);
}

hone_status hone__opencl_build_command(const struct hone__packed *setup,
                                       const struct hone__packed *candidate,
                                       struct hone__text *out_command)
{
  return hone__kernel_build_command(setup, candidate, print_command, out_command);
}

/* PoCL's objects have code for one size of work-groups. */
static void identify_target(const struct hone__kernel_candidate *candidate,
                            struct hone__digester *digester)
{
  const char *target = candidate->built_for ? candidate->built_for : "";
  struct hone__text size = {0}, entries = {0};

  if (strstr(target, "PoCL")) hone__opencl_specialise(candidate, &size);
  hone__digest_add_text(digester, target);
  hone__digest_add_text(digester, size.data);
  hone__pipeline_entries(candidate, &entries);
  hone__digest_add_text(digester, entries.data ? entries.data : "");
  hone__text_release(&size);
  hone__text_release(&entries);
}

void hone__opencl_identify(const struct hone__kernel_candidate *candidate,
                           const struct hone__build_source_text *source, const char *folder,
                           struct hone__digester *digester)
{
  hone__digest_add_text(digester, "opencl 1"); /* and what the options add by themselves */
  hone__compiler_identify(candidate, source, folder, false, digester);
  identify_target(candidate, digester);
}

/* ---- Building ---- */

static void note_costs(const char *text, size_t size, struct hone__build_draft *draft)
{
  struct hone__packed *packed = hone__packed_parse(text, size);
  struct hone__arena arena = {0};
  struct hone__named_record costs = {0};

  if (packed) hone_status_free(hone__unpack(packed, &hone__named_type, &arena, &costs));
  hone__build_draft_costs(draft, costs.all, costs.all_count);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
}

static void add_costs(void *data, const struct hone__build_folder *workdir,
                      struct hone__answer *answer)
{
  char *path = hone__build_folder_path(workdir, costs_file), *text = NULL;
  struct hone__kernel_build *build = data;
  size_t size = 0;

  (void)answer;
  hone_status_free(hone__file_read(path, MOST_COSTS_BYTES, &text, &size));
  if (text) note_costs(text, size, &build->draft);
  free(text);
  free(path);
}

/* Not the candidate's fault: another host may have what is missing here. */
static bool is_built_elsewhere(const struct hone__child_result *result, struct hone__answer *answer)
{
  struct hone__text line = {0};

  if (result->end != HONE__CHILD_EXITED || result->code != HONE__OPENCL_NO_DEVICE) return false;
  hone__last_line(&result->output, &line);
  hone__build_fail(answer, HONE_OUTCOME_NOT_BUILT, line.data ? line.data : "no device");
  hone__text_release(&line);
  return true;
}

static void compile_text(struct hone__kernel_build *build, const char *text, size_t size)
{
  struct hone__text options = {0}, prologue = {0}, specialised = {0};
  struct hone__child_result result = {0};
  char *costs = hone__build_folder_path(&build->workdir, costs_file);
  const char *device = build->order.setup.device;
  struct hone__opencl_compilation job = {.target = build->order.setup.target,
                                         .device = device ? device : "",
                                         .text = text,
                                         .text_size = size,
                                         .entry = build->entry,
                                         .folder = build->workdir.folder,
                                         .directory = build->folder,
                                         .object = build->workdir.object,
                                         .costs = costs,
                                         .timeout_s = build->order.timeout_s};

  hone__opencl_options(build->candidate, build->workdir.folder, &options, &prologue);
  hone__opencl_specialise(build->candidate, &specialised);
  job.options = options.data;
  job.prologue = prologue.data;
  job.specialised = specialised.data ? specialised.data : "";
  hone__opencl_compile(&job, &result);
  if (!is_built_elsewhere(&result, build->answer))
    hone__kernel_build_end(build, "clBuildProgram", &result, add_costs, build);
  hone__child_result_release(&result);
  hone__text_release(&options);
  hone__text_release(&prologue);
  hone__text_release(&specialised);
  free(costs);
}

static void compile(struct hone__kernel_build *build)
{
  char *text = NULL;
  size_t size;
  hone_status status = hone__file_read(build->candidate->source, MOST_SOURCE_BYTES, &text, &size);

  if (status)
    hone__build_fail(build->answer, HONE_OUTCOME_COMPILE_ERROR, hone_status_message(status));
  else
    compile_text(build, text, size);
  hone_status_free(status);
  free(text);
}

static void identify(const struct hone__kernel_build *build, struct hone__digester *digester)
{
  hone__opencl_identify(build->candidate, &build->text, build->folder, digester);
}

static void look(struct hone__kernel_build *build)
{
  const struct hone__include_paths paths = {.source = build->source,
                                            .flags = build->candidate->flags,
                                            .includes = build->candidate->includes,
                                            .folder = build->folder};

  build->deps_are_all = build->is_cached = hone__build_includes(&paths, &build->deps);
}

/* A source, SPIR-V or a binary of the driver (NVIDIA's is PTX): all go through the driver. */
static const char *recognise(const struct hone__kernel_candidate *candidate, const char *bytes,
                             size_t size)
{
  (void)candidate;
  if (hone__opencl_is_spirv(bytes, size)) return HONE__OPENCL_SPIRV;
  return hone__opencl_is_binary(bytes, size) ? HONE__OPENCL_BINARY : ".cl";
}

void hone__opencl_build(const struct hone__packed *setup, const struct hone__packed *job,
                        struct hone__answer *answer)
{
  static const struct hone__kernel_compiler compiler = {.object = "kernel.clbin",
                                                        .print = print_command,
                                                        .identify = identify,
                                                        .look = look,
                                                        .compile = compile,
                                                        .recognise = recognise};

  hone__kernel_build(&compiler, setup, job, answer);
}
