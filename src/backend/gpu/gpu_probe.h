/* gpu_probe.h - queries a device library from a separate process.
 *
 * Loading such a library starts threads, opens device files, and may crash or hang: it never
 * happens in the process that drives a run. The answer of a driver is kept for the life of this
 * process. All functions are thread-safe.
 */
#ifndef HONE_BACKEND_GPU_GPU_PROBE_H
#define HONE_BACKEND_GPU_GPU_PROBE_H

#include "backend/gpu/gpu_driver.h"

/* The facts of every device that `driver` lists, to be released. UNAVAILABLE: the library is
 * missing, crashed, hung, or gave an invalid answer; then the list is empty. */
hone_status hone__gpu_probe(const struct hone__gpu_driver *driver,
                            struct hone__wire_device_list *out_list);

/* Asks in this process, unless it is known already: for a program that uses the library itself. A
 * library that was used before a fork does not work in the child. */
void hone__gpu_probe_here(const struct hone__gpu_driver *driver);

/* The text that `ask` adds, in a child with a deadline; nothing is kept. `what`, such as "the CUDA
 * libraries", is for messages. */
typedef hone_status hone__gpu_question(const void *data, struct hone__text *out_text);
hone_status hone__gpu_query(const char *what, hone__gpu_question *ask, const void *data,
                            double timeout_s, struct hone__text *out_text);

#endif
