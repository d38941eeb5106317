/* hone iree dispatches: lists the kernels of a model, their times, and which can be tuned. */
#include "iree.h"

#include "figures.h"
#include "hone_iree.h"
#include "iree_model_options.h"
#include "quote.h"
#include "table.h"
#include "terminal.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct dispatches_settings {
  struct common common;
  struct iree_model_settings model;
  bool no_time;
  int format;
};

static const char *const format_words[] = {"text", "json", NULL};

#define TARGET(field) .target = offsetof(struct dispatches_settings, field)

static const struct option dispatches_options[] = {
    HEADING("options"),
    IREE_MODEL_OPTIONS(struct dispatches_settings, model),
    OPTION(FLAG, "no-time", NULL, "compile only, without running", TARGET(no_time)),
    OPTION(CHOICE, "format", "FORMAT", "text or json", TARGET(format), .letter = 'f',
           .words = format_words),
    COMMON_OPTIONS(struct dispatches_settings, common),
    IREE_OPTIONS(struct dispatches_settings, model.iree),
    {0},
};

/* ---- Progress ---- */

struct progress {
  bool is_shown; /* there is a terminal */
  size_t width;
};

/* One line, written over by the next one. */
static bool show_step(void *data, const char *step, size_t done, size_t all)
{
  const struct progress *progress = data;
  struct output output;

  if (!progress->is_shown) return true;
  output_open(&output, STDERR_FILENO, false);
  output_text(&output, "\r\x1b[K");
  if (step) visible_cut(&output, step, progress->width > 24 ? progress->width - 24 : 1);
  if (step && all) output_format(&output, " %zu of %zu", done + 1, all);
  output_close(&output);
  return true;
}

/* ---- Text ---- */

static const char *percent(struct figure *figure, double share)
{
  figure->text[0] = '\0';
  if (!isnan(share)) snprintf(figure->text, sizeof figure->text, "%.1f%%", 100 * share);
  return figure->text;
}

static void print_head(struct output *output, const char *model,
                       const struct hone_iree_dispatches *found)
{
  struct figure figure;

  output_style(output, STYLE_BOLD);
  visible_text(output, model);
  output_style(output, STYLE_PLAIN);
  if (*hone_iree_dispatches_backend(found))
    output_format(output, " for %s", hone_iree_dispatches_backend(found));
  if (*hone_iree_dispatches_target(found)) output_text(output, " ");
  visible_text(output, hone_iree_dispatches_target(found));
  output_format(output, ": %zu dispatch%s", hone_iree_dispatches_count(found),
                hone_iree_dispatches_count(found) == 1 ? "" : "es");
  if (!isnan(hone_iree_dispatches_time_ns(found))) {
    output_text(output, ", ");
    visible_text(output, hone_iree_dispatches_function(found));
    output_format(output, " takes %s on ",
                  figure_time(&figure, hone_iree_dispatches_time_ns(found)));
    visible_text(output, hone_iree_dispatches_device(found));
  }
  output_text(output, "\n");
}

static void add_columns(struct table *table)
{
  table_column(table, "share", TABLE_RIGHT);
  table_column(table, "time", TABLE_RIGHT);
  table_column(table, "calls", TABLE_RIGHT | TABLE_OPTIONAL);
  table_column(table, "dispatch", 0);
  table_column(table, "operation", 0);
  table_column(table, "sizes", 0);
  table_column(table, "types", TABLE_OPTIONAL);
  table_column(table, "candidates", TABLE_RIGHT);
  table_column(table, "configuration", TABLE_BELOW);
}

/* "contraction mmt"; for attention the layout is sufficient. */
static void add_operation(struct table *table, const struct hone_iree_dispatch *info)
{
  const char *layout = strstr(hone_iree_dispatch_layout(info), hone_iree_dispatch_operation(info))
                           ? ""
                           : hone_iree_dispatch_layout(info);
  bool has_kind = !*hone_iree_dispatch_layout(info) || *layout;

  table_format(table, "%s%s%s",
               has_kind ? hone_iree_dispatch_operation(info) : hone_iree_dispatch_layout(info),
               *layout ? " " : "", layout);
}

static void add_row(struct table *table, const struct hone_iree_dispatch *info, bool verbose)
{
  struct figure figure;
  bool is_called = hone_iree_dispatch_calls(info) || hone_iree_dispatch_time_ns(info) > 0;

  table_cell(table, is_called ? percent(&figure, hone_iree_dispatch_share(info)) : "");
  table_cell(table, is_called ? figure_time(&figure, hone_iree_dispatch_time_ns(info)) : "");
  table_format(table, "%" PRIu64, hone_iree_dispatch_calls(info));
  table_cell(table, verbose ? hone_iree_dispatch_name(info) : hone_iree_dispatch_executable(info));
  add_operation(table, info);
  table_cell(table, hone_iree_dispatch_sizes(info));
  table_cell(table, hone_iree_dispatch_types(info));
  if (hone_iree_dispatch_why_not(info))
    table_cell(table, "-");
  else
    table_format(table, "%" PRIu64, hone_iree_dispatch_candidate_count(info));
  if (verbose && *hone_iree_dispatch_compilation_info(info))
    table_cell(table, hone_iree_dispatch_compilation_info(info));
  else
    table_format(
        table, "%s%s%s", hone_iree_dispatch_pipeline(info),
        *hone_iree_dispatch_pipeline(info) && *hone_iree_dispatch_configuration(info) ? ": " : "",
        hone_iree_dispatch_configuration(info));
}

