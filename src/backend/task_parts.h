/* task_parts.h - shared by the files of a task. */
#ifndef HONE_BACKEND_TASK_PARTS_H
#define HONE_BACKEND_TASK_PARTS_H

#include "backend/task.h"

/* task_config.c: in quotes where hone_space_parse needs them: it ends a value at a comma. */
void hone__task_add_value(struct hone__text *text, struct hone_value value);

/* task_baseline.c: these set task->baseline. */
hone_status hone__task_find_baseline(struct hone__task *task);
/* For a run that compares nothing with it: the spec's baseline if it is legal, else the first
 * configuration. */
hone_status hone__task_find_first(struct hone__task *task);
/* INVALID_ARGUMENT: it is not legal. */
hone_status hone__task_take_baseline(struct hone__task *task, const char *baseline);

#endif
