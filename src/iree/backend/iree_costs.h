/* iree_costs.h - what a built candidate takes of a GPU: registers, spills, shared memory.
 */
#ifndef HONE_IREE_BACKEND_IREE_COSTS_H
#define HONE_IREE_BACKEND_IREE_COSTS_H

#include "base/text.h"

#include <jansson.h>

/* Adds numbers by name to `costs`, from what the compiler left in a folder:
 *   .rocmasm: vgpr_count, agpr_count, sgpr_count, vgpr_spill_count, sgpr_spill_count, shared_bytes,
 *             private_bytes, threads
 *   .ptx:     shared_bytes; with ptxas ($HONE__PTXAS, PATH): registers, spill_bytes, stack_bytes
 * Of several kernels the largest number counts. */
void hone__iree_costs_read(const char *folder, json_t *costs);
/* "shared_bytes" and "threads" of a module for CUDA, whose shared memory is no part of its PTX. */
void hone__iree_costs_of_module(const void *module, size_t size, json_t *costs);

#endif
