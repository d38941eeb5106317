/* tune_results.h - the reports of the runs of `hone tune`, on standard output.
 *
 * Where people read the reports of several problems, each is printed when its problem is done:
 *
 *   tune_results_open(&view)
 *   tune_results_event(results, event)   for each event
 *   tune_results_close(results, tuning)  what is not printed yet, and an overview of several
 */
#ifndef CLI_TUNE_RESULTS_H
#define CLI_TUNE_RESULTS_H

#include "command.h"

struct tune_view {
  const struct common *common;
  const char *store; /* as it was given, or NULL */
  bool is_json, requires_improvement;
};

struct tune_results; /* opaque */

/* The view is lent. */
struct tune_results *tune_results_open(const struct tune_view *view);
void tune_results_event(struct tune_results *results, const struct hone_event *event);
/* Returns the exit code of the command. `tuning` may be NULL. */
enum exit_code tune_results_close(struct tune_results *results, const struct hone_tuning *tuning);

#endif
