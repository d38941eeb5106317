/* Rows for which an expression over their parameters holds. */
#include "base/status.h"

#include "results/results.h"
#include "spec/evaluate.h"

#include <stdlib.h>

struct selection {
  const struct hone_results *results;
  const char *text;
  const struct hone__expr *expr;
  struct hone__arena arena;   /* of the expression */
  struct hone__arena scratch; /* of one row's values */
  const struct hone_result_row *row;
};

static bool look_up(void *data, const char *name, struct hone_value *out_value)
{
  struct selection *selection = data;
  const char *value = hone_result_row_value(selection->row, name);

  if (value) *out_value = hone__evaluate_word(&selection->scratch, value);
  return value != NULL;
}

static bool has_name(const struct hone_results *results, const char *name)
{
  for (size_t i = 0; i < results->row_count; i++)
    if (hone_result_row_value(&results->rows[i], name)) return true;
  return false;
}

/* A parameter that only other rows have is not a fault. */
static hone_status judge_row(struct selection *selection, size_t row, bool *out_selected)
{
  struct hone__evaluator evaluator = {
      .arena = &selection->scratch, .lookup = look_up, .data = selection};
  struct hone_value value;
  hone_status status = NULL;

  selection->row = &selection->results->rows[row];
  if (hone__evaluate(&evaluator, selection->expr, &value))
    *out_selected = hone__value_truth(value);
  else if (evaluator.fault != HONE__FAULT_NAME ||
           !has_name(selection->results, evaluator.culprit->name))
    status = hone__error(HONE_INVALID_ARGUMENT, "'%s' of '%s': %s", selection->text,
                         selection->row->spec,
                         hone__fault_message(&evaluator, selection->text, &selection->scratch));
  hone__arena_release(&selection->scratch);
  return status;
}

static hone_status judge_all(struct selection *selection, bool *selected)
{
  struct hone__syntax_error error;
  hone_status status = NULL;

  selection->expr = hone__expression_parse(selection->text, &selection->arena, &error);
  if (!selection->expr)
    status = hone__error(HONE_INVALID_ARGUMENT, "'%s': %s", selection->text, error.message);
  for (size_t i = 0; i < selection->results->row_count && !status; i++)
    status = judge_row(selection, i, &selected[i]);
  hone__arena_release(&selection->arena);
  return status;
}

hone_status hone_results_keep(struct hone_results *results, const char *expression)
{
  struct selection selection = {.results = results, .text = expression};
  bool *selected = hone__alloc(results->row_count + 1);
  hone_status status = judge_all(&selection, selected);
  size_t kept = 0;

  for (size_t i = 0; i < results->row_count && !status; i++)
    if (selected[i]) results->rows[kept++] = results->rows[i];
  if (!status) results->row_count = kept;
  free(selected);
  return status;
}
