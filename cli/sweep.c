/* hone sweep: every configuration of a spec, built and run once. */
#include "sweep_command.h"

#include "cancel_signals.h"
#include "clock_check.h"
#include "command_text.h"
#include "held_signals.h"
#include "hone_machine.h"
#include "instances.h"
#include "own_file.h"
#include "problems.h"
#include "run_options.h"
#include "terminal.h"
#include "text_file.h"
#include "tune_progress.h"
#include "worker_options.h"
#include "visible.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const profile_words[] = {"none", "ncu", "ncu-single", "rocm", "rocprof-compute",
                                            NULL};
static const char *const format_words[] = {"text", "json", "csv", NULL};

#define TARGET(field) .target = offsetof(struct sweep_settings, field)

static const struct option sweep_options[] = {
    HEADING("input"),
    SOURCE_OPTIONS(struct sweep_settings, source),
    PARTITION_OPTION(struct sweep_settings, source),
    OPTION(TEXT, "yaml", "FILE", "one spec, as in tune.py: --output is the output file itself",
           TARGET(yaml), .takes_file = true),

    HEADING("results"),
    OPTION(TEXT, "output", "NAME", "name of the result file in --output-dir; default output.csv",
           .letter = 'o', TARGET(output), .takes_file = true),
    OPTION(TEXT, "output-dir", "DIR",
           "folder for results and for the working folders of programs; default kbench-output",
           TARGET(output_dir), .takes_file = true),
    OPTION(FLAG, "tune", NULL, "print the report of tune.py: best first, with its parameters",
           .letter = 't', TARGET(tune)),
    OPTION(CHOICE, "plot", "NAME", "bars, table, summary or none; default bars", TARGET(plot),
           .words = plot_words),
    OPTION(CHOICE, "format", "NAME", "format of standard output: text, json or csv; default text",
           TARGET(format), .words = format_words),

    HEADING("building"),
    OPTION(FLAG, "build", NULL, "build only", TARGET(build)),
    OPTION(FLAG, "run-only", NULL, "do not build: run earlier builds", TARGET(run_only)),
    BUILD_OPTIONS(struct sweep_settings, program),
    OPTION(FLAG, "cached", NULL, "use earlier builds; always on", .letter = 'c', TARGET(cached)),
    OPTION(TEXT, "cache-dir", "DIR", "build cache; default $HONE_CACHE, else the user's cache",
           TARGET(cache_dir), .takes_file = true),
    OPTION(FLAG, "clear-cache", NULL, "delete earlier builds first", .word = "cc",
           TARGET(clear_cache)),

    HEADING("running"),
    EXECUTION_OPTIONS(struct sweep_settings, program),
    OPTION(INTEGER, "timeout-secs", "N", "time limit of a program; default 120, 0: no limit",
           TARGET(program.timeout_s)),
    OPTION(CHOICE, "profile", "NAME", "ncu, ncu-single, rocm or rocprof-compute", TARGET(profile),
           .words = profile_words),
    OPTION(FLAG, "no-check", NULL, "do not check answers", TARGET(no_check)),
    OPTION(FLAG, "skip-clock-check", NULL, "run even if the GPU's clock may vary",
           TARGET(skip_clock_check)),
    OPTION(FLAG, "force", NULL, "old name of --skip-clock-check", .letter = 'f', TARGET(force)),
    OPTION(FLAG, "dryrun", NULL, "print the commands without running them", .word = "dryrun",
           .alias = "dry-run", TARGET(dry_run)),
    OPTION(FLAG, "fresh", NULL, "start over; without it, an interrupted sweep continues",
           TARGET(fresh)),
    WAIT_OPTIONS(struct sweep_settings, "runs the same sweep"),

    HEADING("where"),
    OPTION(JOINED, "devices", "LIST", "devices to use, such as program:gpu0,program:gpu1",
           TARGET(devices)),
    HOST_OPTIONS(struct sweep_settings),
    HOST_BUILDERS_OPTION(struct sweep_settings),
    STORE_OPTION(struct sweep_settings),

    HEADING("other options"),
    PROGRESS_OPTION(struct sweep_settings, common),
    COMMON_OPTIONS(struct sweep_settings, common),
    {0},
};

