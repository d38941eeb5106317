/* buffers.h - the arguments of a kernel, and the host's memory that its tensors lie in.
 *
 * The bench makes them once; every process that is forked from it has them at the same addresses. A
 * tensor lies so:
 *
 *   no access | guard zone: a page and a bit | elements | guard zone: to the page's end and a page
 *
 * The next one begins with the same page without access. Argument i begins 64 * (5 i mod 64) bytes
 * into its page: always at the start of a cache line, and two arguments do not compete for the same
 * sets of the first cache, as they would if all began at a page.
 *
 * Inputs are filled once, into a file in memory. `range` maps it copy-on-write, so a candidate that
 * overwrites its inputs harms nobody; `pristine` is the same file, to be read only. Outputs are
 * plain memory that only candidates touch.
 */
#ifndef HONE_BACKEND_KERNEL_BUFFERS_H
#define HONE_BACKEND_KERNEL_BUFFERS_H

#include "base/memory.h"
#include "base/npy.h"
#include "exec/fill.h"

#include <jansson.h>

enum hone_arg_kind {
  HONE_ARG_TENSOR,
  HONE_ARG_SCALAR,
  HONE_ARG_LOCAL,  /* local memory of a GPU */
  HONE_ARG_STRUCT, /* by value */
  HONE_ARG_MAP     /* a tensor map of another argument */
};

enum hone_role { HONE_ARG_IN, HONE_ARG_OUT, HONE_ARG_INOUT };

struct hone_arg {
  const char *name;
  enum hone_element element;
  enum hone_arg_kind kind;
  /* Of tensors only; all else has no memory of its own: */
  enum hone_role role;
  size_t shape[HONE_NPY_DIMENSIONS], dimensions;
  size_t count, bytes;
  double rtol, atol;       /* negative: those of the setup's "check" */
  size_t start, data, end; /* offsets: front guard zone, elements, behind the back guard zone */
  size_t snapshot;         /* offset in a snapshot, unless it is an input */
};

static inline bool hone__arg_is_tensor(const struct hone_arg *arg)
{
  return arg->kind == HONE_ARG_TENSOR;
}
static inline bool hone__arg_is_input(const struct hone_arg *arg) /* in or inout */
{
  return hone__arg_is_tensor(arg) && arg->role != HONE_ARG_OUT;
}
static inline bool hone__arg_is_output(const struct hone_arg *arg) /* out or inout */
{
  return hone__arg_is_tensor(arg) && arg->role != HONE_ARG_IN;
}

struct hone_buffers { /* { 0 } */
  struct hone_arena arena;
  struct hone_arg *args;
  size_t count;
  size_t span;           /* bytes of range and of pristine */
  size_t input_bytes;    /* elements of in and inout */
  size_t snapshot_bytes; /* elements of out and inout, each from a multiple of 64 on */
  bool has_inout;
  unsigned char *range;
  const unsigned char *pristine;
};

/* The first changed byte of a guard zone: `offset` bytes before the start of the argument, or
 * behind its end (0: right behind it). */
struct hone_breach {
  size_t arg, offset;
  bool before;
};

/* `args` as in the setup; files that it refers to are in the payload. EXHAUSTED: more than
 * `memory_bytes` (0: than the machine has). */
hone_status hone__buffers_make(struct hone_buffers *buffers, const json_t *args, uint64_t seed,
                               size_t memory_bytes, const void *payload, size_t payload_size);
void hone__buffers_release(struct hone_buffers *buffers);

/* The elements of a .npy file; they must fit the argument. INVALID_SPEC says why they do not. */
hone_status hone__buffers_npy(const struct hone_arg *arg, const void *bytes, size_t size,
                              const unsigned char **out_elements);

/* Whether two snapshots hold the same elements, bit by bit. */
bool hone__snapshots_equal(const struct hone_buffers *buffers, const unsigned char *one,
                           const unsigned char *other);

/* ---- In a process of candidates ---- */

/* Inputs as new, outputs poisoned, guard zones whole. `used`: a candidate has run before. */
void hone__buffers_restore(const struct hone_buffers *buffers, bool used);
/* Only what inout arguments hold, as before each call. */
void hone__buffers_refill(const struct hone_buffers *buffers);
/* Inputs that a candidate wrote to are put back. Returns 1 + the first of them, 0 if there is none.
 */
size_t hone__buffers_mend(const struct hone_buffers *buffers);
void hone__buffers_poison(const struct hone_buffers *buffers); /* only outputs */
void hone__buffers_snapshot(const struct hone_buffers *buffers, unsigned char *snapshot);
bool hone__buffers_equal(const struct hone_buffers *buffers, const unsigned char *snapshot);
bool hone__buffers_intact(const struct hone_buffers *buffers, struct hone_breach *out_breach);

#endif
