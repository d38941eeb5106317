/* tune_results.h - the reports of the runs of `hone tune`, on standard output. */
#ifndef CLI_TUNE_RESULTS_H
#define CLI_TUNE_RESULTS_H

#include "command.h"

struct tune_view {
  const struct common *common;
  const char *store; /* as it was given, or NULL */
  bool is_json, requires_improvement;
};

/* Returns the exit code of the command. */
enum exit_code tune_results_print(const struct tune_view *view, const struct hone_tuning *tuning);

#endif
