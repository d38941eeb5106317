/* One row for each configuration: its time, and how it compares with the baseline. */
#include "bench_print.h"

#include "figures.h"
#include "table.h"
#include "terminal.h"
#include "text_file.h"
#include "visible.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *const bench_formats[] = {"text", "markdown", "json", "csv", NULL};

static const struct {
  const char *title;
  int flags;
} columns[] = {{"configuration", 0},     {"time", TABLE_RIGHT},
               {"least", TABLE_RIGHT},   {"greatest", TABLE_RIGHT},
               {"speedup", TABLE_RIGHT}, {"95 % interval", TABLE_RIGHT},
               {"pairs", TABLE_RIGHT},   {"verdict", 0}};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ---- Rows ---- */

/* In words for one row; that of the whole run is about the best one alone. */
static const char *verdict_of(const struct hone_report_row *row)
{
  if (hone_report_row_is_baseline(row)) return "baseline";
  if (!hone_report_row_is_confirmed(row)) return "not confirmed";
  if (isnan(hone_report_row_low(row))) return "beaten early";
  if (hone_report_row_verdict(row) == HONE_VERDICT_IMPROVED || hone_report_row_low(row) > 1)
    return "faster";
  return hone_report_row_high(row) < 1 ? "slower" : "no difference shown";
}

/* The name that was given to a command, or the command itself. */
static const char *name_of(const struct bench_view *view, size_t number)
{
  return number < view->names->count ? view->names->words[number] : view->commands->words[number];
}

/* "rg main, N=4" for "COMMAND=2,N=4": for readers who do not see the list of commands. */
static void print_label(const struct bench_view *view, const struct hone_report_row *row,
                        struct output *label)
{
  const char *config = hone_report_row_config(row);
  unsigned long number = 0;
  int length = 0;
  bool is_command = sscanf(config, "COMMAND=%lu%n", &number, &length) == 1 && number &&
                    number <= view->commands->count;

  if (is_command) output_raw(label, name_of(view, number - 1));
  config += is_command ? length : 0;
  if (is_command && *config == ',') output_raw(label, ", ");
  config += is_command && *config == ',';
  output_bytes(label, config, strlen(config) + 1); /* with its end */
}

struct cells {
  struct figure time, least, greatest, speedup, range, pairs;
  const char *text[COLUMNS];
};

static void fill_cells(const struct hone_report_row *row, struct cells *cells)
{
  bool is_baseline = hone_report_row_is_baseline(row);
  double speedup = is_baseline ? NAN : hone_report_row_speedup(row);
  bool has_range = !is_baseline && hone_report_row_is_confirmed(row);
  uint64_t pairs = hone_report_row_pairs(row);

  cells->text[0] = hone_report_row_config(row);
  cells->text[1] = figure_time(&cells->time, hone_report_row_time_ns(row));
  cells->text[2] = figure_time(&cells->least, hone_report_row_least_ns(row));
  cells->text[3] = figure_time(&cells->greatest, hone_report_row_greatest_ns(row));
  cells->text[4] = figure_speedup(&cells->speedup, speedup);
  cells->text[5] = has_range ? figure_range(&cells->range, speedup, hone_report_row_low(row),
                                            hone_report_row_high(row))
                             : "";
  cells->text[6] = pairs ? figure_number(&cells->pairs, (double)pairs) : "";
  cells->text[7] = verdict_of(row);
}

/* ---- Formats ---- */

static void print_table(const struct hone_report *report, struct output *output)
{
  struct cells cells;
  struct table table;

  table_open(&table, 2);
  for (size_t i = 0; i < COLUMNS; i++)
    table_column(&table, columns[i].title, columns[i].flags);
  for (size_t i = 0; i < hone_report_row_count(report); i++) {
    fill_cells(hone_report_row(report, i), &cells);
    for (size_t k = 0; k < COLUMNS; k++)
      table_cell(&table, cells.text[k]);
  }
  table_print(&table, output, terminal_width());
  table_close(&table);
}

static void print_commands(const struct bench_view *view, struct output *output)
{
  for (size_t i = 0; i < view->commands->count && view->commands->count > 1; i++) {
    output_format(output, "  COMMAND=%zu  ", i + 1);
    visible_text(output, name_of(view, i));
    output_text(output, "\n");
  }
  if (view->commands->count > 1) output_text(output, "\n");
}

static void print_failures(const struct hone_report *report, struct output *output)
{
  for (size_t i = 0; i < hone_report_failure_count(report); i++) {
    const struct hone_report_failure *failure = hone_report_failure(report, i);
    output_text(output, i ? "" : "\n");
    output_format(output, "  %s, as ", hone_outcome_name(hone_report_failure_outcome(failure)));
    visible_text(output, hone_report_failure_config(failure));
    output_text(output, ": ");
    visible_text(output, hone_report_failure_evidence(failure));
    output_text(output, "\n");
  }
}

static void print_text(const struct bench_view *view, const struct hone_report *report,
                       struct output *output)
{
  print_commands(view, output);
  print_table(report, output);
  print_failures(report, output);
  if (hone_report_row_count(report) < 2) return;
  output_text(output, "\n");
  output_styled(output, STYLE_BOLD, hone_verdict_name(hone_report_verdict(report)));
  if (hone_report_verdict(report) != HONE_VERDICT_NONE) output_text(output, ": ");
  visible_wrapped(output, hone_report_sentence(report), 0, terminal_width());
  output_text(output, "\n");
}

