/* tuning.h - one problem being tuned: what the stages of a session share.
 *
 * A stage submits jobs and waits in hone__tuning_wait, which runs the loop; replies come to the
 * stage's own callbacks. Everything that was learned is in the store before the next reply is
 * looked at. Two flags end a run early: `stopping` (a signal, or the budget: ask no more, confirm
 * what can be confirmed) and `aborting` (a second signal, or a store that fails: leave at once).
 */
#ifndef HONE_TUNE_TUNING_H
#define HONE_TUNE_TUNING_H

#include "backend/device_choice.h"
#include "check/answers.h"
#include "search/search.h"
#include "store/run_lock.h"
#include "tune/candidate.h"
#include "tune/patience.h"
#include "tune/readings.h"

#include <math.h>

struct hone__site { /* a device, with its own baseline */
  bool usable;
  bool is_away;   /* without a worker while others have one: left out until it is back */
  bool is_unread; /* its worker is there, and has never timed the baseline */
  char *device, *fingerprint, *why; /* why not usable */
  json_t *facts;
  double first_ns, last_ns;            /* readings of the baseline; NaN: none */
  double recent_ns[3];                 /* the last three, of which last_ns is the median */
  double least_ns, recent_least_ns[3]; /* the same of their shortest samples */
  struct hone__readings history;
  double usual_step;                  /* of these, when candidates were last ranked */
  unsigned readings, failed_readings; /* failed ones in a row */
  unsigned since_reading;             /* candidates that were sent there */
  double reading_s;                   /* what the last one took; 0: not known */
  struct hone__reading told;          /* the one that the search may know of */
  int64_t evaluation;                 /* of the baseline on this device */
  double cold_ns;
};

enum hone__tried { HONE__UNTRIED, HONE__RACED, HONE__CONFIRMED };

struct hone__ranking { /* a candidate that works, as screening and then the race saw it */
  uint32_t *row;
  char *config;
  int64_t evaluation;
  double time_ns, baseline_ns;
  double sample_ns; /* what it takes to get one: of a program the whole run */
  double ratio;     /* of costs, candidate to baseline */
  double doubt;     /* |ln| that the ratio may be wrong by, because the baseline's time changed */
  double rank_ns, rank_baseline_ns; /* what the ratio of screening is made of */
  double taken_at;                  /* hone__clock; NaN: in an earlier session, or another run */
  size_t site;
  double cap_ns;  /* that it was measured under; NaN: none */
  bool is_slow;   /* it was not timed to the end */
  bool is_double; /* one with the same object stands before it */
  enum hone__tried tried;
  struct hone__energy energy;
  double values[HONE__MOST_OBJECTIVES]; /* less is better; NaN: none */
  bool leads;                           /* it goes before better ones: of the Pareto set */
  const char *suspicious;               /* as in its evaluation */
  char key[HONE__DIGEST_SIZE];          /* of measuring: equal ones are the same thing */
};

struct hone__built { /* an object that was built lately */
  char key[HONE__DIGEST_SIZE];
  char object[HONE__DIGEST_SIZE];
  void *bytes;
  size_t size;
  char *deps;
  json_t *costs; /* NULL: none are known */
};

struct hone__case { /* what one run is about */
  size_t problem;
  uint64_t shape; /* or HONE_ALL_SHAPES: the spec has none */
  bool is_sweep;
};

struct hone__failing { /* builds so far, as long as all of them fail alike (failing.h) */
  char *kind;          /* of their message; NULL: none yet */
  unsigned count;
  bool is_over;
};

struct hone__knobs;
struct hone__search_set;

struct hone__first_rows { /* that a search begins with */
  uint32_t *rows;
  size_t count;
  const char *origins; /* "M=512 on c:0, ...": where they were best; of `before` */
};

struct hone__told;
struct hone__held_answers { /* for the search, the first first */
  bool are_held;
  struct hone__told *told;
  size_t count, capacity;
};

struct hone__tuning {
  const struct hone_tune_options *options;
  struct hone__case which;
  struct hone_space *space;
  struct hone__task task;
  struct hone_store *store;
  struct hone__run_record run;
  struct hone__run_lock lock; /* while this process makes the run */
  const char *machine;        /* whose times these are: host, processor, CPUs */
  bool resumed;
  bool answered;    /* a finished run in the store is this one */
  const char *deps; /* that were looked at last */
  struct hone__arena arena;
  uv_loop_t loop;
  uv_timer_t clock; /* wakes the loop for budgets and progress */
  uv_signal_t signals[3];
  int signal_count;
  bool stopping, aborting, interrupted;
  double started, stop_at; /* stop_at: end of the budget, then of the grace; INFINITY */
  double budget_s;         /* of the search; 0: none was given */
  hone_status failure;     /* why it is aborting; NULL: a person wanted it */

