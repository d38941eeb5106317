/* gpu_host.h - what the libraries of devices share in a program that launches kernels itself. */
#ifndef HONE_BACKEND_GPU_GPU_HOST_H
#define HONE_BACKEND_GPU_GPU_HOST_H

#include "backend/gpu/gpu_driver.h"
#include "backend/host.h"

/* Loads the candidate's object with the driver's method, and fills in the launch. `gpu` has what
 * that method needs: it belongs to the loaded object. */
hone_status hone__gpu_host_load(const struct hone__gpu_driver *driver, struct hone__gpu *gpu,
                                const struct hone__packed *candidate, const void *object,
                                size_t size, struct hone__loaded *out_loaded,
                                struct hone__gpu_kernel **out_kernel);

#endif
