/* All candidates of a tuned model as a table. Columns are those of SHARK Tuner's candidate
 * analysis, in which a speedup is the candidate's time by the baseline's; `speedup` is its inverse.
 */
#include "iree/model/model_tune.h"

#include "base/allocators.h"
#include "base/csv.h"
#include "hone_iree.h"
#include "store/store.h"

#include <math.h>
#include <stdlib.h>

static const char head[] =
    "dispatch,candidate_id,configuration,to_compile,compile_status,to_benchmark,"
    "benchmark_device_id,benchmark_status,baseline_benchmark_time_us,benchmark_time_us,"
    "benchmark_speedup,benchmark_rank_order,speedup,outcome,failure\n";

struct row {
  char *config, *device, *evidence;
  enum hone_outcome outcome;
  bool is_compiled;
  double time_ns, baseline_ns;
  size_t rank; /* 0: it has no time */
};
struct rows {
  struct row *list;
  size_t count, capacity;
};

/* ---- Reading ---- */

static bool add_row(void *data, const struct hone__evaluation *evaluation)
{
  struct rows *rows = data;

  if (evaluation->is_baseline) return true;
  HONE__GROW(rows->list, rows->count, rows->capacity);
  rows->list[rows->count++] =
      (struct row){.config = hone__strdup(evaluation->config ? evaluation->config : ""),
                   .device = hone__strdup(evaluation->device ? evaluation->device : ""),
                   .evidence = hone__strdup(evaluation->evidence ? evaluation->evidence : ""),
                   .outcome = evaluation->outcome,
                   .is_compiled = evaluation->object != NULL,
                   .time_ns = evaluation->time_ns,
                   .baseline_ns = evaluation->baseline_ns};
  return true;
}

static double ratio_of(const struct row *row)
{
  return row->time_ns / row->baseline_ns;
}

/* By the ratio to the baseline that was measured near it. */
static void rank(struct rows *rows)
{
  for (size_t i = 0; i < rows->count; i++) {
    struct row *row = &rows->list[i];
    if (isnan(ratio_of(row))) continue;
    row->rank = 1;
    for (size_t k = 0; k < rows->count; k++)
      row->rank += ratio_of(&rows->list[k]) < ratio_of(row);
  }
}

/* ---- Printing ---- */

static void add_number(struct hone__text *text, int digits, double number)
{
  hone__text_add(text, ",");
  if (!isnan(number)) hone__text_addf(text, "%.*f", digits, number);
}

static void add_text(struct hone__text *text, const char *field)
{
  hone__text_add(text, ",");
  hone__csv_quote(text, field);
}

static void print_row(struct hone__text *text, const char *dispatch, size_t id,
                      const struct row *row)
{
  bool is_timed = !isnan(row->time_ns);
  char *line = hone__strndup(row->evidence, strcspn(row->evidence, "\n"));

  hone__csv_quote(text, dispatch);
  hone__text_addf(text, ",%zu", id);
  add_text(text, row->config);
  hone__text_addf(text, ",True,%s,%s", row->is_compiled ? "True" : "False",
                  row->is_compiled ? "True" : "False");
  add_text(text, row->device);
  hone__text_add(text, is_timed ? ",True" : ",False");
  add_number(text, 2, row->baseline_ns / 1000);
  add_number(text, 2, row->time_ns / 1000);
  add_number(text, 5, ratio_of(row));
  hone__text_add(text, ",");
  if (row->rank) hone__text_addf(text, "%zu", row->rank);
  add_number(text, 5, 1 / ratio_of(row));
  add_text(text, hone_outcome_name(row->outcome));
  add_text(text, row->outcome == HONE_OUTCOME_OK ? "" : line);
  hone__text_add(text, "\n");
  free(line);
}

static hone_status print_run(struct hone_store *store, int64_t run, const char *dispatch,
                             struct hone__text *text)
{
  struct rows rows = {0};
  hone_status status = run ? hone__store_evaluations(store, run, add_row, &rows) : NULL;

  rank(&rows);
  for (size_t i = 0; i < rows.count; i++) {
    if (!status) print_row(text, dispatch, i + 1, &rows.list[i]);
    free(rows.list[i].config);
    free(rows.list[i].device);
    free(rows.list[i].evidence);
  }
  free(rows.list);
  return status;
}

/* Without a run there may be no store. */
static bool has_runs(const struct hone_iree_tuned *tuned)
{
  for (size_t i = 0; i < tuned->count; i++)
    if (tuned->dispatches[i].run) return true;
  return tuned->run != 0;
}

hone_status hone_iree_tuned_csv(const struct hone_iree_tuned *tuned, const char *store,
                                char **out_text)
{
  struct hone_store *opened = NULL;
  struct hone__text text = {0};
  hone_status status = NULL;

  hone__allocators_install();
  *out_text = NULL;
  if (has_runs(tuned)) status = hone_store_open(store, &opened);
  hone__text_add(&text, head);
  for (size_t i = 0; !status && i < tuned->count; i++)
    status = print_run(opened, tuned->dispatches[i].run, tuned->dispatches[i].executable, &text);
  if (!status) status = print_run(opened, tuned->run, "(model)", &text);
  if (!status) *out_text = hone__text_take(&text);
  hone__text_release(&text);
  hone_store_free(opened);
  return status;
}
