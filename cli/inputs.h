/* inputs.h - the results that a command works on: runs of the store and CSV files, given as words.
 *
 * A word is the number of a run, "last", a file, or "-" for standard input.
 */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "hone_results.h"
#include "message.h"
#include "options.h"

struct inputs { /* { 0 } has none */
  struct hone_results **results;
  struct hone_report **reports; /* of a run; NULL: a file */
  size_t count;
};

/* CLI_DONE, or an exit code after a message; then there is nothing to release. `store`: a file, or
 * NULL for the user's. */
enum exit_code inputs_load(struct inputs *inputs, const struct word_list *words, const char *store);
void inputs_release(struct inputs *inputs);

/* The row of a configuration, "BM=64,BN=32" in any order, or SIZE_MAX. */
size_t results_find_config(const struct hone_results *results, const char *config);
/* The row that tuning declared the winner, or SIZE_MAX. */
size_t inputs_winner(const struct inputs *inputs, size_t input);

#endif
