/* tune_spec_file.h - the tuning spec that `hone tune X.mlir` writes. */
#ifndef CLI_TUNE_SPEC_FILE_H
#define CLI_TUNE_SPEC_FILE_H

#include "command.h"
#include "source.h"

struct tune_spec_file {
  const char *path;            /* as it was given; NULL: tuning-spec.mlir */
  const char *dispatch;        /* the file that was tuned */
  const char *store;           /* as it was given, or NULL */
  const struct source *source; /* how that file was read */
};

/* Writes the winner of the first run, merged with the starter, and checks that it applies to the
 * dispatch. Without a winner nothing is written, which is not a failure. */
enum exit_code tune_spec_file_write(const struct tune_spec_file *file,
                                    const struct hone_tuning *tuning);

#endif
