/* The figures on top of a page, and the small print at its end. */

#include "report/markup.h"
#include "report/page_parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Figures ---- */

struct figures {                    /* of one of the results */
  uint64_t total, ok, slow, failed; /* the rest was not reached */
  double best, worst;               /* NaN: there is none */
  const struct hone_result_row *best_row;
};

static struct figures figures_of(const struct hone__bars *bars, size_t result)
{
  const struct hone_results *results = bars->options->results[result];
  struct figures figures = {.total = results->total,
                            .ok = results->valid - results->slow,
                            .slow = results->slow,
                            .failed = results->failure_count};

  figures.best_row = bars->comparison->results[result].best;
  figures.best = bars->comparison->results[result].best_value;
  figures.worst = NAN;
  for (size_t i = 0; i < bars->comparison->row_count; i++) {
    double value = bars->comparison->rows[i].values[result];
    if (!isfinite(value)) continue;
    figures.worst = isnan(figures.worst)         ? value
                    : bars->comparison->maximise ? fmin(figures.worst, value)
                                                 : fmax(figures.worst, value);
  }
  return figures;
}

/* Of the larger to the smaller, whichever is better. There is none across zero. */
static double spread_of(const struct hone__bars *bars, const struct figures *figures)
{
  if (figures->best * figures->worst <= 0) return NAN;
  return bars->comparison->maximise ? figures->best / figures->worst
                                    : figures->worst / figures->best;
}

static void add_value(struct hone__text *html, const struct hone__bars *bars, double value)
{
  if (!isfinite(value)) {
    hone__text_add(html, "\xe2\x80\x93");
    return;
  }
  hone__markup_number(html, value * bars->scale, 3);
  hone__text_addf(html, "%s%s", *bars->unit ? " " : "", bars->unit);
}

static void add_params(struct hone__text *html, const struct hone_result_row *row)
{
  for (size_t i = 0; i < row->params.count; i++) {
    if (i) hone__text_add(html, " ");
    hone__markup_add(html, row->params.at[i].name, 100);
    hone__text_add(html, "=");
    hone__markup_add(html, row->params.at[i].value, 200);
  }
  if (!row->params.count) hone__markup_add(html, row->spec, 400);
}

static const struct hone_report *report_of(const struct hone__bars *bars, size_t result)
{
  return bars->options->reports ? bars->options->reports[result] : NULL;
}

static bool is_unconfirmed(const struct hone__bars *bars, size_t result)
{
  const struct hone_report *report = report_of(bars, result);

  return report && report->unconfirmed;
}

/* Of the best: what it is, and what is not proved of it. */
static const char *doubt_of(const struct hone__bars *bars, size_t result,
                            const struct hone_result_row *best)
{
  if (is_unconfirmed(bars, result))
    return best->measured.basis == HONE_BASIS_CONFIRMED ? " (not proved to be faster)"
                                                        : " (unconfirmed)";
  return best->measured.is_baseline ? " (the baseline: no candidate is proved to be faster)" : "";
}

static void add_basis(struct hone__text *html, const struct hone_result_row *best)
{
  if (!best || best->measured.basis == HONE_BASIS_MEASURED) return;
  hone__text_addf(html, ", %s", hone_basis_name(best->measured.basis));
}

/* The command that reproduces a marked configuration; "": there is none. */
static const char *command_of(const struct hone_report *report, const char *suspicious)
{
  for (size_t i = 0; report && i < report->row_count; i++)
    if (strcmp(report->rows[i].suspicious, suspicious) == 0) return report->rows[i].command;
  return "";
}

/* The mark, and what follows from it. */
static void add_suspicion(struct hone__text *html, const struct hone__bars *bars, size_t result,
                          const struct hone_result_row *row)
{
  const char *command = command_of(report_of(bars, result), row->suspicious);

  if (!*row->suspicious) return;
  hone__text_add(html, "<p class=\"bad\">SUSPICIOUS: ");
  hone__markup_add(html, row->suspicious, 1000);
  hone__text_add(html, ". <code>hone export</code> needs <code>--force</code> for it; check that "
                       "it does all of the work");
  if (*command) hone__text_add(html, ", and separately: <code>");
  hone__markup_add(html, command, 1000);
  hone__text_addf(html, "%s</p>\n", *command ? "</code>" : "");
}

