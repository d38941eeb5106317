/* sweep_schedule.h - which device runs which instance next.
 *
 * Items (numbers of instances) come in groups that share a binary. A device takes a whole group,
 * the largest first, and works through it; when no group is left it takes the next item of the
 * device with the most items left. A group can be taken when it is ready: its binary is built.
 *
 *   hone__schedule_open(groups, devices), hone__schedule_add for each item in order,
 *   hone__schedule_seal, hone__schedule_ready or hone__schedule_drop for each group,
 *   hone__schedule_take until nothing is left
 */
#ifndef HONE_SWEEP_SWEEP_SCHEDULE_H
#define HONE_SWEEP_SWEEP_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone__schedule;

struct hone__schedule *hone__schedule_open(size_t groups, size_t devices);
void hone__schedule_free(struct hone__schedule *schedule);
void hone__schedule_add(struct hone__schedule *schedule, uint32_t group, uint32_t item);
/* Call after the last item. Groups of equal size keep the order of their numbers. */
void hone__schedule_seal(struct hone__schedule *schedule);
void hone__schedule_ready(struct hone__schedule *schedule, uint32_t group);
/* Its binary could not be built: no device takes it. */
void hone__schedule_drop(struct hone__schedule *schedule, uint32_t group);
/* The items of a group, in order; lent. */
const uint32_t *hone__schedule_items(const struct hone__schedule *schedule, uint32_t group,
                                     size_t *out_count);
/* False: there is nothing for this device now. */
bool hone__schedule_take(struct hone__schedule *schedule, size_t device, uint32_t *out_item);
/* Returns an item whose device was lost: it is the next one taken. */
void hone__schedule_return(struct hone__schedule *schedule, uint32_t item);
/* Items that no device has taken, in groups that are or may become ready. */
size_t hone__schedule_left(const struct hone__schedule *schedule);

#endif
