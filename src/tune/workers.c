/* Who works: builders on this machine, one runner for each device. */
#include "tune/tuning.h"

#include <ctype.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { FEW_CPUS = 4 };

static size_t cpu_count(void)
{
  cpu_set_t set;

  return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

static void make_room(struct hone__tuning *tuning)
{
  if (tuning->on_room) tuning->on_room(tuning);
}

static void on_delayed(void *data)
{
  make_room(data);
}

/* ---- Builders ---- */

static void on_builder_lost(void *data, size_t slot, const char *why)
{
  struct hone__tuning *tuning = data;

  hone__tuning_say(tuning, HONE_EVENT_WARNING, "builder %zu: %s", slot, why);
  if (!hone__pool_usable(tuning->builders))
    hone__tuning_fail(tuning, hone__error(HONE_UNAVAILABLE, "no builder works: %s", why));
}

hone_status hone__tuning_open_builders(struct hone__tuning *tuning)
{
  size_t count = tuning->options->builders ? tuning->options->builders : cpu_count();
  struct hone__slot_options *slots = hone__alloc(count * sizeof *slots);
  struct hone__pool_options options = {.loop = &tuning->loop,
                                       .role = "build",
                                       .slots = slots,
                                       .slot_count = count,
                                       .on_lost = on_builder_lost,
                                       .on_delayed = on_delayed,
                                       .data = tuning};
  hone_status status = hone__pool_open(&options, &tuning->builders);

  free(slots);
  return status;
}

/* ---- Runners ---- */

static void on_ready(void *data, size_t slot, const json_t *hello, const json_t *ready)
{
  struct hone__tuning *tuning = data;
  struct hone__site *site = &tuning->sites[slot];
  const char *fingerprint = json_string_value(json_object_get(ready, "fingerprint"));
  const char *isolation = json_string_value(json_object_get(hello, "isolation"));

  if (site->facts) return; /* again, after a restart */
  site->usable = !site->is_away;
  site->facts = json_deep_copy(ready);
  json_object_set(site->facts, "host", json_object_get(hello, "host"));
  json_object_set(site->facts, "isolation", json_object_get(hello, "isolation"));
  hone__tuning_log(tuning, "device '%s' is ready; processes are kept together by: %s", site->device,
                   isolation ? isolation : "unknown");
  site->fingerprint = hone__arena_strdup(&tuning->arena, fingerprint ? fingerprint : "unknown");
}

static void on_lost(void *data, size_t slot, const char *why)
{
  struct hone__tuning *tuning = data;
  struct hone__site *site = &tuning->sites[slot];

  site->usable = false;
  site->why = hone__arena_strdup(&tuning->arena, why);
  if (tuning->site_count > 1)
    hone__tuning_say(tuning, HONE_EVENT_WARNING, "device '%s' is given up: %s", site->device, why);
}

/* The reference fails: no device is to blame. */
static void on_wrong_spec(void *data, size_t slot, const char *why, bool is_unloaded)
{
  struct hone__tuning *tuning = data;
  struct hone__site *site = &tuning->sites[slot];
  bool is_baseline = hone__tuning_answers(tuning) == HONE__ANSWERS_BASELINE;

  site->usable = false;
  site->why = is_unloaded ? hone__arena_printf(&tuning->arena, "the %s %s",
                                               is_baseline ? "baseline" : "reference", why)
                          : hone__arena_strdup(&tuning->arena, why);
  tuning->reference_failed = true;
  tuning->reference_unloaded = is_unloaded;
}

/* Its jobs come back, and go to the others. */
static void on_away(void *data, size_t slot, const char *why)
{
  struct hone__tuning *tuning = data;
  struct hone__site *site = &tuning->sites[slot];

  site->is_away = true;
  site->usable = false;
  hone__tuning_say(tuning, HONE_EVENT_WARNING,
                   "device '%s' is left out until its worker is back%s%s", site->device,
                   why ? ": " : "", why ? why : "");
}

static bool has_baseline(const struct hone__tuning *tuning, const struct hone__site *site)
{
  return tuning->which.is_sweep || site->readings > 0;
}

static void on_back(void *data, size_t slot)
{
  struct hone__tuning *tuning = data;
  struct hone__site *site = &tuning->sites[slot];

  if (!site->is_away) return;
  site->is_away = false;
  site->usable = has_baseline(tuning, site);
  site->is_unread = !site->usable;
  hone__tuning_log(tuning, "device '%s' takes part again", site->device);
  make_room(tuning);
}

static bool is_working(void *data, size_t slot)
{
  const struct hone__tuning *tuning = data;
  const struct hone__site *site = &tuning->sites[slot];

  return site->usable && has_baseline(tuning, site);
}

const char *hone__tuning_devices(const struct hone__tuning *tuning)
{
  const char *own = json_string_value(json_object_get(tuning->setup.head, "device"));

  if (tuning->devices) return tuning->devices;
  if (tuning->options->devices) return tuning->options->devices;
  if (!own) own = json_string_value(json_object_get(tuning->task.device, "device"));
  return own ? own : tuning->task.backend->name;
}

static void on_note(void *data, size_t slot, const char *note)
{
  struct hone__tuning *tuning = data;

  hone__tuning_say(tuning, HONE_EVENT_NOTE, "device '%s': %s", tuning->sites[slot].device, note);
}

/* "iree:hip://0" of " hip://0", as IREE writes it. */
static const char *whole_device(struct hone__tuning *tuning, const char *text, size_t length)
{
  const char *name = tuning->task.backend->name, *device, *colon;

  for (; length && isblank((unsigned char)*text); text++)
    length--;
  while (length && isblank((unsigned char)text[length - 1]))
    length--;
  device = hone__arena_strndup(&tuning->arena, text, length);
  colon = strstr(device, "://");
  if (!colon || strcspn(device, ":") != (size_t)(colon - device)) return device;
  return hone__arena_printf(&tuning->arena, "%s:%s", name, device);
}

/* "c:0,c:1" as a list; NULL is the device that the setup names, or the backend's default one. */
static size_t split_devices(struct hone__tuning *tuning, const char ***out_devices)
{
  const char *text = hone__tuning_devices(tuning);
  const char **devices = NULL;
  size_t count = 0, capacity = 0;

  while (*text) {
    size_t length = strcspn(text, ",");
    HONE__GROW(devices, count, capacity);
    devices[count++] = whole_device(tuning, text, length);
    text += length + (text[length] == ',');
  }
  *out_devices = devices;
  return count;
}

static hone_status check_device(const struct hone__tuning *tuning, const char *device)
{
  size_t length = strcspn(device, ":");
  const char *name = tuning->task.backend->name;

  if (length == strlen(name) && strncmp(device, name, length) == 0) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "device '%s' is none of backend '%s': devices are written '%s:...'", device,
                     name, name);
}

