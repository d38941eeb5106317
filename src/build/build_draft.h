/* build_draft.h - builds the reply to a build job.
 *
 * Call begin, add fields as they become known, then end. Outcome, evidence and payload are set in
 * the answer directly.
 */
#ifndef HONE_BUILD_BUILD_DRAFT_H
#define HONE_BUILD_BUILD_DRAFT_H

#include "wire/build_reply.h"
#include "wire/message.h"

struct hone__build_draft {
  struct hone__wire_build_reply reply;
  struct hone__arena arena;    /* owns what the reply points to */
  struct hone__packed *packed; /* the message that parts of it were unpacked from, or NULL */
};

void hone__build_draft_begin(struct hone__build_draft *draft);
/* All are copied. NULL, or no costs: no change. */
void hone__build_draft_command(struct hone__build_draft *draft, const char *command);
void hone__build_draft_costs(struct hone__build_draft *draft, const struct hone__named *costs,
                             size_t count);
/* The entry of a tuning spec that had no effect. */
void hone__build_draft_unapplied(struct hone__build_draft *draft, const char *entry);
/* An empty list means that no other file was read. */
void hone__build_draft_deps(struct hone__build_draft *draft, const struct hone__name_value *deps,
                            size_t count);
/* Makes the reply the answer's head and releases the draft. */
void hone__build_draft_end(struct hone__build_draft *draft, struct hone__answer *answer);

#endif
