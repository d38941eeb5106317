/* gpu_knobs.h - shared by the generators for GPUs: the options, the intrinsics, parts of texts.
 *
 * Expressions are strings in the arena of one generation. A value that depends on the intrinsic is
 * a lookup by the knob that chooses it ("[16, 32][mma_idx]"), or a number if all intrinsics agree.
 */
#ifndef HONE_IREE_KNOBS_GPU_KNOBS_H
#define HONE_IREE_KNOBS_GPU_KNOBS_H

#include "iree/knobs/knob_writer.h"
#include "iree/knobs/knobs.h"

enum hone__iree_gpu_limits {
  HONE__IREE_GPU_LOOPS = 16,    /* dims of an operation */
  HONE__IREE_GPU_MMAS = 64,     /* intrinsics to choose from */
  HONE__IREE_GPU_TILE = 512,    /* largest tile of a workgroup along M, N or K */
  HONE__IREE_GPU_COUNT = 32,    /* most subgroups along a dim, most intrinsics of a subgroup */
  HONE__IREE_GPU_SUBGROUPS = 10 /* the most in a workgroup if no number is given */
};

enum hone__iree_gpu_pipeline { HONE__IREE_GPU_VECTOR_DISTRIBUTE, HONE__IREE_GPU_TILE_AND_FUSE };

struct hone__iree_gpu_knobs { /* one generation */
  const struct hone__iree_operation *operation;
  const struct hone__iree_target *target;
  enum hone__iree_gpu_pipeline pipeline;
  int64_t num_subgroups; /* 0: any up to `most_subgroups` */
  int64_t most_subgroups;
  bool with_igemm, with_direct;
  bool has_no_reduce;   /* the user gave a list for it */
  bool only_compilable; /* exclude configurations that the compiler is known to reject */
  struct hone__knob_options prefetch, no_reduce, waves, denorm, reorder;
  struct hone__knob_writer writer;
  struct hone__arena arena;
  struct hone__text *yaml, *why;
};

struct hone__iree_gpu_mmas {
  const struct hone__mma *list[HONE__IREE_GPU_MMAS];
  size_t count;
};

/* ---- Intrinsics ---- */

/* Those for these element types, the first of each shape. */
void hone__iree_gpu_mmas_find(const struct hone__iree_gpu_knobs *knobs, const char *lhs,
                              const char *rhs, const char *out, bool allow_virtual,
                              struct hone__iree_gpu_mmas *out_mmas);
bool hone__iree_gpu_mma_is_usable(const struct hone__iree_gpu_knobs *knobs,
                                  const struct hone__mma *mma);
/* A product on a target of NVIDIA that no intrinsic fits: threads compute it (simt_knobs.c). */
bool hone__iree_gpu_is_simt(const struct hone__iree_gpu_knobs *knobs);
/* "#iree_gpu.mma_layout<NAME>", with col_major if requested. */
const char *hone__iree_gpu_mma_attr(struct hone__iree_gpu_knobs *knobs, const struct hone__mma *mma,
                                    bool col_major);

/* ---- Expressions ---- */

/* A number, or a lookup by `index`. */
const char *hone__iree_gpu_lookup(struct hone__iree_gpu_knobs *knobs, const char *index,
                                  const int64_t *values, size_t count);
/* The same for texts: used in a text template, unchanged or as ${...}. */
const char *hone__iree_gpu_text_lookup(struct hone__iree_gpu_knobs *knobs, const char *index,
                                       const char *const *values, size_t count);
int64_t hone__iree_gpu_bits(const char *element); /* of "f16", "f8E4M3FNUZ", "i8"; 0: not known */

/* The knob `count` (of subgroups): its values. */
void hone__iree_gpu_count_param(struct hone__iree_gpu_knobs *knobs, const char *name);
/* Requires that a * b subgroups are an allowed number. */
void hone__iree_gpu_subgroups_constraint(struct hone__iree_gpu_knobs *knobs, const char *a,
                                         const char *b);

/* ---- Texts ---- */

/* "[1, ${wg_1}, 0]" of one part a loop. */
const char *hone__iree_gpu_list(struct hone__iree_gpu_knobs *knobs, const char *const *parts,
                                size_t count);

struct hone__iree_gpu_translation {
  const char *sizes;     /* of the workgroup: "${64 * sg_n_cnt}, ${sg_m_cnt}, 1" */
  const char *prefetch;  /* in place of the option; NULL */
  const char *use_igemm; /* "true", "false"; NULL: unset */
  bool has_denorm;       /* the option applies */
};
/* The knobs of pipeline options that have several values. */
void hone__iree_gpu_option_params(struct hone__iree_gpu_knobs *knobs,
                                  const struct hone__iree_gpu_translation *translation);
/* "#iree_codegen.compilation_info<...>" with `config` as its lowering_config's entries. */
const char *hone__iree_gpu_compilation_info(struct hone__iree_gpu_knobs *knobs, const char *config,
                                            const struct hone__iree_gpu_translation *translation);

/* ---- Products of matrices: contraction_knobs.c ---- */

struct hone__iree_gpu_product {
  const char *name; /* of the alternative */
  unsigned loop_count;
  struct hone__dim_list batch, m, n, k; /* the last is the innermost */
  struct hone__dim_list filter;         /* loops of a direct convolution that are not tiled */
  int64_t sizes[HONE__IREE_GPU_LOOPS];
  int64_t bounds[HONE__IREE_GPU_LOOPS]; /* before they were rounded up */
  bool is_grown;                        /* some were, for the sake of larger tiles */
  bool is_lhs_along_m;                  /* its last dim is M; else K */
  bool is_rhs_along_n;                  /* likewise */
  const char *lhs, *rhs, *out;          /* element types */
  const char *use_igemm;                /* as above */
  const struct hone__iree_igemm *igemm; /* of a convolution; NULL */
};

/* M and N are rounded up unless that would cost a transposed copy. */
void hone__iree_gpu_product_grow(struct hone__iree_gpu_product *product);
void hone__iree_gpu_product_knobs(struct hone__iree_gpu_knobs *knobs,
                                  const struct hone__iree_gpu_product *product);
void hone__iree_gpu_contraction_knobs(struct hone__iree_gpu_knobs *knobs);

/* ---- convolution_knobs.c ---- */

void hone__iree_gpu_convolution_knobs(struct hone__iree_gpu_knobs *knobs);
/* `padding_conv` of an igemm whose padding has these expressions, one a loop. False: it has none.
 * `*out_condition` is NULL where it always has it. */
bool hone__iree_gpu_padding_conv(struct hone__iree_gpu_knobs *knobs,
                                 const struct hone__iree_gpu_product *product,
                                 const char *const *padding, const char **out_list,
                                 const char **out_condition);

/* ---- attention_knobs.c ---- */

void hone__iree_gpu_attention_knobs(struct hone__iree_gpu_knobs *knobs);

#endif
