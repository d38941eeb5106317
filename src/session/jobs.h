/* jobs.h - jobs for runners, and the decoding of their replies. */
#ifndef HONE_SESSION_JOBS_H
#define HONE_SESSION_JOBS_H

#include "session/candidate.h"
#include "wire/run_job.h"

struct hone__run_request {
  enum hone__wire_run_mode mode;
  enum hone_phase phase; /* NONE: other */
  struct hone__candidate *const *candidates;
  size_t count;
  int slot;
  bool check, late_check, restart, verbose;
  bool first_is_known; /* the first candidate was checked there, and cannot win */
  bool every;          /* with `check`: the answers of all samples are compared in whole */
  bool is_profiled;    /* a call takes as long as the profiler makes it */
  unsigned samples, rows;
  double cap_ns, cut_ns, budget_s;
  uint64_t seed;
};
/* Its number in the order of the search, in a sweep its place in the mesh, from 1; 0: none. */
int64_t hone__candidate_asked(const struct hone__candidate *candidate);
/* The caller sets `done` and `data`, here and below. */
struct hone__job hone__session_build_job(const struct hone__candidate *candidate, bool cached_only,
                                         bool anew); /* building.c */
struct hone__job hone__run_job(struct hone__session *session,
                               const struct hone__run_request *request);
/* The i-th candidate's part of a reply. A candidate that works has valid times, or is `slow`
 * without any: everything else is BAD_RESULT. */
struct hone__run_part {
  bool is_given; /* otherwise it is the outcome of the whole job */
  enum hone_outcome outcome;
  const char *evidence;
  double cold_ns;
  size_t samples, repeats;
};
struct hone__run_part hone__run_part(const struct hone__reply *reply, size_t i);
/* The runner's complete result for it; lent, NULL: none. */
const struct hone__wire_candidate_result *hone__run_result(const struct hone__reply *reply,
                                                           size_t i);
/* The first candidate's samples of a reply, for the store. */
struct hone__samples hone__run_samples(const struct hone__reply *reply, enum hone_phase phase);
void hone__run_samples_release(struct hone__samples *samples);
struct hone__task_energy hone__run_energy(const struct hone__reply *reply, size_t i);
/* From facts and metrics. */
struct hone__task_energy hone__energy_of(const struct hone__named *items, size_t count);
/* All times of a reply, aligned; free(). */
double *hone__run_times(const struct hone__reply *reply, size_t *out_count);

#endif
