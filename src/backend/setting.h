/* setting.h - settings of a spec in the form commands need: words, flags, paths, seconds. */
#ifndef HONE_BACKEND_SETTING_H
#define HONE_BACKEND_SETTING_H

#include "backend/task.h"
#include "base/words.h"

/* Adds the words of a setting: a text is split, a list is used as it is. `data` of an empty list
 * stays NULL only if the node is NULL. */
hone_status hone__setting_words(const struct hone__task *task, const struct hone__node *node,
                                struct hone__words *words);

/* Adds the words of a list of flags, in which {NAME} is the value of a parameter, derived value or
 * size. A flag that is only {NAME} may become several, or none. */
hone_status hone__setting_flags(const struct hone__task *task, const uint32_t *row,
                                const struct hone__node *node, struct hone__words *flags);

/* A path relative to the spec's folder; free(). */
char *hone__setting_path(const struct hone__task *task, const char *path);

/* Adds those of a list of paths; none if the node is NULL. */
void hone__setting_paths(const struct hone__task *task, const struct hone__node *node,
                         struct hone__words *paths);

/* The value of a time-out. */
double hone__setting_seconds(const struct hone__task *task, const char *path, double fallback);

#endif
