/* cpu.h - the CPUs that candidates run on, and their facts.
 *
 * Facts that a machine does not report are "unavailable", never an error.
 */
#ifndef HONE_BACKEND_CPU_H
#define HONE_BACKEND_CPU_H

#include "base/status.h"
#include "wire/device_facts.h"

/* Pins this process, and its later children, to the CPUs of "c:0", "c:0-1" or "c:0+2", whatever
 * precedes the colon; "c" changes nothing. UNAVAILABLE lists the available CPUs. */
hone_status hone__backend_cpu_pin(const char *device);

/* Name and fingerprint; the other facts include "cpus", "caches", "governor", "boost",
 * "clocksource" and "load". All of it is allocated in the arena. */
void hone__backend_cpu_facts(struct hone__arena *arena, struct hone__wire_device_facts *out_facts);
/* The same, into a message of facts. */
void hone__backend_cpu_add_facts(struct hone__packed *facts);

/* The size of the largest cache of this process's first CPU; a guess if it is not known. */
size_t hone__backend_cpu_cache_bytes(void);

#endif
