/* One problem with one shape is opened: its space, its task, and what workers must know of it. */
#include "session/session.h"

#include "base/clock.h"
#include "session/identity.h"

#include <stdlib.h>

/* The backend knows its compiler, and whether there is anything to check with. */
static void take_facts(struct hone__session *session)
{
  const json_t *build = json_object_get(session->problem.setup.head, "build");
  const json_t *check = json_object_get(session->problem.setup.head, "check");

  if (json_is_number(json_object_get(build, "timeout_s")))
    session->settings.build_timeout_s = json_number_value(json_object_get(build, "timeout_s"));
  if (json_is_false(json_object_get(check, "enabled"))) session->problem.task.check = false;
}

hone_status hone__session_describe(struct hone__session *session)
{
  hone_status status;

  json_decref(session->problem.setup.head);
  hone__text_release(&session->problem.setup.payload);
  session->problem.setup = (struct hone__message){0};
  status = session->problem.task.backend->describe(&session->problem.task, &session->problem.setup);
  if (!status) take_facts(session);
  return status;
}

hone_status hone__session_choose_device(const struct hone_spec *spec,
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

static hone_status solve(struct hone__session *session, const struct hone_spec *spec,
                         const struct hone__device_choice *choice)
{
  struct hone_space_options options;

  session->problem.space = session->problem.which.space;
  if (session->problem.space) return NULL;
  hone_space_options_init(&options);
  options.problem = session->problem.which.problem;
  options.shape = session->problem.which.shape;
  options.sizes = session->settings.options->problem_sizes;
  options.device = choice->values;
  options.device_gap = choice->gap;
  return hone_space_build(spec, &options, &session->problem.space);
}

static hone_status init_task(struct hone__session *session, const struct hone_spec *spec)
{
  return session->settings.purpose->init_task(&session->problem.task, spec, session->problem.space);
}

static hone_status open_space(struct hone__session *session, const struct hone_spec *spec)
{
  struct hone__device_choice choice;
  hone_status status = hone__session_choose_device(spec, session->settings.options, &choice);

  if (!status) status = solve(session, spec, &choice);
  if (!status) status = init_task(session, spec);
  if (!status) session->problem.task.device = json_incref(choice.facts);
  if (choice.devices)
    session->workers.devices = hone__arena_strdup(&session->arena, choice.devices);
  if (!status && choice.note) hone__session_say(session, HONE_EVENT_NOTE, "%s", choice.note);
  hone__device_choice_release(&choice);
  return status;
}

hone_status hone__session_open(struct hone__session *session, const struct hone_spec *spec,
                               const struct hone__case *which,
                               const struct hone_tune_options *options,
                               const struct hone__purpose *purpose)
{
  hone_status status;

  *session = (struct hone__session){.settings = {.options = options, .purpose = purpose},
                                    .problem = {.which = *which},
                                    .control = {.started = hone__clock(), .stop_at = INFINITY}};
  session->entry.result = (struct hone__run_result){
      .speedup = NAN, .low = NAN, .high = NAN, .confidence = 0.95, .drift = NAN};
  session->entry.notes = json_array();
  status = open_space(session, spec);
  if (!status) hone__session_settle(session);
  return status;
}

hone_status hone__session_rebase(struct hone__session *session, const uint32_t *row)
{
  hone_status status;

  memcpy(session->problem.task.baseline, row,
         hone_space_width(session->problem.space) * sizeof *row);
  status = hone__session_describe(session);
  if (!status) hone__identity_setup(session);
  return status;
}

void hone__session_release(struct hone__session *session)
{
  hone__run_lock_release(&session->entry.lock);
  json_decref(session->problem.setup.head);
  hone__text_release(&session->problem.setup.payload);
  json_decref(session->entry.notes);
  json_decref(session->entry.use);
  hone__builds_release(&session->builds);
  hone_status_free(session->control.failure);
  hone__task_release(&session->problem.task);
  if (!session->problem.which.space) hone_space_free(session->problem.space);
  hone__arena_release(&session->arena);
}
