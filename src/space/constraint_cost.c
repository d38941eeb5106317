/* What each constraint rejects, and which constraints contradict each other. Both solve the space
 * again, without some of its constraints. */
#include "space/space.h"

#include <math.h>
#include <stdlib.h>

struct hone_constraint_stats {
  size_t count;
  struct {
    double alone, last;
  } shares[];
};

static hone_status count_without(const struct hone_space *space, const bool *skip,
                                 struct hone__space_effort *effort, double *out_count)
{
  struct hone_space *other;
  hone_status status = hone__space_build(space->spec, &space->options, skip, effort, &other);

  if (status) return status;
  *out_count = other->legal_real;
  hone_space_free(other);
  return NULL;
}

/* A constraint may fault where others no longer reject: such a configuration counts as rejected by
 * those others, so the share is not known. */
static hone_status share(hone_status status, double part, double whole, double *out_share)
{
  *out_share = whole > 0 ? part / whole : 0;
  if (hone_status_code(status) != HONE_INVALID_SPEC) return status;
  hone_status_free(status);
  *out_share = NAN;
  return NULL;
}

hone_status hone_space_stats(const struct hone_space *space,
                             struct hone_constraint_stats **out_stats)
{
  size_t count = space->spec->constraint_count;
  struct hone_constraint_stats *stats = hone__alloc(sizeof *stats + count * sizeof *stats->shares);
  bool *skip = hone__alloc(count + 1);
  struct hone__space_effort effort = {0};
  hone_status status = NULL;

  *out_stats = NULL;
  stats->count = count;
  for (size_t i = 0; i < count && !status; i++) {
    double whole = space->cartesian_real, left = 0;
    memset(skip, 1, count);
    skip[i] = false;
    status = count_without(space, skip, &effort, &left);
    status = share(status, whole - left, whole, &stats->shares[i].alone);
    if (status) break;
    memset(skip, 0, count);
    skip[i] = true;
    status = count_without(space, skip, &effort, &left);
    status = share(status, left - space->legal_real, whole, &stats->shares[i].last);
  }
  free(skip);
  if (status)
    free(stats);
  else
    *out_stats = stats;
  return status;
}

double hone_constraint_stats_alone(const struct hone_constraint_stats *stats, size_t constraint)
{
  return constraint < stats->count ? stats->shares[constraint].alone : NAN;
}

double hone_constraint_stats_last(const struct hone_constraint_stats *stats, size_t constraint)
{
  return constraint < stats->count ? stats->shares[constraint].last : NAN;
}

void hone_constraint_stats_free(struct hone_constraint_stats *stats)
{
  free(stats);
}

struct search {
  const struct hone_space *space;
  bool *skip;
  struct hone__space_effort effort;
};

/* In steps, so that the same spec gives the same answer on every machine: a second or two. */
static const uint64_t most_effort = 20 * 1000 * 1000;

static bool has_effort(const struct search *s)
{
  return s->effort.steps_used < most_effort;
}

/* A set whose space faults or is too large is not known to be contradictory. */
static bool is_contradictory(struct search *s)
{
  double count = 1;
  hone_status status = count_without(s->space, s->skip, &s->effort, &count);

  s->effort.steps_used += 1000 + 20 * s->space->spec->constraint_count; /* compiling */
  if (!status) return count == 0;
  hone_status_free(status);
  return false;
}

/* Tries all sets of `size` constraints from `first` on, added to those chosen. */
static bool find_set(struct search *s, size_t first, size_t size)
{
  size_t count = s->space->spec->constraint_count;

  if (size == 0) return is_contradictory(s);
  for (size_t i = first; i + size <= count && has_effort(s); i++) {
    s->skip[i] = false;
    if (find_set(s, i + 1, size - 1)) return true;
    s->skip[i] = true;
  }
  return false;
}

static size_t sets_of(size_t count, size_t size)
{
  size_t sets = 1;

  for (size_t i = 0; i < size && sets < 1000000; i++)
    sets = sets * (count - i) / (i + 1);
  return sets;
}

/* Small sets first, as long as there are few of them; then what is left after dropping one after
 * the other: it cannot be made smaller, though another may be. */
hone_status hone_space_conflict(const struct hone_space *space, size_t **out_constraints,
                                size_t *out_count)
{
  size_t count = space->spec->constraint_count, used = 0;
  struct search s = {
      .space = space, .skip = hone__alloc(count + 1), .effort = {.steps_each = 200000}};
  bool found = false;

  *out_constraints = hone__alloc((count + 1) * sizeof **out_constraints);
  memset(s.skip, 1, count);
  found = space->whole > 0; /* a part of it may be empty; nothing contradicts */
  for (size_t size = 0; size <= count && sets_of(count, size) <= 2000; size++)
    if (!found && has_effort(&s)) found = find_set(&s, 0, size);
  if (!found) {
    memset(s.skip, 0, count);
    s.effort.steps_used = 0;
    for (size_t i = 0; i < count && has_effort(&s); i++) {
      s.skip[i] = true;
      if (!is_contradictory(&s)) s.skip[i] = false;
    }
  }
  for (size_t i = 0; i < count; i++)
    if (!s.skip[i]) (*out_constraints)[used++] = i;
  *out_count = used;
  free(s.skip);
  return NULL;
}
