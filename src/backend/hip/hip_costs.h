/* hip_costs.h - the resources that a kernel uses: "costs" of a build's answer.
 *
 * "registers" (VGPRs of a thread), "sgprs", "agprs", "spills" (bytes of VGPRs that are kept in
 * memory), "sgpr_spills" (registers), "shared_bytes" (static LDS), "local_bytes" (stack),
 * "wave_size", "binary_bytes", "occupancy" (0 to 1).
 */
#ifndef HONE_BACKEND_HIP_HIP_COSTS_H
#define HONE_BACKEND_HIP_HIP_COSTS_H

#include "backend/kernel/kernel_candidate.h"
#include "wire/device_facts.h"
#include "wire/named.h"

/* Methods of struct hone__simt_compiler; `log` is not needed. */
void hone__hip_costs(const void *code, size_t size, const char *kernel, const char *log,
                     struct hone__named_list *costs);
void hone__hip_occupancy(const struct hone__wire_device_facts *target,
                         const struct hone__kernel_candidate *candidate,
                         struct hone__named_list *costs);

#endif
