/* message_rows.h - the rows of the manual that explain a message. */
#ifndef CLI_MESSAGE_ROWS_H
#define CLI_MESSAGE_ROWS_H

#include "message.h"

/* hone help messages TEXT: prints the rows of the pages that match a message, the best ones first.
 * The words, one at least and NULL at the end, are the message. */
enum exit_code message_rows_print(char *const *words);

#endif