/* ---- One: cards ---- */

static void add_count_card(struct hone__text *html, const char *name, uint64_t count)
{
  hone__text_addf(html, "<div class=\"card\"><b>%" PRIu64 "</b><span>%s</span></div>\n", count,
                  name);
}

/* Where nothing is proved to be faster, the best is the baseline itself. */
static const char *subject_of_speedup(const struct figures *figures)
{
  bool is_baseline = figures->best_row && figures->best_row->measured.is_baseline;

  return is_baseline ? "speedup of the best candidate over the baseline"
                     : "speedup over the baseline";
}

/* The speedup of the headline; of what has no verdict the ratio of the extremes. */
static void add_ratio_card(struct hone__text *html, const struct hone__bars *bars,
                           const struct figures *figures)
{
  const struct hone_report *report = report_of(bars, 0);
  bool has_verdict = report && report->verdict != HONE_VERDICT_NONE && isfinite(report->speedup);

  hone__text_add(html, "<div class=\"card\"><b>");
  hone__markup_ratio(html, has_verdict ? report->speedup : spread_of(bars, figures));
  hone__text_addf(html, "</b><span>%s</span></div>\n",
                  has_verdict                  ? subject_of_speedup(figures)
                  : bars->comparison->maximise ? "best/worst"
                                               : "worst/best");
}

static void add_cards(struct hone__text *html, const struct hone__bars *bars)
{
  struct figures figures = figures_of(bars, 0);

  hone__text_add(html, "<div class=\"cards\">\n");
  add_count_card(html, "configurations", figures.total);
  add_count_card(html, "ok", figures.ok);
  if (figures.slow) add_count_card(html, "cut off as slow", figures.slow);
  add_count_card(html, "failed", figures.failed);
  hone__text_add(html, "<div class=\"card\"><b>");
  add_value(html, bars, figures.best);
  hone__text_add(html, "</b><span>best ");
  hone__markup_add(html, bars->title, 100);
  add_basis(html, figures.best_row);
  hone__text_add(html, "</span></div>\n");
  add_ratio_card(html, bars, &figures);
  hone__text_add(html, "</div>\n");
  if (!figures.best_row) return;
  hone__text_add(html, "<p>Best: <code>");
  add_params(html, figures.best_row);
  hone__text_addf(html, "</code>%s</p>\n", doubt_of(bars, 0, figures.best_row));
  add_suspicion(html, bars, 0, figures.best_row);
}

/* ---- Several: a table ---- */

static void add_change(struct hone__text *html, const struct hone__bars *bars, size_t result)
{
  const struct hone_compared *change = &bars->comparison->results[result];

  if (result == 0) {
    hone__text_add(html, "<td class=\"n\">baseline</td><td></td>");
    return;
  }
  hone__text_add(html, "<td class=\"n\">");
  hone__markup_ratio(html, change->mean_ratio);
  hone__text_addf(html, "</td><td>%" PRIu64 " better, %" PRIu64 " worse, %" PRIu64 " equal",
                  change->better, change->worse, change->equal);
  if (change->missing) hone__text_addf(html, ", %" PRIu64 " missing", change->missing);
  if (change->extra) hone__text_addf(html, ", %" PRIu64 " new", change->extra);
  hone__text_add(html, "</td>");
}

/* Its sizes, where they differ from those of another one. */
static void add_problem(struct hone__text *html, const struct hone__bars *bars, size_t result)
{
  const struct hone_results *const *results = bars->options->results;
  bool differs = false;

  for (size_t i = 0; i < bars->options->count && !differs; i++)
    differs = strcmp(results[i]->problem, results[0]->problem) != 0;
  if (!differs || !*results[result]->problem) return;
  hone__text_add(html, "<br><span class=\"faint\">");
  hone__markup_add(html, results[result]->problem, 200);
  hone__text_add(html, "</span>");
}

