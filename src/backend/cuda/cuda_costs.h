/* cuda_costs.h - what a kernel takes of a device: "costs" of a build's answer.
 *
 * "registers" (of a thread), "spills" (bytes, stores and loads together), "shared_bytes" (static),
 * "local_bytes" (stack), "const_bytes", "binary_bytes", "occupancy" (0 to 1).
 */
#ifndef HONE_BACKEND_CUDA_CUDA_COSTS_H
#define HONE_BACKEND_CUDA_CUDA_COSTS_H

#include "base/text.h"

#include <jansson.h>

/* `log`: what ptxas -v said; without it spills are not known. */
json_t *hone__cuda_costs(const void *cubin, size_t size, const char *kernel, const char *log);

/* What ptxas -v said is taken out of a log; warnings stay. */
void hone__cuda_log_strip(struct hone__text *log);

/* Adds "occupancy" to costs, if the target's facts and the candidate's "launch" tell enough. */
void hone__cuda_occupancy(const json_t *target, const json_t *candidate, json_t *costs);

#endif
