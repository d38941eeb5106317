/* first_rows.h - configurations that a search begins with, besides the spec's seeds: those that a
 * person names, and those that were best in earlier runs of the same kernel, be it with other
 * sizes, on other devices, or before its source was changed. */
#ifndef HONE_TUNE_FIRST_ROWS_H
#define HONE_TUNE_FIRST_ROWS_H

#include "tune/tuning.h"

/* The options' configurations, as tuning->search.first. INVALID_ARGUMENT says what is wrong with
 * one; of several problems, one that is legal in another is left out with a note. */
hone_status hone__first_rows_read(struct hone__tuning *tuning);

/* What the store knows, as tuning->search.before; `run` tells which run this is. */
hone_status hone__first_rows_recall(struct hone__tuning *tuning, struct hone_store *store);

/* "3 configurations that were best before (M=512 N=512 on c:0)". */
void hone__first_rows_describe(const struct hone__tuning *tuning, struct hone__text *text);

#endif
