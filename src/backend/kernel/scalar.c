/* Little endian, so that the bytes of a small element are the first ones of its word. */
#include "backend/kernel/scalar.h"

#include "base/number.h"
#include "base/status.h"
#include "spec/value.h"

#include <ctype.h>
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
static bool to_whole(struct hone_value value, bool *out_negative, uint64_t *out_magnitude)
{
  const char *digits;
  char *end;

  switch (value.type) {
  case HONE_TEXT:
    errno = 0;
    *out_negative = *value.text == '-';
    digits = value.text + *out_negative;
    if (!isdigit((unsigned char)*digits)) return false; /* strtoull takes blanks and signs too */
    *out_magnitude = strtoull(digits, &end, 10);
    return !*end && !errno;
  case HONE_INT:
  case HONE_BOOL:
    *out_negative = value.integer < 0;
    *out_magnitude = value.integer < 0 ? -(uint64_t)value.integer : (uint64_t)value.integer;
    return true;
  case HONE_FLOAT:
    *out_negative = value.real < 0;
    if (!(fabs(value.real) < 0x1p63) || value.real != floor(value.real)) return false;
    *out_magnitude = (uint64_t)fabs(value.real);
    return true;
  default: return false;
  }
}

static bool to_real(struct hone_value value, double *out_real)
{
  char *end = NULL;

  switch (value.type) {
  case HONE_TEXT: /* also "inf" and "nan", which numbers in messages are not */
    *out_real = hone__strtod(value.text, &end);
    return end > value.text && !*end;
  case HONE_INT:
  case HONE_BOOL: *out_real = (double)value.integer; return true;
  case HONE_FLOAT: *out_real = value.real; return true;
  default: return false;
  }
}

static hone_status refuse(const struct hone__arg *arg, struct hone_value value)
{
  struct hone__text text = {0};
  hone_status status;

  hone__value_repr(value, &text);
  status = hone__error(HONE_INVALID_SPEC, "the scalar argument '%s' is %s: %s is not a valid value",
                       arg->name, hone__element_name(arg->element), text.data ? text.data : "this");
  hone__text_release(&text);
  return status;
}

hone_status hone__scalar_set(const struct hone__arg *arg, const struct hone__kernel_value *value,
                             uint64_t *word)
{
  uint64_t magnitude;
  double real;
  bool negative, fits;

  if (!value || value->scalar.type == HONE_NONE)
    return hone__error(HONE_INVALID_SPEC, "the scalar argument '%s' has no value", arg->name);
  if (hone__element_info(arg->element)->is_float) {
    fits = to_real(value->scalar, &real);
    if (fits) hone__element_set(arg->element, word, 0, real);
  } else {
    fits = to_whole(value->scalar, &negative, &magnitude) &&
           integer_fits(arg->element, negative, magnitude, word);
  }
  return fits ? NULL : refuse(arg, value->scalar);
}
