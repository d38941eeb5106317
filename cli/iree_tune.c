/* hone iree tune: from a model to a tuning spec, in one command. */
#include "iree_tune.h"

#include "cancel_signals.h"
#include "command_text.h"
#include "held_signals.h"
#include "hone_iree.h"
#include "iree_model_options.h"
#include "own_file.h"
#include "source.h"
#include "text_file.h"
#include "tune_progress.h"
#include "visible.h"
#include "cluster_hosts.h"
#include "worker_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

struct tune_model_settings {
  struct common common;
  struct iree_model_settings model;
  const char *dump_command, *commands_file;
  const char *output, *store, *devices, *strategy;
  struct cluster_hosts hosts; /* of `workers` and `clusters` */
  struct word_list workers, clusters;
  uint64_t threads, top_dispatches, model_candidates, evaluations, builders, search_seed;
  uint64_t host_builders;
  const char *share, *candidates_csv;
  double budget_s, model_budget_s, margin, timeout_s;
  int stop_after, format;
  bool dry_run, fresh, no_wait, keep_slower, no_check, overlap, require_improvement, random_seed;
  bool no_options, options_only, allow_f16;
};

static const char *const stage_words[] = {"all",
                                          "dispatches",
                                          "generate",
                                          "build",
                                          "screen",
                                          "model",
                                          "model-build",
                                          "generate-candidates",
                                          "compile-dispatches",
                                          "benchmark-dispatches",
                                          "benchmark-models",
                                          "compile-models",
                                          NULL};
static const char *const format_words[] = {"text", "json", NULL};

#define TARGET(field) .target = offsetof(struct tune_model_settings, field)

static const struct option tune_options[] = {
    HEADING("the model"),
    IREE_MODEL_OPTIONS(struct tune_model_settings, model),
    OPTION(TEXT, "work", "DIR", "the work folder; default a folder in the cache",
           .alias = "tmp-dir", TARGET(model.keep), .takes_file = true),

    HEADING("dispatches of other programs (in $HONE_DUMP_DIR or {dir}) instead of a model"),
    OPTION(TEXT, "dump-command", "COMMAND", "run COMMAND and tune the dispatches that it dumps",
           TARGET(dump_command)),
    OPTION(TEXT, "commands-file", "FILE",
           "one command per line, or the arguments of one for --dump-command; each result is the "
           "starter of the next",
           TARGET(commands_file), .takes_file = true),

    HEADING("input"),
    OPTION(
        TEXT, "share", "SHARE",
        "tune only dispatches with at least this share of the model's time: 0.05 or 5%; default 5%",
        TARGET(share)),
    OPTION(NUMBER, "top-dispatches", "N", "tune at most N dispatches; default all",
           TARGET(top_dispatches)),
    OPTION(NUMBER, "model-candidates", "N",
           "number of best configurations per dispatch to try in the model; default 3",
           TARGET(model_candidates), .alias = "model-tuner-num-dispatch-candidates"),
    OPTION(TIME, "budget", "TIME",
           "of all together, from the first compile to the last proof; the job that runs at its "
           "end is finished; default 5m, with --evals none",
           TARGET(budget_s)),
    OPTION(TIME, "model-budget", "TIME",
           "of the entries in the model, with their confirmation; default: a part of --budget",
           TARGET(model_budget_s)),
    OPTION(NUMBER, "evals", "N", "at most N candidates per dispatch", TARGET(evaluations)),
    OPTION(TEXT, "strategy", "NAME", "search strategy; default auto", TARGET(strategy)),
    OPTION(NUMBER, "seed", "N", "seed of the search; default 42", TARGET(search_seed),
           .alias = "search-space-shuffle-seed"),
    OPTION(FLAG, "random-seed", NULL, "use a new seed each time and print it", TARGET(random_seed),
           .alias = "enable-random-seed"),
    IREE_SEARCH_OPTIONS(struct tune_model_settings, model.iree),
    IREE_TIMING_OPTIONS(struct tune_model_settings, model.iree),
    IREE_MODEL_MOVED_OPTIONS,
    OPTION(CHOICE, "stop-after", "STAGE",
           "stop after this stage: dispatches, generate, build, screen, model-build or model",
           TARGET(stop_after), .words = stage_words),
    OPTION(FLAG, "dry-run", NULL, "print the commands without running them", TARGET(dry_run)),

    HEADING("the compiler's own options"),
    OPTION(FLAG, "no-options", NULL, "do not try data tiling and other options of iree-compile",
           TARGET(no_options)),
    OPTION(FLAG, "options-only", NULL, "try only these options: no dispatch is tuned",
           TARGET(options_only)),
    OPTION(FLAG, "allow-f16", NULL, "try f16 instead of f32, too", TARGET(allow_f16)),

    HEADING("measuring"),
    OPTION(NUMBER, "threads", "N",
           "on CPUs: N threads (local-task), by wall time; default the number of CPUs; 1: one "
           "thread (local-sync), by CPU time",
           TARGET(threads)),
    OPTION(FLAG, "no-check", NULL, "do not compare outputs", TARGET(no_check)),
    OPTION(PERCENT, "margin", "PERCENT", "required improvement in percent; default 1",
           TARGET(margin)),
    OPTION(FLAG, "keep-slower", NULL, "write the best spec even if the model is not faster with it",
           TARGET(keep_slower)),
    OPTION(FLAG, "fresh", NULL,
           "measure everything again; without it, an interrupted command continues", TARGET(fresh)),
    OPTION(TIME, "timeout", "TIME",
           "time limit of a candidate's first call; default from the baseline", TARGET(timeout_s)),
    OPTION(JOINED, "devices", "LIST", "devices to use, such as cuda://0,cuda://1", TARGET(devices)),
    WORKER_OPTIONS(struct tune_model_settings),

    HEADING("results"),
    OPTION(TEXT, "output", "FILE", "output file for the spec; default tuning-spec.mlir",
           TARGET(output), .letter = 'o', .alias = "output-td-spec", .takes_file = true),
    OPTION(TEXT, "candidates-csv", "FILE",
           "table of all candidates: compile status, time, speedup, rank, failure",
           TARGET(candidates_csv), .takes_file = true),
    OPTION(CHOICE, "format", "NAME", "text or json; default text", TARGET(format), .letter = 'f',
           .words = format_words),
    OPTION(FLAG, "require-improvement", NULL, "exit with status 3 unless the model was improved",
           TARGET(require_improvement)),
    IREE_OPTIONS(struct tune_model_settings, model.iree),
    COMMON_OPTIONS(struct tune_model_settings, common),
    {0},
};

