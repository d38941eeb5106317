/* The process that owns the device. It handles one frame after the other. Its supervisor detects
 * hangs and crashes.
 */
#include "worker/worker.h"

#include "backend/backend.h"
#include "base/clock.h"
#include "build/toolchain.h"
#include "proc/child.h"
#include "wire/job_head.h"
#include "wire/ready.h"
#include "wire/result.h"
#include "wire/setup_head.h"
#include "worker/file_tree.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { FRAMES_IN = 3, FRAMES_OUT = 4 };

struct runner {
  const char *device;
  bool is_builder;
  const struct hone__backend *backend; /* NULL before a successful SETUP */
  bool is_open;
  void *handle, *bench;
  struct hone__packed *setup, *facts; /* `facts` are those of the device */
  struct hone__runner_tree tree;      /* of the last job that brought files */
};

/* ---- SETUP ---- */

static void release_bench(struct runner *runner)
{
  if (runner->bench && runner->backend->worker.release)
    runner->backend->worker.release(runner->bench);
  runner->bench = NULL;
}

static void close_device(struct runner *runner)
{
  release_bench(runner);
  if (runner->is_builder && runner->backend && runner->backend->worker.end_builder)
    runner->backend->worker.end_builder();
  if (runner->is_open && runner->backend->worker.close)
    runner->backend->worker.close(runner->handle);
  runner->is_open = false;
  runner->handle = NULL;
  runner->backend = NULL;
  hone__packed_drop(runner->setup);
  hone__packed_drop(runner->facts);
  runner->setup = runner->facts = NULL;
  hone__runner_tree_release(&runner->tree);
}

static hone_status open_device(struct runner *runner)
{
  hone_status status = NULL;

  if (runner->is_open || runner->is_builder) return NULL;
  runner->facts = hone__packed_new();
  if (runner->backend->worker.open)
    status = runner->backend->worker.open(runner->device, runner->facts, &runner->handle);
  runner->is_open = !status;
  if (!status) return NULL;
  hone__packed_drop(runner->facts);
  runner->facts = NULL;
  return status;
}

static hone_status take_backend(struct runner *runner, const struct hone__packed *setup)
{
  struct hone__arena arena = {0};
  struct hone__wire_setup_head head;
  const struct hone__backend *backend = NULL;
  hone_status status = hone__unpack(setup, &hone__wire_setup_head_type, &arena, &head);

  if (!status) backend = hone__backend_find(head.backend);
  if (!status && !backend)
    status = hone__error(HONE_UNAVAILABLE, "no backend '%s' in hone %s on this host", head.backend,
                         hone_version());
  hone__arena_release(&arena);
  if (status) return status;
  if (backend != runner->backend) close_device(runner);
  runner->backend = backend;
  return NULL;
}

/* `facts` gets those of the device, then those of the bench. */
static hone_status set_up(struct runner *runner, const struct hone__frame *frame,
                          struct hone__packed **out_facts)
{
  hone_status status;

  release_bench(runner);
  hone__packed_drop(runner->setup);
  runner->setup = NULL;
  hone__runner_tree_release(&runner->tree);
  status = take_backend(runner, frame->head);
  if (!status) status = open_device(runner);
  *out_facts = !status && runner->facts ? hone__packed_copy(runner->facts) : hone__packed_new();
  if (!status && !runner->is_builder && runner->backend->worker.prepare)
    status = runner->backend->worker.prepare(runner->handle, frame->head, frame->payload,
                                             frame->payload_size, *out_facts, &runner->bench);
  if (!status) runner->setup = hone__packed_hold(frame->head);
  return status;
}

