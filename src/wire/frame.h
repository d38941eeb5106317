/* frame.h - how driver, worker and runner talk: frames on private descriptors.
 *
 *   magic, version, kind, epoch, job, lengths, checksum; a head (JSON); a payload (bytes); '\n'
 *
 * The driver sends SETUP once, then JOB after JOB; a worker answers READY to the first and one
 * RESULT to each of the others, with the same job and epoch. Beats come from the supervisor, who
 * never runs anything that may hang.
 *
 *   driver ──SETUP, JOB, RESTART, BYE──► supervisor ──the same──► runner
 *   driver ◄─HELLO, READY, RESULT, BEAT── supervisor ◄──READY, RESULT── runner
 *
 * Heads:
 *   HELLO   {"version", "host", "pid", "role", "device", "cores", "memory_bytes", "isolation"}
 *   SETUP   {"backend", ...}: hone_backend.describe; the payload holds files that it refers to
 *   READY   {"ok": true, ...} or {"ok": false, "error": "..."}
 *   JOB     {"op": "build" | "run", "timeout_s": s, ...}: see backend.h
 *   RESULT  {"class", "evidence", ...}: see backend.h
 *   RESTART {}: the next job gets a new runner process
 *   BYE     {}: finish and leave
 */
#ifndef HONE_WIRE_FRAME_H
#define HONE_WIRE_FRAME_H

#include "base/status.h"
#include "base/text.h"

#include <jansson.h>

enum hone_frame_kind {
  HONE_FRAME_HELLO = 1,
  HONE_FRAME_SETUP,
  HONE_FRAME_READY,
  HONE_FRAME_JOB,
  HONE_FRAME_RESULT,
  HONE_FRAME_BEAT,
  HONE_FRAME_RESTART,
  HONE_FRAME_BYE
};

enum {
  HONE_FRAME_VERSION = 1,
  HONE_FRAME_LONGEST_HEAD = 1 << 20,
  HONE_FRAME_LONGEST_PAYLOAD = 1 << 30,
  HONE_FRAME_LONGEST_NOISE = 1 << 16 /* before the first frame: an ssh banner */
};

/* What a SETUP or a JOB may take where it does not say. */
enum { HONE_SETUP_LIMIT_S = 600, HONE_JOB_LIMIT_S = 36000 };

struct hone_frame {
  enum hone_frame_kind kind;
  uint32_t epoch;
  uint64_t job;
  json_t *head; /* may be NULL when written: {} */
  const void *payload;
  size_t payload_size;
};

/* Appends the frame's bytes. */
void hone__frame_encode(const struct hone_frame *frame, struct hone_text *bytes);
/* Writes a whole frame to a blocking descriptor; IO if the other end is gone. */
hone_status hone__frame_write(int file, const struct hone_frame *frame);

/* Bytes as a JSON string; what is no UTF-8 text (a compiler may say anything) becomes '?'. */
json_t *hone__frame_text(const char *bytes, size_t size);

/* Bytes in, frames out. */
struct hone_frame_reader { /* { 0 } */
  struct hone_text bytes;
  size_t used;  /* of bytes: frames that were taken */
  bool started; /* a frame was seen: from now on noise is an error */
  struct hone_text noise;
  json_t *head; /* of the last frame */
};
enum hone_frame_state { HONE_FRAME_MORE, HONE_FRAME_HERE, HONE_FRAME_GARBLED };

void hone__frame_feed(struct hone_frame_reader *reader, const void *bytes, size_t size);
/* HERE: *out_frame is lent until the next call. GARBLED: the stream is of no use any more. */
enum hone_frame_state hone__frame_next(struct hone_frame_reader *reader,
                                       struct hone_frame *out_frame);
void hone__frame_reader_release(struct hone_frame_reader *reader);
/* Reads from a blocking descriptor until a frame is here; NOT_FOUND at the end of the stream. */
hone_status hone__frame_read(int file, struct hone_frame_reader *reader,
                             struct hone_frame *out_frame);

#endif