/* ---- Options ---- */

static void init_settings(struct tune_model_settings *settings)
{
  struct hone_iree_tune_options options;
  struct hone_tune_options tune;

  hone_iree_tune_options_init(&options);
  hone_tune_options_init(&tune);
  *settings = (struct tune_model_settings){.output = "tuning-spec.mlir",
                                           .model_candidates = options.model_candidates,
                                           .margin = tune.margin,
                                           .search_seed = 42};
  iree_model_settings_init(&settings->model);
}

static void choose_seed(struct tune_model_settings *settings)
{
  if (!settings->random_seed) return;
  if (getrandom(&settings->search_seed, sizeof settings->search_seed, 0) < 0)
    settings->search_seed = (uint64_t)time(NULL) << 32;
  settings->search_seed >>= 32; /* short enough to be typed */
  message_note("seed %" PRIu64, settings->search_seed);
}

/* "0.05", "5%" */
static bool read_share(const char *text, double *share)
{
  char *end = NULL;
  double number;

  if (!text) return true;
  number = strtod(text, &end);
  if (end > text && strcmp(end, "%") == 0) {
    number /= 100;
    end++;
  }
  if (end > text && !*end && number >= 0 && number <= 1) {
    *share = number;
    return true;
  }
  message_error("'--share' needs a share from 0 to 1, such as 0.05 or 5%%, not '%s'", text);
  return false;
}

/* SHARK Tuner's words stand after ours, from "generate" on. */
static enum hone_iree_stage stage_of(int word)
{
  const int behind = HONE_IREE_STAGE_MODEL_BUILD - HONE_IREE_STAGE_DISPATCHES;

  return (enum hone_iree_stage)(word > HONE_IREE_STAGE_MODEL_BUILD ? word - behind : word);
}

