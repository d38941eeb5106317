/* pool_load.c - what a driver costs with many workers: `pool_load WORKERS JOBS MILLISECONDS`.
 *
 * The workers are processes of this program. They say HELLO, READY and RESULT as real ones do, and
 * spend the milliseconds of each job asleep, so that all of the processor's time that this process
 * takes is the driver's: its pool, its frames, its pipes. Prints a line of JSON.
 */
#include "pool/pool.h"
#include "proc/broken_pipe.h"
#include "wire/device_facts.h"
#include "wire/ready.h"
#include "wire/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { JOBS_AHEAD = 2, SILENCE_S = 600 };

/* ---- The worker ---- */

static void say(enum hone__frame_kind kind, const struct hone__frame *to,
                const struct hone__record_type *type, const void *record)
{
  struct hone__packed *head = hone__pack(type, record);
  hone_status status = hone__frame_write(
      1, &(struct hone__frame){.kind = kind, .epoch = to->epoch, .job = to->job, .head = head});

  hone__packed_drop(head);
  if (status) exit(1);
}

static void obey(const struct hone__frame *frame, useconds_t work_us)
{
  if (frame->kind == HONE__FRAME_BYE) exit(0);
  if (frame->kind == HONE__FRAME_SETUP)
    say(HONE__FRAME_READY, frame, &hone__ready_type, &(struct hone__ready){.ok = true});
  if (frame->kind != HONE__FRAME_JOB) return;
  usleep(work_us);
  say(HONE__FRAME_RESULT, frame, &hone__wire_result_type,
      &(struct hone__wire_result){.outcome = HONE_OUTCOME_OK, .worked_s = 1e-6 * work_us});
}

static int work(useconds_t work_us)
{
  struct hone__frame_reader reader = {0};
  struct hone__frame frame = {0};
  char buffer[1 << 12];
  ssize_t size;

  say(HONE__FRAME_HELLO, &frame, &hone__hello_type,
      &(struct hone__hello){.version = hone_version(), .host = "here", .pid = getpid()});
  while ((size = read(0, buffer, sizeof buffer)) > 0) {
    hone__frame_feed(&reader, buffer, (size_t)size);
    while (hone__frame_next(&reader, &frame) == HONE__FRAME_HERE)
      obey(&frame, work_us);
  }
  return 0;
}

/* ---- The driver ---- */

struct load {
  struct hone__pool *pool;
  size_t workers, ready, jobs, submitted, answered;
  double started, ready_at, ended, cpu_at_ready, cpu_at_end;
  bool is_closed;
};

static double cpu_s(void)
{
  struct rusage usage;

  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void on_closed(void *data)
{
  ((struct load *)data)->is_closed = true;
}

static void submit(struct load *load, int slot);

static void on_done(void *data, const struct hone__reply *reply)
{
  struct load *load = data;

  load->answered++;
  if (load->submitted < load->jobs) submit(load, reply->slot);
  if (load->answered < load->jobs) return;
  load->ended = hone__clock();
  load->cpu_at_end = cpu_s();
  hone__pool_close(load->pool, on_closed, load);
}

/* About as large as a job of a kernel in C: its object. */
static void submit(struct load *load, int slot)
{
  enum { BYTES = 16 << 10 };
  static const struct hone__hello head = {.version = "job", .host = "a configuration, a call"};

  load->submitted++;
  hone__pool_submit(load->pool, &(struct hone__job){.head = hone__pack(&hone__hello_type, &head),
                                                    .payload = hone__alloc(BYTES),
                                                    .payload_size = BYTES,
                                                    .slot = slot,
                                                    .timeout_s = SILENCE_S,
                                                    .done = on_done,
                                                    .data = load});
}

static void on_ready(void *data, size_t slot, const struct hone__hello *hello,
                     const struct hone__packed *ready)
{
  struct load *load = data;

  (void)slot;
  (void)hello;
  (void)ready;
  if (++load->ready < load->workers) return;
  load->ready_at = hone__clock();
  load->cpu_at_ready = cpu_s();
  for (size_t i = 0; i < JOBS_AHEAD * load->workers && load->submitted < load->jobs; i++)
    submit(load, (int)(i % load->workers));
}

static void on_lost(void *data, size_t slot, const char *why)
{
  (void)data;
  fprintf(stderr, "pool_load: worker %zu: %s\n", slot, why);
  exit(1);
}

static void print(const struct load *load)
{
  double wall_s = load->ended - load->ready_at, spent_s = load->cpu_at_end - load->cpu_at_ready;
  struct rusage usage;

  getrusage(RUSAGE_SELF, &usage);
  printf("{\"workers\": %zu, \"connect_s\": %.3f, \"connect_cpu_s\": %.3f, \"jobs\": %zu, "
         "\"wall_s\": %.3f, \"rate\": %.1f, \"cpu_share\": %.4f, \"cpu_us_per_job\": %.1f, "
         "\"peak_mib\": %.1f}\n",
         load->workers, load->ready_at - load->started, load->cpu_at_ready, load->jobs, wall_s,
         (double)load->jobs / wall_s, spent_s / wall_s, 1e6 * spent_s / (double)load->jobs,
         (double)usage.ru_maxrss / 1024);
}

static int drive(const char *program, size_t workers, size_t jobs, const char *work_ms)
{
  struct hone__slot_options *slots = hone__alloc(workers * sizeof *slots);
  struct load load = {.workers = workers, .jobs = jobs, .started = hone__clock()};
  struct hone__broken_pipe held;
  uv_loop_t loop;
  hone_status status;

  for (size_t i = 0; i < workers; i++)
    slots[i].device = work_ms;
  uv_loop_init(&loop);
  hone__broken_pipe_hold(&held);
  status = hone__pool_open(&(struct hone__pool_options){.loop = &loop,
                                                        .program = program,
                                                        .role = "run",
                                                        .slots = slots,
                                                        .slot_count = workers,
                                                        .silence_s = SILENCE_S,
                                                        .on_ready = on_ready,
                                                        .on_lost = on_lost,
                                                        .data = &load},
                           &load.pool);
  if (status) {
    fprintf(stderr, "pool_load: %s\n", hone_status_message(status));
    return 1;
  }
  hone__pool_setup(load.pool, hone__pack(&hone__hello_type, &(struct hone__hello){.version = "1"}),
                   NULL, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  print(&load);
  hone__broken_pipe_release(&held);
  free(slots);
  return load.is_closed ? 0 : 1;
}

int main(int argc, char **argv)
{
  /* As the pool starts it: worker --role run --device MILLISECONDS. */
  if (argc == 6 && strcmp(argv[1], "worker") == 0)
    return work((useconds_t)(1000 * strtod(argv[5], NULL)));
  if (argc != 4) {
    fprintf(stderr, "usage: pool_load WORKERS JOBS MILLISECONDS\n");
    return 2;
  }
  return drive("/proc/self/exe", strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10), argv[3]);
}
