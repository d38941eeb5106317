/* message.h - messages on standard error, and exit codes.
 *
 * Messages are lower case, name their subject in quotes, have no full stop, and begin with "hone:
 * ".
 */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <hone.h>

#define CLI_PRINTF(at, args) __attribute__((format(printf, at, args)))

enum exit_code {
  CLI_DONE = 0,
  CLI_FAILED = 1,
  CLI_USAGE = 2,
  CLI_NOT_IMPROVED = 3,  /* only if requested */
  CLI_NOT_STORED = 4,    /* only if requested: the store has no answer */
  CLI_INTERRUPTED = 130, /* by a signal; measurements are kept */
};

/* Drops notes and warnings from now on; errors stay. */
void message_be_quiet(void);
/* From now on each message is a line of JSON, {"kind": "error", "text": "..."}, for programs that
 * read standard error: kind is error, note or warning. */
void message_use_json(bool is_json);

void message_error(const char *format, ...) CLI_PRINTF(1, 2);
void message_note(const char *format, ...) CLI_PRINTF(1, 2);
void message_warning(const char *format, ...) CLI_PRINTF(1, 2);
/* Another line of an error, without "hone: ". */
void message_line(const char *format, ...) CLI_PRINTF(1, 2);
/* Text of the library in its own format, such as a spec's warnings; "" prints nothing. */
void message_warnings(const char *text);

/* Prints the error and frees the status; the exit code follows from the status's code. */
enum exit_code message_status(hone_status status);

/* Returns memory from malloc and related functions, or exits if it is NULL. */
void *check_memory(void *memory);

#endif