  const char *devices;        /* that `all` stands for; NULL: as the options say, or the setup */
  struct hone__message setup; /* of the backend */
  char setup_key[HONE__DIGEST_SIZE];
  char reference_key[HONE__DIGEST_SIZE]; /* of its object; "" if it is none */
  struct hone__pool *builders, *runners;
  struct hone__site *sites;
  size_t site_count;
  bool overlap;
  double call_timeout_s, build_timeout_s;
  bool timeout_given;
  uint64_t forced_switches, readings; /* of baselines: contention */
  struct hone__comparisons {          /* of answers, after the first calls */
    uint64_t samples, whole;
    double whole_ns,
        sample_ns; /* what one in whole takes, and its sample: the first that was told */
  } comparisons;
  uint64_t jobs;  /* that runners were given */
  bool may_reuse; /* results of earlier runs */

  struct hone__candidate *baseline;
  bool baseline_failed;      /* it was run, and does not work */
  bool reference_failed;     /* likewise */
  bool reference_unloaded;   /* and was not called: it cannot be loaded */
  struct hone__knobs *knobs; /* what builds were given and what came of it; NULL: nothing yet */
  struct hone__failing failing;
  json_t *known;   /* config -> true: evaluated in this run already */
  json_t *objects; /* measure key -> {"evaluation", ...}: equal objects are measured once */

  struct hone__built built[4]; /* for candidates that differ only in what they are called with */
  size_t built_next;
  bool *built_unknown; /* by the spec's `built`: it was warned of; NULL: of none */

  struct hone__objective objectives[HONE__MOST_OBJECTIVES];
  size_t objective_count;                /* 1 at least */
  const struct hone__formula *objective; /* that is proven: a metric; NULL: time */
  bool maximise;
  const struct hone__strategy *strategy;
  struct hone__search_set *search; /* NULL: not opened yet */
  enum hone_search_effort effort;  /* HONE_EFFORT_AUTO: as long as the budget says */
  bool budget_given;
  struct hone__patience patience;
  bool warm_start;
  struct hone__first_rows first, before; /* given by a person; good in earlier runs */
  struct hone__held_answers held_answers;
  uint64_t asked_before;         /* candidates, in earlier sessions of the run */
  struct hone__ranking *ranking; /* of all that work */
  size_t ranked, ranking_capacity;
  double best_ratio;         /* time / baseline of the best so far; the baseline's own is 1 */
  double told_ratio;         /* the same of what the search was told */
  double told_ns;            /* the best time that it was told of, of any device; INFINITY */
  uint64_t suspicious_count; /* results of this session that are too fast to be believed */

  unsigned screen_samples, finalists;
  double margin;
  uint64_t evaluations;                         /* at most; 0: no limit */
  void *stage;                                  /* of the stage that runs */
  void (*on_stop)(struct hone__tuning *tuning); /* called once when `stopping` is seen */
  /* The stage may start more: a device is back, or has nothing to do while a job waits. */
  void (*on_room)(struct hone__tuning *tuning);

  /* verdict */
  struct hone__run_result result;
  json_t *notes;
  json_t *screening; /* how devices were used, for the store; NULL: nothing was screened */

  /* for the status line */
  struct hone_event progress;
  double last_progress;
  uint64_t done_before; /* in earlier sessions of this run, or earlier phases of a sweep */
  double phase_began;
  const char *phase;
};

/* ---- opening (opening.c) ---- */
/* What device.* means for a spec, and which devices `all` are. */
hone_status hone__tuning_choose_device(const struct hone_spec *spec,
                                       const struct hone_tune_options *options,
                                       struct hone__device_choice *out_choice);
struct hone__cases { /* each of the problems that the options ask for, with each shape */
  const struct hone_spec *spec;
  const struct hone_tune_options *options;
  uint64_t shapes;
  size_t count; /* 0: a partition without shapes */
};
hone_status hone__cases_init(struct hone__cases *cases, const struct hone_spec *spec,
                             const struct hone_tune_options *options);
