/* time_unit.h - units of time, and columns that are named after what they measure. */
#ifndef HONE_BASE_TIME_UNIT_H
#define HONE_BASE_TIME_UNIT_H

#include <stddef.h>

/* How many ns are one "ns", "us", "ms", "s" ...; 0: it is not a unit. */
double hone__time_unit_ns(const char *unit, size_t length);

/* The unit of a column that holds a `word`: "met (ms)", "met_ms", "met [ms]"; of plain "met" it is
 * `bare_ns`. 0: it is not such a column. Letters' case does not matter. */
double hone__time_column_ns(const char *column, const char *word, double bare_ns);

#endif
