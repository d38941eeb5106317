/* cuda_costs.h - the resources that a kernel uses: "costs" of a build's answer.
 *
 * "registers" (per thread), "spills" (bytes, stores and loads together), "shared_bytes" (static),
 * "local_bytes" (stack), "const_bytes", "binary_bytes", "occupancy" (0 to 1).
 */
#ifndef HONE_BACKEND_CUDA_CUDA_COSTS_H
#define HONE_BACKEND_CUDA_CUDA_COSTS_H

#include "backend/kernel/kernel_candidate.h"
#include "wire/device_facts.h"
#include "wire/named.h"

/* Adds them. `log`: output of ptxas -v; without it spills are not known. */
void hone__cuda_costs(const void *cubin, size_t size, const char *kernel, const char *log,
                      struct hone__named_list *costs);

/* Removes the output of ptxas -v from a log; warnings stay. */
void hone__cuda_log_strip(struct hone__text *log);

/* Adds "occupancy" to costs, if the target's facts and the candidate's launch suffice. The target
 * may be NULL. */
void hone__cuda_occupancy(const struct hone__wire_device_facts *target,
                          const struct hone__kernel_candidate *candidate,
                          struct hone__named_list *costs);

#endif
