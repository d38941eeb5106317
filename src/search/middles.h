/* middles.h - where to look first: in the middle of the space, of each of its groups, and of each
 * text that no step from the middle leads to. Such a text may stand for another algorithm, which
 * wants values of its own of other knobs: it is much the same as a group.
 *
 *   if (!middles.rows) hone__middles_find(&middles, &trail);
 *   if (hone__middles_next(&middles, &trail, row)) return true;
 */
#ifndef HONE_SEARCH_MIDDLES_H
#define HONE_SEARCH_MIDDLES_H

#include "search/lessons.h"
#include "search/trail.h"

struct hone__middles {
  uint32_t *rows; /* the first is that of the space */
  size_t count, next, width;
  bool is_learned; /* all but the second come from lessons */
};
/* What the trail has already is taken into account. An empty space has none. */
void hone__middles_find(struct hone__middles *middles, const struct hone__trail *trail);
/* Instead of most middles, the rows that lessons begin with. */
void hone__middles_learn(struct hone__middles *middles, const struct hone__lessons *lessons);
/* Whether the i-th would be there without lessons, too. */
bool hone__middles_is_own(const struct hone__middles *middles, size_t i);
void hone__middles_release(struct hone__middles *middles);
/* The next that is not known; false: there are no more. */
bool hone__middles_next(struct hone__middles *middles, const struct hone__trail *trail,
                        uint32_t *row);

#endif
