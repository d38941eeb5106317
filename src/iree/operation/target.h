/* target.h - what a GPU or CPU target has, read from `#hal.executable.target<...>` in a file. */
#ifndef HONE_IREE_OPERATION_TARGET_H
#define HONE_IREE_OPERATION_TARGET_H

#include "iree/mlir/mlir.h"

struct hone__mma_layout { /* of one operand in a subgroup: [rows, columns] */
  int outer[2], thread[2], strides[2], element[2];
};

struct hone__mma {  /* an intrinsic */
  const char *name; /* "MFMA_F32_16x16x16_F16" */
  int64_t m, n, k;
  const char *a, *b, *c; /* element types, in MLIR's words: "f16", "f8E4M3FNUZ", "i8", "f32" */
  bool is_virtual;       /* printed as #iree_gpu.virtual_mma_layout<...> */
  bool is_block;         /* ...x4B_...: never used; m, n, k are those of one block */
  bool has_layout;       /* the three below are known */
  struct hone__mma_layout lhs, rhs, acc;
};

enum hone__iree_family { HONE__IREE_CPU, HONE__IREE_AMD, HONE__IREE_NVIDIA, HONE__IREE_OTHER };

struct hone__iree_target {
  enum hone__iree_family family;
  const char *backend;   /* "llvm-cpu", "rocm", "cuda", "vulkan-spirv" */
  const char *arch;      /* "gfx942", "sm_80"; of a CPU its name */
  int64_t subgroup_size; /* the smallest choice */
  int64_t max_threads, shared_bytes, simds, processors; /* 0: not known */
  int64_t native_vector_bytes;                          /* of a CPU; 0: not known */
  struct hone__mma *mmas; /* real ones in the file's order, each followed by its virtual ones */
  size_t mma_count;
};

/* From the first executable target in the file; false: there is none, with a text in `why`.
 * Allocated in the arena of `mlir`. Virtual intrinsics are not printed in targets: they follow from
 * the real ones.
 */
bool hone__iree_target_read(struct hone__mlir *mlir, struct hone__iree_target *out_target,
                            struct hone__text *why);

/* Whether a product of these element types can use it; virtual ones never unless `attention`. */
bool hone__mma_fits(const struct hone__mma *mma, const char *lhs, const char *rhs, const char *out,
                    bool allow_virtual);

#endif
