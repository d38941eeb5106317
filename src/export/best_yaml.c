/* The best rows as a spec: parameters that all of them share are given once, in `common`, as
 * kprofile writes it. A merged mapping comes first in its group, so the order of parameters may
 * change. */
#include "export/yaml_writer.h"

#include "base/memory.h"
#include "base/status.h"
#include "results/results.h"

#include <stdlib.h>

struct best {
  const struct hone_results *results;
  const struct hone_result_row *row;
  const struct hone_params *params; /* the row's, or those of the rows near it */
  size_t column;
};

/* ---- Choosing ---- */

static hone_status no_row(const struct best *best)
{
  return hone__error(HONE_NOT_FOUND, "%s has no row with a measured '%s'", best->results->origin,
                     best->results->columns[best->column]);
}

/* `row` SIZE_MAX: the best. */
static hone_status find_best(const struct hone_results *results, size_t row, const char *metric,
                             struct best *out_best)
{
  bool maximise;
  size_t *order = NULL;
  hone_status status = hone_results_find_column(results, metric, &out_best->column, &maximise);

  if (status) return status;
  out_best->results = results;
  if (row == SIZE_MAX) {
    if (hone_results_order(results, out_best->column, maximise, &order)) row = order[0];
    free(order);
  }
  if (row >= results->row_count || !hone__results_is_measured(results, row, out_best->column))
    return no_row(out_best);
  out_best->row = &results->rows[row];
  out_best->params = &out_best->row->params;
  return NULL;
}

/* Files of results do not know the spec's name; it is the stem that their specs begin with. */
static char *name_of(const struct best *best)
{
  const char *name = best->results->name;
  struct hone__text text = {0};

  if (*name)
    hone__text_add(&text, name);
  else
    hone__text_addn(&text, best->row->spec, strcspn(best->row->spec, "/"));
  return hone__text_take(&text);
}

static hone_status check_same(const struct best *first, const struct best *other)
{
  char *name = name_of(first), *other_name = name_of(other);
  hone_status status = NULL;

  if (strcmp(name, other_name) != 0)
    status = hone__error(
        HONE_INVALID_ARGUMENT,
        "%s belongs to '%s' and %s to '%s'; a file holds the best configuration of one kernel only",
        first->results->origin, name, other->results->origin, other_name);
  else if (strcmp(first->results->file, other->results->file) != 0)
    status = hone__error(HONE_INVALID_ARGUMENT,
                         "%s belongs to the program '%s' and %s to '%s'; a file holds the best "
                         "configuration of one program only",
                         first->results->origin, first->results->file, other->results->origin,
                         other->results->file);
  free(other_name);
  free(name);
  return status;
}

static hone_status find_all(const struct hone_results *const *results, size_t count,
                            const size_t *rows, const char *metric, struct best *bests)
{
  hone_status status = NULL;

  if (!count) return hone__error(HONE_INVALID_ARGUMENT, "no results were given");
  for (size_t i = 0; !status && i < count; i++) {
    status = find_best(results[i], rows ? rows[i] : SIZE_MAX, metric, &bests[i]);
    if (!status && i) status = check_same(&bests[0], &bests[i]);
  }
  return status;
}

static bool has_param(const struct hone_params *params, const struct hone__spec_param *param)
{
  for (size_t i = 0; i < params->count; i++) {
    const struct hone__spec_param *own = &params->at[i];
    if (strcmp(own->name, param->name) == 0)
      return own->is_runtime == param->is_runtime && strcmp(own->value, param->value) == 0;
  }
  return false;
}

static bool is_common(const struct best *bests, size_t count, const struct hone__spec_param *param)
{
  for (size_t i = 0; i < count; i++)
    if (!has_param(bests[i].params, param)) return false;
  return true;
}

/* ---- Writing ---- */

static void add_entry(struct hone__text *text, const char *key, const char *value)
{
  hone__text_addf(text, "%s: ", key);
  hone__export_yaml_write_text(text, value);
  hone__text_add(text, "\n");
}

static void add_param(struct hone__text *text, const char *before,
                      const struct hone__spec_param *param)
{
  struct hone__text name = {0};

  hone__text_addf(&name, "%s%s", param->is_runtime ? "$" : "", param->name);
  hone__text_add(text, before);
  hone__export_yaml_write_text(text, name.data);
  hone__text_add(text, ": ");
  hone__export_yaml_write_value(text, param->value);
  hone__text_add(text, "\n");
  hone__text_release(&name);
}

