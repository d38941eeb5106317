/* hone run: one configuration, built, checked and timed. */
#include "command.h"

#include "cancel_signals.h"
#include "own_file.h"
#include "problems.h"
#include "program_options.h"
#include "source.h"
#include "visible.h"

#include <stdlib.h>
#include <unistd.h>

struct run_settings {
  struct common common;
  struct source source;
  struct program_settings program;
  const char *config, *devices;
  int format;
  bool no_check;
  double timeout_s;
  size_t memory_bytes;
  uint64_t processes;
};

enum { RUN_TEXT, RUN_JSON };
static const char *const format_words[] = {"text", "json", NULL};

#define TARGET(field) .target = offsetof(struct run_settings, field)

static const struct option run_options[] = {
    HEADING("input"),
    OPTION(TEXT, "config", "K=V,...", "values that differ from the baseline's; default none",
           TARGET(config)),
    SOURCE_OPTIONS(struct run_settings, source),

    HEADING("how"),
    OPTION(TEXT, "devices", "DEVICE",
           "device, such as c:0, opencl:pocl:0 or cuda:1; default all CPUs or the first GPU",
           TARGET(devices), .words = source_device_names),
    OPTION(FLAG, "no-check", NULL, "do not check answers", TARGET(no_check)),
    OPTION(NUMBER, "processes", "N",
           "measure in at most N processes, one after another; default 10", TARGET(processes)),
    OPTION(TIME, "timeout", "TIME", "time limit of the first call; default the spec's",
           TARGET(timeout_s)),
    OPTION(SIZE, "memory-limit", "SIZE", "memory limit; default half of the machine's memory",
           TARGET(memory_bytes)),

    IREE_OPTIONS(struct run_settings, source.iree),
    IREE_TIMING_OPTIONS(struct run_settings, source.iree),

    HEADING("programs that measure themselves"),
    COMPILER_OPTIONS(struct run_settings, program),
    LAUNCH_OPTIONS(struct run_settings, program),
    OPTION(INTEGER, "timeout-secs", "N", "same as --timeout, in seconds; 0: no limit",
           TARGET(program.timeout_s)),

    HEADING("results"),
    OPTION(CHOICE, "format", "NAME", "text or json; default text", TARGET(format), .letter = 'f',
           .words = format_words),

    HEADING("other options"),
    COMMON_OPTIONS(struct run_settings, common),
    {0},
};

static void fill_options(struct hone_tune_options *options, const struct run_settings *settings,
                         const struct problems *problems)
{
  hone_tune_options_init(options);
  problems_fill(problems, options);
  options->devices = settings->devices;
  options->device = settings->source.device;
  options->no_check = settings->no_check;
  options->verbose = settings->common.verbose;
  options->processes = settings->processes;
  options->hone_program = own_file();
  if (settings->timeout_s > 0) options->timeout_s = settings->timeout_s;
  if (settings->memory_bytes) options->memory_bytes = settings->memory_bytes;
}

/* JSON is already escaped; text may contain anything. */
static bool print_tried(const struct run_settings *settings, char *text)
{
  struct output output;

  if (settings->format == RUN_TEXT) return visible_print(text);
  output_open(&output, STDOUT_FILENO, false);
  output_text(&output, text);
  output_text(&output, "\n");
  free(text);
  return output_close(&output);
}

static enum exit_code try_config(const struct run_settings *settings, const struct hone_spec *spec,
                                 const struct problems *problems)
{
  struct hone_program_options program;
  struct hone_tune_options options;
  char *text = NULL, *devices;
  bool works = false;
  struct cancel_signals signals;
  hone_status status;

  fill_options(&options, settings, problems);
  program_settings_fill(&settings->program, &program, &options, &devices);
  options.cancel = cancel_signals_begin(&signals);
  status = (settings->format == RUN_JSON ? hone_try_json : hone_try)(
      spec, &options, settings->config, &text, &works);
  cancel_signals_end(&signals);
  free(devices);
  if (status) return message_status(status);
  return print_tried(settings, text) && works ? CLI_DONE : CLI_FAILED;
}

static enum exit_code load_and_try(const struct run_settings *settings,
                                   const struct word_list *files)
{
  struct hone_spec *spec = NULL;
  struct problems problems = {0};
  enum exit_code code = source_load(&settings->source, files, &spec);

  if (code != CLI_DONE) return code;
  if (!problems_choose(&problems, spec, settings->source.problem)) {
    code = CLI_USAGE;
  } else if (problems.count > 1) {
    problems_complain(&problems);
    code = CLI_USAGE;
  } else {
    code = try_config(settings, spec, &problems);
  }
  problems_release(&problems);
  hone_spec_free(spec);
  return code;
}

static bool check_settings(const struct run_settings *settings, const struct word_list *files)
{
  if (files->count == 0)
    message_error("no file given: hone run FILE --config K=V,...");
  else if (settings->timeout_s > 0 && settings->program.timeout_s != NUMBER_NOT_GIVEN)
    message_error("'--timeout' and '--timeout-secs' are the same option: choose one");
  else
    return program_settings_check(&settings->program, settings->devices);
  return false;
}

static enum exit_code run_run(const struct command *command, char **argv)
{
  struct run_settings settings = {0};
  struct word_list files = {0};
  enum exit_code code;

  settings.source.for_tuning = true;
  program_settings_init(&settings.program);
  if (command_open(command, argv, &settings, &settings.common, &files, &code))
    code = check_settings(&settings, &files) ? load_and_try(&settings, &files)
                                             : command_usage(command);
  command_close(command, &settings, &files);
  return code;
}

const struct command run_command = {
    .name = "run",
    .summary = "build, check and time one configuration",
    .usage = "FILE... [--config K=V,...] [options]",
    .about = "Reports on one configuration: how it is compiled, the result of the check, how\n"
             "long it takes, and, if it fails, why. Nothing is stored. 'hone tune' and 'hone\n"
             "sweep' print this command for each failure.\n",
    .examples = "  hone run gemm.yaml\n"
                "  hone run gemm.yaml --config BM=64,BN=32,UNROLL=4,ALGO=packed\n"
                "  hone run gemm.yaml --problem M=256 --config BM=64,BN=32,UNROLL=4,ALGO=packed\n"
                "  hone run gemm.yaml --no-check --timeout 5s\n"
                "  hone run gemm.yaml --config BM=64,BN=32,UNROLL=4,ALGO=packed --format json\n"
                "  hone run bench.yaml --config dtype=float16,M=64 --exec-prefix 'nice -n 5'\n",
    .options = run_options,
    .run = run_run,
};
