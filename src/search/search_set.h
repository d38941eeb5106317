/* search_set.h - one search for each of several costs: what tuning asks and tells.
 *
 * All are of the same strategy and are asked in turn, each by its own cost; each is told of
 * everything, whoever asked for it. A configuration is given once in all. With one cost it is the
 * strategy itself.
 *
 *   1. hone__search_set_open(strategy, options, 3, &set)
 *   2. hone__search_set_ask, hone__search_set_tell, with three costs
 *   3. hone__search_set_close(set)
 */
#ifndef HONE_SEARCH_SEARCH_SET_H
#define HONE_SEARCH_SEARCH_SET_H

#include "search/search.h"

enum { HONE__MOST_SEARCHES = 4 };

struct hone__search_set;

/* The options' seed is the first search's; the others have their own seeds. */
hone_status hone__search_set_open(const struct hone__strategy *strategy,
                                  const struct hone__search_options *options, size_t count,
                                  struct hone__search_set **out_set);
void hone__search_set_close(struct hone__search_set *set); /* NULL is fine */

/* Gives up the last ones until `count` are left: before anything was asked or told. */
void hone__search_set_keep(struct hone__search_set *set, size_t count);

/* As a strategy's. */
size_t hone__search_set_ask(struct hone__search_set *set, size_t count, uint32_t *rows);
/* The observation's own cost does not count: each search is told its own of `costs`. */
void hone__search_set_tell(struct hone__search_set *set, const uint32_t *row,
                           const struct hone__observation *observation, const double *costs);
/* As a strategy's, of the first search. */
double hone__search_set_missing(struct hone__search_set *set, double margin);

#endif
