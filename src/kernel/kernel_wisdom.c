/* What a wisdom file knows about a problem: see hone-wisdom(5). */
#include "kernel/kernel_internal.h"

#include "session/run_devices.h"
#include "session/wisdom_config.h"
#include "wire/device_facts.h"

#include <stdlib.h>

enum { LONGEST_NAME = 256 };

hone_status hone__handle_wisdom_open(struct hone_kernel *kernel)
{
  const char *path = kernel->options.wisdom ? kernel->options.wisdom : getenv("HONE_WISDOM");
  struct hone_wisdom_error error;

  if (!path || !*path) return NULL;
  if (!hone_wisdom_open(path, &kernel->wisdom, &error)) return NULL;
  return hone__error(HONE_INVALID_SPEC, "%s", error.message);
}

/* ---- The question ---- */

struct device_names {
  char device[LONGEST_NAME], family[LONGEST_NAME];
};

/* A GPU is called as its driver calls it. */
static void name_device(struct hone__session *session, struct device_names *names)
{
  const struct hone__wire_device_facts *facts = session->problem.task.device;

  if (facts && facts->name && facts->driver) {
    snprintf(names->device, sizeof names->device, "%s", facts->name);
    snprintf(names->family, sizeof names->family, "%s",
             hone__session_device_family(&session->arena, facts));
  } else {
    hone_wisdom_cpu(names->device, sizeof names->device);
    hone_wisdom_cpu_family(names->family, sizeof names->family);
  }
}

static const struct hone_wisdom_entry *find(const struct hone_kernel *kernel,
                                            const struct device_names *names, const int64_t *sizes,
                                            enum hone_wisdom_match *out_match)
{
  struct hone_wisdom_pair *pairs = hone__alloc((kernel->size_count + 1) * sizeof *pairs);
  const struct hone_wisdom_entry *entry = NULL;
  struct hone_wisdom_query query;

  for (size_t i = 0; i < kernel->size_count; i++)
    pairs[i] = hone_wisdom_integer(kernel->first->names[i], sizes[i]);
  hone_wisdom_query_init(&query);
  query.kernel = kernel->spec->name;
  query.device = names->device;
  query.family = names->family;
  query.problem = pairs;
  query.problem_count = kernel->size_count;
  *out_match = hone_wisdom_find(kernel->wisdom, &query, &entry, NULL);
  free(pairs);
  return entry;
}

/* ---- The answer ---- */

static bool is_legal(const struct hone_space *space, const char *config)
{
  uint32_t *row = hone__alloc(hone_space_width(space) * sizeof *row);
  hone_status status = hone_space_parse(space, config, row);
  bool legal = !status && hone_space_contains(space, row);

  hone_status_free(status);
  free(row);
  return legal;
}

/* Where it may be tuned, what another device of the family has is not taken; where a proof is
 * required, only what is proved for this device and problem is. */
static bool is_wanted(const struct hone_kernel *kernel, const struct hone_wisdom_entry *entry,
                      enum hone_wisdom_match match)
{
  if (!entry) return false;
  switch (kernel->autotune) {
  case HONE_AUTOTUNE_ON: return match != HONE_WISDOM_FAMILY;
  case HONE_AUTOTUNE_REQUIRE:
    return match == HONE_WISDOM_EXACT && hone_wisdom_entry_verdict(entry) != HONE_WISDOM_UNPROVED;
  default: return true;
  }
}

static enum hone_verdict verdict_of(const struct hone_wisdom_entry *entry)
{
  switch (hone_wisdom_entry_verdict(entry)) {
  case HONE_WISDOM_IMPROVED: return HONE_VERDICT_IMPROVED;
  case HONE_WISDOM_NO_IMPROVEMENT: return HONE_VERDICT_NO_IMPROVEMENT;
  case HONE_WISDOM_UNPROVED: break;
  }
  return HONE_VERDICT_NONE;
}

bool hone__handle_from_wisdom(const struct hone_kernel *kernel, struct hone__session *session,
                              const int64_t *sizes, struct hone__handle_choice *out_choice)
{
  const struct hone_wisdom_entry *entry;
  enum hone_wisdom_match match;
  struct device_names names;
  char *config;

  if (!kernel->wisdom) return false;
  name_device(session, &names);
  entry = find(kernel, &names, sizes, &match);
  if (!is_wanted(kernel, entry, match)) return false;
  config = hone__session_wisdom_config(entry);
  if (!config || !is_legal(session->problem.space, config)) {
    free(config);
    return false;
  }
  *out_choice = (struct hone__handle_choice){.config = config,
                                             .origin = HONE_KERNEL_FROM_WISDOM,
                                             .verdict = verdict_of(entry),
                                             .speedup = hone_wisdom_entry_speedup(entry)};
  return true;
}
