/* gpu_tensors.h - the tensors of a kernel in a device's memory; in the helper.
 *
 * A tensor lies so: guard zone | elements | guard zone, in an allocation of its own, so that a
 * write far outside is a fault of the device. All that candidates get is a *set*. Sets rotate, so
 * that no launch of a batch finds its answer there already, nor, where caches shall be cold, its
 * inputs in them. Even and odd sets hold different contents of the inputs (buffers.h). Guard zones
 * are looked at in the first two. Pristine copies, which no candidate gets, hold inputs as they
 * were, and the poison of outputs and scratch memory.
 *
 * All functions leave why they failed in gpu->fault. Nothing is released: all of it ends with the
 * helper.
 */
#ifndef HONE_BACKEND_GPU_GPU_TENSORS_H
#define HONE_BACKEND_GPU_GPU_TENSORS_H

#include "backend/gpu/gpu_driver.h"
#include "backend/kernel/buffers.h"

struct hone__gpu_set {
  struct hone__gpu_memory **memory; /* of each argument; NULL: it is not a tensor */
  size_t holds;                     /* the content of its inputs; see hone__gpu_tensors_content */
};

struct hone__gpu_tensors { /* { .gpu, .host, .shares_inputs } */
  struct hone__gpu *gpu;
  const struct hone__buffers *host;
  bool shares_inputs; /* sets have outputs of their own, and the inputs of set 0 or 1 */
  size_t contents;    /* 1 or 2 */
  size_t guard_bytes;
  size_t set_bytes, output_bytes; /* elements of one set, and of its outputs */
  struct hone__gpu_memory *guard, **pristine[HONE__CONTENTS];
  struct hone__gpu_set sets[HONE__GPU_MOST_SETS];
  size_t set_count;
};

bool hone__gpu_tensors_make(struct hone__gpu_tensors *tensors);

/* Writes pristine copies and all sets again, because a candidate may have written to them. */
bool hone__gpu_tensors_renew(struct hone__gpu_tensors *tensors);
/* Makes at least this many sets, or as many as memory allows; returns how many. */
size_t hone__gpu_tensors_grow(struct hone__gpu_tensors *tensors, size_t sets);
size_t hone__gpu_tensors_content(const struct hone__gpu_tensors *tensors, size_t set);

/* Of sets 0 and 1: */
bool hone__gpu_tensors_restore(struct hone__gpu_tensors *tensors); /* all, and guard zones */
bool hone__gpu_tensors_swap(struct hone__gpu_tensors *tensors);    /* their contents */
/* `*out_changed`: 1 + the first input that was written to, 0 if none; restores them. */
bool hone__gpu_tensors_restore_inputs(struct hone__gpu_tensors *tensors, uint64_t *out_changed);
/* `*out_broken`: a guard zone was written to, described in out_breach. */
bool hone__gpu_tensors_inspect(struct hone__gpu_tensors *tensors, struct hone__breach *out_breach,
                               bool *out_broken);

/* Of one set: */
bool hone__gpu_tensors_refill(struct hone__gpu_tensors *tensors, size_t set); /* inout */
/* Its inputs once more, or as the host's memory has them in its first place. */
bool hone__gpu_tensors_rewrite(struct hone__gpu_tensors *tensors, size_t set);
bool hone__gpu_tensors_write(struct hone__gpu_tensors *tensors, size_t set);
bool hone__gpu_tensors_read(struct hone__gpu_tensors *tensors, size_t set, unsigned char *snapshot);

/* Outputs of `count` sets from `first` on. */
bool hone__gpu_tensors_poison(struct hone__gpu_tensors *tensors, size_t first, size_t count);

#endif
