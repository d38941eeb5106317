/* Starts a probe on each host, all at once, and keeps their answers, or why there is none. */
#include "cluster/cluster.h"

#include "base/allocators.h"
#include "base/clock.h"
#include "base/version_sum.h"
#include "base/words.h"
#include "pool/launch.h"
#include "pool/worker_program.h"
#include "proc/broken_pipe.h"
#include "wire/hello.h"

#include <math.h>
#include <stdlib.h>

static const double TIMEOUT_S = 60;
enum { AT_ONCE = 64 };     /* processes that are started here */
enum { USAGE_STATUS = 2 }; /* of hone: a wrong command line */

struct check {
  uv_loop_t loop;
  struct hone_cluster *cluster;
  const char *program;
  uint64_t timeout_ms;
  size_t next, running;
  struct question *questions;
};

struct question { /* to one host */
  struct check *check;
  struct hone__cluster_worker *worker;
  struct hone__words command;
  struct hone__launch *launch;
  uv_timer_t timer;
  uint64_t started_ms;
  size_t handles;
};

static void start_more(struct check *check);

static const char *keep(struct question *question, const char *text)
{
  return text ? hone__arena_strdup(&question->check->cluster->arena, text) : "";
}

/* ---- The end of a question ---- */

static void handle_gone(struct question *question)
{
  if (--question->handles) return;
  hone__words_release(&question->command);
  question->check->running--;
  start_more(question->check);
}

static void on_timer_closed(uv_handle_t *handle)
{
  handle_gone(handle->data);
}

static void finish(struct question *question)
{
  hone__launch_end(question->launch, true);
  uv_close((uv_handle_t *)&question->timer, on_timer_closed);
}

static void on_gone(void *data)
{
  handle_gone(data);
}

/* ---- Answers ---- */

/* Also of the same version other sources are refused, as in a run. */
static void check_version(struct question *question, const char *sources)
{
  struct hone_host *host = &question->worker->host;
  struct hone__arena *arena = &question->check->cluster->arena;
  bool is_same = strcmp(host->version, hone_version()) == 0;

  host->is_usable = is_same && strcmp(sources, hone__version_sum()) == 0;
  if (!is_same)
    host->why =
        hone__arena_printf(arena, "it has hone %s, this is hone %s: install the same version there",
                           host->version, hone_version());
  else if (!host->is_usable)
    host->why = hone__arena_printf(arena,
                                   "its hone was built from other sources: their checksum is %s, "
                                   "here it is %s: install the same program there",
                                   sources, hone__version_sum());
}

static void take_hello(struct question *question, const struct hone__hello *hello)
{
  struct hone_host *host = &question->worker->host;

  host->is_reached = true;
  host->hostname = keep(question, hello->host);
  host->version = keep(question, hello->version);
  host->machine = keep(question, hello->machine);
  host->compilers = keep(question, hello->compilers);
  host->devices = keep(question, hello->devices);
  host->cores = (uint64_t)hello->cores;
  host->memory_bytes = hello->memory_bytes;
  host->disk_free_bytes = hello->disk_free_bytes;
  host->clock_ahead_s = isfinite(hello->clock_s) ? hello->clock_s - hone__clock_since_1970() : 0;
  host->start_s = 1e-3 * (double)(uv_now(&question->check->loop) - question->started_ms);
  check_version(question, hello->sources ? hello->sources : "unknown");
}

static void on_frame(void *data, const struct hone__frame *frame)
{
  struct question *question = data;
  struct hone__arena arena = {0};
  struct hone__hello hello = {0};

  if (frame->kind != HONE__FRAME_HELLO) return;
  hone_status_free(hone__unpack(frame->head, &hone__hello_type, &arena, &hello));
  if (hello.version) take_hello(question, &hello);
  hone__arena_release(&arena);
  finish(question);
}

/* Versions of hone without probes reject the command line. */
static const char *explain(struct question *question, const char *why)
{
  if (hone__launch_exit_status(question->launch) == USAGE_STATUS)
    return hone__arena_printf(&question->check->cluster->arena,
                              "'%s' is an older hone there, this is hone %s: %s",
                              question->check->program, hone_version(), why);
  return keep(question, why);
}

static void on_ended(void *data, const char *why)
{
  struct question *question = data;

  question->worker->host.why = explain(question, why);
  finish(question);
}

static void on_timeout(uv_timer_t *timer)
{
  struct question *question = timer->data;
  const char *words = hone__launch_last_line(question->launch);

  question->worker->host.why =
      hone__arena_printf(&question->check->cluster->arena, "no answer for %.3g s%s%s",
                         1e-3 * (double)question->check->timeout_ms, *words ? ": " : "", words);
  finish(question);
}

/* ---- Questions ---- */

static void ask(struct check *check, struct question *question)
{
  static const struct hone__launch_events events = {on_frame, on_ended, on_gone};

  hone__worker_program_add(&question->command, check->program);
  hone__words_add(&question->command, "worker");
  hone__words_add(&question->command, "--role");
  hone__words_add(&question->command, "probe");
  uv_timer_init(&check->loop, &question->timer);
  question->timer.data = question;
  question->handles = 2;
  uv_update_time(&check->loop);
  question->started_ms = uv_now(&check->loop);
  uv_timer_start(&question->timer, on_timeout, check->timeout_ms, 0);
  question->launch =
      hone__launch_start(&check->loop, question->command.data, NULL, &events, question);
}

static void start_next(struct check *check)
{
  struct question *question = &check->questions[check->next];
  hone_status status;

  *question = (struct question){.check = check, .worker = &check->cluster->workers[check->next++]};
  question->worker->host = (struct hone_host){.name = question->worker->host.name,
                                              .why = "",
                                              .hostname = "",
                                              .version = "",
                                              .machine = "",
                                              .compilers = "",
                                              .devices = ""};
  status = hone__words_split(&question->command, question->worker->prefix);
  if (status) question->worker->host.why = keep(question, hone_status_message(status));
  hone_status_free(status);
  if (status) return;
  check->running++;
  ask(check, question);
}

static void start_more(struct check *check)
{
  while (check->running < AT_ONCE && check->next < check->cluster->count)
    start_next(check);
}

static hone_status find_program(const char *given, char **out_program)
{
  const char *remote = getenv("HONE_REMOTE_PROGRAM");

  *out_program = NULL;
  if (remote && *remote) given = remote;
  if (!given) return hone__worker_program_find(NULL, out_program);
  *out_program = hone__strdup(given);
  return NULL;
}

hone_status hone_cluster_check(struct hone_cluster *cluster, const char *program, double timeout_s)
{
  struct check check = {.cluster = cluster};
  struct hone__broken_pipe held;
  char *found;
  hone_status status = find_program(program, &found);

  if (status) return status;
  hone__allocators_install();
  check.program = found;
  check.timeout_ms = (uint64_t)(1e3 * (timeout_s > 0 ? timeout_s : TIMEOUT_S));
  check.questions = hone__alloc((cluster->count + 1) * sizeof *check.questions);
  uv_loop_init(&check.loop);
  hone__broken_pipe_hold(&held);
  start_more(&check);
  uv_run(&check.loop, UV_RUN_DEFAULT);
  hone__broken_pipe_release(&held);
  uv_loop_close(&check.loop);
  free(check.questions);
  free(found);
  return NULL;
}
