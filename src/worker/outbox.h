/* outbox.h - bytes on their way to a descriptor that does not block. */
#ifndef HONE_WORKER_OUTBOX_H
#define HONE_WORKER_OUTBOX_H

#include "base/text.h"

struct hone__outbox { /* { 0 } */
  struct hone__text bytes;
  size_t sent; /* of bytes */
};

enum { HONE__OUTBOX_FULL = 1 << 20 }; /* more may be added, but better is not */

/* Writes as much as goes now. False: the other end is gone. */
bool hone__outbox_flush(struct hone__outbox *box, int file);
void hone__outbox_release(struct hone__outbox *box);

static inline size_t hone__outbox_waiting(const struct hone__outbox *box)
{
  return box->bytes.length - box->sent;
}

#endif