static void fill_options(const struct tune_model_settings *settings,
                         struct hone_iree_tune_options *options)
{
  options->top_dispatches = (size_t)settings->top_dispatches;
  options->model_candidates = (unsigned)settings->model_candidates;
  options->stop_after = stage_of(settings->stop_after);
  options->model_budget_s = settings->model_budget_s;
  options->no_options = settings->no_options;
  options->options_only = settings->options_only;
  options->allow_f16 = settings->allow_f16;
}

static void fill_run_options(const struct tune_model_settings *settings,
                             const struct hone_run_note *note, struct hone_tune_options *tune)
{
  hone_tune_options_init(tune);
  tune->store = settings->store;
  tune->devices = settings->devices;
  cluster_hosts_fill(&settings->hosts, tune);
  tune->builders = (unsigned)settings->builders;
  tune->overlap = settings->overlap;
  tune->strategy = settings->strategy;
  tune->evaluations = settings->evaluations;
  tune->budget_s = settings->budget_s;
  tune->seed = settings->search_seed;
  tune->seed_given = true;
  tune->fresh = settings->fresh;
  tune->no_wait = settings->no_wait;
  tune->no_check = settings->no_check;
  tune->keep_slower = settings->keep_slower;
  tune->margin = settings->margin;
  tune->timeout_s = settings->timeout_s;
  tune->hone_program = own_file();
  tune->note = note;
}

static bool check_settings(const struct tune_model_settings *settings,
                           const struct word_list *words)
{
  bool has_commands = settings->dump_command || settings->commands_file;

  if (!words->count && !has_commands)
    message_error("no model given: hone iree tune MODEL TARGET");
  else if (words->count && has_commands)
    message_error("give a model or commands that dump dispatches, not both");
  else if (settings->no_options && settings->options_only)
    message_error("'--no-options' and '--options-only' leave nothing to try");
  else if (settings->model_candidates < 1 || settings->model_candidates > 100)
    message_error("'--model-candidates' needs a number from 1 to 100, not %" PRIu64,
                  settings->model_candidates);
  else if (settings->threads > 4096)
    message_error("'--threads' needs a number from 1 to 4096, not %" PRIu64, settings->threads);
  else if (settings->builders > 4096)
    message_error("'--builders' needs a number from 0 to 4096, not %" PRIu64, settings->builders);
  else if (settings->host_builders > 4096)
    message_error("'--host-builders' needs a number from 0 to 4096, not %" PRIu64,
                  settings->host_builders);
  else
    return true;
  return false;
}

/* ---- Tuning ---- */

/* Without a model, the dispatches in the spec are faster by themselves. */
static bool is_improved(const struct tune_model_settings *settings,
                        const struct hone_iree_tuned *tuned)
{
  if (settings->dump_command || settings->commands_file)
    return *hone_iree_tuned_spec(tuned) != '\0';
  return hone_iree_tuned_verdict(tuned) == HONE_VERDICT_IMPROVED;
}

/* Only entries that make the model faster, unless the rest is requested too. If the disk is full,
 * the spec in the work folder is the result. */
static bool write_spec(const struct tune_model_settings *settings,
                       const struct hone_iree_tuned *tuned, const char **out_path)
{
  bool is_wanted =
      *hone_iree_tuned_spec(tuned) && (is_improved(settings, tuned) || settings->keep_slower);

  *out_path = NULL;
  if (!is_wanted) return true;
  *out_path = settings->output;
  if (text_file_write(settings->output, hone_iree_tuned_spec(tuned))) return true;
  *out_path = *hone_iree_tuned_spec_path(tuned) ? hone_iree_tuned_spec_path(tuned) : NULL;
  return false;
}

static bool write_csv(const struct tune_model_settings *settings,
                      const struct hone_iree_tuned *tuned)
{
  char *text = NULL;
  hone_status status;
  bool is_written;

  if (!settings->candidates_csv) return true;
  status = hone_iree_tuned_csv(tuned, settings->store, &text);
  if (status) {
    message_status(status);
    return false;
  }
  is_written = text_file_write(settings->candidates_csv, text);
  free(text);
  return is_written;
}

