/* device.h - the values of device.* in expressions. */
#ifndef HONE_SPACE_DEVICE_H
#define HONE_SPACE_DEVICE_H

#include "spec/value.h"

/* What the machine that Hone runs on says of itself; false where it does not know `name`
 * ("cores", without "device."). */
bool hone__host_value(const char *name, struct hone_value *out_value);
/* The known names, NULL-terminated, for suggestions. */
const char *const *hone__host_names(void);

#endif
