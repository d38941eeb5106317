/* candidate.h - one configuration on its way: described, built, measured, recorded.
 *
 *   hone__candidate_new
 *   hone__candidate_known_by_key: perhaps the store has its evaluation already
 *   hone__candidate_build, or hone__candidate_built_before: it has an object now
 *   hone__candidate_known_by_object: perhaps an equal object was measured
 *   hone__candidate_measure, hone__candidate_take_times
 *   hone__candidate_free
 * What becomes of it is in its evaluation, which hone__candidate_record puts into the store.
 */
#ifndef HONE_TUNE_CANDIDATE_H
#define HONE_TUNE_CANDIDATE_H

#include "backend/task.h"
#include "base/digest.h"
#include "pool/pool.h"
#include "store/store.h"

struct hone__tuning;

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
  struct hone__tuning *tuning;
  uint32_t *row;
  char *config;
  json_t *json; /* of the backend */
  bool is_baseline;
  /* once built */
  char object[HONE__DIGEST_SIZE];
  char measure_key[HONE__DIGEST_SIZE];
  void *bytes;
  size_t size;
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
hone_status hone__candidate_new(struct hone__tuning *tuning, const uint32_t *row,
                                struct hone__candidate **out_candidate);
void hone__candidate_free(struct hone__candidate *candidate);
/* How the object is called: a part of every key of what comes of it. */
void hone__candidate_digest_call(const json_t *candidate, struct hone__digester *digester);
/* Makes the measure key for this device. */
void hone__candidate_set_site(struct hone__candidate *candidate, size_t site);
/* What a time costs, which is the time or what the spec's objective makes of it, as a ratio to that
 * of a time of the baseline: above 0, and less is better. NaN: one of them costs nothing known. */
double hone__tuning_cost_ratio(const struct hone__tuning *tuning, const uint32_t *row,
                               double time_ns, double baseline_ns);
/* The spec's metrics of a time, as JSON; lent until the candidate is freed. */
const char *hone__candidate_metrics(struct hone__candidate *candidate, double time_ns);
/* `hone run ...`, which shows this candidate alone; lent. */
const char *hone__candidate_command(struct hone__candidate *candidate);

/* ---- what it said (program_output.c) ---- */
/* As the evaluation's `output`: its part of a runner's reply, or the head of a builder's; either
 * may be NULL. */
void hone__candidate_output(struct hone__candidate *candidate, const json_t *run,
                            const json_t *build);
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

/* ---- its first times (measuring.c) ---- */
/* Sends it to a device, whose measure key it has; `done` gets the reply. */
typedef void hone__measure_done(struct hone__candidate *candidate, size_t site,
                                const struct hone__reply *reply);
void hone__candidate_measure(struct hone__candidate *candidate, size_t site,
                             hone__measure_done *done);
/* The device's reply into the candidate, which is to be recorded then. */
void hone__candidate_take_times(struct hone__candidate *candidate, size_t site,
                                const struct hone__reply *reply);

/* ---- the best so far is checked once more (checking.c) ---- */
/* True if it would be the best so far, and answers are checked. */
bool hone__candidate_would_lead(const struct hone__candidate *candidate);
/* Sends it to the device again, where more of its calls are checked than in screening. */
void hone__candidate_check(struct hone__candidate *candidate, size_t site,
                           hone__measure_done *done);
/* What the check found, into the candidate, which is to be recorded then. */
void hone__candidate_take_check(struct hone__candidate *candidate, const struct hone__reply *reply);

/* ---- what becomes of it (record.c) ---- */
/* True if this run has it already. */
bool hone__tuning_knows(const struct hone__tuning *tuning, const char *config);
/* Puts the evaluation into the store alone: it is to be recorded later. */
void hone__candidate_keep(struct hone__candidate *candidate);
/* Records the evaluation, which may be in the store already; tells the search and the person. */
void hone__candidate_record(struct hone__candidate *candidate);
/* Of one that worked at first and failed later: hone__tuning_withdraw does more. */
void hone__candidate_record_failure(struct hone__candidate *candidate);
/* Of one that was measured once more: it is ranked anew. */
void hone__candidate_record_again(struct hone__candidate *candidate);
/* What is the best of the ranking, when the best so far is no longer in it. */
void hone__tuning_seek_best(struct hone__tuning *tuning);
/* Counts and ranks what this run recorded in an earlier session, and tells the search. */
void hone__tuning_take_up(struct hone__tuning *tuning, const uint32_t *row,
                          const struct hone__evaluation *evaluation);

/* ---- what is known already (recall.c) ---- */
/* Takes up an evaluation that this run made before it was interrupted; false: it does not hold any
 * more. */
bool hone__tuning_recall(struct hone__tuning *tuning, const uint32_t *row,
                         const struct hone__evaluation *evaluation);
/* True if the store, or an equal object in this run, has the answer: it is in the evaluation then.
 */
bool hone__candidate_known_by_key(struct hone__candidate *candidate);
bool hone__candidate_known_by_object(struct hone__candidate *candidate, size_t site);

#endif
