/* Devices are slots. A free one gets what the strategy requests; then time advances to the first
 * that is done, whose answer is told. What the strategy takes between two answers is charged to the
 * second of them, what opening it takes to the first one. */
#include "replay/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct device {
  double done_s;
  uint64_t index; /* of the configuration in the space */
  uint64_t order; /* of asking: of two that are done at once the earlier is first */
};

struct play {
  const struct hone__recording *recording;
  const struct hone__replay_plan *plan;
  struct hone__replay_trace *trace;
  void *state; /* the strategy's */
  size_t width;
  struct device *devices; /* the first `busy` work */
  size_t busy;
  uint32_t *rows;  /* of the devices */
  uint64_t *asked; /* a bit a configuration */
  uint64_t asked_count;
  double now_s;
  double own_s;    /* of the strategy since the last answer */
  double first_ms; /* the first time that was told; 0: none yet */
};

/* ---- Asking ---- */

static hone_status complain(const struct play *play, const uint32_t *row, const char *what)
{
  char text[512] = "";
  size_t used = 0;

  for (size_t i = 0; i < play->width && used < sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i ? " " : "", row[i]);
  return hone__error(HONE_INVALID_ARGUMENT,
                     "strategy '%s' with seed %llu requests on '%s' the row '%s', %s: this is a "
                     "defect in the strategy",
                     play->plan->strategy->name, (unsigned long long)play->plan->seed,
                     play->recording->path, text, what);
}

static hone_status start(struct play *play, const uint32_t *row)
{
  struct device *device = &play->devices[play->busy];
  uint64_t index, bit;

  if (!hone_space_index_of(play->recording->space, row, &index) || index >= play->recording->count)
    return complain(play, row, "which is not legal");
  bit = UINT64_C(1) << index % 64;
  if (play->asked[index / 64] & bit) return complain(play, row, "which it requested before");
  play->asked[index / 64] |= bit;
  device->index = index;
  device->order = play->asked_count++;
  device->done_s = play->now_s + play->recording->at[index].cost_s;
  play->busy++;
  return NULL;
}

/* How many may be begun now. */
static size_t room(const struct play *play)
{
  const struct hone__replay_plan *plan = play->plan;
  size_t count = plan->outstanding - play->busy;

  if (plan->budget_s > 0 && !(play->now_s < plan->budget_s)) return 0;
  if (plan->stop && atomic_load_explicit(plan->stop, memory_order_relaxed)) return 0;
  if (plan->evaluations && plan->evaluations - play->asked_count < count)
    count = (size_t)(plan->evaluations - play->asked_count);
  return count;
}

static hone_status ask(struct play *play)
{
  uint32_t *rows = play->rows + play->busy * play->width;
  size_t count = room(play), given;
  double begun;

  if (!count) return NULL;
  begun = hone__replay_cpu_s();
  given = play->plan->strategy->ask(play->state, count, rows);
  play->own_s += hone__replay_cpu_s() - begun;
  if (given > count)
    return hone__error(
        HONE_INVALID_ARGUMENT,
        "strategy '%s' returns %zu configurations instead of %zu: this is a defect in the strategy",
        play->plan->strategy->name, given, count);
  for (size_t i = 0; i < given; i++) {
    hone_status status = start(play, rows + i * play->width);
    if (status) return status;
  }
  return NULL;
}

/* ---- Telling ---- */

static size_t first_done(const struct play *play)
{
  const struct device *devices = play->devices;
  size_t first = 0;

  for (size_t i = 1; i < play->busy; i++)
    if (devices[i].done_s < devices[first].done_s ||
        (devices[i].done_s == devices[first].done_s && devices[i].order < devices[first].order))
      first = i;
  return first;
}

