/* signature_clang.h - the parameters of a candidate's functions by libclang, for signature.c. */
#ifndef HONE_BACKEND_KERNEL_SIGNATURE_CLANG_H
#define HONE_BACKEND_KERNEL_SIGNATURE_CLANG_H

#include "backend/kernel/kernel_candidate.h"
#include "build/clang_facts.h"

struct hone__signature_clang { /* { 0 }: not asked yet */
  struct hone__clang_facts *facts;
  bool was_asked;
};

/* The only function of this name. False: it is not certain what its parameters are, since clang
 * does not know a type, a header is missing, or there are several. `out_prototype` is valid until
 * the release. */
bool hone__signature_clang_find(struct hone__signature_clang *clang,
                                const struct hone__kernel_candidate *candidate,
                                const char *directory, const char *name,
                                struct hone__prototype *out_prototype);
void hone__signature_clang_release(struct hone__signature_clang *clang);

#endif