/* ---- Checks ---- */

struct conflict {
  bool first, second; /* both were given */
  const char *names, *advice;
};

static bool check_conflicts(const struct sweep_settings *settings, const struct word_list *files)
{
  bool run_only = settings->run_only, is_text = settings->format == SWEEP_TEXT;
  const struct conflict conflicts[] = {
      {settings->yaml, files->count, "'--yaml' and a file", "give the spec once"},
      {run_only, settings->clear_cache, "'--run-only' and '--clear-cache'",
       "programs come from the cache"},
      {run_only, settings->program.build_opts, "'--run-only' and '--build-opts'",
       "nothing is built"},
      {run_only, settings->build, "'--run-only' and '--build'", "choose one"},
      {run_only, settings->dry_run, "'--run-only' and '--dryrun'", "choose one"},
      {settings->dry_run, settings->clear_cache, "'--dryrun' and '--clear-cache'",
       "a dry run removes nothing"},
      {settings->tune, settings->build, "'--tune' and '--build'",
       "without running, there is no best configuration"},
      {settings->tune, !is_text, "'--tune' and '--format'", "its report is text"},
  };

  for (size_t i = 0; i < sizeof conflicts / sizeof *conflicts; i++) {
    if (!conflicts[i].first || !conflicts[i].second) continue;
    message_error("%s cannot be combined: %s", conflicts[i].names, conflicts[i].advice);
    return false;
  }
  return true;
}

static bool check_texts(const struct sweep_settings *settings)
{
  const char *output = settings->output, *slash = output ? strrchr(output, '/') : NULL;

  if (output && !*(slash ? slash + 1 : output)) {
    message_error("'--output' needs a file name, not '%s'", output);
    return false;
  }
  if (settings->cache_dir && !*settings->cache_dir) {
    message_error("'--cache-dir' needs a folder name");
    return false;
  }
  return true;
}

static bool check_files(const struct sweep_settings *settings, const struct word_list *files)
{
  if (files->count || settings->yaml) return true;
  if (settings->source.shapes.count)
    message_error("no spec given besides the shapes: hone sweep FILE... --shapes FILE");
  else
    message_error("no spec given: hone sweep FILE...");
  return false;
}

static bool check_settings(const struct sweep_settings *settings, const struct word_list *files)
{
  bool clears_only =
      settings->clear_cache && !files->count && !settings->yaml && !settings->source.shapes.count;

  return check_conflicts(settings, files) && check_texts(settings) &&
         program_settings_check(&settings->program, settings->devices) &&
         (clears_only || check_files(settings, files));
}

/* ---- Sweeping ---- */

static enum exit_code clear_cache(const struct sweep_settings *settings)
{
  uint64_t files = 0, bytes = 0;
  hone_status status = hone_cache_clear(settings->cache_dir, &files, &bytes);

  if (status) return message_status(status);
  message_note("cleared the cache: %" PRIu64 " file%s", files, files == 1 ? "" : "s");
  return CLI_DONE;
}

static enum exit_code print_commands(const struct hone_spec *spec,
                                     const struct hone_tune_options *options)
{
  char *text = NULL;
  hone_status status = hone_sweep_commands(spec, options, &text);

  if (status) return message_status(status);
  return visible_print(text) ? CLI_DONE : CLI_FAILED;
}

/* An unusable folder is reported now, not after hours. Programs of two sweeps would write into the
 * same files, but every shape has its own folder. */
static bool claim_folder(const struct sweep_settings *settings,
                         const struct hone_tune_options *options, int *out_folder)
{
  *out_folder = -1;
  if (!options->output_dir || settings->build) return true;
  *out_folder = text_file_claim_folder(options->output_dir, settings->source.shapes.count > 0);
  return *out_folder >= 0;
}

static enum exit_code run_all(const struct sweep_settings *settings, const struct hone_spec *spec,
                              struct hone_tune_options *options)
{
  struct tune_progress *progress = tune_progress_open(&settings->common, hone_spec_name(spec));
  struct hone_tuning *tuning = NULL;
  struct cancel_signals signals;
  struct held_signals held;
  hone_status status;
  enum exit_code code = CLI_DONE;

