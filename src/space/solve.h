/* solve.h - all solutions of one component, as a diagram. */
#ifndef HONE_SPACE_SOLVE_H
#define HONE_SPACE_SOLVE_H

#include "space/diagram.h"
#include "space/plan.h"

struct hone__component {
  const struct hone__spec_program *program;
  const struct hone__domain *const *domains; /* by variable */
  const uint32_t *constraints;               /* nodes */
  size_t constraint_count;
};

struct hone__solve_limits {
  size_t memory_bytes;
  uint64_t steps;          /* values tried and states looked at; 0: no limit */
  uint64_t *steps_used;    /* those of all solving are added here; may be NULL */
  bool *out_of_steps;      /* is set where that limit was the reason; may be NULL */
  hone_progress *progress; /* may be NULL */
  void *progress_data;
  const struct hone_cancel *cancel; /* may be NULL */
  double started;                   /* by the monotonic clock */
};
/* Reports that it goes on with `what`. CANCELLED: the caller asks for an end. */
hone_status hone__solve_report(const struct hone__solve_limits *limits, const char *what);

/* Where a constraint faulted for a configuration that no other constraint rejects. */
struct hone__solve_fault {
  bool found;
  uint32_t constraint; /* its node */
  enum hone__fault fault;
  uint32_t *row; /* value indices in the order of the levels; the caller frees it */
};

/* The diagram's levels follow `order`. EXHAUSTED where a limit was reached. */
hone_status hone__solve(const struct hone__component *component, const uint32_t *order,
                        uint32_t depth, const struct hone__solve_limits *limits,
                        struct hone__solve_fault *out_fault, struct hone__diagram **out_diagram);

#endif
