/* member.h - a strategy that takes part in the search of another one.
 *
 * It is told only what it requested itself. A local search that starts again somewhere must not be
 * told what others found: it would continue there, since that is better than its start. What it
 * requests and the search knows already costs nothing: it is told the result at once and requests
 * the next.
 *
 *   hone__member_open(&member, &hone__search_pattern, options, &trail);
 *   if (hone__member_ask(&member, row)) return true;      in propose: the row is then requested
 *   hone__member_tell(&member, trial);                    in tell: whatever the trial is
 *   hone__member_release(&member);
 */
#ifndef HONE_SEARCH_MEMBER_H
#define HONE_SEARCH_MEMBER_H

#include "search/trail.h"

struct hone__member {
  const struct hone__strategy *strategy;
  void *state;
  const struct hone__trail *trail; /* the search's */
  bool *is_wanted;                 /* by trial: the member requested it and was not told */
  uint32_t room;
};

/* It has no part in the options' first rows and lessons. */
hone_status hone__member_open(struct hone__member *member, const struct hone__strategy *strategy,
                              const struct hone__search_options *options,
                              const struct hone__trail *trail);
void hone__member_release(struct hone__member *member);
/* A row that the trail does not have, and that becomes its next trial. False: none was found. */
bool hone__member_ask(struct hone__member *member, uint32_t *row);
/* Once a trial was told; of others' trials nothing happens. */
void hone__member_tell(struct hone__member *member, uint32_t trial);

#endif
