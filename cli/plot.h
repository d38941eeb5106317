/* plot.h - the results of a sweep as a plot in the terminal.
 *
 * The same numbers as kbench's --plot: constant parameters are printed in one line, the others name
 * the rows. Bars have 40 cells, fewer on a narrow terminal.
 */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <hone.h>
#include "hone_results.h"
#include <stddef.h>

#include "output.h"

enum plot_kind { PLOT_BARS, PLOT_TABLE, PLOT_SUMMARY, PLOT_NONE };

extern const char *const plot_words[]; /* bars, table, summary, none: in the order of the enum */

/* `width` of the terminal in columns; 0: not known, and nothing is shortened. */
void plot_print(struct output *output, const struct hone_results *results, enum plot_kind kind,
                size_t width);
/* Columns of the terminal, or 0 if the output is not a terminal. */
size_t plot_width(void);

#endif
