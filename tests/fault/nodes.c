/* Candidates that leave a trace of where they ran: $NODE, or the node that Slurm names. Those from
 * 9 on do not end before what $EVENTS/9 says has happened: all of them, so that work is left for a
 * node that comes back, whoever had which of them before. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void event(const char *name, char *path)
{
  snprintf(path, 4096, "%s/%s", getenv("EVENTS"), name);
}
static void leave_trace(void)
{
  const char *node = getenv("NODE");
  char name[64], path[4096];

  snprintf(name, sizeof name, "%s.ran", node ? node : getenv("SLURMD_NODENAME"));
  event(name, path);
  close(open(path, O_CREAT | O_WRONLY, 0600));
}
static void wait_for_event(void)
{
  char name[64] = "", path[4096];
  FILE *file;
  event("9", path);
  file = fopen(path, "r");
  if (!file) return;
  if (fscanf(file, "%63s", name) != 1) abort();
  fclose(file);
  event(name, path);
  while (access(path, F_OK) != 0)
    usleep(10000);
}
void kernel(const float *x, float *y, int n)
{
  if (KNOB >= 5) leave_trace();
  if (KNOB >= 9) wait_for_event();
  for (int i = 0; i < n; i++)
    y[i] = x[i] + 1;
}
const int nodes_knob = KNOB;
