/* pipeline.h - what a call of a candidate is: its stages and their order, whether it is one kernel
 * or many. In workers.
 */
#ifndef HONE_BACKEND_KERNEL_PIPELINE_H
#define HONE_BACKEND_KERNEL_PIPELINE_H

#include "backend/kernel/kernel_candidate.h"
#include "wire/named.h"

enum {
  HONE__PIPELINE_MOST_LAUNCHES = 10000, /* of one call */
  HONE__PIPELINE_MOST_STAGES = 1000,    /* different ones */
  HONE__PIPELINE_MOST_NAMES = 32        /* whose shares are reported; the last one has all others */
};

struct hone__pipeline {
  const struct hone__kernel_stage *stages; /* a single kernel has one */
  size_t stage_count;
  const size_t *order; /* numbers of stages, as they are called */
  size_t order_count;
  size_t *names; /* for each stage, the number of its name, below name_count */
  size_t name_count;
  bool has_others; /* the last name stands for several */
};

/* Everything it points to is in the arena or in the candidate's. `args`: how many arguments the
 * setup has. INVALID_ARGUMENT: a number is out of range. */
hone_status hone__pipeline_read(const struct hone__kernel_candidate *candidate, size_t args,
                                struct hone__arena *arena, struct hone__pipeline *out_pipeline);
/* The name with this number; the last of many stands for all others. */
const char *hone__pipeline_name(const struct hone__pipeline *pipeline, size_t number);
/* Whether there are shares to report. */
bool hone__pipeline_is_many(const struct hone__pipeline *pipeline);
/* The first stage with the entry of this one: a kernel is loaded once. A function on the host has
 * no stage before it. */
size_t hone__pipeline_first_with_entry(const struct hone__pipeline *pipeline, size_t stage);

/* The entries of a candidate's kernels, a line each. */
void hone__pipeline_entries(const struct hone__kernel_candidate *candidate,
                            struct hone__text *out_entries);
/* The next of such lines; false: there is none. `*at` begins with the first. */
bool hone__pipeline_next_entry(const char **at, struct hone__text *out_entry);

/* Adds what one more kernel takes: the greatest of each, but the sum of spilled bytes, and the
 * least occupancy and limits. */
void hone__pipeline_join_costs(struct hone__named_list *costs, const struct hone__named_list *more);

#endif