struct hone__case hone__cases_at(const struct hone__cases *cases, size_t i, bool is_sweep);
/* Space, task, settings, and the setup for workers; release it also after a failure. */
hone_status hone__tuning_open(struct hone__tuning *tuning, const struct hone_spec *spec,
                              const struct hone__case *which,
                              const struct hone_tune_options *options);
void hone__tuning_release(struct hone__tuning *tuning);
/* Another configuration becomes the baseline: the setup is described anew. */
hone_status hone__tuning_rebase(struct hone__tuning *tuning, const uint32_t *row);
hone_status
hone__tuning_settle(struct hone__tuning *tuning); /* settle.c: options, spec, defaults */

/* ---- answers (compared_with.c) ---- */
/* What they are compared with. */
enum hone__answers hone__tuning_answers(const struct hone__tuning *tuning);

/* ---- one process a run (claim.c) ---- */
/* Waits while another process makes a run of this key; with `no_wait`: UNAVAILABLE. */
hone_status hone__tuning_claim(struct hone__tuning *tuning);

/* ---- waiting (waiting.c) ---- */
hone_status hone__tuning_open_loop(struct hone__tuning *tuning);
void hone__tuning_close_loop(struct hone__tuning *tuning);
/* Runs the loop until `*pending` is 0, or the tuning aborts. */
void hone__tuning_wait(struct hone__tuning *tuning, const size_t *pending);
/* The same until it is no longer `seen`: some reply came. */
void hone__tuning_wait_change(struct hone__tuning *tuning, const size_t *pending, size_t seen);
/* After an abort: cancels every job and waits for the replies, so that nobody is called back later.
 */
void hone__tuning_abandon(struct hone__tuning *tuning, const size_t *pending);
/* Remembers a failure that ends the run; later ones are dropped. Takes the status over. */
void hone__tuning_fail(struct hone__tuning *tuning, hone_status status);
/* True if nothing new shall be begun. */
bool hone__tuning_over(struct hone__tuning *tuning);
double hone__tuning_left_s(const struct hone__tuning *tuning);

/* ---- workers (staff.c) ---- */
hone_status hone__tuning_open_builders(struct hone__tuning *tuning);
hone_status hone__tuning_open_runners(struct hone__tuning *tuning);
void hone__tuning_close_workers(struct hone__tuning *tuning);
/* Those to measure on, separated by commas. */
const char *hone__tuning_devices(const struct hone__tuning *tuning);

/* Devices that work. */
size_t hone__tuning_usable_sites(const struct hone__tuning *tuning);
/* UNAVAILABLE if there are none. */
hone_status hone__tuning_check_sites(const struct hone__tuning *tuning);

/* ---- telling people (notify.c) ---- */
void hone__tuning_phase(struct hone__tuning *tuning, const char *phase, uint64_t total);
void hone__tuning_progress(struct hone__tuning *tuning, bool now);
void hone__tuning_log(struct hone__tuning *tuning, const char *format, ...) HONE__PRINTF(2, 3);
void hone__tuning_say(struct hone__tuning *tuning, enum hone_event_kind kind, const char *format,
                      ...)
    HONE__PRINTF(3, 4); /* a note or warning: event, log, and in the report */

void hone__tuning_emit(struct hone__tuning *tuning, const struct hone_event *event);

/* What a runner noted beside its measuring; each note is told once. */
/* How many answers were compared for it. */
void hone__tuning_count_comparisons(struct hone__tuning *tuning, const struct hone__reply *reply);
void hone__tuning_remark(struct hone__tuning *tuning, size_t site, const struct hone__reply *reply);
/* Notes about the machine, before and after. */
void hone__tuning_begin_notes(struct hone__tuning *tuning);
void hone__tuning_end_notes(struct hone__tuning *tuning);

/* ---- the search (asking.c) ---- */
struct hone__search_options hone__tuning_search_options(const struct hone__tuning *tuning);
/* Once the devices are known; also what was best before is looked up. */
hone_status hone__tuning_open_search(struct hone__tuning *tuning);
/* The baseline is known before anything is asked for. */
void hone__tuning_tell_baseline(struct hone__tuning *tuning);
/* The candidate is NULL where it is none of this session (held_answers.c). */
void hone__tuning_tell(struct hone__tuning *tuning, const uint32_t *row,
                       const struct hone__evaluation *evaluation,
                       const struct hone__candidate *candidate);
/* The candidate's part of the time that passes: its build and its measuring, shared out among those
 * who work at once. NaN: not known. */
