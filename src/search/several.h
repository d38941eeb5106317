/* several.h - one search for each of several costs: what tuning asks and tells.
 *
 * All are of the same strategy and are asked in turn, each by a cost of its own; each is told of
 * everything, whoever asked for it. A configuration is given once in all. With one cost it is the
 * strategy itself.
 *
 *   1. hone__several_open(strategy, options, 3, &several)
 *   2. hone__several_ask, hone__several_tell, with three costs
 *   3. hone__several_close(several)
 */
#ifndef HONE_SEARCH_SEVERAL_H
#define HONE_SEARCH_SEVERAL_H

#include "search/search.h"

enum { HONE__MOST_SEARCHES = 4 };

struct hone__several;

/* The options' seed is the first search's; the others have seeds of their own. */
hone_status hone__several_open(const struct hone__strategy *strategy,
                               const struct hone__search_options *options, size_t count,
                               struct hone__several **out_several);
void hone__several_close(struct hone__several *several); /* NULL is fine */

/* Gives up the last ones until `count` are left: before anything was asked or told. */
void hone__several_keep(struct hone__several *several, size_t count);

/* As a strategy's. */
size_t hone__several_ask(struct hone__several *several, size_t count, uint32_t *rows);
/* The observation's own cost does not count: each search is told its own of `costs`. */
void hone__several_tell(struct hone__several *several, const uint32_t *row,
                        const struct hone__observation *observation, const double *costs);

#endif
