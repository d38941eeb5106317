/* Starts the workers that measure: one runner for each device. */
#include "session/build_files.h"
#include "session/device_kinds.h"
#include "session/run_devices.h"
#include "session/session.h"

#include "base/machine.h"
#include "pool/worker_program.h"
#include "store/cache.h"
#include "wire/device_facts.h"
#include "wire/ready.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

enum { FEW_CPUS = 4 };

static void signal_capacity(struct hone__session *session)
{
  struct hone__control *control = &session->control;

  if (control->on_capacity) control->on_capacity(control->stage);
}

void hone__session_on_delayed(void *data)
{
  signal_capacity(data);
}

static hone_status find_program(struct hone__session *session)
{
  char *program = NULL;
  hone_status status;

  if (session->workers.program) return NULL;
  status = hone__worker_program_find(session->settings.options->hone_program, &program);
  if (!status) session->workers.program = hone__arena_strdup(&session->arena, program);
  free(program);
  return status;
}

/* The environment of this process with another cache: it may not be changed here, where other
 * threads read it. */
static char **make_environment(struct hone__session *session)
{
  static const char name[] = "HONE_CACHE=";
  size_t count = 0, kept = 0;
  char **list;

  if (!session->settings.options->cache) return NULL;
  while (environ[count])
    count++;
  list = hone__arena_alloc(&session->arena, (count + 2) * sizeof *list);
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], name, strlen(name)) != 0) list[kept++] = environ[i];
  list[kept++] = hone__arena_printf(&session->arena, "%s%s", name, hone__cache_folder());
  list[kept] = NULL;
  return list;
}

hone_status hone__session_prepare_pool(struct hone__session *session,
                                       struct hone__pool_options *options)
{
  hone_status status = find_program(session);

  if (!session->workers.environment) session->workers.environment = make_environment(session);
  options->program = session->workers.program;
  options->environment = session->workers.environment;
  return status;
}

/* ---- Runners ---- */

/* What hosts build for their own processor need not run on another. */
static bool is_foreign(const struct hone__session *session, const struct hone__packed *packed)
{
  const char *built_for = session->workers.processor;
  struct hone__arena arena = {0};
  struct hone__ready ready = {0};
  bool differs;

  hone_status_free(hone__unpack(packed, &hone__ready_type, &arena, &ready));
  differs = built_for && ready.processor && strcmp(built_for, ready.processor) != 0;
  hone__arena_release(&arena);
  return differs;
}

static void take_facts(const struct hone__session *session, struct hone__site *site,
                       const struct hone__packed *ready)
{
  site->facts_packed = hone__packed_hold(ready);
  site->limits = hone__limits_read(ready);
  site->is_foreign = is_foreign(session, ready);
  hone_status_free(
      hone__unpack(ready, &hone__wire_device_facts_type, &site->facts_arena, &site->facts));
  hone__session_name_device(session, &site->facts);
}

/* The times of such a device are those of a machine that compiles. Reported once in a run. */
static void note_disturbed(struct hone__session *session, const char *device, const char *host)
{
  struct hone__workers *workers = &session->workers;
  const struct hone_tune_options *options = session->settings.options;
  bool is_recorded = session->problem.task.backend->driver.is_recorded != NULL;
  char own[256] = "";

  gethostname(own, sizeof own - 1);
  if (workers->is_disturbed || !host || strcmp(host, own) != 0 || !options->worker_count ||
      options->overlap || is_recorded || !workers->overlap || !hone__session_takes_cpus(session))
    return;
  workers->is_disturbed = true;
  hone__session_say(session, HONE_EVENT_NOTE,
                    "device '%s' is a CPU of this host, which builds at the same time, so that its "
                    "times vary in screening; with '--host-builders N' hosts build and measure in "
                    "turns",
                    device);
}

static void on_ready(void *data, size_t slot, const struct hone__hello *hello,
                     const struct hone__packed *ready)
{
  struct hone__session *session = data;
  struct hone__site *site = &session->workers.sites[slot];

  if (site->facts_packed) return; /* again, after a restart */
  site->usable = !site->is_away;
  take_facts(session, site, ready);
  hone__session_log(session, "device '%s' is ready on host '%s'; process isolation: %s",
                    site->device, hello->host ? hello->host : "unknown",
                    hello->isolation ? hello->isolation : "unknown");
  site->fingerprint = hone__arena_strdup(
      &session->arena, site->facts.fingerprint ? site->facts.fingerprint : "unknown");
  note_disturbed(session, site->device, hello->host);
  hone__session_check_kind(session, slot);
}

