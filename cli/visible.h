/* visible.h - prints foreign text safely on a terminal.
 *
 * Evidence of a failure, a candidate's output or a name in a spec may hold anything. Bytes that
 * would move the cursor, hide text or change its direction become visible, as
 * x1b; line breaks and tabs become spaces.
 */
#ifndef CLI_VISIBLE_H
#define CLI_VISIBLE_H

#include "output.h"

void visible_text(struct output *output, const char *text);
/* Text of several lines, each indented by `indent` spaces; ends with a line break unless it is
 * empty. */
void visible_lines(struct output *output, const char *text, size_t indent);
/* Prints such a text alone to standard output, and frees it. False after a message. */
bool visible_print(char *text);
/* Words in lines of at most `width` columns, all but the first indented by `indent`. A longer word
 * is broken after commas: a configuration. */
void visible_wrapped(struct output *output, const char *text, size_t indent, size_t width);
/* At most `room` columns, with an ellipsis if it was cut. */
void visible_cut(struct output *output, const char *text, size_t room);
/* Wrapped into about three lines, and cut after them; the first one starts at column `indent`. */
void visible_few_lines(struct output *output, const char *text, size_t indent, size_t width);
/* Columns that visible_text takes. */
size_t visible_width(const char *text);

/* The most informative line of a compiler's or a program's output: the first with an error in it,
 * or else the first that is not empty. The caller frees it. */
char *visible_evidence(const char *text);

#endif
