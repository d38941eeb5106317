/* tuning_spec.h - IREE's tuning specs (transform dialect): written, read, merged. */
#ifndef HONE_IREE_TUNING_SPEC_TUNING_SPEC_H
#define HONE_IREE_TUNING_SPEC_TUNING_SPEC_H

#include "iree/operation/operation.h"

/* ---- Writing ---- */

/* The lines of a matcher's body that match %arg0: has_no_lowering_config, kind, types, maps, sizes
 * as the operation has them. */
void hone__iree_tuning_spec_matcher(const struct hone__iree_operation *operation,
                                    struct hone__text *text);

struct hone__iree_tuning_entry { /* one matcher with its configuration */
  const char *name;              /* of the matcher, without "match_" */
  const char *matcher; /* lines that match %arg0, as hone__iree_tuning_spec_matcher makes them */
  const char *compilation_info;     /* NULL or "": none */
  const char *decomposition_config; /* likewise */
};
/* A whole module; names are made different from each other. The entry point is a default one unless
 * an entry needs HONE__TUNING_BATCH_PASS. No entries: the placeholder that changes nothing. */
void hone__iree_tuning_spec_print(const struct hone__iree_tuning_entry *entries, size_t count,
                                  struct hone__text *text);

/* Its parts, for what is put together otherwise. */
#define HONE__TUNING_MODULE                                                                        \
  "module attributes {iree_codegen.tuning_spec_with_default_entrypoint, "                          \
  "transform.with_named_sequence} {\n"
#define HONE__TUNING_MARKER "__tuning_spec_applied__" /* on operations that were configured */
/* On CPUs a convolution with batch 1 has no batch dim when specs are applied; this pass, which
 * follows them, adds it. A spec for the form with the dim runs the pass itself, before its
 * matchers. Its module cannot have a default entry point, which contains only matchers. */
#define HONE__TUNING_BATCH_PASS  "iree-codegen-insert-batch-dim-for-batchless-conv"
#define HONE__TUNING_PASS_MODULE "module attributes {transform.with_named_sequence} {\n"
/* True for a matcher of such a convolution, if the configuration is one of CPUs. */
bool hone__iree_tuning_entry_needs_batch(const struct hone__iree_tuning_entry *entry);
/* The entry point over `count` pairs of matcher and action, and the end of the module. */
void hone__iree_tuning_spec_entry_point(const char *const *pairs, size_t count, bool inserts_batch,
                                        struct hone__text *text);
void hone__iree_tuning_spec_placeholder(struct hone__text *text);
/* What an entry's action is called, and the sequences themselves. */
const char *hone__iree_tuning_entry_action(const struct hone__iree_tuning_entry *entry);
void hone__iree_tuning_spec_print_action(const struct hone__iree_tuning_entry *entry,
                                         const char *name, struct hone__text *text);
void hone__iree_tuning_spec_print_matcher(const struct hone__iree_tuning_entry *entry,
                                          const char *name, struct hone__text *text);
/* The string with '_' for what a symbol cannot have. free(). */
char *hone__iree_tuning_spec_symbol(const char *wanted);

/* Runs iree-opt, if it exists, and reports its errors. */
hone_status hone__iree_tuning_spec_verify(const char *iree_dir, const struct hone__text *text,
                                          bool *out_is_checked);

/* ---- Reading ---- */

