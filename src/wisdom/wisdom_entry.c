/* What an entry says. */
#include "wisdom/wisdom_parts.h"

#include <string.h>

size_t hone_wisdom_count(const struct hone_wisdom *wisdom)
{
  return wisdom->count;
}

const struct hone_wisdom_entry *hone_wisdom_at(const struct hone_wisdom *wisdom, size_t index)
{
  return index < wisdom->count ? &wisdom->entries[index] : NULL;
}

double hone_wisdom_bound(const struct hone_wisdom *wisdom)
{
  return wisdom->bound;
}

const char *hone_wisdom_entry_kernel(const struct hone_wisdom_entry *entry)
{
  return entry->kernel;
}

const char *hone_wisdom_entry_device(const struct hone_wisdom_entry *entry)
{
  return entry->device;
}

const char *hone_wisdom_entry_family(const struct hone_wisdom_entry *entry)
{
  return entry->family;
}

const char *hone_wisdom_entry_alias(const struct hone_wisdom_entry *entry, size_t index)
{
  return index < entry->alias_count ? entry->aliases[index] : NULL;
}

enum hone_wisdom_verdict hone_wisdom_entry_verdict(const struct hone_wisdom_entry *entry)
{
  return entry->verdict;
}

double hone_wisdom_entry_speedup(const struct hone_wisdom_entry *entry)
{
  return entry->speedup;
}

double hone_wisdom_entry_low(const struct hone_wisdom_entry *entry)
{
  return entry->low;
}

double hone_wisdom_entry_high(const struct hone_wisdom_entry *entry)
{
  return entry->high;
}

double hone_wisdom_entry_confidence(const struct hone_wisdom_entry *entry)
{
  return entry->confidence;
}

/* ---- Pairs ---- */

static const struct hone_wisdom_pair *pair_at(const struct hone__wisdom_pairs *pairs, size_t index)
{
  return index < pairs->count ? &pairs->items[index] : NULL;
}

const struct hone_wisdom_pair *hone_wisdom_entry_size(const struct hone_wisdom_entry *entry,
                                                      size_t index)
{
  return pair_at(&entry->problem, index);
}

const struct hone_wisdom_pair *hone_wisdom_entry_param(const struct hone_wisdom_entry *entry,
                                                       size_t index)
{
  return pair_at(&entry->config, index);
}

const struct hone_wisdom_pair *hone_wisdom_entry_environment(const struct hone_wisdom_entry *entry,
                                                             size_t index)
{
  return pair_at(&entry->environment, index);
}

/* ---- Values ---- */

const struct hone_wisdom_value *hone_wisdom_entry_value(const struct hone_wisdom_entry *entry,
                                                        const char *name)
{
  for (size_t i = 0; i < entry->config.count; i++)
    if (strcmp(entry->config.items[i].name, name) == 0) return &entry->config.items[i].value;
  return NULL;
}

int64_t hone_wisdom_entry_integer(const struct hone_wisdom_entry *entry, const char *name,
                                  int64_t fallback)
{
  const struct hone_wisdom_value *value = hone_wisdom_entry_value(entry, name);

  if (!value) return fallback;
  return value->type == HONE_WISDOM_INTEGER || value->type == HONE_WISDOM_BOOL ? value->integer
                                                                               : fallback;
}

double hone_wisdom_entry_real(const struct hone_wisdom_entry *entry, const char *name,
                              double fallback)
{
  const struct hone_wisdom_value *value = hone_wisdom_entry_value(entry, name);

  if (!value) return fallback;
  return value->type == HONE_WISDOM_INTEGER || value->type == HONE_WISDOM_REAL ? value->real
                                                                               : fallback;
}

const char *hone_wisdom_entry_text(const struct hone_wisdom_entry *entry, const char *name,
                                   const char *fallback)
{
  const struct hone_wisdom_value *value = hone_wisdom_entry_value(entry, name);

  return value && value->type == HONE_WISDOM_TEXT ? value->text : fallback;
}
