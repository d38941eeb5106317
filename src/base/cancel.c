/* A counter without a lock: signal handlers may use it, and working threads check it from time to
 * time. */
#include "base/cancel.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

struct hone_cancel {
  atomic_uint requests;
};

struct hone_cancel *hone_cancel_new(void)
{
  struct hone_cancel *cancel = hone__alloc(sizeof *cancel);

  atomic_init(&cancel->requests, 0);
  return cancel;
}

void hone_cancel_request(struct hone_cancel *cancel)
{
  atomic_fetch_add(&cancel->requests, 1);
}

void hone_cancel_free(struct hone_cancel *cancel)
{
  free(cancel);
}

unsigned hone__cancel_requests(const struct hone_cancel *cancel)
{
  return cancel ? atomic_load(&((struct hone_cancel *)(uintptr_t)cancel)->requests) : 0;
}
