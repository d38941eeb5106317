/* message.h - what hone says on standard error, and how it ends.
 *
 * Messages are lower case, name their subject in quotes and have no full stop; "hone: " stands in
 * front of them.
 */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <hone.h>

#define CLI_PRINTF(at, args) __attribute__((format(printf, at, args)))

enum exit_code {
  CLI_DONE = 0,
  CLI_FAILED = 1,
  CLI_USAGE = 2,
  CLI_NOT_IMPROVED = 3,  /* only where it was asked for */
  CLI_INTERRUPTED = 130, /* by a signal; what was measured is kept */
};

/* Drops notes and warnings from now on; errors stay. */
void message_be_quiet(void);

void message_error(const char *format, ...) CLI_PRINTF(1, 2);
void message_note(const char *format, ...) CLI_PRINTF(1, 2);
void message_warning(const char *format, ...) CLI_PRINTF(1, 2);
/* One more line that belongs to an error, without "hone: ". */
void message_line(const char *format, ...) CLI_PRINTF(1, 2);
/* Text of the library that has its own form, such as a spec's warnings; "" prints nothing. */
void message_warnings(const char *text);

/* Prints what is wrong and frees the status; the exit code follows from the status's code. */
enum exit_code message_status(hone_status status);

/* An answer of malloc and its kin that is never NULL. */
void *check_memory(void *memory);

#endif
