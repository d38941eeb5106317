/* Variables of the environment that a candidate is called in: `env: {OMP_NUM_THREADS:
 * "{THREADS}"}`. They are part of its call, not of its build. */
#include "backend/kernel/kernel_values.h"

#include "backend/command_template.h"
#include "backend/definition.h"

#include <stdlib.h>

/* Numbers and booleans stand as they are written. */
static hone_status expand(const struct hone__task *task, const uint32_t *row,
                          const struct hone__node *node, struct hone__words *out_words)
{
  static const struct hone__placeholder no_places[1];
  static const struct hone__placeholder_list no_lists[1];
  const struct hone__command_template template = {.task = task,
                                                  .row = row,
                                                  .node = node,
                                                  .spelling = HONE__TRUE_IS_1,
                                                  .places = no_places,
                                                  .lists = no_lists};
  const char *const words[] = {node->text, NULL};

  return hone__command_expand(&template, words, out_words);
}

hone_status hone__kernel_env(const struct hone__task *task, const uint32_t *row,
                             struct hone__arena *arena, struct hone__kernel_candidate *candidate)
{
  const struct hone__node *env = hone__task_setting(task, "env");
  struct hone__name_value *pairs;
  hone_status status = NULL;

  if (!env || !env->count) return NULL;
  pairs = hone__arena_alloc(arena, env->count * sizeof *pairs);
  for (size_t i = 0; i < env->count && !status; i++) {
    struct hone__words words = {0};
    status = expand(task, row, env->pairs[i].value, &words);
    pairs[i].name = hone__arena_strdup(arena, env->pairs[i].key->text);
    pairs[i].value = hone__arena_strdup(arena, words.count ? words.data[0] : "");
    hone__words_release(&words);
  }
  candidate->env = pairs;
  candidate->env_count = env->count;
  return status;
}
