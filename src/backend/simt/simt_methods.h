/* simt_methods.h - the methods of a backend that know its compiler, its kind or its library.
 *
 * It is included once by the file of each backend, which has defined
 *   HONE__SIMT_COMPILER   a struct hone__simt_compiler
 *   HONE__SIMT_KIND       a struct hone__kernel_kind, declared in the backend's header
 *   HONE__SIMT_GPU        a struct hone__gpu_library
 * and fills its vtable with HONE__SIMT_TIMES and HONE__SIMT_METHODS.
 */
#include "backend/gpu/gpu_candidate.h"
#include "backend/kernel/kernel_build.h"
#include "backend/simt/simt_backend.h"

/* ---- Candidates ---- */

static hone_status complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                            const struct hone__build_source_text *source, struct hone__arena *arena,
                            struct hone__kernel_candidate *candidate)
{
  (void)source;
  return hone__simt_complete(&HONE__SIMT_COMPILER, origin, row, arena, candidate);
}

static void identify(const struct hone__kernel_candidate *candidate,
                     const struct hone__build_source_text *source, const char *folder,
                     struct hone__digester *digester)
{
  hone__simt_identify(&HONE__SIMT_COMPILER, candidate, source, folder, false, digester);
}

static hone_status describe(const struct hone__task *task, struct hone__message *out_setup)
{
  return hone__kernel_describe(task, &HONE__SIMT_KIND, out_setup);
}

static hone_status make_candidate(const struct hone__task *task, const uint32_t *row,
                                  struct hone__packed **out_candidate)
{
  return hone__kernel_candidate(task, row, &HONE__SIMT_KIND, out_candidate);
}

/* ---- Builds ---- */

static hone_status build_command(const struct hone__packed *setup,
                                 const struct hone__packed *candidate,
                                 struct hone__text *out_command)
{
  return hone__simt_build_command(&HONE__SIMT_COMPILER, setup, candidate, out_command);
}

static void build(const struct hone__packed *setup, const struct hone__packed *job,
                  struct hone__answer *answer)
{
  hone__simt_build(&HONE__SIMT_COMPILER, setup, job, answer);
}

/* ---- Devices ---- */

static hone_status list_devices(struct hone__wire_device_list *out_list)
{
  return hone__gpu_probe(&HONE__SIMT_GPU, out_list);
}

static hone_status open_device(const char *device, struct hone__packed *facts, void **out_device)
{
  return hone__gpu_open(&HONE__SIMT_GPU, device, facts, out_device);
}

#define HONE__SIMT_METHODS                                                                         \
  .driver = {.describe = describe,                                                                 \
             .candidate = make_candidate,                                                          \
             .build_files = hone__kernel_build_files,                                              \
             .build_command = build_command,                                                       \
             .devices = list_devices,                                                              \
             .deps_are_current = hone__c_deps_are_current,                                         \
             .explain_call = hone__signature_explain,                                              \
             .is_beside_cpu = hone__simt_is_beside_cpu},                                           \
  .worker = {.open = open_device,                                                                  \
             .build = build,                                                                       \
             .prepare = hone__gpu_prepare,                                                         \
             .run = hone__bench_run,                                                               \
             .release = hone__gpu_release,                                                         \
             .close = hone__gpu_close}
