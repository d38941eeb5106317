/* Little endian, so that the bytes of a small element are the first ones of its word. */
#include "backend/kernel/scalar.h"

#include "base/number.h"
#include "base/status.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The value of an integer element if it can hold it; its bits in *out_word. */
static bool integer_fits(enum hone__element element, bool negative, uint64_t magnitude,
                         uint64_t *out_word)
{
  const struct hone__element_info *info = hone__element_info(element);
  unsigned bits = 8 * (unsigned)info->size;
  bool is_signed = info->kind == HONE__KIND_SIGNED;
  uint64_t most = is_signed ? UINT64_MAX >> (65 - bits) : UINT64_MAX >> (64 - bits);

  if (info->kind == HONE__KIND_BOOL) most = 1;
  if (negative && magnitude) most = is_signed ? most + 1 : 0;
  *out_word = negative ? -magnitude : magnitude;
  return magnitude <= most;
}

/* A whole number, however it is written. */
static bool json_whole(const json_t *json, bool *out_negative, uint64_t *out_magnitude)
{
  const char *text = json_string_value(json);
  char *end;

  if (text) {
    errno = 0;
    *out_negative = *text == '-';
    *out_magnitude = strtoull(text + *out_negative, &end, 10);
    return end > text && !*end && !errno;
  }
  if (json_is_integer(json)) {
    long long value = json_integer_value(json);
    *out_negative = value < 0;
    *out_magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    return true;
  }
  if (json_is_real(json)) {
    double value = json_real_value(json);
    *out_negative = value < 0;
    if (!(fabs(value) < 0x1p63) || value != floor(value)) return false;
    *out_magnitude = (uint64_t)fabs(value);
    return true;
  }
  *out_negative = false;
  *out_magnitude = json_is_true(json);
  return json_is_boolean(json);
}

static bool json_real_number(const json_t *json, double *out_value)
{
  const char *text = json_string_value(json); /* also "inf" and "nan", which JSON does not have */
  char *end = NULL;

  if (!text && !json_is_number(json) && !json_is_boolean(json)) return false;
  *out_value = json_is_boolean(json) ? json_is_true(json) : json_number_value(json);
  if (text) *out_value = hone__strtod(text, &end);
  return !text || (end > text && !*end);
}

hone_status hone__scalar_set(const struct hone__arg *arg, const json_t *json, uint64_t *word)
{
  const struct hone__element_info *info = hone__element_info(arg->element);
  uint64_t magnitude;
  double real;
  bool negative, fits;
  char *text;
  hone_status status;

  if (!json)
    return hone__error(HONE_INVALID_SPEC, "the scalar argument '%s' has no value", arg->name);
  if (info->is_float) {
    fits = json_real_number(json, &real);
    if (fits) hone__element_set(arg->element, word, 0, real);
  } else {
    fits = json_whole(json, &negative, &magnitude) &&
           integer_fits(arg->element, negative, magnitude, word);
  }
  if (fits) return NULL;
  text = json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT);
  status = hone__error(HONE_INVALID_SPEC, "the scalar argument '%s' is %s: %s is not a valid value",
                       arg->name, info->name, text ? text : "this");
  free(text);
  return status;
}
