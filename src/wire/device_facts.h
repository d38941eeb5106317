/* device_facts.h - what is known of a device, and what is true of it at one moment. */
#ifndef HONE_WIRE_DEVICE_FACTS_H
#define HONE_WIRE_DEVICE_FACTS_H

#include "wire/record.h"

/* See gpu_driver.h for the names of numbers. */
struct hone__device_facts {
  const char *device;        /* "cuda:0", "opencl:pocl:0" */
  const char *name;          /* the model */
  const char *kind;          /* "gpu", "cpu", "accelerator" */
  const char *arch;          /* "sm_90a"; of OpenCL: the platform's version */
  const char *driver;        /* its version */
  const char *platform;      /* of OpenCL */
  const char *uuid;          /* of CUDA */
  const char *fingerprint;   /* digest of what makes times comparable */
  bool is_default;           /* the one that is used where none is named */
  const char **notes;        /* for people */
  struct hone__named *other; /* numbers, and texts that only one library has */
  size_t notes_count, other_count;
};

/* Adds a note; it and the list lie in the arena, the list that was there stays. */
void hone__device_facts_note(struct hone__device_facts *facts, struct hone__arena *arena,
                             const char *note);

/* Sets the fact of this name. False: it must be a text, and is none, or it is none that can be set.
 */
bool hone__device_facts_set(struct hone__device_facts *facts, struct hone__arena *arena,
                            const char *name, struct hone_value value);
/* All of it lies in the arena. NULL stays NULL. */
struct hone__device_facts *hone__device_facts_copy(const struct hone__device_facts *facts,
                                                   struct hone__arena *arena);

struct hone__device_list { /* { 0 }; hone__device_list_release */
  struct hone__device_facts *devices;
  size_t devices_count, capacity;
  struct hone__arena arena;    /* of what they point to */
  struct hone__packed *packed; /* that they were unpacked from; or NULL */
};
void hone__device_list_add(struct hone__device_list *list, const struct hone__device_facts *facts);
void hone__device_list_release(struct hone__device_list *list);

/* What cannot be known is nothing, or NULL. */
struct hone__device_state {
  struct hone_value clock_mhz_now, memory_clock_mhz_now, temperature_c, power_w;
  const char **throttled;   /* why clocks are held back; empty: they are not */
  struct hone_value others; /* number of other processes on it */
  size_t throttled_count;
};

extern const struct hone__record_type hone__device_facts_type, hone__device_list_type,
    hone__device_state_type;

#endif
