/* What an OpenCL device tells of itself. What it does not know is left out. */
#include "backend/opencl/opencl_device.h"

#include "base/digest.h"
#include "base/text.h"
#include "base/json_string.h"

#include <stdlib.h>

enum { MOST_TEXT = 1 << 16 };

uint64_t hone__opencl_number(const struct hone__opencl_device *device, uint32_t what)
{
  uint64_t number = 0; /* little endian: what is shorter is right too */

  if (device->cl->GetDeviceInfo(device->device, what, sizeof number, &number, NULL) != CL_SUCCESS)
    return 0;
  return number;
}

/* NVIDIA tells of the first-level caches, all together, and not of the second level: then as large
 * as any is. */
size_t hone__opencl_cache_bytes(const struct hone__opencl_device *device)
{
  uint64_t told = hone__opencl_number(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  uint64_t most = hone__opencl_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE) / 8;

  if (device->is_nvidia) told = UINT64_C(128) << 20;
  return (size_t)(told < most ? told : most);
}

/* ---- Texts ---- */

/* Without blanks around it. */
static json_t *trimmed(const char *text)
{
  size_t length;

  text += strspn(text, " \t\n");
  length = strlen(text);
  while (length && strchr(" \t\n", text[length - 1]))
    length--;
  return hone__json_string(text, length);
}

static char *device_text(const struct hone__opencl_device *device, uint32_t what)
{
  size_t size = 0;
  char *text;

  if (device->cl->GetDeviceInfo(device->device, what, 0, NULL, &size) != CL_SUCCESS ||
      size > MOST_TEXT)
    size = 0;
  text = hone__alloc(size + 1);
  if (size) device->cl->GetDeviceInfo(device->device, what, size, text, NULL);
  return text;
}

static void add_text(const struct hone__opencl_device *device, const char *name, uint32_t what,
                     json_t *facts)
{
  char *text = device_text(device, what);

  json_object_set_new(facts, name, trimmed(text));
  free(text);
}

static void add_platform(const struct hone__opencl_device *device, json_t *facts)
{
  char text[1024] = "";

  device->cl->GetPlatformInfo(device->platform, CL_PLATFORM_NAME, sizeof text - 1, text, NULL);
  json_object_set_new(facts, "platform", trimmed(text));
  memset(text, 0, sizeof text);
  device->cl->GetPlatformInfo(device->platform, CL_PLATFORM_VERSION, sizeof text - 1, text, NULL);
  json_object_set_new(facts, "arch", trimmed(text));
}

/* ---- Numbers ---- */

static const struct {
  const char *name;
  uint32_t what;
} numbers[] = {
    {"memory_bytes", CL_DEVICE_GLOBAL_MEM_SIZE},
    {"max_allocation_bytes", CL_DEVICE_MAX_MEM_ALLOC_SIZE},
    {"shared_bytes", CL_DEVICE_LOCAL_MEM_SIZE},
    {"registers", CL_DEVICE_REGISTERS_PER_BLOCK_NV},
    {"max_threads", CL_DEVICE_MAX_WORK_GROUP_SIZE},
    {"warp_size", CL_DEVICE_WARP_SIZE_NV},
    {"warp_size", CL_DEVICE_WAVEFRONT_WIDTH_AMD},
    {"sm_count", CL_DEVICE_MAX_COMPUTE_UNITS},
    {"line_bytes", CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE},
    {"clock_mhz", CL_DEVICE_MAX_CLOCK_FREQUENCY},
    {"vector_width", CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT},
};

static void add_number(json_t *facts, const char *name, uint64_t number)
{
  if (number) json_object_set_new(facts, name, json_integer((json_int_t)number));
}

static void add_numbers(const struct hone__opencl_device *device, json_t *facts)
{
  uint64_t major = hone__opencl_number(device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV);
  uint64_t minor = hone__opencl_number(device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);

  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    add_number(facts, numbers[i].name, hone__opencl_number(device, numbers[i].what));
  if (device->is_nvidia) add_number(facts, "compute_capability", 10 * major + minor);
  if (device->is_nvidia) return;
  add_number(facts, "l2_bytes", hone__opencl_number(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE));
  add_number(facts, "cache_bytes", hone__opencl_number(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE));
}

/* Whether kernels may use `half` and `double`. */
static void add_extensions(const struct hone__opencl_device *device, json_t *facts)
{
  char *extensions = device_text(device, CL_DEVICE_EXTENSIONS);

  json_object_set_new(facts, "fp16", json_integer(strstr(extensions, "cl_khr_fp16") != NULL));
  json_object_set_new(facts, "fp64", json_integer(strstr(extensions, "cl_khr_fp64") != NULL));
  free(extensions);
}

/* ---- The facts ---- */

static const char *kind_of(const struct hone__opencl_device *device)
{
  uint64_t type = hone__opencl_number(device, CL_DEVICE_TYPE);

  return type & CL_DEVICE_TYPE_GPU ? "gpu" : type & CL_DEVICE_TYPE_CPU ? "cpu" : "accelerator";
}

/* Of all the above, without what another moment may change: PoCL tells today's clock, and how much
 * memory it means to leave to others. */
static void add_fingerprint(json_t *facts)
{
  static const char *const passing[] = {"clock_mhz", "memory_bytes", "max_allocation_bytes"};
  json_t *lasting = json_copy(facts);
  char digest[HONE__DIGEST_SIZE], *text;

  for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
    json_object_del(lasting, passing[i]);
  text = json_dumps(lasting, JSON_COMPACT | JSON_SORT_KEYS);
  hone__digest(text ? text : "", text ? strlen(text) : 0, digest);
  json_object_set_new(facts, "fingerprint", json_string(digest));
  json_decref(lasting);
  free(text);
}

static json_t *notes_of(const struct hone__opencl_device *device)
{
  json_t *notes = json_array();

  if (device->is_cpu)
    json_array_append_new(
        notes, json_string("this OpenCL device is a CPU: other programs on it disturb the times"));
  return notes;
}

json_t *hone__opencl_facts(const struct hone__opencl_device *device)
{
  json_t *facts = json_object();

  add_text(device, "name", CL_DEVICE_NAME, facts);
  json_object_set_new(facts, "kind", json_string(kind_of(device)));
  add_platform(device, facts);
  add_text(device, "version", CL_DEVICE_VERSION, facts);
  add_text(device, "driver", CL_DRIVER_VERSION, facts);
  add_numbers(device, facts);
  add_extensions(device, facts);
  add_fingerprint(facts);
  json_object_set_new(facts, "device", json_string(device->name));
  json_object_set_new(facts, "notes", notes_of(device));
  return facts;
}
