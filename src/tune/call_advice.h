/* call_advice.h - whether a kernel is called with the arguments that it takes. */
#ifndef HONE_TUNE_CALL_ADVICE_H
#define HONE_TUNE_CALL_ADVICE_H

#include "tune/tuning.h"

/* Warns of arguments of the spec that are not those of the kernel or the reference. */
void hone__tuning_warn_of_call(struct hone__tuning *tuning);

/* Adds lines for a failure of the reference, or else of the baseline: how it was called, and what
 * differs from its parameters. Nothing where no function is called. */
void hone__tuning_explain_call(const struct hone__tuning *tuning, bool is_reference,
                               struct hone__text *out);

#endif
