/* Platforms are in the order of the loader, which follows file names and so is stable; devices are
 * in the order of their platform. A device's own name contains its platform's word, and does not
 * change when another driver is installed. Without a name a GPU is meant, if there is one, even
 * though PoCL makes the CPU a device too.
 */
#include "backend/opencl/opencl_device.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { MOST_PLATFORMS = 32, MOST_DEVICES = 64, NAME_SIZE = 256 };

struct devices {
  struct hone__opencl_device items[MOST_DEVICES];
  size_t count;
};

/* ---- The words of platforms ---- */

static const struct {
  const char *part, *word;
} words[] = {
    {"Portable Computing Language", "pocl"},
    {"NVIDIA", "nvidia"},
    {"Intel", "intel"},
    {"AMD", "amd"},
    {"Advanced Micro Devices", "amd"},
    {"rusticl", "rusticl"},
    {"ARM", "arm"},
    {"Apple", "apple"},
};

/* Of one without a row: the first word of its name. */
static void find_word(const char *name, char *word, size_t size)
{
  size_t length = 0;

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(name, words[i].part)) {
      snprintf(word, size, "%s", words[i].word);
      return;
    }
  for (; isalnum((unsigned char)name[length]) && length + 1 < size; length++)
    word[length] = (char)tolower((unsigned char)name[length]);
  word[length] = 0;
  if (!length) snprintf(word, size, "platform");
}

static void platform_text(const struct hone__opencl_library *cl, cl_platform platform,
                          uint32_t what, char text[NAME_SIZE])
{
  memset(text, 0, NAME_SIZE);
  cl->GetPlatformInfo(platform, what, NAME_SIZE - 1, text, NULL);
}

/* ---- All of them ---- */

static size_t count_of_word(const struct devices *devices, const char *word)
{
  size_t count = 0;

  for (size_t i = 0; i < devices->count; i++)
    count += strcmp(devices->items[i].word, word) == 0;
  return count;
}

static void add_device(struct devices *devices, const struct hone__opencl_library *cl,
                       cl_platform platform, const char *word, cl_device id)
{
  struct hone__opencl_device *device = &devices->items[devices->count];

  *device = (struct hone__opencl_device){.cl = cl, .platform = platform, .device = id};
  snprintf(device->word, sizeof device->word, "%s", word);
  snprintf(device->name, sizeof device->name, "opencl:%s:%zu", word, count_of_word(devices, word));
  device->is_cpu = hone__opencl_number(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
  device->is_pocl = strcmp(word, "pocl") == 0;
  device->is_nvidia = strcmp(word, "nvidia") == 0;
  devices->count++;
}

static void add_platform(struct devices *devices, const struct hone__opencl_library *cl,
                         cl_platform platform)
{
  char name[NAME_SIZE], word[sizeof devices->items->word];
  cl_device ids[MOST_DEVICES];
  uint32_t count = 0;

  platform_text(cl, platform, CL_PLATFORM_NAME, name);
  find_word(name, word, sizeof word);
  if (cl->GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &count) != CL_SUCCESS)
    return;
  for (uint32_t i = 0; i < count && i < MOST_DEVICES && devices->count < MOST_DEVICES; i++)
    add_device(devices, cl, platform, word, ids[i]);
}

static hone_status no_devices(int code)
{
  char error[HONE__OPENCL_ERROR_SIZE];

  return hone__error(HONE_UNAVAILABLE,
                     "libOpenCL lists no device (%s): install your device's driver, or "
                     "pocl-opencl-icd for CPUs; /etc/OpenCL/vendors must list it",
                     hone__opencl_error(code, error));
}

static hone_status enumerate(struct devices *devices)
{
  const struct hone__opencl_library *cl;
  hone_status status = hone__opencl_enter(&cl);
  cl_platform platforms[MOST_PLATFORMS];
  uint32_t count = 0;
  int code;

  devices->count = 0;
  if (status) return status;
  hone__opencl_note_use();
  code = cl->GetPlatformIDs(MOST_PLATFORMS, platforms, &count);
  if (code != CL_SUCCESS) return no_devices(code);
  for (uint32_t i = 0; i < count && i < MOST_PLATFORMS; i++)
    add_platform(devices, cl, platforms[i]);
  return devices->count ? NULL : no_devices(CL_DEVICE_NOT_FOUND);
}

