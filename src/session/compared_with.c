/* What a run compares answers with: the setup says what its runners get. */
#include "session/session.h"

/* `reference: baseline` is a word, all others are mappings. */
static bool has_reference(const struct hone__task *task)
{
  const struct hone__node *node = hone__task_setting(task, "reference");

  return node && node->kind == HONE__MAPPING;
}

enum hone__answers hone__session_answers(const struct hone__session *session)
{
  const struct hone__task *task = &session->problem.task;
  const json_t *check = json_object_get(session->problem.setup.head, "check");
  const json_t *reference = json_object_get(session->problem.setup.head, "reference");
  const char *kind = json_string_value(json_object_get(reference, "kind"));

  if (task->backend == &hone__backend_sim) return HONE__ANSWERS_RECORDED;
  if (!task->check || json_is_false(json_object_get(check, "enabled"))) return HONE__ANSWERS_NONE;
  if (json_array_size(json_object_get(check, "command"))) return HONE__ANSWERS_COMMAND;
  if (!kind || strcmp(kind, "none") == 0) return HONE__ANSWERS_NONE;
  return strcmp(kind, "object") != 0 || has_reference(task) ? HONE__ANSWERS_REFERENCE
                                                            : HONE__ANSWERS_BASELINE;
}
