/* answers.h - what the answers of candidates are compared with, in the words of every report.
 *
 * "ok" alone says that a candidate was measured. Whether its answer is right is known only where a
 * reference was there.
 */
#ifndef HONE_CHECK_ANSWERS_H
#define HONE_CHECK_ANSWERS_H

#include <stdbool.h>

/*  id, name in the store and in JSON, what is done (present), what one that works did */
#define HONE_ANSWERS(X)                                                                            \
  X(REFERENCE, "reference", "compared with the reference", "right: it agrees with the reference")  \
  X(BASELINE, "baseline", "compared with the baseline's own",                                      \
    "agrees with the baseline's own; no reference says whether that is right")                     \
  X(COMMAND, "command", "judged by check.command", "accepted by check.command")                    \
  X(RECORDED, "recorded", "NOT checked: this is a recording", "NOT checked: this is a recording")  \
  X(NONE, "none", "NOT checked", "NOT checked")

enum hone_answers {
#define HONE__ANSWERS_ENUM(id, name, done, found) HONE_ANSWERS_##id,
  HONE_ANSWERS(HONE__ANSWERS_ENUM)
#undef HONE__ANSWERS_ENUM
      HONE_ANSWERS_COUNT
};

/* True if they are compared with anything. */
bool hone__answers_are_checked(enum hone_answers answers);
/* False if nothing has this name. */
bool hone__answers_parse(const char *name, enum hone_answers *out_answers);

const char *hone__answers_name(enum hone_answers answers);
const char *hone__answers_done(enum hone_answers answers);  /* "compared with the reference" */
const char *hone__answers_found(enum hone_answers answers); /* of one that works, in `hone run` */

#endif
