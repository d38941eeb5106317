/* hone iree verify: checks the effect of a tuning spec on a model. */
#include "iree.h"

#include "hone_iree.h"
#include "quote.h"
#include "terminal.h"
#include "visible.h"

#include <stdlib.h>
#include <unistd.h>

struct verify_settings {
  struct common common;
  const char *model, *iree_dir;
  struct word_list dims, inputs;
  const char *function, *device;
  bool full;
  int format;
};

static const char *const format_words[] = {"text", "json", NULL};

#define TARGET(field) .target = offsetof(struct verify_settings, field)

static const struct option verify_options[] = {
    HEADING("options"),
    OPTION(TEXT, "on", "MODEL.mlir", "the model, or a dispatch dumped by IREE", TARGET(model),
           .takes_file = true),
    OPTION(LIST, "dim", "NAME=SIZE", "size of a dynamic dim of an .onnx file: batch=1; repeatable",
           TARGET(dims)),
    OPTION(FLAG, "full", NULL,
           "compile to the end, run the model and compare its outputs with the untuned model",
           TARGET(full)),
    OPTION(TEXT, "function", "NAME", "function to call with --full; default: the only one",
           TARGET(function)),
    OPTION(LIST, "input", "VALUE", "its argument: @x.npy, 4x4xf32=1; others are generated",
           TARGET(inputs)),
    OPTION(TEXT, "device", "NAME", "device: local-sync, cuda, hip://0; default: by the target",
           TARGET(device)),
    OPTION(TEXT, "iree-dir", "DIR", "folder of IREE's executables", TARGET(iree_dir),
           .takes_file = true),
    OPTION(CHOICE, "format", "FORMAT", "text or json", TARGET(format), .letter = 'f',
           .words = format_words),
    COMMON_OPTIONS(struct verify_settings, common),
    {0},
};

/* ---- Text ---- */

static void print_hit(struct output *output, const struct hone_iree_spec_hit *hit)
{
  output_styled(output, hone_iree_spec_hit_is_applied(hit) ? STYLE_GOOD : STYLE_BAD,
                hone_iree_spec_hit_is_applied(hit) ? "  applied      " : "  not applied  ");
  visible_text(output, hone_iree_spec_hit_dispatch(hit));
  output_text(output, ": ");
  visible_text(output, hone_iree_spec_hit_operation(hit));
  output_text(output, "\n");
  if (hone_iree_spec_hit_is_applied(hit)) return;
  output_spaces(output, 15);
  visible_text(output, hone_iree_spec_hit_why_not(hit));
  output_text(output, "\n");
}

static void print_use(struct output *output, const struct hone_iree_spec_use *use, bool verbose)
{
  output_text(output, "@");
  visible_text(output, hone_iree_spec_use_matcher(use));
  output_text(output, "  ");
  visible_text(output, hone_iree_spec_use_matches(use));
  output_text(output, "\n");
  for (size_t i = 0; i < hone_iree_spec_use_hit_count(use); i++) {
    print_hit(output, hone_iree_spec_use_hit(use, i));
    if (!verbose) continue;
    output_spaces(output, 15);
    visible_text(output, hone_iree_spec_hit_configuration(hone_iree_spec_use_hit(use, i)));
    output_text(output, "\n");
  }
  if (hone_iree_spec_use_hit_count(use)) return;
  output_styled(output, STYLE_BAD, "  no operation ");
  visible_text(output, hone_iree_spec_use_why_none(use));
  output_text(output, "\n");
}

static void print_part(struct output *output, const char *title, const char *lines)
{
  if (!*lines) return;
  output_styled(output, STYLE_BOLD, title);
  output_text(output, "\n");
  visible_lines(output, lines, 2);
}

static void print_text(struct output *output, const struct hone_iree_verification *found,
                       bool verbose)
{
  for (size_t i = 0; i < hone_iree_verification_use_count(found); i++)
    print_use(output, hone_iree_verification_use(found, i), verbose);
  print_part(output, "the model with the spec", hone_iree_verification_run(found));
  print_part(output, "the model with the spec fails", hone_iree_verification_failure(found));
  print_part(output, "rejected by the compiler", hone_iree_verification_refusal(found));
  print_part(output, "problems", hone_iree_verification_problems(found));
  print_part(output, "syntax of older versions", hone_iree_verification_older(found));
  print_part(output, "overlaps: the first is used", hone_iree_verification_conflicts(found));
}

/* ---- JSON ---- */

static void add_key(struct output *output, const char *key, const char *text)
{
  output_format(output, "\"%s\": ", key);
  quote_json_text(output, text);
}

static void add_lines(struct output *output, const char *key, const char *lines)
{
  const char *comma = "";

  output_format(output, ", \"%s\": [", key);
  while (*lines) {
    size_t length = strcspn(lines, "\n");
    char *line = check_memory(strndup(lines, length));
    output_text(output, comma);
    quote_json_text(output, line);
    free(line);
    comma = ", ";
    lines += length + (lines[length] == '\n');
  }
  output_text(output, "]");
}

static void add_hit(struct output *output, const struct hone_iree_spec_hit *hit)
{
  output_text(output, "{");
  add_key(output, "dispatch", hone_iree_spec_hit_dispatch(hit));
  output_text(output, ", ");
  add_key(output, "operation", hone_iree_spec_hit_operation(hit));
  output_text(output, ", ");
  add_key(output, "configuration", hone_iree_spec_hit_configuration(hit));
  output_format(output, ", \"applied\": %s", hone_iree_spec_hit_is_applied(hit) ? "true" : "false");
  if (!hone_iree_spec_hit_is_applied(hit)) {
    output_text(output, ", ");
    add_key(output, "why_not", hone_iree_spec_hit_why_not(hit));
  }
  output_text(output, "}");
}

