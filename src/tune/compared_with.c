/* What a run compares answers with: the setup says what its runners get. */
#include "tune/tuning.h"

/* `reference: baseline` is a word, all others are mappings. */
static bool has_reference(const struct hone_task *task)
{
  const struct hone_node *node = hone__task_setting(task, "reference");

  return node && node->kind == HONE_MAPPING;
}

enum hone_answers hone__tuning_answers(const struct hone_tuning *tuning)
{
  const struct hone_task *task = &tuning->task;
  const json_t *check = json_object_get(tuning->setup.head, "check");
  const json_t *reference = json_object_get(tuning->setup.head, "reference");
  const char *kind = json_string_value(json_object_get(reference, "kind"));

  if (task->backend == &hone__backend_sim) return HONE_ANSWERS_RECORDED;
  if (!task->check || json_is_false(json_object_get(check, "enabled"))) return HONE_ANSWERS_NONE;
  if (json_array_size(json_object_get(check, "command"))) return HONE_ANSWERS_COMMAND;
  if (!kind || strcmp(kind, "none") == 0) return HONE_ANSWERS_NONE;
  return strcmp(kind, "object") != 0 || has_reference(task) ? HONE_ANSWERS_REFERENCE
                                                            : HONE_ANSWERS_BASELINE;
}
