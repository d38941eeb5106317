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
  hone_status status = hone_results_find_column(results, metric, &column, &maximise);

  if (!status && hone_results_order(results, column, maximise, &order))
    best = hone_results_row(results, order[0]);
  hone_status_free(status);
  free(order);
  return best;
}

bool suspicious_check_row(const struct hone_results *results, size_t row, const char *metric)
{
  const struct hone_result_row *taken =
      row == SIZE_MAX ? best_row(results, metric) : hone_results_row(results, row);

  if (!taken || !*hone_result_row_suspicious(taken)) return true;
  return refuse(hone_results_origin(results), hone_result_row_spec(taken),
                hone_result_row_suspicious(taken));
}

bool suspicious_check_all(const struct hone_results *results)
{
  for (size_t i = 0; i < hone_results_row_count(results); i++)
    if (!suspicious_check_row(results, i, NULL)) return false;
  return true;
}

static bool check_report(const struct hone_report *report, bool has_all_rows)
{
  char origin[32];

  snprintf(origin, sizeof origin, "run %" PRId64, hone_report_run(report));
  for (size_t i = 0; i < hone_report_row_count(report); i++) {
    const struct hone_report_row *row = hone_report_row(report, i);
    if (*hone_report_row_suspicious(row) && (has_all_rows || hone_report_row_is_winner(row)))
      return refuse(origin, hone_report_row_config(row), hone_report_row_suspicious(row));
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
