/* What a person hears of: events, the log in the store, notes for the report. */
#include "tune/tuning.h"

#include "backend/knob_use.h"
#include "base/clock.h"
#include "base/number.h"

#include <stdlib.h>
#include <unistd.h>

static const double PROGRESS_S = 0.1;

static void emit(struct hone__tuning *tuning, const struct hone_event *event)
{
  if (tuning->options->event) tuning->options->event(tuning->options->event_data, event);
}

/* A sweep counts builds first, then runs: a phase has its own pace. */
static double phase_eta_s(const struct hone__tuning *tuning, double clock)
{
  const struct hone_event *p = &tuning->progress;
  double done = (double)p->done - (double)tuning->done_before;

  if (p->total <= p->done || !(done > 0)) return NAN;
  return (double)(p->total - p->done) * (clock - tuning->phase_began) / done;
}

/* Seconds that the rest will take. What is built but not measured counts half: where the two take
 * turns, nothing is measured for a while. */
static double eta_s(const struct hone__tuning *tuning)
{
  const struct hone_event *p = &tuning->progress;
  double left = hone__tuning_left_s(tuning), eta = NAN;
  double done = (double)(p->done - tuning->done_before);
  double work = fmax(done, (done + (double)p->built) / 2);

  if (tuning->stopping) return NAN; /* what is under way is all that is left */
  if (p->total > p->done && work > 0)
    eta = ((double)p->total - (double)tuning->done_before - work) * p->elapsed_s / work;
  return isfinite(left) && !(eta < left) ? fmax(left, 0) : eta;
}

void hone__tuning_progress(struct hone__tuning *tuning, bool now)
{
  struct hone_event *p = &tuning->progress;
  double clock = hone__clock();

  if (!now && clock - tuning->last_progress < PROGRESS_S) return;
  tuning->last_progress = clock;
  p->kind = HONE_EVENT_PROGRESS;
  p->phase = tuning->phase;
  p->elapsed_s = clock - tuning->started;
  p->rate = p->elapsed_s > 0 ? (double)(p->done - tuning->done_before) / p->elapsed_s : 0;
  p->eta_s = tuning->which.is_sweep ? phase_eta_s(tuning, clock) : eta_s(tuning);
  p->best_speedup = 1 / tuning->best_ratio;
  p->patience = tuning->patience.least ? hone__patience_left(&tuning->patience) : 0;
  emit(tuning, p);
}

void hone__tuning_log(struct hone__tuning *tuning, const char *format, ...)
{
  struct hone__text text = {0};
  va_list args;

  if (!tuning->store || !tuning->run.id) return;
  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  if (!tuning->failure)
    hone__tuning_fail(tuning, hone__store_log(tuning->store, tuning->run.id, text.data));
  hone__text_release(&text);
}

void hone__tuning_say(struct hone__tuning *tuning, enum hone_event_kind kind, const char *format,
                      ...)
{
  struct hone__text text = {0};
  struct hone_event event = {.kind = kind, .phase = tuning->phase};
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  event.text = text.data;
  emit(tuning, &event);
  hone__tuning_log(tuning, "%s%s", kind == HONE_EVENT_WARNING ? "warning: " : "", text.data);
  if (kind == HONE_EVENT_WARNING) json_array_append_new(tuning->notes, json_string(text.data));
  hone__text_release(&text);
}

void hone__tuning_phase(struct hone__tuning *tuning, const char *phase, uint64_t total)
{
  struct hone_event event = {.kind = HONE_EVENT_PHASE,
                             .text = phase,
                             .total = total,
                             .phase = phase,
                             .config = tuning->task.problem};

  tuning->phase = phase;
  tuning->phase_began = hone__clock();
  emit(tuning, &event);
  hone__tuning_log(tuning, "phase: %s", phase);
}

void hone__tuning_emit(struct hone__tuning *tuning, const struct hone_event *event)
{
  emit(tuning, event);
}

/* ---- The machine ---- */

static void explain_baseline(struct hone__tuning *tuning)
{
  struct hone__text text = {0};

  if (!tuning->task.backend->explain_baseline || tuning->which.is_sweep) return;
  tuning->task.backend->explain_baseline(&tuning->task, &text);
  if (text.length) json_array_append_new(tuning->notes, hone__frame_text(text.data, text.length));
  hone__text_release(&text);
}

/* Where the spec stands in a source, its lines are those of the source. */
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

  hone__tuning_say(
      data, HONE_EVENT_WARNING,
      "%s:%u:%u: parameter '%s' is used nowhere: no source that is built has its macro, "
      "and no command, flag, launch, argument or derived value names it",
      param->source ? param->source->path : "spec", place.line, place.column, param->name);
}

void hone__tuning_begin_notes(struct hone__tuning *tuning)
{
  double load[1];
  long cpus = sysconf(_SC_NPROCESSORS_ONLN);

  hone__tuning_phase(tuning, "start", hone_space_count(tuning->space));
  if (!tuning->task.baseline_given && !tuning->which.is_sweep)
    hone__tuning_say(tuning, HONE_EVENT_WARNING,
                     "the spec has no 'baseline': the first configuration is taken");
  explain_baseline(tuning);
  hone__unused_params(&tuning->task, note_unused, tuning);
  if (getloadavg(load, 1) == 1 && load[0] > (double)cpus)
    hone__tuning_say(tuning, HONE_EVENT_WARNING,
                     "other work was running at the start (load %.1f on %ld CPUs): times are noisy",
                     load[0], cpus);
  if (tuning->which.is_sweep ? tuning->options->no_check : !tuning->task.check)
    hone__tuning_say(tuning, HONE_EVENT_WARNING, "answers are not checked%s",
                     tuning->task.backend->run_command && !tuning->options->no_check
                         ? ": 'check.command' in the spec can do that"
                         : "");
}

