/* export_command.h - shared by the files of `hone export`. */
#ifndef CLI_EXPORT_COMMAND_H
#define CLI_EXPORT_COMMAND_H

#include "command.h"
#include "hone_export.h"
#include "hone_results.h"

struct export_settings {
  struct common common;
  const char *manifest, *snippet, *target, *store, *metric, *config;
  const char *begin_marker, *end_marker, *source_label, *comment, *separator, *output;
  int format;
  struct word_list variants;
  uint64_t indent;
  bool check, force;
};

enum export_format_word {
  FORMAT_SNIPPET,
  FORMAT_MLIR,
  FORMAT_JSON,
  FORMAT_CSV,
  FORMAT_YAML,
  FORMAT_T4,
  FORMAT_KBENCH,
  FORMAT_HEADER,
  FORMAT_FLAGS,
  FORMAT_WISDOM,
  FORMAT_VLLM,
  FORMAT_KERNEL_TUNER,
  FORMAT_MARKDOWN
};

struct export_format {
  bool is_of_runs;   /* not of CSV files */
  bool has_all_rows; /* of one run or file */
  bool is_written;   /* by hone_format_runs, as: */
  enum hone_format format;
};

const struct export_format *export_format(const struct export_settings *settings);

/* False after a message: the run has a result that is marked SUSPICIOUS. */
bool export_check_run(const struct export_settings *settings, struct hone_store *store, int64_t run,
                      hone_status *status);
/* Whether a value is used elsewhere as the best and nothing proves that it is. Lists of all rows do
 * not claim that, and a configuration that is named was chosen by the user. `report` may be NULL.
 */
bool export_is_unproved(const struct export_settings *settings, const struct hone_report *report);
/* False after a message: it is not proved, and `force` is not set. */
bool export_check_report(const struct export_settings *settings, const struct hone_report *report);
/* To the file of --output, or compared with it. */
enum exit_code export_write(const struct export_settings *settings, const char *text);

/* export_rows.c: rows of runs and CSV files, into a source file or as a format of results. */
enum exit_code export_rows(const struct export_settings *settings, const struct word_list *words);
/* export_runs.c: runs, as a tuning spec, as a recording, or in a format of the library. */
enum exit_code export_spec(const struct export_settings *settings, const struct word_list *words);
enum exit_code export_recording(const struct export_settings *settings,
                                const struct word_list *words);
bool export_is_written(const struct export_settings *settings, const struct word_list *words);
enum exit_code export_written(const struct export_settings *settings,
                              const struct word_list *words);

#endif
