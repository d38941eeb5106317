/* sysconf(_SC_LEVEL3_CACHE_SIZE) asks the processor, which within a virtual machine often answers
 * for the whole host or for several caches together; the system's files say what one CPU sees. */
#include "base/cpu_cache.h"

#include "base/file.h"
#include "base/machine.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

char *hone__cpu_cache_line(const char *folder, long cpu, int index, const char *what)
{
  struct hone__text path = {0};
  char *text = NULL;
  size_t size;
  hone_status status;

  hone__text_addf(&path, "%s/cpu%ld/cache/index%d/%s", folder, cpu, index, what);
  status = hone__file_read(path.data, 1 << 16, &text, &size);
  hone__text_release(&path);
  hone_status_free(status);
  if (status) return NULL;
  text[strcspn(text, "\n")] = 0;
  return text;
}

static size_t parse_size(const char *text) /* "32768K" */
{
  char *end;
  size_t size = strtoul(text, &end, 10);

  return *end == 'K' ? size << 10 : *end == 'M' ? size << 20 : *end == 'G' ? size << 30 : size;
}

static size_t size_at(const char *folder, long cpu, int index, int wanted_level)
{
  char *level = hone__cpu_cache_line(folder, cpu, index, "level");
  char *type = hone__cpu_cache_line(folder, cpu, index, "type");
  char *size = hone__cpu_cache_line(folder, cpu, index, "size");
  bool wanted = size && (!type || strcmp(type, "Instruction") != 0) &&
                (!wanted_level || (level && atoi(level) == wanted_level));
  size_t bytes = wanted ? parse_size(size) : 0;

  free(level);
  free(type);
  free(size);
  return bytes;
}

size_t hone__cpu_cache_size(const char *folder, long cpu, int level)
{
  size_t largest = 0;

  for (int i = 0; i < HONE__MOST_CACHES; i++) {
    size_t bytes = size_at(folder, cpu, i, level);
    if (bytes > largest) largest = bytes;
  }
  return largest;
}

long hone__cpu_first(void)
{
  struct hone__cpus cpus;

  hone__cpus_allowed(&cpus);
  for (long cpu = 0; cpu < HONE__MOST_CPUS; cpu++)
    if (hone__cpus_has(&cpus, cpu)) return cpu;
  return 0;
}
