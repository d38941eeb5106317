/* hone export: writes tuned values into a source file, and checks that they are still there. */
#include "export_command.h"

#include "export_formats.h"
#include "show_results.h"
#include "suspicious.h"

#include <inttypes.h>

static const char *const run_words[] = {"last", NULL};
static const char *const format_words[] = {"snippet", "mlir",         "json",     "csv",   "yaml",
                                           "t4",      "kbench",       "header",   "flags", "wisdom",
                                           "vllm",    "kernel-tuner", "markdown", NULL};
static const struct export_format formats[] = {
    [FORMAT_SNIPPET] = {0},
    [FORMAT_MLIR] = {.is_of_runs = true},
    [FORMAT_JSON] = {.has_all_rows = true},
    [FORMAT_CSV] = {.has_all_rows = true},
    [FORMAT_YAML] = {0},
    [FORMAT_T4] = {.is_of_runs = true, .has_all_rows = true},
    [FORMAT_KBENCH] = {.has_all_rows = true},
    [FORMAT_HEADER] = {.is_of_runs = true, .is_written = true, .format = HONE_FORMAT_HEADER},
    [FORMAT_FLAGS] = {.is_of_runs = true, .is_written = true, .format = HONE_FORMAT_FLAGS},
    [FORMAT_WISDOM] = {.is_of_runs = true, .is_written = true, .format = HONE_FORMAT_WISDOM},
    [FORMAT_VLLM] = {.is_of_runs = true, .is_written = true, .format = HONE_FORMAT_VLLM},
    [FORMAT_KERNEL_TUNER] = {.is_of_runs = true,
                             .has_all_rows = true,
                             .is_written = true,
                             .format = HONE_FORMAT_KERNEL_TUNER},
    [FORMAT_MARKDOWN] = {.is_of_runs = true, .is_written = true, .format = HONE_FORMAT_MARKDOWN},
};

#define TARGET(field) .target = offsetof(struct export_settings, field)

static const struct option export_options[] = {
    HEADING("input and output"),
    OPTION(TEXT, "manifest", "FILE",
           "take the entries from the mappings of `params` in this YAML file", TARGET(manifest),
           .takes_file = true),
    OPTION(TEXT, "snippet", "FILE", "template for an entry; [@NAME] is replaced by a value",
           TARGET(snippet), .takes_file = true),
    OPTION(LIST, "snippet-variant", "NAME=FILE",
           "template for entries with `_template` NAME; repeatable", TARGET(variants)),
    OPTION(TEXT, "into", "FILE", "source file to update; also --target", TARGET(target),
           .alias = "target", .takes_file = true),
    OPTION(TEXT, "begin-marker", "TEXT", "text of the line before the region; default hone:begin",
           TARGET(begin_marker), .takes_dashes = true),
    OPTION(TEXT, "end-marker", "TEXT", "text of the line after the region; default hone:end",
           TARGET(end_marker), .takes_dashes = true),
    OPTION(FLAG, "check", NULL,
           "write nothing; if the file is out of date, print the changes and exit with 1",
           TARGET(check)),

    OPTION(CHOICE, "format", "FORMAT",
           "snippet; header, flags: the winner for a C compiler; wisdom: winners for "
           "libhone-wisdom; vllm: for vLLM; yaml: a spec; mlir: a tuning spec of IREE; json, csv, "
           "markdown: all evaluations; t4, kernel-tuner: a recording; kbench: CSV of kbench",
           TARGET(format), .letter = 'f', .words = format_words),
    OPTION(TEXT, "output", "FILE", "output file of the other formats; default standard output",
           TARGET(output), .letter = 'o', .takes_file = true),

    HEADING("how"),
    OPTION(TEXT, "source-label", "TEXT", "name of the entries' source in comments",
           TARGET(source_label)),
    OPTION(NUMBER, "indent", "N", "number of spaces before each line; default 8", TARGET(indent)),
    OPTION(TEXT, "comment", "TEXT", "comment prefix; '' for no comments; default by the suffix",
           TARGET(comment), .takes_dashes = true),
    OPTION(TEXT, "separator", "TEXT",
           "text after each entry; default a comma in Mojo and Python, else nothing",
           TARGET(separator)),
    OPTION(TEXT, "metric", "NAME", "column to rank by; default the objective, else the time",
           TARGET(metric)),
    OPTION(TEXT, "config", "K=V,...", "export this configuration instead of the best",
           TARGET(config)),
    OPTION(FLAG, "force", NULL,
           "also export what is not proved, or marked SUSPICIOUS (implausibly fast)",
           TARGET(force)),
    STORE_OPTION(struct export_settings),
    COMMON_OPTIONS(struct export_settings, common),
    {0},
};

const struct export_format *export_format(const struct export_settings *settings)
{
  return &formats[settings->format];
}

/* ---- What is not proved ---- */

bool export_check_run(const struct export_settings *settings, struct hone_store *store, int64_t run,
                      hone_status *status)
{
  if (settings->force || *status) return true;
  return suspicious_check_run(store, run, export_format(settings)->has_all_rows, status);
}

bool export_is_unproved(const struct export_settings *settings, const struct hone_report *report)
{
  return report && hone_report_is_unconfirmed(report) && !settings->config && !settings->metric &&
         !export_format(settings)->has_all_rows;
}

bool export_check_report(const struct export_settings *settings, const struct hone_report *report)
{
  if (!export_is_unproved(settings, report)) return true;
  if (settings->force)
    message_warning("run %" PRId64 " is not confirmed: %s", hone_report_run(report),
                    hone_report_sentence(report));
  else
    message_error("run %" PRId64 " is not confirmed: %s; '--force' exports it and says so in the "
                  "output",
                  hone_report_run(report), hone_report_sentence(report));
  return settings->force;
}

