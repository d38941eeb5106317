/* tune_progress.h - the output of `hone tune` and `hone sweep` on standard error while they work.
 *
 * On a terminal one status line is overwritten, and permanent lines are printed above it; elsewhere
 * there are a few plain lines only. Output of candidates is escaped. With `--progress json` each
 * event is a line of JSON (event_json.h), and so is each message of message.h.
 */
#ifndef CLI_TUNE_PROGRESS_H
#define CLI_TUNE_PROGRESS_H

#include "command.h"

enum progress_format { PROGRESS_TEXT, PROGRESS_JSON, PROGRESS_NONE };
extern const char *const progress_words[];
#define PROGRESS_OPTION(type, field)                                                               \
  OPTION(CHOICE, "progress", "NAME",                                                               \
         "text, json or none: what is written on standard error during the run; default text",     \
         .target = offsetof(type, field.progress), .words = progress_words)

/* Before the command line is read: its errors are in the format that it asks for. */
void tune_progress_prepare(char **argv);

struct tune_progress; /* opaque */

/* `name` is that of the spec, and lent. */
struct tune_progress *tune_progress_open(const struct common *common, const char *name);
/* For a sweep: there is no best and no slow one, and with --verbose each instance has a line with
 * its number and the program's output. */
void tune_progress_of_sweep(struct tune_progress *progress);
/* Removes the status line. */
void tune_progress_close(struct tune_progress *progress);

/* An event of hone_tune or hone_sweep: `progress` is the data. True: go on; false if nobody reads
 * the lines of JSON any more. */
bool tune_progress_event(void *progress, const struct hone_event *event);

#endif
