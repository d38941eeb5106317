/* device_choice.h - which devices a run uses, and what is known of them before it begins.
 *
 * The driver asks the backend for its devices (in a probe) only where it must: the backend has
 * devices of its own, and what --device gives does not stand for one.
 */
#ifndef HONE_BACKEND_DEVICE_CHOICE_H
#define HONE_BACKEND_DEVICE_CHOICE_H

#include "backend/backend.h"

struct hone__device_facts;
struct hone__device_list;

struct hone__device_choice {
  /* Of the first device, with what was given in the place of its own values; NULL: there is none,
   * or the backend has no devices of its own. */
  struct hone__device_facts *facts;
  struct hone__arena arena; /* of the facts */
  char *devices; /* "cuda:0,cuda:1" where `all` was asked for; NULL: as they were given */
  char *values;  /* for hone_space_options.device; or NULL */
  char *gap;     /* for hone_space_options.device_gap; or NULL */
  char *note;    /* what a person should know, or NULL: the devices differ */
};

struct hone__device_wish {
  const char *devices; /* --devices: "cuda:1", "cuda:0,cuda:1", "all"; or NULL */
  const char *given;   /* --device: "shared_bytes=1000", "sm_90", "cuda:1"; or NULL */
  bool is_elsewhere;   /* workers are on other machines: devices need not be here */
};

/* NOT_FOUND: no such device; it names those that there are. INVALID_ARGUMENT. That there are none
 * is no failure. `backend` may be NULL. */
hone_status hone__device_choose(const struct hone__backend *backend,
                                const struct hone__device_wish *wish,
                                struct hone__device_choice *out_choice);
void hone__device_choice_release(struct hone__device_choice *choice);

/* The device that is meant: by its name ("opencl:pocl:0"), its number ("cuda:1"), the
 * front of its name ("opencl:pocl") or of its "uuid" ("cuda:GPU-1f"); "cuda" is the first. NULL. */
const struct hone__device_facts *hone__device_find(const struct hone__device_list *list,
                                                   const char *device);
/* Whether `device.*` of its specs is about devices of its own. `backend` may be NULL. */
bool hone__device_is_own(const struct hone__backend *backend);
/* Whether a device of such a backend is CPUs; so is one that is not here. */
bool hone__device_is_cpu(const struct hone__backend *backend, const char *device);

#endif
