/* store.h - everything that was ever measured, in one SQLite file.
 *
 * Each call is one transaction of one writer: what was acknowledged is there after a kill -9.
 * Several processes may use a file at once. The file is WAL on local file systems and DELETE
 * elsewhere; synchronous NORMAL, with a checkpoint at hone__store_sync. Migrations are numbered
 * (PRAGMA user_version); a file of a newer version, a foreign or a damaged file is refused by name
 * and left as it is.
 */
#ifndef HONE_STORE_STORE_H
#define HONE_STORE_STORE_H

#include "base/names.h"
#include "base/status.h"
#include "base/outcome.h"

struct hone_store;

/* NULL: $HONE_STORE, else $XDG_DATA_HOME/hone/hone.db, else ~/.local/share/hone/hone.db; folders
 * are made. Lent for ever. NULL if HOME is not set either: opening says what to do. */
const char *hone__store_path(const char *path);
hone_status hone__store_open(const char *path, bool read_only, struct hone_store **out_store);
void hone__store_close(struct hone_store *store);
hone_status hone__store_sync(struct hone_store *store);
/* Its file was deleted, replaced or truncated: a write has failed with a message that says so and
 * names the new file with all that was rescued. Every further one fails with the same. */
bool hone__store_is_lost(const struct hone_store *store);

/* ---- Runs: one problem of one spec, tuned once ---- */

struct hone__store_run_record {
  int64_t id;      /* 0: new */
  const char *key; /* digest of all that decides what the run does: the same command has it */
  /* digest of what is tuned, and where: kernel, problem, arguments and checks, machine; not the
   * space, and not how it is searched */
  const char *problem_key;
  const char *name; /* of the spec */
  const char *spec; /* path, absolute */
  const char *problem;
  const char *command;     /* that resumes it, for a shell */
  const char *options;     /* JSON, for people */
  const char *environment; /* JSON: host, CPU, kernel, compiler, hone: the fingerprint's content */
  const char *fingerprint; /* its digest */
  const char *space;       /* number of legal configurations, as text */
  const char *part;        /* "2/3" of all legal ones; NULL: all of them */
  const char *strategy;
  uint64_t seed;
  bool checked;        /* answers were compared */
  const char *answers; /* with what: a name of check/answers.h; NULL: an older version's run */
  bool is_fresh;       /* it takes no times of earlier runs; of a reopened one: as it was begun */
  bool reopens;        /* a finished run with this key is continued too */
  bool is_locked;      /* the caller has the key's lock (run_lock.h): no other process makes it */
  int64_t driver_pid;  /* while it runs; with `host` tells a stale run */
  const char *host;
  const char *imported; /* the file of another tuner that it was read from; NULL: it was measured */
};
/* Makes the run. If the newest run with this key is unfinished, be it interrupted or failed, that
 * one is reopened instead (its evaluations stay), unless this one is fresh. *out_resumed: it was
 * there. Without the lock, where another living process has it: UNAVAILABLE, with pid and host. */
hone_status hone__store_run_begin(struct hone_store *store, struct hone__store_run_record *run,
                                  bool *out_resumed);
/* The newest run with this key if it is finished, else 0: an unfinished one is resumed. */
hone_status hone__store_run_finished(struct hone_store *store, const char *key, int64_t *out_run);

/* The newest run with this key, whatever its state; 0: there is none. */
hone_status hone__store_run_newest(struct hone_store *store, const char *key, int64_t *out_run);
/* The newest finished run of the whole space with this problem_key that has a verdict, else 0. */
hone_status hone__store_run_of_problem(struct hone_store *store, const char *problem_key,
                                       int64_t *out_run);

struct hone__store_run_maker {
  int64_t run; /* 0: none with this key is running */
  int64_t pid;
  char host[128];
  char since[32];    /* "2026-11-16 18:00:03", in UTC; "": not known */
  uint64_t done;     /* evaluations that the run has so far */
  bool is_elsewhere; /* it is another process of this host, and lives */
};
/* Who makes the newest run with this key. */
hone_status hone__store_run_maker(struct hone_store *store, const char *key,
                                  struct hone__store_run_maker *out_maker);

