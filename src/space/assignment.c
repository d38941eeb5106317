/* Reads "BM=64,BN=32", and finds the group and the values that it means. */
#include "space/assignment.h"

#include "hone_text.h"
#include "spec/yaml_scalar.h"

#include <stdlib.h>

/* The next comma outside brackets and quotes, or the end. */
static const char *find_comma(const char *p)
{
  int depth = 0;
  char quote = 0;

  for (; *p && (*p != ',' || depth > 0 || quote); p++) {
    if (quote) {
      if (*p == quote) quote = 0;
    } else if ((*p == '"' || *p == '\'') && p[-1] == '=') {
      quote = *p; /* a value in quotes; elsewhere a quote is a letter */
    } else {
      depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
    }
  }
  return p;
}

hone_status hone__assignment_read(const char *text, struct hone__assignment *out)
{
  size_t capacity = 0;

  *out = (struct hone__assignment){0};
  for (const char *start = text, *end; *text; start = end + 1) {
    const char *sign;
    start += strspn(start, " $");
    end = *start ? find_comma(start + 1) : start;
    sign = memchr(start, '=', (size_t)(end - start));
    if (!sign || sign == start)
      return hone__error(HONE_INVALID_ARGUMENT,
                         "bad configuration '%s': expected NAME=VALUE,NAME=VALUE", text);
    for (size_t i = 0; i < out->count; i++)
      if (strlen(out->pairs[i].name) == (size_t)(sign - start) &&
          memcmp(out->pairs[i].name, start, (size_t)(sign - start)) == 0)
        return hone__error(HONE_INVALID_ARGUMENT, "'%s' is given twice", out->pairs[i].name);
    HONE__GROW(out->pairs, out->count, capacity);
    out->pairs[out->count++] = (struct hone__given){
        .name = hone__arena_strndup(&out->arena, start, (size_t)(sign - start)),
        .text = hone__arena_strndup(&out->arena, sign + 1, (size_t)(end - sign) - 1)};
    if (!*end) break;
  }
  return NULL;
}

void hone__assignment_release(struct hone__assignment *assignment)
{
  free(assignment->pairs);
  hone__arena_release(&assignment->arena);
}

const char *hone__assignment_find(const struct hone__assignment *assignment, const char *name)
{
  for (size_t i = 0; i < assignment->count; i++)
    if (strcmp(assignment->pairs[i].name, name) == 0) return assignment->pairs[i].text;
  return NULL;
}

bool hone__assignment_value(struct hone__assignment *assignment, const struct hone__domain *domain,
                            const char *text, uint32_t *out_index)
{
  struct hone__text printed = {0};
  bool found = false;

  if (hone__domain_find(domain, hone__string(text), out_index)) return true;
  if (hone__domain_find(domain, hone__evaluate_word(&assignment->arena, text), out_index))
    return true;
  if (hone__domain_find(domain, hone__yaml_resolve(text, &assignment->arena), out_index))
    return true; /* yes, off, true ... */
  for (uint32_t i = 0; !domain->is_range && i < domain->count && !found; i++) {
    printed.length = 0;
    hone__value_print(domain->values[i], &printed);
    found = strcmp(printed.data ? printed.data : "", text) == 0;
    *out_index = i;
  }
  hone__text_release(&printed);
  return found;
}

static bool group_has(const struct hone__solved_group *group, const char *name)
{
  for (size_t i = 0; i < group->count; i++)
    if (strcmp(group->domains[i].name, name) == 0) return true;
  return false;
}

static hone_status check_names(const struct hone_space *space, const struct hone__assignment *given)
{
  for (size_t i = 0; i < given->count; i++) {
    struct hone_nearest nearest = {.word = given->pairs[i].name};
    bool known = false;
    for (size_t g = 0; g < space->group_count && !known; g++) {
      known = group_has(&space->groups[g], nearest.word);
      for (size_t k = 0; k < space->groups[g].count; k++)
        hone_nearest_try(&nearest, space->groups[g].domains[k].name);
    }
    if (!known)
      return hone__error(HONE_NOT_FOUND, "unknown parameter '%s'%s%s%s", nearest.word,
                         nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                         nearest.best ? "'?" : "");
  }
  return NULL;
}

/* How well a group fits what was given: names that it lacks, then names that it misses. */
static size_t misfit(const struct hone__solved_group *group, const struct hone__assignment *given)
{
  size_t lacks = 0, misses = 0;

  for (size_t i = 0; i < given->count; i++)
    lacks += !group_has(group, given->pairs[i].name);
  for (size_t i = 0; i < group->count; i++)
    misses += group->domains[i].count != 1 && !hone__assignment_find(given, group->domains[i].name);
  return lacks * 1000 + misses;
}