static void on_lost(void *data, size_t slot, const char *why)
{
  struct hone__session *session = data;
  struct hone__site *site = &session->workers.sites[slot];

  site->usable = false;
  site->why = hone__arena_strdup(&session->arena, why);
  if (session->workers.site_count > 1)
    hone__session_say(session, HONE_EVENT_WARNING, "device '%s' is no longer used: %s",
                      site->device, why);
}

/* The reference fails, not the device. */
static void on_wrong_spec(void *data, size_t slot, const char *why, bool is_unloaded)
{
  struct hone__session *session = data;
  struct hone__site *site = &session->workers.sites[slot];
  bool is_baseline = hone__session_answers(session) == HONE__ANSWERS_BASELINE;

  site->usable = false;
  site->why = is_unloaded ? hone__arena_printf(&session->arena, "the %s %s",
                                               is_baseline ? "baseline" : "reference", why)
                          : hone__arena_strdup(&session->arena, why);
  session->workers.reference_failed = true;
  session->workers.reference_unloaded = is_unloaded;
}

static void count_away(struct hone__session *session)
{
  size_t away = 0;

  for (size_t i = 0; i < session->workers.site_count; i++)
    away += session->workers.sites[i].is_away;
  session->progress.event.workers_away = away;
}

/* Its jobs come back, and go to the others. */
static void on_away(void *data, size_t slot, const char *why)
{
  struct hone__session *session = data;
  struct hone__site *site = &session->workers.sites[slot];

  site->is_away = true;
  site->usable = false;
  count_away(session);
  if (why) site->why = hone__arena_strdup(&session->arena, why);
  hone__session_say(session, HONE_EVENT_WARNING,
                    "device '%s' is not used until its worker is back%s%s", site->device,
                    why ? ": " : "", why ? why : "");
}

static bool has_baseline(const struct hone__session *session, const struct hone__site *site)
{
  return !session->settings.purpose->needs_baseline || site->readings > 0;
}

static void on_back(void *data, size_t slot)
{
  struct hone__session *session = data;
  struct hone__site *site = &session->workers.sites[slot];

  site->is_away = false;
  count_away(session);
  site->usable = has_baseline(session, site);
  site->is_unread = !site->usable;
  hone__session_log(session, "device '%s' is in use again", site->device);
  signal_capacity(session);
}

static bool is_working(void *data, size_t slot)
{
  const struct hone__session *session = data;
  const struct hone__site *site = &session->workers.sites[slot];

  return site->usable && has_baseline(session, site);
}

static void on_joined(void *data, size_t slot, const char *host)
{
  hone__timeline_joined(data, HONE__TIMELINE_RUN, slot, host);
}

static void on_left(void *data, size_t slot)
{
  hone__timeline_left(data, HONE__TIMELINE_RUN, slot);
}

static void on_work(void *data, const struct hone__pool_work *work)
{
  hone__timeline_work(data, HONE__TIMELINE_RUN, work);
}

const char *hone__session_devices(const struct hone__session *session)
{
  const struct hone__wire_device_facts *target = session->problem.task.device;
  const char *own = session->problem.head.device;

  if (session->workers.devices) return session->workers.devices;
  if (session->settings.options->devices) return session->settings.options->devices;
  if (!own && target) own = target->device;
  return own ? own : session->problem.task.backend->name;
}

static void on_note(void *data, size_t slot, const char *note)
{
  struct hone__session *session = data;

  hone__session_say(session, HONE_EVENT_NOTE, "device '%s': %s",
                    session->workers.sites[slot].device, note);
}

