/* fake_worker.c - speaks frames as `hone worker` does, and misbehaves as it is told.
 *
 *   fake_worker worker --role build --device noise,late
 *
 * The device is a list of faults; a job's "op" is one too, its "class" the answer.
 * $FAKE_FOLDER/pids gets the process ids of all that were started.
 */
#include "wire/packed_json.h"
#include "wire/frame.h"

#include "base/digest.h"
#include "base/version_sum.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BEAT_MS = 50 };

static const char *faults = "";
static bool fresh = true; /* no job since the start of this "runner" */
static bool quiet;        /* no beats */

static bool has(const char *fault)
{
  const char *at = strstr(faults, fault);
  size_t length = strlen(fault);

  return at && (at == faults || at[-1] == ',') && (at[length] == 0 || at[length] == ',');
}

static void leave_trace(void)
{
  const char *folder = getenv("FAKE_FOLDER");
  char path[4096];
  FILE *file;

  if (!folder) return;
  snprintf(path, sizeof path, "%s/pids", folder);
  file = fopen(path, "ae");
  if (!file) return;
  fprintf(file, "%d\n", (int)getpid());
  fclose(file);
}

static void say(enum hone__frame_kind kind, const struct hone__frame *to, json_t *head,
                const void *payload, size_t size)
{
  struct hone__frame frame = {.kind = kind,
                              .epoch = to ? to->epoch : 0,
                              .job = to ? to->job : 0,
                              .head = hone__wire_json_packed(head),
                              .payload = payload,
                              .payload_size = size};
  hone_status status = hone__frame_write(1, &frame);

  json_decref(head);
  if (!status) return;
  hone_status_free(status);
  exit(3);
}

/* What a newer version of hone may say besides. */
static json_t *add_unknown(json_t *head)
{
  if (has("talkative"))
    json_object_set_new(head, "mood", json_pack("{s:s,s:[i,i]}", "now", "good", "before", 1, 2));
  return head;
}

static void say_class(const struct hone__frame *to, const char *class)
{
  json_t *head = json_pack("{s:s,s:s}", "class", class, "evidence", "so it was told");

  say(HONE__FRAME_RESULT, to, add_unknown(head), to->payload, to->payload_size);
}

static void hang(void)
{
  for (;;)
    pause();
}

static void beat(void)
{
  if (!quiet && !has("quiet")) say(HONE__FRAME_BEAT, NULL, NULL, NULL, 0);
}

static void work(double seconds)
{
  for (double passed = 0; passed < seconds; passed += BEAT_MS / 1e3) {
    usleep(BEAT_MS * 1000);
    beat();
  }
}

/* The preface of a result of 1 GiB. What comes after it, beats too, is taken for its payload. */
static void promise_much(const struct hone__frame *to)
{
  enum { PREFACE = 56, SIZE_AT = 24, SUM_AT = 48 };
  struct hone__frame frame = {.kind = HONE__FRAME_RESULT};
  struct hone__text bytes = {0};
  const uint64_t size = 1u << 30;
  uint64_t sum;

  if (to) frame.epoch = to->epoch;
  if (to) frame.job = to->job;
  hone__frame_encode(&frame, &bytes);
  memcpy(bytes.data + SIZE_AT, &size, sizeof size);
  sum = hone__checksum(0, bytes.data, SUM_AT);
  memcpy(bytes.data + SUM_AT, &sum, sizeof sum);
  if (write(1, bytes.data, PREFACE) != PREFACE) exit(3);
  hone__text_release(&bytes);
  work(1e9);
}

/* Answers of another epoch, then of another job: neither counts. */
static void say_late(const struct hone__frame *frame)
{
  struct hone__frame other = *frame;

  if (frame->epoch < 2) exit(0);
  other.epoch--;
  say_class(&other, "wrong_result");
  other = *frame;
  other.job--;
  say_class(&other, "wrong_result");
}

