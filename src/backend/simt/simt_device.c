/* Facts are driver attributes with numbers: one table. */
#include "backend/simt/simt_device.h"

#include "backend/simt/simt_fault.h"
#include "base/digest.h"
#include "wire/named.h"

#include <stdlib.h>

enum { LONGEST_NAME = 256, NO_DEVICE = 100, INVALID_DEVICE = 101, MOST_DEVICES = 1024 };

static const struct {
  const char *name;
  enum simt_attribute attribute;
  int divisor;
} numbers[] = {
    {"shared_bytes", SIMT_SHARED_BYTES, 1},
    {"shared_optin_bytes", SIMT_SHARED_OPTIN_BYTES, 1},
    {"shared_per_sm_bytes", SIMT_SHARED_PER_SM_BYTES, 1},
    {"shared_reserved_bytes", SIMT_SHARED_RESERVED_BYTES, 1},
    {"registers", SIMT_REGISTERS, 1},
    {"registers_per_sm", SIMT_REGISTERS_PER_SM, 1},
    {"max_threads", SIMT_MAX_THREADS, 1},
    {"max_threads_per_sm", SIMT_MAX_THREADS_PER_SM, 1},
    {"max_blocks_per_sm", SIMT_MAX_BLOCKS_PER_SM, 1},
    {"warp_size", SIMT_WARP_SIZE, 1},
    {"sm_count", SIMT_SM_COUNT, 1},
    {"l2_bytes", SIMT_L2_BYTES, 1},
    {"cache_bytes", SIMT_L2_BYTES, 1},
    {"clock_mhz", SIMT_CLOCK_KHZ, 1000},
    {"memory_clock_mhz", SIMT_MEMORY_CLOCK_KHZ, 1000},
    {"bus_bits", SIMT_BUS_BITS, 1},
};

int hone__simt_attribute(const struct hone__simt_library *api, simt_device device,
                         enum simt_attribute attribute)
{
  int number = api->kind->attributes[attribute], value = 0;

  return number >= 0 && api->DeviceGetAttribute(&value, number, device) == 0 ? value : 0;
}

void hone__simt_uuid(const struct hone__simt_library *api, simt_device device,
                     char out_uuid[HONE__SIMT_UUID_TEXT_SIZE])
{
  unsigned char bytes[SIMT_UUID_BYTES] = {0};

  if (!api->DeviceGetUuid_v2 || api->DeviceGetUuid_v2(bytes, device) != 0)
    api->DeviceGetUuid(bytes, device);
  memcpy(out_uuid, "GPU-", 4);
  api->kind->print_uuid(bytes, out_uuid + 4);
}

/* ---- Facts ---- */

/* Everything that times depend on, and nothing that differs between two devices of one kind. */
static const char *fingerprint(const struct hone__wire_device_facts *facts,
                               struct hone__arena *arena)
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

static void add_numbers(const struct hone__simt_library *api, simt_device device,
                        struct hone__named_list *facts)
{
  size_t memory = 0;

  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    int value = hone__simt_attribute(api, device, numbers[i].attribute) / numbers[i].divisor;
    if (value > 0) hone__named_int(facts, numbers[i].name, value);
  }
  if (api->DeviceTotalMem(&memory, device) == 0)
    hone__named_int(facts, "memory_bytes", (int64_t)memory);
  hone__named_int(facts, "line_bytes", 128);
}

void hone__simt_facts(const struct hone__simt_library *api, int index, simt_device device,
                      struct hone__arena *arena, struct hone__wire_device_facts *out_facts)
{
  const struct hone__simt_kind *kind = api->kind;
  char name[LONGEST_NAME] = "", uuid[HONE__SIMT_UUID_TEXT_SIZE];
  struct hone__named_list other = {.arena = arena};

  api->DeviceGetName(name, sizeof name, device);
  hone__simt_uuid(api, device, uuid);
  if (kind->add_facts) kind->add_facts(api, device, &other);
  add_numbers(api, device, &other);
  *out_facts = (struct hone__wire_device_facts){
      .device = hone__arena_printf(arena, "%s:%d", kind->name, index),
      .name = hone__arena_strdup(arena, name),
      .kind = "gpu",
      .arch = kind->arch(api, device, arena),
      .uuid = hone__arena_strdup(arena, uuid),
      .driver = kind->driver_version(api, arena),
      .other = other.items,
      .other_count = other.count};
  out_facts->fingerprint = fingerprint(out_facts, arena);
  if (kind->add_notes) kind->add_notes(api, device, arena, out_facts);
}

