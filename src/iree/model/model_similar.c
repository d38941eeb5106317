/* What was found for one operation is tried first for others of its kind.
 *
 * Two operations are of one kind if their configurations have the same parameters. Of a good
 * configuration of the one, the nearest legal one of the other is taken: vectors are compared by
 * their sizes, tiles of workgroups by the part of their loop that they are.
 */
#include "iree/model/model_tune.h"

#include "base/names.h"
#include "hone_space.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TAKEN = 2, MOST_SEEDS = 4, MOST_ROWS = 1 << 20 };
static const double vector_weight = 4, from_nothing = 8, least_speedup = 1.1;

/* ---- Kinds ---- */

/* Group 0 is the compiler's own choice, if there are others. */
static size_t first_group(const struct hone_space *space)
{
  return hone_space_group_count(space) > 1 ? 1 : 0;
}

static bool has_same_params(const struct hone_space *one, size_t group,
                            const struct hone_space *other, size_t other_group)
{
  size_t count = hone_space_param_count(one, group);

  if (hone_space_param_count(other, other_group) != count) return false;
  for (size_t i = 0; i < count; i++)
    if (strcmp(hone_space_param_name(one, group, i),
               hone_space_param_name(other, other_group, i)) != 0)
      return false;
  return true;
}

/* The number of the group of `to` for a configuration of `from`; SIZE_MAX: there is none. */
static size_t find_group(const struct hone_space *from, size_t group, const struct hone_space *to)
{
  for (size_t i = first_group(to); i < hone_space_group_count(to); i++)
    if (has_same_params(from, group, to, i)) return i;
  return SIZE_MAX;
}

/* ---- Distances ---- */

struct nearest {
  const struct hone_space *space;
  size_t group, width;
  double **costs; /* by parameter and value */
  double least;
  uint32_t *row; /* the nearest so far */
  uint64_t seen;
};

static double number(struct hone_value value)
{
  return value.type == HONE_INT     ? (double)value.integer
         : value.type == HONE_FLOAT ? value.real
                                    : NAN;
}

/* The largest number of a parameter: of a tile, its loop. */
static double largest(const struct hone_space *space, size_t group, size_t param)
{
  double most = 1;

  for (uint32_t i = 0; i < hone_space_value_count(space, group, param); i++)
    most = fmax(most, number(hone_space_value(space, group, param, i)));
  return most;
}

static double distance(const char *name, double from, double to, double from_loop, double to_loop)
{
  if (from == to && from_loop == to_loop) return 0;
  if (!(from > 0) || !(to > 0)) return from == to ? 0 : from_nothing;
  if (hone__starts_with(name, "dist")) return fabs(log2(from / from_loop) - log2(to / to_loop));
  return vector_weight * fabs(log2(from / to));
}

static double *costs_of(const struct nearest *nearest, const struct hone_space *from, size_t group,
                        size_t param, uint32_t chosen)
{
  const struct hone_space *to = nearest->space;
  uint32_t count = hone_space_value_count(to, nearest->group, param);
  double *costs = hone__alloc((count + 1) * sizeof *costs);
  double value = number(hone_space_value(from, group, param, chosen)),
         from_loop = largest(from, group, param), to_loop = largest(to, nearest->group, param);

  for (uint32_t i = 0; i < count; i++) {
    double other = number(hone_space_value(to, nearest->group, param, i));
    bool are_words = isnan(value) || isnan(other);
    costs[i] = are_words ? 0
                         : distance(hone_space_param_name(to, nearest->group, param), value, other,
                                    from_loop, to_loop);
  }
  return costs;
}

/* A row begins with its group. */
static bool visit(void *data, const uint32_t *row)
{
  struct nearest *nearest = data;
  size_t count = hone_space_param_count(nearest->space, nearest->group);
  double sum = 0;

  if (++nearest->seen > MOST_ROWS) return false;
  if (row[0] != nearest->group) return true;
  for (size_t i = 0; i < count && sum < nearest->least; i++)
    sum += nearest->costs[i][row[1 + i]];
  if (sum < nearest->least) {
    nearest->least = sum;
    memcpy(nearest->row, row, nearest->width * sizeof *row);
  }
  return true;
}

/* ---- Seeds ---- */

