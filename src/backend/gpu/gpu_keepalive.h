/* gpu_keepalive.h - keeps a device library initialised from the probe to the first use.
 *
 * The first process that initialises NVIDIA's driver waits 0.1 s for it on an H200, and twice as
 * long beside compilers; while another one has done so, 0.01 s. The probe ends before a runner
 * opens a device, and every helper of the runner does at times. So a process of its own initialises
 * the library and does nothing else. No process waits for it, so it may hang or crash. */
#ifndef HONE_BACKEND_GPU_GPU_KEEPALIVE_H
#define HONE_BACKEND_GPU_GPU_KEEPALIVE_H

#include "backend/gpu/gpu_driver.h"

/* Once in a process. The other one ends with it, at the latest after ten seconds. */
void hone__gpu_keep_alive(const struct hone__gpu_driver *driver);

#endif
