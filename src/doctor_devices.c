/* Each library is asked in a separate process: one that crashes does not affect the answers of the
 * others. Files and tools are looked at here. */
#include "doctor_devices.h"

#include "backend/cuda/cuda_device.h"
#include "backend/cuda/cuda_library.h"
#include "backend/cuda/nvml_library.h"
#include "backend/cuda/nvrtc_library.h"
#include "backend/hip/hip_library.h"
#include "backend/hip/hiprtc_library.h"
#include "backend/gpu/gpu_probe.h"
#include "backend/opencl/opencl_library.h"
#include "build/toolchain.h"
#include "base/text.h"
#include "wire/record.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double library_timeout_s = 20;

static const char *keep(struct hone__findings *facts, const char *text)
{
  return text ? hone__arena_strdup(&facts->arena, text) : NULL;
}

/* NULL `value`: it is missing. */
static void add(struct hone__findings *facts, const char *part, const char *name, const char *value,
                const char *advice)
{
  HONE__GROW(facts->findings, facts->findings_count, facts->capacity);
  facts->findings[facts->findings_count++] = (struct hone__finding){
      keep(facts, part), keep(facts, name), keep(facts, value), keep(facts, advice)};
}

void hone__findings_release(struct hone__findings *findings)
{
  free(findings->findings);
  hone__arena_release(&findings->arena);
  *findings = (struct hone__findings){0};
}

/* ---- Between a child and its parent ---- */

static const struct hone__field finding_fields[] = {
    HONE__TEXT(struct hone__finding, part, HONE__NEEDED),
    HONE__TEXT(struct hone__finding, name, HONE__NEEDED),
    HONE__TEXT(struct hone__finding, value, HONE__OPTIONAL),
    HONE__TEXT(struct hone__finding, advice, HONE__NEEDED),
};
static const struct hone__record_type finding_type =
    HONE__RECORD_TYPE("finding", struct hone__finding, finding_fields);
static const struct hone__field findings_fields[] = {
    HONE__RECORDS(struct hone__findings, findings, HONE__NEEDED, &finding_type),
};
static const struct hone__record_type findings_type =
    HONE__RECORD_TYPE("findings", struct hone__findings, findings_fields);

/* ---- Libraries, in children ---- */

static hone_status ask_cuda(struct hone__findings *facts)
{
  const struct hone__simt_library *cuda;
  hone_status status = hone__cuda_library(&cuda);
  char value[64];
  int version = 0;

  if (status) return status;
  cuda->DriverGetVersion(&version);
  snprintf(value, sizeof value, "CUDA %d.%d", version / 1000, version % 1000 / 10);
  add(facts, "cuda", "driver", value, "");
  return NULL;
}

static void add_headers(struct hone__findings *facts, const char *library)
{
  char *headers = hone__cuda_headers(library);

  add(facts, "cuda", "headers", headers,
      headers ? ""
              : "needed by kernels that include cuda_fp16.h or mma.h: install the CUDA toolkit, or "
                "'pip install nvidia-cuda-runtime-cu12'");
  free(headers);
}

static hone_status ask_nvrtc(struct hone__findings *facts)
{
  const struct hone__rtc_library *nvrtc;
  hone_status status = hone__nvrtc_library(&nvrtc);
  char version[64];
  int major = 0, minor = 0;

  if (status) {
    add(facts, "cuda", "nvrtc", NULL, hone_status_message(status));
    hone_status_free(status);
    add_headers(facts, NULL);
    return NULL;
  }
  nvrtc->Version(&major, &minor);
  snprintf(version, sizeof version, "version %d.%d", major, minor);
  add(facts, "cuda", "nvrtc", nvrtc->path && *nvrtc->path ? nvrtc->path : "found", version);
  add_headers(facts, nvrtc->path);
  return NULL;
}

static hone_status ask_hip(struct hone__findings *facts)
{
  const struct hone__simt_library *hip;
  hone_status status = hone__hip_library(&hip);
  char value[64];
  int version = 0;

  if (status) return status;
  hip->DriverGetVersion(&version);
  snprintf(value, sizeof value, "HIP %d.%d.%d", version / 10000000, version / 100000 % 100,
           version % 100000);
  add(facts, "hip", "runtime", value, "");
  return NULL;
}

static hone_status ask_hiprtc(struct hone__findings *facts)
{
  const struct hone__rtc_library *hiprtc;
  hone_status status = hone__hiprtc_library(&hiprtc);
  char version[64];
  int major = 0, minor = 0;

  if (status) return status;
  hiprtc->Version(&major, &minor);
  snprintf(version, sizeof version, "version %d.%d", major, minor);
  add(facts, "hip", "hiprtc", hiprtc->path && *hiprtc->path ? hiprtc->path : "found", version);
  return NULL;
}

