/* cuda_device.h - facts that only CUDA's devices have. */
#ifndef HONE_BACKEND_CUDA_CUDA_DEVICE_H
#define HONE_BACKEND_CUDA_CUDA_DEVICE_H

#include "backend/simt/simt_device.h"

/* Whether NVIDIA's server that shares GPUs among processes (MPS) runs on this machine. */
bool hone__cuda_has_mps(void);

/* Methods of struct hone__simt_kind. */
void hone__cuda_print_uuid(const unsigned char bytes[SIMT_UUID_BYTES], char out_text[37]);
const char *hone__cuda_arch(const struct hone__simt_library *api, simt_device device,
                            struct hone__arena *arena);
const char *hone__cuda_driver_version(const struct hone__simt_library *api,
                                      struct hone__arena *arena);
void hone__cuda_add_facts(const struct hone__simt_library *api, simt_device device,
                          struct hone__named_list *facts);
void hone__cuda_add_notes(const struct hone__simt_library *api, simt_device device,
                          struct hone__arena *arena, struct hone__wire_device_facts *facts);

int hone__cuda_capability(const struct hone__simt_library *api, simt_device device); /* 90 */

#endif
