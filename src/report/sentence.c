/* What a run found, in one sentence. A claim is made from confirmation alone; what screening saw is
 * called unconfirmed. */
#include "report/sentence.h"

#include "base/number.h"
#include "base/pareto.h"
#include "base/text.h"
#include "report/report_internal.h"

#include <math.h>
#include <stdlib.h>

/* Close to 1 the third digit is what matters. */
static int digits_of(double speedup)
{
  return fabs(speedup - 1) < 0.095 ? 3 : 2;
}

static void add_real(struct hone__text *text, double value, int digits)
{
  char number[64];

  hone__print_real(number, sizeof number, 'f', digits, value);
  hone__text_add(text, number);
}

/* 1, 2.5: a percentage without zeros at its end. */
static void add_percent(struct hone__text *text, double share)
{
  double percent = 100 * share;
  int digits = 0;

  while (digits < 3 && fabs(percent - round(percent * pow(10, digits)) / pow(10, digits)) > 1e-9)
    digits++;
  add_real(text, percent, digits);
  hone__text_add(text, " %");
}

static void add_count(struct hone__text *text, int64_t count, const char *noun)
{
  hone__text_addf(text, "%lld %s%s", (long long)count, noun, count == 1 ? "" : "s");
}

static double margin_of(const struct hone__store_run_stored *run)
{
  json_t *options = run->record.options ? json_loads(run->record.options, 0, NULL) : NULL;
  json_t *margin = json_object_get(options, "margin");
  double value = json_is_number(margin) ? json_number_value(margin) : 0.01;

  json_decref(options);
  return value;
}

/* Metrics of confirmed candidates are those of the confirmation: NULL, since one of these may have
 * been the best. */
static const struct hone_report_row *best_screened(const struct hone_report *report)
{
  const struct hone_report_row *best = NULL;

  for (size_t i = 0; i < report->row_count; i++) {
    const struct hone_report_row *row = &report->rows[i];
    if (row->is_baseline) continue;
    if (row->confirmed && isnan(row->screen_speedup)) return NULL;
    if (!isfinite(row->screen_speedup)) continue;
    if (!best || row->screen_speedup > best->screen_speedup) best = row;
  }
  return best;
}

static void add_than(struct hone__text *text, const struct hone__report_full *full, const char *as)
{
  hone__text_addf(text, "%s the baseline", as);
  if (full->aim) hone__text_addf(text, " in '%s'", full->aim);
}

static const char *faster_than(const struct hone__report_full *full)
{
  return full->aim ? "better than" : "faster than";
}

/* "2.50 times as fast as the baseline". Where zero is between two metrics there is no ratio. */
static void add_speedup(struct hone__text *text, const struct hone__report_full *full,
                        double speedup)
{
  if (speedup >= HONE__ACROSS_ZERO) {
    add_than(text, full, faster_than(full));
    hone__text_add(text, ", with the opposite sign");
    return;
  }
  add_real(text, speedup, digits_of(speedup));
  add_than(text, full, full->aim ? " times as good as" : " times as fast as");
}

static size_t count_confirmed(const struct hone_report *report)
{
  size_t count = 0;

  for (size_t i = 0; i < report->row_count; i++)
    count += report->rows[i].confirmed && !report->rows[i].is_baseline;
  return count;
}

static void add_no_best(struct hone__text *text, const struct hone__report_full *full)
{
  if (count_confirmed(&full->report)) return; /* they are named already */
  hone__text_addf(text, "; no candidate %s",
                  full->aim && full->report.ok ? "can be compared" : "was timed");
}

/* What screening saw, and the outcome of it. */
static void add_best(struct hone__text *text, const struct hone__report_full *full)
{
  const struct hone_report_row *best = best_screened(&full->report);

  if (!best) {
    add_no_best(text, full);
    return;
  }
  hone__text_addf(text, "; the best candidate in screening is %s (", best->config);
  add_speedup(text, full, best->screen_speedup);
  if (best->confirmed && isfinite(best->speedup)) {
    hone__text_add(text, " there, ");
    add_real(text, best->speedup, digits_of(best->speedup));
    hone__text_add(text, " times in the confirmation)");
  } else {
    hone__text_add(text, ", unconfirmed)");
  }
}

