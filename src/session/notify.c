/* Output for the user: events, the log in the store, notes for the report. */
#include "session/run_devices.h"
#include "session/session.h"

#include "backend/knob_use.h"
#include "base/clock.h"
#include "base/machine.h"
#include "base/number.h"

#include <stdlib.h>

static const double PROGRESS_S = 0.1;

static void emit(struct hone__session *session, const struct hone_event *event)
{
  const struct hone_tune_options *options = session->settings.options;

  struct hone_event named = *event;

  if (!options->progress) return;
  named.phase = event->phase_id ? hone__phase_name(event->phase_id) : NULL;
  named.problem = session->problem.which.number;
  named.problem_count = session->problem.which.count;
  if (!options->progress(options->progress_data, &named)) session->control.end_asked = true;
}

/* For the time left, which goes down while nothing is finished. */
static void note_step(struct hone__progress *progress)
{
  const struct hone_event *p = &progress->event;

  if (p->done + p->built == progress->stepped) return;
  progress->stepped = p->done + p->built;
  progress->stepped_s = p->elapsed_s;
}

void hone__session_progress(struct hone__session *session, bool now)
{
  struct hone_event *p = &session->progress.event;
  double seen_at = hone__clock(); /* by the user's clock, whatever the session's is */

  if (!now && seen_at - session->progress.emitted_at < PROGRESS_S) return;
  session->progress.emitted_at = seen_at;
  p->kind = HONE_EVENT_PROGRESS;
  p->phase_id = session->progress.phase;
  p->elapsed_s = hone__control_now(&session->control) - session->control.started;
  p->rate = p->elapsed_s > 0 ? (double)(p->done - session->progress.done_before) / p->elapsed_s : 0;
  note_step(&session->progress);
  session->settings.purpose->fill_progress(session, p);
  emit(session, p);
}

void hone__session_log(struct hone__session *session, const char *format, ...)
{
  struct hone__text text = {0};
  va_list args;

  if (!session->entry.run.id) return;
  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  if (!session->control.failure)
    hone__control_fail(&session->control,
                       hone__store_log(session->entry.store, session->entry.run.id, text.data));
  hone__text_release(&text);
}

void hone__session_say(struct hone__session *session, enum hone_event_kind kind, const char *format,
                       ...)
{
  struct hone__text text = {0};
  struct hone_event event = {.kind = kind, .phase_id = session->progress.phase};
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  event.text = text.data;
  emit(session, &event);
  hone__session_log(session, "%s%s", kind == HONE_EVENT_WARNING ? "warning: " : "", text.data);
  if (kind == HONE_EVENT_WARNING) hone__words_add(&session->entry.notes, text.data);
  hone__text_release(&text);
}

void hone__session_phase(struct hone__session *session, enum hone_phase phase, uint64_t total)
{
  struct hone_event event = {.kind = HONE_EVENT_PHASE,
                             .text = hone__phase_name(phase),
                             .total = total,
                             .phase_id = phase,
                             .config = session->problem.task.problem};

  session->progress.phase = phase;
  session->progress.phase_began = hone__control_now(&session->control);
  emit(session, &event);
  hone__session_log(session, "phase: %s", event.text);
}

void hone__session_emit(struct hone__session *session, const struct hone_event *event)
{
  emit(session, event);
}

/* ---- The spec and the machine ---- */

/* If the spec is part of a source, its lines are those of the source. */
static struct hone__place place_in_file(const struct hone__param *param)
{
  const struct hone__source *source = param->source;
  struct hone__place place = param->place;

  if (source && source->line_map && place.line && place.line <= source->line_count) {
    place.column += source->line_map[place.line - 1].column_shift;
    place.line = source->line_map[place.line - 1].line;
  }
  return place;
}

static void note_unused(void *data, const struct hone__param *param)
{
  struct hone__place place = place_in_file(param);

  hone__session_say(data, HONE_EVENT_WARNING,
                    "%s:%u:%u: parameter '%s' is not used: no compiled source uses its macro, and "
                    "no command, flag, launch, argument or derived value names it",
                    param->source ? param->source->path : "spec", place.line, place.column,
                    param->name);
}

void hone__session_begin_notes(struct hone__session *session)
{
  bool is_recorded = session->problem.task.backend->driver.is_recorded != NULL;
  double load[1];
  size_t cpus = hone__cpus_online();

  hone__unused_params(&session->problem.task, note_unused, session);
  if (is_recorded) return; /* no load changes its times */
  if (getloadavg(load, 1) == 1 && load[0] > (double)cpus)
    hone__session_say(
        session, HONE_EVENT_WARNING,
        "other work was running at the start (load %.1f on %zu CPUs): times are noisy", load[0],
        cpus);
}

