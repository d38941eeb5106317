/* What starts a seat's worker: PREFIX hone worker --role ROLE [--device DEVICE], and what a person
 * knows it by. */
#include "pool/seat.h"

#include "base/own_program.h"

#include <stdlib.h>
#include <unistd.h>

/* Those that wait until a machine is free. */
static bool is_queueing(const char *launcher)
{
  static const char *const names[] = {"srun", "salloc", "flux",  "qrsh",
                                      "qsub", "bsub",   "jsrun", "lsrun"};
  const char *slash = strrchr(launcher, '/');

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], slash ? slash + 1 : launcher) == 0) return true;
  return false;
}

static char *name_seat(const struct hone__seat *seat, const struct hone__seat_options *options)
{
  struct hone__text name = {0};

  hone__text_add(&name, "worker ");
  if (seat->remote) hone__text_addf(&name, "'%s'", options->prefix);
  if (options->device)
    hone__text_addf(&name, seat->remote ? " (%s)" : "'%s'", options->device);
  else if (!seat->remote)
    hone__text_addf(&name, "%zu", seat->index + 1);
  return hone__text_take(&name);
}

/* Behind a prefix the program is expected at the same place, unless the user knows better. */
static void add_program(struct hone__seat *seat, const char *program)
{
  const char *elsewhere = getenv("HONE_REMOTE_PROGRAM");
  char *own = NULL;

  if (seat->remote && elsewhere && *elsewhere) program = elsewhere;
  if (!program) program = own = hone__own_program();
  hone__words_add(&seat->command, program);
  free(own);
}

hone_status hone__seat_command(struct hone__seat *seat, const struct hone__seat_options *options,
                               const char *program, const char *role)
{
  hone_status status = hone__words_split(&seat->command, options->prefix ? options->prefix : "");

  if (status) return hone__annotate(status, "bad worker prefix");
  seat->remote = seat->command.count > 0;
  seat->queues = seat->remote && is_queueing(seat->command.data[0]);
  seat->name = name_seat(seat, options);
  add_program(seat, program);
  hone__words_add(&seat->command, "worker");
  hone__words_add(&seat->command, "--role");
  hone__words_add(&seat->command, role);
  if (options->device) hone__words_add(&seat->command, "--device");
  if (options->device) hone__words_add(&seat->command, options->device);
  return NULL;
}
