/* The queries of `hone space`, except the summary: one function each. */
#include "space_command.h"

#include "quote.h"

#include <inttypes.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>

/* ---- One number ---- */

static void print_problem_count(const struct question *question, const char *count)
{
  struct output *output = question->output;
  const char *name = problems_name(question->problems, question->problem);
  bool is_one = question->problems->count == 1;

  switch (question->settings->format) {
  case FORMAT_JSON:
    output_text(output, "{\"problem\": ");
    problems_print_json(question->problems, question->problem, output);
    output_format(output, ", \"count\": %s}", count);
    break;
  case FORMAT_CSV:
    if (question->problem == 0) output_text(output, is_one ? "count\n" : "problem,count\n");
    if (!is_one) quote_csv_text(output, name);
    output_format(output, "%s%s\n", is_one ? "" : ",", count);
    break;
  default: output_format(output, "%s%s%s\n", is_one ? "" : name, is_one ? "" : ": ", count);
  }
}

enum exit_code answer_count(struct question *question)
{
  print_problem_count(question, hone_space_count_text(question->space));
  return CLI_DONE;
}

/* A configuration as a row, that the caller frees. */
static enum exit_code read_row(const struct question *question, const char *text,
                               uint32_t **out_row)
{
  size_t width = hone_space_width(question->space);
  hone_status status;

  *out_row = check_memory(calloc(width + 1, sizeof **out_row));
  status = hone_space_parse(question->space, text, *out_row);
  return status ? message_status(status) : CLI_DONE;
}

static void warn_of_order(const struct question *question)
{

  if (!hone_space_is_mesh_order(question->space))
    message_note("a component is too large for mesh order: indices follow the solver's order");
}

static void print_index(const struct question *question, uint64_t index)
{
  static const char *const forms[] = {
      [FORMAT_TEXT] = "", [FORMAT_JSON] = "{\"index\": ", [FORMAT_CSV] = "index\n"};
  enum format format = (enum format)question->settings->format;

  output_format(question->output, "%s%" PRIu64 "%s", forms[format], index,
                format == FORMAT_JSON ? "}" : "\n");
}

enum exit_code answer_index_of(struct question *question)
{
  uint32_t *row;
  uint64_t index;
  enum exit_code code = read_row(question, question->settings->index_of, &row);

  if (code == CLI_DONE) {
    if (hone_space_index_of(question->space, row, &index)) {
      warn_of_order(question);
      print_index(question, index);
    } else {
      message_error("not a legal configuration; see --explain");
      code = CLI_FAILED;
    }
  }
  free(row);
  return code;
}

/* ---- Configurations ---- */

enum exit_code answer_list(struct question *question)
{
  struct rows rows;

  warn_of_order(question);
  rows_open(&rows, question->space, (enum format)question->settings->format, question->output);
  hone_space_each(question->space, 0, rows_print, &rows);
  rows_close(&rows);
  return CLI_DONE;
}

static void print_rows(const struct question *question, const uint32_t *first, size_t count)
{
  size_t width = hone_space_width(question->space);
  struct rows rows;

  rows_open(&rows, question->space, (enum format)question->settings->format, question->output);
  for (size_t i = 0; i < count && rows_print(&rows, first + i * width); i++) {}
  rows_close(&rows);
}

enum exit_code answer_at(struct question *question)
{
  uint32_t *row = check_memory(calloc(hone_space_width(question->space) + 1, sizeof *row));
  uint64_t index = question->settings->at;
  bool is_there = hone_space_at(question->space, index, row);

  if (is_there) {
    warn_of_order(question);
    print_rows(question, row, 1);
  } else if (hone_space_count(question->space) > 0) {
    message_error("no configuration %" PRIu64 ": the space has %s, counted from 0", index,
                  hone_space_count_text(question->space));
  }
  free(row);
  return is_there ? CLI_DONE : CLI_FAILED;
}

/* How many rows a sample has; false after a message if they are too many to hold. */
static bool size_sample(const struct question *question, size_t *out_count)
{
  uint64_t wanted = question->settings->sample, there = hone_space_count(question->space);
  size_t row_bytes = hone_space_width(question->space) * sizeof(uint32_t), limit;
  struct hone_space_options defaults;

  if (wanted > there) {
    if (there)
      message_note("there are only %" PRIu64 " legal configurations: all of them are listed",
                   there);
    wanted = there;
  }
  hone_space_options_init(&defaults);
  limit =
      question->settings->memory_bytes ? question->settings->memory_bytes : defaults.memory_bytes;
  if (wanted > limit / row_bytes) {
    message_error("a sample of %" PRIu64 " configurations does not fit the memory bound of %zu "
                  "bytes; see --memory",
                  wanted, limit);
    return false;
  }
  *out_count = (size_t)wanted;
  return true;
}

