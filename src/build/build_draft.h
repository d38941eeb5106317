/* build_draft.h - the reply to a build job in the making.
 *
 *   begin, then whoever learns something adds it, end. Outcome, evidence and payload are the
 *   answer's own.
 */
#ifndef HONE_BUILD_BUILD_DRAFT_H
#define HONE_BUILD_BUILD_DRAFT_H

#include "wire/build_reply.h"
#include "wire/message.h"

struct hone__build_draft {
  struct hone__build_reply reply;
  struct hone__arena arena;    /* of what it points to */
  struct hone__packed *packed; /* that parts of it were unpacked from; or NULL */
};

void hone__build_draft_begin(struct hone__build_draft *draft);
/* All are copied. NULL, or no costs: as it was. */
void hone__build_draft_command(struct hone__build_draft *draft, const char *command);
void hone__build_draft_costs(struct hone__build_draft *draft, const struct hone__named *costs,
                             size_t count);
/* The entry of a tuning spec that had no effect. */
void hone__build_draft_unapplied(struct hone__build_draft *draft, const char *entry);
/* None at all says that nothing else was read. */
void hone__build_draft_deps(struct hone__build_draft *draft, const struct hone__name_value *deps,
                            size_t count);
/* The reply becomes the answer's head; nothing is left of the draft. */
void hone__build_draft_end(struct hone__build_draft *draft, struct hone__answer *answer);

#endif
