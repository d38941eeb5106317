/* Candidates in C are shared objects, called in a fork of the runner. They are passed as files in
 * memory, kept open across the fork; the buffers are at the same addresses in every child.
 */
#include "backend/c/c_apart.h"
#include "backend/c/c_object.h"
#include "backend/c/c_symbols.h"
#include "backend/c/call.h"
#include "backend/kernel/engine.h"
#include "backend/kernel/expected.h"
#include "backend/kernel/sampler.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "check/guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 64, SPOTS_MEASURED = 64 };
static const uint64_t most_repeats = 1 << 20;
static const double short_ns = 0.5e6;

struct own { /* of a candidate */
  const struct hone__kernel_stage *stages;
  struct hone__c_call *calls; /* one for each stage */
  size_t stage_count;
  const size_t *order; /* of the stages, in a call of the candidate */
  size_t order_count;
  int object;       /* a file in memory */
  char path[64];    /* by which a child opens it */
  bool *is_mangled; /* for each stage: it has the entry under a C++ name */
  struct hone__c_symbols symbols;
  fenv_t floats; /* as set by loading it: -ffast-math makes the whole process flush to zero */
};

static struct own *own_of(const struct hone__trial *trial, size_t index)
{
  return trial->candidates[index].own;
}

/* ---- In the runner ---- */

static hone_status add_stage(const struct hone__trial *trial,
                             const struct hone__trial_candidate *candidate, struct own *own,
                             size_t stage)
{
  const char *entry = own->stages[stage].entry;

  if (!entry) return hone__error(HONE_INVALID_SPEC, "a candidate has no entry");
  own->is_mangled[stage] =
      hone__c_object_has_mangled(candidate->object, candidate->object_size, entry);
  return hone__c_call_prepare(&own->calls[stage], &trial->bench->buffers, &own->stages[stage],
                              &candidate->candidate);
}

static hone_status add(struct hone__trial *trial, struct hone__trial_candidate *candidate)
{
  const struct hone__pipeline *pipeline = &candidate->pipeline;
  struct own *own = candidate->own = hone__alloc(sizeof *own);
  hone_status status = NULL;

  own->stages = pipeline->stages;
  own->stage_count = pipeline->stage_count;
  own->order = pipeline->order;
  own->order_count = pipeline->order_count;
  own->calls = hone__alloc((own->stage_count + 1) * sizeof *own->calls);
  own->is_mangled = hone__alloc((own->stage_count + 1) * sizeof *own->is_mangled);
  own->object = hone__c_object_file(candidate->object, candidate->object_size);
  if (own->object < 0)
    return hone__error(HONE_EXHAUSTED, "cannot keep an object of %zu bytes in memory: %s",
                       candidate->object_size, strerror(errno));
  hone__c_object_path(own->object, own->path, sizeof own->path);
  hone__c_symbols_prepare(&own->symbols, &trial->bench->buffers, &candidate->candidate);
  for (size_t i = 0; i < own->stage_count && !status; i++)
    status = add_stage(trial, candidate, own, i);
  return status;
}

static void forget(struct hone__trial_candidate *candidate)
{
  struct own *own = candidate->own;

  for (size_t i = 0; i < own->stage_count; i++)
    hone__c_call_release(&own->calls[i]);
  free(own->calls);
  free(own->is_mangled);
  hone__c_symbols_release(&own->symbols);
  if (own->object >= 0) close(own->object);
  free(own);
}

/* "NAME=value" of each variable, and NULL. */
static char **variables_of(const struct hone__kernel_candidate *candidate)
{
  char **variables = hone__alloc((candidate->env_count + 1) * sizeof *variables);

  for (size_t i = 0; i < candidate->env_count; i++) {
    struct hone__text text = {0};
    hone__text_addf(&text, "%s=%s", candidate->env[i].name, candidate->env[i].value);
    variables[i] = hone__text_take(&text);
  }
  return variables;
}

