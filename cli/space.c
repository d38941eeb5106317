/* hone space: queries the legal configurations of a spec. */
#include "space_command.h"

#include "terminal.h"
#include "hone_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const solver_words[] = {"native", "z3", NULL};
static const char *const format_words[] = {"text", "json", "csv", "spec", NULL};

#define TARGET(field) .target = offsetof(struct space_settings, field)
#define ACTION(field) TARGET(field), .only_one = offsetof(struct space_settings, action)

static const struct option space_options[] = {
    HEADING("queries (at most one; default: a summary)"),
    OPTION(FLAG, "count", NULL, "number of legal configurations", ACTION(count)),
    OPTION(FLAG, "list", NULL, "all legal configurations, in mesh order", ACTION(list)),
    OPTION(NUMBER, "at", "I", "configuration number I, counted from 0", ACTION(at)),
    OPTION(TEXT, "index-of", "K=V,...", "the number of a configuration", ACTION(index_of)),
    OPTION(NUMBER, "sample", "N", "N different configurations, uniformly sampled", ACTION(sample)),
    OPTION(TEXT, "neighbours", "K=V,...", "configurations that differ in one parameter",
           ACTION(neighbours)),
    OPTION(TEXT, "explain", "K=V,...", "which constraints the configuration satisfies and violates",
           ACTION(explain)),
    OPTION(FLAG, "stats", NULL, "how much of the space each constraint removes", ACTION(stats)),
    OPTION(FLAG, "show-spec", NULL, "the spec as YAML, such as the one generated for an .mlir file",
           ACTION(show_spec)),
    OPTION(TEXT, "write-specs", "FOLDER",
           "write the candidates of an .mlir file as tuning specs NNNN_spec.mlir",
           ACTION(write_specs), .takes_file = true),

    HEADING("space"),
    SOURCE_OPTIONS(struct space_settings, source),
    PARTITION_OPTION(struct space_settings, source),
    OPTION(FLAG, "unique", NULL, "drop configurations that an earlier group already has",
           TARGET(unique)),

    IREE_OPTIONS(struct space_settings, source.iree),
    OPTION(FLAG, "for-tuning", NULL,
           "the space of 'hone tune': includes the compiler's choice and excludes what it is known "
           "to reject",
           TARGET(source.for_tuning)),
    OPTION(CHOICE, "order", "NAME",
           "order of --write-specs: none, shuffle or heuristic; default shuffle",
           .alias = "candidate-order", TARGET(source.iree.order), .words = iree_order_words),
    OPTION(NUMBER, "limit", "N", "maximum number of --write-specs; default all",
           .alias = "num-candidates", TARGET(source.iree.num_candidates)),

    HEADING("how"),
    OPTION(NUMBER, "seed", "S", "seed of --sample and of shuffles; default 0, for shuffles 42",
           TARGET(seed)),
    OPTION(FLAG, "adjacent", NULL, "limit --neighbours to one step in the parameter's list",
           TARGET(adjacent)),
    OPTION(CHOICE, "solver", "NAME", "native or z3; default native", TARGET(solver),
           .words = solver_words),
    OPTION(SIZE, "memory", "SIZE", "limit of the solver's memory and work; default 1G",
           TARGET(memory_bytes)),
    OPTION(CHOICE, "format", "NAME",
           "text, json, csv or spec (kbench's stem/NAME=VALUE/...); default text", TARGET(format),
           .letter = 'f', .words = format_words),
    COMMON_OPTIONS(struct space_settings, common),
    {0},
};

/* ---- Actions ---- */

struct action {
  const char *option; /* NULL: without an option */
  answer_function *answer;
  bool takes_many;  /* works for several problems */
  bool prints_rows; /* prints configurations */
  bool needs_some;  /* fails where nothing is legal */
};

static const struct action actions[] = {
    {.answer = answer_summary, .takes_many = true, .needs_some = true},
    {.option = "count", .answer = answer_count, .takes_many = true, .needs_some = true},
    {.option = "list", .answer = answer_list, .prints_rows = true, .needs_some = true},
    {.option = "at", .answer = answer_at, .prints_rows = true, .needs_some = true},
    {.option = "index-of", .answer = answer_index_of},
    {.option = "sample", .answer = answer_sample, .prints_rows = true, .needs_some = true},
    {.option = "neighbours", .answer = answer_neighbours, .prints_rows = true, .needs_some = true},
    {.option = "explain", .answer = answer_explain},
    {.option = "stats", .answer = answer_stats},
    {.option = "write-specs", .answer = answer_write_specs, .needs_some = true},
};

static const struct action *find_action(const struct space_settings *settings)
{
  for (size_t i = 1; settings->action && i < sizeof actions / sizeof *actions; i++)
    if (strcmp(actions[i].option, settings->action->name) == 0) return &actions[i];
  return &actions[0];
}

/* ---- Options ---- */

static bool is_action(const struct space_settings *settings, const char *name)
{
  return settings->action && strcmp(settings->action->name, name) == 0;
}

static bool check_settings(const struct space_settings *settings, const struct word_list *files)
{
  if (files->count == 0)
    message_error("no file given: hone space FILE...");
  else if (settings->adjacent && !is_action(settings, "neighbours"))
    message_error("'--adjacent' needs '--neighbours'");
  else if (settings->format == FORMAT_SPEC && !find_action(settings)->prints_rows)
    message_error("'--format spec' prints configurations: it needs '--list', '--at', '--sample' or "
                  "'--neighbours'");
  else
    return true;
  return false;
}

/* ---- Solving ---- */

struct progress {
  bool is_shown;
};

