/* engine.h - how candidates are executed: on this CPU, or on a device.
 *
 * The sampler says what happens to a candidate and in which order; an engine does it. `add`,
 * `forget` and `execute` run in the runner, all others in the process of the candidates, on one
 * thread. There a method that returns false has put the reason into the candidate's record; where
 * the process is of no use any more it has also set `broken` in the report.
 */
#ifndef HONE_BACKEND_KERNEL_ENGINE_H
#define HONE_BACKEND_KERNEL_ENGINE_H

#include "backend/kernel/trial.h"

enum hone__extent { HONE__NOTHING, HONE__SPOTS, HONE__WHOLE };

struct hone__look { /* at the answers of a sample */
  enum {
    HONE__LOOK_SAME,     /* as the candidate's own first answer, bit by bit */
    HONE__LOOK_OTHER,    /* it may be right all the same */
    HONE__LOOK_UNWRITTEN /* an element is as it was before the call: wrong for certain */
  } what;
  size_t set, content; /* unless it is the same: the set to look at, and what it was called with */
  size_t arg, element; /* that is not written */
};

struct hone__engine {
  /* Makes candidate->own, which `forget` releases. INVALID_SPEC: its values do not fit the
   * arguments. NULL: nothing is needed. */
  hone_status (*add)(struct hone__trial *trial, struct hone__trial_candidate *candidate);
  void (*forget)(struct hone__trial_candidate *candidate);
  /* Has hone__sampler_run run in another process; trial->end says how that ended. If there is none:
   * HONE__CHILD_NOT_STARTED, and the reason in its `output`, or in its `code`. */
  void (*execute)(struct hone__trial *trial);

  bool cannot_stop;  /* no candidate can stop its process: if it is, somebody else did */
  double batched_ns; /* shorter calls are timed many at once: what one takes alone is no sample */

  bool (*load)(struct hone__trial *trial, size_t index);
  /* Also after a load that failed. NULL: the process ends soon. */
  void (*unload)(struct hone__trial *trial, size_t index);
  /* Inputs as new, outputs poisoned, guard zones whole. `used`: a candidate has run before. */
  bool (*restore)(struct hone__trial *trial, size_t index, bool used);
  /* Inputs that it wrote to are put back, and the first of them goes into its record. */
  bool (*mend)(struct hone__trial *trial, size_t index);
  bool (*guards_hold)(struct hone__trial *trial, size_t index);

  /* One call with the arguments of `set`, nothing done before it; in ns. After `restore`, set i
   * holds content i. */
  bool (*call)(struct hone__trial *trial, size_t index, size_t set, double *out_ns);
  /* The answer that is in a set now. */
  bool (*snapshot)(struct hone__trial *trial, size_t index, size_t set, unsigned char *to);

  /* What calls find from now on changes: which sets they begin with, and which contents these hold.
   * Candidates of one row share a turn; one that fails is the active candidate's failure. */
  bool (*turn)(struct hone__trial *trial, uint64_t turn);
  /* Before a sample: inout arguments as given; outputs poisoned to this extent. */
  bool (*arrange)(struct hone__trial *trial, size_t index, uint64_t repeats,
                  enum hone__extent extent);
  /* One sample of this many calls, per call; what must be done before it is not timed. */
  bool (*sample)(struct hone__trial *trial, size_t index, uint64_t repeats, double *out_ns);
  /* After it: whether what is there is the candidate's own first answer, to this extent; in sets
   * from look->set on. */
  bool (*inspect)(struct hone__trial *trial, size_t index, uint64_t repeats,
                  enum hone__extent extent, struct hone__look *look);
  /* How many calls make a sample, given what one takes: record->repeats. */
  bool (*calibrate)(struct hone__trial *trial, size_t index, double call_ns);
  /* In a row all the others ran since: how many calls are made before it is timed, so that caches
   * are as the sample before leaves them. NULL: none. */
  uint64_t (*cools_down)(const struct hone__trial *trial, size_t index);
  /* One call whose inputs were written right before it: contents that it knows, or such as no call
   * before had. It is not checked. */
  bool (*call_anew)(struct hone__trial *trial, size_t index, bool is_known, double *out_ns);
  /* After the samples: what else is worth knowing (trial_remarks.h), as text into the report's
   * `remarks`. NULL: nothing. */
  void (*remark)(struct hone__trial *trial);
};

extern const struct hone__engine hone__engine_c;

/* The candidate failed, and why; always false. */
bool hone__record_fail(struct hone__record *record, enum hone_outcome outcome, const char *format,
                       ...) __attribute__((format(printf, 3, 4)));

#endif
