/* tune.h - hone_tune for callers that have already solved the space, or that end it from another
 * thread.
 */
#ifndef HONE_TUNE_TUNE_H
#define HONE_TUNE_TUNE_H

#include "hone.h"

#include <stdatomic.h>

/* As hone_tune. `space` is the space of the spec with default options, and stays the caller's; no
 * constraint of the spec uses device values. The space is solved again if the options give sizes or
 * a device, or if there are several problems or shapes, or if `space` is NULL. */
hone_status hone__tune_solved(const struct hone_spec *spec, struct hone_space *space,
                              const struct hone_tune_options *options,
                              struct hone_tune_result *out_result);
/* As hone_tune; once `*cancel` is true it ends soon, with what is measured kept in the store: then
 * it is CANCELLED, or the result is `interrupted`. */
hone_status hone__tune_cancellable(const struct hone_spec *spec,
                                   const struct hone_tune_options *options,
                                   const atomic_bool *cancel, struct hone_tune_result *out_result);

#endif