/* "dir/NAME.imported.mlir" beside the spec. */
static char *import_path(const char *spec, const char *model)
{
  const char *slash = strrchr(spec, '/'), *base = strrchr(model, '/'), *dot;
  int folder = slash ? (int)(slash + 1 - spec) : 0, length;
  char *path = NULL;

  base = base ? base + 1 : model;
  dot = strrchr(base, '.');
  length = (int)(dot ? dot - base : (long)strlen(base));
  if (asprintf(&path, "%.*s%.*s.imported.mlir", folder, spec, length, base) < 0) path = NULL;
  return check_memory(path);
}

/* The command that is printed works without Hone's folders. */
static bool write_import(const struct tune_model_settings *settings, const char *model,
                         struct hone_iree_tuned *tuned)
{
  char *path;
  hone_status status;

  if (!model || !hone_iree_tuned_is_imported(tuned) || hone_iree_tuned_is_interrupted(tuned) ||
      hone_iree_tuned_stage(tuned) != HONE_IREE_STAGE_ALL)
    return true;
  path = import_path(settings->output, model);
  status = hone_iree_tuned_copy_source(tuned, path);
  free(path);
  if (status) message_status(status);
  return !status;
}

static enum exit_code finish(const struct tune_model_settings *settings, const char *model,
                             struct hone_iree_tuned *tuned, hone_status status)
{
  struct iree_tune_view view = {.common = &settings->common,
                                .model = model,
                                .is_json = settings->format != 0,
                                .is_failed = status != NULL};
  bool is_good = is_improved(settings, tuned), are_written = true;

  if (!status) are_written &= write_spec(settings, tuned, &view.written);
  if (!status) are_written &= write_import(settings, model, tuned);
  are_written &= write_csv(settings, tuned);
  if (hone_iree_tuned_dispatch_count(tuned) && !iree_tune_print(&view, tuned)) return CLI_FAILED;
  if (status && cancel_signals_caught()) {
    hone_status_free(status); /* of what the signal ended */
    message_error("interrupted; what was measured is kept, and the same command continues");
    return CLI_INTERRUPTED;
  }
  if (status) return message_status(status);
  if (!are_written) return CLI_FAILED;
  if (hone_iree_tuned_is_interrupted(tuned)) return CLI_INTERRUPTED;
  return settings->require_improvement && !is_good ? CLI_NOT_IMPROVED : CLI_DONE;
}

static enum exit_code tune(const struct tune_model_settings *settings, const char *model,
                           const struct hone_iree_tune_options *options,
                           struct hone_tune_options *run)
{
  const char *slash = model ? strrchr(model, '/') : NULL;
  struct tune_progress *progress = tune_progress_open(&settings->common, slash   ? slash + 1
                                                                         : model ? model
                                                                                 : "commands");
  struct hone_iree_tuned *tuned = NULL;
  struct cancel_signals signals;
  struct held_signals held;
  enum exit_code code;
  hone_status status;

  run->progress = tune_progress_event;
  run->progress_data = progress;
  held_signals_begin(&held);
  run->cancel = cancel_signals_begin(&signals);
  status = model ? hone_iree_tune(model, options, &tuned)
                 : hone_iree_tune_commands(settings->dump_command, settings->commands_file, options,
                                           &tuned);
  cancel_signals_end(&signals);
  tune_progress_close(progress);
  held_signals_end(&held);
  code = finish(settings, model, tuned, status);
  hone_iree_tuned_free(tuned);
  return code;
}

/* Before minutes are spent on what goes there. */
static bool prepare_files(const struct tune_model_settings *settings)
{
  return text_file_prepare(settings->output) &&
         (!settings->candidates_csv || text_file_prepare(settings->candidates_csv));
}

static enum exit_code print_plan(const char *model, const struct hone_iree_tune_options *options)
{
  char *text = NULL;
  hone_status status;

  if (!model) {
    message_error("'--dry-run' needs a model: dump commands must run to show what they dump");
    return CLI_USAGE;
  }
  status = hone_iree_tune_plan(model, options, &text);
  if (status) return message_status(status);
  return visible_print(text) ? CLI_DONE : CLI_FAILED;
}

