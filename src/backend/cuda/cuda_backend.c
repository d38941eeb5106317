/* The backend for CUDA: cubins, launched by a process that owns the device. */
#include "backend/cuda/cuda_backend.h"

#include "backend/c/c_backend.h"
#include "backend/gpu/gpu_bench.h"
#include "backend/gpu/gpu_probe.h"
#include "backend/kernel/kernel_build.h"
#include "wire/packed_json.h"

static bool is_beside_cpu(const char *device)
{
  (void)device;
  return true;
}

static hone_status list_devices(json_t *devices)
{
  return hone__gpu_probe_into(&hone__gpu_cuda, devices);
}

/* ---- A reference may be written in C ---- */

static hone_status build_command(const json_t *setup, const json_t *candidate,
                                 struct hone__text *out_command)
{
  return (hone__kernel_packed_is_c(hone__json_packed(candidate))
              ? hone__c_build_command
              : hone__cuda_build_command)(setup, candidate, out_command);
}

static void build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  (hone__kernel_job_is_c(hone__json_packed(job)) ? hone__c_build : hone__cuda_build)(setup, job,
                                                                                     answer);
}

/* ---- Worker ---- */

static hone_status open_device(const char *device, json_t *facts, void **out_device)
{
  return hone__gpu_open(&hone__gpu_cuda, device, facts, out_device);
}

static const char *const suffixes[] = {".cu", NULL};

const struct hone__backend hone__backend_cuda = {
    .name = "cuda",
    .suffixes = suffixes,
    .start_s = HONE__GPU_START_S,
    .describe = hone__cuda_describe_task,
    .candidate = hone__cuda_candidate,
    .deps_are_current = hone__c_deps_are_current,
    .build_command = build_command,
    .is_beside_cpu = is_beside_cpu,
    .devices = list_devices,
    .open = open_device,
    .build = build,
    .prepare = hone__gpu_prepare,
    .run = hone__bench_run,
    .release = hone__gpu_release,
    .close = hone__gpu_close,
};
