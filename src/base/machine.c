#include "base/machine.h"

#include <string.h>
#include <unistd.h>

void hone__cpus_allowed(struct hone__cpus *out_cpus)
{
  memset(out_cpus, 0, sizeof *out_cpus);
  if (sched_getaffinity(0, sizeof *out_cpus, out_cpus->sets) < 0)
    CPU_SET_S(0, sizeof *out_cpus, out_cpus->sets);
}

bool hone__cpus_has(const struct hone__cpus *cpus, long cpu)
{
  return cpu >= 0 && cpu < HONE__MOST_CPUS && CPU_ISSET_S((size_t)cpu, sizeof *cpus, cpus->sets);
}

void hone__cpus_print(const struct hone__cpus *cpus, struct hone__text *text)
{
  for (long i = 0; i < HONE__MOST_CPUS; i++)
    if (hone__cpus_has(cpus, i)) hone__text_addf(text, "%ld,", i);
}

size_t hone__cpu_count(void)
{
  struct hone__cpus cpus;

  hone__cpus_allowed(&cpus);
  return (size_t)CPU_COUNT_S(sizeof cpus, cpus.sets);
}

size_t hone__cpus_online(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);

  return count > 0 ? (size_t)count : 1;
}

size_t hone__memory_bytes(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

  return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
}

size_t hone__memory_half(size_t least)
{
  size_t half = hone__memory_bytes() / 2;

  return half > least ? half : least;
}
