/* compiler_words.h - the words of a candidate's compiler, flags, include folders and macros. */
#ifndef HONE_BACKEND_KERNEL_COMPILER_WORDS_H
#define HONE_BACKEND_KERNEL_COMPILER_WORDS_H

#include "backend/kernel/kernel_candidate.h"
#include "base/words.h"

void hone__kernel_add_compiler(struct hone__words *words,
                               const struct hone__kernel_candidate *candidate);
/* Those that name libraries, or the others. */
void hone__kernel_add_flags(struct hone__words *words,
                            const struct hone__kernel_candidate *candidate, bool libraries);
void hone__kernel_add_includes(struct hone__words *words,
                               const struct hone__kernel_candidate *candidate);
void hone__kernel_add_defines(struct hone__words *words,
                              const struct hone__kernel_candidate *candidate);

#endif