  tune_progress_of_sweep(progress);
  options->progress = tune_progress_event;
  options->progress_data = progress;
  held_signals_begin(&held);
  options->cancel = cancel_signals_begin(&signals);
  status = hone_sweep(spec, options, &tuning);
  cancel_signals_end(&signals);
  tune_progress_close(progress);
  held_signals_end(&held);
  if (hone_tuning_count(tuning))
    code = sweep_results(settings, tuning, options->problem_count > 1);
  else if (hone_tuning_interrupted(tuning))
    code = CLI_INTERRUPTED;
  if (!hone_tuning_count(tuning) && hone_tuning_interrupted(tuning))
    message_error("interrupted before anything was run");
  if (status) code = message_status(status);
  hone_tuning_free(tuning);
  return code;
}

static void fill_options(struct hone_tune_options *options, const struct sweep_settings *settings,
                         const struct problems *problems)
{
  hone_tune_options_init(options);
  options->store = settings->store;
  problems_fill(problems, options);
  options->devices = settings->devices;
  options->device = settings->source.device;
  cluster_hosts_fill(&settings->hosts, options);
  options->fresh = settings->fresh;
  options->no_wait = settings->no_wait;
  options->no_check = settings->no_check;
  options->run_only = settings->run_only;
  options->stop_after = settings->build ? HONE_STAGE_BUILD : HONE_STAGE_ALL;
  options->output_dir = settings->output_dir ? settings->output_dir
                        : settings->yaml     ? NULL
                                             : SWEEP_FOLDER;
  options->hone_program = own_file();
  options->cache = settings->cache_dir;
}

static void note_shapes(const struct sweep_settings *settings, const struct hone_spec *spec)
{
  uint64_t count = 0;
  hone_status status;

  if (!settings->source.shapes.count) return;
  status = hone_spec_shape_count(spec, &count);
  if (!status) message_note("Number of shapes: %" PRIu64, count);
  hone_status_free(status);
}

static char *run_options_line(const struct sweep_settings *settings, const struct word_list *files)
{
  const struct run_options options = {.source = &settings->source,
                                      .files = files,
                                      .program = &settings->program,
                                      .no_check = settings->no_check};

  return run_options_text(&options);
}

static enum exit_code sweep_problems(const struct sweep_settings *settings,
                                     const struct word_list *files, const struct hone_spec *spec,
                                     const struct problems *problems, char **argv)
{
  struct hone_program_options program;
  struct hone_tune_options options;
  char *command = command_text("hone sweep", argv, NULL, NULL), *devices;
  char *run_words = run_options_line(settings, files);
  const struct hone_run_note note = {.origin = command, .run_words = run_words};
  enum exit_code code = CLI_FAILED;
  int folder = -1;

  fill_options(&options, settings, problems);
  program_settings_fill(&settings->program, &program, &options, &devices);
  if (settings->profile) program.profile = profile_words[settings->profile];
  options.note = &note;
  if (settings->dry_run) {
    code = print_commands(spec, &options);
  } else if (claim_folder(settings, &options, &folder)) {
    code = run_all(settings, spec, &options);
    note_shapes(settings, spec);
  }
  if (folder >= 0) close(folder);
  free(run_words);
  free(command);
  free(devices);
  return code;
}

/* True for programs that are likely to run on a GPU of NVIDIA's. */
static bool uses_gpu(const struct sweep_settings *settings, const struct hone_spec *spec)
{
  const char *file = hone_spec_file(spec), *dot = file ? strrchr(file, '.') : NULL;

  return program_settings_use_gpu(&settings->program) ||
         strncmp(profile_words[settings->profile], "ncu", 3) == 0 ||
         (dot && (strcmp(dot, ".mojo") == 0 || strcmp(dot, ".cu") == 0));
}

