/* The one device of kernels in C: this machine's CPUs. */
#include "backend/c/c_backend.h"

#include "backend/cpu.h"
#include "space/device.h"
#include "spec/schema.h"
#include "wire/named.h"

/* Facts that the machine does not report, or that change from moment to moment. */
static bool is_shown(const struct hone__named *fact)
{
  return strcmp(fact->name, "load") != 0 &&
         (fact->value.type != HONE_TEXT || strcmp(fact->value.text, "unavailable") != 0);
}

static void add_host_values(struct hone__named_list *facts)
{
  struct hone_value value;

  for (const char *const *name = hone__space_host_names(); *name; name++)
    if (hone__space_host_value(*name, &value)) hone__named_int(facts, *name, value.integer);
}

/* The fingerprint belongs to a run. */
static void describe_cpus(struct hone__arena *arena, struct hone__wire_device_facts *out_facts)
{
  struct hone__named_list shown = {.arena = arena};
  struct hone__wire_device_facts found;

  hone__backend_cpu_facts(arena, &found);
  for (size_t i = 0; i < found.other_count; i++)
    if (is_shown(&found.other[i])) hone__named_add(&shown, &found.other[i], 1);
  add_host_values(&shown);
  *out_facts = (struct hone__wire_device_facts){.device = "c",
                                                .name = found.name,
                                                .kind = "cpu",
                                                .other = shown.items,
                                                .other_count = shown.count};
}

hone_status hone__c_devices(struct hone__wire_device_list *out_list)
{
  struct hone__wire_device_facts facts;

  *out_list = (struct hone__wire_device_list){0};
  describe_cpus(&out_list->arena, &facts);
  hone__wire_device_list_add(out_list, &facts);
  return NULL;
}
