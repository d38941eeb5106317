/* Facts are driver attributes with numbers: one table. */
#include "backend/cuda/cuda_device.h"

#include "backend/cuda/cuda_fault.h"
#include "backend/cuda/nvml_library.h"
#include "base/digest.h"
#include "wire/named.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONGEST_NAME = 256, EXCLUSIVE_PROCESS = 3, NO_DEVICE = 100, MOST_DEVICES = 1024 };

static const struct {
  const char *name;
  enum cuda_device_attribute attribute;
  int divisor;
} numbers[] = {
    {"shared_bytes", CUDA_SHARED_BYTES, 1},
    {"shared_optin_bytes", CUDA_SHARED_OPTIN_BYTES, 1},
    {"shared_per_sm_bytes", CUDA_SHARED_PER_SM_BYTES, 1},
    {"shared_reserved_bytes", CUDA_SHARED_RESERVED_BYTES, 1},
    {"registers", CUDA_REGISTERS, 1},
    {"registers_per_sm", CUDA_REGISTERS_PER_SM, 1},
    {"max_threads", CUDA_MAX_THREADS, 1},
    {"max_threads_per_sm", CUDA_MAX_THREADS_PER_SM, 1},
    {"max_blocks_per_sm", CUDA_MAX_BLOCKS_PER_SM, 1},
    {"warp_size", CUDA_WARP_SIZE, 1},
    {"sm_count", CUDA_SM_COUNT, 1},
    {"l2_bytes", CUDA_L2_BYTES, 1},
    {"cache_bytes", CUDA_L2_BYTES, 1},
    {"clock_mhz", CUDA_CLOCK_KHZ, 1000},
    {"memory_clock_mhz", CUDA_MEMORY_CLOCK_KHZ, 1000},
    {"bus_bits", CUDA_BUS_BITS, 1},
};

int hone__cuda_attribute(const struct hone__cuda_library *cuda, cuda_device device,
                         enum cuda_device_attribute attribute)
{
  int value = 0;

  return cuda->DeviceGetAttribute(&value, (int)attribute, device) == 0 ? value : 0;
}

int hone__cuda_capability(const struct hone__cuda_library *cuda, cuda_device device)
{
  return 10 * hone__cuda_attribute(cuda, device, CUDA_CAPABILITY_MAJOR) +
         hone__cuda_attribute(cuda, device, CUDA_CAPABILITY_MINOR);
}

void hone__cuda_uuid(const struct hone__cuda_library *cuda, cuda_device device,
                     char out_uuid[CUDA_UUID_TEXT_SIZE])
{
  unsigned char bytes[CUDA_UUID_BYTES] = {0};
  char *p = out_uuid;

  if (!cuda->DeviceGetUuid_v2 || cuda->DeviceGetUuid_v2(bytes, device) != 0)
    cuda->DeviceGetUuid(bytes, device);
  p += sprintf(p, "GPU-");
  for (int i = 0; i < CUDA_UUID_BYTES; i++)
    p += sprintf(p, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
}

/* ---- Facts ---- */

/* Hopper and later have architecture-specific instructions: suffix "a". */
static const char *architecture(struct hone__arena *arena, int capability)
{
  return hone__arena_printf(arena, "sm_%d%s", capability, capability >= 90 ? "a" : "");
}

static const char *driver_version(const struct hone__cuda_library *cuda, struct hone__arena *arena)
{
  const struct hone__nvml_library *nvml = hone__nvml_library();
  char text[96] = "";
  int version = 0;

  if (nvml && nvml->SystemGetDriverVersion && nvml->SystemGetDriverVersion(text, sizeof text) == 0)
    return hone__arena_strdup(arena, text);
  cuda->DriverGetVersion(&version);
  return hone__arena_printf(arena, "CUDA %d.%d", version / 1000, version % 1000 / 10);
}

bool hone__cuda_has_mps(void)
{
  const char *folder = getenv("CUDA_MPS_PIPE_DIRECTORY");
  struct hone__text path = {0};
  bool is_here;

  hone__text_addf(&path, "%s/control", folder && *folder ? folder : "/tmp/nvidia-mps");
  is_here = access(path.data, F_OK) == 0;
  hone__text_release(&path);
  return is_here;
}

static void add_notes(const struct hone__cuda_library *cuda, cuda_device device,
                      struct hone__arena *arena, struct hone__device_facts *facts)
{
  if (hone__cuda_has_mps() || hone__cuda_attribute(cuda, device, CUDA_MPS_ENABLED) > 0)
    hone__device_facts_note(facts, arena,
                            "MPS is in use: a fault in one process terminates all processes that "
                            "share this GPU, and other processes disturb times");
  if (hone__cuda_attribute(cuda, device, CUDA_COMPUTE_MODE) == EXCLUSIVE_PROCESS)
    hone__device_facts_note(
        facts, arena, "this GPU is in exclusive mode: no other process can use it while Hone runs");
}

/* Everything that times depend on, and nothing that differs between two devices of one kind. */
static const char *fingerprint(const struct hone__device_facts *facts, struct hone__arena *arena)
{
  const char *const words[] = {facts->name, facts->arch, facts->driver};
  struct hone__digester *digester = hone__digest_begin();
  char text[HONE__DIGEST_SIZE];

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    hone__digest_add_text(digester, words[i]);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    long long value =
        (long long)hone__named_number(facts->other, facts->other_count, numbers[i].name);
    hone__digest_add(digester, &value, sizeof value);
  }
  hone__digest_end(digester, text);
  return hone__arena_strdup(arena, text);
}