static bool is_same_refusal(const struct hone_iree_dispatch *a, const struct hone_iree_dispatch *b)
{
  return hone_iree_dispatch_why_not(a) && hone_iree_dispatch_why_not(b) &&
         strcmp(hone_iree_dispatch_why_not(a), hone_iree_dispatch_why_not(b)) == 0;
}

/* Those with the same reason have one line. */
static void print_refusal(struct output *output, const struct hone_iree_dispatches *found,
                          size_t first)
{
  const struct hone_iree_dispatch *info = hone_iree_dispatches_at(found, first);
  struct output line;

  output_open(&line, OUTPUT_MEMORY, false);
  output_text(&line, hone_iree_dispatch_executable(info));
  for (size_t i = first + 1; i < hone_iree_dispatches_count(found); i++)
    if (is_same_refusal(info, hone_iree_dispatches_at(found, i)))
      output_format(&line, ", %s",
                    hone_iree_dispatch_executable(hone_iree_dispatches_at(found, i)));
  output_format(&line, ": %s", hone_iree_dispatch_why_not(info));
  output_bytes(&line, "", 1);
  output_text(output, "  ");
  visible_wrapped(output, line.bytes, 4, terminal_width());
  output_text(output, "\n");
  output_close(&line);
}

static void print_refusals(struct output *output, const struct hone_iree_dispatches *found)
{
  bool is_begun = false;

  for (size_t i = 0; i < hone_iree_dispatches_count(found); i++) {
    bool is_told = !hone_iree_dispatch_why_not(hone_iree_dispatches_at(found, i));
    for (size_t k = 0; k < i && !is_told; k++)
      is_told =
          is_same_refusal(hone_iree_dispatches_at(found, k), hone_iree_dispatches_at(found, i));
    if (is_told) continue;
    if (!is_begun) output_styled(output, STYLE_BOLD, "\ncannot be tuned\n");
    is_begun = true;
    print_refusal(output, found, i);
  }
}

static void print_text(struct output *output, const char *model,
                       const struct hone_iree_dispatches *found, bool verbose)
{
  size_t width = verbose ? 0 : terminal_width();
  struct table table;

  print_head(output, model, found);
  if (!hone_iree_dispatches_count(found)) return;
  output_text(output, "\n");
  table_open(&table, 2);
  add_columns(&table);
  for (size_t i = 0; i < hone_iree_dispatches_count(found); i++)
    add_row(&table, hone_iree_dispatches_at(found, i), verbose);
  table_print(&table, output, width);
  table_close(&table);
  print_refusals(output, found);
}

/* Notes that are not in the table. */
static void print_notes(const struct hone_iree_dispatches *found)
{
  if (*hone_iree_dispatches_why_untimed(found))
    message_note("no times: %s", hone_iree_dispatches_why_untimed(found));
  if (hone_iree_dispatches_is_alone(found))
    message_note("each dispatch was timed separately on %s, not in the model: '%s' does not time "
                 "single dispatches",
                 hone_iree_dispatches_device(found), hone_iree_dispatches_device(found));
}

/* ---- JSON ---- */

static void add_text(struct output *output, const char *key, const char *text)
{
  output_format(output, "\"%s\": ", key);
  quote_json_text(output, text);
  output_text(output, ", ");
}

static void add_number(struct output *output, const char *key, double number)
{
  output_format(output, "\"%s\": ", key);
  quote_json_number(output, number);
  output_text(output, ", ");
}

static void print_dispatch(struct output *output, const struct hone_iree_dispatch *info)
{
  output_text(output, "{");
  add_text(output, "name", hone_iree_dispatch_name(info));
  add_text(output, "executable", hone_iree_dispatch_executable(info));
  add_text(output, "operation", hone_iree_dispatch_operation(info));
  add_text(output, "layout", hone_iree_dispatch_layout(info));
  add_text(output, "sizes", hone_iree_dispatch_sizes(info));
  add_text(output, "types", hone_iree_dispatch_types(info));
  add_text(output, "pipeline", hone_iree_dispatch_pipeline(info));
  add_text(output, "configuration", hone_iree_dispatch_configuration(info));
  add_text(output, "compilation_info", hone_iree_dispatch_compilation_info(info));
  output_format(output, "\"tunable\": %s, \"candidates\": %" PRIu64 ", ",
                hone_iree_dispatch_why_not(info) ? "false" : "true",
                hone_iree_dispatch_candidate_count(info));
  if (hone_iree_dispatch_why_not(info))
    add_text(output, "why_not", hone_iree_dispatch_why_not(info));
  if (*hone_iree_dispatch_file(info)) add_text(output, "file", hone_iree_dispatch_file(info));
  add_number(output, "time_ns", hone_iree_dispatch_time_ns(info));
  add_number(output, "share", hone_iree_dispatch_share(info));
  output_format(output, "\"calls\": %" PRIu64 "}", hone_iree_dispatch_calls(info));
}

