/* device_facts.h - the constant facts of a device, and its state at one moment. */
#ifndef HONE_WIRE_DEVICE_FACTS_H
#define HONE_WIRE_DEVICE_FACTS_H

#include "wire/record.h"

/* See gpu_driver.h for the names of numbers. */
struct hone__wire_device_facts {
  const char *device;        /* "cuda:0", "opencl:pocl:0" */
  const char *name;          /* the model */
  const char *kind;          /* "gpu", "cpu", "accelerator" */
  const char *arch;          /* "sm_90a"; of OpenCL: the platform's version */
  const char *driver;        /* its version */
  const char *platform;      /* of OpenCL */
  const char *uuid;          /* of CUDA */
  const char *fingerprint;   /* digest of what makes times comparable */
  bool is_default;           /* used when no device is named */
  const char **notes;        /* readable texts */
  struct hone__named *other; /* numbers, and texts that only one library provides */
  size_t notes_count, other_count;
};

/* Adds a note. The note and the new list live in the arena; the old list is unchanged. */
void hone__wire_device_facts_note(struct hone__wire_device_facts *facts, struct hone__arena *arena,
                                  const char *note);

/* Sets the fact of this name. False: it needs a text, or it cannot be set. */
bool hone__wire_device_facts_set(struct hone__wire_device_facts *facts, struct hone__arena *arena,
                                 const char *name, struct hone_value value);
/* A copy in the arena; NULL for NULL. */
struct hone__wire_device_facts *
hone__wire_device_facts_copy(const struct hone__wire_device_facts *facts,
                             struct hone__arena *arena);

struct hone__wire_device_list { /* { 0 }; hone__wire_device_list_release */
  struct hone__wire_device_facts *devices;
  size_t devices_count, capacity;
  struct hone__arena arena;    /* owns what the entries point to */
  struct hone__packed *packed; /* the message they were unpacked from, or NULL */
};
void hone__wire_device_list_add(struct hone__wire_device_list *list,
                                const struct hone__wire_device_facts *facts);
void hone__wire_device_list_release(struct hone__wire_device_list *list);

/* Unknown values are HONE_NONE, or NULL. */
struct hone__wire_device_state {
  struct hone_value clock_mhz_now, memory_clock_mhz_now, temperature_c, power_w;
  const char **throttled;   /* why clocks are reduced; empty: they are not */
  struct hone_value others; /* number of other processes on the device */
  size_t throttled_count;
};

extern const struct hone__record_type hone__wire_device_facts_type, hone__wire_device_list_type,
    hone__wire_device_state_type;

#endif
