/* The mark is set by the measurement; this file only stops its use elsewhere. */
#include "suspicious.h"

#include "hone_results.h"
#include "message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool refuse(const char *origin, const char *config, const char *why)
{
  message_error("%s: '%s' is SUSPICIOUS and not exported: %s; use '--force' to export it anyway",
                origin, config, why);
  return false;
}

/* The library uses the same order. NULL: there is none, which the export will report. */
static const struct hone_result_row *best_row(const struct hone_results *results,
                                              const char *metric)
{
  const struct hone_result_row *best = NULL;
  size_t column, *order = NULL;
  bool maximise;
  hone_status status = hone_results_column(results, metric, &column, &maximise);

  if (!status && hone_results_order(results, column, maximise, &order))
    best = &results->rows[order[0]];
  hone_status_free(status);
  free(order);
  return best;
}

bool suspicious_check_row(const struct hone_results *results, size_t row, const char *metric)
{
  const struct hone_result_row *taken =
      row == SIZE_MAX ? best_row(results, metric) : &results->rows[row];

  if (!taken || !*taken->suspicious) return true;
  return refuse(results->origin, taken->spec, taken->suspicious);
}

bool suspicious_check_all(const struct hone_results *results)
{
  for (size_t i = 0; i < results->row_count; i++)
    if (!suspicious_check_row(results, i, NULL)) return false;
  return true;
}

static bool check_report(const struct hone_report *report, bool has_all_rows)
{
  char origin[32];

  snprintf(origin, sizeof origin, "run %" PRId64, report->run);
  for (size_t i = 0; i < report->row_count; i++) {
    const struct hone_report_row *row = &report->rows[i];
    if (*row->suspicious && (has_all_rows || row->is_winner))
      return refuse(origin, row->config, row->suspicious);
  }
  return true;
}

bool suspicious_check_run(struct hone_store *store, int64_t run, bool has_all_rows,
                          hone_status *status)
{
  struct hone_report *report = NULL;
  bool ok;

  *status = hone_report_load(store, run, &report);
  ok = *status || check_report(report, has_all_rows);
  hone_report_free(report);
  return ok;
}
