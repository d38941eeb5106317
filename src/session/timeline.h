/* timeline.h - what the workers of a session did, for the store.
 *
 * Jobs are kept here until there are many, or a second has passed; then they are stored at once. A
 * driver that is killed loses the jobs of its last second, not their results.
 */
#ifndef HONE_SESSION_TIMELINE_H
#define HONE_SESSION_TIMELINE_H

#include "store/store.h"

struct hone__pool_work;
struct hone__session;

enum hone__timeline_role { HONE__TIMELINE_RUN, HONE__TIMELINE_BUILD, HONE__TIMELINE_ROLES };

struct hone__timeline { /* { 0 } */
  struct hone__stored_job *jobs;
  size_t count, capacity;
  double stored_at; /* by the machine's clock */
  bool is_begun;    /* the next two are set */
  double from_s;    /* what earlier sessions of the run took */
  int64_t next;     /* number of the next job */
  struct hone__timeline_lanes {
    int64_t *numbers; /* of workers in the store, by slot; 0: not known yet */
    size_t count;
  } lanes[HONE__TIMELINE_ROLES];
};

void hone__timeline_work(struct hone__session *session, enum hone__timeline_role role,
                         const struct hone__pool_work *work);
/* `host` may be NULL. */
void hone__timeline_joined(struct hone__session *session, enum hone__timeline_role role,
                           size_t slot, const char *host);
void hone__timeline_left(struct hone__session *session, enum hone__timeline_role role, size_t slot);
/* Stores what is left. */
void hone__timeline_flush(struct hone__session *session);
void hone__timeline_release(struct hone__timeline *timeline);

#endif
