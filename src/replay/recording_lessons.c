/* Both spaces have one group: recordings always have, and a kernel whose groups of parameters
 * exclude each other is not recorded as one. */
#include "replay/recording_lessons.h"

#include "spec/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t NOT_HERE = UINT32_MAX;

struct carrying { /* from one space to another */
  const struct hone_space *from, *to;
  uint32_t *params;  /* by parameter here: the one there; NOT_HERE: it has one value */
  uint32_t **values; /* by parameter here, and value there: the value here; or NOT_HERE */
  size_t count;      /* parameters here */
};

static uint32_t find_param(const struct hone_space *space, const char *name)
{
  for (size_t i = 0; i < hone_space_param_count(space, 0); i++)
    if (strcmp(hone_space_param_name(space, 0, i), name) == 0) return (uint32_t)i;
  return NOT_HERE;
}

static uint32_t find_value(const struct hone_space *space, size_t param, struct hone_value value)
{
  uint32_t count = hone_space_value_count(space, 0, param);

  for (uint32_t i = 0; i < count; i++)
    if (hone__value_equal(hone_space_value(space, 0, param, i), value)) return i;
  return NOT_HERE;
}

/* Whether each parameter that varies in `a` is one of `b`. */
static bool has_params_of(const struct hone_space *b, const struct hone_space *a)
{
  for (size_t i = 0; i < hone_space_param_count(a, 0); i++)
    if (hone_space_value_count(a, 0, i) > 1 &&
        find_param(b, hone_space_param_name(a, 0, i)) == NOT_HERE)
      return false;
  return true;
}

static void open_carrying(struct carrying *carrying)
{
  const struct hone_space *from = carrying->from, *to = carrying->to;

  carrying->count = hone_space_param_count(to, 0);
  carrying->params = hone__alloc((carrying->count + 1) * sizeof *carrying->params);
  carrying->values = hone__alloc((carrying->count + 1) * sizeof *carrying->values);
  for (size_t i = 0; i < carrying->count; i++) {
    uint32_t param = find_param(from, hone_space_param_name(to, 0, i)), count;
    carrying->params[i] = param;
    if (param == NOT_HERE) continue;
    count = hone_space_value_count(from, 0, param);
    carrying->values[i] = hone__alloc((count + 1) * sizeof **carrying->values);
    for (uint32_t k = 0; k < count; k++)
      carrying->values[i][k] = find_value(to, i, hone_space_value(from, 0, param, k));
  }
}

static void close_carrying(struct carrying *carrying)
{
  for (size_t i = 0; i < carrying->count; i++)
    free(carrying->values[i]);
  free(carrying->values);
  free(carrying->params);
}

/* False: a value is not in the list here. */
static bool carry(const struct carrying *carrying, const uint32_t *from, uint32_t *to)
{
  to[0] = 0;
  for (size_t i = 0; i < carrying->count; i++) {
    to[1 + i] = 0;
    if (carrying->params[i] == NOT_HERE) continue;
    to[1 + i] = carrying->values[i][from[1 + carrying->params[i]]];
    if (to[1 + i] == NOT_HERE) return false;
  }
  return true;
}

/* Returns whether at least half of the recording could be carried over, and taught something. */
static bool teach_rows(const struct hone__recording *recording, const struct carrying *carrying,
                       struct hone__lessons *lessons)
{
  size_t width = hone_space_width(carrying->to), used = 0;
  uint32_t *rows = hone__alloc((recording->count * width + 1) * sizeof *rows);
  uint32_t *there = hone__alloc(hone_space_width(carrying->from) * sizeof *there);
  double *costs = hone__alloc((recording->count + 1) * sizeof *costs);
  bool taught;

  for (size_t i = 0; i < recording->count; i++) {
    if (!hone_space_at(carrying->from, i, there)) break;
    if (!carry(carrying, there, rows + used * width)) continue;
    costs[used++] = recording->at[i].time_ms;
  }
  taught = 2 * used >= recording->count && hone__lessons_add(lessons, rows, costs, used);
  free(costs);
  free(there);
  free(rows);
  return taught;
}

bool hone__recording_teach(const struct hone__recording *recording, struct hone__lessons *lessons)
{
  struct carrying carrying = {.from = recording->space, .to = lessons->space};
  bool taught;

  if (hone_space_group_count(carrying.from) != 1 || hone_space_group_count(carrying.to) != 1 ||
      !has_params_of(carrying.from, carrying.to))
    return false;
  open_carrying(&carrying);
  taught = teach_rows(recording, &carrying, lessons);
  close_carrying(&carrying);
  return taught;
}

static double sum_of_times(const struct hone__recording *recording)
{
  double sum = 0;

  for (size_t i = 0; i < recording->count; i++)
    if (isfinite(recording->at[i].time_ms)) sum += recording->at[i].time_ms;
  return sum;
}

bool hone__recording_is_same(const struct hone__recording *a, const struct hone__recording *b)
{
  double one = sum_of_times(a), other = sum_of_times(b);

  return a->count == b->count && a->working == b->working && fabs(one - other) <= 1e-6 * fabs(one);
}
