/* simt_entry.h - the name of a kernel in code made by nvcc or hipcc.
 *
 * The compiler compiles a small file that includes the source and instantiates a template of ours
 * with the entry's address: that instantiates the entry, whatever its parameters are, and the
 * mangled name of the template contains the entry's.
 */
#ifndef HONE_BACKEND_SIMT_SIMT_ENTRY_H
#define HONE_BACKEND_SIMT_SIMT_ENTRY_H

#include "base/text.h"

/* `entries`: a line each. */
void hone__simt_entry_source(const char *source, const char *entries, struct hone__text *out_text);
/* What goes after a source for a compiler that has no host code. */
void hone__simt_entry_mark(const char *entries, struct hone__text *out_text);

/* Calls `visit` with the names of all kernels in the code, until it returns false. */
typedef void hone__simt_kernels(const void *code, size_t size,
                                bool (*visit)(void *data, const char *name), void *data);

/* `number`: of this entry among them, from 0. free(). NULL: there is no such kernel, or more than
 * one is possible; `known` lists them. */
char *hone__simt_entry_find(hone__simt_kernels *kernels, const void *code, size_t size,
                            const char *entry, size_t number, struct hone__text *known);

#endif