static void do_job(const struct hone__frame *frame)
{
  const char *op = json_string_value(json_object_get(hone__packed_json(frame->head), "op"));
  const char *class = json_string_value(json_object_get(hone__packed_json(frame->head), "class"));
  bool was_fresh = fresh;

  fresh = false;
  if (!op) op = "";
  if (!class) class = "ok";
  if (strcmp(op, "poison") == 0) exit(0);
  if (strcmp(op, "poison-first") == 0 && frame->epoch == 1) _exit(0);
  if (strcmp(op, "hang") == 0) work(1e9);
  if (strcmp(op, "hang-first") == 0 && frame->epoch == 1) work(1e9);
  if (strcmp(op, "giant-first") == 0 && frame->epoch == 1) promise_much(frame);
  if (strcmp(op, "work") == 0) work(0.3);
  if (has("garbage") && frame->epoch == 1) {
    if (write(1, "segmentation fault\n", 19) != 19) exit(3);
    hang();
  }
  if (has("hush") && frame->epoch == 1) hang();
  if (has("late")) say_late(frame);
  say_class(frame, strcmp(op, "crash-stale") == 0 ? (was_fresh ? "ok" : "crash") : class);
}

static void prepare(const struct hone__frame *frame)
{
  const char *text = json_string_value(json_object_get(hone__packed_json(frame->head), "backend"));

  if (has("dies-of-setup")) exit(0);
  if (has("never-ready") || (has("late-ready") && frame->epoch == 1)) work(1e9);
  if (has("refuse") && (!text || strcmp(text, "better") != 0))
    say(HONE__FRAME_READY, frame, json_pack("{s:b,s:s}", "ok", 0, "error", "no such gpu"), NULL, 0);
  else
    say(HONE__FRAME_READY, frame, add_unknown(json_pack("{s:b}", "ok", 1)), NULL, 0);
}

static void obey(const struct hone__frame *frame)
{
  switch (frame->kind) {
  case HONE__FRAME_SETUP: prepare(frame); break;
  case HONE__FRAME_JOB: do_job(frame); break;
  case HONE__FRAME_RESTART: fresh = true; break;
  case HONE__FRAME_BYE:
    if (!has("stubborn")) exit(0);
    break;
  default: break;
  }
}

/* Of all workers that were started in $FAKE_FOLDER. */
static bool is_first(void)
{
  char path[4096];
  int file;

  snprintf(path, sizeof path, "%s/first", getenv("FAKE_FOLDER"));
  file = open(path, O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

static void greet(void)
{
  const char *version = has("version") ? "0.0.1" : has("newer") ? "99.0.0" : hone_version();
  json_t *hello = json_pack("{s:s,s:s,s:s,s:i}", "version", version, "sources", hone__version_sum(),
                            "host", "here", "pid", (int)getpid());

  if (has("noise")) dprintf(1, "*** Welcome to gpu7. Be nice. ***\nlast login: today\n");
  for (int i = 0; has("flood") && i < 5000; i++)
    dprintf(1, "all work and no play makes a dull banner\n");
  if (has("die")) dprintf(2, "first words\nPermission denied (publickey).\n");
  if (has("die")) exit(0);
  if (has("mute")) hang();
  if (has("giant")) promise_much(NULL);
  if (has("deaf") && is_first()) close(0);
  if (has("newer")) json_object_set_new(hello, "cores", json_string("many"));
  add_unknown(hello);
  say(HONE__FRAME_HELLO, NULL, hello, NULL, 0);
}

static void beat_only(void)
{
  for (;;)
    work(1);
}

static void listen_to_driver(void)
{
  struct hone__frame_reader reader = {0};
  struct pollfd in = {.fd = 0, .events = POLLIN};
  struct hone__frame frame;
  char buffer[1 << 16];

  for (;;) {
    ssize_t size;
    while (hone__frame_next(&reader, &frame) == HONE__FRAME_HERE)
      obey(&frame);
    beat();
    if (poll(&in, 1, BEAT_MS) <= 0) continue;
    size = read(0, buffer, sizeof buffer);
    if (size <= 0 && has("stubborn")) hang();
    if (size <= 0) break;
    hone__frame_feed(&reader, buffer, (size_t)size);
  }
  hone__frame_reader_release(&reader);
}

int main(int argc, char **argv)
{
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp(argv[i], "--device") == 0) faults = argv[i + 1];
  leave_trace();
  if (has("stubborn")) signal(SIGTERM, SIG_IGN);
  greet();
  if (fcntl(0, F_GETFD) < 0) beat_only();
  listen_to_driver();
  return 0;
}
