/* visible.h - what others wrote, on a terminal that must not be disturbed.
 *
 * Evidence of a failure, a candidate's output or a name in a spec may hold anything. Bytes that
 * would move the cursor, hide text or turn it around become visible, as \x1b; line breaks and tabs
 * become spaces.
 */
#ifndef CLI_VISIBLE_H
#define CLI_VISIBLE_H

#include "output.h"

void visible_text(struct output *output, const char *text);
/* Text of several lines, each with `indent` spaces in front; ends with a line break unless it is
 * empty. */
void visible_lines(struct output *output, const char *text, size_t indent);
/* Such a text alone, to standard output; it is freed. False after a message. */
bool visible_print(char *text);
/* Words in lines of at most `width` columns, `indent` spaces before all but the first. A word that
 * is longer is broken after commas: a configuration. */
void visible_wrapped(struct output *output, const char *text, size_t indent, size_t width);
/* At most `room` columns, with an ellipsis where something had to go. */
void visible_cut(struct output *output, const char *text, size_t room);
/* Wrapped into about three lines, and cut behind them; the first stands at column `indent` already.
 */
void visible_few_lines(struct output *output, const char *text, size_t indent, size_t width);
/* Columns that visible_text takes. */
size_t visible_width(const char *text);

/* The line of a compiler's or a program's output that says most: the first with an error in it, or
 * else the first that is not empty. The caller frees it. */
char *visible_evidence(const char *text);

#endif
