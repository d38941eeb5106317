/* Every event becomes text in memory and then one write, so that output of other writers to the
 * same terminal falls between our lines and not into them.
 */
#include "tune_progress.h"

#include "event_json.h"
#include "figures.h"
#include "terminal.h"
#include "visible.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
  MOST_SHOWN = 10,     /* different failures of a class */
  LEAST_CONFIG = 12,   /* columns: less of a configuration is not informative */
  LABEL_WIDTH = 4,     /* "best", "ok", "slow" */
  PLAIN_INTERVAL = 10, /* seconds between lines of progress in a file */
};

/* Failures of one class that were shown already. */
struct shown {
  char *evidence[MOST_SHOWN];
  size_t count;
  bool is_full; /* and that was reported */
};

struct tune_progress {
  struct output output;
  const char *name; /* of the spec */
  bool is_quiet, is_verbose, is_rewritten, is_sweep, is_json;
  bool is_line_shown;
  uint64_t ended, total; /* instances of a sweep, `ended` since it was started */
  char *line;            /* the status as it is shown; NULL: none */
  double last_line_s;
  struct shown classes[HONE_OUTCOME_COUNT];
};

const char *const progress_words[] = {"text", "json", "none", NULL};

void tune_progress_prepare(char **argv)
{
  static const char option[] = "--progress";
  const size_t length = sizeof option - 1;

  for (; *argv; argv++) {
    const char *value = NULL;
    if (strcmp(*argv, option) == 0)
      value = argv[1];
    else if (strncmp(*argv, option, length) == 0 && (*argv)[length] == '=')
      value = *argv + length + 1;
    if (value) message_use_json(strcmp(value, progress_words[PROGRESS_JSON]) == 0);
  }
}

struct tune_progress *tune_progress_open(const struct common *common, const char *name)
{
  struct tune_progress *progress = check_memory(calloc(1, sizeof *progress));
  size_t width;

  progress->name = name;
  progress->is_quiet = common->quiet || common->progress == PROGRESS_NONE;
  progress->is_json = common->progress == PROGRESS_JSON;
  progress->is_verbose = common->verbose;
  progress->is_rewritten = !progress->is_json && terminal_has_status(&width);
  progress->last_line_s = -INFINITY;
  output_open(&progress->output, STDERR_FILENO,
              terminal_has_color((enum color_mode)common->color, STDERR_FILENO));
  return progress;
}

void tune_progress_of_sweep(struct tune_progress *progress)
{
  progress->is_sweep = true;
}