/* One status line, on a terminal, if it takes long. */
static bool show_progress(void *data, const struct hone_event *event)
{
  struct progress *progress = data;

  if (event->elapsed_s < 2) return true;
  progress->is_shown = true;
  fprintf(stderr, "\r\033[Khone: %s, %.0f s", event->text, event->elapsed_s);
  return true;
}

static hone_status build_space(const struct question *question, struct hone_space **out_space)
{
  const struct space_settings *settings = question->settings;
  struct progress progress = {0};
  struct hone_space_options options;
  hone_status status;

  hone_space_options_init(&options);
  options.solver = settings->solver ? HONE_SOLVER_Z3 : HONE_SOLVER_NATIVE;
  options.problem = question->problems->chosen[question->problem];
  options.sizes = question->problems->sizes;
  options.device = question->device;
  options.device_gap = question->device_gap;
  options.unique = settings->unique;
  if (settings->memory_bytes) options.memory_bytes = settings->memory_bytes;
  if (isatty(STDERR_FILENO) && !settings->common.quiet) {
    options.progress = show_progress;
    options.progress_data = &progress;
  }
  status = hone_space_build(question->spec, &options, out_space);
  if (progress.is_shown) fputs("\r\033[K", stderr);
  return status;
}

static enum exit_code answer_one(const struct action *action, struct question *question)
{
  struct hone_space *space = NULL;
  hone_status status = build_space(question, &space);
  enum exit_code code;

  if (status) return message_status(status);
  question->space = space;
  code = action->answer(question);
  if (action->needs_some && strcmp(hone_space_count_text(space), "0") == 0) {
    report_conflict(question);
    code = CLI_FAILED;
  }
  hone_space_free(space);
  return code;
}

/* Several answers are one JSON array. */
static enum exit_code answer_all(const struct action *action, struct question *question)
{
  size_t count = question->problems->count;
  bool in_array = count > 1 && question->settings->format == FORMAT_JSON;
  enum exit_code code = CLI_DONE, one;

  for (size_t i = 0; i < count; i++) {
    question->problem = i;
    if (in_array) output_text(question->output, i == 0 ? "[" : ",\n ");
    one = answer_one(action, question);
    if (one > code) code = one;
    if (one == CLI_USAGE) break;
  }
  if (in_array) output_text(question->output, "]");
  if (question->settings->format == FORMAT_JSON && !action->prints_rows &&
      question->output->flushed + question->output->used > 0)
    output_text(question->output, "\n");
  return code;
}

static enum exit_code answer_spec(const struct space_settings *settings,
                                  const struct hone_spec *spec)
{
  const struct action *action = find_action(settings);
  struct problems problems;
  struct output output, seen;
  struct question question = {
      .settings = settings, .spec = spec, .problems = &problems, .output = &output, .seen = &seen};
  hone_status status;
  enum exit_code code;

  if (!problems_choose(&problems, spec, settings->source.problem)) return CLI_USAGE;
  if (problems.count > 1 && !action->takes_many) {
    problems_complain(&problems);
    problems_release(&problems);
    return CLI_USAGE;
  }
  output_open(&output, STDOUT_FILENO,
              terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  output_open(&seen, OUTPUT_MEMORY, false);
  status = hone_spec_device_values(spec, NULL, settings->source.device, &question.device,
                                   &question.device_gap);
  code = status ? message_status(status) : answer_all(action, &question);
  hone_free(question.device);
  hone_free(question.device_gap);
  output_close(&seen);
  if (!output_close(&output) && code == CLI_DONE) code = CLI_FAILED;
  problems_release(&problems);
  return code;
}

static enum exit_code show_spec(const struct hone_spec *spec)
{
  const char *text = hone_spec_text(spec);
  size_t length = strlen(text);
  struct output output;

  output_open(&output, STDOUT_FILENO, false);
  output_document(&output, text);
  if (length && text[length - 1] != '\n') output_text(&output, "\n");
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

static enum exit_code load_and_answer(const struct space_settings *settings,
                                      const struct word_list *files)
{
  struct hone_spec *spec = NULL;
  enum exit_code code = source_load(&settings->source, files, &spec);

  if (code == CLI_DONE) code = settings->show_spec ? show_spec(spec) : answer_spec(settings, spec);
  hone_spec_free(spec);
  return code;
}

static enum exit_code run_space(const struct command *command, char **argv)
{
  struct space_settings settings = {0};
  struct word_list files = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &files, &code))
    code = check_settings(&settings, &files) ? load_and_answer(&settings, &files)
                                             : command_usage(command);
  command_close(command, &settings, &files);
  return code;
}

const struct command space_command = {
    .name = "space",
    .summary = "show the legal configurations of a kernel",
    .usage = "FILE... [options]",
    .about = "FILE is a spec in YAML, a kernel's source with a spec in its annotations, or a\n"
             "dispatch of IREE (.mlir); see hone-spec(5). '-' is standard input. Several files\n"
             "are combined. Write a configuration as NAME=VALUE,NAME=VALUE; parameters with\n"
             "only one value can be omitted.\n",
    .examples = "  hone space gemm.yaml\n"
                "  hone space gemm.yaml --count --problem M=256,N=512\n"
                "  hone space gemm.yaml --explain BM=96,BN=32,UNROLL=4,ALGO=packed\n"
                "  hone space gemm.yaml --sample 10 --seed 7 --format json\n"
                "  hone space gemm.yaml --list --format csv | wc -l\n"
                "  hone space gemm.yaml --stats --device cache_bytes=65536\n"
                "  hone space gemm.cu --count --device sm_90\n"
                "  hone space dispatch_benchmark.mlir --knobs hone --list --format json\n"
                "  hone space bench.yaml --param 'BM:[64,128]' --list --format spec\n",
    .options = space_options,
    .run = run_space,
};
