/* dispatch_dump.h - reads from a dump which function runs its dispatch on which parts of which
 * buffer. Everything is in the dump's arena, or lent by it.
 */
#ifndef HONE_IREE_DISPATCH_DISPATCH_DUMP_H
#define HONE_IREE_DISPATCH_DISPATCH_DUMP_H

#include "iree/dispatch/dispatch.h"

struct hone__dispatch_use { /* one benchmark function, and its buffer */
  const struct hone__mlir_op *function;
  const struct hone__mlir_op *dispatch;    /* hal.command_buffer.dispatch; NULL: not understood */
  const struct hone__mlir_op *initializer; /* that makes the buffer; NULL: likewise */
  const struct hone__mlir_op *stored;      /* util.global.store in it, or NULL */
  const char *buffer;                      /* symbol of the global */
  size_t buffer_size;
  struct hone__iree_binding *bindings;
  size_t binding_count;
  const char *why_not; /* NULL: all of the above is known */
};

struct hone__dispatch_dump {
  struct hone__dispatch_use *uses;
  size_t count;
};

/* INVALID_SPEC: not a dump of a dispatch. The list and its bindings are from malloc. */
hone_status hone__dispatch_dump_read(const struct hone__mlir *mlir,
                                     struct hone__dispatch_dump *out_dump);
void hone__dispatch_dump_release(struct hone__dispatch_dump *dump);

/* Adds private functions that fill the buffers (@hone_fill, @hone_fill_1 ...), and where the
 * dispatch can be checked @hone_answer; they belong after the benchmark functions. */
void hone__dispatch_write_fill(const struct hone__mlir *mlir, const struct hone__dispatch_use *use,
                               size_t number, uint64_t seed, struct hone__text *text);
void hone__dispatch_write_answer(const struct hone__dispatch_use *use, struct hone__text *text);
/* "@hone_fill_1" */
void hone__dispatch_fill_name(size_t number, struct hone__text *text);

#endif
