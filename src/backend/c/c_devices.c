/* The one device of kernels in C: this machine's CPUs. */
#include "backend/c/c_backend.h"

#include "backend/cpu.h"
#include "space/device.h"
#include "spec/schema.h"
#include "wire/named.h"
#include "wire/packed_json.h"

/* What the machine does not tell, or is true of this moment only, or is a run's. */
static bool is_shown(const struct hone__named *fact)
{
  static const char *const hidden[] = {"fingerprint", "load", NULL};

  return !hone__is_one_of(fact->name, hidden) &&
         (fact->value.type != HONE_TEXT || strcmp(fact->value.text, "unavailable") != 0);
}

static void add_host_values(struct hone__named_list *facts)
{
  struct hone_value value;

  for (const char *const *name = hone__host_names(); *name; name++)
    if (hone__host_value(*name, &value)) hone__named_int(facts, *name, value.integer);
}

hone_status hone__c_devices(json_t *devices)
{
  struct hone__arena arena = {0};
  struct hone__named_list facts = {.arena = &arena};
  struct hone__named_record found;
  json_t *own = json_object();
  hone_status status;

  hone__cpu_facts(own);
  status = hone__unpack(hone__json_packed(own), &hone__named_type, &arena, &found);
  hone__named_text(&facts, "device", "c");
  hone__named_text(&facts, "kind", "cpu");
  for (size_t i = 0; !status && i < found.all_count; i++)
    if (is_shown(&found.all[i])) hone__named_add(&facts, &found.all[i], 1);
  add_host_values(&facts);
  json_array_append_new(
      devices, hone__packed_json(hone__pack(
                   &hone__named_type, &(struct hone__named_record){facts.items, facts.count})));
  hone__arena_release(&arena);
  json_decref(own);
  return status;
}
