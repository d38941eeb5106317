/* cuda_ptx.h - reads the kernels of a text in PTX, which the driver compiles when it is loaded.
 *
 * The text is not trusted, and need not end with a NUL.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_PTX_H
#define HONE_BACKEND_CUDA_CUDA_PTX_H

#include "backend/simt/simt_kind.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether it begins with `.version`, after comments. */
bool hone__ptx_is(const void *text, size_t size);
/* Calls `visit` with the names of all kernels, until it returns false. */
void hone__ptx_kernels(const void *text, size_t size, bool (*visit)(void *data, const char *name),
                       void *data);
/* The parameters of a kernel, free(); false: there is no such kernel, or it is not understood. */
bool hone__ptx_params(const void *text, size_t size, const char *name,
                      struct hone__simt_param **out_params, size_t *out_count);

#endif