enum exit_code export_write(const struct export_settings *settings, const char *text)
{
  const struct export_output output = {settings->output, settings->check};

  return export_output_write(&output, NULL, text);
}

/* ---- Words and options ---- */

/* Output into a source file has no other format. */
static bool check_alone(const struct export_settings *settings, const struct word_list *words)
{
  if (!words->count)
    message_error("no runs given: name them (last, 12)");
  else if (settings->snippet || settings->target || settings->manifest)
    message_error("'--format %s' writes %s and cannot be combined with '--snippet', "
                  "'--into' or '--manifest'",
                  format_words[settings->format],
                  settings->format == FORMAT_MLIR ? "a spec" : "a file");
  else
    return true;
  return false;
}

static bool check_rows(const struct export_settings *settings, const struct word_list *words)
{
  if (!export_format(settings)->has_all_rows) return true;
  if (words->count > 1)
    message_error("%s output takes one run or file, not %zu", format_words[settings->format],
                  words->count);
  else if (settings->config || settings->metric)
    message_error(
        "'--format %s' writes all rows and cannot be combined with '--config' or '--metric'",
        format_words[settings->format]);
  else
    return true;
  return false;
}

static bool check_run_words(const struct word_list *words)
{
  for (size_t i = 0; i < words->count; i++) {
    const char *word = words->words[i];
    if (strcmp(word, "last") == 0 || (*word && word[strspn(word, "0123456789")] == 0)) continue;
    message_error("'%s' is not a run: give a number or last", word);
    return false;
  }
  return true;
}

/* ---- The requested action ---- */

static bool check_words(const struct export_settings *settings, const struct word_list *words)
{
  if (settings->config && (settings->format == FORMAT_MLIR || words->count > 1 ||
                           settings->manifest || settings->metric)) {
    message_error("'--config' needs one run or CSV file and no '--metric'");
    return false;
  }
  if (settings->check && settings->format != FORMAT_SNIPPET && !settings->output) {
    message_error("'--check' needs '--output FILE': the file that is checked");
    return false;
  }
  if (settings->metric && export_format(settings)->is_written) {
    message_error("'--format %s' cannot be combined with '--metric'",
                  format_words[settings->format]);
    return false;
  }
  if (settings->format != FORMAT_SNIPPET)
    return check_alone(settings, words) && check_rows(settings, words) &&
           (export_format(settings)->is_of_runs ? check_run_words(words)
                                                : result_words_check(words));
  if (settings->manifest && words->count)
    message_error("'--manifest' and '%s' cannot be combined: choose one", words->words[0]);
  else if (!settings->manifest && !words->count)
    message_error("nothing to export: give a run (last, 12), a CSV file or '--manifest FILE'");
  else if (!settings->snippet)
    message_error("'--snippet FILE' is missing: the text for an entry, such as BM = [@BM]");
  else if (!settings->target)
    message_error("'--into FILE' is missing: the source file with the markers");
  else if (settings->output)
    message_error("'--output' needs '--format' with another format than snippet");
  else if (settings->indent > 200)
    message_error("'--indent' is at most 200");
  else if (settings->manifest && settings->metric)
    message_error("'--metric' needs a run or a CSV file, not '--manifest'");
  else
    return result_words_check(words);
  return false;
}

static enum exit_code run_export(const struct command *command, char **argv)
{
  struct export_settings settings = {.indent = 8};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code))
    code = !check_words(&settings, &words)        ? command_usage(command)
           : settings.format == FORMAT_MLIR       ? export_spec(&settings, &words)
           : settings.format == FORMAT_T4         ? export_recording(&settings, &words)
           : export_is_written(&settings, &words) ? export_written(&settings, &words)
                                                  : export_rows(&settings, &words);
  command_close(command, &settings, &words);
  return code;
}

const struct command export_command = {
    .name = "export",
    .summary = "write tuned values into a source file, or check that it is up to date",
    .usage = "RUN|last|FILE.csv... --snippet FILE --into FILE [options]\n"
             "       hone export RUN|last... --format FORMAT [-o FILE]",
    .about = "Replaces the lines between two marker lines of a source file. Each entry becomes\n"
             "two comments and the snippet, with [@NAME] replaced by the value of NAME.\n"
             "Entries are the best configuration of each run or CSV file, or the list `params`\n"
             "of a YAML file. With --format, the configuration that was proved to be best is\n"
             "written as a C header, flags of a compiler, a wisdom file for libhone-wisdom,\n"
             "JSON for vLLM, a spec, or a tuning spec of IREE; or all evaluations as a table\n"
             "or as a recording for other tuners. What is not proved needs --force, and the\n"
             "output says so.\n",
    .examples = "  hone export last --snippet config.txt --into gemm.h\n"
                "  hone export 11 12 13 --snippet case.txt --into gemm.h --check\n"
                "  hone export --manifest tuning.yaml --snippet config.txt --into table.mojo \\\n"
                "    --begin-marker '# BEGIN' --end-marker '# END' --source-label tuning.yaml\n"
                "  hone export last --format header -o gemm_tuned.h\n"
                "  cc $(hone export last --format flags) -c gemm.c\n"
                "  hone export 11 12 --format wisdom -o gemm.wisdom\n"
                "  hone export last --format markdown\n"
                "  hone export 14 15 --format mlir -o tuning-spec.mlir\n"
                "  hone export last --config BM=64,BN=32 --format yaml -o frugal.yaml\n"
                "  hone export last --format t4 -o gemm.t4.json && hone replay gemm.t4.json\n",
    .options = export_options,
    .words = run_words,
    .takes_files = true,
    .run = run_export,
};
