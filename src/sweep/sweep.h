/* sweep.h - every configuration of a problem, built and run once: what the files of a sweep share.
 *
 * An instance is a configuration, known by its place in the mesh. Instances that need the same
 * binary share a build, and the build's number is its group in the schedule. Nothing of an instance
 * is held but its build's number: it is described again when it is its turn.
 */
#ifndef HONE_SWEEP_SWEEP_H
#define HONE_SWEEP_SWEEP_H

#include "session/session.h"
#include "sweep/sweep_schedule.h"

enum { HONE__SWEEP_MOST = 1000000 };
static const uint32_t HONE__NO_BUILD = UINT32_MAX; /* the instance was measured before */

struct hone__sweep_build {
  uint32_t first; /* instance that needs it, in mesh order */
  uint32_t left;  /* instances that are not finished */
  bool succeeded;
  bool is_here; /* its bytes are */
  char object[HONE__DIGEST_SIZE];
  void *bytes;
  size_t size;
  const char *deps, *warnings; /* deps: JSON; or NULL */
  double compile_s;
  bool cached;
};

struct hone__sweep {
  struct hone__session session; /* stays first: a session of a sweep is its sweep */
  uint32_t count;               /* instances */
  uint32_t *owner;              /* build of an instance, or HONE__NO_BUILD */
  struct hone__sweep_build *builds;
  size_t build_count, build_capacity;
  size_t bytes_here; /* of all builds */
  struct hone__schedule *schedule;

  size_t pending;                      /* jobs without a reply */
  size_t next_build, building;         /* next_build: all before it were begun */
  size_t builds_ok, builds_failed;     /* of those that were needed */
  size_t missing;                      /* that the cache does not have (run_only) */
  size_t known;                        /* instances that an earlier session measured */
  struct hone__candidate **on_site;    /* what each device runs; NULL: nothing */
  unsigned char *losses;               /* of workers, by instance */
  size_t outcomes[HONE_OUTCOME_COUNT]; /* of all instances, earlier sessions too */
  bool running;                        /* runs may begin */
};

/* Space, task, settings, and the setup for workers; release it also after a failure (sweep.c). */
hone_status hone__sweep_open(struct hone__sweep *sweep, const struct hone_spec *spec,
                             const struct hone__case *which,
                             const struct hone_tune_options *options);
void hone__sweep_release(struct hone__sweep *sweep);

/* Builds and runs all that is not known (sweep_stage.c). */
hone_status hone__sweep_work(struct hone__sweep *sweep);

/* Lists the instances and their builds (sweep_list.c). EXHAUSTED: there are too many. */
hone_status hone__sweep_list(struct hone__sweep *sweep);
/* Puts them into a schedule for the devices, which are known by now. */
void hone__sweep_fill_schedule(struct hone__sweep *sweep);
/* Calls `visit` with what the backend makes of each configuration, in mesh order, until it says
 * false. */
typedef bool hone__sweep_visit(void *data, uint32_t instance, const uint32_t *row,
                               const struct hone__packed *candidate);
hone_status hone__sweep_each(struct hone__session *session, hone__sweep_visit *visit, void *data);
/* The candidate's build key, else its key. */
void hone__sweep_build_key(const struct hone__packed *candidate, char key[HONE__DIGEST_SIZE]);
/* The candidate of an instance; a failure ends the run, and is NULL here. */
struct hone__candidate *hone__sweep_candidate(struct hone__sweep *sweep, uint32_t instance);

/* Words (sweep_words.c): a line that was printed often enough to be relied on. */
void hone__sweep_say_scheduled(struct hone__sweep *sweep);
void hone__sweep_say_built(struct hone__sweep *sweep);
void hone__sweep_say_done(struct hone__sweep *sweep);
/* Instances with a result or a failure, those of earlier sessions too. */
size_t hone__sweep_finished(const struct hone__sweep *sweep);
void hone__sweep_progress(struct hone__sweep *sweep, bool now);

/* Records (sweep_record.c). */
struct hone__sweep_build *hone__sweep_build_of(struct hone__sweep *sweep, uint32_t instance);
void hone__sweep_record(struct hone__sweep *sweep, struct hone__candidate *candidate);
/* What an evaluation says of its build; the time of the build is that of its first instance. */
void hone__sweep_copy_build(struct hone__candidate *candidate,
                            const struct hone__sweep_build *build);
/* Every instance of a build that ends here: it failed, or building was all that was requested. */
void hone__sweep_record_group(struct hone__sweep *sweep, uint32_t number,
                              struct hone__candidate *built);

/* Objects (sweep_objects.c): few stay in memory, the others come back from the cache. */
/* What was built goes from the candidate to the build; `now`: its bytes are needed at once. */
void hone__sweep_keep(struct hone__sweep *sweep, struct hone__sweep_build *build,
                      struct hone__candidate *built, bool now);
/* False: it has to be built again. */
bool hone__sweep_fetch(struct hone__sweep *sweep, struct hone__sweep_build *build);
void hone__sweep_drop(struct hone__sweep *sweep, struct hone__sweep_build *build);

#endif