static void record(struct play *play, double time_ms)
{
  struct hone__replay_trace *trace = play->trace;

  if (trace->count == trace->capacity) {
    trace->capacity = trace->capacity ? 2 * trace->capacity : 256;
    trace->steps = hone__realloc(trace->steps, trace->capacity * sizeof *trace->steps);
    trace->own_s = hone__realloc(trace->own_s, trace->capacity * sizeof *trace->own_s);
  }
  trace->steps[trace->count] = (struct hone__replay_step){play->now_s, time_ms};
  trace->own_s[trace->count++] = play->own_s;
  play->own_s = 0;
}

/* Of a budget in recorded time, which passes for all devices at once. */
static double share_of(const struct hone__replay_plan *plan, double cost_s)
{
  return plan->budget_s > 0 ? cost_s / (plan->budget_s * (double)plan->outstanding) : NAN;
}

static void tell(struct play *play, const uint32_t *row, const struct hone__recorded *recorded)
{
  bool works = hone__outcome_works(recorded->outcome) && isfinite(recorded->time_ms);
  struct hone__observation observation = {
      .outcome = recorded->outcome, .cost = NAN, .share = share_of(play->plan, recorded->cost_s)};
  double begun;

  if (works && !(play->first_ms > 0)) play->first_ms = recorded->time_ms;
  if (works && play->first_ms > 0) observation.cost = recorded->time_ms / play->first_ms;
  if (play->plan->strategy->tell) {
    begun = hone__replay_cpu_s();
    play->plan->strategy->tell(play->state, row, &observation);
    play->own_s += hone__replay_cpu_s() - begun;
  }
  play->trace->evaluated_s += recorded->cost_s;
  record(play, works ? recorded->time_ms : NAN);
}

/* The last device takes the place of the one that is done. */
static void finish(struct play *play, size_t done)
{
  uint32_t *row = play->rows + done * play->width;
  const struct device *device = &play->devices[done];

  play->now_s = device->done_s;
  tell(play, row, &play->recording->at[device->index]);
  play->busy--;
  if (done == play->busy) return;
  play->devices[done] = play->devices[play->busy];
  memcpy(row, play->rows + play->busy * play->width, play->width * sizeof *row);
}

/* ---- The run ---- */

static hone_status play_all(struct play *play)
{
  hone_status status;

  for (;;) {
    status = ask(play);
    if (status || !play->busy) return status;
    finish(play, first_done(play));
  }
}

double hone__replay_cpu_s(void)
{
  struct timespec now;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static hone_status open_strategy(struct play *play)
{
  const struct hone__replay_plan *plan = play->plan;
  struct hone__search_options options = {.space = play->recording->space,
                                         .seed = plan->seed,
                                         .evaluations = plan->evaluations,
                                         .lessons = plan->lessons};
  double begun = hone__replay_cpu_s();
  hone_status status = plan->strategy->open(&options, &play->state);

  play->own_s = hone__replay_cpu_s() - begun;
  return status;
}

hone_status hone__replay_run(const struct hone__recording *recording,
                             const struct hone__replay_plan *plan,
                             struct hone__replay_trace *out_trace)
{
  struct play play = {.recording = recording, .plan = plan, .trace = out_trace};
  hone_status status;

  HONE__ASSERT(plan->outstanding >= 1 && plan->outstanding <= HONE__REPLAY_DEVICES);
  *out_trace = (struct hone__replay_trace){0};
  play.width = hone_space_width(recording->space);
  play.devices = hone__alloc(plan->outstanding * sizeof *play.devices);
  play.rows = hone__alloc(plan->outstanding * play.width * sizeof *play.rows);
  play.asked = hone__alloc((recording->count / 64 + 1) * sizeof *play.asked);
  status = open_strategy(&play);
  if (!status) {
    status = play_all(&play);
    plan->strategy->close(play.state);
  }
  free(play.asked);
  free(play.rows);
  free(play.devices);
  if (status) hone__replay_trace_release(out_trace);
  return status;
}

void hone__replay_trace_release(struct hone__replay_trace *trace)
{
  free(trace->steps);
  free(trace->own_s);
  *trace = (struct hone__replay_trace){0};
}
