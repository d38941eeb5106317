/* The process that owns the device. It does one thing after the other, and may hang or die over any
 * of them: its supervisor watches.
 */
#include "worker/worker.h"

#include "backend/backend.h"
#include "base/clock.h"
#include "proc/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { FRAMES_IN = 3, FRAMES_OUT = 4 };

struct runner {
  const char *device;
  bool is_builder;
  const struct hone__backend *backend; /* NULL before a SETUP that worked */
  bool is_open;
  void *handle, *bench;
  json_t *setup, *facts; /* `facts` are those of the device */
};

/* ---- SETUP ---- */

static void release_bench(struct runner *runner)
{
  if (runner->bench && runner->backend->release) runner->backend->release(runner->bench);
  runner->bench = NULL;
}

static void close_device(struct runner *runner)
{
  release_bench(runner);
  if (runner->is_open && runner->backend->close) runner->backend->close(runner->handle);
  runner->is_open = false;
  runner->handle = NULL;
  runner->backend = NULL;
  json_decref(runner->setup);
  json_decref(runner->facts);
  runner->setup = runner->facts = NULL;
}

static hone_status open_device(struct runner *runner)
{
  hone_status status = NULL;

  if (runner->is_open || runner->is_builder) return NULL;
  runner->facts = json_object();
  if (runner->backend->open)
    status = runner->backend->open(runner->device, runner->facts, &runner->handle);
  runner->is_open = !status;
  if (!status) return NULL;
  json_decref(runner->facts);
  runner->facts = NULL;
  return status;
}

static hone_status take_backend(struct runner *runner, const json_t *head)
{
  const char *name = json_string_value(json_object_get(head, "backend"));
  const struct hone__backend *backend = name ? hone__backend_find(name) : NULL;

  if (!name) return hone__error(HONE_INVALID_ARGUMENT, "the setup message names no backend");
  if (!backend)
    return hone__error(HONE_UNAVAILABLE, "no backend '%s' in hone %s on this host", name,
                       hone_version());
  if (backend != runner->backend) close_device(runner);
  runner->backend = backend;
  return NULL;
}

static hone_status set_up(struct runner *runner, const struct hone__frame *frame, json_t *facts)
{
  hone_status status;

  release_bench(runner);
  json_decref(runner->setup);
  runner->setup = NULL;
  status = take_backend(runner, frame->head);
  if (status) return status;
  status = open_device(runner);
  if (status) return status;
  if (runner->facts) json_object_update(facts, runner->facts);
  if (!runner->is_builder && runner->backend->prepare)
    status = runner->backend->prepare(runner->handle, frame->head, frame->payload,
                                      frame->payload_size, facts, &runner->bench);
  if (!status) runner->setup = json_incref(frame->head);
  return status;
}

static hone_status answer_setup(struct runner *runner, const struct hone__frame *frame)
{
  struct hone__frame ready = {
      .kind = HONE__FRAME_READY, .epoch = frame->epoch, .job = frame->job, .head = json_object()};
  hone_status status = set_up(runner, frame, ready.head), written;

  json_object_set_new(ready.head, "ok", json_boolean(!status));
  if (status) {
    const char *message = hone_status_message(status);
    json_object_set_new(ready.head, "error", hone__json_string(message, strlen(message)));
    json_object_set_new(ready.head, "wrong_spec",
                        json_boolean(hone_status_code(status) == HONE_INVALID_SPEC));
  }
  hone_status_free(status);
  written = hone__frame_write(FRAMES_OUT, &ready);
  json_decref(ready.head);
  return written;
}

/* ---- JOB ---- */

static void refuse(struct hone__answer *answer, const char *why)
{
  answer->outcome = HONE__OUTCOME_PROTOCOL;
  hone__text_add(&answer->evidence, why);
}

static void work(struct runner *runner, const struct hone__frame *frame,
                 struct hone__answer *answer)
{
  const char *op = json_string_value(json_object_get(frame->head, "op"));

  if (!runner->setup)
    refuse(answer, "received a job before a successful setup");
  else if (op && strcmp(op, "build") == 0 && runner->backend->build)
    runner->backend->build(runner->setup, frame->head, answer);
  else if (op && strcmp(op, "run") == 0 && runner->backend->run && !runner->is_builder)
    runner->backend->run(runner->bench, frame->head, frame->payload, frame->payload_size, answer);
  else
    refuse(answer, "this worker cannot run this kind of job");
}

static json_t *result_head(const struct hone__answer *answer, double worked_s)
{
  json_t *head = answer->head ? json_incref(answer->head) : json_object();

  json_object_set_new(head, "worked_s", json_real(worked_s));
  json_object_set_new(head, "class", json_string(hone__outcome_name(answer->outcome)));
  json_object_set_new(head, "evidence",
                      hone__json_string(answer->evidence.data, answer->evidence.length));
  return head;
}

static hone_status write_result(const struct hone__frame *frame, const struct hone__answer *answer,
                                double worked_s)
{
  struct hone__frame result = {.kind = HONE__FRAME_RESULT,
                               .epoch = frame->epoch,
                               .job = frame->job,
                               .head = result_head(answer, worked_s),
                               .payload = answer->payload.data,
                               .payload_size = answer->payload.length};
  hone_status status = hone__frame_write(FRAMES_OUT, &result);

  json_decref(result.head);
  return status;
}

static hone_status answer_job(struct runner *runner, const struct hone__frame *frame)
{
  struct hone__answer answer = {.outcome = HONE__OUTCOME_PROTOCOL};
  double began = hone__clock(), worked_s;
  hone_status status;

  work(runner, frame, &answer);
  worked_s = hone__clock() - began;
  status = write_result(frame, &answer, worked_s);
  if (hone_status_code(status) == HONE_EXHAUSTED) {
    struct hone__answer shorter = {0};
    refuse(&shorter, hone_status_message(status));
    hone_status_free(status);
    status = write_result(frame, &shorter, worked_s);
    hone__text_release(&shorter.evidence);
  }
  json_decref(answer.head);
  hone__text_release(&answer.evidence);
  hone__text_release(&answer.payload);
  return status;
}

/* ---- The loop ---- */

/* True: go on. */
static bool serve(struct runner *runner, struct hone__frame_reader *reader)
{
  struct hone__frame frame;
  hone_status status = hone__frame_read(FRAMES_IN, reader, &frame);
  bool is_last = status != NULL;

  if (!status && frame.kind == HONE__FRAME_SETUP)
    status = answer_setup(runner, &frame);
  else if (!status && frame.kind == HONE__FRAME_JOB)
    status = answer_job(runner, &frame);
  else
    is_last = true;
  is_last |= status != NULL;
  hone_status_free(status);
  return !is_last;
}

int hone__runner_main(const char *role, const char *device)
{
  struct runner runner = {.device = device, .is_builder = strcmp(role, "build") == 0};
  struct hone__frame_reader reader = {0};

  /* An exec may have cleared it. A supervisor that is gone already has closed the frames. */
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  signal(SIGPIPE, SIG_IGN);
  if (fcntl(FRAMES_IN, F_SETFD, FD_CLOEXEC) || fcntl(FRAMES_OUT, F_SETFD, FD_CLOEXEC)) return 2;
  hone__child_isolation();
  while (serve(&runner, &reader)) {}
  close_device(&runner);
  hone__frame_reader_release(&reader);
  return 0;
}