struct hone__iree_spec_dims { /* sizes that the dims of one role must have */
  const char *role; /* as matchers call it: "batch_dims", "m_dims", "filter_dims", "strides" */
  int64_t sizes[8]; /* -1: any */
  unsigned count;
};
struct hone__iree_spec_operand { /* what an operand must be */
  unsigned index;
  struct hone__mlir_type type; /* text NULL: any; dims of it -1: any */
  struct {
    int64_t multiple, low, high; /* 0: no condition */
  } dims[8];
};
struct hone__iree_spec_matcher { /* what one matcher of a file matches, and what is done then */
  const char *name, *action;     /* symbols */
  const struct hone__mlir_op *sequence, *action_sequence; /* NULL: missing */
  unsigned line;
  const struct hone__mlir_op *pairs; /* the foreach_match that it stands in, */
  unsigned pass;                     /* and which of the file's that is */
  bool spares_configured;            /* has_no_lowering_config */
  bool is_understood;                /* the following fields are all of its conditions */
  const char *why_not;
  const char *what; /* "contraction", "convolution", "attention", "online_attention"; NULL: any */
  const char *op_names[4]; /* of match.operation_name */
  unsigned op_name_count;
  const char *types[8]; /* element types, as those of the operation; NULL: any */
  unsigned type_count;
  struct hone__affine_map *maps;
  unsigned map_count; /* 0: any */
  struct hone__iree_spec_dims dims[8];
  unsigned dim_count;
  struct hone__iree_spec_operand operands[8];
  unsigned operand_count;
  unsigned loop_count;                                  /* 0: not known */
  const char *compilation_info, *decomposition_config;  /* NULL: not annotated */
  struct hone__mlir_span info_span, decomposition_span; /* where these stand in the file */
  bool is_carried;    /* it was written in older words: the configuration is new, or */
  bool has_new_lines; /* `lines` are new too */
  const char *lines;  /* its body without the configuration, matching %arg0, for printing it again;
                         may include other sequences of the file unless they are new */
};
struct hone__iree_tuning_spec {
  struct hone__mlir mlir;
  struct hone__iree_spec_matcher *matchers; /* the first that matches counts */
  size_t matcher_count;
  bool inserts_batch; /* its entry point runs HONE__TUNING_BATCH_PASS before the matchers */
  const char *pass;   /* another pass that it runs; NULL: none */
  unsigned pass_line;
  char *problems; /* what IREE would ignore or refuse, a line each; "" */
  char *carried;  /* what was translated from older words, a line each; "" */
};
/* Older forms (cast_compatible_dag_from_root, LLVMGPUVectorDistribute, prefetch_shared_memory, ...)
 * are translated to the present form; forms without a counterpart are listed in `problems`. */
hone_status hone__iree_tuning_spec_read(const char *path, struct hone__iree_tuning_spec *out_spec);
/* The same; `keeps_older`: what is right for IREE before 3.12 (older_words.h) stays as it is. */
hone_status hone__iree_tuning_spec_read_as(const char *path, bool keeps_older,
                                           struct hone__iree_tuning_spec *out_spec);
hone_status hone__iree_tuning_spec_parse(const char *path, const char *text, size_t size,
                                         struct hone__iree_tuning_spec *out_spec);
void hone__iree_tuning_spec_release(struct hone__iree_tuning_spec *spec);

/* True if the matcher would match this operation; `why` (may be NULL) names the differences. */
bool hone__iree_spec_matcher_hits(const struct hone__iree_spec_matcher *matcher,
                                  const struct hone__iree_operation *operation,
                                  struct hone__text *why);
/* True if an operation can exist that both match, as far as they are understood. */
bool hone__iree_spec_matchers_overlap(const struct hone__iree_spec_matcher *a,
                                      const struct hone__iree_spec_matcher *b);
/* True if `first` matches whatever `second` matches. */
bool hone__iree_spec_matcher_covers(const struct hone__iree_spec_matcher *first,
                                    const struct hone__iree_spec_matcher *second);
/* The number of differences between its conditions and the operation; 0: it matches. */
unsigned hone__iree_spec_matcher_distance(const struct hone__iree_spec_matcher *matcher,
                                          const struct hone__iree_operation *operation);
/* "contraction f16xf16->f32 m=1024 n=1280 k=1280" */
void hone__iree_spec_matcher_words(const struct hone__iree_spec_matcher *matcher,
                                   struct hone__text *text);

#endif
