/* Inputs that a user's program writes: `supply.command` runs once for each problem, on the host of
 * the driver, and leaves NAME.npy in {dir} for the inputs that it makes. They are sent like other
 * files. */
#include "backend/kernel/describer.h"

#include "backend/command_template.h"
#include "backend/setting.h"
#include "base/folder.h"
#include "proc/child.h"

#include <stdlib.h>
#include <unistd.h>

static const double supply_timeout_s = 600;

static hone_status check_end(const struct hone__describer *d, const struct hone__node *node,
                             const struct hone__child_result *end)
{
  struct hone__text why = {0};
  hone_status status = NULL;

  if (hone__child_failed(end, &why))
    status = hone__backend_spec_error(d->task->spec, node, "'supply.command' failed: %s", why.data);
  hone__text_release(&why);
  return status;
}

static hone_status run(const struct hone__describer *d, const struct hone__node *node,
                       const struct hone__words *words)
{
  struct hone__text variable = {0};
  struct hone__child_result end = {0};
  hone_status status;

  hone__text_addf(&variable, "HONE_OUTPUT_DIR=%s", d->supplied);
  hone__child_run(
      &(struct hone__child_options){.argv = (const char *const *)words->data,
                                    .directory = d->task->folder,
                                    .timeout_s = supply_timeout_s,
                                    .grace_s = 1,
                                    .variables = (const char *const[]){variable.data, NULL}},
      &end);
  status = check_end(d, node, &end);
  hone__child_result_release(&end);
  hone__text_release(&variable);
  return status;
}

hone_status hone__describer_supply(struct hone__describer *d)
{
  const struct hone__node *node = hone__task_setting(d->task, "supply.command");
  struct hone__words given = {0}, words = {0};
  hone_status status;

  if (!node) return NULL;
  status = hone__folder_make(NULL, &d->supplied);
  if (!status) status = hone__setting_words(d->task, node, &given);
  if (!status)
    status = hone__command_expand(
        &(struct hone__command_template){
            .task = d->task,
            .node = node,
            .spelling = HONE__TRUE_IS_1,
            .places = (const struct hone__placeholder[]){{"dir", d->supplied}, {NULL, NULL}},
            .lists = (const struct hone__placeholder_list[]){{NULL, NULL}}},
        (const char *const *)given.data, &words);
  if (!status) status = run(d, node, &words);
  hone__words_release(&given);
  hone__words_release(&words);
  return status;
}

const char *hone__describer_supplied(struct hone__describer *d, const char *name)
{
  const char *path =
      d->supplied ? hone__arena_printf(&d->arena, "%s/%s.npy", d->supplied, name) : NULL;

  return path && access(path, F_OK) == 0 ? path : NULL;
}

void hone__describer_supply_release(struct hone__describer *d)
{
  if (d->supplied) hone__folder_remove(d->supplied);
  free(d->supplied);
  d->supplied = NULL;
}
