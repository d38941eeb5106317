/* cuda_cubin.h - reads the properties of a kernel from a cubin.
 *
 * A cubin is a 64-bit ELF file. It is not trusted: every offset is checked, and a file that is
 * truncated, or of another kind, has no kernels.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_CUBIN_H
#define HONE_BACKEND_CUDA_CUDA_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone__cubin_param {
  uint32_t offset, size; /* in bytes */
};

enum { HONE__CUBIN_MOST_PARAMS = 1024 };

struct hone__cubin_kernel {
  uint32_t registers, stack_bytes, shared_bytes, const_bytes;
  bool has_registers, has_stack; /* the file has them */
  size_t param_count;
  struct hone__cubin_param params[HONE__CUBIN_MOST_PARAMS]; /* in order */
};

/* False: not a cubin, or no such kernel. */
bool hone__cubin_kernel(const void *cubin, size_t size, const char *name,
                        struct hone__cubin_kernel *out_kernel);
/* 90 for sm_90 and sm_90a; 0: not known. */
unsigned hone__cubin_capability(const void *cubin, size_t size);
/* Calls `visit` with the names of all kernels, until it returns false. They are NUL-terminated and
 * lie in the file. */
void hone__cubin_kernels(const void *cubin, size_t size,
                         bool (*visit)(void *data, const char *name), void *data);

#endif
