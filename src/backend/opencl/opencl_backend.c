/* The backend for OpenCL: program binaries, launched by a process that owns the device. */
#include "backend/opencl/opencl_backend.h"

#include "backend/build_deps.h"
#include "backend/c/c_backend.h"
#include "backend/gpu/gpu_bench.h"
#include "backend/gpu/gpu_candidate.h"
#include "backend/gpu/gpu_probe.h"
#include "backend/message_text.h"
#include "backend/opencl/opencl_compile.h"

#include <strings.h>

/* ---- Driver ---- */

static hone_status complete(const struct hone_task *task, const uint32_t *row,
                            const struct hone_source_text *source, json_t *candidate)
{
  struct hone_text target = {0};

  (void)source;
  if (!task->device)
    return hone__spec_error(task->spec, NULL,
                            "no OpenCL device is here to build for: 'hone devices' says what is "
                            "missing");
  if (!*hone__message_text(task->device, "device"))
    return hone__spec_error(task->spec, NULL,
                            "drivers of OpenCL build for devices that are here: --device %s is for "
                            "'hone space' alone",
                            hone__message_text(task->device, "arch"));
  hone__text_addf(&target, "%s, %s, %s", hone__message_text(task->device, "name"),
                  hone__message_text(task->device, "driver"),
                  hone__message_text(task->device, "arch"));
  json_object_set_new(candidate, "built_for", json_string(target.data));
  hone__text_release(&target);
  return hone__gpu_complete(task, row, candidate);
}

const struct hone_kernel_kind hone__kernel_kind_opencl = {"opencl", complete,
                                                          hone__opencl_identify};

static hone_status describe(const struct hone_task *task, struct hone_message *out_setup)
{
  return hone__kernel_describe(task, &hone__kernel_kind_opencl, out_setup);
}

static hone_status candidate_of(const struct hone_task *task, const uint32_t *row,
                                json_t **out_candidate)
{
  return hone__kernel_candidate(task, row, &hone__kernel_kind_opencl, out_candidate);
}

static bool deps_are_current(const json_t *deps)
{
  return hone__build_deps_are_current(deps, hone__dependency_digest);
}

/* Of platforms whose devices are never CPUs; of others the name does not tell. */
static bool is_beside_cpu(const char *device)
{
  static const char *const platforms[] = {"opencl:nvidia", "opencl:amd", "opencl:rusticl"};

  for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++)
    if (strncasecmp(device, platforms[i], strlen(platforms[i])) == 0) return true;
  return false;
}

static hone_status list_devices(json_t *devices)
{
  return hone__gpu_probe_into(&hone__gpu_opencl, devices);
}

/* ---- A reference may be written in C ---- */

static bool is_c(const json_t *candidate)
{
  return strcmp(hone__message_text(candidate, "backend"), "c") == 0;
}

static hone_status build_command(const json_t *setup, const json_t *candidate,
                                 struct hone_text *out_command)
{
  return (is_c(candidate) ? hone__c_build_command : hone__opencl_build_command)(setup, candidate,
                                                                                out_command);
}

/* A compiler of C sweeps away what else this process started. */
static void build(const json_t *setup, const json_t *job, struct hone_answer *answer)
{
  if (is_c(json_object_get(job, "candidate"))) {
    hone__opencl_compile_end();
    hone__c_build(setup, job, answer);
  } else {
    hone__opencl_build(setup, job, answer);
  }
}

/* ---- Worker ---- */

static hone_status open_device(const char *device, json_t *facts, void **out_device)
{
  return hone__gpu_open(&hone__gpu_opencl, device, facts, out_device);
}

static const char *const suffixes[] = {".cl", NULL};

const struct hone_backend hone__backend_opencl = {
    .name = "opencl",
    .suffixes = suffixes,
    .start_s = HONE_GPU_START_S,
    .describe = describe,
    .candidate = candidate_of,
    .deps_are_current = deps_are_current,
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
