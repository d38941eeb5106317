/* spec_settings.h - the settings of a spec besides its space: how its kernel is built, called and
 * checked.
 */
#ifndef HONE_SESSION_SPEC_SETTINGS_H
#define HONE_SESSION_SPEC_SETTINGS_H

#include "backend/task.h"

/* YAML: `problem` with the sizes of this one, and the keys that the spec has. Files have absolute
 * paths. "" if there is nothing; free(). */
char *hone__session_spec_settings(const struct hone__task *task);

#endif
