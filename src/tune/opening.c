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
  const json_t *build = json_object_get(tuning->session.problem.setup.head, "build");
  const json_t *check = json_object_get(tuning->session.problem.setup.head, "check");

  if (json_is_number(json_object_get(build, "timeout_s")))
    tuning->session.settings.build_timeout_s =
        json_number_value(json_object_get(build, "timeout_s"));
  if (json_is_false(json_object_get(check, "enabled"))) tuning->session.problem.task.check = false;
}

static hone_status describe(struct hone__tuning *tuning)
{
  hone_status status;

  json_decref(tuning->session.problem.setup.head);
  hone__text_release(&tuning->session.problem.setup.payload);
  tuning->session.problem.setup = (struct hone__message){0};
  status = tuning->session.problem.task.backend->describe(&tuning->session.problem.task,
                                                          &tuning->session.problem.setup);
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
  options.problem = tuning->session.problem.which.problem;
  options.shape = tuning->session.problem.which.shape;
  options.sizes = tuning->session.settings.options->problem_sizes;
  options.device = choice->values;
  options.device_gap = choice->gap;
  status = hone_space_build(spec, &options, &tuning->session.problem.space);
  if (status) return status;
  return (tuning->session.problem.which.is_sweep ? hone__task_init_sweep : hone__task_init)(
      &tuning->session.problem.task, spec, tuning->session.problem.space);
}

static hone_status open_space(struct hone__tuning *tuning, const struct hone_spec *spec)
{
  struct hone__device_choice choice;
  hone_status status = hone__tuning_choose_device(spec, tuning->session.settings.options, &choice);

  if (!status) status = solve(tuning, spec, &choice);
  if (!status) tuning->session.problem.task.device = json_incref(choice.facts);
  if (choice.devices)
    tuning->session.workers.devices = hone__arena_strdup(&tuning->session.arena, choice.devices);
  if (!status && choice.note) hone__tuning_say(tuning, HONE_EVENT_NOTE, "%s", choice.note);
  hone__device_choice_release(&choice);
  return status;
}

hone_status hone__tuning_open(struct hone__tuning *tuning, const struct hone_spec *spec,
                              const struct hone__case *which,
                              const struct hone_tune_options *options)
{
  hone_status status;

  *tuning = (struct hone__tuning){.session = {.settings = {.options = options},
                                              .problem = {.which = *which},
                                              .control = {.started = hone__clock()}},
                                  .search = {.told_ratio = 1, .told_ns = INFINITY},
                                  .ranking = {.best_ratio = 1}};
  tuning->session.entry.result = (struct hone__run_result){
      .speedup = NAN, .low = NAN, .high = NAN, .confidence = 0.95, .drift = NAN};
  tuning->known.configs = json_object();
  tuning->known.objects = json_object();
  tuning->session.entry.notes = json_array();
  status = open_space(tuning, spec);
  if (!status) status = hone__tuning_settle(tuning);
  return status ? status : describe(tuning);
}

hone_status hone__tuning_rebase(struct hone__tuning *tuning, const uint32_t *row)
{
  hone_status status;

  memcpy(tuning->session.problem.task.baseline, row,
         hone_space_width(tuning->session.problem.space) * sizeof *row);
  hone__candidate_free(tuning->baseline.candidate);
  tuning->baseline.candidate = NULL;
  status = describe(tuning);
  if (!status) hone__identity_setup(tuning);
  return status;
}

void hone__tuning_release(struct hone__tuning *tuning)
{
  hone__run_lock_release(&tuning->session.entry.lock);
  hone__search_set_close(tuning->search.set);
  hone__candidate_free(tuning->baseline.candidate);
  json_decref(tuning->session.problem.setup.head);
  hone__text_release(&tuning->session.problem.setup.payload);
  json_decref(tuning->known.configs);
  json_decref(tuning->known.objects);
  json_decref(tuning->session.entry.notes);
  json_decref(tuning->session.entry.use);
  free(tuning->ranking.entries);
  hone__builds_release(&tuning->session.builds);
  hone_status_free(tuning->session.control.failure);
  hone__task_release(&tuning->session.problem.task);
  hone_space_free(tuning->session.problem.space);
  hone__arena_release(&tuning->session.arena);
}
