/* suspicious.h - results marked SUSPICIOUS leave the store only with --force. Each function returns
 * false after a message with the reason.
 */
#ifndef CLI_SUSPICIOUS_H
#define CLI_SUSPICIOUS_H

#include "hone_results.h"
#include "command.h"

/* The row; SIZE_MAX: the best by this metric; NULL: the default metric. */
bool suspicious_check_row(const struct hone_results *results, size_t row, const char *metric);
bool suspicious_check_all(const struct hone_results *results);
/* The winner of a run, or all of it. `*status`: it cannot be read, which is not a refusal. */
bool suspicious_check_run(struct hone_store *store, int64_t run, bool has_all_rows,
                          hone_status *status);

#endif
