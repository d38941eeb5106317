/* proxy.c - between a driver and its worker: changes what the worker says.
 *
 *   proxy FAULT COMMAND...
 *
 * FAULT is KIND:CHANGE, where KIND is hello, ready or result, and CHANGE is JSON that is put over
 * the head of each such frame ({"class": 5}), or payload:SIZE (it has that many bytes), cut:OFFSET
 * (the first such frame ends there, and with it the stream), stall:OFFSET (nothing but beats
 * follows), flip:OFFSET (one bit is changed), or foreign (the frame is of a kind that workers do
 * not send). */
#include "wire/packed_json.h"
#include "wire/frame.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *change;
static enum hone__frame_kind kind;
static unsigned long spared;

static void write_all(int file, const void *bytes, size_t size)
{
  for (const char *at = bytes; size;) {
    ssize_t written = write(file, at, size);
    if (written <= 0) exit(3);
    at += written;
    size -= (size_t)written;
  }
}

static bool has_number(const char *word, size_t *out_number)
{
  size_t length = strlen(word);

  if (strncmp(change, word, length) != 0) return false;
  *out_number = strtoul(change + length, NULL, 10);
  return true;
}

static void stall(void)
{
  struct hone__text beat = {0};

  hone__frame_encode(&(struct hone__frame){.kind = HONE__FRAME_BEAT}, &beat);
  for (;;) {
    write_all(1, beat.data, beat.length);
    usleep(500000);
  }
}

/* Of the bytes of a frame. */
static void pass_bytes(struct hone__text *bytes)
{
  size_t at;

  if (has_number("cut:", &at)) {
    write_all(1, bytes->data, at < bytes->length ? at : bytes->length - 1);
    exit(0);
  } else if (has_number("stall:", &at)) {
    write_all(1, bytes->data, at < bytes->length ? at : bytes->length - 1);
    stall();
  } else {
    if (has_number("flip:", &at)) bytes->data[at % bytes->length] ^= 1;
    write_all(1, bytes->data, bytes->length);
  }
}

static void pass_frame(struct hone__frame *frame)
{
  struct hone__text bytes = {0};
  json_t *over = *change == '{' ? json_loads(change, 0, NULL) : NULL;
  size_t size;
  bool is_meant = frame->kind == kind && (!spared || !spared--);

  if (is_meant && over) json_object_update(hone__packed_json(frame->head), over);
  if (is_meant && strcmp(change, "foreign") == 0) frame->kind = HONE__FRAME_JOB;
  if (is_meant && has_number("payload:", &size)) {
    frame->payload = hone__alloc(size + 1);
    frame->payload_size = size;
  }
  hone__frame_encode(frame, &bytes);
  if (is_meant)
    pass_bytes(&bytes);
  else
    write_all(1, bytes.data, bytes.length);
  hone__text_release(&bytes);
  json_decref(over);
}

static void pass_all(int from_worker)
{
  struct hone__frame_reader reader = {0};
  struct hone__frame frame;
  hone_status status;

  while (!(status = hone__frame_read(from_worker, &reader, &frame)))
    pass_frame(&frame);
  hone_status_free(status);
  hone__frame_reader_release(&reader);
}

static void read_fault(const char *fault)
{
  static const struct {
    const char *name;
    enum hone__frame_kind kind;
  } kinds[] = {{"hello:", HONE__FRAME_HELLO},
               {"ready:", HONE__FRAME_READY},
               {"result:", HONE__FRAME_RESULT}};

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strncmp(fault, kinds[i].name, strlen(kinds[i].name)) != 0) continue;
    kind = kinds[i].kind;
    change = fault + strlen(kinds[i].name);
  }
  if (!change) exit(2);
}

int main(int argc, char **argv)
{
  int ends[2];
  pid_t pid;

  if (argc < 4 || pipe(ends) != 0) return 2;
  read_fault(argv[1]);
  spared = strtoul(argv[2], NULL, 10);
  pid = fork();
  if (pid == 0) {
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    execvp(argv[3], argv + 3);
    _exit(127);
  }
  close(ends[1]);
  close(0);
  pass_all(ends[0]);
  waitpid(pid, NULL, 0);
  return 0;
}
