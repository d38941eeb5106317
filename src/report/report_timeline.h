/* report_timeline.h - what each worker of a run did, and when.
 *
 * A run of few jobs has all of them. Of others the time is divided into cells, the same for all
 * workers, and a cell has the phase that took most of it: what a page needs does not grow with the
 * run.
 */
#ifndef HONE_REPORT_REPORT_TIMELINE_H
#define HONE_REPORT_REPORT_TIMELINE_H

#include "base/memory.h"
#include "spec/json_writer.h"
#include "store/store.h"

enum { HONE__REPORT_PHASES = HONE_PHASE_CONFIRM + 1 };

struct hone__report_cell {
  float busy_s[HONE__REPORT_PHASES]; /* of this cell */
};

struct hone__report_lane {
  const char *role, *name, *host; /* "" without */
  uint64_t jobs, failures, losses;
  double busy_s;
  struct hone__report_cell *cells; /* NULL: all jobs are listed */
};

struct hone__report_timeline {
  struct hone__report_lane *lanes; /* the i-th is the worker with the number i + 1 */
  size_t lane_count;
  struct hone__stored_job *jobs; /* and what happened: joins, losses, jobs given to others */
  size_t job_count;
  size_t cell_count; /* 0: all jobs are listed */
  uint64_t all_jobs; /* of the run */
  double end_s;
};

hone_status hone__report_timeline_load(struct hone_store *store, int64_t run,
                                       struct hone__arena *arena,
                                       struct hone__report_timeline *out_timeline);
/* {"lanes": [...], "jobs": [...]}, under the name "timeline"; nothing if there are no jobs. */
void hone__report_timeline_print(const struct hone__report_timeline *timeline,
                                 struct hone__json_writer *json);

#endif
