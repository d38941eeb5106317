/* pool_fixture.h - a pool of fake workers (fake_worker.c, next to this program) that misbehave in
 * one way each. Every test ends with a closed loop and without a process of any worker. */
#ifndef HONE_TESTS_POOL_FIXTURE_H
#define HONE_TESTS_POOL_FIXTURE_H

#include "filter.h"

#include "pool/pool.h"
#include "wire/packed_json.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_ANSWERS = 64, PATIENCE_MS = 60000 };

struct answer {
  enum hone_outcome outcome;
  char evidence[256];
  int slot, tries;
  size_t size;
};

struct fixture {
  uv_loop_t loop;
  uv_timer_t watchdog, later;
  struct hone__pool *pool;
  char folder[32], program[4096];
  size_t expected, answered; /* the pool is closed after so many answers */
  struct answer answers[MOST_ANSWERS];
  size_t readies, losts, aways, reasons, backs;
  struct hone__text lost, notes, work;
  bool in_call, closed, were_ready, submits_when_back;
};

static inline void on_closed(void *data)
{
  struct fixture *fixture = data;

  assert_false(fixture->in_call);
  fixture->closed = true;
  fixture->pool = NULL;
  uv_close((uv_handle_t *)&fixture->watchdog, NULL);
  uv_close((uv_handle_t *)&fixture->later, NULL);
}

static inline void close_pool(struct fixture *fixture)
{
  fixture->in_call = true;
  hone__pool_close(fixture->pool, on_closed, fixture);
  fixture->in_call = false;
}

static inline void on_done(void *data, const struct hone__reply *reply)
{
  struct fixture *fixture = data;
  struct answer *answer = &fixture->answers[fixture->answered++];

  assert_false(fixture->in_call);
  answer->outcome = reply->outcome;
  snprintf(answer->evidence, sizeof answer->evidence, "%s", reply->evidence);
  answer->slot = reply->slot;
  answer->tries = reply->tries;
  answer->size = reply->payload_size;
  if (fixture->answered == fixture->expected) close_pool(fixture);
}

static inline void on_ready(void *data, size_t slot, const struct hone__hello *hello,
                            const struct hone__packed *ready)
{
  struct fixture *fixture = data;

  (void)slot;
  assert_false(fixture->in_call);
  assert_string_equal(hello->host, "here");
  assert_true(json_is_true(json_object_get(hone__packed_json(ready), "ok")));
  fixture->readies++;
}

static inline void on_lost(void *data, size_t slot, const char *why)
{
  struct fixture *fixture = data;

  assert_false(fixture->in_call);
  hone__text_addf(&fixture->lost, "%zu: %s\n", slot, why);
  fixture->losts++;
  if (fixture->expected == 0) close_pool(fixture);
}

static inline void on_note(void *data, size_t slot, const char *note)
{
  struct fixture *fixture = data;

  assert_false(fixture->in_call);
  hone__text_addf(&fixture->notes, "%zu: %s\n", slot, note);
}

static inline void on_away(void *data, size_t slot, const char *why)
{
  struct fixture *fixture = data;

  (void)slot;
  fixture->aways++;
  fixture->reasons += why != NULL; /* one that is slow to start has none */
}

static inline void submit(struct fixture *fixture, const char *op, const char *class, int slot,
                          size_t size);

/* What its launcher waits for is there. */
static inline void on_back(void *data, size_t slot)
{
  struct fixture *fixture = data;
  char path[64];
  int file;

  snprintf(path, sizeof path, "%s/go", fixture->folder);
  file = open(path, O_CREAT | O_CLOEXEC, 0600);
  assert_true(file >= 0);
  close(file);
  fixture->backs++;
  if (fixture->submits_when_back) submit(fixture, "", "ok", (int)slot, 0);
}

static inline void on_joined(void *data, size_t slot, const char *host)
{
  struct fixture *fixture = data;

  assert_true(host && *host);
  hone__text_addf(&fixture->work, "+%zu ", slot);
}

static inline void on_left(void *data, size_t slot)
{
  struct fixture *fixture = data;

  hone__text_addf(&fixture->work, "-%zu ", slot);
}

static inline void on_work(void *data, const struct hone__pool_work *work)
{
  struct fixture *fixture = data;

  assert_true(work->began > 0 && work->ended >= work->began && work->ended <= hone__clock());
  hone__text_addf(&fixture->work, "%zu:%s%s ", work->slot, hone_outcome_name(work->outcome),
                  work->is_requeued ? "!" : "");
}

static inline void on_watchdog(uv_timer_t *timer)
{
  (void)timer;
  fprintf(stderr, "a pool did not end\n");
  abort();
}

static inline void find_program(struct fixture *fixture)
{
  char path[4000];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

  assert_true(length > 0);
  path[length] = 0;
  snprintf(fixture->program, sizeof fixture->program, "%s/fake_worker", dirname(path));
}

