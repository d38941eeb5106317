/* device.h - the values of device.* in expressions.
 *
 * They are those that were given, then those of a model that was named, then those of the machine
 * that Hone runs on.
 */
#ifndef HONE_SPACE_DEVICE_H
#define HONE_SPACE_DEVICE_H

#include "base/memory.h"
#include "base/status.h"
#include "spec/value.h"

/* What the machine that Hone runs on says of itself; false where it does not know `name`
 * ("cores", without "device."). */
bool hone__space_host_value(const char *name, struct hone_value *out_value);
/* The known names, NULL-terminated, for suggestions. */
const char *const *hone__space_host_names(void);

struct hone__given_device { /* as --device gives it */
  const char *name;         /* a word without `=`, the first; or NULL */
  const char **names;
  struct hone_value *values;
  size_t count;
};
/* "A=1,B=2" or "sm_90,A=1"; a value in quotes may have commas. */
hone_status hone__space_device_read(struct hone__arena *arena, const char *text,
                                    struct hone__given_device *out_device);
/* Of the pairs, then of the model that `name` may be. */
bool hone__space_device_value(const struct hone__given_device *device, const char *name,
                              struct hone_value *out_value);

#endif
