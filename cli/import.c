/* hone import: stores what other tuners have found: configurations of IREE's tuning specs for the
 * next search, recordings as runs; a T1 file becomes a spec. */
#include "command.h"

#include "hone_export.h"
#include "hone_iree.h"
#include "text_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct import_settings {
  struct common common;
  const char *on, *store, *space, *name, *problem, *output;
};

struct import_counts {
  size_t specs;   /* files of MLIR */
  size_t configs; /* in them */
};

#define TARGET(field) .target = offsetof(struct import_settings, field)

static const struct option import_options[] = {
    HEADING("recordings and T1"),
    OPTION(TEXT, "name", "NAME", "name of the kernel; default the file's", TARGET(name)),
    OPTION(TEXT, "problem", "SIZES", "sizes of the problem, such as 'M=256 N=512'",
           TARGET(problem)),
    OPTION(TEXT, "space", "FILE", "T1 file with the parameters of the recordings", TARGET(space),
           .takes_file = true),
    OPTION(TEXT, "output", "FILE", "output file for the spec of a T1 file; default standard output",
           TARGET(output), .letter = 'o', .takes_file = true),
    HEADING("tuning specs"),
    OPTION(TEXT, "on", "FILE.mlir",
           "import only configurations that match the operation of this file", TARGET(on),
           .takes_file = true),
    HEADING("options"),
    STORE_OPTION(struct import_settings),
    COMMON_OPTIONS(struct import_settings, common),
    {0},
};

static bool is_mlir(const char *file)
{
  size_t length = strlen(file);

  return length > 5 && strcmp(file + length - 5, ".mlir") == 0;
}

/* ---- Tuning specs ---- */

static void print_notes(const char *file, const char *notes)
{
  while (*notes) {
    size_t length = strcspn(notes, "\n");
    message_note("'%s': %.*s", file, (int)length, notes);
    notes += length + (notes[length] == '\n');
  }
}

static hone_status import_spec(const struct import_settings *settings, const char *file,
                               struct import_counts *counts)
{
  struct hone_iree_imported *imported = NULL;
  hone_status status = hone_iree_import(settings->store, file, settings->on, &imported);

  if (status) return status;
  print_notes(file, hone_iree_imported_notes(imported));
  counts->specs++;
  counts->configs += hone_iree_imported_count(imported);
  hone_iree_imported_free(imported);
  return NULL;
}

/* ---- Recordings, T1 ---- */

static bool print_imported(const struct import_settings *settings, const char *file,
                           const struct hone_imported *imported)
{
  if (hone_imported_spec(imported))
    return text_file_print(settings->output, hone_imported_spec(imported));
  if (*hone_imported_remark(imported))
    message_note("'%s': %s", file, hone_imported_remark(imported));
  message_note(
      "%s '%s' (%s) as run %" PRId64 " of '%s': %" PRIu64 " of %" PRIu64 " configurations work",
      hone_imported_was_there(imported) ? "the store has" : "imported", file,
      hone_imported_format(imported), hone_imported_run(imported), hone_imported_name(imported),
      hone_imported_working(imported), hone_imported_count(imported));
  return true;
}

static hone_status import_other(const struct import_settings *settings, const char *file,
                                bool *good)
{
  struct hone_import_options options;
  struct hone_imported *imported = NULL;
  hone_status status;

  hone_import_options_init(&options);
  options.file = file;
  options.store = settings->store;
  options.space_file = settings->space;
  options.name = settings->name;
  options.problem = settings->problem;
  status = hone_import(&options, &imported);
  if (!status) *good = print_imported(settings, file, imported);
  hone_imported_free(imported);
  return status;
}

/* ---- All ---- */

static enum exit_code import_files(const struct import_settings *settings,
                                   const struct word_list *files)
{
  struct import_counts counts = {0};
  hone_status status = NULL;
  bool good = true;

  for (size_t i = 0; i < files->count && !status && good; i++)
    status = is_mlir(files->words[i]) ? import_spec(settings, files->words[i], &counts)
                                      : import_other(settings, files->words[i], &good);
  if (status) return message_status(status);
  if (!counts.specs) return good ? CLI_DONE : CLI_FAILED;
  message_note("imported %zu configuration%s: 'hone tune' starts with those that match",
               counts.configs, counts.configs == 1 ? "" : "s");
  return counts.configs && good ? CLI_DONE : CLI_FAILED;
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
      message_error(
          "no file given: hone import FILE, with a tuning spec, a recording or a T1 file");
      code = command_usage(command);
    }
  }
  command_close(command, &settings, &words);
  return code;
}

const struct command import_command = {
    .name = "import",
    .summary = "import results of other tuners: tuning specs, recordings, T1",
    .usage = "FILE... [options]",
    .about = "Stores what other tuners have found. The configurations of an IREE tuning spec\n"
             "(.mlir) start searches on the operations that they match. A cache of Kernel\n"
             "Tuner, a T4 file or results of KTT become a run that is marked as imported:\n"
             "'hone show' prints it, 'hone tune' of a spec with this name starts with its best\n"
             "configurations, and 'hone export' writes it. A T1 file is printed as a spec.\n",
    .examples = "  hone import tuning-spec.mlir\n"
                "  hone import tuning-spec.mlir --on dispatch_benchmark.mlir\n"
                "  hone import convolution_A100.json --name convolution\n"
                "  hone import gemm_t1.json -o gemm.yaml\n",
    .options = import_options,
    .run = run_import,
};
