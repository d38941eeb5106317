#include "session/device_kinds.h"

#include "store/stored.h"
#include "wire/run_kinds.h"

#include <stdlib.h>

enum { MOST_NAMED = 3 }; /* devices, in a name of their kind */

bool hone__kind_has(const struct hone__kind *kind, size_t number)
{
  for (size_t i = 0; kind && i < kind->count; i++)
    if (kind->devices[i] == number) return true;
  return !kind;
}

static bool are_alike(const struct hone__session *session, size_t a, size_t b)
{
  const struct hone__site *sites = session->workers.sites;

  switch (session->settings.options->per_device) {
  case HONE_PER_DEVICE_EACH: return a == b;
  case HONE_PER_DEVICE_NONE: return true;
  default: return strcmp(sites[a].fingerprint, sites[b].fingerprint) == 0;
  }
}

static bool is_known(const struct hone__site *site)
{
  return site->fingerprint != NULL;
}

/* ---- Names ---- */

/* "NVIDIA H200 (node1/cuda:0, node2/cuda:0)" of all like this one. */
static const char *name_kind(const struct hone__session *session, struct hone__arena *arena,
                             size_t like)
{
  const struct hone__site *sites = session->workers.sites;
  struct hone__text text = {0};
  size_t count = 0;
  const char *name;

  hone__text_addf(&text, "%s (", sites[like].facts.name ? sites[like].facts.name : "unknown");
  for (size_t i = 0; i < session->workers.site_count; i++) {
    if (!is_known(&sites[i]) || !are_alike(session, like, i)) continue;
    if (count++ < MOST_NAMED)
      hone__text_addf(&text, "%s%s", count > 1 ? ", " : "", sites[i].device);
  }
  if (count > MOST_NAMED) hone__text_addf(&text, " and %zu more", count - MOST_NAMED);
  hone__text_add(&text, ")");
  name = hone__arena_strdup(arena, text.data);
  hone__text_release(&text);
  return name;
}

/* ---- Setting apart ---- */

/* It belongs to another run, which times it again. */
static void forget_baseline(struct hone__session *session, struct hone__site *site)
{
  if (!site->evaluation) return;
  hone__control_fail(&session->control,
                     hone__store_evaluation_delete(session->entry.store, site->evaluation));
  site->evaluation = 0;
}

static void set_apart(struct hone__session *session, size_t at)
{
  struct hone__site *site = &session->workers.sites[at];

  site->is_apart = true;
  site->usable = site->is_unread = site->is_away = false;
  forget_baseline(session, site);
  site->why = hone__arena_strdup(&session->arena, "it is of another kind than the first device");
  hone__pool_dismiss(session->workers.runners, at, site->why);
  session->progress.event.workers--;
  hone__session_log(session, "device '%s' is of another kind: %s", site->device,
                    site->facts.name ? site->facts.name : "unknown");
}

/* One that the builders build for, if there is one. */
static size_t first_usable(const struct hone__session *session)
{
  const struct hone__workers *workers = &session->workers;
  size_t first = workers->site_count;

  for (size_t i = 0; i < workers->site_count; i++) {
    if (!workers->sites[i].usable) continue;
    if (!workers->sites[i].is_foreign) return i;
    if (first == workers->site_count) first = i;
  }
  return first;
}

void hone__session_check_kind(struct hone__session *session, size_t site)
{
  const struct hone__workers *workers = &session->workers;

  if (!workers->has_leader || are_alike(session, workers->leader, site)) return;
  set_apart(session, site);
}

/* ---- Lists ---- */

/* The first device of this one's kind. */
static size_t first_like(const struct hone__session *session, size_t site)
{
  size_t i = 0;

  while (!is_known(&session->workers.sites[i]) || !are_alike(session, i, site))
    i++;
  return i;
}

static void add_kind(const struct hone__session *session, struct hone__arena *arena, size_t like,
                     struct hone__kind_list *kinds)
{
  const struct hone__workers *workers = &session->workers;
  struct hone__kind *kind = &kinds->all[kinds->count++];

  *kind = (struct hone__kind){
      .name = name_kind(session, arena, like),
      .facts = hone__wire_device_facts_copy(&workers->sites[like].facts, arena),
      .devices = hone__arena_alloc(arena, workers->site_count * sizeof *kind->devices)};
  for (size_t i = 0; i < workers->site_count; i++)
    if (is_known(&workers->sites[i]) && are_alike(session, like, i))
      kind->devices[kind->count++] = workers->sites[i].number;
}

void hone__session_kinds(const struct hone__session *session, struct hone__arena *arena,
                         struct hone__kind_list *out_kinds)
{
  const struct hone__workers *workers = &session->workers;

