/* write_queue.h - bytes on their way to a descriptor that does not block. */
#ifndef HONE_WORKER_WRITE_QUEUE_H
#define HONE_WORKER_WRITE_QUEUE_H

#include "base/text.h"

struct hone__write_queue { /* { 0 } */
  struct hone__text bytes;
  size_t sent; /* of bytes */
};

enum { HONE__WRITE_QUEUE_FULL = 1 << 20 }; /* more may be added, but better is not */

/* Writes as much as goes now. False: the other end is gone. */
bool hone__write_queue_flush(struct hone__write_queue *box, int file);
void hone__write_queue_release(struct hone__write_queue *box);

static inline size_t hone__write_queue_waiting(const struct hone__write_queue *box)
{
  return box->bytes.length - box->sent;
}

#endif
