/* The results of a sweep: the files of every run, and on standard output a plot, the rows, or
 * tune.py's report.
 */
#include "sweep_command.h"

#include "hone_results.h"
#include "sweep_files.h"
#include "terminal.h"
#include "text_file.h"
#include "visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct sweep_report {
  const struct sweep_settings *settings;
  struct hone_store *store;
  struct output output;
  struct output yaml_text; /* for the file of --yaml --output */
  size_t shown;
  uint64_t total, valid;
  bool is_one_of_several, has_titles, is_failed;
};

/* False after a message. */
static bool is_good(hone_status status)
{
  if (status) message_status(status);
  return !status;
}

/* ---- Standard output ---- */

static bool print_format(struct sweep_report *report, const struct hone_results *results,
                         enum hone_results_format format, const char *between)
{
  char *text = NULL;

  if (!is_good(hone_results_print(results, format, &text))) return false;
  if (report->shown++) output_text(&report->output, between);
  output_raw(&report->output, text);
  free(text);
  return true;
}

/* Sizes and shape, where there are several. */
static void print_title(struct sweep_report *report, const struct hone_results *results)
{
  if (!report->has_titles || !*hone_results_problem(results)) return;
  output_style(&report->output, STYLE_BOLD);
  visible_text(&report->output, hone_results_problem(results));
  output_style(&report->output, STYLE_PLAIN);
  output_text(&report->output, "\n");
}

/* May contain output of programs: escaped on a terminal. */
static void print_lines(struct sweep_report *report, const char *text)
{
  if (isatty(STDOUT_FILENO))
    visible_lines(&report->output, text, 0);
  else
    output_raw(&report->output, text);
}

static bool print_whole_text(struct sweep_report *report, const struct hone_results *results)
{
  char *text = NULL;

  if (!is_good(hone_results_print(results, HONE_RESULTS_TEXT, &text))) return false;
  print_lines(report, text);
  free(text);
  return true;
}

static bool print_plot(struct sweep_report *report, const struct hone_results *results)
{
  enum plot_kind kind = (enum plot_kind)report->settings->plot;

  if (report->settings->common.verbose && !print_whole_text(report, results)) return false;
  if (kind == PLOT_NONE || !hone_results_row_count(results)) return true;
  print_title(report, results);
  plot_print(&report->output, results, kind, terminal_width());
  return true;
}

static bool print_run(struct sweep_report *report, const struct hone_results *results)
{
  switch (report->settings->format) {
  case SWEEP_JSON: return print_format(report, results, HONE_RESULTS_JSON, ",\n");
  case SWEEP_CSV: return print_format(report, results, HONE_RESULTS_CSV, "\n");
  default: return print_plot(report, results);
  }
}

/* ---- tune.py's way ---- */

static bool is_like_tune(const struct sweep_settings *settings)
{
  return settings->tune || settings->yaml;
}

/* With --yaml the file gets the report itself, or else the programs' columns. */
static bool keep_for_file(struct sweep_report *report, const struct hone_results *results,
                          const char *text)
{
  char *csv = NULL;

  if (!report->settings->yaml || !report->settings->output) return true;
  if (report->settings->tune) {
    output_text(&report->yaml_text, text);
    return true;
  }
  if (!is_good(hone_results_print(results, HONE_RESULTS_PLAIN_CSV, &csv))) return false;
  output_text(&report->yaml_text, csv);
  free(csv);
  return true;
}

/* `*out_text` is what was printed. */
static bool print_like_tune(struct sweep_report *report, const struct hone_results *results,
                            char **out_text)
{
  enum hone_results_format format = report->settings->tune ? HONE_RESULTS_TUNE : HONE_RESULTS_TABLE;

  if (!is_good(hone_results_print(results, format, out_text))) return false;
  print_title(report, results);
  print_lines(report, *out_text);
  return keep_for_file(report, results, *out_text);
}

static bool write_yaml_output(struct sweep_report *report)
{
  const char *path = report->settings->output;
  char *text;
  bool good;

  if (!report->settings->yaml || !path) return true;
  text = check_memory(strndup(report->yaml_text.bytes, report->yaml_text.used));
  good = text_file_write(path, text);
  if (good) message_note("wrote results to [%s]", path);
  free(text);
  return good;
}

/* ---- Files ---- */

/* With shapes the name is the program's, otherwise that of --output; sizes and shape distinguish
 * several runs. */
