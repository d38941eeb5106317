/* host.h - backends in the process of a program that calls its kernels itself (hone_kernel.h).
 *
 * That program uses the device's library anyway, so that nothing is gained by a separate process.
 */
#ifndef HONE_BACKEND_HOST_H
#define HONE_BACKEND_HOST_H

#include "base/status.h"
#include "wire/record.h"

#include <stddef.h>
#include <stdint.h>

struct hone__host {
  void *context, *device; /* of OpenCL: those of the program */
};

struct hone__loaded { /* an object in this process */
  void (*call)(void); /* of C */
  void *module, *function;
  void *own;           /* the backend's */
  unsigned dimensions; /* the launch; of C: 0 */
  size_t global[3], local[3], cluster[3], shared_bytes;
};

struct hone__backend_host {
  /* Once, before anything else: the program has all that the backend needs. NULL: always. */
  hone_status (*enter)(const struct hone__host *host);
  /* What kernels that the calling thread loads belong to; 0: it has no context, and loading says
   * so. Called by every get. NULL: to the process. */
  uintptr_t (*context)(const struct hone__host *host);
  /* The device of a context: "cuda:0", free(). NULL: the device is not in question. */
  hone_status (*device)(const struct hone__host *host, uintptr_t context, char **out_device);
  /* UNAVAILABLE: the loader or the driver refuses it. */
  hone_status (*load)(const struct hone__host *host, uintptr_t context,
                      const struct hone__packed *candidate, const void *object, size_t size,
                      struct hone__loaded *out_loaded);
  void (*unload)(uintptr_t context, struct hone__loaded *loaded);
};

extern const struct hone__backend_host hone__host_c, hone__host_cuda, hone__host_hip,
    hone__host_opencl;

#endif
