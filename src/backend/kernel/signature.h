/* signature.h - compares the arguments of a spec with the parameters of its function.
 *
 * The source is read as text (prototype.h). If that leaves a type open, or the function returns a
 * value that counts, its compiler is asked: the baseline is compiled once more, with debug
 * information (debug_info.h). Where that is not possible, as for kernels of GPUs, libclang is
 * asked, if it is there and knows all types. Otherwise only the text is used, and what it leaves
 * open is not reported. */
#ifndef HONE_BACKEND_KERNEL_SIGNATURE_H
#define HONE_BACKEND_KERNEL_SIGNATURE_H

#include "backend/kernel/kernel_candidate.h"
#include "backend/kernel/kernel_setup.h"

/* Adds a line for each difference between the arguments of a setup and the parameters of the
 * candidate's kernels in its source: "argument 3 'n' is i64 in the spec and 'int n' in f.c:12".
 * Adds nothing if none is certain, or if the candidate is not a function. *out_arg is the number of
 * the setup's argument that the first line is about; SIZE_MAX: of none. */
void hone__signature_compare(const struct hone__kernel_setup *setup,
                             const struct hone__kernel_candidate *candidate, struct hone__text *out,
                             size_t *out_arg);

/* "f(f32 *x, i64 n)": how the spec calls it. Nothing if the candidate is not a function. */
void hone__signature_call(const struct hone__kernel_setup *setup,
                          const struct hone__kernel_candidate *candidate, struct hone__text *out);

/* That, of packed messages: the explain_call of backends. */
void hone__signature_explain(const struct hone__packed *setup, const struct hone__packed *candidate,
                             struct hone__text *out_call);

#endif
