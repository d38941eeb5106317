/* doctor_devices.h - what `hone doctor` reports about OpenCL, CUDA and HIP. */
#ifndef HONE_DOCTOR_DEVICES_H
#define HONE_DOCTOR_DEVICES_H

#include "base/memory.h"

struct hone__finding {
  const char *part; /* "opencl", "cuda" or "hip" */
  const char *name;
  const char *value;  /* NULL: it is missing */
  const char *advice; /* "": none */
};

struct hone__findings { /* { 0 } */
  struct hone__finding *findings;
  size_t findings_count, capacity;
  struct hone__arena arena; /* of the texts */
};

void hone__doctor_devices(struct hone__findings *findings);
void hone__findings_release(struct hone__findings *findings);

#endif