static const char *identify_processor(char out_digest[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__toolchain_identify_processor(digester);
  hone__digest_end(digester, out_digest);
  return out_digest;
}

static hone_status answer_setup(struct runner *runner, const struct hone__frame *frame)
{
  struct hone__packed *head;
  hone_status status = set_up(runner, frame, &head), written;
  char processor[HONE__DIGEST_SIZE];
  struct hone__ready ready = {.ok = !status,
                              .error = status ? hone_status_message(status) : NULL,
                              .processor = identify_processor(processor),
                              .wrong_spec = hone_status_code(status) == HONE_INVALID_SPEC};

  hone__packed_add(head, &hone__ready_type, &ready);
  hone_status_free(status);
  written = hone__frame_write(FRAMES_OUT, &(struct hone__frame){.kind = HONE__FRAME_READY,
                                                                .epoch = frame->epoch,
                                                                .job = frame->job,
                                                                .head = head});
  hone__packed_drop(head);
  return written;
}

/* ---- JOB ---- */

static void refuse(struct hone__answer *answer, const char *why)
{
  answer->outcome = HONE_OUTCOME_PROTOCOL;
  hone__text_add(&answer->evidence, why);
}

static void do_op(struct runner *runner, const char *op, const struct hone__frame *frame,
                  const struct hone__runner_tree_job *job, struct hone__answer *answer)
{
  const struct hone__backend_worker *worker = &runner->backend->worker;
  const struct hone__packed *head = job->head ? job->head : frame->head;

  if (strcmp(op, "build") == 0 && worker->build)
    worker->build(job->setup, head, answer);
  else if (strcmp(op, "run") == 0 && worker->run && !runner->is_builder)
    worker->run(runner->bench, head, frame->payload, job->payload_size, answer);
  else
    refuse(answer, "this worker cannot run this kind of job");
}

/* A host that cannot write is like one whose disk is full: another one does the job. */
static void refuse_files(struct hone__answer *answer, hone_status status)
{
  refuse(answer, hone_status_message(status));
  if (hone_status_code(status) != HONE_INVALID_ARGUMENT) answer->outcome = HONE_OUTCOME_DISK_FULL;
  hone_status_free(status);
}

static void do_job(struct runner *runner, const char *op, const struct hone__frame *frame,
                   struct hone__answer *answer)
{
  struct hone__runner_tree_job job;
  hone_status status = hone__runner_tree_enter(&runner->tree, runner->setup, frame, &job);

  if (status)
    refuse_files(answer, status);
  else
    do_op(runner, op, frame, &job, answer);
  hone__runner_tree_leave(&runner->tree, &job, answer);
}

static void work(struct runner *runner, const struct hone__frame *frame,
                 struct hone__answer *answer)
{
  struct hone__arena arena = {0};
  struct hone__wire_job_head head;
  hone_status status = hone__unpack(frame->head, &hone__wire_job_head_type, &arena, &head);

  if (!runner->setup)
    refuse(answer, "received a job before a successful setup");
  else if (status)
    refuse(answer, hone_status_message(status));
  else
    do_job(runner, head.op, frame, answer);
  hone_status_free(status);
  hone__arena_release(&arena);
}

/* The head of the RESULT, with the outcome of the job. */
static struct hone__packed *result_head(struct hone__answer *answer, double worked_s)
{
  struct hone__wire_result result = {.outcome = (int)answer->outcome,
                                     .evidence = answer->evidence.data ? answer->evidence.data : "",
                                     .worked_s = worked_s};

  if (!answer->head) answer->head = hone__packed_new();
  hone__packed_add(answer->head, &hone__wire_result_type, &result);
  return answer->head;
}

static hone_status write_result(const struct hone__frame *frame, struct hone__answer *answer,
                                double worked_s)
{
  struct hone__frame result = {.kind = HONE__FRAME_RESULT,
                               .epoch = frame->epoch,
                               .job = frame->job,
                               .head = result_head(answer, worked_s),
                               .payload = answer->payload.data,
                               .payload_size = answer->payload.length};

  return hone__frame_write(FRAMES_OUT, &result);
}

static hone_status answer_job(struct runner *runner, const struct hone__frame *frame)
{
  struct hone__answer answer = {.outcome = HONE_OUTCOME_PROTOCOL};
  double began = hone__clock(), worked_s;
  hone_status status;

  work(runner, frame, &answer);
  worked_s = answer.is_recorded ? fmax(answer.recorded_s, 0) : hone__clock() - began;
  status = write_result(frame, &answer, worked_s);
  if (hone_status_code(status) == HONE_EXHAUSTED) {
    struct hone__answer shorter = {0};
    refuse(&shorter, hone_status_message(status));
    hone_status_free(status);
    status = write_result(frame, &shorter, worked_s);
    hone__packed_drop(shorter.head);
    hone__text_release(&shorter.evidence);
  }
  hone__packed_drop(answer.head);
  hone__text_release(&answer.evidence);
  hone__text_release(&answer.payload);
  return status;
}

/* ---- The loop ---- */

/* Returns false when the runner has to exit. */
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

  /* An exec may have cleared the setting. If the supervisor is already gone, the frames are closed.
   */
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  signal(SIGPIPE, SIG_IGN);
  if (fcntl(FRAMES_IN, F_SETFD, FD_CLOEXEC) || fcntl(FRAMES_OUT, F_SETFD, FD_CLOEXEC)) return 2;
  hone__child_isolation();
  while (serve(&runner, &reader)) {}
  close_device(&runner);
  hone__frame_reader_release(&reader);
  return 0;
}
