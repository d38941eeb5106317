/* cuda_device.h - the devices of CUDA's driver, and their facts.
 *
 * FACTS are those of gpu_driver.h, plus "uuid" and "shared_reserved_bytes", the driver's own part
 * of every block's shared memory.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_DEVICE_H
#define HONE_BACKEND_CUDA_CUDA_DEVICE_H

#include "backend/cuda/cuda_library.h"
#include "wire/device_facts.h"

#include <stdbool.h>

enum { CUDA_UUID_TEXT_SIZE = 41 }; /* "GPU-" and 36 characters */

/* Appends the facts of all devices. UNAVAILABLE: no library, or no device. */
hone_status hone__cuda_list(struct hone__device_list *devices);

/* "cuda", "cuda:1", "cuda:GPU-uuid" (a unique prefix suffices). NOT_FOUND lists the available ones.
 * Initialises the driver. */
hone_status hone__cuda_find(const struct hone__cuda_library *cuda, const char *name, int *out_index,
                            cuda_device *out_device);

void hone__cuda_facts(const struct hone__cuda_library *cuda, int index, cuda_device device,
                      struct hone__arena *arena, struct hone__device_facts *out_facts);
/* Whether NVIDIA's server that shares GPUs among processes (MPS) runs on this machine. */
bool hone__cuda_has_mps(void);

/* 0: not known. */
int hone__cuda_attribute(const struct hone__cuda_library *cuda, cuda_device device,
                         enum cuda_device_attribute attribute);
int hone__cuda_capability(const struct hone__cuda_library *cuda, cuda_device device); /* 90 */
void hone__cuda_uuid(const struct hone__cuda_library *cuda, cuda_device device,
                     char out_uuid[CUDA_UUID_TEXT_SIZE]);

#endif
