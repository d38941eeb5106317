/* pandas.h - how Python and pandas write numbers and values. */
#ifndef HONE_EXPORT_PANDAS_H
#define HONE_EXPORT_PANDAS_H

#include "base/memory.h"
#include "base/text.h"
#include "hone.h"
#include "results/results.h"

/* True if no row has a text there. */
bool hone__export_column_is_number(const struct hone_results *results, size_t column);

/* The column as pandas shows it, one text per row: six decimals, less the zeros that all have at
 * their end; with an exponent where some are too small or too large. In the arena. */
const char **hone__export_column_six_decimals(const struct hone_results *results, size_t column,
                                              struct hone__arena *arena);

/* {'BM': 64, '$x': 'a'} */
void hone__params_repr(const struct hone__spec_param *params, size_t count,
                       struct hone__text *text);

/* "BM=64 x=0" */
void hone__params_filter(const struct hone_result_row *row, struct hone__text *text);

#endif