/* "iree:hip://0" from " hip://0", as IREE writes it. */
static const char *whole_device(struct hone__session *session, const char *text, size_t length)
{
  const char *name = session->problem.task.backend->name, *device, *colon;

  for (; length && isblank((unsigned char)*text); text++)
    length--;
  while (length && isblank((unsigned char)text[length - 1]))
    length--;
  device = hone__arena_strndup(&session->arena, text, length);
  colon = strstr(device, "://");
  if (!colon || strcspn(device, ":") != (size_t)(colon - device)) return device;
  return hone__arena_printf(&session->arena, "%s:%s", name, device);
}

/* "c:0,c:1" as a list; NULL is the device that the setup names, or the backend's default. */
static size_t split_devices(struct hone__session *session, const char ***out_devices)
{
  const char *text = hone__session_devices(session);
  const char **devices = NULL;
  size_t count = 0, capacity = 0;

  while (*text) {
    size_t length = strcspn(text, ",");
    HONE__GROW(devices, count, capacity);
    devices[count++] = whole_device(session, text, length);
    text += length + (text[length] == ',');
  }
  *out_devices = devices;
  return count;
}

static hone_status check_device(const struct hone__session *session, const char *device)
{
  size_t length = strcspn(device, ":");
  const char *name = session->problem.task.backend->name;

  if (length == strlen(name) && strncmp(device, name, length) == 0) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "device '%s' does not belong to backend '%s': devices are written '%s:...'",
                     device, name, name);
}

/* The CPUs of "c:0-1", "c:2+4"; all for "c", and for CPUs with other names ("opencl:pocl:0"). */
static size_t device_cpus(const char *device)
{
  const char *p = strchr(device, ':');
  size_t count = 0;

  if (!p) return hone__cpu_count();
  for (p++; *p; p += *p == '+' || *p == '-') {
    char *end;
    long first = strtol(p, &end, 10), last = first;
    if (end == p) return hone__cpu_count();
    p = end;
    if (*p == '-') {
      last = strtol(p + 1, &end, 10);
      p = end;
    }
    count += last >= first ? (size_t)(last - first + 1) : 0;
  }
  return count;
}

static size_t cpus_taken(const struct hone__session *session, const char *device)
{
  const struct hone__backend *backend = session->problem.task.backend;

  if (backend->driver.is_beside_cpu && backend->driver.is_beside_cpu(device)) return 0;
  if (!hone__device_is_own(backend)) return device_cpus(device);
  return hone__device_is_cpu(backend, device) ? hone__cpu_count() : 0;
}

bool hone__session_takes_cpus(struct hone__session *session)
{
  const char **devices;
  size_t count = split_devices(session, &devices);
  bool takes = false;

  for (size_t i = 0; i < count; i++)
    takes = takes || cpus_taken(session, devices[i]);
  free(devices);
  return takes;
}

/* Compilers disturb measurements unless they have separate CPUs. Only the author of a program knows
 * whether it measures on the CPU. */
static bool may_overlap(struct hone__session *session)
{
  const struct hone_tune_options *options = session->settings.options;
  const struct hone__node *node = hone__task_setting(&session->problem.task, "run.overlap");
  size_t used = 0;

  if (options->overlap) return true;
  if (options->worker_count && !options->host_builder_count) return true;
  if (node) return node->value.integer != 0;
  if (options->host_builder_count) return !hone__session_takes_cpus(session);
  for (size_t i = 0; i < session->workers.site_count; i++)
    used += cpus_taken(session, session->workers.sites[i].device);
  if (!used) return true;
  return hone__cpu_count() >= FEW_CPUS && used + 2 <= hone__cpu_count();
}

static void take_slot(struct hone__session *session, struct hone__slot_options *slot,
                      const char *prefix, const char *name, const char *device, size_t number)
{
  struct hone__site *site = &session->workers.sites[session->workers.site_count++];

  *slot = (struct hone__slot_options){prefix, device, name};
  *site = (struct hone__site){.first_ns = NAN, .last_ns = NAN, .cold_ns = NAN, .number = number};
  site->device = prefix ? hone__arena_printf(&session->arena, "%s/%s", name, device)
                        : hone__arena_strdup(&session->arena, device);
}

size_t hone__session_device_count(struct hone__session *session)
{
  const char **devices;
  size_t count = split_devices(session, &devices);

  free(devices);
  return count;
}

