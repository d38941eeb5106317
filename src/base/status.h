/* status.h - how a failure travels.
 *
 * A status is NULL when all is well, else a heap object with a code and a message. Whoever
 * receives a status owns it: pass it on, or hone_status_free() it. Messages say what first, in
 * lower case, without a full stop: cannot open 'gemm.yaml': no such file or directory
 */
#ifndef HONE_BASE_STATUS_H
#define HONE_BASE_STATUS_H

#include "hone.h"

#include <stdarg.h>

#define HONE__PRINTF(f, a) __attribute__((format(printf, f, a)))

hone_status hone__error(enum hone_code code, const char *format, ...) HONE__PRINTF(2, 3);

/* Puts "context: " in front of a failure's message; NULL stays NULL. */
hone_status hone__annotate(hone_status status, const char *format, ...) HONE__PRINTF(2, 3);

/* Sets the cause, for a message that also has a place or a context; NULL stays NULL. */
hone_status hone__because(hone_status status, const char *cause);
/* The reason alone: what hone__because set, else the message before it was annotated. */
const char *hone__status_cause(hone_status status);

/* The impossible happened: a defect of Hone, not of its input. */
_Noreturn void hone__bug(const char *file, int line, const char *what);
#define HONE__BUG(what) hone__bug(__FILE__, __LINE__, what)

/* An invariant: what the code relies on and no input can break. It is checked in every build. */
#define HONE__ASSERT(condition) ((condition) ? (void)0 : HONE__BUG("not so: " #condition))

/* The same where checking costs more than what is checked, or is in an inner loop: not in
 * release builds, which define NDEBUG. */
#ifdef NDEBUG
#define HONE__ASSERT_SLOW(condition) ((void)(0 && (condition))) /* named, so that it compiles */
#else
#define HONE__ASSERT_SLOW(condition) HONE__ASSERT(condition)
#endif

#endif
