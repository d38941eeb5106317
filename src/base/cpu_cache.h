/* cpu_cache.h - the caches of a CPU, as the system's files describe them. */
#ifndef HONE_BASE_CPU_CACHE_H
#define HONE_BASE_CPU_CACHE_H

#include <stddef.h>

#define HONE__CPU_FOLDER "/sys/devices/system/cpu"
enum { HONE__MOST_CACHES = 16 }; /* index0, index1, ... of one CPU */

/* The first line of FOLDER/cpuCPU/cache/indexINDEX/WHAT, or NULL; the caller frees it. */
char *hone__cpu_cache_line(const char *folder, long cpu, int index, const char *what);

/* The bytes of the data or unified cache of this level that the CPU sees: one cache, however many
 * of its kind the machine has. 0 where the system does not say. Level 0: the largest of all. */
size_t hone__cpu_cache_size(const char *folder, long cpu, int level);

/* The first CPU that this process may use. */
long hone__cpu_first(void);

#endif