static void print_row(const struct hone_space *space, const uint32_t *row, struct hone__text *text)
{
  size_t count = hone_space_param_count(space, row[0]);

  for (size_t i = 0; i < count; i++) {
    struct hone_value value = hone_space_value(space, row[0], i, row[1 + i]);
    char word[64];
    hone_value_print(value, word, sizeof word);
    hone__text_addf(text, "%s%s=%s", i ? "," : "", hone_space_param_name(space, row[0], i), word);
  }
}

static void add_nearest(const struct hone_space *from, const uint32_t *row,
                        const struct hone_space *to, struct hone__words *seeds)
{
  struct nearest nearest = {.space = to, .group = find_group(from, row[0], to), .least = INFINITY};
  struct hone__text text = {0};
  size_t count;

  if (nearest.group == SIZE_MAX) return;
  count = hone_space_param_count(to, nearest.group);
  nearest.width = hone_space_width(to);
  nearest.row = hone__alloc(nearest.width * sizeof *nearest.row);
  nearest.costs = hone__alloc((count + 1) * sizeof *nearest.costs);
  for (size_t i = 0; i < count; i++)
    nearest.costs[i] = costs_of(&nearest, from, row[0], i, row[1 + i]);
  hone_space_each(to, 0, visit, &nearest);
  if (!isinf(nearest.least)) print_row(to, nearest.row, &text);
  if (text.length) hone__words_add(seeds, text.data);
  for (size_t i = 0; i < count; i++)
    free(nearest.costs[i]);
  free(nearest.costs);
  free(nearest.row);
  hone__text_release(&text);
}

static void add_seeds(const struct hone__model_found *found, const struct hone_space *from,
                      const struct hone_space *to, struct hone__words *seeds)
{
  uint32_t *row = hone__alloc(hone_space_width(from) * sizeof *row);

  for (size_t i = 0; i < found->candidates_count && i < MOST_TAKEN; i++) {
    hone_status status = NULL;
    if (!(found->candidates[i].speedup > 1) || seeds->count >= MOST_SEEDS) break;
    status = hone_space_parse(from, found->candidates[i].config, row);
    if (!status && row[0] >= first_group(from)) add_nearest(from, row, to, seeds);
    hone_status_free(status);
  }
  free(row);
}

/* ---- Dispatches ---- */

/* A group's first: others are not searched. */
static bool is_source(const struct hone__model_tuning *tuning, size_t number)
{
  const struct hone__model_found *found = tuning->found[number];

  return found && found->candidates_count && found->candidates[0].speedup >= least_speedup;
}

static const struct hone_space *space_of(struct hone__model_tuning *tuning, size_t number)
{
  struct hone__model_dispatch_space *space =
      hone__model_dispatch_spaces_find(&tuning->spaces, tuning->state->dispatches[number].file);
  hone_status status = space ? hone__model_dispatch_space_solve(space) : NULL;

  if (!status) return space ? space->space : NULL;
  hone_status_free(status); /* its search reports it */
  return NULL;
}

/* Hosts that share the work must search the same configurations. */
static bool is_shared(const struct hone__model_tuning *tuning)
{
  return tuning->options->stop_after == HONE_IREE_STAGE_BUILD ||
         !tuning->tools.paths[HONE__IREE_COMPILE];
}

void hone__model_similar_seeds(struct hone__model_tuning *tuning, size_t number,
                               const struct hone_space *space, struct hone__words *seeds)
{
  if (is_shared(tuning)) return;
  for (size_t i = 0; i < tuning->tuned->count && seeds->count < MOST_SEEDS; i++) {
    const struct hone_space *from =
        i != number && is_source(tuning, i) ? space_of(tuning, i) : NULL;
    if (from) add_seeds(tuning->found[i], from, space, seeds);
  }
}

bool hone__model_is_similar(struct hone__model_tuning *tuning, size_t number)
{
  const struct hone_space *space = is_shared(tuning) ? NULL : space_of(tuning, number);

  for (size_t i = 0; space && i < tuning->tuned->count; i++) {
    const struct hone_space *from =
        i != number && is_source(tuning, i) ? space_of(tuning, i) : NULL;
    if (from && find_group(from, first_group(from), space) != SIZE_MAX) return true;
  }
  return false;
}
