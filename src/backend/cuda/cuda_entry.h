/* cuda_entry.h - the name of a kernel in a cubin made by nvcc.
 *
 * nvcc compiles a small file that includes the source and instantiates a template of ours with the
 * entry's address: that instantiates the entry, whatever its parameters are, and the mangled name
 * of the template contains the entry's.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_ENTRY_H
#define HONE_BACKEND_CUDA_CUDA_ENTRY_H

#include "base/text.h"

void hone__cuda_entry_source(const char *source, const char *entry, struct hone__text *out_text);

/* free(). NULL: there is no such kernel, or more than one is possible; `known` lists them. */
char *hone__cuda_entry_find(const void *cubin, size_t size, const char *entry,
                            struct hone__text *known);

#endif