const char *hone__session_worker_name(const struct hone_tune_options *options, size_t worker)
{
  if (!options->worker_count) return NULL;
  return options->worker_names ? options->worker_names[worker] : options->workers[worker];
}

hone_status hone__session_open_runners(struct hone__session *session)
{
  const struct hone_tune_options *options = session->settings.options;
  size_t prefixes = options->worker_count ? options->worker_count : 1;
  const char **devices;
  size_t count = split_devices(session, &devices);
  struct hone__slot_options *slots = hone__alloc((count * prefixes + 1) * sizeof *slots);
  struct hone__pool_options pool = {.loop = &session->control.loop,
                                    .clock = &session->control.clock,
                                    .role = "run",
                                    .slots = slots,
                                    .on_ready = on_ready,
                                    .on_lost = on_lost,
                                    .on_wrong_spec = on_wrong_spec,
                                    .on_note = on_note,
                                    .on_away = on_away,
                                    .on_back = on_back,
                                    .is_working = is_working,
                                    .on_delayed = hone__session_on_delayed,
                                    .on_joined = on_joined,
                                    .on_left = on_left,
                                    .on_work = on_work,
                                    .data = session};
  hone_status status = hone__session_prepare_pool(session, &pool);

  session->workers.sites =
      hone__arena_alloc(&session->arena, (count * prefixes + 1) * sizeof *session->workers.sites);
  for (size_t i = 0; i < count && !status; i++)
    status = check_device(session, devices[i]);
  for (size_t p = 0; p < prefixes && !status; p++)
    for (size_t i = 0; i < count; i++)
      if (hone__kind_has(session->problem.which.kind, p * count + i))
        take_slot(session, &slots[session->workers.site_count],
                  options->worker_count ? options->workers[p] : NULL,
                  hone__session_worker_name(options, p), devices[i], p * count + i);
  pool.slot_count = session->workers.site_count;
  session->workers.overlap = !status && may_overlap(session);
  if (!status) status = hone__pool_open(&pool, &session->workers.runners);
  session->progress.event.workers = session->workers.site_count;
  free(devices);
  free(slots);
  return status;
}

bool hone__workers_are_awaited(const struct hone__workers *workers)
{
  for (size_t i = 0; i < workers->site_count; i++)
    if (workers->sites[i].usable && !workers->sites[i].facts_packed) return true;
  return false;
}

size_t hone__workers_usable(const struct hone__workers *workers)
{
  size_t count = 0;

  for (size_t i = 0; i < workers->site_count; i++)
    count += workers->sites[i].usable;
  return count;
}

hone_status hone__workers_check(const struct hone__workers *workers)
{
  struct hone__text why = {0};
  hone_status status = NULL;

  if (hone__workers_usable(workers)) return NULL;
  for (size_t i = 0; i < workers->site_count; i++)
    hone__text_addf(&why, "%s%s", i ? "; " : "",
                    workers->sites[i].why ? workers->sites[i].why : "its worker is gone");
  status = hone__error(
      HONE_UNAVAILABLE,
      "no device is left: %s: measurements are kept; run the same command to continue", why.data);
  hone__text_release(&why);
  return status;
}

/* ---- The end ---- */

static void on_closed(void *data)
{
  --*(size_t *)data;
}

static void close_pool(struct hone__pool **pool, size_t *open)
{
  if (!*pool) return;
  ++*open;
  hone__pool_close(*pool, on_closed, open);
  *pool = NULL;
}

void hone__session_close_workers(struct hone__session *session)
{
  size_t open = 0;

  if (session->workers.builders) hone__pool_cancel(session->workers.builders);
  if (session->workers.runners) hone__pool_cancel(session->workers.runners);
  close_pool(&session->workers.builders, &open);
  close_pool(&session->workers.runners, &open);
  while (open)
    uv_run(&session->control.loop, UV_RUN_ONCE);
  hone__timeline_flush(session);
  hone__session_drop_files(session);
  for (size_t i = 0; i < session->workers.site_count; i++) {
    hone__packed_drop(session->workers.sites[i].facts_packed);
    hone__arena_release(&session->workers.sites[i].facts_arena);
    hone__readings_release(&session->workers.sites[i].history);
  }
  session->workers.site_count = 0;
}
