/* buffers.h - the arguments of a kernel, and the host memory of its tensors.
 *
 * The bench makes them once; every process forked from it has them at the same addresses. The
 * layout of a tensor:
 *
 *   no access | guard zone: a page and a bit | elements | guard zone: to the page's end and a page
 *
 * The next one begins with the same page without access. Argument i begins 64 * (5 i mod 64) bytes
 * into its page: always at the start of a cache line, and two arguments do not compete for the same
 * sets of the first cache, as they would if all began at a page.
 *
 * Everything exists twice, so that a candidate cannot gain by caching a call: two *contents* of the
 * inputs, drawn alike from two seeds, and two *places*, address ranges that each hold one of the
 * contents and separate outputs. If inputs cannot differ (files, constants) there is one content;
 * if memory is short there is one place.
 *
 * Inputs are filled once, into a file in memory for each content. A place maps one of them
 * copy-on-write, so a candidate that overwrites its inputs affects no other; `pristine` is the same
 * file, mapped read-only. Outputs are plain memory that only candidates touch.
 */
#ifndef HONE_BACKEND_KERNEL_BUFFERS_H
#define HONE_BACKEND_KERNEL_BUFFERS_H

#include "backend/kernel/image.h"
#include "backend/kernel/kernel_setup.h"
#include "base/memory.h"
#include "base/npy.h"
#include "check/fill.h"
#include "check/reduce.h"

enum hone__arg_kind {
  HONE__ARG_TENSOR,
  HONE__ARG_SCALAR,
  HONE__ARG_LOCAL,  /* local memory of a GPU */
  HONE__ARG_STRUCT, /* by value */
  HONE__ARG_MAP,    /* a tensor map of another argument */
  HONE__ARG_SAMPLER /* of images */
};

enum hone__role {
  HONE__ARG_IN,
  HONE__ARG_OUT,
  HONE__ARG_INOUT,
  HONE__ARG_SCRATCH /* what it holds before and after a call means nothing */
};

struct hone__arg {
  const char *name;
  enum hone__element element;
  enum hone__arg_kind kind;
  const enum hone__element *members; /* of a struct in C */
  size_t member_count;
  /* Of tensors only; all else has no memory of its own: */
  enum hone__role role;
  struct hone__fill fill; /* of inputs */
  size_t shape[HONE__NPY_DIMENSIONS], dimensions;
  size_t count, bytes;
  bool is_return;     /* what the function returns, in C */
  const char *symbol; /* an array of the object, filled from this tensor before each call and
                         read after it; NULL: a parameter of the function */
  const struct hone__image *image; /* also of samplers; NULL: it is plain memory */
  double rtol, atol, ratio;        /* negative: those of the setup's "check" */
  enum hone__reduction reduction;
  bool is_variable;        /* the shape is the largest: candidates have their own */
  size_t start, data, end; /* offsets: front guard zone, elements, after the back guard zone */
  size_t snapshot;         /* offset in a snapshot, if it is an output */
};

static inline bool hone__arg_is_tensor(const struct hone__arg *arg)
{
  return arg->kind == HONE__ARG_TENSOR;
}
static inline bool hone__arg_is_input(const struct hone__arg *arg) /* in or inout */
{
  return hone__arg_is_tensor(arg) && (arg->role == HONE__ARG_IN || arg->role == HONE__ARG_INOUT);
}
static inline bool hone__arg_is_output(const struct hone__arg *arg) /* out or inout */
{
  return hone__arg_is_tensor(arg) && (arg->role == HONE__ARG_OUT || arg->role == HONE__ARG_INOUT);
}
static inline bool hone__arg_is_poisoned(const struct hone__arg *arg) /* out or scratch */
{
  return hone__arg_is_tensor(arg) && (arg->role == HONE__ARG_OUT || arg->role == HONE__ARG_SCRATCH);
}

enum { HONE__CONTENTS = 2, HONE__PLACES = 2 };

struct hone__buffers { /* { 0 } */
  struct hone__arena arena;
  struct hone__arg *args;
  size_t count;
  size_t span;           /* bytes of range and of pristine */
  size_t input_bytes;    /* elements of in and inout */
  size_t snapshot_bytes; /* elements of out and inout, each from a multiple of 64 on */
  bool has_inout, has_symbol;
  bool has_image;          /* one that is copied before each call */
  size_t contents, places; /* how many there are: 1 or 2 */
  unsigned char *range[HONE__PLACES];
  const unsigned char *pristine[HONE__CONTENTS];
  size_t holds[HONE__PLACES]; /* the content of each place; in a process of candidates it changes */
};

/* The first changed byte of a guard zone: `offset` bytes before the start of the argument, or
 * after its end (0: right after it). */
struct hone__breach {
  size_t arg, offset;
  bool before;
};

struct hone__buffers_options {
  const struct hone__kernel_setup *setup; /* its arguments */
  uint64_t seed;
  bool doubled;        /* two contents and two places, where that is possible */
  size_t memory_bytes; /* that they may take; 0: what the machine has */
  const void *payload; /* files that arguments refer to */
  size_t payload_size;
};

/* EXHAUSTED: they take more than the options allow. */
hone_status hone__buffers_make(struct hone__buffers *buffers,
                               const struct hone__buffers_options *options);
void hone__buffers_release(struct hone__buffers *buffers);

/* Plain memory with the layout of `buffers`, which must live as long, in one place of its own. It
 * holds nothing, and has no guard zones yet. It is never released. */
hone_status hone__buffers_stage(const struct hone__buffers *buffers,
                                struct hone__buffers *out_staged);

/* The elements of a .npy file, and their bytes; they must fit the argument. An output that is
 * reduced may have fewer, in any shape. INVALID_SPEC has the reason if they do not fit. */
hone_status hone__buffers_npy(const struct hone__arg *arg, const void *bytes, size_t size,
                              const unsigned char **out_elements, size_t *out_size);

/* Its guard zones are filled; `base` is the range that it lies in. */
void hone__arg_guard(const struct hone__arg *arg, unsigned char *base);

/* Whether two snapshots hold the same elements, bit by bit. */
bool hone__snapshots_equal(const struct hone__buffers *buffers, const unsigned char *one,
                           const unsigned char *other);

/* ---- In a process of candidates ---- */

/* Inputs as new, content i in place i, outputs poisoned, guard zones whole. `used`: a candidate has
 * run before. */
void hone__buffers_restore(struct hone__buffers *buffers, bool used);
/* Each place gets the other content, where there are two. */
void hone__buffers_swap(struct hone__buffers *buffers);
/* A place gets its content once more, or one that no call has had: inputs are drawn anew, those
 * that are not drawn stay. What it holds then has no known answer. */
void hone__buffers_rewrite(const struct hone__buffers *buffers, size_t place);
void hone__buffers_draw(const struct hone__buffers *buffers, size_t place, uint64_t seed);
/* Only what inout arguments hold, as before each call. */
void hone__buffers_refill(const struct hone__buffers *buffers);
/* Inputs that a candidate wrote to are put back. Returns 1 + the first of them, 0 if there is none.
 */
size_t hone__buffers_restore_inputs(const struct hone__buffers *buffers);
void hone__buffers_poison(const struct hone__buffers *buffers, size_t place); /* out, scratch */
void hone__buffers_snapshot(const struct hone__buffers *buffers, size_t place,
                            unsigned char *snapshot);
bool hone__buffers_equal(const struct hone__buffers *buffers, size_t place,
                         const unsigned char *snapshot);
bool hone__buffers_intact(const struct hone__buffers *buffers, struct hone__breach *out_breach);

#endif