/* CPUs of "c:0-1", "c:2+4"; of "c", and of CPUs with other names ("opencl:pocl:0"), all. */
static size_t device_cpus(const char *device)
{
  const char *p = strchr(device, ':');
  size_t count = 0;

  if (!p) return cpu_count();
  for (p++; *p; p += *p == '+' || *p == '-') {
    char *end;
    long first = strtol(p, &end, 10), last = first;
    if (end == p) return cpu_count();
    p = end;
    if (*p == '-') {
      last = strtol(p + 1, &end, 10);
      p = end;
    }
    count += last >= first ? (size_t)(last - first + 1) : 0;
  }
  return count;
}

static size_t cpus_taken(const struct hone__tuning *tuning, const char *device)
{
  const struct hone__backend *backend = tuning->task.backend;

  if (backend->is_beside_cpu && backend->is_beside_cpu(device)) return 0;
  if (!hone__device_is_own(backend)) return device_cpus(device);
  return hone__device_is_cpu(backend, device) ? cpu_count() : 0;
}

/* Compilers disturb measurements unless there are CPUs for them alone. */
static bool may_overlap(const struct hone__tuning *tuning)
{
  size_t used = 0;

  if (tuning->options->overlap || tuning->options->worker_count) return true;
  for (size_t i = 0; i < tuning->site_count; i++)
    used += cpus_taken(tuning, tuning->sites[i].device);
  if (!used) return true;
  return cpu_count() >= FEW_CPUS && used + 2 <= cpu_count();
}

