/* The command that starts a slot's worker, PREFIX hone worker --role ROLE [--device DEVICE], and
 * the slot's name in messages.
 */
#include "pool/slot.h"

#include "pool/worker_program.h"

/* Launchers that wait until a machine is free; the last one is a script for pods. */
static bool is_queueing(const char *launcher)
{
  static const char *const names[] = {"srun", "salloc", "flux",  "qrsh",    "qsub",
                                      "bsub", "jsrun",  "lsrun", "hone-k8s"};
  const char *slash = strrchr(launcher, '/');

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], slash ? slash + 1 : launcher) == 0) return true;
  return false;
}

/* "env A=b srun ..." queues, too. */
static bool has_queueing(const struct hone__words *command)
{
  for (size_t i = 0; i < command->count; i++)
    if (is_queueing(command->data[i])) return true;
  return false;
}

static char *name_slot(const struct hone__slot *slot, const struct hone__slot_options *options)
{
  struct hone__text name = {0};

  hone__text_add(&name, "worker ");
  if (slot->remote) hone__text_addf(&name, "'%s'", options->name ? options->name : options->prefix);
  if (options->device)
    hone__text_addf(&name, slot->remote ? " (%s)" : "'%s'", options->device);
  else if (!slot->remote)
    hone__text_addf(&name, "%zu", slot->index + 1);
  return hone__text_take(&name);
}

hone_status hone__slot_command(struct hone__slot *slot, const struct hone__slot_options *options,
                               const char *program, const char *role)
{
  hone_status status = hone__words_split(&slot->command, options->prefix ? options->prefix : "");

  if (status) return hone__annotate(status, "bad worker prefix");
  slot->remote = slot->command.count > 0;
  slot->queues = has_queueing(&slot->command);
  slot->name = name_slot(slot, options);
  slot->program = hone__worker_program_add(&slot->command, program);
  hone__words_add(&slot->command, "worker");
  hone__words_add(&slot->command, "--role");
  hone__words_add(&slot->command, role);
  if (options->device) hone__words_add(&slot->command, "--device");
  if (options->device) hone__words_add(&slot->command, options->device);
  return NULL;
}
