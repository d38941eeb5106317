/* The one device of kernels in C: this machine's CPUs. */
#include "backend/c/c_backend.h"

#include "backend/cpu.h"
#include "space/device.h"

static void drop_unavailable(json_t *facts)
{
  const char *key;
  json_t *value;
  void *next;

  json_object_foreach_safe(facts, next, key, value)
  {
    if (json_is_string(value) && strcmp(json_string_value(value), "unavailable") == 0)
      json_object_del(facts, key);
  }
}

hone_status hone__c_devices(json_t *devices)
{
  json_t *facts = json_pack("{s:s, s:s}", "device", "c", "kind", "cpu");
  struct hone_value value;

  hone__cpu_facts(facts);
  drop_unavailable(facts);
  json_object_del(facts, "fingerprint");
  json_object_del(facts, "load"); /* true of this moment only */
  for (const char *const *name = hone__host_names(); *name; name++)
    if (hone__host_value(*name, &value))
      json_object_set_new(facts, *name, json_integer(value.integer));
  json_array_append_new(devices, facts);
  return NULL;
}
