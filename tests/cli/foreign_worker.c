/* foreign_worker.c - stands between a driver and a worker, and changes the times that come back.
 *
 *   hone tune k.yaml --workers build/tests/foreign_worker
 *
 * starts it with the worker's command as its arguments.
 *   $FOREIGN_TIME   replaces the last time of each reply: nan, inf, 0, -1, 1e-300; "none": the
 *                   reply has no times at all
 *   $FOREIGN_STEP   replaces every so-manieth before it, too: of rows, with their width, the column
 *   $FOREIGN_MATCH  only of jobs whose text contains this
 *   $FOREIGN_MODE   only of jobs with this mode: screen or rows
 *   $FOREIGN_LOG    gets a line for each job: its head without the candidates' bytes
 */
#include "wire/packed_json.h"
#include "wire/frame.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct proxy {
  int to_worker, from_worker;
  uint64_t marked; /* the job whose reply is changed; jobs come one after the other */
  bool has_marked;
  struct hone__frame_reader driver, worker;
};

static const char *setting(const char *name)
{
  const char *value = getenv(name);

  return value ? value : "";
}

static void write_line(const char *text)
{
  FILE *file = *setting("FOREIGN_LOG") ? fopen(setting("FOREIGN_LOG"), "ae") : NULL;

  if (!file) return;
  fprintf(file, "%s\n", text);
  fclose(file);
}

static bool pass_on(int file, const struct hone__frame *frame)
{
  hone_status status = hone__frame_write(file, frame);
  bool ok = !status;

  hone_status_free(status);
  return ok;
}

/* ---- From the driver ---- */

static void note_job(struct proxy *proxy, const struct hone__frame *frame)
{
  const char *op = json_string_value(json_object_get(hone__packed_json(frame->head), "op"));
  const char *mode = json_string_value(json_object_get(hone__packed_json(frame->head), "mode"));
  char *text = json_dumps(hone__packed_json(frame->head), JSON_COMPACT);

  if (op && strcmp(op, "run") == 0) {
    write_line(text);
    proxy->has_marked = strstr(text, setting("FOREIGN_MATCH")) &&
                        (!*setting("FOREIGN_MODE") || strcmp(mode, setting("FOREIGN_MODE")) == 0);
    proxy->marked = frame->job;
  }
  free(text);
}

/* ---- From the worker ---- */

static bool send_changed(struct hone__frame *frame)
{
  bool is_none = strcmp(setting("FOREIGN_TIME"), "none") == 0;
  double time = strtod(setting("FOREIGN_TIME"), NULL);
  size_t step = sizeof time * (size_t)strtoul(setting("FOREIGN_STEP"), NULL, 10);
  char *payload = malloc(frame->payload_size + 1);
  bool ok;

  memcpy(payload, frame->payload, frame->payload_size);
  for (size_t end = frame->payload_size; end >= sizeof time; end -= step) {
    memcpy(payload + end - sizeof time, &time, sizeof time);
    if (!step || end < step) break;
  }
  frame->payload = payload;
  if (is_none) frame->payload_size = 0;
  ok = pass_on(1, frame);
  free(payload);
  return ok;
}

static bool answer(struct proxy *proxy, struct hone__frame *frame)
{
  bool is_marked = frame->kind == HONE__FRAME_RESULT && proxy->has_marked &&
                   frame->job == proxy->marked && *setting("FOREIGN_TIME") &&
                   frame->payload_size >= sizeof(double);

  return is_marked ? send_changed(frame) : pass_on(1, frame);
}

/* ---- The loop ---- */

/* False: one of them is gone. */
static bool forward(struct proxy *proxy, bool is_driver)
{
  struct hone__frame_reader *reader = is_driver ? &proxy->driver : &proxy->worker;
  enum hone__frame_state state;
  struct hone__frame frame;
  char bytes[65536];
  ssize_t got = read(is_driver ? 0 : proxy->from_worker, bytes, sizeof bytes);

  if (got <= 0) return false;
  hone__frame_feed(reader, bytes, (size_t)got);
  while ((state = hone__frame_next(reader, &frame)) == HONE__FRAME_HERE) {
    if (is_driver && frame.kind == HONE__FRAME_JOB) note_job(proxy, &frame);
    if (!(is_driver ? pass_on(proxy->to_worker, &frame) : answer(proxy, &frame))) return false;
  }
  return state != HONE__FRAME_GARBLED;
}

static void start_worker(char **argv, struct proxy *proxy)
{
  int in[2], out[2];
  pid_t child;

  if (pipe(in) || pipe(out) || (child = fork()) < 0) exit(3);
  if (child == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    for (int i = 0; i < 2; i++) {
      close(in[i]);
      close(out[i]);
    }
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  proxy->to_worker = in[1];
  proxy->from_worker = out[0];
}

int main(int argc, char **argv)
{
  struct proxy proxy = {0};

  if (argc < 2) return 2;
  start_worker(argv, &proxy);
  for (;;) {
    struct pollfd files[] = {{.fd = 0, .events = POLLIN},
                             {.fd = proxy.from_worker, .events = POLLIN}};
    if (poll(files, 2, -1) < 0) break;
    if (files[1].revents && !forward(&proxy, false)) break;
    if (files[0].revents && !forward(&proxy, true)) break;
  }
  hone__frame_reader_release(&proxy.driver);
  hone__frame_reader_release(&proxy.worker);
  return 0;
}
