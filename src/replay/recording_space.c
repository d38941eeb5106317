/* A draft becomes a space: its parameters as a spec in YAML, with the rows that were recorded as
 * the spec's listing, and the space of that. Values are looked up in the space that came out, so
 * that nothing depends on how they were written. */
#include "replay/recording_draft.h"
#include "replay/recording_yaml.h"

#include <stdlib.h>

/* ---- The order of values ---- */

static int compare_values(const void *a, const void *b)
{
  const struct hone_value *x = a, *y = b;
  int order = x->type == HONE_TEXT || y->type == HONE_TEXT ? 2 : hone__value_compare(*x, *y);

  return order == 2 ? 0 : order;
}

/* Numbers by size if there is nothing else; the texts of a file stay as they came. */
static void sort_values(struct hone__draft_param *param, struct hone_value *sorted)
{
  bool numbers = true;

  memcpy(sorted, param->values.items, param->values.count * sizeof *sorted);
  for (size_t i = 0; i < param->values.count; i++)
    numbers = numbers && sorted[i].type != HONE_TEXT && sorted[i].type != HONE_NONE;
  if (numbers && !param->in_order)
    qsort(sorted, param->values.count, sizeof *sorted, compare_values);
}

/* ---- Spec and space ---- */

static char *spec_text(const struct hone__draft *draft, const char *name)
{
  struct hone__text yaml = {0};

  hone__text_add(&yaml, "name: ");
  hone__replay_yaml_quote(&yaml, name);
  hone__text_add(&yaml, "\nparams:\n");
  for (size_t i = 0; i < draft->param_count; i++) {
    struct hone__draft_param *param = &draft->params[i];
    struct hone_value *sorted = hone__alloc((param->values.count + 1) * sizeof *sorted);
    sort_values(param, sorted);
    hone__text_add(&yaml, "  ");
    hone__replay_yaml_quote(&yaml, param->name);
    hone__text_add(&yaml, ": ");
    hone__replay_yaml_values(&yaml, sorted, param->values.count);
    hone__text_add(&yaml, "\n");
    free(sorted);
  }
  return hone__text_take(&yaml);
}

static hone_status load_spec(const struct hone__draft *draft, struct hone__recording *recording)
{
  char *text = spec_text(draft, recording->name);
  hone_status status = hone__replay_yaml_spec(recording->path, text, &recording->spec);

  free(text);
  if (status) return status;
  if (recording->spec->group_count == 1 && recording->spec->groups[0].count == draft->param_count)
    return NULL;
  return hone__error(HONE_INVALID_SPEC,
                     "cannot use '%s': a parameter has the reserved name 'metadata'",
                     recording->path);
}

/* A copy: whoever asks the space why a row is not there reads it again. Names are the spec's, which
 * has no `$`. */
static struct hone__listing *list_rows(const struct hone__draft *draft,
                                       const struct hone__spec_group *group,
                                       struct hone__arena *arena)
{
  struct hone__listing *listing = hone__arena_alloc(arena, sizeof *listing);
  size_t width = draft->param_count, numbers = draft->count * width;
  uint32_t *rows = hone__arena_alloc(arena, (numbers + 1) * sizeof *rows);

  *listing = (struct hone__listing){
      .what = "recorded", .width = width, .rows = rows, .count = draft->count};
  listing->names = hone__arena_alloc(arena, (width + 1) * sizeof *listing->names);
  listing->values = hone__arena_alloc(arena, (width + 1) * sizeof *listing->values);
  listing->value_counts = hone__arena_alloc(arena, (width + 1) * sizeof *listing->value_counts);
  for (size_t i = 0; i < width; i++) {
    const struct hone__values *values = &draft->params[i].values;
    listing->names[i] = group->params[i].name;
    listing->values[i] = hone__arena_alloc(arena, (values->count + 1) * sizeof *values->items);
    memcpy(listing->values[i], values->items, values->count * sizeof *values->items);
    listing->value_counts[i] = (uint32_t)values->count;
  }
  memcpy(rows, draft->rows, numbers * sizeof *rows);
  return listing;
}

static hone_status build_space(const struct hone__draft *draft, struct hone__recording *recording)
{
  struct hone_space_options options;
  hone_status status = load_spec(draft, recording);

  if (status) return status;
  hone_space_options_init(&options);
  recording->spec->groups[0].listing =
      list_rows(draft, &recording->spec->groups[0], &recording->arena);
  return hone_space_build(recording->spec, &options, &recording->space);
}

/* ---- Rows ---- */

/* Where the draft's values are in the space, parameter after parameter. */
static hone_status map_values(const struct hone__draft *draft,
                              const struct hone__recording *recording, size_t param, uint32_t *map)
{
  const struct hone__values *values = &draft->params[param].values;
  const struct hone__domain *domain = &recording->space->groups[0].domains[param];

  for (size_t i = 0; i < values->count; i++)
    if (!hone__domain_find(domain, values->items[i], &map[i]))
      return hone__error(HONE_INVALID_SPEC,
                         "cannot use '%s': a value of '%s' cannot be represented as text",
                         recording->path, draft->params[param].name);
  return NULL;
}

static hone_status map_rows(struct hone__draft *draft, const struct hone__recording *recording)
{
  hone_status status = NULL;

  for (size_t i = 0; i < draft->param_count && !status; i++) {
    uint32_t *map = hone__alloc((draft->params[i].values.count + 1) * sizeof *map);
    status = map_values(draft, recording, i, map);
    for (size_t row = 0; row < draft->count && !status; row++) {
      uint32_t *value = &draft->rows[row * draft->param_count + i];
      *value = map[*value];
    }
    free(map);
  }
  return status;
}

/* What was recorded first of a row counts. */
static void take_rows(struct hone__draft *draft, struct hone__recording *recording)
{
  size_t count = (size_t)hone_space_count(recording->space), width = draft->param_count;
  uint32_t *row = hone__alloc((width + 1) * sizeof *row);
  bool *is_taken = hone__alloc(count + 1);
  uint64_t index;

  recording->count = count;
  recording->at = hone__arena_alloc(&recording->arena, (count + 1) * sizeof *recording->at);
  for (size_t i = 0; i < draft->count; i++) {
    memcpy(row + 1, draft->rows + i * width, width * sizeof *row);
    if (!hone_space_index_of(recording->space, row, &index))
      HONE__BUG("a recorded configuration is not in its space");
    if (is_taken[index]) {
      draft->repeated++;
      continue;
    }
    is_taken[index] = true;
    recording->at[index] = draft->at[i];
    recording->working += hone__outcome_works(draft->at[i].outcome);
  }
  free(is_taken);
  free(row);
}

hone_status hone__draft_finish(struct hone__draft *draft, struct hone__recording *recording)
{
  hone_status status = build_space(draft, recording);

  if (!status) status = map_rows(draft, recording);
  if (!status) take_rows(draft, recording);
  return status;
}
