/* Starts the workers that build: on this machine, or on hosts of the cluster. */
#include "session/device_kinds.h"
#include "session/session.h"

#include "base/machine.h"
#include "wire/ready.h"

#include <stdlib.h>

static void on_lost(void *data, size_t slot, const char *why)
{
  struct hone__session *session = data;

  hone__session_say(session, HONE_EVENT_WARNING, "builder %zu: %s", slot + 1, why);
  if (!hone__pool_usable(session->workers.builders))
    hone__control_fail(&session->control,
                       hone__error(HONE_UNAVAILABLE, "no working builder: %s", why));
}

static void on_joined(void *data, size_t slot, const char *host)
{
  hone__timeline_joined(data, HONE__TIMELINE_BUILD, slot, host);
}

static void on_left(void *data, size_t slot)
{
  hone__timeline_left(data, HONE__TIMELINE_BUILD, slot);
}

static void on_build(void *data, const struct hone__pool_work *work)
{
  hone__timeline_work(data, HONE__TIMELINE_BUILD, work);
}

size_t hone__session_served_builders(const struct hone__session *session)
{
  const struct hone__node *node = hone__task_setting(&session->problem.task, "run.builders");

  return node && node->value.integer > 0 ? (size_t)node->value.integer : 0;
}

/* The option, the spec, or one for each CPU. */
static size_t all_builders(const struct hone__session *session)
{
  size_t served = hone__session_served_builders(session);

  if (session->settings.options->builders) return session->settings.options->builders;
  return served ? served : hone__cpu_count();
}

static size_t builder_count(const struct hone__session *session)
{
  size_t at_once = session->problem.which.at_once, count = all_builders(session);

  return at_once < 2 ? count : (count + at_once - 1) / at_once;
}

/* ---- On other hosts ---- */

static void on_away(void *data, size_t slot, const char *why)
{
  hone__session_say(data, HONE_EVENT_WARNING, "builder %zu is not used until it is back%s%s",
                    slot + 1, why ? ": " : "", why ? why : "");
}

static void on_back(void *data, size_t slot)
{
  hone__session_log(data, "builder %zu is in use again", slot + 1);
}

static void on_note(void *data, size_t slot, const char *note)
{
  hone__session_say(data, HONE_EVENT_NOTE, "builder %zu: %s", slot + 1, note);
}

/* What is built for the processor of one host may not run on another. */
static void on_ready(void *data, size_t slot, const struct hone__hello *hello,
                     const struct hone__packed *packed)
{
  struct hone__session *session = data;
  struct hone__workers *workers = &session->workers;
  struct hone__arena arena = {0};
  struct hone__ready ready = {0};

  hone__session_log(session, "builder %zu is ready on host '%s'", slot + 1,
                    hello->host ? hello->host : "unknown");
  hone_status_free(hone__unpack(packed, &hone__ready_type, &arena, &ready));
  if (ready.processor && !workers->processor) {
    workers->processor = hone__arena_strdup(&session->arena, ready.processor);
  } else if (ready.processor && strcmp(workers->processor, ready.processor) != 0 &&
             hone__session_takes_cpus(session)) {
    hone__session_say(session, HONE_EVENT_NOTE,
                      "host '%s' does not build for this run: its processor differs from "
                      "that of the first host that builds",
                      hello->host ? hello->host : "unknown");
    hone__pool_dismiss(workers->builders, slot, "its processor differs");
  }
  hone__arena_release(&arena);
}

/* "gpu1" of "gpu1#2". */
static bool is_same_host(const char *worker, const char *host)
{
  size_t length = strlen(host);

  return strncmp(worker, host, length) == 0 && (!worker[length] || worker[length] == '#');
}

/* A run of one kind of devices is built on the hosts that have them. */
static bool has_kind(struct hone__session *session, const char *host)
{
  const struct hone_tune_options *options = session->settings.options;
  const struct hone__kind *kind = session->problem.which.kind;
  size_t devices = hone__session_device_count(session);

  for (size_t i = 0; kind && i < kind->count; i++) {
    size_t worker = kind->devices[i] / devices;
    if (is_same_host(hone__session_worker_name(options, worker), host)) return true;
  }
  return !kind;
}

static size_t take_hosts(struct hone__session *session, struct hone__slot_options *slots)
{
  const struct hone_tune_options *options = session->settings.options;
  size_t count = 0;

  for (size_t i = 0; i < options->host_builder_count; i++) {
    const char *name = options->host_builder_names[i];
    if (has_kind(session, name))
      slots[count++] =
          (struct hone__slot_options){.prefix = options->host_builders[i], .name = name};
  }
  return count;
}

hone_status hone__session_open_builders(struct hone__session *session)
{
  size_t hosts = session->settings.options->host_builder_count;
  size_t count = hosts ? hosts : builder_count(session);
  struct hone__slot_options *slots = hone__alloc((count + 1) * sizeof *slots);
  struct hone__pool_options options = {.loop = &session->control.loop,
                                       .clock = &session->control.clock,
                                       .role = "build",
                                       .slots = slots,
                                       .slot_count = count,
                                       .on_lost = on_lost,
                                       .on_delayed = hone__session_on_delayed,
                                       .on_joined = on_joined,
                                       .on_left = on_left,
                                       .on_work = on_build,
                                       .data = session};
  hone_status status = hone__session_prepare_pool(session, &options);

  if (hosts) {
    options.slot_count = take_hosts(session, slots);
    options.on_ready = on_ready;
    options.on_away = on_away;
    options.on_back = on_back;
    options.on_note = on_note;
  }
  if (!status) status = hone__pool_open(&options, &session->workers.builders);
  free(slots);
  return status;
}