static inline void open_stage(struct fixture *fixture, double silence_s,
                              const struct hone__slot_options *slots, size_t slot_count)
{
  *fixture = (struct fixture){.expected = 1, .folder = "/tmp/hone-pool-XXXXXX"};
  find_program(fixture);
  assert_non_null(mkdtemp(fixture->folder));
  setenv("FAKE_FOLDER", fixture->folder, 1);
  assert_int_equal(uv_loop_init(&fixture->loop), 0);
  uv_timer_init(&fixture->loop, &fixture->watchdog);
  uv_timer_init(&fixture->loop, &fixture->later);
  fixture->later.data = fixture;
  uv_timer_start(&fixture->watchdog, on_watchdog, PATIENCE_MS, 0);
  fixture->in_call = true;
  assert_null(hone__pool_open(&(struct hone__pool_options){.loop = &fixture->loop,
                                                           .program = fixture->program,
                                                           .role = "run",
                                                           .slots = slots,
                                                           .slot_count = slot_count,
                                                           .silence_s = silence_s,
                                                           .grace_s = 0.2,
                                                           .on_ready = on_ready,
                                                           .on_lost = on_lost,
                                                           .on_note = on_note,
                                                           .on_away = on_away,
                                                           .on_back = on_back,
                                                           .on_joined = on_joined,
                                                           .on_left = on_left,
                                                           .on_work = on_work,
                                                           .data = fixture},
                              &fixture->pool));
  fixture->in_call = false;
}

static inline void open_one(struct fixture *fixture, double silence_s, const char *prefix,
                            const char *faults)
{
  open_stage(fixture, silence_s, &(struct hone__slot_options){prefix, faults, NULL}, 1);
}

static inline void setup(struct fixture *fixture, const char *backend)
{
  fixture->in_call = true;
  hone__pool_setup(fixture->pool, hone__wire_json_packed(json_pack("{s:s}", "backend", backend)),
                   hone__strdup("files"), 5);
  fixture->in_call = false;
}

static inline void submit(struct fixture *fixture, const char *op, const char *class, int slot,
                          size_t size)
{
  fixture->in_call = true;
  hone__pool_submit(fixture->pool, &(struct hone__job){.head = hone__wire_json_packed(json_pack(
                                                           "{s:s,s:s}", "op", op, "class", class)),
                                                       .payload = size ? hone__alloc(size) : NULL,
                                                       .payload_size = size,
                                                       .timeout_s = 5,
                                                       .slot = slot,
                                                       .done = on_done,
                                                       .data = fixture});
  fixture->in_call = false;
}

/* With a limit of its own, which its worker does not keep. */
static inline void submit_limited(struct fixture *fixture, const char *op, int slot,
                                  double timeout_s)
{
  hone__pool_submit(fixture->pool, &(struct hone__job){.head = hone__wire_json_packed(json_pack(
                                                           "{s:s,s:s}", "op", op, "class", "ok")),
                                                       .timeout_s = timeout_s,
                                                       .slot = slot,
                                                       .done = on_done,
                                                       .data = fixture});
}

static inline void in_a_while(struct fixture *fixture, uv_timer_cb callback, uint64_t ms)
{
  uv_timer_start(&fixture->later, callback, ms, 0);
}

static inline bool is_alive(int pid)
{
  char path[64], line[512] = "";
  FILE *file;
  const char *state;

  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  file = fopen(path, "re");
  if (!file) return false;
  if (!fgets(line, sizeof line, file)) line[0] = 0;
  fclose(file);
  state = strrchr(line, ')');
  return state && state[2] != 'Z' && state[2] != 'X';
}

/* Returns how many workers were started; none of them may be left. */
static inline size_t count_dead(const struct fixture *fixture)
{
  char path[64];
  size_t count = 0;
  FILE *file;
  int pid;

  static const char *const others[] = {"first", "go", NULL};

  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    snprintf(path, sizeof path, "%s/%s", fixture->folder, others[i]);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/pids", fixture->folder);
  file = fopen(path, "re");
  for (; file && fscanf(file, "%d", &pid) == 1; count++)
    for (int tries = 0; is_alive(pid); tries++) {
      assert_true(tries < 1000);
      usleep(10000);
    }
  if (file) fclose(file);
  unlink(path);
  return count;
}

static inline size_t run(struct fixture *fixture)
{
  size_t started;

  uv_run(&fixture->loop, UV_RUN_DEFAULT);
  assert_true(fixture->closed);
  assert_int_equal(uv_loop_close(&fixture->loop), 0);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
  started = count_dead(fixture);
  rmdir(fixture->folder);
  return started;
}

static inline void leave(struct fixture *fixture)
{
  hone__text_release(&fixture->lost);
  hone__text_release(&fixture->notes);
  hone__text_release(&fixture->work);
}

static inline void expect(const struct fixture *fixture, size_t index, enum hone_outcome outcome,
                          int tries)
{
  assert_true(index < fixture->answered);
  assert_string_equal(hone_outcome_name(fixture->answers[index].outcome),
                      hone_outcome_name(outcome));
  assert_int_equal(fixture->answers[index].tries, tries);
}

static inline void expect_text(const struct hone__text *text, const char *part)
{
  if (!text->data || !strstr(text->data, part))
    fprintf(stderr, "'%s' is not in '%s'\n", part, text->data ? text->data : "");
  assert_true(text->data && strstr(text->data, part));
}

#endif
