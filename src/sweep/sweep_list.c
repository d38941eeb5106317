/* The instances of a sweep, in mesh order, and which of them share a build. Those that an earlier
 * session of the same run measured need none.
 */
#include "sweep/sweep.h"

#include "base/key_map.h"

#include <stdlib.h>

enum { LISTED_AT_ONCE = 1024 }; /* between checks for signals */

void hone__sweep_build_key(const struct hone__packed *candidate, char key[HONE__DIGEST_SIZE])
{
  struct hone__arena arena = {0};
  struct hone__wire_candidate_head head = {0};
  const char *own;

  hone_status_free(hone__unpack(candidate, &hone__wire_candidate_head_type, &arena, &head));
  own = head.build_key ? head.build_key : head.key;
  snprintf(key, HONE__DIGEST_SIZE, "%s", own ? own : "");
  hone__arena_release(&arena);
}

static hone_status check_size(const struct hone__session *session)
{
  if (hone_space_count(session->problem.space) <= HONE__SWEEP_MOST) return NULL;
  return hone__error(HONE_EXHAUSTED,
                     "%s configurations are too many for a sweep, which runs at most %d; select "
                     "some with --filter or --param, or search with 'hone tune'",
                     hone_space_count_text(session->problem.space), HONE__SWEEP_MOST);
}

/* ---- Each configuration ---- */

struct walk {
  struct hone__session *session;
  hone__sweep_visit *visit;
  void *data;
  uint32_t instance;
  hone_status status;
};

static bool describe_one(void *data, const uint32_t *row)
{
  struct walk *walk = data;
  const struct hone__task *task = &walk->session->problem.task;
  struct hone__packed *candidate = NULL;
  bool more;

  walk->status = task->backend->driver.candidate(task, row, &candidate);
  if (walk->status) return false;
  more = walk->visit(walk->data, walk->instance++, row, candidate);
  hone__packed_drop(candidate);
  return more;
}

hone_status hone__sweep_each(struct hone__session *session, hone__sweep_visit *visit, void *data)
{
  struct walk walk = {.session = session, .visit = visit, .data = data};
  hone_status status = check_size(session);

  if (status) return status;
  hone_space_each(session->problem.space, 0, describe_one, &walk);
  return walk.status;
}

struct hone__candidate *hone__sweep_candidate(struct hone__sweep *sweep, uint32_t instance)
{
  struct hone__session *session = &sweep->session;
  uint32_t *row = hone__alloc(hone_space_width(session->problem.space) * sizeof *row);
  struct hone__candidate *candidate = NULL;

  if (!hone_space_at(session->problem.space, instance, row))
    HONE__BUG("a sweep lost a configuration");
  hone__control_fail(&session->control, hone__candidate_new(session, row, &candidate));
  if (candidate) candidate->evaluation.mesh_idx = instance;
  free(row);
  return candidate;
}

/* ---- What an earlier session did ---- */

/* The place in the mesh must be that of the configuration. */
static bool is_at_its_place(const struct hone__sweep *sweep,
                            const struct hone__candidate *candidate, int64_t place)
{
  const struct hone_space *space = sweep->session.problem.space;
  size_t bytes = hone_space_width(space) * sizeof(uint32_t);
  uint32_t *row;
  bool same;

  if (place < 0 || place >= sweep->count) return false;
  row = hone__alloc(bytes);
  same = hone_space_at(space, (uint64_t)place, row) && memcmp(row, candidate->row, bytes) == 0;
  free(row);
  return same;
}

static bool take_up(void *data, struct hone__candidate *candidate,
                    const struct hone__evaluation *old)
{
  struct hone__sweep *sweep = data;

  if (!is_at_its_place(sweep, candidate, old->mesh_idx)) return false;
  sweep->owner[old->mesh_idx] = HONE__NO_BUILD;
  sweep->outcomes[old->outcome]++;
  sweep->known++;
  return true;
}

/* ---- Builds ---- */

struct listing {
  struct hone__sweep *sweep;
  struct hone__key_map numbers; /* of builds, by their key */
};

static uint32_t build_of(struct listing *listing, uint32_t instance, const char *key)
{
  struct hone__sweep *sweep = listing->sweep;
  int64_t known;

  if (hone__key_map_find(&listing->numbers, key, &known)) return (uint32_t)known;
  hone__key_map_set(&listing->numbers, key, (int64_t)sweep->build_count);
  HONE__GROW(sweep->builds, sweep->build_count, sweep->build_capacity);
  sweep->builds[sweep->build_count] = (struct hone__sweep_build){.first = instance};
  return (uint32_t)sweep->build_count++;
}

static bool list_one(void *data, uint32_t instance, const uint32_t *row,
                     const struct hone__packed *candidate)
{
  char key[HONE__DIGEST_SIZE];
  struct listing *listing = data;
  struct hone__sweep *sweep = listing->sweep;
  uint32_t build;

  (void)row;
  if (instance % LISTED_AT_ONCE == 0) uv_run(&sweep->session.control.loop, UV_RUN_NOWAIT);
  if (sweep->session.control.aborting) return false;
  if (sweep->owner[instance] == HONE__NO_BUILD) return true;
  hone__sweep_build_key(candidate, key);
  build = build_of(listing, instance, key);
  sweep->owner[instance] = build;
  sweep->builds[build].left++;
  return true;
}

void hone__sweep_fill_schedule(struct hone__sweep *sweep)
{
  sweep->schedule = hone__schedule_open(sweep->build_count, sweep->session.workers.site_count);
  for (uint32_t i = 0; i < sweep->count; i++)
    if (sweep->owner[i] != HONE__NO_BUILD) hone__schedule_add(sweep->schedule, sweep->owner[i], i);
  hone__schedule_seal(sweep->schedule);
}

hone_status hone__sweep_list(struct hone__sweep *sweep)
{
  struct hone__session *session = &sweep->session;
  struct listing listing = {.sweep = sweep};
  hone_status status = check_size(session);

  if (status) return status;
  sweep->count = (uint32_t)hone_space_count(session->problem.space);
  sweep->owner = hone__alloc((sweep->count + 1u) * sizeof *sweep->owner);
  sweep->losses = hone__alloc(sweep->count + 1u);
  status = hone__session_resume(&sweep->session, take_up, sweep);
  if (status) return status;
  status = hone__sweep_each(session, list_one, &listing);
  hone__key_map_release(&listing.numbers);
  return status;
}
