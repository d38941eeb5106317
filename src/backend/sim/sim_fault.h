/* sim_fault.h - scripted faults, which really happen: in a separate process, which dies, hangs or
 * exhausts memory as a bad kernel or a bad compiler would.
 */
#ifndef HONE_BACKEND_SIM_SIM_FAULT_H
#define HONE_BACKEND_SIM_SIM_FAULT_H

#include "base/outcome.h"

#include <stdbool.h>
#include <stddef.h>

enum hone__sim_stage {
  HONE__SIM_BUILDING,  /* the builder's child does it */
  HONE__SIM_CALLING,   /* the candidate's first call does it */
  HONE__SIM_ANSWERING, /* its answer or its time is wrong */
  HONE__SIM_RUNNING    /* the runner itself dies */
};

struct hone__sim_fault {
  const char *name; /* in `sim.faults` */
  enum hone__sim_stage stage;
  void (*act)(void);         /* BUILDING, CALLING: does not return; NULL: it is only reported */
  enum hone_outcome outcome; /* the expected outcome */
};

/* NULL: there is no such fault. */
const struct hone__sim_fault *hone__sim_fault_find(const char *name);
const struct hone__sim_fault *hone__sim_fault_at(size_t i); /* NULL: there are not that many */

/* Whether a fault that is scripted from one phase on (NONE: from the first) happens in another. */
bool hone__sim_fault_is_due(enum hone_phase from, enum hone_phase phase);

enum { HONE__SIM_OOM_BYTES = 32 << 20 }; /* the limit that faults of memory run into */

#endif