enum exit_code answer_sample(struct question *question)
{
  size_t count = 0, got = 0;
  uint32_t *rows;
  hone_status status;

  if (!size_sample(question, &count)) return CLI_FAILED;
  rows = check_memory(calloc(count + 1, hone_space_width(question->space) * sizeof *rows));
  status = hone_space_sample(question->space, count, question->settings->seed, rows, &got);
  if (!status) print_rows(question, rows, got);
  free(rows);
  return status ? message_status(status) : CLI_DONE;
}

enum exit_code answer_neighbours(struct question *question)
{
  uint32_t *row;
  struct rows rows;
  enum exit_code code = read_row(question, question->settings->neighbours, &row);

  if (code == CLI_DONE) {
    rows_open(&rows, question->space, (enum format)question->settings->format, question->output);
    hone_space_neighbours(question->space, row, question->settings->adjacent, rows_print, &rows);
    rows_close(&rows);
  }
  free(row);
  return code;
}

/* ---- Why ---- */

static const struct {
  const char *mark, *word;
  enum style style;
} states[] = {
    [HONE_HOLDS] = {"holds ", "holds", STYLE_GOOD},
    [HONE_FAILS] = {"FAILS ", "fails", STYLE_BAD},
    [HONE_FAULTS_THERE] = {"FAULTS", "faults", STYLE_BAD},
    [HONE_DOES_NOT_APPLY] = {"n/a   ", "does not apply", STYLE_DIM},
    [HONE_AFTER_BUILD] = {"later ", "after the build", STYLE_DIM},
};

struct reason {
  enum hone_constraint_state state;
  const char *constraint, *values;
};

static struct reason reason_at(const struct hone_explanation *explanation, size_t i)
{
  return (struct reason){.state = hone_explanation_state(explanation, i),
                         .constraint = hone_explanation_constraint(explanation, i),
                         .values = hone_explanation_values(explanation, i)};
}

static void explain_in_text(struct output *output, const struct hone_explanation *explanation)
{
  size_t widest = 0, broken = 0, checked = 0;

  for (size_t i = 0; i < hone_explanation_count(explanation); i++) {
    struct reason reason = reason_at(explanation, i);
    size_t width = reason.constraint ? strlen(reason.constraint) : 0;
    if (width > widest) widest = width;
    broken += reason.state == HONE_FAILS || reason.state == HONE_FAULTS_THERE;
    checked += reason.state != HONE_AFTER_BUILD;
  }
  if (hone_explanation_is_legal(explanation))
    output_styled(output, STYLE_GOOD, "legal");
  else
    output_styled(output, STYLE_BAD, "not legal");
  if (checked)
    output_format(output, ": %zu of %zu %s", broken, checked, broken == 1 ? "fails" : "fail");
  output_text(output, "\n");
  for (size_t i = 0; i < hone_explanation_count(explanation); i++) {
    struct reason reason = reason_at(explanation, i);
    output_text(output, "  ");
    output_styled(output, states[reason.state].style, states[reason.state].mark);
    if (reason.constraint)
      output_format(output, "  %-*s", reason.values && *reason.values ? (int)widest : 0,
                    reason.constraint);
    if (reason.values && *reason.values) output_format(output, "  %s", reason.values);
    output_text(output, "\n");
  }
}

static void print_json_member(struct output *output, const char *name, const char *text)
{
  output_format(output, "%s: ", name);
  quote_json_text(output, text);
}

static void explain_in_json(struct output *output, const struct hone_explanation *explanation)
{
  output_format(output, "{\"legal\": %s, \"group\": %zu, \"reasons\": [",
                hone_explanation_is_legal(explanation) ? "true" : "false",
                hone_explanation_group(explanation));
  for (size_t i = 0; i < hone_explanation_count(explanation); i++) {
    struct reason reason = reason_at(explanation, i);
    print_json_member(output, i ? ", {\"verdict\"" : "{\"verdict\"", states[reason.state].word);
    print_json_member(output, ", \"constraint\"", reason.constraint);
    print_json_member(output, ", \"values\"", reason.values);
    output_text(output, "}");
  }
  output_text(output, "]}");
}