static double now_s(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- The status line ---- */

/* A number of parts, in memory; NUL-terminated by finish. */
static char *finish(struct output *text)
{
  char *copy;

  output_bytes(text, "", 1);
  copy = check_memory(strdup(text->bytes));
  output_close(text);
  return copy;
}

static bool has_best(const struct hone_event *event)
{
  return isfinite(event->best_speedup) && event->best_speedup > 0 && event->best_config &&
         *event->best_config;
}

/* Parts that a narrow terminal has no space for, or that a sweep lacks. */
enum {
  WITHOUT_WORKERS = 1,
  WITHOUT_RATE = 2,
  WITHOUT_COUNTS = 4,
  WITHOUT_PROBLEM = 8,
  WITHOUT_BEST = 16,
  WITHOUT_SLOW = 32
};
static const int narrower[] = {0,
                               WITHOUT_WORKERS,
                               WITHOUT_WORKERS | WITHOUT_RATE,
                               WITHOUT_WORKERS | WITHOUT_RATE | WITHOUT_COUNTS,
                               WITHOUT_WORKERS | WITHOUT_RATE | WITHOUT_COUNTS | WITHOUT_PROBLEM,
                               WITHOUT_WORKERS | WITHOUT_RATE | WITHOUT_COUNTS | WITHOUT_PROBLEM |
                                   WITHOUT_BEST};

static char *before_config(const struct hone_event *event, int without)
{
  struct figure figure;
  struct output text;

  output_open(&text, OUTPUT_MEMORY, false);
  if (event->problem_count > 1 && !(without & WITHOUT_PROBLEM))
    output_format(&text, "problem %" PRIu64 " of %" PRIu64 "  ", event->problem,
                  event->problem_count);
  output_format(&text, "[%" PRIu64, event->done);
  if (event->total) output_format(&text, "/%" PRIu64, event->total);
  output_format(&text, "] %s", event->phase ? event->phase : "");
  if (event->workers && !(without & WITHOUT_WORKERS))
    output_format(&text, "  %" PRIu64 " worker%s", event->workers, event->workers == 1 ? "" : "s");
  if (event->workers > 1 && event->phase_id == HONE_PHASE_SCREEN && isfinite(event->idle) &&
      !(without & WITHOUT_WORKERS))
    output_format(&text, " %.0f %% idle", 100 * event->idle);
  if (event->workers_away) output_format(&text, " (%" PRIu64 " away)", event->workers_away);
  if (has_best(event) && !(without & WITHOUT_BEST))
    output_format(&text, "  best %s", figure_speedup(&figure, event->best_speedup));
  return finish(&text);
}

/* When building and measuring take turns, nothing else moves for a while. */
static bool is_building(const struct hone_event *event)
{
  return event->built > event->done + 1 && (event->built < event->total || !event->total);
}

/* "eta 3:05", "elapsed 1:02:05" */
static void add_clock(struct output *text, const char *what, double seconds)
{
  unsigned long left = (unsigned long)fmin(seconds, 1e9);

  output_format(text, "  %s ", what);
  if (left >= 3600) output_format(text, "%lu:%02lu", left / 3600, left % 3600 / 60);
  if (left < 3600) output_format(text, "%lu", left / 60);
  output_format(text, ":%02lu", left % 60);
}

/* The rate is that of screening, not of later stages; the time left is that of all. */
static char *after_config(const struct hone_event *event, int without)
{
  bool is_screening = (without & WITHOUT_SLOW) || event->phase_id == HONE_PHASE_SCREEN;
  struct output text;

  output_open(&text, OUTPUT_MEMORY, false);
  if (is_screening && is_building(event) && !(without & WITHOUT_RATE))
    output_format(&text, "  built %" PRIu64, event->built);
  if (!(without & WITHOUT_COUNTS)) {
    output_format(&text, "  ok %" PRIu64, event->ok);
    if (!(without & WITHOUT_SLOW)) output_format(&text, " slow %" PRIu64, event->slow);
    output_format(&text, " fail %" PRIu64, event->failed);
  }
  if (event->reused && !(without & WITHOUT_COUNTS))
    output_format(&text, " reused %" PRIu64, event->reused);
  if (is_screening && event->patience && !(without & WITHOUT_RATE))
    output_format(&text, "  patience %" PRIu64, event->patience);
  if (is_screening && event->rate > 0 && !(without & WITHOUT_RATE))
    output_format(&text, "  %.1f/s", event->rate);
  if (isfinite(event->eta_s) && event->eta_s >= 0)
    add_clock(&text, "eta", event->eta_s);
  else if (event->elapsed_s >= 1) /* something moves, also while nothing is finished */
    add_clock(&text, "elapsed", event->elapsed_s);
  return finish(&text);
}

/* Of the process that is waited for only the number of candidates is known. */
static int without_unknown(const struct hone_event *event, int without)
{
  bool is_waiting = event->phase_id == HONE_PHASE_WAITING;

  return is_waiting ? without | WITHOUT_COUNTS : without;
}

/* The least important parts go first: the end of the configuration, all of it, then others. */
static char *status_line(const struct hone_event *event, int without, size_t width)
{
  char *before = NULL, *after = NULL, *line;
  size_t used = SIZE_MAX;
  struct output text;

  without = without_unknown(event, without);
  for (size_t i = 0; i < sizeof narrower / sizeof *narrower && used > width; i++) {
    free(before);
    free(after);
    before = before_config(event, without | narrower[i]);
    after = after_config(event, without | narrower[i]);
    used = visible_width(before) + visible_width(after);
  }
  output_open(&text, OUTPUT_MEMORY, false);
  visible_text(&text, before);
  if (has_best(event) && used + 1 + LEAST_CONFIG <= width) {
    output_text(&text, " ");
    visible_cut(&text, event->best_config, width - used - 1);
  }
  visible_text(&text, after);
  line = finish(&text);
  free(before);
  free(after);
  return line;
}

static void erase(struct tune_progress *progress)
{
  if (progress->is_line_shown) output_raw(&progress->output, "\r\033[K");
  progress->is_line_shown = false;
}

/* The terminal may have been made narrower since the line was put together. */
static void redraw(struct tune_progress *progress)
{
  size_t width;

  if (!progress->line || !terminal_has_status(&width)) return;
  output_raw(&progress->output, "\r");
  visible_cut(&progress->output, progress->line, width - 1);
  output_raw(&progress->output, "\033[K");
  progress->is_line_shown = true;
}

/* The problem that it is about is over. */
static void forget_line(struct tune_progress *progress)
{
  free(progress->line);
  progress->line = NULL;
}

static void show_counts(struct tune_progress *progress, const struct hone_event *event)
{
  size_t width = SIZE_MAX / 2;
  double now = now_s();

  if (!progress->is_rewritten && now - progress->last_line_s < PLAIN_INTERVAL) return;
  progress->last_line_s = now;
  if (progress->is_rewritten && terminal_has_status(&width)) width--;
  free(progress->line);
  progress->line = status_line(event, progress->is_sweep ? WITHOUT_SLOW : 0, width);
  if (progress->is_rewritten) return;
  output_format(&progress->output, "%s\n", progress->line);
}

/* ---- Lines that stay ---- */

static void show_phase(struct tune_progress *progress, const struct hone_event *event)
{
  static const char *const texts[] = {[HONE_PHASE_BASELINE] = "measuring the baseline",
                                      [HONE_PHASE_SCREEN] = "screening candidates",
                                      [HONE_PHASE_BUILD] = "building candidates",
                                      [HONE_PHASE_RACE] = "racing the best candidates",
                                      [HONE_PHASE_CONFIRM] = "confirming the finalists"};
  const char *text = event->text ? event->text : "";

  if (event->phase_id == HONE_PHASE_START) {
    progress->ended = 0;
    progress->total = event->total;
    progress->last_line_s = now_s();
    output_style(&progress->output, STYLE_BOLD);
    visible_text(&progress->output, progress->name);
    output_style(&progress->output, STYLE_PLAIN);
    if (event->config && *event->config) output_text(&progress->output, "  ");
    visible_text(&progress->output, event->config ? event->config : "");
    if (event->problem_count > 1)
      output_format(&progress->output, "  (problem %" PRIu64 " of %" PRIu64 ")", event->problem,
                    event->problem_count);
    output_text(&progress->output, "\n");
    return;
  }
  if (progress->is_rewritten && !progress->is_verbose) return;
  if (event->phase_id < sizeof texts / sizeof *texts && texts[event->phase_id])
    text = texts[event->phase_id];
  visible_text(&progress->output, text);
  output_text(&progress->output, "\n");
}

/* " [3/5] (60%)" of a sweep; nothing of others. */
static void show_number(struct tune_progress *progress)
{
  if (!progress->is_sweep || !progress->total) return;
  output_format(&progress->output, " [%" PRIu64 "/%" PRIu64 "] (%.0f%%)", progress->ended,
                progress->total, floor(100 * (double)progress->ended / (double)progress->total));
}

static void show_instance(struct tune_progress *progress, const struct hone_event *event)
{
  struct output *output = &progress->output;
  struct figure time;

  output_styled(output, STYLE_GOOD, "succeeded");
  show_number(progress);
  output_format(output, "  %s  ", figure_time(&time, event->time_ns));
  visible_text(output, event->config ? event->config : "");
  output_text(output, "\n");
  visible_lines(output, event->evidence ? event->evidence : "", 2);
}

/* On a terminal it goes on below, in a log it stays one line. */
static void show_config(struct tune_progress *progress, const struct hone_event *event,
                        size_t indent)
{
  size_t width = SIZE_MAX / 2;

  if (progress->is_rewritten) terminal_has_status(&width);
  visible_wrapped(&progress->output, event->config ? event->config : "", indent, width);
  output_text(&progress->output, "\n");
}

static void show_candidate(struct tune_progress *progress, const struct hone_event *event,
                           const char *label, enum style style)
{
  struct figure speedup, time;
  struct output *output = &progress->output;

  output_styled(output, style, label);
  output_spaces(output, strlen(label) < LABEL_WIDTH ? LABEL_WIDTH - strlen(label) : 0);
  output_format(output, "  %7s  %8s  ", figure_speedup(&speedup, event->speedup),
                figure_time(&time, event->time_ns));
  show_config(progress, event, LABEL_WIDTH + 21);
}

/* True if it is a new kind of failure and there is room for it. */
static bool is_worth_showing(struct tune_progress *progress, enum hone_outcome outcome,
                             const char *evidence)
{
  struct shown *shown = &progress->classes[outcome];

  for (size_t i = 0; i < shown->count; i++)
    if (strcmp(shown->evidence[i], evidence) == 0) return false;
  if (shown->count < MOST_SHOWN) {
    shown->evidence[shown->count++] = check_memory(strdup(evidence));
    return true;
  }
  if (!shown->is_full)
    output_format(&progress->output, "further %s failures are in the report\n",
                  hone_outcome_name(outcome));
  shown->is_full = true;
  return false;
}

static void show_failure(struct tune_progress *progress, const struct hone_event *event)
{
  const char *evidence = event->evidence;
  struct output *output = &progress->output;
  size_t width = terminal_width();
  char *line;

  terminal_has_status(&width);
  line = visible_evidence(evidence ? evidence : "");
  if (progress->is_verbose || is_worth_showing(progress, event->outcome, line)) {
    output_styled(output, STYLE_BAD, "FAILED");
    show_number(progress);
    output_text(output, "  ");
    output_text(output, hone_outcome_name(event->outcome));
    output_text(output, "  ");
    visible_text(output, event->config ? event->config : "");
    output_text(output, "\n");
    if (*line) output_text(output, "  ");
    if (progress->is_verbose)
      visible_text(output, line);
    else
      visible_few_lines(output, line, 2, width);
    if (*line) output_text(output, "\n");
    visible_lines(output, event->command ? event->command : "", 2);
  }
  free(line);
}

static void show_text(struct tune_progress *progress, const struct hone_event *event)
{
  const char *label = event->kind == HONE_EVENT_WARNING ? "warning: " : "note: ";
  size_t width = SIZE_MAX / 2;

  if (progress->is_rewritten) terminal_has_status(&width);
  output_styled(&progress->output, event->kind == HONE_EVENT_WARNING ? STYLE_WARN : STYLE_PLAIN,
                label);
  visible_wrapped(&progress->output, event->text ? event->text : "", strlen(label), width);
  output_text(&progress->output, "\n");
}

/* A host that is gone needs no results: the run ends in good order, and can be continued. */
static bool write_json(struct tune_progress *progress, const struct hone_event *event)
{
  event_json_write(&progress->output, event);
  output_flush(&progress->output);
  return progress->output.error != EPIPE;
}

bool tune_progress_event(void *data, const struct hone_event *event)
{
  struct tune_progress *progress = data;

  if (progress->is_quiet) return true;
  if (progress->is_json) return write_json(progress, event);
  if (event->kind == HONE_EVENT_RESULT || event->kind == HONE_EVENT_FAILURE) progress->ended++;
  erase(progress);
  switch (event->kind) {
  case HONE_EVENT_PHASE: show_phase(progress, event); break;
  case HONE_EVENT_PROGRESS: show_counts(progress, event); break;
  case HONE_EVENT_BEST: show_candidate(progress, event, "best", STYLE_GOOD); break;
  case HONE_EVENT_RESULT:
    if (progress->is_verbose && progress->is_sweep)
      show_instance(progress, event);
    else if (progress->is_verbose)
      show_candidate(progress, event, hone_outcome_name(event->outcome), STYLE_DIM);
    break;
  case HONE_EVENT_FAILURE: show_failure(progress, event); break;
  case HONE_EVENT_END: forget_line(progress); break;
  case HONE_EVENT_NOTE:
  case HONE_EVENT_WARNING: show_text(progress, event); break;
  }
  if (progress->is_rewritten) redraw(progress);
  output_flush(&progress->output);
  return true;
}

void tune_progress_close(struct tune_progress *progress)
{
  if (!progress) return;
  erase(progress);
  output_flush(&progress->output);
  progress->output.error = 0; /* a failed write to the log does not affect the results */
  output_close(&progress->output);
  for (size_t i = 0; i < HONE_OUTCOME_COUNT; i++) {
    for (size_t k = 0; k < progress->classes[i].count; k++)
      free(progress->classes[i].evidence[k]);
  }
  free(progress->line);
  free(progress);
}
