/* tune.h - hone_tune for callers that have already solved the space, or that end it from another
 * thread.
 */
#ifndef HONE_TUNE_TUNE_H
#define HONE_TUNE_TUNE_H

#include "session/cases.h"

/* As hone_tune. `space` is the space of the spec with default options, and stays the caller's; no
 * constraint of the spec uses device values. The space is solved again if the options give sizes or
 * a device, or if there are several problems or shapes, or if `space` is NULL. */
hone_status hone__tune_solved(const struct hone_spec *spec, struct hone_space *space,
                              const struct hone_tune_options *options,
                              struct hone__session_result *out_result);

#endif
