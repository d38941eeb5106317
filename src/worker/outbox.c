#include "worker/outbox.h"

#include <errno.h>
#include <unistd.h>

bool hone__outbox_flush(struct hone__outbox *box, int file)
{
  while (box->sent < box->bytes.length) {
    ssize_t written = write(file, box->bytes.data + box->sent, box->bytes.length - box->sent);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == EAGAIN;
    box->sent += (size_t)written;
  }
  if (box->bytes.capacity > HONE__OUTBOX_FULL) hone__text_release(&box->bytes);
  box->bytes.length = box->sent = 0;
  return true;
}

void hone__outbox_release(struct hone__outbox *box)
{
  hone__text_release(&box->bytes);
  box->sent = 0;
}