/* ---- Verdicts ---- */

/* "95 % interval 1.1 to 1.2, 18 pairs over 3 restarts" */
static void add_proof(struct hone__text *text, const struct hone__store_run_result *result)
{
  int digits = digits_of(result->speedup);

  if (isfinite(result->low) && isfinite(result->high) && result->speedup < HONE__ACROSS_ZERO) {
    add_percent(text, isfinite(result->confidence) ? result->confidence : 0.95);
    hone__text_add(text, " interval ");
    add_real(text, result->low, digits);
    hone__text_add(text, " to ");
    add_real(text, result->high, digits);
    hone__text_add(text, ", ");
  }
  add_count(text, result->pairs, "pair");
  hone__text_add(text, " over ");
  add_count(text, result->restarts, "restart");
}

static void write_improved(struct hone__text *text, const struct hone__report_full *full)
{
  const struct hone__store_run_result *result = &full->run.result;

  hone__text_addf(text, "%s is ", result->winner ? result->winner : "a candidate");
  add_speedup(text, full, result->speedup);
  hone__text_add(text, " (");
  add_proof(text, result);
  hone__text_add(text, ")");
}

/* Of those that were confirmed alone: of the others nothing is proved. */
static void write_no_improvement(struct hone__text *text, const struct hone__report_full *full)
{
  const char *why = full->run.result.why;
  size_t confirmed = count_confirmed(&full->report);

  if (confirmed == 1)
    hone__text_add(text, "the one confirmed candidate is not more than ");
  else if (confirmed)
    hone__text_addf(text, "none of the %zu confirmed candidates is more than ", confirmed);
  else
    hone__text_add(text, "no candidate is more than ");
  add_percent(text, margin_of(&full->run));
  hone__text_add(text, " ");
  add_than(text, full, faster_than(full));
  if (why && *why) hone__text_addf(text, " (%s)", why);
}

static void write_inconclusive(struct hone__text *text, const struct hone__report_full *full)
{
  const struct hone__store_run_result *result = &full->run.result;

  hone__text_addf(text, "whether %s is ", result->winner ? result->winner : "a candidate");
  add_than(text, full, faster_than(full));
  hone__text_add(text, " remains open");
  if (result->winner && result->pairs > 0) {
    hone__text_add(text, " (");
    add_real(text, result->speedup, digits_of(result->speedup));
    hone__text_add(text, " times, ");
    add_proof(text, result);
    hone__text_add(text, ")");
  }
  if (result->why && *result->why) hone__text_addf(text, ": %s", result->why);
  add_best(text, full);
}

/* ---- Runs without a verdict ---- */

static void write_running(struct hone__text *text, const struct hone__report_full *full)
{
  hone__text_add(text, "still running");
  add_best(text, full);
}

/* After a signal what is there may still have been proved. */
static void write_improved_so_far(struct hone__text *text, const struct hone__report_full *full)
{
  write_improved(text, full);
  hone__text_add(
      text, "; interrupted before all candidates were tried; run the same command to continue");
}

static void write_interrupted(struct hone__text *text, const struct hone__report_full *full)
{
  const char *why = full->run.result.why;

  hone__text_add(text, "interrupted");
  if (why && *why && full->report.verdict == HONE_VERDICT_NONE) hone__text_addf(text, " (%s)", why);
  hone__text_add(text, ": no result is confirmed");
  add_best(text, full);
  hone__text_add(text, "; run the same command to continue");
}

static void write_failed(struct hone__text *text, const struct hone__report_full *full)
{
  const char *why = full->run.result.why;

  hone__text_addf(text, "the run failed%s%s", why && *why ? ": " : "", why ? why : "");
}

static bool has_times(const struct hone_report *report)
{
  for (size_t i = 0; i < report->row_count; i++)
    if (isfinite(report->rows[i].time_ns)) return true;
  return false;
}

