/* A draft becomes a space: its parameters as a spec in YAML, the space of that, and of it exactly
 * the rows that were recorded. Values are looked up in the space that came out, so that nothing
 * depends on how they were written. */
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
static void sort_values(struct hone_draft_param *param, struct hone_value *sorted)
{
  bool numbers = true;

  memcpy(sorted, param->values.items, param->values.count * sizeof *sorted);
  for (size_t i = 0; i < param->values.count; i++)
    numbers = numbers && sorted[i].type != HONE_TEXT && sorted[i].type != HONE_NONE;
  if (numbers && !param->in_order)
    qsort(sorted, param->values.count, sizeof *sorted, compare_values);
}

/* ---- Spec and space ---- */

static char *spec_text(const struct hone_draft *draft, const char *name)
{
  struct hone_text yaml = {0};

  hone__text_add(&yaml, "name: ");
  hone__yaml_quote(&yaml, name);
  hone__text_add(&yaml, "\nparams:\n");
  for (size_t i = 0; i < draft->param_count; i++) {
    struct hone_draft_param *param = &draft->params[i];
    struct hone_value *sorted = hone__alloc((param->values.count + 1) * sizeof *sorted);
    sort_values(param, sorted);
    hone__text_add(&yaml, "  ");
    hone__yaml_quote(&yaml, param->name);
    hone__text_add(&yaml, ": ");
    hone__yaml_values(&yaml, sorted, param->values.count);
    hone__text_add(&yaml, "\n");
    free(sorted);
  }
  return hone__text_take(&yaml);
}

static hone_status build_space(const struct hone_draft *draft, struct hone_recording *recording)
{
  char *text = spec_text(draft, recording->name);
  hone_status status = hone__yaml_space(recording->path, text, &recording->spec, &recording->space);

  free(text);
  if (status) return status;
  if (hone_space_group_count(recording->space) == 1 &&
      hone_space_param_count(recording->space, 0) == draft->param_count)
    return NULL;
  return hone__error(
      HONE_INVALID_SPEC,
      "cannot use '%s': a parameter has a name that no parameter can have ('metadata')",
      recording->path);
}

/* ---- Rows ---- */

/* Where the draft's values stand in the space, parameter after parameter. */
static hone_status map_values(const struct hone_draft *draft,
                              const struct hone_recording *recording, size_t param, uint32_t *map)
{
  const struct hone_values *values = &draft->params[param].values;
  const struct hone_domain *domain = &recording->space->groups[0].domains[param];

  for (size_t i = 0; i < values->count; i++)
    if (!hone__domain_find(domain, values->items[i], &map[i]))
      return hone__error(HONE_INVALID_SPEC,
                         "cannot use '%s': a value of '%s' cannot be written down", recording->path,
                         draft->params[param].name);
  return NULL;
}

static hone_status map_rows(struct hone_draft *draft, const struct hone_recording *recording)
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

static int compare_rows(const void *a, const void *b, void *data)
{
  const struct hone_draft *draft = data;
  size_t x = *(const size_t *)a, y = *(const size_t *)b, width = draft->param_count;

  for (size_t i = 0; i < width; i++) {
    uint32_t left = draft->rows[x * width + i], right = draft->rows[y * width + i];
    if (left != right) return left < right ? -1 : 1;
  }
  return x < y ? -1 : x > y;
}

/* Numbers of rows, sorted, without those that stand there again. */
static size_t *sort_rows(struct hone_draft *draft, size_t *out_count)
{
  size_t *order = hone__alloc((draft->count + 1) * sizeof *order), kept = 0;
  size_t width = draft->param_count;

  for (size_t i = 0; i < draft->count; i++)
    order[i] = i;
  qsort_r(order, draft->count, sizeof *order, compare_rows, draft);
  for (size_t i = 0; i < draft->count; i++)
    if (!kept || memcmp(draft->rows + order[kept - 1] * width, draft->rows + order[i] * width,
                        width * sizeof *draft->rows) != 0)
      order[kept++] = order[i];
  draft->repeated = draft->count - kept;
  *out_count = kept;
  return order;
}

static hone_status take_rows(struct hone_draft *draft, struct hone_recording *recording)
{
  size_t *order = sort_rows(draft, &recording->count), width = draft->param_count;
  uint32_t *rows = malloc((recording->count * width + 1) * sizeof *rows);
  hone_status status = NULL;

  recording->at =
      hone__arena_alloc(&recording->arena, (recording->count + 1) * sizeof *recording->at);
  if (!rows) status = hone__error(HONE_EXHAUSTED, "no memory for '%s'", recording->path);
  for (size_t i = 0; i < recording->count && !status; i++) {
    memcpy(rows + i * width, draft->rows + order[i] * width, width * sizeof *rows);
    recording->at[i] = draft->at[order[i]];
    recording->working += hone__outcome_works(recording->at[i].outcome);
  }
  if (!status) status = hone__space_restrict(recording->space, rows, recording->count);
  free(rows);
  free(order);
  return status;
}

hone_status hone__draft_finish(struct hone_draft *draft, struct hone_recording *recording)
{
  hone_status status = build_space(draft, recording);

  if (!status) status = map_rows(draft, recording);
  return status ? status : take_rows(draft, recording);
}
