/* terminal.h - what the terminal can show. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Columns of standard output; of $COLUMNS, or 100, where it is no terminal. */
size_t terminal_width(void);
bool terminal_has_color(enum color_mode mode, int file);
/* True if a line of standard error can be written over; `*out_width` are its columns. */
bool terminal_has_status(size_t *out_width);
/* "…" where the locale has it. One column wide in one case, three in the other. */
const char *terminal_ellipsis(void);

#endif