static bool group_parse(const struct hone__solved_group *group, struct hone__assignment *given,
                        uint32_t *values)
{
  for (size_t i = 0; i < group->count; i++) {
    const char *text = hone__assignment_find(given, group->domains[i].name);
    values[i] = 0;
    if (text && !hone__assignment_value(given, &group->domains[i], text, &values[i])) return false;
  }
  return true;
}

/* How many of the values are not values of this group. */
static size_t count_foreign(const struct hone__solved_group *group, struct hone__assignment *given)
{
  size_t foreign = 0;
  uint32_t index;

  for (size_t i = 0; i < group->count; i++) {
    const char *text = hone__assignment_find(given, group->domains[i].name);
    foreign += text && !hone__assignment_value(given, &group->domains[i], text, &index);
  }
  return foreign;
}

hone_status hone__assignment_pick_group(const struct hone_space *space,
                                        struct hone__assignment *given, size_t *out_group)
{
  hone_status status = check_names(space, given);
  size_t best = 0, least = SIZE_MAX, foreign = 0;

  for (size_t g = 0; g < space->group_count; g++) {
    size_t m = misfit(&space->groups[g], given), s = 0;
    if (m > least || (m == least && !foreign)) continue;
    s = count_foreign(&space->groups[g], given);
    if (m == least && s >= foreign) continue;
    least = m;
    foreign = s;
    best = g;
  }
  *out_group = best;
  if (status) return status;
  if (space->group_count == 0) return hone__error(HONE_NOT_FOUND, "the space has no parameters");
  for (size_t i = 0; least && i < space->groups[best].count; i++) {
    const struct hone__domain *domain = &space->groups[best].domains[i];
    if (domain->count != 1 && !hone__assignment_find(given, domain->name))
      return hone__error(HONE_INVALID_ARGUMENT, "the configuration gives no value for '%s'",
                         domain->name);
  }
  for (size_t i = 0; least && i < given->count; i++)
    if (!group_has(&space->groups[best], given->pairs[i].name))
      return hone__error(HONE_NOT_FOUND,
                         "no group has all of these parameters: '%s' is in another group",
                         given->pairs[i].name);
  return NULL;
}

void hone__assignment_print_values(const struct hone__domain *domain, struct hone__text *text)
{
  const uint32_t most = 12;

  if (domain->is_range) {
    hone__text_addf(text, "%lld to %lld", (long long)domain->range.start,
                    (long long)hone__domain_value(domain, domain->count - 1).integer);
    return;
  }
  for (uint32_t i = 0; i < domain->count && i < most; i++) {
    if (i) hone__text_add(text, ", ");
    hone__value_print(domain->values[i], text);
  }
  if (domain->count > most) hone__text_addf(text, " ... (%u values)", domain->count);
}

static hone_status no_such_value(const struct hone__solved_group *group,
                                 struct hone__assignment *given)
{
  struct hone__text text = {0};
  hone_status status = NULL;
  uint32_t index;

  for (size_t i = 0; i < group->count && !status; i++) {
    const char *wanted = hone__assignment_find(given, group->domains[i].name);
    if (!wanted || hone__assignment_value(given, &group->domains[i], wanted, &index)) continue;
    hone__assignment_print_values(&group->domains[i], &text);
    status = hone__error(HONE_NOT_FOUND, "'%s' has no value %s; its values are %s",
                         group->domains[i].name, wanted, text.data ? text.data : "none");
  }
  hone__text_release(&text);
  return status;
}

hone_status hone_space_parse(const struct hone_space *space, const char *text, uint32_t *row)
{
  struct hone__assignment given;
  size_t best;
  hone_status status = hone__assignment_read(text, &given);

  if (!status) status = hone__assignment_pick_group(space, &given, &best);
  if (!status) {
    bool found = false;
    for (size_t g = 0; g < space->group_count && !found; g++) { /* the first that is legal */
      if (misfit(&space->groups[g], &given)) continue;
      row[0] = (uint32_t)g;
      found = group_parse(&space->groups[g], &given, row + 1) && hone__space_is_legal(space, row);
    }
    row[0] = found ? row[0] : (uint32_t)best;
    if (!found && !group_parse(&space->groups[best], &given, row + 1))
      status = no_such_value(&space->groups[best], &given);
  }
  hone__assignment_release(&given);
  return status;
}
