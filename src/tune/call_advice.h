/* call_advice.h - whether a kernel is called with the arguments that it expects. */
#ifndef HONE_TUNE_CALL_ADVICE_H
#define HONE_TUNE_CALL_ADVICE_H

#include "tune/tuning.h"

/* Warns about arguments in the spec that do not match those of the kernel or the reference. */
void hone__tuning_warn_of_call(struct hone__tuning *tuning);

/* Adds lines about a failure of the reference, or else of the baseline: how it was called, and how
 * that differs from its parameters. Adds nothing if no function is called. */
void hone__tuning_explain_call(const struct hone__tuning *tuning, bool is_reference,
                               struct hone__text *out);

#endif
