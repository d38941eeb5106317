/* verdict.h - from what a trial left behind to a class and its evidence. */
#ifndef HONE_BACKEND_KERNEL_VERDICT_H
#define HONE_BACKEND_KERNEL_VERDICT_H

#include "backend/kernel/trial.h"
#include "base/outcome.h"

struct hone__trial_verdict {
  enum hone_outcome outcome;
  struct hone__text evidence;
};

/* The process did not come to its end: the one that was active is to blame. Returns which. */
size_t hone__verdict_of_death(const struct hone__trial *trial, struct hone__trial_verdict *verdict);

/* It did: all that could be seen there. Answers are not compared yet. */
void hone__verdict_of_record(const struct hone__trial *trial, size_t candidate,
                             struct hone__trial_verdict *verdict);

void hone__verdict_set(struct hone__trial_verdict *verdict, enum hone_outcome outcome,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
