/* spots.h - single random elements of outputs: poisoned before a call, checked after it.
 *
 * They cost almost nothing, so every sample can have them. A call that leaves one poisoned did not
 * write its answer, whatever was there before. Nothing here allocates.
 */
#ifndef HONE_BACKEND_KERNEL_SPOTS_H
#define HONE_BACKEND_KERNEL_SPOTS_H

#include "backend/kernel/buffers.h"
#include "base/random.h"

enum { HONE__SPOTS_OF_PLACE = 32, HONE__SPOTS_BETWEEN_CALLS = 32, HONE__SPOTS_OUTPUTS = 16 };

struct hone__spot {
  size_t arg, place, index;
};

struct hone__spots {
  struct hone__random random;
  size_t outputs[HONE__SPOTS_OUTPUTS], output_count; /* arguments with role out */
  struct hone__spot drawn[HONE__PLACES * HONE__SPOTS_OF_PLACE];
  size_t drawn_count;
  struct hone__spot between[HONE__SPOTS_BETWEEN_CALLS]; /* the last of them */
  size_t between_count;                                 /* how many there ever were */
};

void hone__spots_init(struct hone__spots *spots, const struct hone__buffers *buffers,
                      uint64_t seed);
/* Drops those of the last sample. */
void hone__spots_clear(struct hone__spots *spots);
/* Draws and poisons some elements of a place. */
void hone__spots_poison(struct hone__spots *spots, const struct hone__buffers *buffers,
                        size_t place);
/* One element, between two calls of a batch: timed, so it must be quick. */
void hone__spots_poison_one(struct hone__spots *spots, const struct hone__buffers *buffers,
                            size_t place);

/* Those of the last sample, one after the other: true while there is one. `*at` begins with 0. */
bool hone__spots_next(const struct hone__spots *spots, size_t *at, struct hone__spot *out_spot);

#endif
