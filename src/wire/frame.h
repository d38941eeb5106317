/* frame.h - frames: the protocol of driver, worker and runner on private descriptors.
 *
 *   magic, version, kind, epoch, job, lengths, checksum; a head (JSON); a payload (bytes); newline
 *
 * The driver sends SETUP once, then any number of JOBs. A worker answers the SETUP with READY and
 * each JOB with one RESULT, with the same job and epoch. Heartbeats (BEAT) come from the
 * supervisor, which never runs code that may hang.
 *
 *   driver ──SETUP, JOB, RESTART, BYE──► supervisor ──the same──► runner
 *   driver ◄─HELLO, READY, RESULT, BEAT, WANT── supervisor ◄──READY, RESULT── runner
 *
 * Heads:
 *   HELLO   hello.h
 *   SETUP   setup_head.h and the backend's fields; the payload holds the files it refers to
 *   READY   ready.h, device_facts.h, time_limits.h
 *   JOB     job_head.h: build_job.h or run_job.h
 *   RESULT  result.h: build_reply.h or run_reply.h
 *   RESTART none: the next job gets a new runner process
 *   BYE     none: finish and exit
 *   WANT    parcels.h: send the SETUP or JOB again: a part of it is not on this host
 */
#ifndef HONE_WIRE_FRAME_H
#define HONE_WIRE_FRAME_H

#include "base/status.h"
#include "base/text.h"

#include "wire/record.h"

#include <sys/types.h>

enum hone__frame_kind {
  HONE__FRAME_HELLO = 1,
  HONE__FRAME_SETUP,
  HONE__FRAME_READY,
  HONE__FRAME_JOB,
  HONE__FRAME_RESULT,
  HONE__FRAME_BEAT,
  HONE__FRAME_RESTART,
  HONE__FRAME_BYE,
  HONE__FRAME_WANT
};

enum {
  HONE__FRAME_VERSION = 1,
  HONE__FRAME_LONGEST_HEAD = 1 << 20,
  HONE__FRAME_LONGEST_PAYLOAD = 1 << 30,
  HONE__FRAME_LONGEST_NOISE = 1 << 16 /* before the first frame: an ssh banner */
};

/* Default limits of a SETUP and of a JOB. */
enum { HONE__FRAME_SETUP_LIMIT_S = 600, HONE__FRAME_JOB_LIMIT_S = 36000 };

struct hone__frame {
  enum hone__frame_kind kind;
  uint32_t epoch;
  uint64_t job;
  const struct hone__packed *head; /* may be NULL when written: {} */
  const void *payload;
  size_t payload_size;
  const void *bytes; /* of a frame that was read: all of it, to be passed on as it is */
  size_t size;
};

/* Appends the frame's bytes. */
void hone__frame_encode(const struct hone__frame *frame, struct hone__text *bytes);
/* Writes a whole frame to a blocking descriptor; IO if the other end is gone. */
hone_status hone__frame_write(int file, const struct hone__frame *frame);

/* Bytes in, frames out. */
struct hone__frame_reader { /* { 0 } */
  struct hone__text bytes;
  size_t used;  /* bytes of frames already taken */
  bool started; /* a frame was seen: noise is an error from now on */
  struct hone__text noise;
  struct hone__packed *head; /* of the last frame */
};
enum hone__frame_state { HONE__FRAME_MORE, HONE__FRAME_HERE, HONE__FRAME_GARBLED };

void hone__frame_feed(struct hone__frame_reader *reader, const void *bytes, size_t size);
/* The same with the bytes of one read(), whose result it returns. */
ssize_t hone__frame_feed_from(int file, struct hone__frame_reader *reader);
/* HERE: *out_frame is lent until the next call. GARBLED: the stream is unusable. */
enum hone__frame_state hone__frame_next(struct hone__frame_reader *reader,
                                        struct hone__frame *out_frame);
/* After MORE: what has come of the next frame, if its head is complete; its checksum is not. The
 * payload is lent until the next call. */
bool hone__frame_unfinished(struct hone__frame_reader *reader, struct hone__frame *out_frame);
void hone__frame_reader_release(struct hone__frame_reader *reader);
/* Reads from a blocking descriptor until a frame is complete; NOT_FOUND at the end of the stream.
 */
hone_status hone__frame_read(int file, struct hone__frame_reader *reader,
                             struct hone__frame *out_frame);

#endif