struct hone__store_run_result {
  enum hone_run_state state;
  enum hone_verdict verdict;
  const char *why;               /* of the verdict or failure, one sentence */
  const char *baseline, *winner; /* configurations; NULL: none */
  double speedup, low, high;     /* of the winner, from confirmation only; NaN: none */
  double confidence;             /* of low..high: 0.95 */
  int64_t pairs, restarts;
  double drift;      /* last / first baseline - 1; NaN */
  double wall_s;     /* since it was begun or reopened; the store adds them up */
  const char *notes; /* JSON list of sentences */
  /* How devices were used while candidates were screened, of the last session that did so: JSON
   * {"devices", "wall_s", "ended_s", "busy_s", "idle_s", "idle_ready_s", "overlap"}; NULL: none
   * did. */
  const char *screening;
  /* Devices on which the times of the baseline fall into two groups: a JSON list of {"device",
   * "low_ns", "high_ns", "of", "high_count", "count"}; NULL: there is none. */
  const char *two_groups;
  /* JSON {"devices": [{"device", "name", "family", "driver"}], "compiler": its version}; NULL: it
   * is not known. CPUs are in the environment. */
  const char *devices;
};
hone_status hone__store_run_finish(struct hone_store *store, int64_t run,
                                   const struct hone__store_run_result *result);
/* With its samples. */
hone_status hone__store_evaluation_delete(struct hone_store *store, int64_t evaluation);
/* Replaces `devices` of a run. */
hone_status hone__store_run_devices(struct hone_store *store, int64_t run, const char *devices);
/* One line of the record that `hone show --log` prints, with the time. */
hone_status hone__store_log(struct hone_store *store, int64_t run, const char *line);

/* ---- Jobs: what workers did, and when ---- */

enum hone__stored_job_kind {
  HONE__STORED_JOB,    /* from its start to its end */
  HONE__STORED_JOINED, /* a worker came; no duration */
  HONE__STORED_LEFT    /* it was lost, or is not used any more */
};
struct hone__stored_job {
  enum hone__stored_job_kind kind;
  int64_t worker;         /* its number in the run */
  enum hone_phase phase;  /* of a job; NONE: another */
  double began_s, took_s; /* since the run began, without the time between its sessions */
  enum hone_outcome outcome;
  bool is_requeued;  /* it was given to a worker once more */
  int64_t candidate; /* evaluations.asked; of a sweep, mesh_idx + 1; 0: none */
};
struct hone__stored_worker {
  int64_t number;          /* from 1 */
  const char *role;        /* "run" or "build" */
  const char *name, *host; /* host may be NULL */
};
struct hone__stored_totals {
  uint64_t jobs;  /* and joins and losses */
  int64_t last;   /* their highest number; 0: there is none */
  double until_s; /* the end of the last */
};
/* The same worker again has the same number. */
hone_status hone__store_worker_put(struct hone_store *store, int64_t run,
                                   const struct hone__stored_worker *worker, int64_t *out_number);
/* In one transaction, numbered from `first` on. */
hone_status hone__store_jobs_add(struct hone_store *store, int64_t run, int64_t first,
                                 const struct hone__stored_job *jobs, size_t count);
hone_status hone__store_job_totals(struct hone_store *store, int64_t run,
                                   struct hone__stored_totals *out_totals);
/* Lent during the visit; in order of their numbers. */
typedef void hone__stored_job_visit(void *data, const struct hone__stored_job *job);
hone_status hone__store_jobs(struct hone_store *store, int64_t run, hone__stored_job_visit *visit,
                             void *data);
typedef void hone__stored_worker_visit(void *data, const struct hone__stored_worker *worker);
hone_status hone__store_workers(struct hone_store *store, int64_t run,
                                hone__stored_worker_visit *visit, void *data);

/* ---- Evaluations: one configuration in one run, on one device ---- */

struct hone__samples {
  enum hone_phase phase; /* BASELINE, SCREEN, RACE or CONFIRM */
  int64_t restart;       /* number of the runner process within the run, for confirm */
  const double *times_ns;
  const double *baseline_ns; /* taken in pairs with these, or NULL */
  size_t count;
  const char *facts; /* JSON: cpu_ns, forced_switches, cpu, repeats ...; or NULL */
};

struct hone__evaluation {
  int64_t id;
  const char *config; /* "BM=64,BN=32" */
  bool is_baseline;
  const char *candidate_key; /* before the build */
  const char *measure_key;   /* after it: object, call, check, measure, device; NULL: not built */
  const char *object;        /* digest, or NULL */
  const char *device;        /* "c:0", or NULL: it was not run */
  enum hone_outcome outcome;
  const char *evidence;
  const char *command; /* that reproduces it: hone run ... */
  int tries;
  /* build */
  double compile_s; /* NaN: none */
  bool cached;      /* the object came from the cache */
  const char *warnings;
  const char *deps; /* JSON [["path", "digest"], ...] */
  /* measurement: NaN where there is none */
  double time_ns;     /* median of screen samples */
  double baseline_ns; /* of the nearest reading on this device */
  double cold_ns, cap_ns;
  const char *metrics; /* JSON {"GFLOP/s": 12.3}, or NULL */
  /* The output of a program: JSON {"spec", "params": [["$x", "0"], ...], "columns": [...], "rows":
   * [[...], ...], "files": [rows of the first, ...], "stdout", "stderr", "build_output", "costs":
   * {what the compiler told of what was built}, "texts": {those of the spec, for this
   * configuration}}, without what there is not; or NULL. Cells are numbers or texts. */
  const char *output;
  const char *suspicious; /* why its time is implausible; NULL: it is not */
  int64_t mesh_idx;       /* of a sweep, where a configuration may stand twice; -1: none */
  int64_t asked;          /* number in the order in which the search asked, from 1; 0: it did not */
  int64_t same_as;        /* evaluation with the same object, whose times these are; 0 */
  int64_t reused_from;    /* evaluation of an earlier run, whose times these are; 0 */
  const struct hone__samples *samples;
  size_t sample_count;
};
/* A configuration is there once in a run: adding it again replaces outcome and numbers and adds the
 * samples. */
