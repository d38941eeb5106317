/* write_queue.h - bytes to be written to a non-blocking descriptor. */
#ifndef HONE_WORKER_WRITE_QUEUE_H
#define HONE_WORKER_WRITE_QUEUE_H

#include "base/text.h"

struct hone__write_queue { /* { 0 } */
  struct hone__text bytes;
  size_t sent; /* bytes already written */
};

enum { HONE__WRITE_QUEUE_FULL = 1 << 20 }; /* a soft limit: bytes may still be added */

/* Writes as much as possible without blocking. False: the other end is closed. */
bool hone__write_queue_flush(struct hone__write_queue *box, int file);
void hone__write_queue_release(struct hone__write_queue *box);

static inline size_t hone__write_queue_waiting(const struct hone__write_queue *box)
{
  return box->bytes.length - box->sent;
}

#endif
