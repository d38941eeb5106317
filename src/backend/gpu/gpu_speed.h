/* gpu_speed.h - upper bounds of the speed of a device; never estimates. */
#ifndef HONE_BACKEND_GPU_GPU_SPEED_H
#define HONE_BACKEND_GPU_GPU_SPEED_H

#include "backend/gpu/gpu_driver.h"

/* In the helper: adds "fill_ns_per_byte", which is measured; nothing if that fails. */
void hone__gpu_measure_fill(struct hone__gpu *gpu, struct hone__named_list *facts);

/* In the runner: computes "fill_ns" and "peak_flops" from these facts and "written_bytes"; `kind`
 * is the device's. */
void hone__gpu_add_limits(const char *kind, struct hone__named_list *facts);

#endif
