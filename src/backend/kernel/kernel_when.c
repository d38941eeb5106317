/* `when`: what only some configurations have, an argument or a stage. */
#include "backend/kernel/kernel_values.h"

#include "backend/setting.h"

#include <stdlib.h>

hone_status hone__kernel_applies(const struct hone__task *task, const uint32_t *row,
                                 const struct hone__node *owner, bool *out_applies)
{
  const struct hone__node *when = hone__node_get(owner, "when");
  struct hone_value value;
  hone_status status;
  char *config;

  *out_applies = true;
  if (!when) return NULL;
  status = hone__task_evaluate(task, row, when, &value);
  if (status) return status;
  *out_applies = value.integer != 0;
  if (value.type == HONE_BOOL || value.type == HONE_INT) return NULL;
  config = hone__task_config(task, row);
  status = hone__backend_spec_error(task->spec, when, "'when' is neither true nor false%s%s",
                                    *config ? ", for " : "", config);
  free(config);
  return status;
}

static bool is_scratch(const struct hone__node *arg)
{
  const struct hone__node *role = hone__node_get(arg, "role");

  return role && strcmp(role->text, "scratch") == 0;
}

/* All configurations share one reference function: it gets the arguments that they all have, and no
 * memory for data between stages. */
static hone_status is_passed(const struct hone__kernel_origin *origin, const uint32_t *row,
                             const struct hone__node *arg, bool *out_is_passed)
{
  if (!origin->is_reference) return hone__kernel_applies(origin->task, row, arg, out_is_passed);
  *out_is_passed = !is_scratch(arg) && !hone__node_get(arg, "when");
  return NULL;
}

hone_status hone__kernel_choose_args(const struct hone__kernel_origin *origin, const uint32_t *row,
                                     struct hone__arena *arena,
                                     struct hone__kernel_candidate *candidate)
{
  const struct hone__node *args = hone__task_setting(origin->task, "args");
  size_t count = args ? args->count : 0, kept = 0;
  int64_t *numbers = hone__arena_alloc(arena, (count + 1) * sizeof *numbers);
  hone_status status = NULL;

  for (size_t i = 0; i < count && !status; i++) {
    bool is_kept;
    status = is_passed(origin, row, args->items[i], &is_kept);
    if (!status && is_kept) numbers[kept++] = (int64_t)i;
  }
  if (status || kept == count) return status;
  candidate->args = numbers;
  candidate->args_count = kept;
  return NULL;
}
