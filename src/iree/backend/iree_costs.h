/* iree_costs.h - the resources of a built candidate on a GPU: registers, spills, shared memory. */
#ifndef HONE_IREE_BACKEND_IREE_COSTS_H
#define HONE_IREE_BACKEND_IREE_COSTS_H

#include "wire/record.h"

enum { HONE__IREE_MOST_COSTS = 16 };

struct hone__iree_costs { /* { 0 } */
  struct hone__named items[HONE__IREE_MOST_COSTS];
  size_t count;
};

/* Of several numbers of one name, which is a constant, the largest is kept. */
void hone__iree_cost_note(struct hone__iree_costs *costs, const char *name, int64_t value);
/* -1: not reported. */
int64_t hone__iree_cost(const struct hone__iree_costs *costs, const char *name);

/* Notes what the compiler left in a folder:
 *   .rocmasm: vgpr_count, agpr_count, sgpr_count, vgpr_spill_count, sgpr_spill_count, shared_bytes,
 *             private_bytes, threads
 *   .ptx:     shared_bytes; with ptxas ($HONE__PTXAS, PATH): registers, spill_bytes, stack_bytes
 * Of several kernels the largest number counts. */
void hone__iree_costs_read(const char *folder, struct hone__iree_costs *costs);
/* "shared_bytes" and "threads" of a module for CUDA, whose shared memory is not part of its PTX. */
void hone__iree_costs_of_module(const void *module, size_t size, struct hone__iree_costs *costs);

#endif
