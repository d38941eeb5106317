/* device_model.h - public facts of common GPUs, so that a space can be looked at, and kernels can
 * be built, where no such GPU is.
 */
#ifndef HONE_SPACE_DEVICE_MODEL_H
#define HONE_SPACE_DEVICE_MODEL_H

#include "spec/value.h"

struct hone__device_model;

/* "sm_90", "sm_90a", "gfx942"; NULL: it is not known. */
const struct hone__device_model *hone__space_device_model_find(const char *name);
/* The i-th fact, or false: there are no more. Names as in gpu_driver.h. */
bool hone__space_device_model_fact(const struct hone__device_model *model, size_t i,
                                   const char **out_name, struct hone_value *out_value);
/* "sm_70, sm_75, ..." for messages. */
const char *hone__space_device_models(void);

#endif