static enum exit_code fill_and_tune(const struct tune_model_settings *settings,
                                    const struct word_list *words, const struct word_list *flags,
                                    char **argv)
{
  struct hone_iree_tune_options options;
  struct hone_iree_model_options of_model;
  struct hone_tune_options run;
  struct iree_model_texts texts = {0};
  const char *model = words->count ? words->words[0] : NULL;
  enum exit_code code = CLI_USAGE;
  char *command = command_text("hone iree tune", argv, NULL, NULL);
  const struct hone_run_note note = {.origin = command};

  hone_iree_tune_options_init(&options);
  options.model = &of_model;
  options.tune = &run;
  if (read_share(settings->share, &options.share) &&
      iree_model_settings_fill(&settings->model, words, flags, &of_model, &texts)) {
    texts.options.threads = (unsigned)settings->threads;
    fill_options(settings, &options);
    fill_run_options(settings, &note, &run);
    if (settings->dry_run)
      code = print_plan(model, &options);
    else
      code = prepare_files(settings) ? tune(settings, model, &options, &run) : CLI_FAILED;
  }
  iree_model_texts_release(&texts);
  free(command);
  return code;
}

static enum exit_code run_tune(const struct command *command, char **argv)
{
  struct tune_model_settings settings;
  struct word_list words = {0}, flags = {0};
  char **left = iree_model_take_flags(command->options, argv, &flags);
  enum exit_code code;

  init_settings(&settings);
  if (command_open(command, left, &settings, &settings.common, &words, &code)) {
    choose_seed(&settings);
    code = check_settings(&settings, &words) &&
                   cluster_hosts_open(&settings.hosts, &settings.clusters, &settings.workers,
                                      settings.host_builders)
               ? fill_and_tune(&settings, &words, &flags, argv)
               : command_usage(command);
  }
  cluster_hosts_close(&settings.hosts);
  command_close(command, &settings, &words);
  word_list_release(&flags);
  free(left);
  return code;
}

const struct command iree_tune_command = {
    .name = "iree tune",
    .summary = "tune a model: write a tuning spec for its dispatches, verified in the model",
    .usage = "MODEL [TARGET] [options] [FLAG...]",
    .about = "Compiles the model, finds the dispatches (kernels) that take most of its time,\n"
             "tunes each of them, and measures combinations of their best configurations in\n"
             "the whole model. Its outputs must equal those of the untuned model.\n"
             "Configurations that make the model faster are written as a tuning spec; others\n"
             "are left out. All intermediate results are kept: run the same command to\n"
             "continue an interrupted one.\n"
             "\n"
             "MODEL is an .mlir file, or an .onnx file, which iree-import-onnx imports.\n"
             "TARGET is llvm-cpu (the default), gfx942, mi300x, sm_80, sm_90 or similar, or\n"
             "flags of iree-compile; other flags of it (--iree-..., anything after '--') are\n"
             "passed on.\n"
             "--dump-command and --commands-file replace MODEL.\n",
    .examples = "  hone iree tune model.onnx --dim batch=1\n"
                "  hone iree tune model.mlir llvm-cpu\n"
                "  hone iree tune model.mlir llvm-cpu --input=@x.npy -o spec.mlir --budget 10m\n"
                "  hone iree tune model.mlir mi300x --top-dispatches 4 --stop-after build\n"
                "  hone iree tune model.mlir sm_80 --starter shipped.mlir --format json\n"
                "  hone iree tune --dump-command './driver --dump {dir}' --commands-file ops.txt\n",
    .options = tune_options,
    .run = run_tune,
};

/* ---- One dispatch ---- */

static enum exit_code run_tune_dispatch(const struct command *command, char **argv)
{
  (void)command;
  return tune_command.run(&tune_command, argv);
}

const struct command iree_tune_dispatch_command = {
    .name = "iree tune-dispatch",
    .summary = "tune one dispatch: the same as 'hone tune FILE.mlir'",
    .usage = "FILE.mlir [options]",
    .about = "FILE is a dispatch that IREE dumped, or a function with one operation and a\n"
             "target. The options are those of 'hone tune'.\n",
    .examples = "  hone iree tune-dispatch module_main_dispatch_0_benchmark.mlir --budget 60s\n",
    .options = subcommand_options,
    .run = run_tune_dispatch,
};
