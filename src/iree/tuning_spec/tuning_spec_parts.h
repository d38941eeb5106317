/* tuning_spec_parts.h - shared by the files of tuning specs. */
#ifndef HONE_IREE_TUNING_SPEC_TUNING_SPEC_PARTS_H
#define HONE_IREE_TUNING_SPEC_TUNING_SPEC_PARTS_H

#include "iree/operation/fusion.h"
#include "iree/tuning_spec/tuning_spec.h"

/* ---- The operations that IREE has matchers for: tuning_spec_kind.c ---- */

enum { HONE__SPEC_ROLES = 8, HONE__SPEC_TYPES = 8, HONE__SPEC_SIZES = 8 };

struct hone__iree_spec_kind {
  const char *what; /* transform.iree.match.WHAT */
  enum hone__iree_op_kind kind;
  bool is_online;
  const char *roles[HONE__SPEC_ROLES + 1]; /* its results, in their order; ended by NULL */
  const char *types[HONE__SPEC_TYPES + 1]; /* keys, one per operand; "": no condition */
};
const struct hone__iree_spec_kind *hone__iree_spec_kind(const char *what); /* NULL: there is none */
const struct hone__iree_spec_kind *
hone__iree_spec_kind_of(const struct hone__iree_operation *operation);
/* Sizes of the dims that have this role; false: it has more than fit. */
bool hone__iree_spec_role_sizes(const struct hone__iree_operation *operation, const char *role,
                                struct hone__iree_spec_dims *out_dims);

/* Names of #iree_gpu.pipeline<...> and #iree_cpu.pipeline<...>; ended by NULL. */
extern const char *const hone__spec_gpu_pipelines[], *const hone__spec_cpu_pipelines[];

/* Lines that bind %operand_N and, unless it is NULL, require its type. */
void hone__iree_tuning_spec_operand_type(unsigned operand, const char *type,
                                         struct hone__text *text);

/* tuning_spec_generic.c: lines that match an operation of HONE__IREE_GENERIC, without those that
 * are fused with it. */
void hone__iree_tuning_spec_single(const struct hone__iree_operation *operation,
                                   struct hone__text *text);

/* ---- Several operations of one dispatch: tuning_spec_fused.c ---- */

/* Lines that match all of them; %arg0 is the last. "$2" in them is the root's tile of loop 2. */
void hone__iree_tuning_spec_fused(const struct hone__iree_fusion *fusion, struct hone__text *text);

enum { HONE__SPEC_HANDLE = 16 };
struct hone__iree_spec_handles { /* the operations that a matcher's lines have */
  char names[HONE__IREE_MAX_FUSED][HONE__SPEC_HANDLE]; /* "%arg0"; the configured one is first */
  unsigned count;
};
void hone__iree_spec_handles(const char *matcher, struct hone__iree_spec_handles *out_handles);
/* The value that has the tiles of a handle; the first handle has none. */
void hone__iree_spec_handle_tiles(const char *handle, struct hone__text *text);
/* The lines with the tiles of a configuration. */
void hone__iree_spec_fill_tiles(const char *matcher, const char *compilation_info,
                                struct hone__text *text);

/* ---- Reading ---- */

struct hone__iree_spec_reader {
  struct hone__iree_tuning_spec *spec;
  size_t capacity;
  unsigned passes;
  bool keeps_older; /* for a compiler that has the words of before 3.12 */
  struct hone__text problems, carried;
};
void hone__iree_spec_problem(struct hone__iree_spec_reader *reader,
                             const struct hone__iree_spec_matcher *matcher, const char *format, ...)
    HONE__PRINTF(3, 4);
void hone__iree_spec_carried(struct hone__iree_spec_reader *reader,
                             const struct hone__iree_spec_matcher *matcher, const char *format, ...)
    HONE__PRINTF(3, 4);

/* The operation of this symbol ("name", "module::name") in a module; NULL. */
const struct hone__mlir_op *hone__iree_spec_symbol(const struct hone__mlir_op *module,
                                                   const char *symbol);

/* tuning_spec_lines.c: reads the conditions of a matcher's lines. */
enum { HONE__SPEC_PARAMS = 8 };
struct hone__iree_spec_body {
  const struct hone__mlir_op *pattern; /* an operation of the older form; or NULL */
  const struct hone__mlir_attr *params[HONE__SPEC_PARAMS]; /* as yielded; NULL: no constant */
  unsigned param_count;
};
void hone__iree_spec_read_lines(struct hone__iree_spec_reader *reader,
                                const struct hone__mlir_op *module,
                                struct hone__iree_spec_matcher *matcher,
                                struct hone__iree_spec_body *out_body);
/* Marks the matcher as having unknown conditions. */
void hone__iree_spec_give_up(struct hone__iree_spec_reader *reader,
                             struct hone__iree_spec_matcher *matcher,
                             const struct hone__mlir_op *op, const char *why);

/* The first attribute of this kind that has no key. */
const struct hone__mlir_attr *hone__iree_spec_bare(const struct hone__mlir_op *op,
                                                   enum hone__mlir_kind kind);

/* tuning_spec_pattern.c: translates a matcher of an older form. */
void hone__iree_spec_carry_pattern(struct hone__iree_spec_reader *reader,
                                   struct hone__iree_spec_matcher *matcher,
                                   const struct hone__mlir_op *pattern,
                                   struct hone__iree_operation *out_operation);
void hone__iree_spec_carry_attention(struct hone__iree_spec_reader *reader,
                                     struct hone__iree_spec_matcher *matcher,
                                     struct hone__iree_operation *operation);

/* tuning_spec_text.c: a part of the text with aliases resolved and names replaced. */
struct hone__iree_spec_rename {
  const char *from, *to; /* with their % or @ */
};
void hone__iree_spec_copy(const struct hone__mlir *mlir, struct hone__mlir_span span,
                          const struct hone__iree_spec_rename *renames, size_t rename_count,
                          struct hone__text *out);

/* tuning_spec_matcher.c: reads the conditions of a matcher and the annotations of its action. */
void hone__iree_spec_read_matcher(struct hone__iree_spec_reader *reader,
                                  const struct hone__mlir_op *module,
                                  struct hone__iree_spec_matcher *matcher);

/* tuning_spec_older.c: the configuration in the present syntax, in the arena; unchanged if it
 * already is. */
const char *hone__iree_spec_carry_configuration(struct hone__iree_spec_reader *reader,
                                                const struct hone__iree_spec_matcher *matcher,
                                                const struct hone__iree_operation *operation,
                                                const char *key, const char *text);

/* tuning_spec_match.c: dims that are open in `wanted` fit any. */
bool hone__iree_spec_type_fits(const struct hone__mlir_type *wanted,
                               const struct hone__mlir_type *real);

/* tuning_spec_keys.c: keys, pipelines and lists that IREE does not support, or ignores. */
void hone__iree_spec_check_configuration(struct hone__iree_spec_reader *reader,
                                         const struct hone__iree_spec_matcher *matcher);

#endif
