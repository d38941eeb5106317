/* partial_parcels.h - parts of payloads whose transfer was broken off, kept in the cache of a host.
 *
 *   hone__partial_keep(&unfinished)            what came of a frame that may never be complete
 *   hone__partial_find(digest, &partial)       what a WANT tells the driver (wire/parcels.h)
 *   hone__partial_join(parcel, rest, &text)    when the rest came
 */
#ifndef HONE_WORKER_PARTIAL_PARCELS_H
#define HONE_WORKER_PARTIAL_PARCELS_H

#include "base/text.h"
#include "wire/frame.h"
#include "wire/parcels.h"

void hone__partial_keep(const struct hone__frame *unfinished);
/* False: nothing is kept of it. `digest` is lent to the result. */
bool hone__partial_find(const char *digest, struct hone__parcel_partial *out_partial);
/* Adds the part as it is sent: the first `from` bytes, and the rest. False: they are not kept. */
bool hone__partial_join(const struct hone__parcel *parcel, const char *rest,
                        struct hone__text *text);
/* The part is whole, or damaged. */
void hone__partial_drop(const struct hone__parcel *parcel);

#endif
