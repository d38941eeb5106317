/* A table of hashes. An entry is in it by kernel, device and problem, by kernel and device, by
 * kernel and family, and by device; under each of its device's names. Entries with the same hash
 * are chained, and whoever finds one compares its texts: a collision costs time, but the answer
 * stays right. */
#include "wisdom/wisdom_parts.h"

#include <string.h>

typedef enum hone_wisdom_code code_t;

/* ---- Hashes ---- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* Eight bytes at a time; the last word has fewer. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
  unsigned count;

  do {
    uint64_t word = 0;
    for (count = 0; count < sizeof word && text[count]; count++)
      word |= (uint64_t)(unsigned char)text[count] << 8 * count;
    hash = mix(hash, word);
    text += sizeof word;
  } while (count == sizeof(uint64_t));
  return hash;
}

enum { SEED_DEVICE = 1, SEED_FAMILY, SEED_NAME };

uint64_t hone__wisdom_hash_device(const char *kernel, const char *device)
{
  return hash_text(hash_text(SEED_DEVICE, kernel), device);
}

uint64_t hone__wisdom_hash_family(const char *kernel, const char *family)
{
  return hash_text(hash_text(SEED_FAMILY, kernel), family);
}

uint64_t hone__wisdom_hash_name(const char *device)
{
  return hash_text(SEED_NAME, device);
}

/* Numbers that are equal have the same, whatever their types. */
static uint64_t hash_value(uint64_t hash, const struct hone_wisdom_value *value)
{
  double real = value->type == HONE_WISDOM_BOOL ? (double)value->integer : value->real;
  uint64_t bits;

  if (value->type == HONE_WISDOM_TEXT) return hash_text(hash, value->text ? value->text : "");
  if (value->type == HONE_WISDOM_NONE) return mix(hash, 1);
  real += 0.0; /* -0 is 0 */
  memcpy(&bits, &real, sizeof bits);
  return mix(hash, bits);
}

uint64_t hone__wisdom_hash_problem(uint64_t hash, const struct hone_wisdom_pair *sizes,
                                   size_t count)
{
  uint64_t sum = count;

  for (size_t i = 0; i < count; i++)
    sum += hash_value(hash_text(0, sizes[i].name), &sizes[i].value);
  return mix(hash, sum);
}

/* ---- The table ---- */

static struct hone__wisdom_slot *find_slot(const struct hone_wisdom *wisdom, uint64_t hash)
{
  size_t at = (size_t)(hash ^ hash >> 32) & wisdom->mask;

  while (wisdom->slots[at].first && wisdom->slots[at].hash != hash)
    at = (at + 1) & wisdom->mask;
  return &wisdom->slots[at];
}

uint32_t hone__wisdom_links(const struct hone_wisdom *wisdom, uint64_t hash)
{
  return find_slot(wisdom, hash)->first;
}

static void add(struct hone_wisdom *wisdom, uint64_t hash, uint32_t entry)
{
  struct hone__wisdom_slot *slot = find_slot(wisdom, hash);
  uint32_t number = (uint32_t)++wisdom->link_count;

  wisdom->links[number - 1] = (struct hone__wisdom_link){entry, 0};
  if (slot->first)
    wisdom->links[slot->last - 1].next = number;
  else
    slot->first = number;
  slot->hash = hash;
  slot->last = number;
}

static void add_device(struct hone_wisdom *wisdom, uint32_t number, const char *device)
{
  const struct hone_wisdom_entry *entry = &wisdom->entries[number];
  uint64_t hash = hone__wisdom_hash_device(entry->kernel, device);

  add(wisdom, hash, number);
  add(wisdom, hone__wisdom_hash_problem(hash, entry->problem.items, entry->problem.count), number);
  add(wisdom, hone__wisdom_hash_name(device), number);
}

static void add_entry(struct hone_wisdom *wisdom, uint32_t number)
{
  const struct hone_wisdom_entry *entry = &wisdom->entries[number];

  add_device(wisdom, number, entry->device);
  for (size_t i = 0; i < entry->alias_count; i++)
    if (strcmp(entry->aliases[i], entry->device) != 0)
      add_device(wisdom, number, entry->aliases[i]);
  if (*entry->family) add(wisdom, hone__wisdom_hash_family(entry->kernel, entry->family), number);
}

/* ---- Equal entries ---- */

/* An earlier one with the same kernel, device and problem; NULL: there is none. */
static const struct hone_wisdom_entry *find_equal(const struct hone_wisdom *wisdom,
                                                  const struct hone_wisdom_entry *entry)
{
  uint64_t hash = hone__wisdom_hash_device(entry->kernel, entry->device);
  uint32_t link = hone__wisdom_links(
      wisdom, hone__wisdom_hash_problem(hash, entry->problem.items, entry->problem.count));

  for (; link; link = wisdom->links[link - 1].next) {
    const struct hone_wisdom_entry *other = &wisdom->entries[wisdom->links[link - 1].entry];
    if (strcmp(other->kernel, entry->kernel) == 0 && strcmp(other->device, entry->device) == 0 &&
        hone__wisdom_distance(other, entry->problem.items, entry->problem.count) == 1)
      return other;
  }
  return NULL;
}

/* ---- All ---- */

static bool make_table(struct hone_wisdom *wisdom)
{
  size_t links = 0, slots = 16;

  for (size_t i = 0; i < wisdom->count; i++)
    links += 3 * (1 + wisdom->entries[i].alias_count) + 1;
  if (links >= UINT32_MAX / 2) return false;
  while (slots < 2 * links)
    slots *= 2;
  wisdom->mask = slots - 1;
  wisdom->slots = hone__wisdom_alloc(&wisdom->arena, slots, sizeof *wisdom->slots);
  wisdom->links = hone__wisdom_alloc(&wisdom->arena, links ? links : 1, sizeof *wisdom->links);
  return wisdom->slots && wisdom->links;
}

code_t hone__wisdom_index(struct hone_wisdom *wisdom, const struct hone__wisdom_source *source,
                          struct hone_wisdom_error *error)
{
  if (!make_table(wisdom)) return hone__wisdom_no_memory(source, error);
  for (size_t i = 0; i < wisdom->count; i++) {
    const struct hone_wisdom_entry *entry = &wisdom->entries[i];
    if (find_equal(wisdom, entry))
      return hone__wisdom_fail(source, entry->offset, error, HONE_WISDOM_INVALID,
                               "an earlier entry has the same kernel '%.100s', device and problem: "
                               "remove one of them",
                               entry->kernel);
    add_entry(wisdom, (uint32_t)i);
  }
  return HONE_WISDOM_OK;
}
