/* plot.h - the results of a sweep as a picture in the terminal.
 *
 * The same numbers as kbench's --plot: parameters that do not vary stand in one line, the others
 * name the rows. Bars are 40 cells, fewer where the terminal is narrow.
 */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <hone.h>
#include <stddef.h>

#include "output.h"

enum plot_kind { PLOT_BARS, PLOT_TABLE, PLOT_SUMMARY, PLOT_NONE };

extern const char *const plot_words[]; /* bars, table, summary, none: in the order of the enum */

/* `width` is that of the terminal in columns; 0: it is not known, and nothing is shortened. */
void plot_print(struct output *output, const struct hone_results *results, enum plot_kind kind,
                size_t width);
/* Columns of the terminal, or 0 where the output goes elsewhere. */
size_t plot_width(void);

#endif
