/* trial_remarks.h - an engine's findings of a trial besides times: text in the trial's report. */
#ifndef HONE_BACKEND_KERNEL_TRIAL_REMARKS_H
#define HONE_BACKEND_KERNEL_TRIAL_REMARKS_H

#include "wire/device_facts.h"
#include "wire/named.h"

struct hone__trial_remarks {
  /* For each candidate: registers, occupancy, method, energy_j ...; none if they are too many. */
  struct hone__named_record *kernels;
  const char **notes; /* for people */
  const struct hone__wire_device_state *state;
  size_t kernels_count, notes_count;
};

extern const struct hone__record_type hone__trial_remarks_type;

#endif