static void take_slot(struct hone__tuning *tuning, struct hone__slot_options *slot,
                      const char *prefix, const char *device)
{
  struct hone__site *site = &tuning->sites[tuning->site_count++];

  *slot = (struct hone__slot_options){prefix, device};
  *site = (struct hone__site){.first_ns = NAN, .last_ns = NAN, .cold_ns = NAN};
  site->device = prefix ? hone__arena_printf(&tuning->arena, "%s/%s", prefix, device)
                        : hone__arena_strdup(&tuning->arena, device);
}

hone_status hone__tuning_open_runners(struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->options;
  size_t prefixes = options->worker_count ? options->worker_count : 1;
  const char **devices;
  size_t count = split_devices(tuning, &devices);
  struct hone__slot_options *slots = hone__alloc((count * prefixes + 1) * sizeof *slots);
  struct hone__pool_options pool = {.loop = &tuning->loop,
                                    .role = "run",
                                    .slots = slots,
                                    .on_ready = on_ready,
                                    .on_lost = on_lost,
                                    .on_wrong_spec = on_wrong_spec,
                                    .on_note = on_note,
                                    .on_away = on_away,
                                    .on_back = on_back,
                                    .is_working = is_working,
                                    .on_delayed = on_delayed,
                                    .data = tuning};
  hone_status status = NULL;

  tuning->sites = hone__arena_alloc(&tuning->arena, (count * prefixes + 1) * sizeof *tuning->sites);
  for (size_t i = 0; i < count && !status; i++)
    status = check_device(tuning, devices[i]);
  for (size_t p = 0; p < prefixes && !status; p++)
    for (size_t i = 0; i < count; i++)
      take_slot(tuning, &slots[tuning->site_count],
                options->worker_count ? options->workers[p] : NULL, devices[i]);
  pool.slot_count = tuning->site_count;
  tuning->overlap = !status && may_overlap(tuning);
  if (!status) status = hone__pool_open(&pool, &tuning->runners);
  tuning->progress.workers = tuning->site_count;
  free(devices);
  free(slots);
  return status;
}

size_t hone__tuning_usable_sites(const struct hone__tuning *tuning)
{
  size_t count = 0;

  for (size_t i = 0; i < tuning->site_count; i++)
    count += tuning->sites[i].usable;
  return count;
}

hone_status hone__tuning_check_sites(const struct hone__tuning *tuning)
{
  struct hone__text why = {0};
  hone_status status = NULL;

  if (hone__tuning_usable_sites(tuning)) return NULL;
  for (size_t i = 0; i < tuning->site_count; i++)
    hone__text_addf(&why, "%s%s", i ? "; " : "",
                    tuning->sites[i].why ? tuning->sites[i].why : "its worker is gone");
  status =
      hone__error(HONE_UNAVAILABLE,
                  "no device is left: %s: what was measured is kept, and the same command goes "
                  "on from there",
                  why.data);
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

void hone__tuning_close_workers(struct hone__tuning *tuning)
{
  size_t open = 0;

  if (tuning->builders) hone__pool_cancel(tuning->builders);
  if (tuning->runners) hone__pool_cancel(tuning->runners);
  close_pool(&tuning->builders, &open);
  close_pool(&tuning->runners, &open);
  while (open)
    uv_run(&tuning->loop, UV_RUN_ONCE);
  for (size_t i = 0; i < tuning->site_count; i++) {
    json_decref(tuning->sites[i].facts);
    hone__readings_release(&tuning->sites[i].history);
  }
  tuning->site_count = 0;
}
