/* cuda_entry.h - the name that a kernel has in a cubin of nvcc's.
 *
 * nvcc compiles a small file that includes the source and makes a template of ours of the entry's
 * address: that instantiates the entry, whatever its parameters are, and the mark's own name tells
 * the entry's.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_ENTRY_H
#define HONE_BACKEND_CUDA_CUDA_ENTRY_H

#include "base/text.h"

void hone__cuda_entry_source(const char *source, const char *entry, struct hone__text *out_text);

/* free(). NULL: there is no such kernel, or more than one may be meant; `known` says which there
 * are. */
char *hone__cuda_entry_find(const void *cubin, size_t size, const char *entry,
                            struct hone__text *known);

#endif
