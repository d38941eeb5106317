/* gpu_probe.h - asks a library of devices from a process of its own.
 *
 * Loading such a library starts threads, opens device files, and may crash or hang: it never
 * happens in the process that drives a run. The answer of a driver is remembered for the life of
 * this process. All of it may be called from any thread.
 */
#ifndef HONE_BACKEND_GPU_GPU_PROBE_H
#define HONE_BACKEND_GPU_GPU_PROBE_H

#include "backend/gpu/gpu_driver.h"

#include <jansson.h>

/* The facts of every device that `driver` lists, to be released. UNAVAILABLE: the library is not
 * here, or crashed, hung, or answered nonsense; then the list is empty. */
hone_status hone__gpu_probe(const struct hone__gpu_driver *driver,
                            struct hone__device_list *out_list);

/* What `ask` adds to a text, in a child with a deadline; nothing is remembered. `what`, such as
 * "the CUDA libraries", is for messages. */
typedef hone_status hone__gpu_question(const void *data, struct hone__text *out_text);
hone_status hone__gpu_query(const char *what, hone__gpu_question *ask, const void *data,
                            double timeout_s, struct hone__text *out_text);

#endif
