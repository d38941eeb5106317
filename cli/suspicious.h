/* suspicious.h - results that are marked SUSPICIOUS leave the store only if a person insists. Each
 * of these says false after a message that has the reason and names --force. */
#ifndef CLI_SUSPICIOUS_H
#define CLI_SUSPICIOUS_H

#include "command.h"

/* The row; SIZE_MAX: the best by this metric, NULL is the usual one. */
bool suspicious_check_row(const struct hone_results *results, size_t row, const char *metric);
bool suspicious_check_all(const struct hone_results *results);
/* The winner of a run, or all that it has. `*status`: it cannot be read, which is no refusal. */
bool suspicious_check_run(struct hone_store *store, int64_t run, bool has_all_rows,
                          hone_status *status);

#endif