static void add_numbers(const struct hone__cuda_library *cuda, cuda_device device,
                        struct hone__named_list *facts)
{
  size_t memory = 0;

  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    int value = hone__cuda_attribute(cuda, device, numbers[i].attribute) / numbers[i].divisor;
    if (value > 0) hone__named_int(facts, numbers[i].name, value);
  }
  if (cuda->DeviceTotalMem_v2(&memory, device) == 0)
    hone__named_int(facts, "memory_bytes", (int64_t)memory);
  hone__named_int(facts, "line_bytes", 128);
}

void hone__cuda_facts(const struct hone__cuda_library *cuda, int index, cuda_device device,
                      struct hone__arena *arena, struct hone__device_facts *out_facts)
{
  int capability = hone__cuda_capability(cuda, device);
  char name[LONGEST_NAME] = "", uuid[CUDA_UUID_TEXT_SIZE];
  struct hone__named_list other = {.arena = arena};

  cuda->DeviceGetName(name, sizeof name, device);
  hone__cuda_uuid(cuda, device, uuid);
  hone__named_int(&other, "compute_capability", capability);
  add_numbers(cuda, device, &other);
  *out_facts = (struct hone__device_facts){.device = hone__arena_printf(arena, "cuda:%d", index),
                                           .name = hone__arena_strdup(arena, name),
                                           .kind = "gpu",
                                           .arch = architecture(arena, capability),
                                           .uuid = hone__arena_strdup(arena, uuid),
                                           .driver = driver_version(cuda, arena),
                                           .other = other.items,
                                           .other_count = other.count};
  out_facts->fingerprint = fingerprint(out_facts, arena);
  add_notes(cuda, device, arena, out_facts);
}

/* ---- Devices ---- */

static hone_status driver_error(const struct hone__cuda_library *cuda, cuda_result result,
                                const char *what)
{
  struct hone__text words = {0};
  hone_status status;

  hone__cuda_describe(cuda, result, &words);
  status = hone__error(HONE_UNAVAILABLE, "NVIDIA's driver %s: %s", what, words.data);
  hone__text_release(&words);
  return status;
}

static hone_status count_devices(const struct hone__cuda_library *cuda, int *out_count)
{
  cuda_result result = cuda->Init(0);

  if (!result) result = cuda->DeviceGetCount(out_count);
  if (!result && *out_count > 0) return NULL;
  if (!result || result == NO_DEVICE)
    return hone__error(HONE_UNAVAILABLE, "NVIDIA's driver sees no GPU%s",
                       getenv("CUDA_VISIBLE_DEVICES") ? ": CUDA_VISIBLE_DEVICES hides them"
                                                      : "; 'nvidia-smi' should list one");
  return driver_error(cuda, result, "does not start");
}

hone_status hone__cuda_list(struct hone__device_list *devices)
{
  const struct hone__cuda_library *cuda;
  hone_status status = hone__cuda_library(&cuda);
  int count = 0;

  if (!status) status = count_devices(cuda, &count);
  for (int i = 0; i < count && i < MOST_DEVICES && !status; i++) {
    struct hone__device_facts facts;
    cuda_device device;
    if (cuda->DeviceGet(&device, i) != 0) continue;
    hone__cuda_facts(cuda, i, device, &devices->arena, &facts);
    hone__device_list_add(devices, &facts);
  }
  return status;
}

static hone_status not_found(const struct hone__cuda_library *cuda, const char *name, int count)
{
  struct hone__text known = {0};
  hone_status status;

  for (int i = 0; i < count && i < MOST_DEVICES; i++) {
    char uuid[CUDA_UUID_TEXT_SIZE] = "";
    cuda_device device;
    if (cuda->DeviceGet(&device, i) == 0) hone__cuda_uuid(cuda, device, uuid);
    hone__text_addf(&known, "%scuda:%d (%s)", i ? ", " : "", i, uuid);
  }
  status = hone__error(HONE_NOT_FOUND, "no device '%s'; available: %s", name, known.data);
  hone__text_release(&known);
  return status;
}

/* By UUID: -1 if no device, or more than one, has this prefix. */
static int find_uuid(const struct hone__cuda_library *cuda, const char *wanted, int count)
{
  int found = -1;

  for (int i = 0; i < count; i++) {
    char uuid[CUDA_UUID_TEXT_SIZE];
    cuda_device device;
    if (cuda->DeviceGet(&device, i) != 0) continue;
    hone__cuda_uuid(cuda, device, uuid);
    if (!hone__starts_with(uuid, wanted)) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

static int find_index(const struct hone__cuda_library *cuda, const char *name, int count)
{
  const char *rest = hone__starts_with(name, "cuda") ? name + 4 : "?";
  char *end;
  long index;

  if (!*rest) return 0;
  if (*rest++ != ':') return -1;
  if (hone__starts_with(rest, "GPU-")) return find_uuid(cuda, rest, count);
  if (*rest < '0' || *rest > '9') return -1;
  index = strtol(rest, &end, 10);
  return *end || index >= count ? -1 : (int)index;
}

hone_status hone__cuda_find(const struct hone__cuda_library *cuda, const char *name, int *out_index,
                            cuda_device *out_device)
{
  int count = 0;
  hone_status status = count_devices(cuda, &count);
  cuda_result result;

  if (status) return status;
  *out_index = find_index(cuda, name, count);
  if (*out_index < 0) return not_found(cuda, name, count);
  result = cuda->DeviceGet(out_device, *out_index);
  return result ? driver_error(cuda, result, "cannot return the device") : NULL;
}
