/* tune_progress.h - the output of `hone tune` and `hone sweep` on standard error while they work.
 *
 * On a terminal one status line is overwritten, and permanent lines are printed above it; elsewhere
 * there are a few plain lines only. Output of candidates is escaped.
 */
#ifndef CLI_TUNE_PROGRESS_H
#define CLI_TUNE_PROGRESS_H

#include "command.h"

struct tune_progress; /* opaque */

/* `name` is that of the spec, and lent. */
struct tune_progress *tune_progress_open(const struct common *common, const char *name);
/* For a sweep: there is no best and no slow one, and with --verbose each instance has a line with
 * its number and the program's output. */
void tune_progress_of_sweep(struct tune_progress *progress);
/* Removes the status line. */
void tune_progress_close(struct tune_progress *progress);

/* An event of hone_tune or hone_sweep: `progress` is the data. True: go on. */
bool tune_progress_event(void *progress, const struct hone_event *event);

#endif
