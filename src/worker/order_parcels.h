/* order_parcels.h - an order whose payload came in parts: put together from what was sent and what
 * this host has (wire/parcels.h). */
#ifndef HONE_WORKER_ORDER_PARCELS_H
#define HONE_WORKER_ORDER_PARCELS_H

#include "wire/parcels.h"
#include "worker/supervisor.h"

/* Keeps the sent parts in the cache, for all workers of this host. False: the frame has no
 * parcels. *out_is_wrong: it has, but they do not fit its payload, or cannot be expanded;
 * standard error says why. */
bool hone__supervisor_take_parcels(struct hone__supervisor_order *order,
                                   const struct hone__frame *frame, bool *out_is_wrong);
/* That it takes until it is put together. */
size_t hone__supervisor_parcel_bytes(const struct hone__supervisor_order *order);
/* Puts the whole frame into order->bytes; false: a part is missing. */
bool hone__supervisor_assemble(struct hone__supervisor_order *order);
/* What this host has of the parts that are missing; lent until the parcels are dropped. */
void hone__supervisor_tell_partials(const struct hone__supervisor_order *order,
                                    struct hone__want *out_want);
/* A part may still come, with a frame for another worker of this host. */
bool hone__supervisor_may_wait(const struct hone__supervisor_order *order);
void hone__supervisor_drop_parcels(struct hone__supervisor_order *order);

#endif