/* A `$` in a file's name stands for a variable, unless it is doubled. */
static void add_file(struct hone__text *text, const char *file)
{
  struct hone__text doubled = {0};

  for (; *file; file++)
    hone__text_addn(&doubled, *file == '$' ? "$$" : file, *file == '$' ? 2 : 1);
  if (doubled.length)
    add_entry(text, "file", doubled.data);
  else
    hone__text_add(text, "# file: the results do not name the program\n");
  hone__text_release(&doubled);
}

static void add_common(struct hone__text *text, const struct best *bests, size_t count)
{
  const struct hone_params *params = bests[0].params;
  bool any = false;

  hone__text_add(text, "common: &common\n");
  for (size_t i = 0; i < params->count; i++) {
    if (!is_common(bests, count, &params->at[i])) continue;
    add_param(text, any ? "  " : "- ", &params->at[i]);
    any = true;
  }
  if (!any) hone__text_add(text, "- {}\n");
}

/* In a comment no line may end. */
static void add_comment(struct hone__text *text, const char *word)
{
  for (; *word; word++)
    hone__text_addn(text, (unsigned char)*word < 0x20 ? " " : word, 1);
}

static void add_group(struct hone__text *text, const struct best *bests, size_t count,
                      const struct best *best)
{
  const struct hone_results *results = best->results;

  hone__text_add(text, "# ");
  add_comment(text, results->columns[best->column]);
  hone__text_addf(text, ": %s, ", best->row->cells[best->column].text);
  add_comment(text, results->origin);
  hone__text_addf(text, ", %s %llu%s", results->index_name, (unsigned long long)best->row->mesh_idx,
                  *results->problem ? ", " : "");
  add_comment(text, results->problem);
  if (*best->row->suspicious) hone__text_add(text, "\n# SUSPICIOUS: ");
  add_comment(text, best->row->suspicious);
  hone__text_add(text, "\n- <<: *common\n");
  for (size_t i = 0; i < best->params->count; i++)
    if (!is_common(bests, count, &best->params->at[i])) add_param(text, "  ", &best->params->at[i]);
}

/* Sizes and settings are given once in a file: where results differ in them, a person must choose.
 */
static void add_settings(struct hone__text *text, const struct best *bests, size_t count)
{
  for (size_t i = 1; i < count; i++) {
    if (strcmp(bests[i].results->settings, bests[0].results->settings) == 0) continue;
    hone__text_add(text, "# problem and settings differ between the results\n");
    return;
  }
  hone__text_add(text, bests[0].results->settings);
}

static void add_all(struct hone__text *text, const struct best *bests, size_t count)
{
  char *name = name_of(&bests[0]);

  hone__text_add(text, "# The best measured configurations.\n");
  add_entry(text, "name", name);
  add_file(text, bests[0].results->file);
  add_settings(text, bests, count);
  add_common(text, bests, count);
  hone__text_add(text, "params:\n");
  for (size_t i = 0; i < count; i++)
    add_group(text, bests, count, &bests[i]);
  free(name);
}

hone_status hone_results_best_yaml(const struct hone_results *const *results, size_t count,
                                   const size_t *rows, const char *metric, char **out_text)
{
  struct best *bests = hone__alloc((count + 1) * sizeof *bests);
  struct hone__text text = {0};
  hone_status status;

  *out_text = NULL;
  status = find_all(results, count, rows, metric, bests);
  if (!status) {
    add_all(&text, bests, count);
    *out_text = hone__text_take(&text);
  }
  free(bests);
  return status;
}

/* A configuration of the most frequent values need not have been measured: figures are those of the
 * best row. */
hone_status hone_results_top_yaml(const struct hone_results *const *results, size_t count,
                                  const char *metric, double share, char **out_text)
{
  struct best *bests = hone__alloc((count + 1) * sizeof *bests);
  struct hone_top **tops = hone__alloc((count + 1) * sizeof *tops);
  struct hone__text text = {0};
  hone_status status = NULL;

  *out_text = NULL;
  for (size_t i = 0; i < count && !status; i++)
    status = hone_results_top(results[i], metric, share, &tops[i]);
  if (!status) status = find_all(results, count, NULL, metric, bests);
  for (size_t i = 0; i < count && !status; i++)
    bests[i].params = hone_top_params(tops[i]);
  if (!status) {
    add_all(&text, bests, count);
    *out_text = hone__text_take(&text);
  }
  for (size_t i = 0; i < count; i++)
    hone_top_free(tops[i]);
  free(tops);
  free(bests);
  return status;
}