static void free_variables(char **variables)
{
  for (char **variable = variables; *variable; variable++)
    free(*variable);
  free(variables);
}

static void run_process(struct hone__trial *trial, double timeout_s)
{
  static const struct hone__kernel_candidate none;
  char **variables = variables_of(trial->count ? &trial->candidates[0].candidate : &none);
  int *keep = hone__alloc((trial->count + 1) * sizeof *keep);
  struct hone__child_options options = {.function = hone__sampler_run,
                                        .data = trial,
                                        .timeout_s = timeout_s,
                                        .variables = (const char *const *)variables,
                                        .memory_bytes = trial->bench->memory_bytes,
                                        .keep = keep,
                                        .spares_others = trial->bench->has_helper};

  hone__spots_init(&trial->spots, &trial->bench->buffers, trial->plan.seed);
  for (size_t i = 0; i < trial->count; i++)
    keep[i] = own_of(trial, i)->object;
  keep[trial->count] = -1;
  hone__child_run(&options, &trial->end);
  free(keep);
  free_variables(variables);
}

static void execute(struct hone__trial *trial)
{
  if (hone__c_shares_environment(trial))
    run_process(trial, trial->plan.timeout_s);
  else
    hone__c_run_apart(trial, run_process);
}

/* ---- Loading ---- */

/* "/proc/self/fd/5: undefined symbol: f" without the file, which is meaningless to the user. */
static const char *loader_message(const char *path)
{
  const char *message = dlerror();
  size_t length = strlen(path);

  if (!message) return "no reason given";
  if (strncmp(message, path, length) != 0) return message;
  return message + length + strspn(message + length, ": ");
}

static bool refuse(struct hone__kernel_record *record, const char *why)
{
  bool is_symbol = strstr(why, "undefined symbol") != NULL;

  return hone__kernel_record_fail(record, HONE_OUTCOME_LAUNCH_FAILURE, "cannot be loaded: %s%s",
                                  why,
                                  is_symbol ? "; add its source or library to 'build.flags'" : "");
}

static const char *missing_advice(const struct hone__trial *trial, size_t index, size_t stage)
{
  if (own_of(trial, index)->is_mangled[stage])
    return " with C linkage: declare it extern \"C\", or name it in full, as in 'entry: ::f'";
  if (trial->candidates[index].candidate.takes_symbols) /* a reference */
    return "; 'reference.entry' names another one";
  return "; if it is static, write two colons before its name, as in 'entry: ::f'; if '#if' leaves "
         "it out, 'build: {defines: {NAME: 1}}' sets the macro";
}

static bool find_entry(const struct hone__trial *trial, size_t index, size_t stage, void *library)
{
  struct own *own = own_of(trial, index);
  const char *entry = own->stages[stage].entry;
  void *symbol = hone__c_entry_find(library, entry);

  if (!symbol)
    return hone__kernel_record_fail(hone__trial_record(trial, index), HONE_OUTCOME_LAUNCH_FAILURE,
                                    "cannot be loaded: no function '%s'%s", entry,
                                    missing_advice(trial, index, stage));
  memcpy(&own->calls[stage].function, &symbol, sizeof symbol); /* ISO C has no cast for it */
  return true;
}

/* The files of the runner may be hidden from its children. */
static void *open_library(struct own *own)
{
  void *library = dlopen(own->path, RTLD_NOW | RTLD_LOCAL);

  if (library || access(own->path, R_OK) == 0) return library;
  snprintf(own->path, sizeof own->path, "/proc/self/fd/%d", own->object);
  return dlopen(own->path, RTLD_NOW | RTLD_LOCAL);
}

static bool load(struct hone__trial *trial, size_t index)
{
  struct own *own = own_of(trial, index);
  struct hone__kernel_record *record = hone__trial_record(trial, index);
  bool found = true;
  void *library;

  fesetenv(FE_DFL_ENV);
  library = open_library(own);
  fegetenv(&own->floats);
  if (!library) return refuse(record, loader_message(own->path));
  for (size_t i = 0; i < own->stage_count && found; i++)
    found = find_entry(trial, index, i, library);
  return found && hone__c_symbols_find(&own->symbols, &trial->bench->buffers, library, record);
}

