/* Starts the supervisor or the runner, by role. */
#include "worker/worker.h"

#include "base/allocators.h"
#include "hone_machine.h"

#include <string.h>

enum { WRONG_CALL = 2 };

int hone_worker_main(const char *role, const char *device, bool runner)
{
  hone__allocators_install();
  if (!role || (strcmp(role, "build") != 0 && strcmp(role, "run") != 0)) return WRONG_CALL;
  if (!device) device = "";
  return runner ? hone__runner_main(role, device) : hone__supervisor_main(role, device);
}
