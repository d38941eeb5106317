/* A request that the search has made and not been told of yet is told when the search is. */
#include "search/member.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t OTHER_SEED = 0x10ca1;
enum { MOST_KNOWN = 1000 }; /* requests in a row that turn out to be known: so long for one */

hone_status hone__member_open(struct hone__member *member, const struct hone__strategy *strategy,
                              const struct hone__search_options *options,
                              const struct hone__trail *trail)
{
  struct hone__search_options own = *options;

  *member = (struct hone__member){.strategy = strategy, .trail = trail};
  own.first_count = own.before_count = 0;
  own.lessons = NULL;
  own.seed = hone__mix(options->seed ^ OTHER_SEED);
  return strategy->open(&own, &member->state);
}

void hone__member_release(struct hone__member *member)
{
  if (member->state) member->strategy->close(member->state);
  free(member->is_wanted);
  *member = (struct hone__member){0};
}

static void want(struct hone__member *member, uint32_t trial)
{
  if (trial >= member->room) {
    uint32_t room = 2 * trial + 64;
    member->is_wanted = hone__realloc(member->is_wanted, room * sizeof *member->is_wanted);
    memset(member->is_wanted + member->room, 0, (room - member->room) * sizeof *member->is_wanted);
    member->room = room;
  }
  member->is_wanted[trial] = true;
}

void hone__member_tell(struct hone__member *member, uint32_t trial)
{
  const struct hone__trail_entry *entry = &member->trail->trials[trial];
  struct hone__observation observation = {.cost = entry->cost, .share = NAN};

  if (trial >= member->room || !member->is_wanted[trial]) return;
  if (entry->state == HONE__TRAIL_ASKED) return;
  observation.outcome =
      entry->state == HONE__TRAIL_WORKS ? HONE_OUTCOME_OK : HONE_OUTCOME_NO_RESULT;
  member->is_wanted[trial] = false;
  member->strategy->tell(member->state, hone__trail_row(member->trail, trial), &observation);
}

bool hone__member_ask(struct hone__member *member, uint32_t *row)
{
  for (int i = 0; i < MOST_KNOWN && member->strategy->ask(member->state, 1, row); i++) {
    uint32_t trial = hone__trail_find(member->trail, row);
    want(member, trial == HONE__NO_TRIAL ? member->trail->count : trial);
    if (trial == HONE__NO_TRIAL) return true;
    hone__member_tell(member, trial);
  }
  return false;
}