static void add_line(struct hone__text *html, const struct hone__bars *bars, size_t result)
{
  struct figures figures = figures_of(bars, result);

  hone__text_add(html, "<tr><td>");
  hone__markup_add(html, bars->labels[result], 100);
  add_problem(html, bars, result);
  hone__text_addf(html,
                  "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64
                  "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64
                  "</td><td class=\"n\">",
                  figures.total, figures.ok, figures.slow, figures.failed);
  add_value(html, bars, figures.best);
  hone__text_add(html, "</td><td class=\"n\">");
  hone__markup_ratio(html, spread_of(bars, &figures));
  hone__text_add(html, "</td>");
  add_change(html, bars, result);
  hone__text_add(html, "<td class=\"wrap\">");
  if (figures.best_row) add_params(html, figures.best_row);
  if (figures.best_row) hone__text_add(html, doubt_of(bars, result, figures.best_row));
  if (figures.best_row) add_suspicion(html, bars, result, figures.best_row);
  hone__text_add(html, "</td></tr>\n");
}

static void add_lines(struct hone__text *html, const struct hone__bars *bars)
{
  hone__text_addf(html,
                  "<div class=\"scroll\"><table>\n<thead><tr><th></th><th class=\"n\">"
                  "configurations</th><th class=\"n\">ok</th><th class=\"n\">slow</th><th "
                  "class=\"n\">failed</th>"
                  "<th class=\"n\">best</th><th class=\"n\">%s</th><th class=\"n\">mean ratio</th>"
                  "<th>row by row</th><th>best configuration</th></tr></thead>\n<tbody>\n",
                  bars->comparison->maximise ? "best/worst" : "worst/best");
  for (size_t i = 0; i < bars->options->count; i++)
    add_line(html, bars, i);
  hone__text_add(html,
                 "</tbody></table></div>\n<p class=\"note\">Ratios are relative to the first "
                 "result; their mean is geometric. A difference below 5% counts as equal.</p>\n");
}

/* What the samples prove, in a sentence for each of the results. */
static void add_verdicts(struct hone__text *html, const struct hone__bars *bars)
{
  for (size_t i = 1; i < bars->options->count; i++) {
    const struct hone_compared *sum = &bars->comparison->results[i];
    if (!sum->bounded) continue;
    hone__text_add(html, "<p class=\"verdict\"><b>");
    hone__markup_add(html, bars->labels[i], 100);
    hone__text_addf(html, "</b> takes %.3f times as long as ", sum->mean_bounded);
    hone__markup_add(html, bars->labels[0], 100);
    hone__text_addf(html,
                    " (geometric mean, 95&nbsp;%% interval %.3f to %.3f): %" PRIu64
                    " FASTER, %" PRIu64 " SLOWER, %" PRIu64 " SAME, %" PRIu64
                    " INCONCLUSIVE, by the samples of both.</p>\n",
                    sum->mean_low, sum->mean_high, hone_compared_changes(sum, HONE_CHANGE_FASTER),
                    hone_compared_changes(sum, HONE_CHANGE_SLOWER),
                    hone_compared_changes(sum, HONE_CHANGE_SAME),
                    hone_compared_changes(sum, HONE_CHANGE_INCONCLUSIVE));
  }
}

/* The labels of results with the same text as this one: "run 18, run 16". False: one before it has
 * that text. */
static bool add_labels(struct hone__text *html, const struct hone__bars *bars, char *const *texts,
                       size_t first)
{
  for (size_t i = 0; i < first; i++)
    if (texts[i] && strcmp(texts[i], texts[first]) == 0) return false;
  for (size_t i = first; i < bars->options->count; i++) {
    if (!texts[i] || strcmp(texts[i], texts[first]) != 0) continue;
    if (i > first) hone__text_add(html, ", ");
    hone__markup_add(html, bars->labels[i], 100);
  }
  return true;
}

/* What results have of a subject in which they differ from the first; NULL: nothing. */
static void find_others(const struct hone__bars *bars, enum hone_subject subject, char **texts)
{
  for (size_t i = 1; i < bars->options->count; i++) {
    struct hone_differences *differences =
        hone_results_differences(bars->options->results[0], bars->options->results[i]);
    for (size_t k = 0; k < hone_differences_count(differences); k++) {
      if (hone_differences_subject(differences, k) != subject) continue;
      free(texts[i]);
      texts[i] = hone__strdup(hone_differences_second(differences, k));
      if (!texts[0]) texts[0] = hone__strdup(hone_differences_first(differences, k));
    }
    hone_differences_free(differences);
  }
}

