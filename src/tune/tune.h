/* tune.h - hone_tune for those who have solved the space already. */
#ifndef HONE_TUNE_TUNE_H
#define HONE_TUNE_TUNE_H

#include "hone.h"

/* As hone_tune. `space` is that of the spec with default options, and stays the caller's; no
 * constraint of the spec asks for values of the device. It is solved anew where the options give
 * sizes or a device, or where there are several problems or shapes; NULL: it is solved here. */
hone_status hone__tune_solved(const struct hone_spec *spec, struct hone_space *space,
                              const struct hone_tune_options *options,
                              struct hone_tune_result *out_result);

#endif