/* ---- One by its name ---- */

static const struct hone__opencl_device *preferred(const struct devices *devices)
{
  static const uint64_t types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR};

  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    for (size_t i = 0; i < devices->count; i++)
      if (hone__opencl_number(&devices->items[i], CL_DEVICE_TYPE) & types[k])
        return &devices->items[i];
  return devices->count ? &devices->items[0] : NULL;
}

static bool is_number(const char *text)
{
  return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 6;
}

static bool has_word(const struct hone__opencl_device *device, const char *word, size_t length)
{
  char name[NAME_SIZE];
  char *wanted;
  bool has;

  if (strlen(device->word) == length && strncasecmp(device->word, word, length) == 0) return true;
  platform_text(device->cl, device->platform, CL_PLATFORM_NAME, name);
  wanted = hone__strndup(word, length);
  has = length && wanted && strcasestr(name, wanted);
  free(wanted);
  return has;
}

/* `rest` is what follows "opencl". */
static const struct hone__opencl_device *pick(const struct devices *devices, const char *rest)
{
  const char *word = *rest == ':' ? rest + 1 : rest, *colon = strchr(word, ':');
  size_t length = colon ? (size_t)(colon - word) : strlen(word), index = 0;

  if (!*word) return preferred(devices);
  if (is_number(word)) {
    index = strtoul(word, NULL, 10);
    return index < devices->count ? &devices->items[index] : NULL;
  }
  if (colon && !is_number(colon + 1)) return NULL;
  if (colon) index = strtoul(colon + 1, NULL, 10);
  for (size_t i = 0; i < devices->count; i++)
    if (has_word(&devices->items[i], word, length) && index-- == 0) return &devices->items[i];
  return NULL;
}

static hone_status not_found(const struct devices *devices, const char *name)
{
  struct hone__text known = {0};
  hone_status status;

  for (size_t i = 0; i < devices->count; i++)
    hone__text_addf(&known, "%s%s", i ? ", " : "", devices->items[i].name);
  status = hone__error(HONE_NOT_FOUND, "no device '%s'; available: %s", name, known.data);
  hone__text_release(&known);
  return status;
}

hone_status hone__opencl_find(const char *name, struct hone__opencl_device *out_device)
{
  struct devices *devices = hone__alloc(sizeof *devices);
  const struct hone__opencl_device *found = NULL;
  hone_status status = enumerate(devices);

  if (!status && hone__starts_with(name, "opencl") && (name[6] == ':' || !name[6]))
    found = pick(devices, name + 6);
  if (!status && !found) status = not_found(devices, name);
  if (found) *out_device = *found;
  free(devices);
  return status;
}

hone_status hone__opencl_find_id(cl_device id, struct hone__opencl_device *out_device)
{
  struct devices *devices = hone__alloc(sizeof *devices);
  hone_status status = enumerate(devices);
  size_t i = 0;

  while (!status && i < devices->count && devices->items[i].device != id)
    i++;
  if (!status && i == devices->count)
    status = hone__error(HONE_NOT_FOUND, "no OpenCL driver lists the program's device");
  if (!status) *out_device = devices->items[i];
  free(devices);
  return status;
}

hone_status hone__opencl_list(struct hone__wire_device_list *list)
{
  struct devices *devices = hone__alloc(sizeof *devices);
  hone_status status = enumerate(devices);

  for (size_t i = 0; i < devices->count; i++) {
    struct hone__wire_device_facts facts;
    hone__opencl_facts(&devices->items[i], &list->arena, &facts);
    facts.is_default = &devices->items[i] == preferred(devices);
    hone__wire_device_list_add(list, &facts);
  }
  free(devices);
  return status;
}
