/* What workers did, for the store. A failure to store it ends the session like that of a result. */
#include "session/timeline.h"

#include "session/session.h"

#include <stdlib.h>

enum { JOBS_AT_ONCE = 512 };
static const double STORED_EVERY_S = 1;

/* A run whose driver was killed may have had jobs that are not stored: its time goes on after the
 * last one that is. */
static void begin(struct hone__session *session)
{
  struct hone__timeline *timeline = &session->timeline;
  struct hone__stored_totals totals;

  if (timeline->is_begun) return;
  timeline->is_begun = true;
  hone__control_fail(&session->control,
                     hone__store_job_totals(session->entry.store, session->entry.run.id, &totals));
  timeline->from_s = totals.until_s;
  timeline->next = totals.last + 1;
  timeline->stored_at = hone__clock();
}

static void store_all(struct hone__session *session)
{
  struct hone__timeline *timeline = &session->timeline;

  hone__control_fail(&session->control,
                     hone__store_jobs_add(session->entry.store, session->entry.run.id,
                                          timeline->next, timeline->jobs, timeline->count));
  timeline->next += (int64_t)timeline->count;
  timeline->count = 0;
  timeline->stored_at = hone__clock();
}

void hone__timeline_flush(struct hone__session *session)
{
  if (session->timeline.count && !session->control.failure) store_all(session);
}

static bool is_kept(const struct hone__session *session)
{
  return session->entry.run.id && session->settings.purpose->is_stored && !session->control.failure;
}

static void add(struct hone__session *session, const struct hone__stored_job *job)
{
  struct hone__timeline *timeline = &session->timeline;

  HONE__GROW(timeline->jobs, timeline->count, timeline->capacity);
  timeline->jobs[timeline->count++] = *job;
  if (timeline->count >= JOBS_AT_ONCE || hone__clock() - timeline->stored_at >= STORED_EVERY_S)
    store_all(session);
}

/* ---- Workers ---- */

static int64_t *lane_of(struct hone__timeline_lanes *lanes, size_t slot)
{
  while (lanes->count <= slot) {
    size_t capacity = lanes->count;
    HONE__GROW(lanes->numbers, lanes->count, capacity);
    lanes->numbers[lanes->count++] = 0;
  }
  return &lanes->numbers[slot];
}

static const char *name_of(struct hone__session *session, enum hone__timeline_role role,
                           size_t slot)
{
  if (role == HONE__TIMELINE_RUN) return session->workers.sites[slot].device;
  return hone__arena_printf(&session->arena, "builder %zu", slot + 1);
}

static int64_t register_worker(struct hone__session *session, enum hone__timeline_role role,
                               size_t slot, const char *host)
{
  static const char *const roles[] = {"run", "build"};
  struct hone__stored_worker worker = {
      .role = roles[role], .name = name_of(session, role, slot), .host = host};
  int64_t number;

  begin(session);
  hone__control_fail(
      &session->control,
      hone__store_worker_put(session->entry.store, session->entry.run.id, &worker, &number));
  return number;
}

static int64_t worker_of(struct hone__session *session, enum hone__timeline_role role, size_t slot)
{
  int64_t *lane = lane_of(&session->timeline.lanes[role], slot);

  if (!*lane) *lane = register_worker(session, role, slot, NULL);
  return *lane;
}

static double moment(const struct hone__session *session, double at)
{
  return session->timeline.from_s + at - session->control.started;
}

static void add_event(struct hone__session *session, enum hone__stored_job_kind kind,
                      enum hone__timeline_role role, size_t slot)
{
  struct hone__stored_job job = {.kind = kind, .worker = worker_of(session, role, slot)};

  job.began_s = moment(session, hone__control_now(&session->control));
  add(session, &job);
}

/* ---- Events of the pools ---- */

void hone__timeline_work(struct hone__session *session, enum hone__timeline_role role,
                         const struct hone__pool_work *work)
{
  struct hone__stored_job job = {.phase = work->job->phase,
                                 .took_s = work->ended - work->began,
                                 .outcome = work->outcome,
                                 .is_requeued = work->is_requeued,
                                 .candidate = work->job->candidate};

  if (!is_kept(session)) return;
  job.worker = worker_of(session, role, work->slot);
  job.began_s = moment(session, work->began);
  add(session, &job);
}

void hone__timeline_joined(struct hone__session *session, enum hone__timeline_role role,
                           size_t slot, const char *host)
{
  if (!is_kept(session)) return;
  *lane_of(&session->timeline.lanes[role], slot) = register_worker(session, role, slot, host);
  add_event(session, HONE__STORED_JOINED, role, slot);
}

void hone__timeline_left(struct hone__session *session, enum hone__timeline_role role, size_t slot)
{
  if (is_kept(session)) add_event(session, HONE__STORED_LEFT, role, slot);
}

void hone__timeline_release(struct hone__timeline *timeline)
{
  free(timeline->jobs);
  for (size_t i = 0; i < HONE__TIMELINE_ROLES; i++)
    free(timeline->lanes[i].numbers);
}
