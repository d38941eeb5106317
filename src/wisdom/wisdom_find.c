/* Looking up: exact, nearest, family, default. An exact one costs a few hashes and comparisons of
 * texts; the nearest one is searched among the entries of the kernel on the device, once. */
#include "wisdom/wisdom_parts.h"

#include <string.h>

void hone_wisdom_query_init(struct hone_wisdom_query *query)
{
  *query = (struct hone_wisdom_query){.size = sizeof *query, .bound = 0};
}

const char *hone_wisdom_match_name(enum hone_wisdom_match match)
{
  static const char *const names[] = {[HONE_WISDOM_DEFAULT] = "default",
                                      [HONE_WISDOM_EXACT] = "exact",
                                      [HONE_WISDOM_NEAREST] = "nearest",
                                      [HONE_WISDOM_FAMILY] = "family"};

  return (size_t)match < sizeof names / sizeof *names ? names[match] : "";
}

bool hone__wisdom_has_device(const struct hone_wisdom_entry *entry, const char *device)
{
  if (strcmp(entry->device, device) == 0) return true;
  for (size_t i = 0; i < entry->alias_count; i++)
    if (strcmp(entry->aliases[i], device) == 0) return true;
  return false;
}

/* ---- Distance ---- */

static bool is_number(const struct hone_wisdom_value *value)
{
  return value->type == HONE_WISDOM_INTEGER || value->type == HONE_WISDOM_REAL ||
         value->type == HONE_WISDOM_BOOL;
}

static double number_of(const struct hone_wisdom_value *value)
{
  return value->type == HONE_WISDOM_REAL ? value->real : (double)value->integer;
}

/* The ratio of two sizes, 1 or more; 0: they differ, and have none. */
static double ratio_of(const struct hone_wisdom_value *a, const struct hone_wisdom_value *b)
{
  double x, y;

  if (is_number(a) != is_number(b)) return 0;
  if (!is_number(a)) {
    if (a->type != b->type) return 0;
    return a->type == HONE_WISDOM_NONE || (a->text && b->text && strcmp(a->text, b->text) == 0);
  }
  x = number_of(a);
  y = number_of(b);
  if (x == y) return 1;
  if (!(x > 0) || !(y > 0)) return 0;
  return x > y ? x / y : y / x;
}

/* Most programs name the sizes in the order of the file. */
static const struct hone_wisdom_value *find_size(const struct hone_wisdom_pair *sizes, size_t count,
                                                 size_t place, const char *name)
{
  if (place < count && strcmp(sizes[place].name, name) == 0) return &sizes[place].value;
  for (size_t i = 0; i < count; i++)
    if (strcmp(sizes[i].name, name) == 0) return &sizes[i].value;
  return NULL;
}

double hone__wisdom_distance(const struct hone_wisdom_entry *entry,
                             const struct hone_wisdom_pair *sizes, size_t count)
{
  const struct hone__wisdom_pairs *problem = &entry->problem;
  double distance = 1;

  if (problem->count != count) return 0;
  for (size_t i = 0; i < count && distance > 0; i++) {
    const struct hone_wisdom_value *size = find_size(sizes, count, i, problem->items[i].name);
    distance *= size ? ratio_of(size, &problem->items[i].value) : 0;
  }
  return distance;
}

/* ---- Searching ---- */

struct search {
  const struct hone_wisdom *wisdom;
  const struct hone_wisdom_query *query;
  const char *family; /* NULL: the entry must be of the query's device */
  double bound;
  const struct hone_wisdom_entry *best;
  double distance;
};

static bool suits(const struct search *search, const struct hone_wisdom_entry *entry)
{
  if (strcmp(entry->kernel, search->query->kernel) != 0) return false;
  return search->family ? strcmp(entry->family, search->family) == 0
                        : hone__wisdom_has_device(entry, search->query->device);
}

/* The nearest of those with this hash; of equally near ones the first in the file. */
static bool search_links(struct search *search, uint64_t hash)
{
  const struct hone_wisdom *wisdom = search->wisdom;
  const struct hone_wisdom_query *query = search->query;
  uint32_t link = hone__wisdom_links(wisdom, hash);

  for (; link; link = wisdom->links[link - 1].next) {
    const struct hone_wisdom_entry *entry = &wisdom->entries[wisdom->links[link - 1].entry];
    double distance;
    if (!suits(search, entry)) continue;
    distance = hone__wisdom_distance(entry, query->problem, query->problem_count);
    if (!(distance > 0) || distance > search->bound) continue;
    if (search->best && distance >= search->distance) continue;
    search->best = entry;
    search->distance = distance;
    if (distance == 1) break;
  }
  return search->best != NULL;
}

/* As the file says of the device, whatever the kernel; NULL: it does not know it. */
static const char *family_of(const struct hone_wisdom *wisdom, const char *device)
{
  uint32_t link = hone__wisdom_links(wisdom, hone__wisdom_hash_name(device));

  for (; link; link = wisdom->links[link - 1].next) {
    const struct hone_wisdom_entry *entry = &wisdom->entries[wisdom->links[link - 1].entry];
    if (*entry->family && hone__wisdom_has_device(entry, device)) return entry->family;
  }
  return NULL;
}

static enum hone_wisdom_match search_family(struct search *search)
{
  const struct hone_wisdom_query *query = search->query;

  search->family = query->family ? query->family : family_of(search->wisdom, query->device);
  if (!search->family || !*search->family) return HONE_WISDOM_DEFAULT;
  return search_links(search, hone__wisdom_hash_family(query->kernel, search->family))
             ? HONE_WISDOM_FAMILY
             : HONE_WISDOM_DEFAULT;
}

static bool search_exact(struct search *search, uint64_t hash)
{
  double bound = search->bound;
  bool found;

  search->bound = 1;
  found = search_links(search, hash);
  search->bound = bound;
  return found;
}

static enum hone_wisdom_match search_others(struct search *search, uint64_t device)
{
  if (search->bound > 1 && search_links(search, device)) return HONE_WISDOM_NEAREST;
  return search_family(search);
}

static enum hone_wisdom_match search_all(struct search *search)
{
  const struct hone_wisdom_query *query = search->query;
  uint64_t device = hone__wisdom_hash_device(query->kernel, query->device);
  uint64_t hash = hone__wisdom_hash_problem(device, query->problem, query->problem_count);
  struct hone__wisdom_reply reply;

  if (search_exact(search, hash)) return HONE_WISDOM_EXACT;
  if (hone__wisdom_recall(search->wisdom, query, hash, search->bound, &reply)) {
    search->best = reply.entry;
    search->distance = reply.distance;
    return reply.match;
  }
  reply.match = search_others(search, device);
  reply.entry = search->best;
  reply.distance = search->distance;
  hone__wisdom_remember(search->wisdom, query, hash, search->bound, &reply);
  return reply.match;
}

enum hone_wisdom_match hone_wisdom_find(const struct hone_wisdom *wisdom,
                                        const struct hone_wisdom_query *query,
                                        const struct hone_wisdom_entry **out_entry,
                                        double *out_distance)
{
  struct search search = {.wisdom = wisdom, .query = query};
  enum hone_wisdom_match match = HONE_WISDOM_DEFAULT;
  bool has_bound = query->size >= offsetof(struct hone_wisdom_query, bound) + sizeof query->bound;

  search.bound = has_bound && query->bound > 0 ? query->bound : wisdom->bound;
  if (query->kernel && query->device) match = search_all(&search);
  *out_entry = search.best;
  if (out_distance) *out_distance = search.best ? search.distance : 0;
  return match;
}