/* Facts that a device could not tell. */
static void note_unavailable(struct hone__tuning *tuning, const struct hone__site *site)
{
  struct hone__text names = {0};
  const char *key;
  json_t *value;

  json_object_foreach(site->facts, key,
                      value) if (json_is_string(value) &&
                                 strcmp(json_string_value(value), "unavailable") == 0)
      hone__text_addf(&names, "%s%s", names.length ? ", " : "", key);
  if (names.length) {
    struct hone__text note = {0};
    hone__text_addf(&note, "unavailable on '%s': %s", site->device, names.data);
    json_array_append_new(tuning->notes, json_string(note.data));
    hone__text_release(&note);
  }
  hone__text_release(&names);
}

/* "measured on 'cuda:0': NVIDIA H200, driver 570.86"; of CPUs the environment tells. */
static void name_device(struct hone__tuning *tuning, const struct hone__site *site)
{
  const char *name = json_string_value(json_object_get(site->facts, "name"));
  const char *driver = json_string_value(json_object_get(site->facts, "driver"));

  if (!name || !driver) return;
  json_array_append_new(
      tuning->notes, json_sprintf("measured on '%s': %s, driver %s", site->device, name, driver));
}

/* What a backend has to say of its way to measure there. */
static void take_notes(struct hone__tuning *tuning, const struct hone__site *site)
{
  const json_t *notes = json_object_get(site->facts, "notes");

  for (size_t i = 0; i < json_array_size(notes); i++)
    if (json_is_string(json_array_get(notes, i)))
      json_array_append(tuning->notes, json_array_get(notes, i));
}

static bool has_note(const json_t *notes, const char *text)
{
  for (size_t i = 0; i < json_array_size(notes); i++) {
    const char *note = json_string_value(json_array_get(notes, i));
    if (note && strcmp(note, text) == 0) return true;
  }
  return false;
}

void hone__tuning_remark(struct hone__tuning *tuning, size_t site, const struct hone__reply *reply)
{
  const json_t *notes = json_object_get(reply->head, "notes");
  struct hone__text text = {0};

  hone__tuning_count_comparisons(tuning, reply);
  for (size_t i = 0; i < json_array_size(notes); i++) {
    const char *note = json_string_value(json_array_get(notes, i));
    if (!note) continue;
    text.length = 0;
    hone__text_addf(&text, "device '%s': %s", tuning->sites[site].device, note);
    if (!has_note(tuning->notes, text.data))
      hone__tuning_say(tuning, HONE_EVENT_WARNING, "%s", text.data);
  }
  hone__text_release(&text);
}

void hone__tuning_count_comparisons(struct hone__tuning *tuning, const struct hone__reply *reply)
{
  struct hone__comparisons *sum = &tuning->comparisons;
  const json_t *results = reply->head ? json_object_get(reply->head, "results") : NULL;

  for (size_t i = 0; i < json_array_size(results); i++) {
    const json_t *checks = json_object_get(json_array_get(results, i), "checks");
    json_int_t samples = json_integer_value(json_object_get(checks, "compared"));
    json_int_t whole = json_integer_value(json_object_get(checks, "whole"));
    if (samples <= 0 || whole < 0) continue;
    sum->samples += (uint64_t)samples;
    sum->whole += (uint64_t)whole;
    if (sum->sample_ns > 0) continue;
    sum->whole_ns = json_number_value(json_object_get(checks, "whole_ns"));
    sum->sample_ns = json_number_value(json_object_get(checks, "sample_ns"));
  }
}

static void note_comparisons(struct hone__tuning *tuning)
{
  const struct hone__comparisons *sum = &tuning->comparisons;
  char whole[64], share[64];

  if (!sum->samples || !(sum->sample_ns > 0)) return;
  hone__print_time(whole, sizeof whole, sum->whole_ns);
  hone__print_percent(share, sizeof share, sum->whole_ns / sum->sample_ns);
  json_array_append_new(
      tuning->notes,
      json_sprintf("answers of %llu samples were compared, %llu of them in whole, which takes %s, "
                   "%s of a sample (measure.check says how many)",
                   (unsigned long long)sum->samples, (unsigned long long)sum->whole, whole, share));
}

void hone__tuning_end_notes(struct hone__tuning *tuning)
{
  note_comparisons(tuning);
  for (size_t i = 0; i < tuning->site_count; i++) {
    name_device(tuning, &tuning->sites[i]);
    note_unavailable(tuning, &tuning->sites[i]);
    take_notes(tuning, &tuning->sites[i]);
  }
  if (tuning->forced_switches > 2 * tuning->readings)
    hone__tuning_say(tuning, HONE_EVENT_WARNING,
                     "the baseline was taken off its CPU %llu times in %llu readings: something "
                     "else runs on this machine",
                     (unsigned long long)tuning->forced_switches,
                     (unsigned long long)tuning->readings);
}