static void write_no_verdict(struct hone__text *text, const struct hone__report_full *full)
{
  const char *why = full->run.result.why;

  if (!(why && *why) && full->report.ok && !has_times(&full->report)) {
    hone__text_addf(text, "built %llu of %llu configurations; timing was not requested",
                    (unsigned long long)full->report.ok,
                    (unsigned long long)full->report.evaluations);
    return;
  }

  hone__text_addf(text, "no verdict: %s", why && *why ? why : "confirmation was not requested");
  add_best(text, full);
}

/* ---- Sweeps, which compare nothing ---- */

static const struct hone_report_row *fastest(const struct hone_report *report)
{
  const struct hone_report_row *best = NULL;

  for (size_t i = 0; i < report->row_count; i++) {
    const struct hone_report_row *row = &report->rows[i];
    if (isfinite(row->time_ns) && (!best || row->time_ns < best->time_ns)) best = row;
  }
  return best;
}

static void add_time(struct hone__text *text, double ns)
{
  char time[64];

  hone__print_time(time, sizeof time, ns);
  hone__text_add(text, time);
}

static void write_swept(struct hone__text *text, const struct hone__report_full *full)
{
  const struct hone_report *report = &full->report;
  const struct hone_report_row *best = fastest(report);
  const char *why = full->run.result.why;

  if (full->run.record.imported)
    hone__text_addf(text, "imported from '%s': ", full->run.record.imported);
  else if (report->state == HONE_RUN_RUNNING)
    hone__text_add(text, "still running: ");
  else if (report->state != HONE_RUN_FINISHED)
    hone__text_addf(text, "%s: ", hone_run_state_name(report->state));
  if (report->state == HONE_RUN_FAILED && why && *why) hone__text_addf(text, "%s; ", why);
  hone__text_addf(text, "%llu of %llu configurations %s", (unsigned long long)report->ok,
                  (unsigned long long)report->evaluations, best ? "work" : "were built");
  if (best) {
    hone__text_addf(text, "; the fastest is %s (", best->config);
    add_time(text, best->time_ns);
    hone__text_add(text, ", measured once)");
  }
  if (report->state == HONE_RUN_INTERRUPTED)
    hone__text_add(text, "; run the same command to continue");
}

/* Where none fits, there is no verdict. */
static const struct {
  enum hone_run_state state;
  enum hone_verdict verdict; /* NONE: whichever */
  void (*say)(struct hone__text *text, const struct hone__report_full *full);
} sentences[] = {
    {HONE_RUN_RUNNING, HONE_VERDICT_NONE, write_running},
    {HONE_RUN_INTERRUPTED, HONE_VERDICT_NONE, write_interrupted},
    {HONE_RUN_INTERRUPTED, HONE_VERDICT_IMPROVED, write_improved_so_far},
    {HONE_RUN_FAILED, HONE_VERDICT_NONE, write_failed},
    {HONE_RUN_FINISHED, HONE_VERDICT_IMPROVED, write_improved},
    {HONE_RUN_FINISHED, HONE_VERDICT_NO_IMPROVEMENT, write_no_improvement},
    {HONE_RUN_FINISHED, HONE_VERDICT_INCONCLUSIVE, write_inconclusive},
};

static char *compose(const struct hone__report_full *full)
{
  const struct hone_report *report = &full->report;
  void (*say)(struct hone__text *, const struct hone__report_full *) = write_no_verdict;
  struct hone__text text = {0};

  for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
    enum hone_verdict verdict = sentences[i].verdict;
    if (sentences[i].state == report->state &&
        (verdict == HONE_VERDICT_NONE || verdict == report->verdict))
      say = sentences[i].say;
  }
  if (report->is_sweep) say = write_swept;
  say(&text, full);
  if (report->answers == HONE_ANSWERS_NONE) hone__text_add(&text, "; answers were not checked");
  return hone__text_take(&text);
}

const char *hone__report_sentence(struct hone__report_full *full)
{
  char *text = compose(full);
  const char *sentence = hone__arena_strdup(&full->arena, text);

  free(text);
  return sentence;
}

char *hone__report_sentence_about(const struct hone_report *report, const char *winner)
{
  struct hone__report_full full = *(const struct hone__report_full *)report;

  if (full.run.result.winner) full.run.result.winner = winner;
  return compose(&full);
}
