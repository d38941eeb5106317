/* The host's values come from sysconf and the system's files; given ones from a text. */
#include "space/device.h"

#include "base/cpu_cache.h"
#include "base/machine.h"
#include "space/device_model.h"
#include "spec/evaluate.h"

#include <string.h>
#include <unistd.h>

static int64_t memory_bytes(int query)
{
  (void)query;
  return (int64_t)hone__memory_bytes();
}

static int64_t plain_value(int query)
{
  return sysconf(query);
}

/* What the system's files say of the first CPU, else what the processor says. */
static int64_t cache_bytes(int query)
{
  int level = query == _SC_LEVEL1_DCACHE_SIZE ? 1 : query == _SC_LEVEL2_CACHE_SIZE ? 2 : 3;
  size_t bytes = hone__cpu_cache_size(HONE__CPU_FOLDER, hone__cpu_first(), level);

  return bytes ? (int64_t)bytes : sysconf(query);
}

static const struct {
  const char *name;
  int query; /* of sysconf */
  int64_t (*ask)(int query);
} values[] = {
    {"cores", _SC_NPROCESSORS_ONLN, plain_value},
    {"l1_bytes", _SC_LEVEL1_DCACHE_SIZE, cache_bytes},
    {"l2_bytes", _SC_LEVEL2_CACHE_SIZE, cache_bytes},
    {"l3_bytes", _SC_LEVEL3_CACHE_SIZE, cache_bytes},
    {"cache_bytes", _SC_LEVEL2_CACHE_SIZE, cache_bytes},
    {"line_bytes", _SC_LEVEL1_DCACHE_LINESIZE, plain_value},
    {"page_bytes", _SC_PAGESIZE, plain_value},
    {"memory_bytes", _SC_PHYS_PAGES, memory_bytes},
};
enum { COUNT = sizeof values / sizeof *values };

bool hone__space_host_value(const char *name, struct hone_value *out_value)
{
  for (int i = 0; i < COUNT; i++) {
    int64_t found;
    if (strcmp(values[i].name, name) != 0) continue;
    found = values[i].ask(values[i].query);
    *out_value = hone__int(found);
    return found > 0;
  }
  return false;
}

const char *const *hone__space_host_names(void)
{
  static const char *names[COUNT + 1];

  for (int i = 0; i < COUNT; i++)
    names[i] = values[i].name;
  return names;
}

/* ---- What is given ---- */

static bool lookup(const struct hone__given_device *device, const char *name,
                   struct hone_value *out_value)
{
  for (size_t i = 0; i < device->count; i++)
    if (strcmp(device->names[i], name) == 0) {
      *out_value = device->values[i];
      return true;
    }
  return false;
}

/* Up to a comma that is not in quotes. */
static size_t pair_length(const char *text)
{
  char quote = 0;
  size_t length = 0;

  for (; text[length] && (quote || text[length] != ','); length++) {
    if (quote && text[length] == '\\' && text[length + 1])
      length++;
    else if (quote ? text[length] == quote : text[length] == '\'' || text[length] == '"')
      quote = quote ? 0 : text[length];
  }
  return length;
}

static hone_status read_pair(struct hone__arena *arena, const char *text, size_t length,
                             struct hone__given_device *device)
{
  size_t equals = strcspn(text, "=,");
  struct hone_value ignored;
  const char *name;

  if (equals == 0 || equals >= length)
    return hone__error(
        HONE_INVALID_ARGUMENT,
        "bad device '%s': expected NAME=VALUE,NAME=VALUE; the first may be a kind of GPU (%s)",
        text, hone__space_device_models());
  name = hone__arena_strndup(arena, text, equals);
  if (lookup(device, name, &ignored))
    return hone__error(HONE_INVALID_ARGUMENT, "'%s' is given twice", name);
  device->names[device->count] = name;
  device->values[device->count++] = hone__evaluate_word(
      arena, hone__arena_strndup(arena, text + equals + 1, length - equals - 1));
  return NULL;
}

hone_status hone__space_device_read(struct hone__arena *arena, const char *text,
                                    struct hone__given_device *out_device)
{
  size_t room = 1, length = pair_length(text);
  hone_status status = NULL;

  *out_device = (struct hone__given_device){0};
  for (const char *p = text; *p; p++)
    room += *p == ',';
  out_device->names = hone__arena_alloc(arena, room * sizeof *out_device->names);
  out_device->values = hone__arena_alloc(arena, room * sizeof *out_device->values);
  if (length && !memchr(text, '=', length)) {
    out_device->name = hone__arena_strndup(arena, text, length);
    text += length + (text[length] == ',');
  }
  while (*text && !status) {
    length = pair_length(text);
    status = read_pair(arena, text, length, out_device);
    text += length + (text[length] == ',');
  }
  return status;
}

bool hone__space_device_value(const struct hone__given_device *device, const char *name,
                              struct hone_value *out_value)
{
  const struct hone__device_model *model =
      device->name ? hone__space_device_model_find(device->name) : NULL;
  const char *known;

  if (lookup(device, name, out_value)) return true;
  if (model && strcmp(name, "arch") == 0) { /* as it is written: an `a` may follow */
    *out_value = hone__string(device->name);
    return true;
  }
  for (size_t i = 0; model && hone__space_device_model_fact(model, i, &known, out_value); i++)
    if (strcmp(known, name) == 0) return out_value->type != HONE_INT || out_value->integer > 0;
  return false;
}