/* "Different device: sim:c in run 18, run 15; sim:b in run 17." Those that do not differ are not
 * among them, but for the first. */
static void add_other_subject(struct hone__text *html, const struct hone__bars *bars,
                              enum hone_subject subject)
{
  size_t count = bars->options->count;
  char **texts = hone__alloc(count * sizeof *texts);

  find_others(bars, subject, texts);
  if (texts[0])
    hone__text_addf(html, "<p class=\"note bad\">Different %s: ", hone_subject_name(subject));
  for (size_t i = 0; i < count; i++) {
    struct hone__text labels = {0};
    if (texts[i] && add_labels(&labels, bars, texts, i)) {
      hone__text_add(html, i ? "; " : "");
      hone__markup_add(html, texts[i], 200);
      hone__text_addf(html, " in %s", labels.data);
    }
    hone__text_release(&labels);
  }
  if (texts[0]) hone__text_add(html, ".</p>\n");
  for (size_t i = 0; i < count; i++)
    free(texts[i]);
  free(texts);
}

/* Different problems, kernels, devices or machines. */
static void add_other_subjects(struct hone__text *html, const struct hone__bars *bars)
{
#define SUBJECT(id, name) add_other_subject(html, bars, HONE_SUBJECT_##id);
  HONE_SUBJECTS(SUBJECT)
#undef SUBJECT
}

static char *answers_of(const struct hone__bars *bars, size_t number)
{
  const struct hone_report *report = bars->options->reports ? bars->options->reports[number] : NULL;

  if (!report || report->answers == HONE_ANSWERS_REFERENCE || !*report->answers_text) return NULL;
  return hone__strdup(report->answers_text);
}

/* A doubt about an answer is shown beside the figures. */
static void add_answers(struct hone__text *html, const struct hone__bars *bars)
{
  size_t count = bars->options->count;
  char **texts = hone__alloc(count * sizeof *texts);

  for (size_t i = 0; i < count; i++)
    texts[i] = answers_of(bars, i);
  for (size_t i = 0; i < count; i++) {
    struct hone__text labels = {0};
    if (texts[i] && add_labels(&labels, bars, texts, i)) {
      hone__text_addf(html, "<p class=\"note\">Answers of %s are ", labels.data);
      hone__markup_add(html, texts[i], 200);
      hone__text_add(html, ".</p>\n");
    }
    hone__text_release(&labels);
  }
  for (size_t i = 0; i < count; i++)
    free(texts[i]);
  free(texts);
}

void hone__page_summary(struct hone__text *html, const struct hone__bars *bars)
{
  if (bars->options->count == 1) {
    add_cards(html, bars);
    add_answers(html, bars);
    return;
  }
  hone__text_add(html, "<section>\n<h2>Summary</h2>\n");
  add_other_subjects(html, bars);
  add_verdicts(html, bars);
  add_lines(html, bars);
  add_answers(html, bars);
  hone__text_add(html, "</section>\n");
}

/* ---- Warnings of the machine, and what else was noticed ---- */

static bool has_note(const struct hone_report *report, const char *note)
{
  for (size_t i = 0; report && i < report->note_count; i++)
    if (strcmp(report->notes[i], note) == 0) return true;
  return false;
}

/* The results with this note: "all", "run 6, run 8". False: one before this has it, too. */
static bool add_owners(struct hone__text *html, const struct hone__bars *bars, size_t result,
                       const char *note)
{
  size_t count = bars->options->count, owners = 0;

  for (size_t i = 0; i < result; i++)
    if (has_note(report_of(bars, i), note)) return false;
  for (size_t i = result; i < count; i++)
    owners += has_note(report_of(bars, i), note);
  if (owners == count) {
    hone__text_add(html, "all");
    return true;
  }
  for (size_t i = result, found = 0; i < count; i++) {
    if (!has_note(report_of(bars, i), note)) continue;
    if (found++) hone__text_add(html, ", ");
    hone__markup_add(html, bars->labels[i], 100);
  }
  return true;
}

