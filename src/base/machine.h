/* machine.h - the CPUs that this process may use, and the memory that the machine has. */
#ifndef HONE_BASE_MACHINE_H
#define HONE_BASE_MACHINE_H

#include "base/text.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

enum { HONE__MOST_CPUS = 8192 };

struct hone__cpus { /* a cpu_set_t alone ends at 1024 */
  cpu_set_t sets[HONE__MOST_CPUS / CPU_SETSIZE];
};
/* Those that this process may use; the first one where the system does not say. */
void hone__cpus_allowed(struct hone__cpus *out_cpus);
bool hone__cpus_has(const struct hone__cpus *cpus, long cpu);

/* Adds "0,1,5,". */
void hone__cpus_print(const struct hone__cpus *cpus, struct hone__text *text);

/* How many CPUs this process may use: 1 or more. */
size_t hone__cpu_count(void);
/* How many the machine has, of which this process may use some: what its load is to be compared
 * with. 1 or more. */
size_t hone__cpus_online(void);

/* 0 where the system does not say. */
size_t hone__memory_bytes(void);
/* Half of it, but not less than `least`: enough for a program, but not so much that the machine
 * fails. */
size_t hone__memory_half(size_t least);

#endif
