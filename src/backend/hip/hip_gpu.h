/* hip_gpu.h - an open HIP device: what it has besides simt/simt_gpu.h. */
#ifndef HONE_BACKEND_HIP_HIP_GPU_H
#define HONE_BACKEND_HIP_HIP_GPU_H

#include "backend/hip/hip_library.h"
#include "backend/simt/simt_gpu.h"

extern const struct hone__simt_kind hone__simt_kind_hip;

/* hip_own.c: compiled by hiprtc for this device; NULL: it does not compile. */
char *hone__hip_own_module(struct hone__simt_gpu *gpu);

/* hip_image.c */
simt_result hone__hip_copy_array(const struct hone__simt_gpu *gpu,
                                 const struct hone__simt_copy *copy);

/* hip_driver.c: "gfx90a", in the arena; NULL: not known. */
const char *hone__hip_arch(const struct hone__simt_library *api, simt_device device,
                           struct hone__arena *arena);

#endif
