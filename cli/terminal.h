/* terminal.h - the capabilities of the terminal. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Columns of standard output; $COLUMNS, or 100, if it is not a terminal. */
size_t terminal_width(void);
bool terminal_has_color(enum color_mode mode, int file);
/* True if a line of standard error can be overwritten; `*out_width` is its width. */
bool terminal_has_status(size_t *out_width);
/* "…" if the locale has it, which is one column wide; otherwise "...". */
const char *terminal_ellipsis(void);

#endif
