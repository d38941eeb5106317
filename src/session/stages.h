/* stages.h - the host's callbacks: which candidates go on, and in which order.
 *
 *   hone__stages_open(&stages, given, task)
 *   hone__stages_select     before a search, where a rank keeps the best: the rows of the search
 *   hone__stages_admit      for each candidate, after each stage
 *   hone__stages_rank       before finalists are chosen
 *
 * { 0 }, and a given NULL, admit everything and rank nothing.
 */
#ifndef HONE_SESSION_STAGES_H
#define HONE_SESSION_STAGES_H

#include "backend/task.h"
#include "base/digest.h"
#include "hone_search.h"
#include "wire/record.h"

enum { HONE__STAGES = HONE_STAGE_SCREEN + 1 };

struct hone__stages {
  struct hone_stages own; /* what the host gave, as far as it is known */
  const struct hone__task *task;
  uint64_t rejected[HONE__STAGES];   /* by the stage after which it happened */
  char selection[HONE__DIGEST_SIZE]; /* of the rows that the rank keeps; "": all */
};

struct hone__stage_subject { /* what a callback may know */
  const uint32_t *row;
  const char *config;              /* NULL: made from the row */
  const struct hone__named *costs; /* after the build */
  size_t cost_count;
  double time_ns, baseline_ns; /* NaN: none */
};

/* INVALID_ARGUMENT: not initialised, or contradictory. */
hone_status hone__stages_open(struct hone__stages *stages, const struct hone_stages *given,
                              const struct hone__task *task);

/* False: the host rejects it, and `why` has its reason; it is counted. */
bool hone__stages_admit(struct hone__stages *stages, enum hone_stage stage,
                        const struct hone__stage_subject *subject, struct hone__text *why);
/* NaN: the host has no opinion. */
double hone__stages_rank(const struct hone__stages *stages, enum hone_stage stage,
                         const struct hone__stage_subject *subject);

/* True: the search consists of what the rank keeps. */
bool hone__stages_keep_some(const struct hone__stages *stages);

struct hone__selection {
  uint32_t *rows; /* the best first; free() */
  size_t count;
  uint64_t admitted, rejected; /* by the filter, of all configurations */
};
/* NOT_FOUND: the filter rejects all. EXHAUSTED: the space is too large to be ranked. */
hone_status hone__stages_select(struct hone__stages *stages, struct hone__selection *out_selection);
/* "the host kept 3 of 6 configurations; 4 were rejected by its filter". */
void hone__selection_describe(const struct hone__selection *selection, struct hone__text *text);

/* The error for a filter that admits nothing. */
hone_status hone__stages_nothing_left(const struct hone__stages *stages, uint64_t count);

#endif
