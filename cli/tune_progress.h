/* tune_progress.h - what `hone tune` and `hone sweep` say while they work, on standard error.
 *
 * On a terminal one status line is written over and over, and what should stay stands above it; as
 * for a file, there are plain lines only, few of them. Nothing that a candidate wrote reaches the
 * terminal as it is.
 */
#ifndef CLI_TUNE_PROGRESS_H
#define CLI_TUNE_PROGRESS_H

#include "command.h"

struct tune_progress; /* opaque */

/* `name` is that of the spec, and lent. */
struct tune_progress *tune_progress_open(const struct common *common, const char *name);
/* It is a sweep: nothing is best or slow, and with --verbose each instance has a line with its
 * number and what the program wrote. */
void tune_progress_of_sweep(struct tune_progress *progress);
/* Removes the status line. */
void tune_progress_close(struct tune_progress *progress);

/* An event of hone_tune or hone_sweep: `progress` is the data. */
void tune_progress_event(void *progress, const struct hone_event *event);

#endif
