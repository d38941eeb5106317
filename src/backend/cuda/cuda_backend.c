/* The backend for CUDA: cubins, launched by a process that owns the device. */
#include "backend/cuda/cuda_backend.h"
#include "backend/kernel/signature.h"

#include "backend/c/c_backend.h"
#include "backend/gpu/gpu_bench.h"
#include "backend/gpu/gpu_probe.h"
#include "backend/kernel/kernel_build.h"

static bool is_beside_cpu(const char *device)
{
  (void)device;
  return true;
}

static hone_status list_devices(struct hone__device_list *out_list)
{
  return hone__gpu_probe(&hone__gpu_cuda, out_list);
}

/* ---- A reference may be written in C ---- */

static hone_status build_command(const struct hone__packed *setup,
                                 const struct hone__packed *candidate,
                                 struct hone__text *out_command)
{
  return (hone__kernel_packed_is_c(candidate) ? hone__c_build_command : hone__cuda_build_command)(
      setup, candidate, out_command);
}

static void build(const struct hone__packed *setup, const struct hone__packed *job,
                  struct hone__answer *answer)
{
  (hone__kernel_job_is_c(job) ? hone__c_build : hone__cuda_build)(setup, job, answer);
}

/* ---- Worker ---- */

static hone_status open_device(const char *device, struct hone__packed *facts, void **out_device)
{
  return hone__gpu_open(&hone__gpu_cuda, device, facts, out_device);
}

static const char *const suffixes[] = {".cu", NULL};

const struct hone__backend hone__backend_cuda = {
    .name = "cuda",
    .suffixes = suffixes,
    .start_s = HONE__GPU_START_S,
    .host = &hone__host_cuda,
    .driver =
        {
            .describe = hone__cuda_describe_task,
            .candidate = hone__cuda_candidate,
            .deps_are_current = hone__c_deps_are_current,
            .build_command = build_command,
            .explain_call = hone__signature_explain,
            .is_beside_cpu = is_beside_cpu,
            .devices = list_devices,
        },
    .worker =
        {
            .open = open_device,
            .build = build,
            .prepare = hone__gpu_prepare,
            .run = hone__bench_run,
            .release = hone__gpu_release,
            .close = hone__gpu_close,
        },
};
