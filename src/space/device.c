#include "space/device.h"

#include <unistd.h>

static int64_t memory_bytes(void)
{
  return (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

static const struct {
  const char *name;
  int query; /* of sysconf; -1: memory */
} values[] = {
    {"cores", _SC_NPROCESSORS_ONLN},        {"l1_bytes", _SC_LEVEL1_DCACHE_SIZE},
    {"l2_bytes", _SC_LEVEL2_CACHE_SIZE},    {"l3_bytes", _SC_LEVEL3_CACHE_SIZE},
    {"cache_bytes", _SC_LEVEL2_CACHE_SIZE}, {"line_bytes", _SC_LEVEL1_DCACHE_LINESIZE},
    {"page_bytes", _SC_PAGESIZE},           {"memory_bytes", -1},
};
enum { COUNT = sizeof values / sizeof *values };

bool hone__host_value(const char *name, struct hone_value *out_value)
{
  for (int i = 0; i < COUNT; i++) {
    int64_t found;
    if (strcmp(values[i].name, name) != 0) continue;
    found = values[i].query < 0 ? memory_bytes() : sysconf(values[i].query);
    *out_value = hone__int(found);
    return found > 0;
  }
  return false;
}

const char *const *hone__host_names(void)
{
  static const char *names[COUNT + 1];

  for (int i = 0; i < COUNT; i++)
    names[i] = values[i].name;
  return names;
}
