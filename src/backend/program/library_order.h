/* library_order.h - orders to the process that calls libraries, and its answers. */
#ifndef HONE_BACKEND_PROGRAM_LIBRARY_ORDER_H
#define HONE_BACKEND_PROGRAM_LIBRARY_ORDER_H

#include "wire/record.h"

struct hone__library_order { /* see struct hone__library_call */
  const char *path, *key;
  const char **variables; /* "NAME=value" */
  size_t variables_count;
  const char *directory; /* NULL: as it is */
};

struct hone__library_reply {
  int64_t value;       /* what benchmark_entry returned */
  const char *refusal; /* why it was not called; NULL: it was */
};

extern const struct hone__record_type hone__library_order_type, hone__library_reply_type;

#endif
