/* sweep.h - every configuration of a problem, built and run once: shared by the files of a sweep.
 *
 * An instance is a configuration, identified by its place in the mesh. Instances that need the same
 * binary share a build, and the build's number is its group in the schedule. Only the build's
 * number of an instance is kept: it is described again when it runs.
 */
#ifndef HONE_SWEEP_SWEEP_H
#define HONE_SWEEP_SWEEP_H

#include "session/session.h"
#include "sweep/sweep_schedule.h"

enum { HONE__SWEEP_MOST = 1000000 };
static const uint32_t HONE__NO_BUILD = UINT32_MAX; /* the instance was measured before */

struct hone__sweep_build {
  uint32_t first; /* the first instance that needs it, in mesh order */
  uint32_t left;  /* unfinished instances */
  bool succeeded;
  bool is_here; /* its bytes are in memory */
  char object[HONE__DIGEST_SIZE];
  void *bytes;
  size_t size;
  const char *deps, *warnings; /* deps: JSON; or NULL */
  double compile_s;
  bool cached;
};

struct hone__sweep {
  struct hone__session session; /* must stay first: a session of a sweep is cast to its sweep */
  uint32_t count;               /* instances */
  uint32_t *owner;              /* build of an instance, or HONE__NO_BUILD */
  struct hone__sweep_build *builds;
  size_t build_count, build_capacity;
  size_t bytes_here; /* of all builds */
  struct hone__schedule *schedule;

  size_t pending;                      /* jobs without a reply */
  size_t next_build, building;         /* next_build: all before it were started */
  size_t builds_ok, builds_failed;     /* of the builds needed */
  size_t missing;                      /* not in the cache (run_only) */
  size_t known;                        /* instances measured by an earlier session */
  struct hone__candidate **on_site;    /* the candidate on each device; NULL: none */
  unsigned char *losses;               /* lost workers, by instance */
  size_t outcomes[HONE_OUTCOME_COUNT]; /* of all instances, including earlier sessions */
  bool running;                        /* runs may start */
};

/* Opens space, task, settings, and the setup for workers; release it even after a failure
 * (sweep.c). */
hone_status hone__sweep_open(struct hone__sweep *sweep, const struct hone_spec *spec,
                             const struct hone__case *which,
                             const struct hone_tune_options *options);
void hone__sweep_release(struct hone__sweep *sweep);

/* Builds and runs all unknown instances (sweep_stage.c). */
hone_status hone__sweep_work(struct hone__sweep *sweep);

/* Lists the instances and their builds (sweep_list.c). EXHAUSTED: there are too many. */
hone_status hone__sweep_list(struct hone__sweep *sweep);
/* Puts them into a schedule, after the devices are known. */
void hone__sweep_fill_schedule(struct hone__sweep *sweep);
/* Calls `visit` with the backend's message for each configuration, in mesh order, until it returns
 * false. */
typedef bool hone__sweep_visit(void *data, uint32_t instance, const uint32_t *row,
                               const struct hone__packed *candidate);
hone_status hone__sweep_each(struct hone__session *session, hone__sweep_visit *visit, void *data);
/* The candidate's build key, or else its key. */
void hone__sweep_build_key(const struct hone__packed *candidate, char key[HONE__DIGEST_SIZE]);
/* The candidate of an instance; NULL after a failure, which ends the run. */
struct hone__candidate *hone__sweep_candidate(struct hone__sweep *sweep, uint32_t instance);

/* Output (sweep_words.c): lines of kbench that scripts depend on. */
void hone__sweep_report_scheduled(struct hone__sweep *sweep);
void hone__sweep_report_built(struct hone__sweep *sweep);
void hone__sweep_report_done(struct hone__sweep *sweep);
/* Instances with a result or a failure, including earlier sessions. */
size_t hone__sweep_finished(const struct hone__sweep *sweep);
void hone__sweep_progress(struct hone__sweep *sweep, bool now);

/* Records (sweep_record.c). */
struct hone__sweep_build *hone__sweep_build_of(struct hone__sweep *sweep, uint32_t instance);
void hone__sweep_record(struct hone__sweep *sweep, struct hone__candidate *candidate);
/* Copies the build's fields into an evaluation; the first instance gets the time of the build. */
void hone__sweep_copy_build(struct hone__candidate *candidate,
                            const struct hone__sweep_build *build);
/* Records every instance of a build that ends here: it failed, or only building was requested. */
void hone__sweep_record_group(struct hone__sweep *sweep, uint32_t number,
                              struct hone__candidate *built);

/* Objects (sweep_objects.c): few stay in memory, the others are read from the cache again. */
/* Moves the object from the candidate to the build; `now`: its bytes are needed at once. */
void hone__sweep_keep(struct hone__sweep *sweep, struct hone__sweep_build *build,
                      struct hone__candidate *built, bool now);
/* False: it has to be built again. */
bool hone__sweep_fetch(struct hone__sweep *sweep, struct hone__sweep_build *build);
void hone__sweep_drop(struct hone__sweep *sweep, struct hone__sweep_build *build);

#endif
