/* gpu_order.h - the orders of the runner to the helper that owns a device, and the answers. Both
 * are the same program.
 *
 * The payload of an order to run a trial has its plan, as bytes, then the objects.
 */
#ifndef HONE_BACKEND_GPU_GPU_ORDER_H
#define HONE_BACKEND_GPU_GPU_ORDER_H

#include "wire/device_facts.h"

struct hone__gpu_order_item {
  const struct hone__packed *candidate; /* struct hone__kernel_candidate */
  size_t size;                          /* of its object */
};

struct hone__gpu_order {
  bool is_trial;   /* otherwise the device is opened */
  bool is_suspect; /* a candidate wrote out of bounds: copies are made again */
  bool was_right;  /* the first candidate of the trial before: its first answers are */
  size_t waiting;  /* helpers of this runner that have opened the device, too */
  size_t times;    /* room for them in the report, */
  size_t offset;   /* which begins here in the memory that both share */
  struct hone__gpu_order_item *candidates;
  size_t candidates_count;
};

struct hone__gpu_opened { /* the answer to an order to open */
  const struct hone__wire_device_facts *facts;
  const char *error; /* NULL: it is open */
  int64_t code;      /* enum hone_code of the error */
};

extern const struct hone__record_type hone__gpu_order_type, hone__gpu_opened_type;

#endif
