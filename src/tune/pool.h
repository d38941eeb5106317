/* pool.h - who runs what next, in a sweep over several devices.
 *
 * Items (numbers of instances) come in groups that share a binary. A device takes a whole group,
 * the largest first, and works through it; when no group is left it takes the next item of the
 * device that has most to do. A group can be taken once it is ready: its binary is there.
 *
 *   hone__pool_open(groups, devices), hone__pool_add for each item in order, hone__pool_seal,
 *   hone__pool_ready or hone__pool_drop for each group, hone__pool_take until nothing is left
 */
#ifndef HONE_TUNE_POOL_H
#define HONE_TUNE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone__pool;

struct hone__pool *hone__pool_open(size_t groups, size_t devices);
void hone__pool_free(struct hone__pool *pool);
void hone__pool_add(struct hone__pool *pool, uint32_t group, uint32_t item);
/* All items are there. Groups of equal size stay in the order of their numbers. */
void hone__pool_seal(struct hone__pool *pool);
void hone__pool_ready(struct hone__pool *pool, uint32_t group);
/* Its binary could not be built: nobody takes it. */
void hone__pool_drop(struct hone__pool *pool, uint32_t group);
/* The items of a group, in order; lent. */
const uint32_t *hone__pool_items(const struct hone__pool *pool, uint32_t group, size_t *out_count);
/* False: there is nothing for this device now. */
bool hone__pool_take(struct hone__pool *pool, size_t device, uint32_t *out_item);
/* An item whose device went away: the next one to ask gets it. */
void hone__pool_return(struct hone__pool *pool, uint32_t item);
/* Items that nobody has taken, of groups that are or may become ready. */
size_t hone__pool_left(const struct hone__pool *pool);

#endif
