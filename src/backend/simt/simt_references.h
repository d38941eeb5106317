/* simt_references.h - texture and surface references, `texture<float, 2> t;`, for compilers that no
 * longer have them: CUDA 12 and later, and ROCm for surfaces. */
#ifndef HONE_BACKEND_SIMT_SIMT_REFERENCES_H
#define HONE_BACKEND_SIMT_SIMT_REFERENCES_H

#include "base/pairs.h"
#include "base/text.h"

/* Adds the words to put before a source that declares such references, or whose included files
 * (names of `files`) do. `prefix`: of the library's names, "cuda" or "hip". */
void hone__simt_references_add(const char *source, const struct hone__pairs *files,
                               const char *prefix, struct hone__text *out_words);

#endif
