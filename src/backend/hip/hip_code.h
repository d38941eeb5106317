/* hip_code.h - reads the properties of a kernel from a code object.
 *
 * A code object is a 64-bit ELF file; its metadata are a note in MessagePack. It is not trusted:
 * every offset is checked, and a file that is truncated, or of another kind, has no kernels.
 */
#ifndef HONE_BACKEND_HIP_HIP_CODE_H
#define HONE_BACKEND_HIP_HIP_CODE_H

#include "backend/simt/simt_kind.h"

enum { HONE__HIP_MOST_PARAMS = 256, HONE__HIP_ARCH_SIZE = 32 };

/* name, key of the metadata */
#define HONE__HIP_FIGURES(X)                                                                       \
  X(vgprs, ".vgpr_count") /* of a thread; with AGPRs where they share a file */                    \
  X(agprs, ".agpr_count")                                                                          \
  X(sgprs, ".sgpr_count")                                                                          \
  X(vgpr_spills, ".vgpr_spill_count") /* registers */                                              \
  X(sgpr_spills, ".sgpr_spill_count")                                                              \
  X(shared_bytes, ".group_segment_fixed_size")                                                     \
  X(local_bytes, ".private_segment_fixed_size")                                                    \
  X(wave_size, ".wavefront_size")                                                                  \
  X(max_threads, ".max_flat_workgroup_size")

struct hone__hip_kernel {
#define HONE__HIP_FIGURE(name, key) int64_t name; /* -1: not known */
  HONE__HIP_FIGURES(HONE__HIP_FIGURE)
#undef HONE__HIP_FIGURE
  size_t param_count; /* without those that the compiler adds */
  struct hone__simt_param params[HONE__HIP_MOST_PARAMS];
};

/* False: not a code object, or no such kernel. */
bool hone__hip_code_kernel(const void *code, size_t size, const char *name,
                           struct hone__hip_kernel *out_kernel);
/* "gfx90a"; false: not known. */
bool hone__hip_code_arch(const void *code, size_t size, char out_arch[HONE__HIP_ARCH_SIZE]);
/* Calls `visit` with the names of all kernels, until it returns false. */
void hone__hip_code_kernels(const void *code, size_t size,
                            bool (*visit)(void *data, const char *name), void *data);

#endif
