/* wisdom_file.h - merging into a wisdom file, for `hone merge` and `hone tune --all-problems-to`.
 */
#ifndef CLI_WISDOM_FILE_H
#define CLI_WISDOM_FILE_H

#include "command.h"
#include "hone_export.h"

/* Merges and prints the notes; if there is no output file, the text goes to standard output. With
 * `check`, CLI_FAILED says that the output is out of date. */
enum exit_code wisdom_file_merge(const struct hone_wisdom_merge_options *options);

/* What these runs prove, into the file, which need not exist. */
enum exit_code wisdom_file_update(const char *path, const char *store,
                                  const struct hone_tuning *tuning, bool check);

#endif
