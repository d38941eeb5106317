/* The backend for OpenCL: program binaries, launched by a process that owns the device. */
#include "backend/opencl/opencl_backend.h"
#include "backend/kernel/signature.h"

#include "backend/c/c_backend.h"
#include "backend/gpu/gpu_bench.h"
#include "backend/gpu/gpu_candidate.h"
#include "backend/gpu/gpu_probe.h"
#include "backend/kernel/kernel_build.h"
#include "backend/opencl/opencl_compile.h"

#include <strings.h>

/* ---- Driver ---- */

static const char *or_empty(const char *text)
{
  return text ? text : "";
}

static hone_status complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                            const struct hone__build_source_text *source, struct hone__arena *arena,
                            struct hone__kernel_candidate *candidate)
{
  const struct hone__task *task = origin->task;
  const struct hone__wire_device_facts *device = task->device;

  (void)source;
  if (!device)
    return hone__backend_spec_error(
        task->spec, NULL,
        "no OpenCL device found to build for: 'hone devices' shows what is missing");
  if (!*or_empty(device->device))
    return hone__backend_spec_error(
        task->spec, NULL,
        "OpenCL drivers build only for local devices: --device %s is for 'hone space' only",
        or_empty(device->arch));
  candidate->built_for = hone__arena_printf(arena, "%s, %s, %s", or_empty(device->name),
                                            or_empty(device->driver), or_empty(device->arch));
  return hone__gpu_complete(origin, row, arena, candidate);
}

const struct hone__kernel_kind hone__kernel_kind_opencl = {.backend = "opencl",
                                                           .complete = complete,
                                                           .identify = hone__opencl_identify,
                                                           .functions = HONE__FUNCTIONS_OPENCL,
                                                           .launch = hone__gpu_stage_launch};

static hone_status describe(const struct hone__task *task, struct hone__message *out_setup)
{
  return hone__kernel_describe(task, &hone__kernel_kind_opencl, out_setup);
}

static hone_status candidate_of(const struct hone__task *task, const uint32_t *row,
                                struct hone__packed **out_candidate)
{
  return hone__kernel_candidate(task, row, &hone__kernel_kind_opencl, out_candidate);
}

/* For platforms whose devices are never CPUs; for others the name is not sufficient. */
static bool is_beside_cpu(const char *device)
{
  static const char *const platforms[] = {"opencl:nvidia", "opencl:amd", "opencl:rusticl"};

  for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++)
    if (strncasecmp(device, platforms[i], strlen(platforms[i])) == 0) return true;
  return false;
}

static hone_status list_devices(struct hone__wire_device_list *out_list)
{
  return hone__gpu_probe(&hone__gpu_opencl, out_list);
}

/* ---- A reference may be written in C ---- */

static hone_status build_command(const struct hone__packed *setup,
                                 const struct hone__packed *candidate,
                                 struct hone__text *out_command)
{
  return (hone__kernel_packed_is_c(candidate) ? hone__c_build_command : hone__opencl_build_command)(
      setup, candidate, out_command);
}

/* A compiler of C sweeps away what else this process started. */
static void build(const struct hone__packed *setup, const struct hone__packed *job,
                  struct hone__answer *answer)
{
  if (hone__kernel_job_is_c(job)) {
    hone__opencl_compile_end();
    hone__c_build(setup, job, answer);
  } else {
    hone__opencl_build(setup, job, answer);
  }
}

/* ---- Worker ---- */

static hone_status open_device(const char *device, struct hone__packed *facts, void **out_device)
{
  return hone__gpu_open(&hone__gpu_opencl, device, facts, out_device);
}

static hone_status tell_difference(const struct hone__wire_device_facts *target,
                                   const struct hone__wire_device_facts *facts)
{
  return hone__error(HONE_UNAVAILABLE,
                     "a %s (driver %s) cannot run binaries built for a %s (driver %s): tune the "
                     "two kinds of devices in separate runs",
                     or_empty(facts->name), or_empty(facts->driver), or_empty(target->name),
                     or_empty(target->driver));
}

/* A missing value is not a difference. */
static bool is_same(const char *here, const char *meant)
{
  return !here || !meant || !*here || !*meant || strcmp(here, meant) == 0;
}

/* Binaries are for one kind of device. */
static bool is_target(const struct hone__wire_device_facts *target,
                      const struct hone__wire_device_facts *facts)
{
  return !target || (is_same(facts->name, target->name) && is_same(facts->driver, target->driver) &&
                     is_same(facts->platform, target->platform));
}

static hone_status prepare(void *device, const struct hone__packed *setup, const void *payload,
                           size_t payload_size, struct hone__packed *facts, void **out_bench)
{
  struct hone__gpu_prepared prepared;
  hone_status status = hone__gpu_prepare_bench(device, setup, payload, payload_size, &prepared);
  const struct hone__wire_device_facts *target = prepared.bench->setup.target;

  if (!is_target(target, &prepared.facts)) {
    hone_status_free(status); /* the difference is its cause */
    status = tell_difference(target, &prepared.facts);
  }
  *out_bench = hone__gpu_take_prepared(&prepared, status, facts);
  return status;
}

static const char *const suffixes[] = {".cl", ".spv", NULL};

const struct hone__backend hone__backend_opencl = {
    .name = "opencl",
    .suffixes = suffixes,
    .start_s = HONE__GPU_START_S,
    .renews = true,
    .batch_ns = HONE__GPU_BATCH_NS,
    .host = &hone__host_opencl,
    .driver =
        {
            .describe = describe,
            .candidate = candidate_of,
            .deps_are_current = hone__c_deps_are_current,
            .build_files = hone__kernel_build_files,
            .build_command = build_command,
            .explain_call = hone__signature_explain,
            .is_beside_cpu = is_beside_cpu,
            .devices = list_devices,
        },
    .worker =
        {
            .open = open_device,
            .build = build,
            .prepare = prepare,
            .run = hone__bench_run,
            .release = hone__gpu_release,
            .close = hone__gpu_close,
        },
};
