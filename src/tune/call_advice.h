/* call_advice.h - how a kernel that fails was called. */
#ifndef HONE_TUNE_CALL_ADVICE_H
#define HONE_TUNE_CALL_ADVICE_H

#include "tune/tuning.h"

/* Adds a line about a failure of the reference, or else of the baseline: how it was called. Adds
 * nothing if no function is called. */
void hone__tuning_explain_call(const struct hone__tuning *tuning, bool is_reference,
                               struct hone__text *out);

#endif
