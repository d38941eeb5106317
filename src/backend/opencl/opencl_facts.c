/* Facts that an OpenCL device reports. Unknown ones are left out. */
#include "backend/opencl/opencl_device.h"

#include "base/digest.h"
#include "base/text.h"
#include "spec/schema.h"
#include "wire/named.h"

#include <stdlib.h>

enum { MOST_TEXT = 1 << 16 };

uint64_t hone__opencl_number(const struct hone__opencl_device *device, uint32_t what)
{
  uint64_t number = 0; /* little endian: what is shorter is right too */

  if (device->cl->GetDeviceInfo(device->device, what, sizeof number, &number, NULL) != CL_SUCCESS)
    return 0;
  return number;
}

/* NVIDIA reports the first-level caches, all together, and not the second level: assumes the
 * largest known size. */
size_t hone__opencl_cache_bytes(const struct hone__opencl_device *device)
{
  uint64_t told = hone__opencl_number(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  uint64_t most = hone__opencl_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE) / 8;

  if (device->is_nvidia) told = UINT64_C(128) << 20;
  return (size_t)(told < most ? told : most);
}

/* ---- Texts ---- */

/* Without blanks around it. */
static const char *trimmed(struct hone__arena *arena, const char *text)
{
  size_t length;

  text += strspn(text, " \t\n");
  length = strlen(text);
  while (length && strchr(" \t\n", text[length - 1]))
    length--;
  return hone__arena_strndup(arena, text, length);
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

static const char *text_of(const struct hone__opencl_device *device, uint32_t what,
                           struct hone__arena *arena)
{
  char *text = device_text(device, what);
  const char *kept = trimmed(arena, text);

  free(text);
  return kept;
}

static const char *platform_text(const struct hone__opencl_device *device, uint32_t what,
                                 struct hone__arena *arena)
{
  char text[1024] = "";

  device->cl->GetPlatformInfo(device->platform, what, sizeof text - 1, text, NULL);
  return trimmed(arena, text);
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

static void add_number(struct hone__named_list *facts, const char *name, uint64_t number)
{
  if (number) hone__named_int(facts, name, (int64_t)number);
}

static void add_numbers(const struct hone__opencl_device *device, struct hone__named_list *facts)
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
static void add_extensions(const struct hone__opencl_device *device, struct hone__named_list *facts)
{
  char *extensions = device_text(device, CL_DEVICE_EXTENSIONS);

  hone__named_int(facts, "fp16", strstr(extensions, "cl_khr_fp16") != NULL);
  hone__named_int(facts, "fp64", strstr(extensions, "cl_khr_fp64") != NULL);
  free(extensions);
}

/* ---- The facts ---- */

static const char *kind_of(const struct hone__opencl_device *device)
{
  uint64_t type = hone__opencl_number(device, CL_DEVICE_TYPE);

  return type & CL_DEVICE_TYPE_GPU ? "gpu" : type & CL_DEVICE_TYPE_CPU ? "cpu" : "accelerator";
}

static bool is_passing(const char *name)
{
  static const char *const passing[] = {"clock_mhz", "memory_bytes", "max_allocation_bytes", NULL};

  return hone__spec_is_one_of(name, passing);
}

/* A digest of the above, without what may change: PoCL reports the present clock, and how much
 * memory it leaves to others. */
static const char *fingerprint_of(const struct hone__wire_device_facts *facts,
                                  struct hone__arena *arena)
{
  struct hone__wire_device_facts lasting = *facts;
  struct hone__text text = {0};
  struct hone__packed *packed;
  char digest[HONE__DIGEST_SIZE];

  lasting.other = hone__arena_alloc(arena, facts->other_count * sizeof *lasting.other);
  lasting.other_count = 0;
  for (size_t i = 0; i < facts->other_count; i++)
    if (!is_passing(facts->other[i].name)) lasting.other[lasting.other_count++] = facts->other[i];
  packed = hone__pack(&hone__wire_device_facts_type, &lasting);
  hone__packed_print(packed, &text);
  hone__digest(text.data, text.length, digest);
  hone__packed_drop(packed);
  hone__text_release(&text);
  return hone__arena_strdup(arena, digest);
}

void hone__opencl_facts(const struct hone__opencl_device *device, struct hone__arena *arena,
                        struct hone__wire_device_facts *out_facts)
{
  struct hone__named_list other = {.arena = arena};

  hone__named_text(&other, "version", text_of(device, CL_DEVICE_VERSION, arena));
  add_numbers(device, &other);
  add_extensions(device, &other);
  *out_facts =
      (struct hone__wire_device_facts){.name = text_of(device, CL_DEVICE_NAME, arena),
                                       .kind = kind_of(device),
                                       .platform = platform_text(device, CL_PLATFORM_NAME, arena),
                                       .arch = platform_text(device, CL_PLATFORM_VERSION, arena),
                                       .driver = text_of(device, CL_DRIVER_VERSION, arena),
                                       .other = other.items,
                                       .other_count = other.count};
  out_facts->fingerprint = fingerprint_of(out_facts, arena);
  out_facts->device = hone__arena_strdup(arena, device->name);
  if (device->is_cpu)
    hone__wire_device_facts_note(
        out_facts, arena, "this OpenCL device is a CPU: other programs on it disturb the times");
}
