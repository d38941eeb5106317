/* dispatch.h - a dumped dispatch, made ready for candidates: stripped, filled and checkable.
 *
 * IREE's dump of a dispatch only allocates its buffer, so that it would be timed on untouched
 * pages, and its answer is never seen. The prepared text differs from the dump in this:
 *  - lowering_config, translation_info, compilation_info and decomposition_config are gone, root_op
 *    stays (what the compiler chose is kept aside), but not on an operation that is matched with
 *    all its attributes (HONE__IREE_GENERIC);
 *  - the initializer fills the buffer: every binding with seeded random values of its element type
 *    (a block of constants, doubled by copies on the device);
 *  - a second function @hone_answer() -> !hal.buffer_view runs the dispatch once on a freshly
 * filled buffer and gives all of it back as bytes, for iree-run-module --output=@x.npy. One module
 * so serves for timing and for checking.
 */
#ifndef HONE_IREE_DISPATCH_DISPATCH_H
#define HONE_IREE_DISPATCH_DISPATCH_H

#include "iree/operation/operation.h"

struct hone__iree_binding { /* a piece of the buffer */
  size_t offset, size;      /* bytes */
  const char *element;      /* of MLIR: "f16"; "" if not known: bytes */
  bool is_read, is_written;
};

struct hone__iree_dispatch {
  const char *executable; /* "main_dispatch_0" */
  const char *benchmark;  /* the function for iree-benchmark-module */
  const char
      *answer; /* "hone_answer"; NULL: it cannot be checked, for the reason in `why_unchecked` */
  const char *why_unchecked;
  struct hone__iree_binding *bindings;
  size_t binding_count;
  size_t buffer_size;
  char *choice; /* the compiler's own configuration, as compilation_info text; or NULL */
  char *choice_decomposition; /* of attention; or NULL */
  struct hone__text text;     /* prepared */
};

/* INVALID_SPEC: not a benchmark dump. `arch`: written into the target ("sm_90"), or NULL. */
hone_status hone__iree_dispatch_prepare(struct hone__mlir *dump, uint64_t seed, const char *arch,
                                        struct hone__iree_dispatch *out_dispatch);
void hone__iree_dispatch_release(struct hone__iree_dispatch *dispatch);

/* The configuration that an operation has in a text (a dump of executable configurations):
 * lowering_config and translation_info together as compilation_info, attributes resolved. False: it
 * has none. Texts are added to. */
bool hone__iree_configuration(const struct hone__mlir_op *op, struct hone__text *compilation_info,
                              struct hone__text *decomposition_config);
/* True if the configuration in the dump is the wanted one: every wanted entry has its value
 * (defaults that the compiler adds are ignored); `why` names the difference. */
bool hone__iree_is_applied(const struct hone__mlir *configured, const char *compilation_info,
                           const char *decomposition_config, struct hone__text *why);

/* "workgroup [64,128,0], reduction [0,0,8], ..." for a compilation_info, and its pipeline's name;
 * nothing for other texts. The second function takes a translation_info only. */
void hone__iree_configuration_words(const char *compilation_info, struct hone__text *pipeline,
                                    struct hone__text *configuration);
void hone__iree_translation_words(const struct hone__mlir_attr *translation,
                                  struct hone__text *pipeline, struct hone__text *configuration);

#endif
