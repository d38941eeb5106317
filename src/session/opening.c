/* Opens one problem with one shape: its space, its task, and the setup of its workers. */
#include "session/session.h"

#include "base/clock.h"
#include "session/identity.h"
#include "wire/device_facts.h"

#include <math.h>
#include <stdlib.h>

/* The backend determines its compiler, and whether answers can be checked. */
static void take_facts(struct hone__session *session)
{
  const struct hone__wire_setup_head *head = &session->problem.head;

  if (head->build && isfinite(head->build->timeout_s))
    session->settings.build_timeout_s = head->build->timeout_s;
  if (head->check && !head->check->enabled) session->problem.task.check = false;
}

static void drop_setup(struct hone__session_problem *problem)
{
  hone__packed_drop(problem->setup.head);
  hone__text_release(&problem->setup.payload);
  hone__arena_release(&problem->head_arena);
  problem->setup = (struct hone__message){0};
  problem->head = (struct hone__wire_setup_head){0};
}

hone_status hone__session_read_setup(struct hone__session *session)
{
  struct hone__session_problem *problem = &session->problem;

  hone__arena_release(&problem->head_arena);
  return hone__unpack(problem->setup.head, &hone__wire_setup_head_type, &problem->head_arena,
                      &problem->head);
}

hone_status hone__session_describe(struct hone__session *session)
{
  struct hone__session_problem *problem = &session->problem;
  hone_status status;

  drop_setup(problem);
  status = problem->task.backend->driver.describe(&problem->task, &problem->setup);
  if (!status) status = hone__session_read_setup(session);
  if (!status) take_facts(session);
  return status;
}

hone_status hone__session_choose_device(const struct hone_spec *spec,
                                        const struct hone_tune_options *options,
                                        const struct hone__kind *kind,
                                        struct hone__device_choice *out_choice)
{
  struct hone__device_request request = {.devices = options->devices,
                                         .given = options->device,
                                         .is_elsewhere = options->worker_count > 0,
                                         .known = kind ? kind->facts : NULL};
  const struct hone__backend *backend = NULL;

  hone_status_free(
      hone__backend_of(spec, &backend)); /* the task reports it after the space is valid */
  return hone__device_choose(backend, &request, out_choice);
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
  options.cancel = session->settings.options->cancel;
  return hone_space_build(spec, &options, &session->problem.space);
}

static hone_status init_task(struct hone__session *session, const struct hone_spec *spec)
{
  return session->settings.purpose->init_task(&session->problem.task, spec, session->problem.space);
}

static hone_status open_space(struct hone__session *session, const struct hone_spec *spec)
{
  struct hone__device_choice choice;
  hone_status status = hone__session_choose_device(spec, session->settings.options,
                                                   session->problem.which.kind, &choice);

  if (!status) status = solve(session, spec, &choice);
  if (!status) status = init_task(session, spec);
  if (!status)
    session->problem.task.device =
        hone__wire_device_facts_copy(choice.facts, &session->problem.task.arena);
  if (choice.devices)
    session->workers.devices = hone__arena_strdup(&session->arena, choice.devices);
  if (!status && choice.note) hone__session_say(session, HONE_EVENT_NOTE, "%s", choice.note);
  hone__device_choice_release(&choice);
  return status;
}

/* If all times are recorded: nothing that this process does takes time. */
static void choose_clock(struct hone__session *session)
{
  const struct hone__task *task = &session->problem.task;
  struct hone__control *control = &session->control;

  if (!task->backend->driver.is_recorded || !task->backend->driver.is_recorded(task)) return;
  control->clock = (struct hone__clock){.is_virtual = true};
  control->started = hone__control_now(control);
}

hone_status hone__session_open(struct hone__session *session, const struct hone_spec *spec,
                               const struct hone__case *which,
                               const struct hone_tune_options *options,
                               const struct hone__purpose *purpose)
{
  hone_status status;

  *session = (struct hone__session){
      .settings = {.options = options, .purpose = purpose},
      .problem = {.which = *which},
      .control = {
          .started = hone__clock(), .stop_at = INFINITY, .ends_at = INFINITY, .cut_at = INFINITY}};
  session->entry.result = (struct hone__store_run_result){
      .speedup = NAN, .low = NAN, .high = NAN, .confidence = 0.95, .drift = NAN};
  status = open_space(session, spec);
  if (status) return status;
  choose_clock(session);
  hone__session_settle(session);
  return NULL;
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
  hone__store_run_lock_release(&session->entry.lock);
  drop_setup(&session->problem);
  hone__words_release(&session->entry.notes);
  hone__packed_drop(session->entry.use);
  hone__timeline_release(&session->timeline);
  hone__builds_release(&session->builds);
  hone_status_free(session->control.failure);
  hone__task_release(&session->problem.task);
  if (!session->problem.which.space) hone_space_free(session->problem.space);
  hone__arena_release(&session->arena);
}