static void print_cell(struct output *output, const char *text)
{
  output_raw(output, " ");
  for (; *text; text++)
    output_format(output, *text == '|' ? "\\%c" : "%c", *text);
  output_raw(output, " |");
}

static void print_markdown(const struct bench_view *view, const struct hone_report *report,
                           struct output *output)
{
  struct cells cells;
  struct output label;

  output_raw(output, "|");
  for (size_t i = 0; i < COLUMNS; i++)
    print_cell(output, columns[i].title);
  output_raw(output, "\n|");
  for (size_t i = 0; i < COLUMNS; i++)
    output_raw(output, columns[i].flags ? "---:|" : ":---|");
  for (size_t i = 0; i < hone_report_row_count(report); i++) {
    fill_cells(hone_report_row(report, i), &cells);
    output_open(&label, OUTPUT_MEMORY, false);
    print_label(view, hone_report_row(report, i), &label);
    output_raw(output, "\n|");
    print_cell(output, label.bytes);
    for (size_t k = 1; k < COLUMNS; k++)
      print_cell(output, cells.text[k]);
    output_close(&label);
  }
  output_raw(output, "\n");
}

static void print_field(struct output *output, const char *text)
{
  output_raw(output, "\"");
  for (; *text; text++)
    output_format(output, *text == '"' ? "\"%c" : "%c", *text);
  output_raw(output, "\"");
}

static void print_number(struct output *output, double number)
{
  if (isnan(number))
    output_raw(output, ",");
  else
    output_format(output, ",%.17g", number);
}

static void print_csv(const struct bench_view *view, const struct hone_report *report,
                      struct output *output)
{
  struct output label;

  output_raw(output, "configuration,time_ns,least_ns,greatest_ns,speedup,low,high,pairs,verdict,"
                     "command\n");
  for (size_t i = 0; i < hone_report_row_count(report); i++) {
    const struct hone_report_row *row = hone_report_row(report, i);
    print_field(output, hone_report_row_config(row));
    output_format(output, ",%.17g", hone_report_row_time_ns(row));
    print_number(output, hone_report_row_least_ns(row));
    print_number(output, hone_report_row_greatest_ns(row));
    if (hone_report_row_is_baseline(row))
      output_raw(output, ",,,");
    else if (isnan(hone_report_row_low(row)))
      output_format(output, ",%.6g,,", hone_report_row_speedup(row));
    else
      output_format(output, ",%.6g,%.6g,%.6g", hone_report_row_speedup(row),
                    hone_report_row_low(row), hone_report_row_high(row));
    output_format(output, ",%llu,%s,", (unsigned long long)hone_report_row_pairs(row),
                  verdict_of(row));
    output_open(&label, OUTPUT_MEMORY, false);
    print_label(view, row, &label);
    print_field(output, label.bytes);
    output_close(&label);
    output_raw(output, "\n");
  }
}

static hone_status print_json(struct hone_store *store, int64_t run, struct output *output)
{
  char *json = NULL;
  hone_status status = hone_report_json(store, run, &json);

  if (json) output_raw(output, json);
  if (json) output_raw(output, "\n");
  hone_free(json);
  return status;
}

struct shown { /* one run */
  const struct bench_view *view;
  struct hone_store *store;
  int64_t run;
  const struct hone_report *report;
};

static hone_status print_format(const struct shown *shown, int format, struct output *output)
{
  switch (format) {
  case BENCH_JSON: return print_json(shown->store, shown->run, output);
  case BENCH_CSV: print_csv(shown->view, shown->report, output); break;
  case BENCH_MARKDOWN: print_markdown(shown->view, shown->report, output); break;
  default: print_text(shown->view, shown->report, output); break;
  }
  return NULL;
}

static enum exit_code write_file(const struct shown *shown, int format)
{
  struct output output;
  enum exit_code code;
  hone_status status;

  output_open(&output, OUTPUT_MEMORY, false);
  status = print_format(shown, format, &output);
  output_bytes(&output, "", 1);
  if (status)
    code = message_status(status);
  else
    code = text_file_write(shown->view->files[format], output.bytes) ? CLI_DONE : CLI_FAILED;
  output_close(&output);
  return code;
}

static enum exit_code print_all(const struct shown *shown)
{
  const struct bench_view *view = shown->view;
  enum exit_code code = CLI_DONE;
  struct output output;
  hone_status status;

  output_open(&output, STDOUT_FILENO, view->color && view->format == BENCH_TEXT);
  status = print_format(shown, view->format, &output);
  if (!output_close(&output)) code = CLI_FAILED;
  if (status) code = message_status(status);
  for (int i = 0; i < BENCH_FORMATS; i++)
    if (view->files[i] && write_file(shown, i) != CLI_DONE) code = CLI_FAILED;
  return code;
}

enum exit_code bench_print(const struct bench_view *view, struct hone_store *store, int64_t run)
{
  struct hone_report *report = NULL;
  hone_status status = hone_report_load(store, run, &report);
  struct shown shown = {.view = view, .store = store, .run = run, .report = report};
  enum exit_code code;

  if (status) return message_status(status);
  code = print_all(&shown);
  hone_report_free(report);
  return code;
}