/* ---- Buffers ---- */

static bool restore(struct hone__trial *trial, size_t index, bool used)
{
  (void)index;
  trial->first_place = 0;
  trial->swapped = 0; /* the next turn that swaps does it */
  hone__spots_clear(&trial->spots);
  hone__buffers_restore(&trial->bench->buffers, used);
  return true;
}

static bool restore_inputs(struct hone__trial *trial, size_t index)
{
  size_t changed = hone__buffers_restore_inputs(&trial->bench->buffers);

  if (changed) hone__trial_record(trial, index)->changed = changed;
  return true;
}

static bool snapshot(struct hone__trial *trial, size_t index, size_t place, unsigned char *to)
{
  (void)index;
  hone__buffers_snapshot(&trial->bench->buffers, place, to);
  return true;
}

static bool guards_hold(struct hone__trial *trial, size_t index)
{
  struct hone__kernel_record *record = hone__trial_record(trial, index);

  if (hone__buffers_intact(&trial->bench->buffers, &record->breach)) return true;
  record->fault = HONE__TRIAL_BREACH;
  return false;
}

/* ---- Calls ---- */

static double now_ns(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static inline void call_all(struct own *own, size_t place)
{
  for (size_t i = 0; i < own->order_count; i++)
    hone__call(&own->calls[own->order[i]], place);
}

static bool call(struct hone__trial *trial, size_t index, size_t place, double *out_ns)
{
  const struct hone__buffers *buffers = &trial->bench->buffers;
  struct own *own = own_of(trial, index);
  double began;

  hone__c_symbols_write(&own->symbols, buffers, place);
  fesetenv(&own->floats);
  began = now_ns();
  call_all(own, place);
  *out_ns = now_ns() - began;
  hone__c_symbols_read(&own->symbols, buffers, place);
  return true;
}

/* Whether inputs change from one call to the next. */
static bool alternates(const struct hone__trial *trial)
{
  return trial->plan.check && trial->plan.checking != HONE__CHECK_FIRST;
}

static size_t place_of(const struct hone__trial *trial, uint64_t call_number)
{
  return (trial->first_place + (size_t)call_number) % trial->bench->buffers.places;
}

/* The time to poison one element: the least of several, because disturbances only add time. */
static double measure_spot(struct hone__trial *trial)
{
  double least = INFINITY;

  for (int go = 0; go < 8; go++) {
    double began = now_ns();
    for (uint64_t i = 0; i < SPOTS_MEASURED; i++)
      hone__spots_poison_one(&trial->spots, &trial->bench->buffers, place_of(trial, i));
    least = fmin(least, now_ns() - began);
  }
  hone__spots_clear(&trial->spots);
  return least / SPOTS_MEASURED;
}

/* A candidate that returns at once because the answer is already there leaves an element unwritten.
 * The time for poisoning is subtracted. */
static double timed_alternating(struct hone__trial *trial, struct own *own, uint64_t repeats)
{
  double began = now_ns(), taken;

  for (uint64_t i = 0; i < repeats; i++) {
    size_t place = place_of(trial, i);
    if (i) hone__spots_poison_one(&trial->spots, &trial->bench->buffers, place);
    call_all(own, place);
  }
  taken = now_ns() - began;
  return fmax(taken - (double)(repeats - 1) * trial->spot_ns, taken / 2);
}

static double timed(struct own *own, uint64_t repeats)
{
  double began = now_ns();

  for (uint64_t i = 0; i < repeats; i++)
    call_all(own, 0);
  return now_ns() - began;
}

static void flush_caches(const struct hone__bench *bench)
{
  const volatile unsigned char *bytes = bench->flush;

  for (size_t i = 0; i < bench->flush_bytes; i += LINE)
    (void)bytes[i];
}

/* Copying takes as long as a call that reads everything: rare enough to cost little, and at least
 * once in every process. */
static bool turn(struct hone__trial *trial, uint64_t number)
{
  static const double share = 0.05;
  struct hone__buffers *buffers = &trial->bench->buffers;
  double now = hone__clock();

  trial->turn = number;
  trial->first_place = number % buffers->places;
  if (!hone__turn_swaps_contents(number) || buffers->contents < 2 ||
      share * (now - trial->swapped) < trial->swap_s)
    return true;
  hone__buffers_swap(buffers);
  trial->swapped = hone__clock();
  trial->swap_s = trial->swapped - now;
  return true;
}

static bool arrange(struct hone__trial *trial, size_t index, uint64_t repeats,
                    enum hone__extent extent)
{
  const struct hone__buffers *buffers = &trial->bench->buffers;
  bool whole =
      extent == HONE__WHOLE && !(alternates(trial) && hone__turn_leaves_answers(trial->turn));

  (void)index;
  if (alternates(trial) && !(trial->spot_ns > 0)) trial->spot_ns = measure_spot(trial);
  hone__buffers_refill(buffers);
  if (trial->restores_inputs) hone__buffers_restore_inputs(buffers);
  hone__spots_clear(&trial->spots);
  for (size_t i = 0; extent != HONE__NOTHING && i < buffers->places && i < repeats; i++) {
    if (whole)
      hone__buffers_poison(buffers, place_of(trial, i));
    else
      hone__spots_poison(&trial->spots, buffers, place_of(trial, i));
  }
  return true;
}

static bool sample(struct hone__trial *trial, size_t index, uint64_t repeats, double *out_ns)
{
  const struct hone__bench *bench = trial->bench;
  struct own *own = own_of(trial, index);
  size_t place = alternates(trial) ? place_of(trial, 0) : 0;

  hone__c_symbols_write(&own->symbols, &bench->buffers, place); /* for one call: see is_single */
  if (bench->flush) flush_caches(bench);
  trial->report->stage_began = hone__clock();
  fesetenv(&own->floats);
  *out_ns = alternates(trial) ? timed_alternating(trial, own, repeats) : timed(own, repeats);
  *out_ns /= (double)repeats;
  hone__c_symbols_read(&own->symbols, &bench->buffers, place);
  return true;
}

static bool call_anew(struct hone__trial *trial, size_t index, bool is_known, double *out_ns)
{
  const struct hone__buffers *buffers = &trial->bench->buffers;
  size_t place = trial->first_place;

  if (is_known)
    hone__buffers_rewrite(buffers, place);
  else
    hone__buffers_draw(buffers, place, hone__random_u64(&trial->spots.random));
  return call(trial, index, place, out_ns);
}

/* The clock is read between stages. */
static bool time_stages(struct hone__trial *trial, size_t index, double *stage_ns)
{
  struct own *own = own_of(trial, index);
  const struct hone__pipeline *pipeline = &trial->candidates[index].pipeline;
  double began, ended;

  fesetenv(&own->floats);
  began = now_ns();
  for (size_t i = 0; i < own->order_count; i++, began = ended) {
    hone__call(&own->calls[own->order[i]], trial->first_place);
    ended = now_ns();
    stage_ns[pipeline->names[own->order[i]]] += ended - began;
  }
  return true;
}

/* ---- Answers ---- */

/* False if the element is neither its initial value nor the expected one. */
static bool look_at_spot(struct hone__trial *trial, size_t index, const struct hone__spot *spot,
                         struct hone__look *look)
{
  const struct hone__buffers *buffers = &trial->bench->buffers;
  const struct hone__arg *arg = &buffers->args[spot->arg];
  size_t size = hone__element_size(arg->element), content = buffers->holds[spot->place];
  const unsigned char *is = buffers->range[spot->place] + arg->data + spot->index * size;
  const unsigned char *was =
      hone__trial_snapshot(trial, index, content) + arg->snapshot + spot->index * size;
  bool is_poison = hone__check_is_poison(arg->element, is, 0);

  if (memcmp(is, was, size) == 0) return true;
  if (!is_poison &&
      hone__expected_element_matches(trial->bench, content, spot->arg, spot->index, is))
    return true;
  *look = (struct hone__look){.set = spot->place, .content = content, .arg = spot->arg};
  look->element = spot->index;
  look->what =
      is_poison && hone__poison_is_certain(arg->element) ? HONE__LOOK_UNWRITTEN : HONE__LOOK_OTHER;
  return false;
}

static void look_at_spots(struct hone__trial *trial, size_t index, struct hone__look *look)
{
  size_t at = 0, first = look->set;
  struct hone__spot spot;

  while (hone__spots_next(&trial->spots, &at, &spot))
    if (spot.place >= first && !look_at_spot(trial, index, &spot, look)) return;
  look->what = HONE__LOOK_SAME;
}

static bool is_used(const struct hone__trial *trial, size_t place, uint64_t repeats)
{
  return repeats > 1 || place == trial->first_place;
}

static bool inspect(struct hone__trial *trial, size_t index, uint64_t repeats,
                    enum hone__extent extent, struct hone__look *look)
{
  const struct hone__buffers *buffers = &trial->bench->buffers;

  look_at_spots(trial, index, look);
  for (; extent == HONE__WHOLE && look->what == HONE__LOOK_SAME && look->set < buffers->places;
       look->set++) {
    look->content = buffers->holds[look->set];
    if (is_used(trial, look->set, repeats) &&
        !hone__buffers_equal(buffers, look->set, hone__trial_snapshot(trial, index, look->content)))
      break;
  }
  if (look->what == HONE__LOOK_SAME && extent == HONE__WHOLE && look->set < buffers->places)
    look->what = HONE__LOOK_OTHER;
  return true;
}

/* Whether each call needs preparation. */
static bool is_single(const struct hone__trial *trial, size_t index)
{
  const struct hone__bench *bench = trial->bench;

  return bench->buffers.has_inout || bench->buffers.has_symbol || bench->flush ||
         hone__trial_record(trial, index)->changed ||
         (trial->plan.check && trial->plan.checking == HONE__CHECK_EVERY);
}

/* Reading the clock takes a share of a very short call, so the first guess may be too small. */
static bool calibrate(struct hone__trial *trial, size_t index, double call_ns)
{
  double least_ns = trial->plan.min_sample_ns;
  uint64_t repeats = 1;

  while (!is_single(trial, index) && repeats < most_repeats &&
         call_ns * (double)repeats < least_ns) {
    double wanted = ceil(1.1 * least_ns / fmax(call_ns, 1));
    uint64_t next = wanted < (double)most_repeats ? (uint64_t)wanted : most_repeats;
    repeats = next > repeats ? next : 2 * repeats;
    hone__trial_record(trial, index)->calls += repeats;
    sample(trial, index, repeats, &call_ns);
  }
  hone__trial_record(trial, index)->repeats = repeats;
  return true;
}

/* One call in each place, starting with the one that is timed first. */
static uint64_t cools_down(const struct hone__trial *trial, size_t index)
{
  if (is_single(trial, index) || hone__trial_record(trial, index)->cold_ns >= short_ns) return 0;
  return alternates(trial) ? trial->bench->buffers.places : 1;
}

const struct hone__engine hone__engine_c = {
    .calls_are_samples = true,
    .add = add,
    .forget = forget,
    .execute = execute,
    .load = load,
    .restore = restore,
    .restore_inputs = restore_inputs,
    .guards_hold = guards_hold,
    .call = call,
    .snapshot = snapshot,
    .turn = turn,
    .arrange = arrange,
    .sample = sample,
    .inspect = inspect,
    .calibrate = calibrate,
    .cools_down = cools_down,
    .call_anew = call_anew,
    .time_stages = time_stages,
};
