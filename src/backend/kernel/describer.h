/* describer.h - builds a setup: shared by kernel_describe.c and kernel_args.c. */
#ifndef HONE_BACKEND_KERNEL_DESCRIBER_H
#define HONE_BACKEND_KERNEL_DESCRIBER_H

#include "backend/backend.h"
#include "backend/kernel/kernel.h"
#include "backend/kernel/kernel_setup.h"
#include "base/element.h"

struct hone__describer {
  const struct hone__task *task;
  const struct hone__kernel_kind *kind;
  struct hone__kernel_setup setup;
  struct hone__arena arena;       /* of all that it points to */
  struct hone__packed *reference; /* the candidate of the reference; or NULL */
  struct hone__text *payload;
  const struct hone__kernel_arg *arg; /* that is being described, and its type */
  enum hone__element element;
};

/* Adds `args` and `inputs_key`. */
hone_status hone__describer_args(struct hone__describer *describer);
/* Puts a file with this many elements into the payload, and its position into `out`. A .npy file
 * must also have the argument's shape. */
hone_status hone__describer_array(struct hone__describer *describer, const struct hone__node *file,
                                  int64_t elements, struct hone__kernel_file *out_file);
/* The text of a mapping's key. */
const char *hone__describer_text(const struct hone__node *mapping, const char *key,
                                 const char *fallback);

#endif
