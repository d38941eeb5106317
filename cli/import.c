/* hone import: stores configurations of a tuning spec for the next search. */
#include "command.h"

#include "hone_iree.h"

#include <stdlib.h>
#include <unistd.h>

struct import_settings {
  struct common common;
  const char *on, *store;
};

#define TARGET(field) .target = offsetof(struct import_settings, field)

static const struct option import_options[] = {
    HEADING("options"),
    OPTION(TEXT, "on", "FILE.mlir",
           "import only configurations that match the operation of this file", TARGET(on),
           .takes_file = true),
    OPTION(TEXT, "store", "FILE",
           "store with the results; default $HONE_STORE, else the user's store", TARGET(store),
           .takes_file = true),
    COMMON_OPTIONS(struct import_settings, common),
    {0},
};

static void print_notes(const char *file, const char *notes)
{
  while (*notes) {
    size_t length = strcspn(notes, "\n");
    message_note("'%s': %.*s", file, (int)length, notes);
    notes += length + (notes[length] == '\n');
  }
}

static hone_status import_file(const struct import_settings *settings, const char *file,
                               size_t *count)
{
  struct hone_iree_imported *imported = NULL;
  hone_status status = hone_iree_import(settings->store, file, settings->on, &imported);

  if (status) return status;
  print_notes(file, hone_iree_imported_notes(imported));
  *count += hone_iree_imported_count(imported);
  hone_iree_imported_free(imported);
  return NULL;
}

static enum exit_code import_files(const struct import_settings *settings,
                                   const struct word_list *files)
{
  hone_status status = NULL;
  size_t count = 0;

  for (size_t i = 0; i < files->count && !status; i++)
    status = import_file(settings, files->words[i], &count);
  if (status) return message_status(status);
  message_note("imported %zu configuration%s: 'hone tune' starts with those that match", count,
               count == 1 ? "" : "s");
  return count ? CLI_DONE : CLI_FAILED;
}

static enum exit_code run_import(const struct command *command, char **argv)
{
  struct import_settings settings = {0};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    if (words.count) {
      code = import_files(&settings, &words);
    } else {
      message_error("no tuning spec given");
      code = command_usage(command);
    }
  }
  command_close(command, &settings, &words);
  return code;
}

const struct command import_command = {
    .name = "import",
    .summary = "import configurations of a tuning spec as starting points of searches",
    .usage = "SPEC.mlir... [options]",
    .about = "Stores the configurations of IREE tuning specs. When a tuned operation matches\n"
             "one of their matchers, the search starts with the configuration of that matcher,\n"
             "if it is in the space.\n",
    .examples = "  hone import tuning-spec.mlir\n"
                "  hone import tuning-spec.mlir --on dispatch_benchmark.mlir\n",
    .options = import_options,
    .run = run_import,
};