static void print_json(struct output *output, const char *model,
                       const struct hone_iree_dispatches *found)
{
  output_text(output, "{");
  add_text(output, "model", model);
  add_text(output, "backend", hone_iree_dispatches_backend(found));
  add_text(output, "target", hone_iree_dispatches_target(found));
  add_text(output, "device", hone_iree_dispatches_device(found));
  add_text(output, "function", hone_iree_dispatches_function(found));
  if (*hone_iree_dispatches_module(found))
    add_text(output, "module", hone_iree_dispatches_module(found));
  if (*hone_iree_dispatches_why_untimed(found))
    add_text(output, "why_untimed", hone_iree_dispatches_why_untimed(found));
  add_number(output, "time_ns", hone_iree_dispatches_time_ns(found));
  output_format(output, "\"alone\": %s, \"dispatches\": [",
                hone_iree_dispatches_is_alone(found) ? "true" : "false");
  for (size_t i = 0; i < hone_iree_dispatches_count(found); i++) {
    output_text(output, i ? ",\n  " : "\n  ");
    print_dispatch(output, hone_iree_dispatches_at(found, i));
  }
  output_text(output, "]}\n");
}

/* ---- The command ---- */

static enum exit_code print(const struct dispatches_settings *settings, const char *model,
                            const struct hone_iree_dispatches *found)
{
  struct output output;
  bool is_written;

  output_open(&output, STDOUT_FILENO,
              terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  if (settings->format)
    print_json(&output, model, found);
  else
    print_text(&output, model, found, settings->common.verbose);
  is_written = output_close(&output);
  if (!settings->format) print_notes(found);
  return is_written ? CLI_DONE : CLI_FAILED;
}

static enum exit_code list(const struct dispatches_settings *settings,
                           const struct word_list *words, const struct word_list *flags)
{
  struct progress progress = {0};
  struct hone_iree_model_options options;
  struct hone_iree_dispatches *found = NULL;
  struct iree_model_texts texts = {0};
  enum exit_code code = CLI_USAGE;
  hone_status status;

  progress.is_shown = terminal_has_status(&progress.width) && !settings->common.quiet;
  if (iree_model_settings_fill(&settings->model, words, flags, &options, &texts)) {
    options.measure = !settings->no_time;
    options.progress = show_step;
    options.progress_data = &progress;
    status = hone_iree_dispatches(words->words[0], &options, &found);
    show_step(&progress, NULL, 0, 0);
    code = status ? message_status(status) : print(settings, words->words[0], found);
  }
  hone_iree_dispatches_free(found);
  iree_model_texts_release(&texts);
  return code;
}

static enum exit_code run_dispatches(const struct command *command, char **argv)
{
  struct dispatches_settings settings = {0};
  struct word_list words = {0}, flags = {0};
  char **left = iree_model_take_flags(command->options, argv, &flags);
  enum exit_code code;

  iree_model_settings_init(&settings.model);
  if (command_open(command, left, &settings, &settings.common, &words, &code)) {
    if (!words.count) message_error("no model given: hone iree dispatches MODEL TARGET");
    code = words.count ? list(&settings, &words, &flags) : command_usage(command);
  }
  command_close(command, &settings, &words);
  word_list_release(&flags);
  free(left);
  return code;
}

const struct command iree_dispatches_command = {
    .name = "iree dispatches",
    .summary = "list the kernels of a model: times, configurations, candidates",
    .usage = "MODEL [TARGET] [options] [FLAG...]",
    .about = "Compiles the model and lists its dispatches (kernels), equal ones once: "
             "the\noperation, the configuration that the compiler selects, and the number of "
             "legal\nconfigurations or the reason why the dispatch cannot be tuned. On CPUs, runs "
             "the\nmodel to time each dispatch; on GPUs, runs each dispatch separately. Inputs "
             "that\nare not given are generated from the function's signature.\n\nTARGET is "
             "llvm-cpu (the default), gfx942, mi300x, sm_80, sm_90, vulkan:ampere or\nsimilar, or "
             "flags of iree-compile; other flags of it (--iree-..., anything\nafter '--') are "
             "passed on.\n",
    .examples = "  hone iree dispatches model.mlir llvm-cpu\n"
                "  hone iree dispatches model.mlir llvm-cpu --input=@x.npy --input=4x512xf32=1\n"
                "  hone iree dispatches model.mlir mi300x --keep dumps\n"
                "  hone iree dispatches model.mlir gfx942 --iree-opt-level=O3 --format json\n",
    .options = dispatches_options,
    .run = run_dispatches,
};
