/* clang_facts.h - asks libclang about a source, in a process that may crash or hang.
 *
 * What there is of clang depends on the machine: NULL is an answer, and its callers have another
 * one (the text of the source, the debug information of an object).
 */
#ifndef HONE_BUILD_CLANG_FACTS_H
#define HONE_BUILD_CLANG_FACTS_H

#include "base/words.h"
#include "source/clang_reader.h"

enum hone__build_clang_language {
  HONE__CLANG_C,
  HONE__CLANG_CPLUSPLUS,
  HONE__CLANG_CUDA, /* also HIP; without its headers: types of a toolkit are unknown */
  HONE__CLANG_OPENCL
};

/* `flags` are those of the compiler that builds it: folders of headers, macros and the standard are
 * taken from them, all else is for code. `directory`: where that compiler runs. NULL: there is no
 * libclang (*out_available is then false), or it failed. */
struct hone__clang_facts *
hone__build_clang_ask(const char *source, enum hone__build_clang_language language,
                      const char *directory, const struct hone__words *flags, bool *out_available);
/* NULL is fine. */
void hone__build_clang_free(struct hone__clang_facts *facts);

#endif
