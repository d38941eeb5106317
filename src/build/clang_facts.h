/* clang_facts.h - asks libclang about a source, in a process that may crash or hang.
 *
 * A machine may have no libclang: callers handle NULL, and use another source instead (the text, or
 * the debug information of an object). */
#ifndef HONE_BUILD_CLANG_FACTS_H
#define HONE_BUILD_CLANG_FACTS_H

#include "base/words.h"
#include "source/clang_reader.h"

enum hone__build_clang_language {
  HONE__BUILD_CLANG_C,
  HONE__BUILD_CLANG_CPLUSPLUS,
  HONE__BUILD_CLANG_CUDA, /* also HIP; without its headers: types of a toolkit are unknown */
  HONE__BUILD_CLANG_OPENCL
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
