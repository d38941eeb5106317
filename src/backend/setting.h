/* setting.h - settings of a spec as commands need them: words, flags, paths, seconds. */
#ifndef HONE_BACKEND_SETTING_H
#define HONE_BACKEND_SETTING_H

#include "backend/task.h"

#include <jansson.h>

/* Words of a setting: a text is split, a list is taken as it is. NULL if the node is NULL. */
hone_status hone__setting_words(const struct hone__task *task, const struct hone__node *node,
                                json_t **out_words);

/* Adds the words of a list of flags, in which {NAME} is the value of a parameter, derived value or
 * size. A flag that is nothing but {NAME} may become several, or none. */
hone_status hone__setting_flags(const struct hone__task *task, const uint32_t *row,
                                const struct hone__node *node, json_t *flags);

/* A path relative to the spec's folder; free(). */
char *hone__setting_path(const struct hone__task *task, const char *path);

/* Those of a list of paths; empty if the node is NULL. */
json_t *hone__setting_paths(const struct hone__task *task, const struct hone__node *node);

/* Of a time-out. */
double hone__setting_seconds(const struct hone__task *task, const char *path, double fallback);

#endif
