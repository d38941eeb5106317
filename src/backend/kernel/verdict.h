/* verdict.h - derives a class and its evidence from a trial's report. */
#ifndef HONE_BACKEND_KERNEL_VERDICT_H
#define HONE_BACKEND_KERNEL_VERDICT_H

#include "backend/kernel/trial.h"
#include "base/outcome.h"

struct hone__trial_verdict {
  enum hone_outcome outcome;
  struct hone__text evidence;
};

/* For a process that did not finish: blames the active candidate. Returns which. */
size_t hone__kernel_verdict_of_death(const struct hone__trial *trial,
                                     struct hone__trial_verdict *verdict);

/* For one that did: everything observed there. Answers are not compared yet. */
void hone__kernel_verdict_of_record(const struct hone__trial *trial, size_t candidate,
                                    struct hone__trial_verdict *verdict);

void hone__kernel_verdict_set(struct hone__trial_verdict *verdict, enum hone_outcome outcome,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
