/* hone iree configure: the configurations of a model as text that can be edited. */
#include "iree.h"

#include "hone_iree.h"

#include <stdio.h>

struct configure_settings {
  struct common common;
  const char *spec, *output, *iree_dir;
  struct word_list dims;
};

#define TARGET(field) .target = offsetof(struct configure_settings, field)

static const struct option configure_options[] = {
    HEADING("options"),
    OPTION(TEXT, "output", "FILE", "output file; default configured.mlir", TARGET(output),
           .letter = 'o', .takes_file = true),
    OPTION(TEXT, "spec", "SPEC.mlir", "a tuning spec: its configurations are in the text",
           TARGET(spec), .takes_file = true),
    OPTION(LIST, "dim", "NAME=SIZE", "size of a dynamic dim of an .onnx file: batch=1; repeatable",
           TARGET(dims)),
    OPTION(TEXT, "iree-dir", "DIR", "folder of IREE's executables", TARGET(iree_dir),
           .takes_file = true),
    COMMON_OPTIONS(struct configure_settings, common),
    {0},
};

/* MODEL TARGET, and words for iree-compile after "--". */
static enum exit_code configure(const struct configure_settings *settings,
                                const struct word_list *words)
{
  const struct hone_iree_options options = {.iree_dir = settings->iree_dir,
                                            .target = words->count > 1 ? words->words[1] : NULL,
                                            .flags = words->words + 2,
                                            .flag_count = words->count > 2 ? words->count - 2 : 0};
  struct hone_iree_model_options of_model;
  hone_status status;

  hone_iree_model_options_init(&of_model);
  of_model.iree = &options;
  of_model.dims = settings->dims.words;
  of_model.dim_count = settings->dims.count;
  status = hone_iree_configure(words->words[0], settings->spec, &of_model, settings->output);
  if (status) return message_status(status);
  printf("wrote '%s': edit its configurations, then\n"
         "  hone iree verify %s --on %s%s%s --full\n"
         "  iree-compile %s --compile-from=executable-configurations -o model.vmfb\n",
         settings->output, settings->output, words->words[0], options.target ? " " : "",
         options.target ? options.target : "", settings->output);
  return CLI_DONE;
}

static enum exit_code run_configure(const struct command *command, char **argv)
{
  struct configure_settings settings = {.output = "configured.mlir"};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    if (words.count) {
      code = configure(&settings, &words);
    } else {
      message_error("no model given: hone iree configure MODEL TARGET");
      code = command_usage(command);
    }
  }
  command_close(command, &settings, &words);
  return code;
}

const struct command iree_configure_command = {
    .name = "iree configure",
    .summary = "write a model's configurations as text to edit",
    .usage = "MODEL [TARGET] [-o FILE] [-- FLAG...]",
    .about = "Compiles the model to the phase 'executable-configurations', where its text has\n"
             "the configuration of every operation (lowering_config, translation_info). They\n"
             "may be edited by hand, also those of operations that no tuning spec can match.\n"
             "'hone iree verify FILE --on MODEL --full' then shows what was edited, compiles\n"
             "the rest, runs the model and compares its outputs; iree-compile goes on from the\n"
             "file with --compile-from=executable-configurations.\n",
    .examples = "  hone iree configure model.mlir llvm-cpu -o configured.mlir\n"
                "  hone iree configure model.mlir llvm-cpu --spec tuning-spec.mlir\n"
                "  hone iree verify configured.mlir --on model.mlir llvm-cpu --full\n",
    .options = configure_options,
    .run = run_configure,
};
