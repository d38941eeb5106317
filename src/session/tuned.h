/* tuned.h - what a call has tuned, as the caller gets it. */
#ifndef HONE_SESSION_TUNED_H
#define HONE_SESSION_TUNED_H

#include "session/cases.h"

/* Reads the runs of the result from the store of the options. Takes over the result and the
 * status, which it returns if there is one: what other problems have given is there also then. */
hone_status hone__session_tuned_make(const struct hone_tune_options *options,
                                     struct hone__session_result *result, hone_status status,
                                     struct hone_tuning **out_tuning);

#endif
