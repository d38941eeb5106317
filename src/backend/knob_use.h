/* knob_use.h - whether a parameter can have an effect: found by reading, before any build.
 *
 * A parameter is used if its macro occurs in the source, in a file that the source includes from
 * the project, or in a file that a command of the spec may read; if a setting names it (commands,
 * flags, launch, arguments, entry, metrics); or if a derived value that is used does. If this
 * cannot be determined it counts as used.
 */
#ifndef HONE_BACKEND_KNOB_USE_H
#define HONE_BACKEND_KNOB_USE_H

#include "backend/task.h"

/* Calls `visit` for each unused parameter with several values, in the order of the spec. */
typedef void hone__unused_visit(void *data, const struct hone__param *param);
void hone__unused_params(const struct hone__task *task, hone__unused_visit *visit, void *data);

#endif
