/* opencl_device.h - the OpenCL devices of this machine, and what they are called.
 *
 *   opencl           the first GPU; without one, the first accelerator, or the first of all
 *   opencl:1         the second of all
 *   opencl:pocl      the first of a platform, by a word of its name ("pocl": Portable Computing
 *   opencl:pocl:1    Language), the second of it
 */
#ifndef HONE_BACKEND_OPENCL_OPENCL_DEVICE_H
#define HONE_BACKEND_OPENCL_OPENCL_DEVICE_H

#include "wire/device_facts.h"
#include "backend/opencl/opencl_library.h"

struct hone__opencl_device {
  const struct hone__opencl_library *cl;
  cl_platform platform;
  cl_device device;
  char word[32]; /* of the platform: "pocl", "nvidia" */
  char name[48]; /* "opencl:pocl:0" */
  bool is_cpu;
  bool is_pocl, is_nvidia;
};

/* UNAVAILABLE: no library, no driver; NOT_FOUND names those that are here. */
hone_status hone__opencl_find(const char *name, struct hone__opencl_device *out_device);
/* By the driver's own handle. NOT_FOUND: no driver lists it. */
hone_status hone__opencl_find_id(cl_device id, struct hone__opencl_device *out_device);
/* Appends the facts of every device; the one that plain "opencl" means has "is_default". */
hone_status hone__opencl_list(struct hone__wire_device_list *devices);

/* See gpu_driver.h; the caller owns it. */
void hone__opencl_facts(const struct hone__opencl_device *device, struct hone__arena *arena,
                        struct hone__wire_device_facts *out_facts);
/* A number that the device reports; 0: it does not. */
uint64_t hone__opencl_number(const struct hone__opencl_device *device, uint32_t what);
/* How much must be written to evict the caches. */
size_t hone__opencl_cache_bytes(const struct hone__opencl_device *device);

#endif