static hone_status ask_nvml(struct hone__findings *facts)
{
  const struct hone__nvml_library *nvml = hone__nvml_library();
  char version[80] = "found";

  if (nvml && nvml->SystemGetDriverVersion) nvml->SystemGetDriverVersion(version, sizeof version);
  add(facts, "cuda", "nvml", nvml ? version : NULL,
      nvml ? ""
           : "libnvidia-ml.so.1 cannot be loaded: clocks, temperature, energy and other processes "
             "on the GPU are not known; it is part of NVIDIA's driver");
  return NULL;
}

static hone_status ask_opencl(struct hone__findings *facts)
{
  const struct hone__opencl_library *opencl;
  hone_status status = hone__opencl_enter(&opencl);
  char value[32], error[HONE__OPENCL_ERROR_SIZE];
  uint32_t platforms = 0;
  int code;

  if (status) return status;
  add(facts, "opencl", "library", "found", "");
  code = opencl->GetPlatformIDs(0, NULL, &platforms);
  if (code && code != CL_PLATFORM_NOT_FOUND_KHR)
    add(facts, "opencl", "platforms", NULL, hone__opencl_error(code, error));
  snprintf(value, sizeof value, "%u", platforms);
  if (!code || code == CL_PLATFORM_NOT_FOUND_KHR)
    add(facts, "opencl", "platforms", platforms ? value : NULL,
        platforms ? ""
                  : "no driver is installed: 'apt install pocl-opencl-icd' installs one for CPUs; "
                    "for GPUs, install the vendor's driver");
  hone__opencl_leave();
  return NULL;
}

struct question {
  hone_status (*ask)(struct hone__findings *facts);
};

/* In the child. */
static hone_status answer(const void *data, struct hone__text *out_text)
{
  const struct question *question = data;
  struct hone__findings found = {0};
  hone_status status;

  HONE__GROW(found.findings, found.findings_count, found.capacity); /* none is a list, too */
  status = question->ask(&found);
  if (!status) hone__record_print(&findings_type, &found, out_text);
  hone__findings_release(&found);
  return status;
}

static void take_answer(struct hone__findings *facts, const struct hone__text *text)
{
  struct hone__packed *packed = hone__packed_parse(text->data ? text->data : "", text->length);
  struct hone__arena arena = {0};
  struct hone__findings found = {0};

  if (packed) hone_status_free(hone__unpack(packed, &findings_type, &arena, &found));
  for (size_t i = 0; i < found.findings_count; i++)
    add(facts, found.findings[i].part, found.findings[i].name, found.findings[i].value,
        found.findings[i].advice);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
}

static bool ask(struct hone__findings *facts, const char *part, const char *name,
                hone_status (*question)(struct hone__findings *facts))
{
  struct hone__text what = {0}, text = {0};
  hone_status status;
  bool is_here;

  hone__text_addf(&what, "the %s of %s", name, part);
  status =
      hone__gpu_query(what.data, answer, &(struct question){question}, library_timeout_s, &text);
  if (status)
    add(facts, part, name, NULL, hone_status_message(status));
  else
    take_answer(facts, &text);
  is_here = !status;
  hone_status_free(status);
  hone__text_release(&what);
  hone__text_release(&text);
  return is_here;
}

/* ---- Devices ---- */

static void add_devices(struct hone__findings *facts, const char *part,
                        const struct hone__gpu_driver *driver)
{
  struct hone__wire_device_list list;
  hone_status status = hone__gpu_probe(driver, &list);

  for (size_t i = 0; i < list.devices_count; i++) {
    const struct hone__wire_device_facts *one = &list.devices[i];
    struct hone__text value = {0};
    hone__text_addf(&value, "%s, %s", one->device, one->name ? one->name : "");
    add(facts, part, "device", value.data, one->arch ? one->arch : "");
    hone__text_release(&value);
  }
  if (!status && !list.devices_count) add(facts, part, "device", NULL, "no device is listed");
  if (status) add(facts, part, "device", NULL, hone_status_message(status));
  hone_status_free(status);
  hone__wire_device_list_release(&list);
}

/* ---- Files and tools ---- */

static void add_tool(struct hone__findings *facts, const char *part, const char *name,
                     const char *use)
{
  char *path = hone__toolchain_find(name, "/");

  add(facts, part, name, path, path ? "" : use);
  free(path);
}

