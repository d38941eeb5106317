/* signature.h - the arguments of a spec beside the parameters of the function that gets them.
 *
 * The source is read as text (prototype.h): what is said here is advice, never a reason to refuse.
 */
#ifndef HONE_BACKEND_KERNEL_SIGNATURE_H
#define HONE_BACKEND_KERNEL_SIGNATURE_H

#include "backend/kernel/kernel_candidate.h"
#include "backend/kernel/kernel_setup.h"

/* Adds a line for each difference between the arguments of a setup and the parameters of the
 * candidate's entry in its source: "argument 3 'n' is i64 in the spec and 'int n' in f.c:12".
 * Nothing where none is certain, or the candidate is no function. */
void hone__signature_compare(const struct hone__kernel_setup *setup,
                             const struct hone__kernel_candidate *candidate,
                             struct hone__text *out);

/* "f(f32 *x, i64 n)": how the spec calls it. Nothing if the candidate is no function. */
void hone__signature_call(const struct hone__kernel_setup *setup,
                          const struct hone__kernel_candidate *candidate, struct hone__text *out);

/* Both, of packed messages: the explain_call of backends. */
void hone__signature_explain(const struct hone__packed *setup, const struct hone__packed *candidate,
                             struct hone__text *out_call, struct hone__text *out_differences);

#endif