static void explain_in_csv(struct output *output, const struct hone_explanation *explanation)
{
  output_text(output, "verdict,constraint,values\n");
  for (size_t i = 0; i < hone_explanation_count(explanation); i++) {
    struct reason reason = reason_at(explanation, i);
    output_format(output, "%s,", states[reason.state].word);
    if (reason.constraint) quote_csv_text(output, reason.constraint);
    output_text(output, ",");
    if (reason.values) quote_csv_text(output, reason.values);
    output_text(output, "\n");
  }
}

enum exit_code answer_explain(struct question *question)
{
  static void (*const printers[])(struct output *, const struct hone_explanation *) = {
      [FORMAT_TEXT] = explain_in_text,
      [FORMAT_JSON] = explain_in_json,
      [FORMAT_CSV] = explain_in_csv};
  struct hone_explanation *explanation = NULL;
  hone_status status =
      hone_space_explain(question->space, question->settings->explain, &explanation);

  if (status) return message_status(status);
  printers[question->settings->format](question->output, explanation);
  hone_explanation_free(explanation);
  return CLI_DONE;
}

/* ---- What each constraint costs ---- */

static void stats_in_text(struct output *output, const struct hone_space *space,
                          const struct hone_constraint_stats *stats)
{
  if (hone_space_constraint_count(space) == 0) {
    output_text(output, "no constraints\n");
    return;
  }
  output_styled(output, STYLE_BOLD, "rejects alone  rejects last  constraint");
  output_text(output, "\n");
  for (size_t i = 0; i < hone_space_constraint_count(space); i++)
    output_format(output, "%11.4g %%  %10.4g %%  %s\n", 100 * hone_constraint_stats_alone(stats, i),
                  100 * hone_constraint_stats_last(stats, i), hone_space_constraint(space, i));
}

/* JSON has no NaN, which stands for a share that is not known. */
static void print_json_share(struct output *output, double share)
{
  if (isnan(share))
    output_text(output, "null");
  else
    output_format(output, "%.17g", share);
}

static void stats_in_json(struct output *output, const struct hone_space *space,
                          const struct hone_constraint_stats *stats)
{
  output_text(output, "[");
  for (size_t i = 0; i < hone_space_constraint_count(space); i++) {
    print_json_member(output, i ? ",\n {\"constraint\"" : "{\"constraint\"",
                      hone_space_constraint(space, i));
    output_text(output, ", \"alone\": ");
    print_json_share(output, hone_constraint_stats_alone(stats, i));
    output_text(output, ", \"last\": ");
    print_json_share(output, hone_constraint_stats_last(stats, i));
    output_text(output, "}");
  }
  output_text(output, "]");
}

static void stats_in_csv(struct output *output, const struct hone_space *space,
                         const struct hone_constraint_stats *stats)
{
  output_text(output, "constraint,alone,last\n");
  for (size_t i = 0; i < hone_space_constraint_count(space); i++) {
    quote_csv_text(output, hone_space_constraint(space, i));
    output_format(output, ",%.17g,%.17g\n", hone_constraint_stats_alone(stats, i),
                  hone_constraint_stats_last(stats, i));
  }
}

enum exit_code answer_stats(struct question *question)
{
  static void (*const printers[])(struct output *, const struct hone_space *,
                                  const struct hone_constraint_stats *) = {
      [FORMAT_TEXT] = stats_in_text, [FORMAT_JSON] = stats_in_json, [FORMAT_CSV] = stats_in_csv};
  struct hone_constraint_stats *stats = NULL;
  hone_status status = hone_space_stats(question->space, &stats);

  if (status) return message_status(status);
  printers[question->settings->format](question->output, question->space, stats);
  hone_constraint_stats_free(stats);
  return CLI_DONE;
}

/* ---- Why there is nothing ---- */

static void print_brief(const char *constraint)
{
  const int most = 200;

  message_line("  %.*s%s", most, constraint, strlen(constraint) > (size_t)most ? " ..." : "");
}

static const char *why_empty(const struct source *source)
{
  if (source->partition)
    return ": this part of the space is empty: there are more parts than configurations";
  return source->filters.count ? ": the filters exclude all configurations" : "";
}

void report_conflict(const struct question *question)
{
  const char *name = problems_name(question->problems, question->problem);
  bool is_one = question->problems->count == 1;
  size_t *constraints = NULL, count = 0;
  hone_status status = hone_space_conflict(question->space, &constraints, &count);

  output_flush(question->output);
  message_error("%s%sno legal configuration%s", is_one ? "" : name, is_one ? "" : ": ",
                count ? ": these constraints contradict each other:"
                      : why_empty(&question->settings->source));
  for (size_t i = 0; i < count; i++)
    print_brief(hone_space_constraint(question->space, constraints[i]));
  if (status) message_status(status);
  free(constraints);
}