  *out_kinds = (struct hone__kind_list){
      hone__arena_alloc(arena, (workers->site_count + 1) * sizeof *out_kinds->all), 0};
  if (workers->absent_kind)
    out_kinds->all[out_kinds->count++] =
        (struct hone__kind){.name = hone__arena_strdup(arena, workers->absent_kind)};
  else if (workers->has_leader)
    add_kind(session, arena, workers->leader, out_kinds);
  else
    return;
  for (size_t i = 0; i < workers->site_count; i++)
    if (workers->sites[i].is_apart && first_like(session, i) == i)
      add_kind(session, arena, i, out_kinds);
}

/* ---- One kind ---- */

static void tell(struct hone__session *session, size_t leader, size_t apart)
{
  if (session->problem.which.kind || !apart) return;
  hone__session_say(session, HONE_EVENT_NOTE,
                    "the devices are of several kinds: each kind has its own run and its own "
                    "winner; this run is of %s",
                    name_kind(session, &session->arena, leader));
}

/* The time until a deadline is for the runs of all kinds. */
static void share_time(struct hone__session *session)
{
  struct hone__control *control = &session->control;
  double now = hone__control_now(control);
  struct hone__kind_list kinds;

  if (!(session->settings.options->deadline > 0)) return;
  hone__session_kinds(session, &session->arena, &kinds);
  control->stop_at = now + (control->stop_at - now) / (double)kinds.count;
  control->ends_at = now + (control->ends_at - now) / (double)kinds.count;
}

/* What an earlier session of this run has found; `kind` is NULL if it did not find several. */
static void read_own(struct hone__session *session, struct hone__wire_run_kinds *out_own)
{
  struct hone__store_run_stored stored;
  struct hone__packed *packed = NULL;

  *out_own = (struct hone__wire_run_kinds){0};
  if (!session->entry.resumed || session->problem.which.kind) return;
  hone__control_fail(&session->control, hone__store_run(session->entry.store, session->entry.run.id,
                                                        &session->arena, &stored));
  if (!session->control.failure && stored.result.devices)
    packed = hone__packed_parse(stored.result.devices, strlen(stored.result.devices));
  if (!packed) return;
  hone_status_free(hone__unpack(packed, &hone__wire_run_kinds_type, &session->arena, out_own));
  if (!out_own->fingerprint || !out_own->apart_count) out_own->kind = NULL;
  if (out_own->kind) out_own->kind = hone__arena_strdup(&session->arena, out_own->kind);
  if (out_own->kind)
    out_own->fingerprint = hone__arena_strdup(&session->arena, out_own->fingerprint);
  hone__packed_drop(packed);
}

static bool is_own(struct hone__session *session, size_t site,
                   const struct hone__wire_run_kinds *own)
{
  if (session->settings.options->per_device == HONE_PER_DEVICE_EACH)
    return strcmp(name_kind(session, &session->arena, site), own->kind) == 0;
  return strcmp(session->workers.sites[site].fingerprint, own->fingerprint) == 0;
}

static size_t first_own(struct hone__session *session, const struct hone__wire_run_kinds *own)
{
  size_t i = 0;

  while (i < session->workers.site_count &&
         (!session->workers.sites[i].usable || !is_own(session, i, own)))
    i++;
  return i;
}

/* All devices that work are of other kinds: their runs continue, this one does not. */
static void be_absent(struct hone__session *session, const char *kind)
{
  struct hone__workers *workers = &session->workers;

  workers->absent_kind = kind;
  for (size_t i = 0; i < workers->site_count; i++)
    if (is_known(&workers->sites[i])) set_apart(session, i);
  hone__session_say(session, HONE_EVENT_WARNING,
                    "run %lld is of %s, and no such device is available: the runs of other kinds "
                    "continue; so does this one if a device returns before they end, otherwise "
                    "repeat the command to continue it",
                    (long long)session->entry.run.id, kind);
}

static bool has_come(const struct hone__site *site)
{
  return is_known(site) && !site->is_apart;
}

static void lead(struct hone__session *session, size_t leader)
{
  struct hone__workers *workers = &session->workers;

  workers->absent_kind = NULL;
  workers->leader = leader;
  workers->has_leader = true;
  hone__session_say(session, HONE_EVENT_NOTE, "device '%s' is back: run %lld continues",
                    workers->sites[leader].device, (long long)session->entry.run.id);
}

bool hone__session_find_own_kind(struct hone__session *session)
{
  struct hone__workers *workers = &session->workers;
  struct hone__wire_run_kinds own;

  for (size_t i = 0; i < workers->site_count; i++) {
    if (!has_come(&workers->sites[i])) continue;
    if (workers->has_leader) return true;
    read_own(session, &own);
    if (own.kind && is_own(session, i, &own))
      lead(session, i);
    else
      set_apart(session, i);
  }
  return workers->has_leader;
}

