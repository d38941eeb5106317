/* HIP's driver: simt/simt_driver.c with what only HIP has. */
#include "backend/hip/hip_code.h"
#include "backend/hip/hip_gpu.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* hipDeviceProp_t has less than 2 KiB in all versions, and begins with the name. */
enum { PROPERTIES_BYTES = 16 << 10, NAME_BYTES = 256, LONGEST_ARCH = 16 };

/* ---- Facts ---- */

/* The text "gfx90a:sramecc+:xnack-" has another offset in every version of the struct, and no
 * attribute has it. */
static const char *find_arch(const char *properties)
{
  for (size_t i = NAME_BYTES; i + LONGEST_ARCH < PROPERTIES_BYTES; i++)
    if (memcmp(properties + i, "gfx", 3) == 0 && isdigit((unsigned char)properties[i + 3]))
      return properties + i;
  return NULL;
}

/* Without features: code that names none runs with any. */
const char *hone__hip_arch(const struct hone__simt_library *api, simt_device device,
                           struct hone__arena *arena)
{
  char *properties = hone__alloc(PROPERTIES_BYTES);
  simt_result (*ask)(void *, int) =
      api->GetDevicePropertiesR0600 ? api->GetDevicePropertiesR0600 : api->GetDeviceProperties;
  const char *found = ask && ask(properties, device) == 0 ? find_arch(properties) : NULL;
  const char *arch =
      found ? hone__arena_strndup(arena, found, strspn(found, "gfx0123456789abcdef")) : NULL;

  free(properties);
  return arch;
}

/* The bytes are characters: the number that rocminfo prints. */
static void print_uuid(const unsigned char bytes[SIMT_UUID_BYTES], char out_text[37])
{
  bool is_text = true;

  for (int i = 0; i < SIMT_UUID_BYTES; i++)
    is_text = is_text && isxdigit(bytes[i]);
  for (int i = 0; i < SIMT_UUID_BYTES; i++)
    out_text += sprintf(out_text, is_text ? "%c" : "%02x", bytes[i]);
}

static const char *driver_version(const struct hone__simt_library *api, struct hone__arena *arena)
{
  int version = 0;

  api->DriverGetVersion(&version);
  return hone__arena_printf(arena, "HIP %d.%d.%d", version / 10000000, version / 100000 % 100,
                            version % 100000);
}

/* ---- Objects ---- */

static bool get_params(const void *code, size_t size, const char *name,
                       struct hone__simt_param **out_params, size_t *out_count)
{
  struct hone__hip_kernel *known = hone__alloc(sizeof *known);
  bool are_known = hone__hip_code_kernel(code, size, name, known);

  *out_count = known->param_count;
  *out_params = hone__alloc((known->param_count + 1) * sizeof **out_params);
  if (known->param_count)
    memcpy(*out_params, known->params, known->param_count * sizeof **out_params);
  free(known);
  return are_known;
}

static void explain_load(struct hone__simt_gpu *gpu, const void *code, size_t size)
{
  struct hone__arena arena = {0};
  char built[HONE__HIP_ARCH_SIZE];
  const char *own = hone__hip_arch(gpu->api, gpu->device, &arena);
  size_t length = strlen(gpu->base.fault.message);

  if (hone__hip_code_arch(code, size, built) && own && strcmp(built, own) != 0)
    snprintf(gpu->base.fault.message + length, sizeof gpu->base.fault.message - length,
             "; it was built for %s, this device is %s", built, own);
  hone__arena_release(&arena);
}

/* ---- The driver ---- */

static const int attributes[] = {
#define HONE__HIP_NUMBER(name, cuda, hip) [name] = hip,
    HONE__SIMT_ATTRIBUTES(HONE__HIP_NUMBER)
#undef HONE__HIP_NUMBER
};

const struct hone__simt_kind hone__simt_kind_hip = {
    .name = "hip",
    .title = "HIP",
    .vendor = "the HIP runtime",
    .no_gpu = "'rocminfo' should list one",
    .visible = "HIP_VISIBLE_DEVICES",
    .is_hidden = "HIP_VISIBLE_DEVICES hides them",
    .no_context = "call hipSetDevice and hipFree(0)",
    .driver = &hone__gpu_hip,
    .gpu_bytes = sizeof(struct hone__simt_gpu),
    .attributes = attributes,
    .library = hone__hip_library,
    .print_uuid = print_uuid,
    .arch = hone__hip_arch,
    .driver_version = driver_version,
    .own_module = hone__hip_own_module,
    .params = get_params,
    .explain_load = explain_load,
    .copy_array = hone__hip_copy_array,
};

static hone_status list_devices(struct hone__wire_device_list *devices)
{
  return hone__simt_list(&hone__simt_kind_hip, devices);
}

static hone_status open_gpu(const char *device, struct hone__gpu **out_gpu)
{
  return hone__simt_open(&hone__simt_kind_hip, device, out_gpu);
}

const struct hone__gpu_driver hone__gpu_hip = {
    .name = "hip",
    .list = list_devices,
    .open = open_gpu,
    HONE__SIMT_METHODS,
};