static void add_use(struct output *output, const struct hone_iree_spec_use *use)
{
  output_text(output, "{");
  add_key(output, "matcher", hone_iree_spec_use_matcher(use));
  output_text(output, ", ");
  add_key(output, "matches", hone_iree_spec_use_matches(use));
  output_text(output, ", \"hits\": [");
  for (size_t i = 0; i < hone_iree_spec_use_hit_count(use); i++) {
    if (i) output_text(output, ", ");
    add_hit(output, hone_iree_spec_use_hit(use, i));
  }
  output_text(output, "]");
  if (!hone_iree_spec_use_hit_count(use)) {
    output_text(output, ", ");
    add_key(output, "why_none", hone_iree_spec_use_why_none(use));
  }
  output_text(output, "}");
}

static void print_json(struct output *output, const struct hone_iree_verification *found)
{
  output_format(output, "{\"good\": %s, \"matchers\": [",
                hone_iree_verification_is_good(found) ? "true" : "false");
  for (size_t i = 0; i < hone_iree_verification_use_count(found); i++) {
    if (i) output_text(output, ", ");
    add_use(output, hone_iree_verification_use(found, i));
  }
  output_text(output, "]");
  add_lines(output, "problems", hone_iree_verification_problems(found));
  add_lines(output, "conflicts", hone_iree_verification_conflicts(found));
  add_lines(output, "older", hone_iree_verification_older(found));
  output_text(output, ", ");
  add_key(output, "refusal", hone_iree_verification_refusal(found));
  output_text(output, ", ");
  add_key(output, "run", hone_iree_verification_run(found));
  output_text(output, ", ");
  add_key(output, "failure", hone_iree_verification_failure(found));
  output_text(output, "}\n");
}

/* ---- The command ---- */

/* To the end with --full, else as far as configurations. */
static hone_status examine(const struct verify_settings *settings, const char *spec,
                           const struct hone_iree_options *options,
                           struct hone_iree_verification **out_found)
{
  struct hone_iree_model_options of_model;
  hone_status status;
  char *model = NULL;

  hone_iree_model_options_init(&of_model);
  of_model.iree = options;
  of_model.dims = settings->dims.words;
  of_model.dim_count = settings->dims.count;
  of_model.function = settings->function;
  of_model.device = settings->device;
  of_model.inputs = settings->inputs.words;
  of_model.input_count = settings->inputs.count;
  if (settings->full) return hone_iree_verify_model(spec, settings->model, &of_model, out_found);
  status = hone_iree_import_model(settings->model, &of_model, &model);
  if (!status) status = hone_iree_verify(spec, model, options, out_found);
  free(model);
  return status;
}

/* SPEC TARGET, and words for iree-compile after "--". */
static enum exit_code verify(const struct verify_settings *settings, const struct word_list *words)
{
  const struct hone_iree_options options = {.iree_dir = settings->iree_dir,
                                            .target = words->count > 1 ? words->words[1] : NULL,
                                            .flags = words->words + 2,
                                            .flag_count = words->count > 2 ? words->count - 2 : 0};
  struct hone_iree_verification *found = NULL;
  struct output output;
  hone_status status = examine(settings, words->words[0], &options, &found);
  bool is_good;

  if (status) return message_status(status);
  output_open(&output, STDOUT_FILENO,
              terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  if (settings->format)
    print_json(&output, found);
  else
    print_text(&output, found, settings->common.verbose);
  is_good = hone_iree_verification_is_good(found);
  hone_iree_verification_free(found);
  return output_close(&output) && is_good ? CLI_DONE : CLI_FAILED;
}

static const char *what_is_missing(const struct verify_settings *settings,
                                   const struct word_list *words)
{
  if (!words->count) return "no tuning spec given: hone iree verify SPEC.mlir --on MODEL.mlir";
  return settings->model ? NULL : "no model given: name it with '--on MODEL.mlir'";
}

static enum exit_code run_verify(const struct command *command, char **argv)
{
  struct verify_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    const char *missing = what_is_missing(&settings, &words);
    if (missing) message_error("%s", missing);
    code = missing ? command_usage(command) : verify(&settings, &words);
  }
  command_close(command, &settings, &words);
  return code;
}

const struct command iree_verify_command = {
    .name = "iree verify",
    .summary = "show the effect of a tuning spec on a model",
    .usage = "SPEC.mlir --on MODEL.mlir [TARGET] [-- FLAG...]",
    .about = "Compiles the model with and without the spec up to the stage where dispatches\n"
             "have configurations, and shows which matcher matches which operation and whether\n"
             "the operation has the configuration of the spec. IREE ignores matchers that\n"
             "match nothing and unknown keys without a message; this command reports them with\n"
             "the cause and exits with status 1. TARGET is llvm-cpu, gfx942, mi300x, sm_80 or\n"
             "similar; a dispatch dumped by IREE has its own target. Flags after '--' are\n"
             "passed to iree-compile.\n",
    .examples = "  hone iree verify tuning-spec.mlir --on model.mlir gfx942\n"
                "  hone iree verify spec.mlir --on dispatch_benchmark.mlir --format json\n"
                "  hone iree verify spec.mlir --on model.mlir llvm-cpu --full\n"
                "  hone iree verify spec.mlir --on model.mlir llvm-cpu -- --iree-opt-level=O3\n",
    .options = verify_options,
    .run = run_verify,
};