/* So that a run that is killed is resumed on devices of its kind. */
static void store_kinds(struct hone__session *session)
{
  const char *devices = hone__session_describe_kinds(session, "{\"devices\": []}");

  hone__control_fail(&session->control,
                     hone__store_run_devices(session->entry.store, session->entry.run.id, devices));
}

void hone__session_keep_one_kind(struct hone__session *session, bool at_once)
{
  struct hone__workers *workers = &session->workers;
  struct hone__wire_run_kinds own;
  size_t leader, apart = 0;

  if (first_usable(session) == workers->site_count) return;
  read_own(session, &own);
  leader = own.kind ? first_own(session, &own) : first_usable(session);
  if (leader == workers->site_count) {
    be_absent(session, own.kind);
    return;
  }
  workers->leader = leader;
  workers->has_leader = true;
  for (size_t i = 0; i < workers->site_count; i++) {
    if (!is_known(&workers->sites[i]) || are_alike(session, leader, i)) continue;
    set_apart(session, i);
    apart++;
  }
  tell(session, leader, apart);
  if (apart && !session->problem.which.kind) store_kinds(session);
  if (apart && !session->problem.which.kind && !at_once) share_time(session);
}

/* ---- In the store ---- */

static void pack_kinds(const struct hone__kind_list *kinds, struct hone__arena *arena,
                       struct hone__packed *packed)
{
  struct hone__wire_run_kinds record = {
      .kind = kinds->all[0].name,
      .fingerprint = kinds->all[0].facts ? kinds->all[0].facts->fingerprint : NULL};

  record.apart = hone__arena_alloc(arena, kinds->count * sizeof *record.apart);
  record.apart_count = kinds->count - 1;
  for (size_t i = 1; i < kinds->count; i++) {
    struct hone__wire_kind *kind = &record.apart[i - 1];
    kind->devices_count = kinds->all[i].count;
    kind->devices = hone__arena_alloc(arena, kinds->all[i].count * sizeof *kind->devices);
    for (size_t k = 0; k < kinds->all[i].count; k++)
      kind->devices[k] = (int64_t)kinds->all[i].devices[k];
  }
  hone__packed_add(packed, &hone__wire_run_kinds_type, &record);
}

const char *hone__session_describe_kinds(struct hone__session *session, const char *devices)
{
  struct hone__kind_list kinds;
  struct hone__packed *packed;
  struct hone__text text = {0};
  const char *whole;

  hone__session_kinds(session, &session->arena, &kinds);
  if (!kinds.count || (kinds.count == 1 && !session->problem.which.kind)) return devices;
  packed = hone__packed_parse(devices, strlen(devices));
  pack_kinds(&kinds, &session->arena, packed);
  hone__packed_print(packed, &text);
  whole = hone__arena_strdup(&session->arena, text.data);
  hone__text_release(&text);
  hone__packed_drop(packed);
  return whole;
}

static void take_stored(const struct hone__wire_run_kinds *record, struct hone__arena *arena,
                        struct hone__kind_list *kinds)
{
  kinds->all = hone__arena_alloc(arena, (record->apart_count + 1) * sizeof *kinds->all);
  kinds->all[kinds->count++] = (struct hone__kind){.name = record->kind};
  for (size_t i = 0; i < record->apart_count; i++) {
    const struct hone__wire_kind *from = &record->apart[i];
    struct hone__kind *kind = &kinds->all[kinds->count++];
    *kind = (struct hone__kind){
        .count = from->devices_count,
        .devices = hone__arena_alloc(arena, (from->devices_count + 1) * sizeof *kind->devices)};
    for (size_t k = 0; k < from->devices_count; k++)
      kind->devices[k] = (size_t)from->devices[k];
  }
}

hone_status hone__session_stored_kinds(struct hone_store *store, int64_t run,
                                       struct hone__arena *arena, struct hone__kind_list *out_kinds)
{
  struct hone__store_run_stored stored;
  struct hone__wire_run_kinds record = {0};
  struct hone__packed *packed;
  hone_status status = hone__store_run(store, run, arena, &stored);

  *out_kinds = (struct hone__kind_list){0};
  if (status || !stored.result.devices) return status;
  packed = hone__packed_parse(stored.result.devices, strlen(stored.result.devices));
  if (!packed) return NULL;
  status = hone__unpack(packed, &hone__wire_run_kinds_type, arena, &record);
  if (!status && record.kind) take_stored(&record, arena, out_kinds);
  hone__packed_drop(packed);
  return status;
}
