/* candidate.h - one configuration: described, built, measured, recorded.
 *
 *   hone__candidate_new
 *   hone__candidate_build, or hone__candidate_built_before: it has an object now
 *   hone__run_job with it (jobs.h): it has times now
 *   hone__candidate_put, hone__candidate_report_outcome
 *   hone__candidate_free
 *
 * Its evaluation holds the outcome.
 */
#ifndef HONE_SESSION_CANDIDATE_H
#define HONE_SESSION_CANDIDATE_H

#include "backend/task.h"
#include "base/digest.h"
#include "pool/pool.h"
#include "store/store.h"
#include "wire/candidate_head.h"

struct hone__session;

#define HONE__NO_SITE SIZE_MAX

enum hone__candidate_stage {                           /* see underway.h */
                             HONE__CANDIDATE_UNBUILT,  /* it has to be built */
                             HONE__CANDIDATE_READY,    /* it is built */
                             HONE__CANDIDATE_MEASURED, /* a device has it */
                             HONE__CANDIDATE_SETTLED   /* its evaluation has the outcome */
};

struct hone__reading { /* a recent reading of the baseline on one device */
  double last_ns, least_ns;
  double noise;     /* how much readings differ, as a share */
  bool is_unsteady; /* the last two readings differ by much */
};

struct hone__bound { /* limits of a candidate on a device; 0: no limit */
  double cap_ns;     /* above it, the outcome is `slow` */
  double cut_ns;     /* above it, one sample suffices */
  bool is_unsteady;  /* the baseline there, as far as the search knows */
};

struct hone__counted { /* by a profiler, in one call; 0 or NaN: not known */
  double flop, bytes;
};

struct hone__candidate { /* one configuration */
  struct hone__session *session;
  uint32_t *row;
  char *config;
  struct hone__packed *packed;           /* in the backend's format */
  struct hone__wire_candidate_head head; /* decoded from `packed` */
  bool is_baseline;
  /* after the build */
  char object[HONE__DIGEST_SIZE];
  char measure_key[HONE__DIGEST_SIZE];
  void *bytes;
  size_t size;
  struct hone__named *costs; /* reported by the compiler; NULL: none */
  size_t cost_count;
  struct hone__task_energy energy;
  struct hone__counted counted;
  double least_ns; /* shortest sample of screening, because disturbances only add time; 0: none */
  double taken_at; /* in screening: by the session's clock */
  size_t site;     /* where it was timed, or HONE__NO_SITE; and the baseline there at that time */
  struct hone__reading reading;
  bool may_lead;                      /* it beat the best at that time: it may have to be checked */
  bool is_kept;                       /* the store has the present evaluation */
  struct hone__samples samples;       /* of screening; those of the evaluation */
  struct hone__evaluation evaluation; /* `texts` owns its texts */
  struct hone__arena texts;
  unsigned losses;            /* workers lost while it was measured */
  bool is_filtered;           /* by the host, after its build: it is new in this search */
  const char *rejection;      /* why the host's filter rejects it; in `texts`; NULL: it does not */
  const char *doubt;          /* why its first time is not plausible; in `texts`; NULL: it is */
  bool is_doubled;            /* it is measured a second time because of `doubt` */
  double build_s, measure_s;  /* duration of its jobs, as reported by the workers; NaN: no job */
  struct hone__bound *bounds; /* by site; NULL: not set yet */
  enum hone__candidate_stage stage;
  uint64_t number; /* in the order of the search */
  struct hone__candidate *next;
};

/* ---- candidate.c ---- */
hone_status hone__candidate_new(struct hone__session *session, const uint32_t *row,
                                struct hone__candidate **out_candidate);
void hone__candidate_free(struct hone__candidate *candidate);
/* Sets the backend's message; takes it over. */
hone_status hone__candidate_take(struct hone__candidate *candidate, struct hone__packed *packed);
/* The spec's metrics for a time, as JSON; lent until the candidate is freed. */
const char *hone__candidate_metrics(struct hone__candidate *candidate, double time_ns);
/* The `hone run ...` command that runs this candidate alone; lent. */
const char *hone__candidate_command(struct hone__candidate *candidate);

/* ---- the host's filter (rejection.c) ---- */
/* False: the host rejects it, and its evaluation says so. `costs` are those of its build, or NULL.
 */
bool hone__candidate_admit(struct hone__candidate *candidate, enum hone_stage stage,
                           const struct hone__named *costs, size_t cost_count);

/* ---- its output (kept_output.c) ---- */
/* Sets the evaluation's `output` from its part of a runner's reply, or from a builder's reply;
 * either may be NULL. */
void hone__candidate_output(struct hone__candidate *candidate,
                            const struct hone__wire_candidate_result *run,
                            const struct hone__wire_build_reply *build);
/* Copies the output of another candidate with the same answer. */
void hone__candidate_copy_output(struct hone__candidate *candidate, const char *from);

/* ---- its object (building.c) ---- */
/* Submits a build; `done` gets the candidate when it is built, or when its evaluation has the
 * failure.
 */
typedef void hone__candidate_done(struct hone__candidate *candidate);
void hone__candidate_build(struct hone__candidate *candidate, hone__candidate_done *done);
/* The same for one whose evaluation is known: its object comes from the cache. */
void hone__candidate_build_again(struct hone__candidate *candidate, hone__candidate_done *done);
/* Builds that are available to others at most. */
size_t hone__session_most_kept(const struct hone__session *session);
/* True if an equal build is available; the candidate then has its object. */
bool hone__candidate_built_before(struct hone__candidate *candidate);
/* Stores a builder's reply in the candidate; false: it failed, and its evaluation has the reason.
 */
bool hone__candidate_built(struct hone__candidate *candidate, const struct hone__reply *reply);
/* Whether both have the same object and differ only in their call. */
bool hone__candidate_is_built_like(const struct hone__candidate *candidate,
                                   const struct hone__candidate *other);
/* Frees the bytes of its object. */
void hone__candidate_drop_object(struct hone__candidate *candidate);

/* Adds the duration of a job to the candidate. */
void hone__candidate_note_build(struct hone__candidate *candidate, const struct hone__reply *reply);
void hone__candidate_note_measuring(struct hone__candidate *candidate,
                                    const struct hone__reply *reply);

/* ---- what becomes of it (recording.c) ---- */
/* Writes the evaluation to the store, with its metrics and its command. False: there is nothing to
 * store, or the store failed. */
bool hone__candidate_put(struct hone__candidate *candidate);
/* Emits the event of a result or a failure; `program_output`: the output of its program, or NULL.
 */
void hone__candidate_report_outcome(struct hone__candidate *candidate, const char *program_output);

#endif