/* Those that this user may not open. */
static void add_permission(struct hone__findings *facts, const char *part, const char *pattern,
                           const char *group, const char *absent)
{
  glob_t files;
  struct hone__text closed = {0}, value = {0}, advice = {0};
  bool found = glob(pattern, GLOB_BRACE, NULL, &files) == 0;
  size_t count = found ? files.gl_pathc : 0;

  for (size_t i = 0; i < count; i++)
    if (access(files.gl_pathv[i], R_OK | W_OK) != 0)
      hone__text_addf(&closed, "%s%s", closed.length ? ", " : "", files.gl_pathv[i]);
  if (closed.length)
    hone__text_addf(
        &advice,
        "no permission to open %s: add the user to the group '%s', or ask the administrator",
        closed.data, group);
  hone__text_addf(&value, "%zu files", count);
  if (count || *absent)
    add(facts, part, "device files", count && !closed.length ? value.data : NULL,
        count ? advice.length ? advice.data : "" : absent);
  if (found) globfree(&files);
  hone__text_release(&closed);
  hone__text_release(&value);
  hone__text_release(&advice);
}

/* A server that shares one context among processes: a fault of one may end them all. */
static void add_mps(struct hone__findings *facts)
{
  bool is_on = hone__cuda_has_mps();

  add(facts, "cuda", "mps", is_on ? "on" : "off",
      is_on ? "processes share the GPU through it: other processes disturb times, and a fault in a "
              "candidate may terminate them"
            : "");
}

static void add_vendors(struct hone__findings *facts)
{
  const char *folder = getenv("OCL_ICD_VENDORS");
  struct hone__text pattern = {0}, names = {0};
  glob_t files;

  if (!folder || !*folder) folder = "/etc/OpenCL/vendors";
  hone__text_addf(&pattern, "%s/*.icd", folder);
  if (glob(pattern.data, 0, NULL, &files) == 0) {
    for (size_t i = 0; i < files.gl_pathc; i++)
      hone__text_addf(&names, "%s%s", i ? ", " : "", strrchr(files.gl_pathv[i], '/') + 1);
    globfree(&files);
  }
  hone__text_release(&pattern);
  hone__text_addf(&pattern,
                  "no *.icd in %s: 'apt install pocl-opencl-icd' installs a driver for CPUs; for "
                  "GPUs, install the vendor's driver (NVIDIA: nvidia.icd)",
                  folder);
  add(facts, "opencl", "drivers", names.length ? names.data : NULL,
      names.length ? folder : pattern.data);
  hone__text_release(&pattern);
  hone__text_release(&names);
}

static void add_hip(struct hone__findings *facts)
{
  bool has_hip = ask(facts, "hip", "runtime", ask_hip);

  add_permission(facts, "hip", "/dev/{kfd,dri/renderD*}", "render",
                 "no /dev/kfd: AMD's kernel module is not loaded, or this container has no access "
                 "to a GPU ('docker run --device=/dev/kfd --device=/dev/dri')");
  if (has_hip) add_devices(facts, "hip", &hone__gpu_hip);
  ask(facts, "hip", "hiprtc", ask_hiprtc);
  add_tool(facts, "hip", "hipcc",
           "needed only by 'build.compiler: hipcc' and by HIP programs; it is part of ROCm");
}

void hone__doctor_devices(struct hone__findings *facts)
{
  bool has_opencl = ask(facts, "opencl", "library", ask_opencl), has_cuda;

  add_vendors(facts);
  add_permission(facts, "opencl", "/dev/{kfd,dri/renderD*}", "render", "");
  if (has_opencl) add_devices(facts, "opencl", &hone__gpu_opencl);

  has_cuda = ask(facts, "cuda", "driver", ask_cuda);
  add_permission(facts, "cuda", "/dev/nvidia{ctl,[0-9]*,-uvm}", "video",
                 "no /dev/nvidia*: NVIDIA's kernel module is not loaded, or this container has no "
                 "access to a GPU ('docker run --gpus all')");
  if (has_cuda) add_devices(facts, "cuda", &hone__gpu_cuda);
  ask(facts, "cuda", "nvrtc", ask_nvrtc);
  ask(facts, "cuda", "nvml", ask_nvml);
  add_tool(
      facts, "cuda", "nvcc",
      "needed only by 'build.compiler: nvcc' and by CUDA programs; it is part of the CUDA toolkit");
  add_tool(facts, "cuda", "ncu", "needed only by '--profile ncu'; it is part of Nsight Compute");
  add_mps(facts);
  add_hip(facts);
}
