/* The backend for CUDA: cubins, launched by a process that owns the device. */
#include "backend/cuda/cuda_backend.h"

#include "backend/gpu/gpu_candidate.h"
#include "backend/kernel/kernel_build.h"
#include "backend/simt/simt_backend.h"

static const struct hone__simt_compiler *const compiler = &hone__simt_compiler_cuda;

/* ---- Candidates ---- */

static hone_status complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                            const struct hone__build_source_text *source, struct hone__arena *arena,
                            struct hone__kernel_candidate *candidate)
{
  (void)source;
  return hone__simt_complete(compiler, origin, row, arena, candidate);
}

static void identify(const struct hone__kernel_candidate *candidate,
                     const struct hone__build_source_text *source, const char *folder,
                     struct hone__digester *digester)
{
  hone__simt_identify(compiler, candidate, source, folder, false, digester);
}

const struct hone__kernel_kind hone__kernel_kind_cuda = {.backend = "cuda",
                                                         .complete = complete,
                                                         .identify = identify,
                                                         .functions = HONE__FUNCTIONS_CUDA,
                                                         .launch = hone__gpu_stage_launch};

static hone_status describe(const struct hone__task *task, struct hone__message *out_setup)
{
  return hone__kernel_describe(task, &hone__kernel_kind_cuda, out_setup);
}

static hone_status make_candidate(const struct hone__task *task, const uint32_t *row,
                                  struct hone__packed **out_candidate)
{
  return hone__kernel_candidate(task, row, &hone__kernel_kind_cuda, out_candidate);
}

/* ---- Builds ---- */

static hone_status build_command(const struct hone__packed *setup,
                                 const struct hone__packed *candidate,
                                 struct hone__text *out_command)
{
  return hone__simt_build_command(compiler, setup, candidate, out_command);
}

static void build(const struct hone__packed *setup, const struct hone__packed *job,
                  struct hone__answer *answer)
{
  hone__simt_build(compiler, setup, job, answer);
}

/* ---- Devices ---- */

static hone_status list_devices(struct hone__wire_device_list *out_list)
{
  return hone__gpu_probe(&hone__gpu_cuda, out_list);
}

static hone_status open_device(const char *device, struct hone__packed *facts, void **out_device)
{
  return hone__gpu_open(&hone__gpu_cuda, device, facts, out_device);
}

static const char *const suffixes[] = {".cu", ".cuh", ".cubin", ".ptx", NULL};

const struct hone__backend hone__backend_cuda = {
    .name = "cuda",
    .suffixes = suffixes,
    HONE__SIMT_TIMES,
    .host = &hone__host_cuda,
    .driver =
        {
            .describe = describe,
            .candidate = make_candidate,
            .build_files = hone__kernel_build_files,
            .build_command = build_command,
            .devices = list_devices,
            HONE__SIMT_DRIVER_METHODS,
        },
    .worker =
        {
            .open = open_device,
            .build = build,
            HONE__SIMT_WORKER_METHODS,
        },
};
