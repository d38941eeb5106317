/* One problem with one shape is opened: its space, its task, and what workers must know of it. */
#include "tune/tuning.h"

#include "base/clock.h"
#include "search/search_set.h"
#include "tune/identity.h"
#include "tune/knobs.h"

#include <stdlib.h>

enum { MOST_CASES = 1000000 };

/* ---- Cases ---- */

hone_status hone__cases_init(struct hone__cases *cases, const struct hone_spec *spec,
                             const struct hone_tune_options *options)
{
  size_t problems = options->problems ? options->problem_count : spec->problem_count;
  hone_status status;

  *cases = (struct hone__cases){.spec = spec, .options = options};
  status = hone_spec_shape_count(spec, &cases->shapes);
  if (status) return status;
  if (cases->shapes > MOST_CASES || problems * cases->shapes > MOST_CASES)
    return hone__error(HONE_EXHAUSTED,
                       "%llu shapes are too many: each is a run of its own, and %d are the most; "
                       "take a part of them with --partition",
                       (unsigned long long)cases->shapes, MOST_CASES);
  cases->count = problems * (size_t)cases->shapes;
  return NULL;
}

struct hone__case hone__cases_at(const struct hone__cases *cases, size_t i, bool is_sweep)
{
  const struct hone_tune_options *options = cases->options;
  size_t problem = (size_t)(i / cases->shapes);

  return (struct hone__case){.problem = options->problems ? options->problems[problem] : problem,
                             .shape = cases->spec->shapes ? i % cases->shapes : HONE_ALL_SHAPES,
                             .is_sweep = is_sweep};
}

/* ---- Opening ---- */

/* The backend knows its compiler, and whether there is anything to check with. */
static void take_facts(struct hone__tuning *tuning)
{
  const json_t *build = json_object_get(tuning->setup.head, "build");
  const json_t *check = json_object_get(tuning->setup.head, "check");

  if (json_is_number(json_object_get(build, "timeout_s")))
    tuning->build_timeout_s = json_number_value(json_object_get(build, "timeout_s"));
  if (json_is_false(json_object_get(check, "enabled"))) tuning->task.check = false;
}

static hone_status describe(struct hone__tuning *tuning)
{
  hone_status status;

  json_decref(tuning->setup.head);
  hone__text_release(&tuning->setup.payload);
  tuning->setup = (struct hone__message){0};
  status = tuning->task.backend->describe(&tuning->task, &tuning->setup);
  if (!status) take_facts(tuning);
  return status;
}

hone_status hone__tuning_choose_device(const struct hone_spec *spec,
                                       const struct hone_tune_options *options,
                                       struct hone__device_choice *out_choice)
{
  struct hone__device_wish wish = {.devices = options->devices,
                                   .given = options->device,
                                   .is_elsewhere = options->worker_count > 0};
  const struct hone__backend *backend = NULL;

  hone_status_free(
      hone__backend_of(spec, &backend)); /* the task says it, once the space is right */
  return hone__device_choose(backend, &wish, out_choice);
}

static hone_status solve(struct hone__tuning *tuning, const struct hone_spec *spec,
                         const struct hone__device_choice *choice)
{
  struct hone_space_options options;
  hone_status status;

  hone_space_options_init(&options);
  options.problem = tuning->which.problem;
  options.shape = tuning->which.shape;
  options.sizes = tuning->options->problem_sizes;
  options.device = choice->values;
  options.device_gap = choice->gap;
  status = hone_space_build(spec, &options, &tuning->space);
  if (status) return status;
  return (tuning->which.is_sweep ? hone__task_init_sweep : hone__task_init)(&tuning->task, spec,
                                                                            tuning->space);
}

static hone_status open_space(struct hone__tuning *tuning, const struct hone_spec *spec)
{
  struct hone__device_choice choice;
  hone_status status = hone__tuning_choose_device(spec, tuning->options, &choice);

  if (!status) status = solve(tuning, spec, &choice);
  if (!status) tuning->task.device = json_incref(choice.facts);
  if (choice.devices) tuning->devices = hone__arena_strdup(&tuning->arena, choice.devices);
  if (!status && choice.note) hone__tuning_say(tuning, HONE_EVENT_NOTE, "%s", choice.note);
  hone__device_choice_release(&choice);
  return status;
}

hone_status hone__tuning_open(struct hone__tuning *tuning, const struct hone_spec *spec,
                              const struct hone__case *which,
                              const struct hone_tune_options *options)
{
  hone_status status;

  *tuning = (struct hone__tuning){.options = options,
                                  .which = *which,
                                  .best_ratio = 1,
                                  .told_ratio = 1,
                                  .told_ns = INFINITY,
                                  .started = hone__clock()};
  tuning->result = (struct hone__run_result){
      .speedup = NAN, .low = NAN, .high = NAN, .confidence = 0.95, .drift = NAN};
  tuning->known = json_object();
  tuning->objects = json_object();
  tuning->notes = json_array();
  status = open_space(tuning, spec);
  if (!status) status = hone__tuning_settle(tuning);
  return status ? status : describe(tuning);
}

hone_status hone__tuning_rebase(struct hone__tuning *tuning, const uint32_t *row)
{
  hone_status status;

  memcpy(tuning->task.baseline, row, hone_space_width(tuning->space) * sizeof *row);
  hone__candidate_free(tuning->baseline);
  tuning->baseline = NULL;
  status = describe(tuning);
  if (!status) hone__identity_setup(tuning);
  return status;
}

void hone__tuning_release(struct hone__tuning *tuning)
{
  hone__run_lock_release(&tuning->lock);
  hone__search_set_close(tuning->search);
  hone__candidate_free(tuning->baseline);
  json_decref(tuning->setup.head);
  hone__text_release(&tuning->setup.payload);
  json_decref(tuning->known);
  json_decref(tuning->objects);
  json_decref(tuning->notes);
  json_decref(tuning->screening);
  hone__knobs_free(tuning->knobs);
  free(tuning->failing.kind);
  free(tuning->ranking);
  for (size_t i = 0; i < sizeof tuning->built / sizeof *tuning->built; i++) {
    free(tuning->built[i].bytes);
    free(tuning->built[i].deps);
    json_decref(tuning->built[i].costs);
  }
  hone_status_free(tuning->failure);
  hone__task_release(&tuning->task);
  hone_space_free(tuning->space);
  hone__arena_release(&tuning->arena);
}
