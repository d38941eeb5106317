/* cpu.h - the CPUs that candidates run on, and what can be known of them.
 *
 * What a machine does not tell is "unavailable" in the facts, never an error.
 */
#ifndef HONE_BACKEND_CPU_H
#define HONE_BACKEND_CPU_H

#include "base/status.h"
#include "wire/device_facts.h"

/* Pins this process, and with it all later children, to the CPUs of "c:0", "c:0-1" or "c:0+2",
 * whatever stands before the colon; "c" leaves it as it is. UNAVAILABLE names the CPUs that there
 * are. */
hone_status hone__cpu_pin(const char *device);

/* Name and fingerprint; "cpus", "caches", "governor", "boost", "clocksource" and "load" are among
 * the other ones. All of it lies in the arena. */
void hone__cpu_facts(struct hone__arena *arena, struct hone__device_facts *out_facts);
/* The same, into a message of facts. */
void hone__cpu_add_facts(struct hone__packed *facts);

/* Of the largest cache that the first CPU of this process sees; a guess if the machine is silent.
 */
size_t hone__cpu_cache_bytes(void);

#endif