static enum exit_code check_clocks(const struct sweep_settings *settings,
                                   const struct hone_spec *spec)
{
  if (settings->force)
    message_note("'--force' is the old name of '--skip-clock-check' and will be removed");
  if (settings->skip_clock_check || settings->force || settings->dry_run || settings->build)
    return CLI_DONE;
  return clock_check(uses_gpu(settings, spec));
}

static enum exit_code sweep_spec(const struct sweep_settings *settings,
                                 const struct word_list *files, const struct hone_spec *spec,
                                 char **argv)
{
  struct problems problems = {0};
  enum exit_code code = CLI_USAGE;

  if (problems_choose(&problems, spec, settings->source.problem))
    code = check_clocks(settings, spec);
  if (code == CLI_DONE && settings->clear_cache) code = clear_cache(settings);
  if (code == CLI_DONE && settings->common.verbose && !settings->common.quiet &&
      settings->common.progress == PROGRESS_TEXT)
    code = instances_list(spec, &problems, &settings->source, settings->devices);
  if (code == CLI_DONE) code = sweep_problems(settings, files, spec, &problems, argv);
  problems_release(&problems);
  return code;
}

static enum exit_code load_and_sweep(const struct sweep_settings *settings, struct word_list *files,
                                     char **argv)
{
  struct hone_spec *spec = NULL;
  enum exit_code code;

  if (settings->cache_dir && !settings->dry_run && !text_file_make_folder(settings->cache_dir))
    return CLI_FAILED;
  if (settings->yaml) word_list_add(files, settings->yaml);
  if (!files->count) return clear_cache(settings);
  code = source_load(&settings->source, files, &spec);
  if (code != CLI_DONE) return code;
  if (settings->output && settings->source.shapes.count && !settings->yaml)
    message_note("'--output' has no effect with --shapes: every shape has separate files");
  code = sweep_spec(settings, files, spec, argv);
  hone_spec_free(spec);
  return code;
}

static enum exit_code print_usage(const struct command *command)
{
  struct output output;

  output_open(&output, STDERR_FILENO, terminal_has_color(COLOR_AUTO, STDERR_FILENO));
  help_command(&output, command);
  output_close(&output);
  return CLI_USAGE;
}

static enum exit_code run_sweep(const struct command *command, char **argv)
{
  struct sweep_settings settings = {0};
  struct word_list files = {0};
  enum exit_code code;

  if (!*argv) return print_usage(command);
  program_settings_init(&settings.program);
  tune_progress_prepare(argv);
  if (command_open(command, argv, &settings, &settings.common, &files, &code))
    code = check_settings(&settings, &files) &&
                   cluster_hosts_open(&settings.hosts, &settings.clusters, &settings.workers,
                                      settings.host_builders)
               ? load_and_sweep(&settings, &files, argv)
               : command_usage(command);
  cluster_hosts_close(&settings.hosts);
  command_close(command, &settings, &files);
  return code;
}

const struct command sweep_command = {
    .name = "sweep",
    .summary = "build and run every configuration of a program, and report",
    .usage = "FILE... [options]",
    .about = "FILE is a kbench spec in YAML, or a source file with a spec in annotations; see\n"
             "hone-spec(5). Programs measure themselves and write a CSV file. Every\n"
             "configuration is built and run once, without confirmation; use 'hone tune' to\n"
             "confirm results. Writes kbench-output/output.csv, .txt, .failures.json, and\n"
             ".yaml with the best configuration. Run the same command to continue an\n"
             "interrupted sweep.\n",
    .examples = "  hone sweep bench.yaml\n"
                "  hone sweep bench.yaml --filter dtype=float16 --param M:[64,128] --plot table\n"
                "  hone sweep bench.yaml --shapes shapes.yaml --partition 0:4\n"
                "  hone sweep bench.yaml --dryrun\n"
                "  hone sweep bench.yaml -o out && hone show kbench-output/out.csv --head 5\n"
                "  hone sweep bench.yaml --build && hone sweep bench.yaml --run-only\n"
                "  hone sweep bench.yaml --num-gpu 4 --target-accelerator nvidia:sm_90\n"
                "  hone sweep --yaml bench.yaml --output best.txt --tune\n",
    .options = sweep_options,
    .run = run_sweep,
};
