/* answers.h - what the answers of candidates are compared with, and the wording of that in reports.
 *
 * "ok" alone means that a candidate was measured. Whether its answer is right is known only if
 * there was a reference.
 */
#ifndef HONE_CHECK_ANSWERS_H
#define HONE_CHECK_ANSWERS_H

#include <stdbool.h>

/* id, name in the store and in JSON, what is done (present), what a working candidate did (past) */
#define HONE__ANSWERS(X)                                                                           \
  X(REFERENCE, "reference", "compared with the reference", "correct: agrees with the reference")   \
  X(BASELINE, "baseline", "compared with the baseline's output",                                   \
    "agrees with the baseline's output; there is no reference to check that output")               \
  X(COMMAND, "command", "judged by check.command", "accepted by check.command")                    \
  X(FUNCTION, "function", "judged by check.file", "accepted by check.file")                        \
  X(PROGRAM, "program", "checked by the program", "accepted by the program's own check")           \
  X(RECORDED, "recorded", "NOT checked: this is a recording", "NOT checked: this is a recording")  \
  X(NONE, "none", "NOT checked", "NOT checked")

enum hone__answers {
#define HONE__ANSWERS_ENUM(id, name, done, found) HONE__ANSWERS_##id,
  HONE__ANSWERS(HONE__ANSWERS_ENUM)
#undef HONE__ANSWERS_ENUM
      HONE__ANSWERS_COUNT
};

/* Whether answers are compared with anything. */
bool hone__answers_are_checked(enum hone__answers answers);
/* False if the name is unknown. */
bool hone__answers_parse(const char *name, enum hone__answers *out_answers);

const char *hone__answers_name(enum hone__answers answers);
const char *hone__answers_done(enum hone__answers answers); /* "compared with the reference" */
const char *
hone__answers_found(enum hone__answers answers); /* for a working candidate, in `hone run` */

#endif