double hone__candidate_seconds(const struct hone__candidate *candidate);
/* Seconds that a worker worked for a reply; NaN: it did not say. */
double hone__reply_worked_s(const struct hone__reply *reply);
/* What a job took, for the candidate. */
void hone__candidate_note_build(struct hone__candidate *candidate, const struct hone__reply *reply);
void hone__candidate_note_measuring(struct hone__candidate *candidate,
                                    const struct hone__reply *reply);
/* Builds at once. */
size_t hone__tuning_most_builds(const struct hone__tuning *tuning);
/* How many are being built or wait to be measured before no more is begun. */
size_t hone__tuning_most_ahead(const struct hone__tuning *tuning);
/* What a search asks for depends on when it is told: it must not depend on time. */
bool hone__tuning_is_scheduled(const struct hone__tuning *tuning);
/* How many may be asked for before the first of them is answered, or, where that is done by turns,
 * in one turn: of a search that learns as few as keep all at work. `asked`: so many were. */
uint64_t hone__tuning_window(const struct hone__tuning *tuning, uint64_t asked);
uint64_t hone__tuning_turn(uint64_t asked);

/* ---- what is not worth more time (cutoff.c) ---- */
struct hone__reading hone__site_reading(const struct hone__site *site);
/* On this device, by what the search was told until now. */
struct hone__bound hone__tuning_bound(const struct hone__tuning *tuning, size_t at);
/* What it may take in screening, by what the search was told until now; unless it is settled. */
void hone__candidate_settle_bounds(struct hone__candidate *candidate);

/* ---- jobs for runners (jobs.c) ---- */
struct hone__run_request {
  const char *mode;  /* "screen" or "rows" */
  const char *phase; /* "baseline", "screen", "check", "race", "confirm"; NULL: none of these */
  struct hone__candidate *const *candidates;
  size_t count;
  int slot;
  bool check, late_check, restart, verbose;
  bool every; /* with `check`: those of all samples are compared in whole */
  unsigned samples, rows;
  double cap_ns, cut_ns, budget_s;
  uint64_t seed;
};
struct hone__job hone__run_job(struct hone__tuning *tuning,
                               const struct hone__run_request *request);
/* The i-th candidate's part of a reply. One that works has times that can be times, or is `slow`
 * without any: all else is BAD_RESULT. */
struct hone__run_part {
  bool is_given; /* else it is what became of the whole job */
  enum hone__outcome outcome;
  const char *evidence;
  double cold_ns;
  size_t samples, repeats;
};
struct hone__run_part hone__run_part(const struct hone__reply *reply, size_t i);
/* All that the runner said of it; lent, NULL: nothing. */
const json_t *hone__run_json(const struct hone__reply *reply, size_t i);
/* The first candidate's samples of a reply, for the store. */
struct hone__samples hone__run_samples(const struct hone__reply *reply, const char *phase);
void hone__run_samples_release(struct hone__samples *samples);
struct hone__energy hone__run_energy(const struct hone__reply *reply, size_t i);
/* As facts and metrics have it. */
struct hone__energy hone__energy_of(const json_t *object);
/* All times of a reply, aligned; free(). */
double *hone__run_times(const struct hone__reply *reply, size_t *out_count);
char *hone__run_facts(const struct hone__reply *reply, size_t i); /* JSON for the store; free() */

/* ---- stages ---- */
hone_status hone__tuning_baseline(struct hone__tuning *tuning); /* baseline.c: builds it, sets the
                                                                  runners up, first readings */
/* What a sweep needs of it: the reference is built, the runners are set up. */
hone_status hone__tuning_reference(struct hone__tuning *tuning);
void hone__tuning_set_up_builders(struct hone__tuning *tuning); /* before the first build */
/* A reading of the baseline on this device; *pending counts it until it is in. The first one makes
 * it usable. */
void hone__tuning_read_baseline(struct hone__tuning *tuning, size_t site, size_t *pending);
/* True where the baseline should be read before this candidate: after some candidates, sooner where
 * readings are cheap or differ. */
bool hone__tuning_wants_reading(const struct hone__candidate *candidate, size_t site);
void hone__tuning_last_readings(struct hone__tuning *tuning);
hone_status hone__tuning_screen(struct hone__tuning *tuning); /* screen.c */
hone_status
hone__tuning_contest(struct hone__tuning *tuning);           /* contest.c: race, confirm, verdict */
hone_status hone__tuning_sweep(struct hone__tuning *tuning); /* sweep.c: every configuration once */
/* Its name alone: a sweep asks nobody what comes next. */
extern const struct hone__strategy hone__strategy_sweep;

#endif