static char *base_of(const struct sweep_report *report, const struct hone_results *results)
{
  const struct sweep_settings *settings = report->settings;
  const char *folder = settings->output_dir ? settings->output_dir : SWEEP_FOLDER;
  bool has_shapes = settings->source.shapes.count > 0;
  const char *slash = strrchr(hone_results_file(results), '/');
  char *stem, *program, *base;

  if (!has_shapes) {
    stem = sweep_files_base(folder, settings->output ? settings->output : "output.csv");
  } else {
    program = check_memory(strdup(slash ? slash + 1 : hone_results_file(results)));
    if (strrchr(program, '.') > program) *strrchr(program, '.') = '\0';
    stem = sweep_files_base(folder, program);
    free(program);
  }
  if (!has_shapes && !report->is_one_of_several) return stem;
  base = sweep_files_base_of_run(stem, results);
  free(stem);
  return base;
}

static bool write_files(const struct sweep_report *report, const struct hone_results *results,
                        const char *text)
{
  char *base;
  bool good;

  if (report->settings->yaml) return true;
  base = base_of(report, results);
  good = sweep_files_write(base, results, report->settings->tune ? text : NULL);
  free(base);
  return good;
}

/* ---- All runs ---- */

/* With --build, built instances count as good, although they have not run. */
static uint64_t count_built(const struct hone_results *results)
{
  uint64_t built = hone_results_instance_count(results);

  for (size_t i = 0; i < hone_results_failure_count(results); i++)
    if (built && hone_result_failure_type(hone_results_failure(results, i)) == HONE_FAILURE_BUILD)
      built--;
  return built;
}

static bool report_results(struct sweep_report *report, const struct hone_results *results)
{
  bool is_build = report->settings->build;
  char *text = NULL;
  bool good;

  report->total += hone_results_instance_count(results);
  report->valid += is_build ? count_built(results) : hone_results_valid_count(results);
  if (hone_results_state(results) == HONE_RUN_FAILED) report->is_failed = true;
  if (is_build) {
    output_format(&report->output,
                  "Number of valid built specs: %" PRIu64 " (out of %" PRIu64 ")\n",
                  count_built(results), hone_results_instance_count(results));
    return true;
  }
  if (is_like_tune(report->settings) && report->settings->format == SWEEP_TEXT)
    good = print_like_tune(report, results, &text);
  else
    good = print_run(report, results);
  output_flush(&report->output);
  good = good && write_files(report, results, text);
  free(text);
  return good;
}

static bool report_run(struct sweep_report *report, int64_t run)
{
  struct hone_results *results = NULL;
  bool good;

  if (!is_good(hone_results_load(report->store, run, &results))) return false;
  good = report_results(report, results);
  hone_results_free(results);
  return good;
}

static bool report_runs(struct sweep_report *report, const struct hone_tuning *tuning)
{
  bool is_json = report->settings->format == SWEEP_JSON, is_array = hone_tuning_count(tuning) > 1;
  bool good = true;

  if (is_json && is_array && !report->settings->build) output_text(&report->output, "[");
  for (size_t i = 0; i < hone_tuning_count(tuning) && good; i++)
    good = report_run(report, hone_tuning_run(tuning, i));
  if (is_json && is_array && !report->settings->build) output_text(&report->output, "]\n");
  return good && (report->settings->build || write_yaml_output(report));
}

static void complain(const struct sweep_report *report)
{
  const char *what = report->settings->build ? "could be built" : "works";

  if (report->total == 1)
    message_error("the only configuration %s",
                  report->settings->build ? "could not be built" : "does not work");
  else
    message_error("none of the %" PRIu64 " configurations %s", report->total, what);
}

/* A sweep succeeds even if some instances fail, but not if all do. */
static enum exit_code report_code(const struct sweep_report *report, bool is_interrupted)
{
  if (is_interrupted) return CLI_INTERRUPTED;
  if (report->total && !report->valid) complain(report);
  return report->is_failed || (report->total && !report->valid) ? CLI_FAILED : CLI_DONE;
}

enum exit_code sweep_results(const struct sweep_settings *settings,
                             const struct hone_tuning *tuning, bool is_one_of_several)
{
  struct sweep_report report = {.settings = settings,
                                .is_one_of_several = is_one_of_several,
                                .has_titles = hone_tuning_count(tuning) > 1};
  hone_status status = hone_store_open(settings->store, &report.store);
  enum exit_code code;
  bool good;

  if (status) return message_status(status);
  output_open(&report.output, STDOUT_FILENO,
              settings->format == SWEEP_TEXT &&
                  terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  output_open(&report.yaml_text, OUTPUT_MEMORY, false);
  good = report_runs(&report, tuning);
  hone_store_free(report.store);
  output_close(&report.yaml_text);
  if (!output_close(&report.output)) good = false;
  code = report_code(&report, hone_tuning_interrupted(tuning));
  return good || code == CLI_INTERRUPTED ? code : CLI_FAILED;
}
