/* seeds.h - configurations that every strategy requests first: those of the options (`first`), then
 * those of the spec (`search.seeds`), then what was good before (`before`). Seeds that the space
 * does not have are left out.
 *
 *   hone__seeds_open(&seeds, options);
 *   given = hone__seeds_ask(&seeds, count, rows);  then the strategy's own, but for those of which
 *   hone__seeds_has(&seeds, index)                 is true
 *   hone__seeds_release(&seeds);
 */
#ifndef HONE_SEARCH_SEEDS_H
#define HONE_SEARCH_SEEDS_H

#include "base/text.h"
#include "hone.h"
#include "search/search.h"

struct hone__seeds {
  const struct hone_space *space;
  uint32_t *rows; /* in their order */
  size_t count, next;
  uint64_t *sorted; /* the indices of those that have one */
  size_t indexed;
  size_t missing;            /* seeds of the spec that no configuration is */
  struct hone__text outside; /* "K=3000, L=2": a few of them; not those given by texts */
};
void hone__seeds_open(struct hone__seeds *seeds, const struct hone__search_options *options);
void hone__seeds_release(struct hone__seeds *seeds);

size_t hone__seeds_ask(struct hone__seeds *seeds, size_t count, uint32_t *rows);
bool hone__seeds_has(const struct hone__seeds *seeds, uint64_t index);

#endif
