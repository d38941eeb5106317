/* knob_use.h - whether a parameter can change anything: found by reading, before anything is built.
 *
 * A parameter is used if the source, a file that it includes from the project, or a file that a
 * command of the spec may read has its macro, if a setting names it (commands, flags, launch,
 * arguments, entry, metrics), or if a derived value that is used does. Where that cannot be told it
 * counts as used.
 */
#ifndef HONE_BACKEND_KNOB_USE_H
#define HONE_BACKEND_KNOB_USE_H

#include "backend/task.h"

/* Calls `visit` for each parameter with several values that is used nowhere, in the order of the
 * spec. */
typedef void hone__unused_visit(void *data, const struct hone__param *param);
void hone__unused_params(const struct hone__task *task, hone__unused_visit *visit, void *data);

#endif
