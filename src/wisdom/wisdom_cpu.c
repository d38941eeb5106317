/* The name of this machine's CPU, as hone writes it into wisdom files. */
#include "wisdom/wisdom_parts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void read_model(char *model, size_t size)
{
  FILE *file = fopen("/proc/cpuinfo", "re");
  char line[256] = "";
  const char *found = NULL;

  while (file && !found && fgets(line, sizeof line, file))
    if (strncmp(line, "model name", strlen("model name")) == 0) found = strchr(line, ':');
  if (file) fclose(file);
  line[strcspn(line, "\n")] = 0;
  snprintf(model, size, "%s", found ? found + 1 + (found[1] == ' ') : "unknown");
}

size_t hone_wisdom_cpu_family(char *buffer, size_t size)
{
  char model[256];

  read_model(model, sizeof model);
  return (size_t)snprintf(buffer, size, "%s", model);
}

size_t hone_wisdom_cpu(char *buffer, size_t size)
{
  char model[256];
  long count = sysconf(_SC_NPROCESSORS_ONLN);

  read_model(model, sizeof model);
  if (count < 1) count = 1;
  return (size_t)snprintf(buffer, size, "%s, %ld CPU%s", model, count, count == 1 ? "" : "s");
}
