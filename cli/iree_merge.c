/* hone iree merge: several tuning specs as one. */
#include "iree.h"

#include "hone_iree.h"
#include "text_file.h"

#include <unistd.h>

struct merge_settings {
  struct common common;
  const char *output, *starter, *iree_dir;
};

#define TARGET(field) .target = offsetof(struct merge_settings, field)

static const struct option merge_options[] = {
    HEADING("options"),
    OPTION(TEXT, "output", "FILE", "output file for the spec; default standard output",
           TARGET(output), .letter = 'o', .takes_file = true),
    OPTION(TEXT, "starter", "FILE",
           "an existing spec: added after the others, and dropped where they match everything that "
           "it matches",
           TARGET(starter), .takes_file = true),
    OPTION(TEXT, "iree-dir", "DIR", "folder of iree-opt, which checks the output", TARGET(iree_dir),
           .takes_file = true),
    COMMON_OPTIONS(struct merge_settings, common),
    {0},
};

static void print_notes(const char *notes)
{
  while (*notes) {
    size_t length = strcspn(notes, "\n");
    message_note("%.*s", (int)length, notes);
    notes += length + (notes[length] == '\n');
  }
}

static enum exit_code merge(const struct merge_settings *settings, const struct word_list *files)
{
  struct hone_iree_merge_options options;
  struct hone_iree_merged *merged = NULL;
  enum exit_code code;
  hone_status status;

  hone_iree_merge_options_init(&options);
  options.files = files->words;
  options.count = files->count;
  options.starter = settings->starter;
  options.iree_dir = settings->iree_dir;
  status = hone_iree_merge(&options, &merged);
  if (status) return message_status(status);
  print_notes(hone_iree_merged_notes(merged));
  if (!hone_iree_merged_is_checked(merged))
    message_note("iree-opt was not found: the output is not checked");
  code = text_file_print(settings->output, hone_iree_merged_text(merged)) ? CLI_DONE : CLI_FAILED;
  hone_iree_merged_free(merged);
  return code;
}

static enum exit_code run_merge(const struct command *command, char **argv)
{
  struct merge_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    if (words.count) {
      code = merge(&settings, &words);
    } else {
      message_error("no tuning specs given: hone iree merge A.mlir B.mlir -o ALL.mlir");
      code = command_usage(command);
    }
  }
  command_close(command, &settings, &words);
  return code;
}

const struct command iree_merge_command = {
    .name = "iree merge",
    .summary = "merge tuning specs",
    .usage = "SPEC.mlir... [options]",
    .about = "Writes all matchers, in the order of the files, into one spec with a default\n"
             "entry point. If two match the same operation, the first is used and a note is\n"
             "printed. Matchers that can never be reached are dropped. Syntax of older IREE\n"
             "versions is converted to the current one.\n",
    .examples = "  hone iree merge conv.mlir matmul.mlir -o tuning-spec.mlir\n"
                "  hone iree merge new.mlir --starter shipped.mlir -o tuning-spec.mlir\n",
    .options = merge_options,
    .run = run_merge,
};
