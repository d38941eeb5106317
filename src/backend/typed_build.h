/* typed_build.h - structs for parts of builds that still take JSON, as typed_words.h has them for
 * lists. */
#ifndef HONE_BACKEND_TYPED_BUILD_H
#define HONE_BACKEND_TYPED_BUILD_H

#include "backend/backend.h"
#include "base/pairs.h"
#include "wire/build_job.h"
#include "wire/build_reply.h"

/* hone__build_includes: `flags` and `includes` end with NULL, or are NULL. */
bool hone__pairs_add_includes(struct hone__pairs *deps, const char *source,
                              const char *const *flags, const char *const *includes,
                              const char *folder);

/* What an answer has before its build has ended. */
struct hone__build_notes {
  const char *command;       /* for people; NULL: as it was */
  struct hone__named *costs; /* NULL: as they were */
  size_t costs_count;
};
void hone__answer_note(struct hone__answer *answer, const struct hone__build_notes *notes);

#endif
