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
  char *supplied;                       /* the folder that `supply.command` wrote to; or NULL */
  const struct hone__node **step_files; /* of the setup's steps */
  const struct hone__kernel_arg *arg;   /* that is being described, and its type */
  enum hone__element element;
};

/* Adds `args` and `inputs_key`. */
hone_status hone__describer_args(struct hone__describer *describer);
/* Puts a file with this many elements into the payload, and its position into `out`. A .npy file
 * must also have the argument's shape. */
hone_status hone__describer_array(struct hone__describer *describer, const struct hone__node *file,
                                  int64_t elements, struct hone__kernel_file *out_file);
/* Puts bytes into the payload. */
void hone__describer_bytes(struct hone__describer *describer, const void *bytes, size_t size,
                           struct hone__kernel_file *out_file);
/* kernel_extent.c: whether a shape depends on parameters; the largest one, of any configuration. */
bool hone__describer_is_variable(const struct hone__describer *describer,
                                 const struct hone__node *shape);
hone_status hone__describer_largest(struct hone__describer *describer,
                                    const struct hone__node *shape,
                                    struct hone__kernel_arg *out_arg, int64_t *out_elements);
/* kernel_supply.c: runs `supply.command`, if there is one; the file that it wrote for an argument,
 * or NULL. Release it in all cases. */
hone_status hone__describer_supply(struct hone__describer *describer);
const char *hone__describer_supplied(struct hone__describer *describer, const char *name);
void hone__describer_supply_release(struct hone__describer *describer);
/* kernel_step.c: builds the functions that pipelines call on the host, and adds `steps`, after
 * `args`. */
hone_status hone__describer_steps(struct hone__describer *describer);
/* kernel_symbol.c: adds `symbol`, if the argument is one. */
hone_status hone__kernel_symbol(struct hone__describer *describer, const struct hone__node *arg,
                                struct hone__kernel_arg *out_arg);
/* kernel_image.c: adds `image`, if the argument is a texture, a surface or an image; a sampler. */
hone_status hone__kernel_image(struct hone__describer *describer, const struct hone__node *arg,
                               struct hone__kernel_arg *out_arg);
hone_status hone__kernel_sampler(struct hone__describer *describer, const struct hone__node *arg,
                                 struct hone__kernel_arg *out_arg);
/* kernel_call.c: whether the functions of kernel and reference take these arguments. */
hone_status hone__kernel_check_call(struct hone__describer *describer);
/* The text of a mapping's key. */
const char *hone__describer_text(const struct hone__node *mapping, const char *key,
                                 const char *fallback);

#endif
