/* gpu_speed.h - how fast a device can be at most: bounds, never estimates. */
#ifndef HONE_BACKEND_GPU_GPU_SPEED_H
#define HONE_BACKEND_GPU_GPU_SPEED_H

#include "backend/gpu/gpu_driver.h"

/* In the helper: adds "fill_ns_per_byte", which is measured; nothing where that fails. */
void hone__gpu_measure_fill(struct hone__gpu *gpu, struct hone__named_list *facts);

/* In the runner: of these facts and "written_bytes" makes "fill_ns" and "peak_flops"; `kind` is the
 * device's. */
void hone__gpu_add_limits(const char *kind, struct hone__named_list *facts);

#endif
