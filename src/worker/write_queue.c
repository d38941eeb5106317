#include "worker/write_queue.h"

#include "base/status.h"

#include <errno.h>
#include <unistd.h>

bool hone__write_queue_flush(struct hone__write_queue *box, int file)
{
  HONE__ASSERT(box->sent <= box->bytes.length);
  while (box->sent < box->bytes.length) {
    ssize_t written = write(file, box->bytes.data + box->sent, box->bytes.length - box->sent);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == EAGAIN;
    box->sent += (size_t)written;
  }
  if (box->bytes.capacity > HONE__WRITE_QUEUE_FULL) hone__text_release(&box->bytes);
  box->bytes.length = box->sent = 0;
  return true;
}

void hone__write_queue_release(struct hone__write_queue *box)
{
  hone__text_release(&box->bytes);
  box->sent = 0;
}
