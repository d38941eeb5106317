/* Equal configurations have equal fingerprints: sums over their parameters, so that order does not
 * matter. */
#include "space/doubles.h"
#include "base/hash.h"

#include <stdlib.h>

enum { MOST_UNIQUE = 20 * 1000 * 1000 };

static void add_print(struct hone__space_print *print, uint64_t hash)
{
  print->a += hone__mix(hash);
  print->b += hone__mix(hash ^ 0x6a09e667f3bcc909u);
}

static uint64_t hash_name(const struct hone__domain *domain)
{
  return hone__hash_bytes(domain->runtime, domain->name, strlen(domain->name));
}

static struct hone__space_print names_print(const struct hone__solved_group *group)
{
  struct hone__space_print print = {0, 0};

  for (size_t i = 0; i < group->count; i++)
    add_print(&print, hash_name(&group->domains[i]));
  return print;
}

struct hone__space_print hone__space_config_print(const struct hone__solved_group *group,
                                                  const uint32_t *values)
{
  struct hone__space_print print = {0, 0};

  for (size_t i = 0; i < group->count; i++) {
    struct hone_value value = hone__domain_value(&group->domains[i], values[i]);
    add_print(&print, hone__hash_add(hash_name(&group->domains[i]), hone__value_hash(value)));
  }
  return print;
}

/* Where it is, or where it would be put. */
static size_t find_slot(const struct hone__space_print_set *set, struct hone__space_print print)
{
  size_t slot = print.b & (set->size - 1);

  for (; set->table[slot].a; slot = (slot + 1) & (set->size - 1))
    if (set->table[slot].a == (print.a | 1) && set->table[slot].b == print.b) break;
  return slot;
}

static bool is_in_set(const struct hone__space_print_set *set, struct hone__space_print print)
{
  return set->size && set->table[find_slot(set, print)].a;
}

/* False if it was there already. */
bool hone__space_print_set_add(struct hone__space_print_set *set, struct hone__space_print print)
{
  size_t slot;

  if (2 * (set->count + 1) > set->size) {
    struct hone__space_print_set grown = {.size = set->size ? 4 * set->size : 1024};
    grown.table = hone__alloc(grown.size * sizeof *grown.table);
    for (size_t i = 0; i < set->size; i++)
      if (set->table[i].a) hone__space_print_set_add(&grown, set->table[i]);
    free(set->table);
    *set = grown;
  }
  slot = find_slot(set, print);
  if (set->table[slot].a) return false;
  set->table[slot] = (struct hone__space_print){.a = print.a | 1, .b = print.b};
  set->count++;
  return true;
}

static hone_status exclude_doubles(struct hone_space *space, struct hone__solved_group *group,
                                   struct hone__space_print_set *set)
{
  uint32_t *values = hone__alloc(space->width * sizeof *values);
  size_t capacity = 0;
  hone_status status = NULL;

  if (group->legal > MOST_UNIQUE - set->count)
    status = hone__error(HONE_EXHAUSTED,
                         "more than %d configurations: too many to find duplicates between groups",
                         MOST_UNIQUE);
  for (uint64_t i = 0; i < group->legal && !status; i++) {
    hone__group_at(group, i, values);
    if (hone__space_print_set_add(set, hone__space_config_print(group, values))) continue;
    HONE__GROW(group->excluded, group->excluded_count, capacity);
    group->excluded[group->excluded_count++] = i;
  }
  free(values);
  return status;
}

/* Only groups with the same parameters can share configurations. */
hone_status hone__find_doubles(struct hone_space *space)
{
  struct hone__space_print *prints = hone__alloc((space->group_count + 1) * sizeof *prints);
  struct hone__space_print_set names = {0}, doubled = {0}, configs = {0};
  hone_status status = NULL;

  for (size_t g = 0; g < space->group_count; g++) {
    prints[g] = names_print(&space->groups[g]);
    if (!hone__space_print_set_add(&names, prints[g]))
      hone__space_print_set_add(&doubled, prints[g]);
  }
  for (size_t g = 0; g < space->group_count && !status; g++)
    if (is_in_set(&doubled, prints[g]))
      status = exclude_doubles(space, &space->groups[g], &configs);
  free(names.table);
  free(doubled.table);
  free(configs.table);
  free(prints);
  return status;
}
