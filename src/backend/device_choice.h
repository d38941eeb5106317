/* device_choice.h - the devices of a run, and their facts before the run starts.
 *
 * The driver probes the backend's devices only if needed: the backend has its own devices, and
 * --device does not describe one completely.
 */
#ifndef HONE_BACKEND_DEVICE_CHOICE_H
#define HONE_BACKEND_DEVICE_CHOICE_H

#include "backend/backend.h"

struct hone__wire_device_facts;
struct hone__wire_device_list;

struct hone__device_choice {
  /* Facts of the first device, overridden by given values; NULL: there is none, or the backend has
   * no devices of its own. */
  struct hone__wire_device_facts *facts;
  struct hone__arena arena; /* owns the facts */
  char *devices;            /* "cuda:0,cuda:1" for `all`; NULL: as given */
  char *values;             /* for hone_space_options.device; or NULL */
  char *gap;                /* for hone_space_options.device_gap; or NULL */
  char *note;               /* a note for the user, or NULL: the devices differ */
};

struct hone__device_request {
  const char *devices; /* --devices: "cuda:1", "cuda:0,cuda:1", "all"; or NULL */
  const char *given;   /* --device: "shared_bytes=1000", "sm_90", "cuda:1"; or NULL */
  bool is_elsewhere;   /* workers are on other machines: devices need not be here */
  const struct hone__wire_device_facts *known; /* of the device in use; NULL: it is looked up */
};

/* NOT_FOUND: no such device; lists the available ones. INVALID_ARGUMENT. Having no devices is not a
 * failure. `backend` may be NULL. */
hone_status hone__device_choose(const struct hone__backend *backend,
                                const struct hone__device_request *request,
                                struct hone__device_choice *out_choice);
void hone__device_choice_release(struct hone__device_choice *choice);

/* The device with this name ("opencl:pocl:0"), number ("cuda:1"), or prefix of the name
 * ("opencl:pocl") or "uuid" ("cuda:GPU-1f"); "cuda" is the first. NULL. */
const struct hone__wire_device_facts *hone__device_find(const struct hone__wire_device_list *list,
                                                        const char *device);
/* Whether `device.*` of its specs is about the backend's own devices. `backend` may be NULL. */
bool hone__device_is_own(const struct hone__backend *backend);
/* Whether a device of such a backend is CPUs; true for one that is not here. */
bool hone__device_is_cpu(const struct hone__backend *backend, const char *device);

#endif
