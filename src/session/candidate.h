/* candidate.h - one configuration on its way: described, built, measured, recorded.
 *
 *   hone__candidate_new
 *   hone__candidate_build, or hone__candidate_built_before: it has an object now
 *   hone__run_job with it (jobs.h): it has times now
 *   hone__candidate_put, hone__candidate_tell_outcome
 *   hone__candidate_free
 * What becomes of it is in its evaluation.
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

enum hone__candidate_stand {                           /* see underway.h */
                             HONE__CANDIDATE_ASKED,    /* it has to be built */
                             HONE__CANDIDATE_READY,    /* it is built */
                             HONE__CANDIDATE_MEASURED, /* a device has it */
                             HONE__CANDIDATE_SETTLED   /* its evaluation says what became of it */
};

struct hone__reading { /* of the baseline, lately, on one device */
  double last_ns, least_ns;
  double noise;     /* how much readings differ, as a share */
  bool is_unsteady; /* the last two differ by much */
};

struct hone__bound { /* of a candidate on a device; 0: there is no limit */
  double cap_ns;     /* above it, it is `slow` */
  double cut_ns;     /* above it, one sample has to do */
  bool is_unsteady;  /* the baseline there, as far as the search was told */
};

struct hone__candidate { /* one configuration on its way */
  struct hone__session *session;
  uint32_t *row;
  char *config;
  struct hone__packed *packed;      /* of the backend */
  struct hone__candidate_head head; /* of it */
  bool is_baseline;
  /* once built */
  char object[HONE__DIGEST_SIZE];
  char measure_key[HONE__DIGEST_SIZE];
  void *bytes;
  size_t size;
  struct hone__named *costs; /* that the compiler told of; NULL: none */
  size_t cost_count;
  struct hone__energy energy;
  double least_ns; /* shortest sample of screening: disturbances only add; 0: none */
  double taken_at; /* of screening: hone__clock */
  size_t site;     /* where it was timed, or HONE__NO_SITE; and the baseline there, at that time */
  struct hone__reading reading;
  bool may_lead;                /* it was better than the best then: it may have to be checked */
  bool is_kept;                 /* the store has the evaluation as it is */
  struct hone__samples samples; /* of screening; the evaluation's */
  struct hone__evaluation evaluation; /* its texts belong to `texts` */
  struct hone__arena texts;
  unsigned losses;            /* of workers, while it was measured */
  const char *doubt;          /* why its first time is not believed; in `texts`, NULL: it is */
  bool is_doubled;            /* it is measured a second time because of that */
  double build_s, measure_s;  /* what its jobs took, as the workers say; NaN: there was none */
  struct hone__bound *bounds; /* by site; NULL: not settled yet */
  enum hone__candidate_stand stand;
  uint64_t number; /* in the order of asking */
  struct hone__candidate *next;
};

/* ---- candidate.c ---- */
hone_status hone__candidate_new(struct hone__session *session, const uint32_t *row,
                                struct hone__candidate **out_candidate);
void hone__candidate_free(struct hone__candidate *candidate);
/* What the backend makes of it; taken over. */
hone_status hone__candidate_take(struct hone__candidate *candidate, struct hone__packed *packed);
/* The spec's metrics of a time, as JSON; lent until the candidate is freed. */
const char *hone__candidate_metrics(struct hone__candidate *candidate, double time_ns);
/* `hone run ...`, which shows this candidate alone; lent. */
const char *hone__candidate_command(struct hone__candidate *candidate);

/* ---- what it said (kept_output.c) ---- */
/* As the evaluation's `output`: its part of a runner's reply, or a builder's reply; either may be
 * NULL. */
void hone__candidate_output(struct hone__candidate *candidate,
                            const struct hone__candidate_result *run,
                            const struct hone__build_reply *build);
/* What another one with the same answer said. */
void hone__candidate_copy_output(struct hone__candidate *candidate, const char *from);

/* ---- its object (building.c) ---- */
/* Sends a build; `done` gets the candidate when it is built, or when its evaluation says why not.
 */
typedef void hone__candidate_done(struct hone__candidate *candidate);
void hone__candidate_build(struct hone__candidate *candidate, hone__candidate_done *done);
/* True if an equal build is at hand, which the candidate has then. */
bool hone__candidate_built_before(struct hone__candidate *candidate);
/* A reply of the builders into the candidate; false: it failed, and its evaluation says why. */
bool hone__candidate_built(struct hone__candidate *candidate, const struct hone__reply *reply);
/* Both have the same object: they differ only in what it is called with. */
bool hone__candidate_is_built_like(const struct hone__candidate *candidate,
                                   const struct hone__candidate *other);
/* Its bytes are not needed any more. */
void hone__candidate_drop_object(struct hone__candidate *candidate);

/* What a job took, for the candidate. */
void hone__candidate_note_build(struct hone__candidate *candidate, const struct hone__reply *reply);
void hone__candidate_note_measuring(struct hone__candidate *candidate,
                                    const struct hone__reply *reply);

/* ---- what becomes of it (recording.c) ---- */
/* Puts the evaluation into the store, with its metrics and its command. False: nothing was learned,
 * nothing is to be stored, or the store failed. */
bool hone__candidate_put(struct hone__candidate *candidate);
/* Hands out the event of a result or a failure; `said`: what its program wrote, or NULL. */
void hone__candidate_tell_outcome(struct hone__candidate *candidate, const char *said);

#endif