static void add_notes_of(struct hone__text *html, const struct hone__bars *bars, size_t result)
{
  const struct hone_report *report = report_of(bars, result);

  for (size_t i = 0; report && i < report->note_count; i++) {
    struct hone__text owners = {0};
    if (add_owners(&owners, bars, result, report->notes[i])) {
      bool is_one = bars->options->count == 1;
      hone__text_addf(html, "<li>%s%s", is_one ? "" : owners.data, is_one ? "" : ": ");
      hone__markup_add(html, report->notes[i], 2000);
      hone__text_add(html, "</li>\n");
    }
    hone__text_release(&owners);
  }
}

void hone__page_notes(struct hone__text *html, const struct hone__bars *bars)
{
  struct hone__text items = {0};

  for (size_t i = 0; i < bars->options->count; i++)
    add_notes_of(&items, bars, i);
  if (items.length)
    hone__text_addf(html,
                    "<section id=\"notes\">\n<h2>Notes</h2>\n<ul class=\"notes\">\n%s</ul>\n"
                    "</section>\n",
                    items.data);
  hone__text_release(&items);
}

/* ---- Provenance ---- */

/* Names and texts, in the order in which they are shown. */
static void add_item(json_t *items, const char *name, const char *text)
{
  if (text && *text) json_object_set_new_nocheck(items, name, json_string_nocheck(text));
}

/* The machine, as the store has it: an object, whatever is in it. */
static void add_environment(json_t *items, const char *environment)
{
  json_t *object = json_loads(environment, 0, NULL), *value;
  const char *name;

  json_object_foreach(object, name, value)
  {
    char *dumped = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY);
    add_item(items, name, dumped ? dumped : json_string_value(value));
    free(dumped);
  }
  json_decref(object);
}

static void add_run(json_t *items, const struct hone_report *report)
{
  add_item(items, "started (UTC)", report->started);
  add_item(items, "state", hone_run_state_name(report->state));
  add_item(items, "answers", report->answers_text);
  add_item(items, "spec", report->spec);
  add_item(items, "command", report->command);
  add_item(items, "fingerprint", report->fingerprint);
  add_environment(items, report->environment);
}

static json_t *origin_of(const struct hone__bars *bars, size_t result)
{
  const struct hone_results *results = bars->options->results[result];
  const struct hone_report *report = report_of(bars, result);
  json_t *items = json_object();

  if (bars->options->labels && bars->options->labels[result])
    add_item(items, "label", bars->labels[result]);
  add_item(items, "results", results->origin);
  add_item(items, "name", results->name);
  add_item(items, "problem", results->problem);
  add_item(items, "program", results->file);
  if (report) add_run(items, report);
  return items;
}

/* Those of the first, and of others what differs from it. */
static void print_origin(struct hone__text *html, json_t *items, json_t *first)
{
  const char *name;
  json_t *value;

  hone__text_add(html, "<dl>\n");
  json_object_foreach(items, name, value)
  {
    json_t *before = json_object_get(first, name);
    if (items != first && before && json_equal(before, value)) continue;
    hone__text_add(html, "<dt>");
    hone__markup_add(html, name, 100);
    hone__text_add(html, "</dt><dd>");
    hone__markup_add(html, json_string_value(value), 2000);
    hone__text_add(html, "</dd>\n");
  }
  hone__text_add(html, "</dl>\n");
}

void hone__page_provenance(struct hone__text *html, const struct hone__bars *bars)
{
  json_t *first = origin_of(bars, 0);

  hone__text_add(html, "<section>\n<h2>Provenance</h2>\n");
  print_origin(html, first, first);
  if (bars->options->count > 1)
    hone__text_add(html, "<p class=\"note\">Of the others, what differs from the first:</p>\n");
  for (size_t i = 1; i < bars->options->count; i++) {
    json_t *items = origin_of(bars, i);
    print_origin(html, items, first);
    json_decref(items);
  }
  json_decref(first);
  hone__text_add(html, "</section>\n");
}
