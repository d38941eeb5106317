/* A function that is called with wrong arguments may crash, or be fast because it does something
 * else. Its source declares the parameters; if the source leaves them open, for example by a macro,
 * nothing is compared. */
#include "backend/kernel/describer.h"
#include "backend/kernel/signature.h"

/* The argument that differs; else the list of all, or the file that has the function. */
static const struct hone__node *place_of(const struct hone__describer *d, size_t arg,
                                         const struct hone__node *file)
{
  const struct hone__node *args = hone__task_setting(d->task, "args");

  if (file) return file;
  return args && arg < args->count ? args->items[arg] : args;
}

static hone_status compare(const struct hone__describer *d,
                           const struct hone__kernel_candidate *candidate,
                           const struct hone__node *file)
{
  struct hone__text text = {0};
  hone_status status = NULL;
  size_t arg;

  hone__signature_compare(&d->setup, candidate, &text, &arg);
  if (text.length)
    status = hone__backend_spec_error(d->task->spec, place_of(d, arg, file), "%s", text.data);
  hone__text_release(&text);
  return status;
}

static bool names_symbol(const struct hone__describer *d, const struct hone__kernel_stage *stage)
{
  for (size_t i = 0; i < stage->args_count; i++)
    if (d->setup.args[stage->args[i]].symbol) return true;
  return false;
}

/* A function on the host is a kernel in C with the arguments of its stage. */
static hone_status check_step(struct hone__describer *d, const struct hone__kernel_stage *stage)
{
  struct hone__kernel_candidate candidate;
  const struct hone__node *file = NULL;
  hone_status status;

  for (size_t i = 0; i < d->setup.steps_count && !file; i++)
    if (strcmp(d->step_files[i]->text, stage->host) == 0) file = d->step_files[i];
  status = hone__kernel_reference(d->task, file, stage->entry, NULL, &hone__kernel_kind_c,
                                  &d->arena, &candidate);
  candidate.args = stage->args;
  candidate.args_count = stage->args_count;
  candidate.takes_symbols = names_symbol(d, stage);
  return status ? status : compare(d, &candidate, file);
}

static hone_status check_kernel(struct hone__describer *d)
{
  struct hone__kernel_candidate candidate;
  hone_status status =
      hone__kernel_configuration(d->task, d->task->baseline, d->kind, &d->arena, &candidate);

  if (!status) status = compare(d, &candidate, NULL);
  for (size_t i = 0; !status && i < candidate.stages_count; i++)
    if (candidate.stages[i].host) status = check_step(d, &candidate.stages[i]);
  return status;
}

static hone_status check_reference(struct hone__describer *d)
{
  const struct hone__node *node = hone__task_setting(d->task, "reference");
  const struct hone__node *file =
      node && node->kind == HONE__MAPPING ? hone__node_get(node, "file") : NULL;
  struct hone__kernel_candidate candidate;
  hone_status status;

  if (!file || !d->reference) return NULL;
  status = hone__unpack(d->reference, &hone__kernel_candidate_type, &d->arena, &candidate);
  return status ? status : compare(d, &candidate, file);
}

hone_status hone__kernel_check_call(struct hone__describer *d)
{
  hone_status status = check_kernel(d);

  return status ? status : check_reference(d);
}