/* How programs can have their answers checked; "" for all others. */
static const char *check_advice(const struct hone__session *session)
{
  if (session->settings.options->no_check || !session->problem.task.backend->driver.run_command)
    return "";
  return session->problem.head.start_s > 0 ? ": a served program can check them itself"
                                           : ": 'check.command' in the spec can check them";
}

/* A command that is timed from outside has no answer: no note is needed. */
static bool is_bare_command(const struct hone__session *session)
{
  const struct hone__task *task = &session->problem.task;
  const struct hone__node *enabled = hone__task_setting(task, "check.enabled");

  return enabled && hone__task_setting(task, "run.time");
}

void hone__session_warn_unchecked(struct hone__session *session)
{
  if (is_bare_command(session)) return;
  hone__session_say(session, HONE_EVENT_WARNING, "answers are not checked%s",
                    check_advice(session));
}

void hone__session_note(struct hone__session *session, const char *format, ...)
{
  struct hone__text text = {0};
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  hone__words_add(&session->entry.notes, text.data);
  hone__text_release(&text);
}

/* Facts that a device did not report. */
static void note_unavailable(struct hone__session *session, const struct hone__site *site)
{
  const struct hone__wire_device_facts *facts = &site->facts;
  struct hone__text names = {0};

  for (size_t i = 0; i < facts->other_count; i++) {
    const struct hone_value *value = &facts->other[i].value;
    if (value->type == HONE_TEXT && strcmp(value->text, "unavailable") == 0)
      hone__text_addf(&names, "%s%s", names.length ? ", " : "", facts->other[i].name);
  }
  if (names.length)
    hone__session_note(session, "unavailable on '%s': %s", site->device, names.data);
  hone__text_release(&names);
}

/* "measured on 'cuda:0': NVIDIA H200, driver 570.86"; CPUs are described by the environment. */
static void name_device(struct hone__session *session, const struct hone__site *site)
{
  if (!site->facts.name || !site->facts.driver) return;
  hone__session_note(session, "measured on '%s': %s%s%s", site->device, site->facts.name,
                     *site->facts.driver ? ", driver " : "", site->facts.driver);
}

static bool has_note(const struct hone__words *notes, const char *text)
{
  for (size_t i = 0; i < notes->count; i++)
    if (strcmp(notes->data[i], text) == 0) return true;
  return false;
}

/* Notes of a backend about its measurements on this device. */
static void take_notes(struct hone__session *session, const struct hone__site *site)
{
  for (size_t i = 0; i < site->facts.notes_count; i++)
    if (!has_note(&session->entry.notes, site->facts.notes[i])) /* another device has it too */
      hone__words_add(&session->entry.notes, site->facts.notes[i]);
}

void hone__session_remark(struct hone__session *session, size_t site,
                          const struct hone__reply *reply)
{
  struct hone__text text = {0};

  hone__session_count_comparisons(session, reply);
  for (size_t i = 0; reply->run && i < reply->run->notes_count; i++) {
    text.length = 0;
    hone__text_addf(&text, "device '%s': %s", session->workers.sites[site].device,
                    reply->run->notes[i]);
    if (!has_note(&session->entry.notes, text.data))
      hone__session_say(session, HONE_EVENT_WARNING, "%s", text.data);
  }
  hone__text_release(&text);
}

void hone__session_count_comparisons(struct hone__session *session, const struct hone__reply *reply)
{
  struct hone__comparisons *sum = &session->entry.comparisons;

  for (size_t i = 0; reply->run && i < reply->run->results_count; i++) {
    const struct hone__wire_run_checks *checks = reply->run->results[i].checks;
    if (!checks || !checks->compared) continue;
    sum->samples += checks->compared;
    sum->whole += checks->whole;
    if (sum->sample_ns > 0) continue;
    sum->whole_ns = checks->whole_ns;
    sum->sample_ns = checks->sample_ns;
  }
}

static void note_comparisons(struct hone__session *session)
{
  const struct hone__comparisons *sum = &session->entry.comparisons;
  char whole[64] = "no time that can be measured", share[64];

  if (!sum->samples || !(sum->sample_ns > 0)) return;
  if (sum->whole_ns > 0) hone__print_time(whole, sizeof whole, sum->whole_ns);
  hone__print_percent(share, sizeof share, sum->whole_ns / sum->sample_ns);
  hone__session_note(session,
                     "answers of %llu samples were compared, %llu of them in full, which takes %s, "
                     "%s of a sample ('measure.check' sets how many)",
                     (unsigned long long)sum->samples, (unsigned long long)sum->whole, whole,
                     share);
}

void hone__session_end_notes(struct hone__session *session)
{
  note_comparisons(session);
  for (size_t i = 0; i < session->workers.site_count; i++) {
    if (session->workers.sites[i].is_apart) continue;
    name_device(session, &session->workers.sites[i]);
    note_unavailable(session, &session->workers.sites[i]);
    take_notes(session, &session->workers.sites[i]);
  }
  hone__session_describe_devices(session);
}
