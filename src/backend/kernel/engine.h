/* engine.h - how candidates are executed: on this CPU, or on a device.
 *
 * The sampler decides which steps run in which order; an engine carries them out. `add`, `forget`
 * and `execute` run in the runner, all others in the process of the candidates, on one thread.
 * There a method that returns false has put the reason into the candidate's record; if the process
 * is no longer usable it has also set `broken` in the report.
 */
#ifndef HONE_BACKEND_KERNEL_ENGINE_H
#define HONE_BACKEND_KERNEL_ENGINE_H

#include "backend/kernel/trial.h"

enum hone__extent { HONE__NOTHING, HONE__SPOTS, HONE__WHOLE };

struct hone__look { /* at the answers of a sample */
  enum {
    HONE__LOOK_SAME,     /* equal to the candidate's first answer, bit by bit */
    HONE__LOOK_OTHER,    /* it may still be right */
    HONE__LOOK_UNWRITTEN /* an element is unchanged by the call: certainly wrong */
  } what;
  size_t set, content; /* unless it is the same: the set to look at, and what it was called with */
  size_t arg, element; /* that is not written */
};

struct hone__engine {
  /* Makes candidate->own, which `forget` releases. INVALID_SPEC: its values do not fit the
   * arguments. NULL: nothing is needed. */
  hone_status (*add)(struct hone__trial *trial, struct hone__trial_candidate *candidate);
  void (*forget)(struct hone__trial_candidate *candidate);
  /* Runs hone__sampler_run in another process; trial->end describes its end. If there is none:
   * HONE__CHILD_NOT_STARTED, with the reason in `output` or `code`. */
  void (*execute)(struct hone__trial *trial);

  /* The next trial runs in a new process. NULL: every trial does. */
  void (*renew)(struct hone__bench *bench);

  bool cannot_stop; /* no candidate without steps of the host can stop its process: another process
                       must have done it */
  double
      batched_ns; /* shorter calls are timed in batches: the time of a single one is not a sample */
  bool calls_are_samples; /* a `call` is timed as a `sample` of one call is */

  bool (*load)(struct hone__trial *trial, size_t index);
  /* Also after a load that failed. NULL: the process ends soon. */
  void (*unload)(struct hone__trial *trial, size_t index);
  /* Resets inputs, poisons outputs, restores guard zones. `used`: a candidate has run before. */
  bool (*restore)(struct hone__trial *trial, size_t index, bool used);
  /* Restores inputs that it wrote to, and records the first of them. */
  bool (*restore_inputs)(struct hone__trial *trial, size_t index);
  bool (*guards_hold)(struct hone__trial *trial, size_t index);

  /* One call with the arguments of `set`, without preparation; in ns. After `restore`, set i holds
   * content i. */
  bool (*call)(struct hone__trial *trial, size_t index, size_t set, double *out_ns);
  /* Copies the present answer of a set. */
  bool (*snapshot)(struct hone__trial *trial, size_t index, size_t set, unsigned char *to);
  /* The present answer of a set is a first one: sets record->first_like if it equals one that need
   * not be copied. NULL: never. */
  bool (*recognise)(struct hone__trial *trial, size_t index, size_t set);
  /* Copies such an answer nevertheless. */
  bool (*recall)(struct hone__trial *trial, size_t index, size_t content);

  /* Changes the inputs of later calls: the first set, and the contents of the sets. Candidates of
   * one row share a turn; a failure counts against the active candidate. */
  bool (*turn)(struct hone__trial *trial, uint64_t turn);
  /* Before a sample: inout arguments as given; outputs poisoned to this extent. */
  bool (*arrange)(struct hone__trial *trial, size_t index, uint64_t repeats,
                  enum hone__extent extent);
  /* One sample of this many calls, per call; preparation is not timed. */
  bool (*sample)(struct hone__trial *trial, size_t index, uint64_t repeats, double *out_ns);
  /* After it: whether the outputs equal the candidate's first answer, to this extent; in sets from
   * look->set on. */
  bool (*inspect)(struct hone__trial *trial, size_t index, uint64_t repeats,
                  enum hone__extent extent, struct hone__look *look);
  /* Sets record->repeats, the calls of a sample, from the time of one. */
  bool (*calibrate)(struct hone__trial *trial, size_t index, double call_ns);
  /* In a row all the others ran since: the number of untimed calls before it, so that caches are as
   * after the previous sample. NULL: none. */
  uint64_t (*cools_down)(const struct hone__trial *trial, size_t index);
  /* One call whose inputs were written directly before it: known contents, or new ones. It is not
   * checked. */
  bool (*call_anew)(struct hone__trial *trial, size_t index, bool is_known, double *out_ns);
  /* One call of a pipeline, whose stages are timed one by one: adds to the times of their names. */
  bool (*time_stages)(struct hone__trial *trial, size_t index, double *stage_ns);
  /* After the samples: writes other findings (trial_remarks.h) as text into the report's `remarks`.
   * NULL: none. */
  void (*remark)(struct hone__trial *trial);
};

extern const struct hone__engine hone__engine_c;

/* The candidate failed, and why; always false. */
bool hone__kernel_record_fail(struct hone__kernel_record *record, enum hone_outcome outcome,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