hone_status hone__store_evaluation_put(struct hone_store *store, int64_t run,
                                       struct hone__evaluation *evaluation);
hone_status hone__store_samples_add(struct hone_store *store, int64_t evaluation,
                                    const struct hone__samples *samples);

struct hone__confirmation { /* of a finalist: from pairs of fresh samples alone */
  enum hone_verdict verdict;
  double speedup, low, high;
  int64_t pairs, restarts;
  double time_ns, baseline_ns;
  const char *metrics; /* JSON, of this time; NULL: those of screening stay */
};
hone_status hone__store_confirm(struct hone_store *store, int64_t evaluation,
                                const struct hone__confirmation *confirmation);

/* Why its time is implausible, where only the confirmation shows it. */
hone_status hone__store_suspect(struct hone_store *store, int64_t evaluation, const char *why);

/* Metrics that belong to a later measurement. */
hone_status hone__store_metrics(struct hone_store *store, int64_t evaluation, const char *metrics);

/* Visits; the evaluation is lent, its samples are not loaded. Stops when visit says false. */
typedef bool hone__evaluation_visit(void *data, const struct hone__evaluation *evaluation);
hone_status hone__store_evaluations(struct hone_store *store, int64_t run,
                                    hone__evaluation_visit *visit, void *data);
/* Of all runs, newest first: those with this candidate_key / measure_key whose outcome says
 * something about the candidate (blame CANDIDATE or NOBODY but killed). */
hone_status hone__store_by_candidate_key(struct hone_store *store, const char *key,
                                         hone__evaluation_visit *visit, void *data);
hone_status hone__store_by_measure_key(struct hone_store *store, const char *key,
                                       hone__evaluation_visit *visit, void *data);

/* ---- Several stores as one ---- */

struct hone__store_merged {
  uint64_t added; /* runs that were not there */
  uint64_t grown; /* runs that have gone on since they were merged */
  uint64_t known; /* runs that were there */
};
/* Copies what the store in the file `from` has and this one has not. Runs get other numbers; the
 * same run is not there twice, however often it is merged. */
hone_status hone__store_merge(struct hone_store *store, const char *from,
                              struct hone__store_merged *out_merged);

/* ---- What was best before ---- */

struct hone__past_run {
  int64_t id;
  const char *spec, *problem;
  const char *options; /* JSON, as in the record; or NULL */
  bool is_imported;
};
struct hone__past_best {
  const char *config;
  const char *device; /* or NULL */
};
/* Those of specs with this name, be they finished or not, the newest first; stops when visit says
 * false. The run is lent, and the visitor leaves the store alone. */
typedef bool hone__past_run_visit(void *data, const struct hone__past_run *run);
hone_status hone__store_past_runs(struct hone_store *store, const char *name,
                                  hone__past_run_visit *visit, void *data);
/* The best configurations of a run, at most that many: its winner, then what was proven to be
 * faster than the baseline, then by the times of screening; the baseline is among them. */
typedef void hone__past_best_visit(void *data, const struct hone__past_best *best);
hone_status hone__store_best_of(struct hone_store *store, int64_t run, size_t most,
                                hone__past_best_visit *visit, void *data);

/* ---- Seeds: configurations of IREE's operations that were imported ---- */

struct hone__store_seed {
  const char *operation;        /* in words */
  const char *matcher;          /* lines of a tuning spec that match %arg0 */
  const char *compilation_info; /* texts; "" without */
  const char *decomposition_config;
  const char *source; /* the file that it came from */
};
/* The same once more is not another seed. */
hone_status hone__store_seed_put(struct hone_store *store, const struct hone__store_seed *seed);
/* The newest first; the seed is lent. Stops when visit says false. */
typedef bool hone__store_seed_visit(void *data, const struct hone__store_seed *seed);
hone_status hone__store_seeds(struct hone_store *store, hone__store_seed_visit *visit, void *data);

#endif