/* ---- Devices ---- */

static hone_status driver_error(const struct hone__simt_library *api, simt_result result,
                                const char *what)
{
  struct hone__text words = {0};
  hone_status status;

  hone__simt_describe(api, result, &words);
  status = hone__error(HONE_UNAVAILABLE, "%s %s: %s", api->kind->vendor, what, words.data);
  hone__text_release(&words);
  return status;
}

static hone_status count_devices(const struct hone__simt_library *api, int *out_count)
{
  const struct hone__simt_kind *kind = api->kind;
  simt_result result = api->Init(0);

  if (!result) result = api->DeviceGetCount(out_count);
  if (!result && *out_count > 0) return NULL;
  if (!result || result == NO_DEVICE || result == INVALID_DEVICE) /* HIP says either */
    return hone__error(HONE_UNAVAILABLE, "%s sees no GPU%s%s", kind->vendor,
                       getenv(kind->visible) ? ": " : "; ",
                       getenv(kind->visible) ? kind->is_hidden : kind->no_gpu);
  return driver_error(api, result, "does not start");
}

hone_status hone__simt_list(const struct hone__simt_kind *kind,
                            struct hone__wire_device_list *devices)
{
  const struct hone__simt_library *api;
  hone_status status = kind->library(&api);
  int count = 0;

  if (!status) status = count_devices(api, &count);
  for (int i = 0; i < count && i < MOST_DEVICES && !status; i++) {
    struct hone__wire_device_facts facts;
    simt_device device;
    if (api->DeviceGet(&device, i) != 0) continue;
    hone__simt_facts(api, i, device, &devices->arena, &facts);
    hone__wire_device_list_add(devices, &facts);
  }
  return status;
}

static hone_status not_found(const struct hone__simt_library *api, const char *name, int count)
{
  struct hone__text known = {0};
  hone_status status;

  for (int i = 0; i < count && i < MOST_DEVICES; i++) {
    char uuid[HONE__SIMT_UUID_TEXT_SIZE] = "";
    simt_device device;
    if (api->DeviceGet(&device, i) == 0) hone__simt_uuid(api, device, uuid);
    hone__text_addf(&known, "%s%s:%d (%s)", i ? ", " : "", api->kind->name, i, uuid);
  }
  status = hone__error(HONE_NOT_FOUND, "no device '%s'; available: %s", name, known.data);
  hone__text_release(&known);
  return status;
}

/* By UUID: -1 if no device, or more than one, has this prefix. */
static int find_uuid(const struct hone__simt_library *api, const char *wanted, int count)
{
  int found = -1;

  for (int i = 0; i < count; i++) {
    char uuid[HONE__SIMT_UUID_TEXT_SIZE];
    simt_device device;
    if (api->DeviceGet(&device, i) != 0) continue;
    hone__simt_uuid(api, device, uuid);
    if (!hone__starts_with(uuid, wanted)) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

static int find_index(const struct hone__simt_library *api, const char *name, int count)
{
  const char *own = api->kind->name;
  const char *rest = hone__starts_with(name, own) ? name + strlen(own) : "?";
  char *end;
  long index;

  if (!*rest) return 0;
  if (*rest++ != ':') return -1;
  if (hone__starts_with(rest, "GPU-")) return find_uuid(api, rest, count);
  if (*rest < '0' || *rest > '9') return -1;
  index = strtol(rest, &end, 10);
  return *end || index >= count ? -1 : (int)index;
}

hone_status hone__simt_find(const struct hone__simt_library *api, const char *name, int *out_index,
                            simt_device *out_device)
{
  int count = 0;
  hone_status status = count_devices(api, &count);
  simt_result result;

  if (status) return status;
  *out_index = find_index(api, name, count);
  if (*out_index < 0) return not_found(api, name, count);
  result = api->DeviceGet(out_device, *out_index);
  return result ? driver_error(api, result, "cannot return the device") : NULL;
}
