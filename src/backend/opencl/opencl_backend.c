/* The backend for OpenCL: program binaries, launched by a process that owns the device. */
#include "backend/opencl/opencl_backend.h"

#include "backend/c/c_backend.h"
#include "backend/gpu/gpu_bench.h"
#include "backend/gpu/gpu_candidate.h"
#include "backend/gpu/gpu_probe.h"
#include "backend/kernel/kernel_build.h"
#include "wire/message_text.h"
#include "backend/opencl/opencl_compile.h"

#include <strings.h>

/* ---- Driver ---- */

static hone_status complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                            const struct hone__source_text *source, json_t *candidate)
{
  const struct hone__task *task = origin->task;
  struct hone__text target = {0};

  (void)source;
  if (!task->device)
    return hone__spec_error(
        task->spec, NULL,
        "no OpenCL device found to build for: 'hone devices' shows what is missing");
  if (!*hone__message_text(task->device, "device"))
    return hone__spec_error(
        task->spec, NULL,
        "OpenCL drivers build only for local devices: --device %s is for 'hone space' only",
        hone__message_text(task->device, "arch"));
  hone__text_addf(&target, "%s, %s, %s", hone__message_text(task->device, "name"),
                  hone__message_text(task->device, "driver"),
                  hone__message_text(task->device, "arch"));
  json_object_set_new(candidate, "built_for", json_string(target.data));
  hone__text_release(&target);
  return hone__gpu_complete(task, row, candidate);
}

const struct hone__kernel_kind hone__kernel_kind_opencl = {"opencl", complete,
                                                           hone__opencl_identify};

static hone_status describe(const struct hone__task *task, struct hone__message *out_setup)
{
  return hone__kernel_describe(task, &hone__kernel_kind_opencl, out_setup);
}

static hone_status candidate_of(const struct hone__task *task, const uint32_t *row,
                                json_t **out_candidate)
{
  return hone__kernel_candidate(task, row, &hone__kernel_kind_opencl, out_candidate);
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

static hone_status build_command(const json_t *setup, const json_t *candidate,
                                 struct hone__text *out_command)
{
  return (hone__kernel_is_c(candidate) ? hone__c_build_command
                                       : hone__opencl_build_command)(setup, candidate, out_command);
}

/* A compiler of C sweeps away what else this process started. */
static void build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  if (hone__kernel_is_c(json_object_get(job, "candidate"))) {
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

static hone_status tell_difference(const json_t *target, const json_t *facts)
{
  return hone__error(HONE_UNAVAILABLE,
                     "a %s (driver %s) cannot run binaries built for a %s (driver %s): tune the "
                     "two kinds of devices in separate runs",
                     hone__message_text(facts, "name"), hone__message_text(facts, "driver"),
                     hone__message_text(target, "name"), hone__message_text(target, "driver"));
}

/* Binaries are for one kind of device. */
static bool is_target(const json_t *target, const json_t *facts)
{
  static const char *const same[] = {"name", "driver", "platform"};

  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    const char *here = hone__message_text(facts, same[i]);
    const char *meant = hone__message_text(target, same[i]);
    if (*here && *meant && strcmp(here, meant) != 0) return false;
  }
  return true;
}

static hone_status prepare(void *device, const json_t *setup, const void *payload,
                           size_t payload_size, json_t *facts, void **out_bench)
{
  const json_t *target = json_object_get(setup, "target");
  hone_status status = hone__gpu_prepare(device, setup, payload, payload_size, facts, out_bench);

  if (is_target(target, facts)) return status;
  hone_status_free(status); /* nothing that was built could have gone well */
  hone__gpu_release(*out_bench);
  *out_bench = NULL;
  return tell_difference(target, facts);
}

static const char *const suffixes[] = {".cl", NULL};

const struct hone__backend hone__backend_opencl = {
    .name = "opencl",
    .suffixes = suffixes,
    .start_s = HONE__GPU_START_S,
    .describe = describe,
    .candidate = candidate_of,
    .deps_are_current = hone__c_deps_are_current,
    .build_command = build_command,
    .is_beside_cpu = is_beside_cpu,
    .devices = list_devices,
    .open = open_device,
    .build = build,
    .prepare = prepare,
    .run = hone__bench_run,
    .release = hone__gpu_release,
    .close = hone__gpu_close,
};
