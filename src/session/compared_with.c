/* What a run compares answers with, from the setup of its runners. */
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
  const struct hone__wire_setup_check *check = session->problem.head.check;
  const struct hone__wire_setup_reference *reference = session->problem.head.reference;
  const char *kind = reference ? reference->kind : "none";

  if (task->backend == &hone__backend_sim) return HONE__ANSWERS_RECORDED;
  if (!task->check || (check && !check->enabled)) return HONE__ANSWERS_NONE;
  if (check && check->by_program) return HONE__ANSWERS_PROGRAM;
  if (check && check->command_count) return HONE__ANSWERS_COMMAND;
  if (check && check->entry) return HONE__ANSWERS_FUNCTION;
  if (strcmp(kind, "none") == 0) return HONE__ANSWERS_NONE;
  return strcmp(kind, "object") != 0 || has_reference(task) ? HONE__ANSWERS_REFERENCE
                                                            : HONE__ANSWERS_BASELINE;
}
