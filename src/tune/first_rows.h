/* first_rows.h - the first configurations of a search, besides the spec's seeds: those that the
 * user names, and those that were best in earlier runs of the same kernel, with other sizes, on
 * other devices, or with an older source.
 */
#ifndef HONE_TUNE_FIRST_ROWS_H
#define HONE_TUNE_FIRST_ROWS_H

#include "tune/tuning.h"

/* Reads the configurations of the options into tuning->search.first. INVALID_ARGUMENT explains what
 * is wrong with one. With several problems, a configuration that is legal only in another one is
 * skipped with a note. */
hone_status hone__first_rows_read(struct hone__tuning *tuning);

/* Another one, after those of the options. False: there is no room. */
bool hone__first_rows_add(struct hone__tuning *tuning, const uint32_t *row);

/* Reads the best of earlier runs from the store into tuning->search.before; `run` is the present
 * run. */
hone_status hone__first_rows_recall(struct hone__tuning *tuning, struct hone_store *store);

/* "3 configurations that were best before (M=512 N=512 on c:0)". */
void hone__first_rows_describe(const struct hone__tuning *tuning, struct hone__text *text);

#endif
