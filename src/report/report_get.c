/* The accessors of a report. */
#include "report/report.h"

#include "base/accessor.h"

#define REPORT(type, property, field) HONE__GET(type, hone_report, property, field)
REPORT(enum hone_verdict, verdict, verdict)
REPORT(const char *, sentence, sentence)
REPORT(const char *, winner, winner)
REPORT(const char *, baseline, baseline)
REPORT(double, speedup, speedup)
REPORT(double, low, low)
REPORT(double, high, high)
REPORT(double, confidence, confidence)
REPORT(bool, is_unconfirmed, unconfirmed)
REPORT(int64_t, run, run)
REPORT(enum hone_run_state, state, state)
REPORT(bool, is_sweep, is_sweep)
REPORT(const char *, name, name)
REPORT(const char *, problem, problem)
REPORT(const char *, spec, spec)
REPORT(const char *, command, command)
REPORT(const char *, started, started)
REPORT(const char *, strategy, strategy)
REPORT(uint64_t, seed, seed)
REPORT(const char *, space, space)
REPORT(const char *, part, part)
REPORT(const char *, environment, environment)
REPORT(const char *, fingerprint, fingerprint)
REPORT(const char *, kind, kind)
REPORT(size_t, elsewhere_count, elsewhere_count)
REPORT(double, wall_s, wall_s)
REPORT(double, drift, drift)
REPORT(enum hone_answers, answers, answers)
REPORT(const char *, answers_text, answers_text)
REPORT(uint64_t, evaluation_count, evaluations)
REPORT(uint64_t, ok_count, ok)
REPORT(uint64_t, slow_count, slow)
REPORT(uint64_t, failed_count, failed)
REPORT(uint64_t, reused_count, reused)
REPORT(uint64_t, same_object_count, same_object)
REPORT(uint64_t, compiled_count, compiled)
REPORT(uint64_t, cached_count, cached)
REPORT(size_t, note_count, note_count)
REPORT(size_t, log_count, log_count)
REPORT(size_t, row_count, row_count)
REPORT(size_t, metric_count, metric_count)
REPORT(size_t, failure_count, failure_count)
REPORT(const struct hone_pareto *, pareto, pareto)
HONE__LEND(hone_params, hone_report, winner_params, winner_params)
HONE__LEND(hone_params, hone_report, baseline_params, baseline_params)
HONE__GET_AT(const char *, hone_report, note, notes, note_count, NULL)
HONE__GET_AT(const char *, hone_report, log, log, log_count, NULL)
HONE__GET_AT(const char *, hone_report, metric_name, metric_names, metric_count, NULL)
HONE__LEND_AT(hone_report_row, hone_report, row, rows, row_count)
HONE__LEND_AT(hone_report_failure, hone_report, failure, failures, failure_count)
HONE__LEND_AT(hone_report_elsewhere, hone_report, elsewhere, elsewhere, elsewhere_count)

#define ELSEWHERE(type, property) HONE__GET(type, hone_report_elsewhere, property, property)
ELSEWHERE(int64_t, run)
ELSEWHERE(const char *, config)
ELSEWHERE(const char *, outcome)
ELSEWHERE(double, speedup)

const struct hone_report_row *hone_report_winner_row(const struct hone_report *report)
{
  for (size_t i = 0; i < report->row_count; i++)
    if (report->rows[i].is_winner) return &report->rows[i];
  return NULL;
}

const struct hone_report_row *hone_report_baseline_row(const struct hone_report *report)
{
  for (size_t i = 0; i < report->row_count; i++)
    if (report->rows[i].is_baseline) return &report->rows[i];
  return NULL;
}

#define ROW(type, property, field) HONE__GET(type, hone_report_row, property, field)
ROW(const char *, config, config)
ROW(bool, is_baseline, is_baseline)
ROW(bool, is_winner, is_winner)
ROW(bool, is_confirmed, confirmed)
ROW(bool, is_tied, is_tied)
ROW(enum hone_outcome, outcome, outcome)
ROW(const char *, device, device)
ROW(enum hone_verdict, verdict, verdict)
ROW(double, time_ns, time_ns)
ROW(double, least_ns, least_ns)
ROW(double, greatest_ns, greatest_ns)
ROW(double, speedup, speedup)
ROW(double, low, low)
ROW(double, high, high)
ROW(double, screen_speedup, screen_speedup)
ROW(uint64_t, pairs, pairs)
ROW(uint64_t, restarts, restarts)
ROW(uint64_t, samples, samples)
ROW(double, compile_s, compile_s)
ROW(const char *, command, command)
ROW(const char *, suspicious, suspicious)
ROW(size_t, stage_count, stage_count)
HONE__GET_IN(const char *, hone_report_row, stage_name, stages, name, stage_count, NULL)
HONE__GET_IN(double, hone_report_row, stage_share, stages, share, stage_count, 0)
HONE__GET_AT(const char *, hone_report_row, metric, metric_values, metric_count, "")

#define FAILURE(type, property, field) HONE__GET(type, hone_report_failure, property, field)
FAILURE(enum hone_outcome, outcome, outcome)
FAILURE(const char *, text, text)
FAILURE(uint64_t, candidates, count)
FAILURE(const char *, config, config)
FAILURE(const char *, evidence, evidence)
FAILURE(const char *, command, command)

const char *hone_answers_name(enum hone_answers answers)
{
#define NAME(id, name) name,
  static const char *const names[] = {HONE_ANSWERS(NAME)};
#undef NAME

  return (size_t)answers < sizeof names / sizeof *names ? names[answers] : "";
}
