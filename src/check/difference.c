/* Describes a difference. Values are printed with the fewest digits that reproduce the element. */
#include "check/compare.h"

#include "base/number.h"
#include "check/guard.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_DIGITS = 17, ROOM = 64 };

/* As 0.25, 1500 or 1.5e+20, whichever is short. */
static void add_digits(struct hone__text *out, double value, int digits)
{
  char buffer[ROOM];
  int exponent;

  hone__print_real(buffer, sizeof buffer, 'e', digits - 1, value);
  exponent = atoi(strchr(buffer, 'e') + 1);
  if (exponent >= -5 && exponent < MOST_DIGITS)
    hone__print_real(buffer, sizeof buffer, 'f', digits - 1 > exponent ? digits - 1 - exponent : 0,
                     value);
  hone__text_add(out, buffer);
}

static void add_special(struct hone__text *out, double value)
{
  hone__text_add(out, isnan(value) ? "NaN" : value < 0 ? "-inf" : "inf");
}

/* Three digits, but all digits before the point: 2048 is not 2050. */
static int rough_digits(double value)
{
  enum { ROUGH_DIGITS = 3 };
  int whole = fabs(value) >= 1 ? (int)log10(fabs(value)) + 1 : 0;

  return whole > ROUGH_DIGITS && whole <= MOST_DIGITS ? whole : ROUGH_DIGITS;
}

/* For magnitudes; without trailing zeros after the point. */
static void add_rough(struct hone__text *out, double value)
{
  char buffer[ROOM];
  int digits = 1, most = isfinite(value) ? rough_digits(value) : 0;

  if (!isfinite(value)) {
    add_special(out, value);
    return;
  }
  hone__print_real(buffer, sizeof buffer, 'e', most - 1, value);
  value = hone__strtod(buffer, NULL);
  for (; digits < most; digits++) {
    hone__print_real(buffer, sizeof buffer, 'e', digits - 1, value);
    if (hone__strtod(buffer, NULL) == value) break;
  }
  add_digits(out, value, digits);
}

static void add_float(struct hone__text *out, enum hone__element element, double value,
                      uint64_t bits)
{
  char buffer[ROOM];
  int digits = 1;

  if (!isfinite(value)) {
    add_special(out, value);
    return;
  }
  for (; digits < MOST_DIGITS; digits++) {
    uint64_t again = 0;
    hone__print_real(buffer, sizeof buffer, 'e', digits - 1, value);
    hone__element_set(element, &again, 0, hone__strtod(buffer, NULL));
    if (again == bits) break;
  }
  add_digits(out, value, digits);
}

static void add_value(struct hone__text *out, enum hone__element element, double value,
                      uint64_t bits)
{
  if (hone__element_info(element)->is_float)
    add_float(out, element, value, bits);
  else if (element == HONE__ELEMENT_U64)
    hone__text_addf(out, "%" PRIu64, bits);
  else if (element == HONE__ELEMENT_I64)
    hone__text_addf(out, "%" PRId64, (int64_t)bits);
  else if (element == HONE__ELEMENT_BOOL)
    hone__text_add(out, bits ? "true" : "false");
  else
    hone__text_addf(out, "%.0f", value);
}

/* [3, 17]; a flat index if it lies outside the shape. */
static void add_place(struct hone__text *out, size_t index, const size_t *shape, size_t dimensions)
{
  size_t stride = 1;

  for (size_t i = 0; i < dimensions; i++)
    if (__builtin_mul_overflow(stride, shape[i], &stride)) stride = 0;
  if (index >= stride || dimensions == 0) {
    hone__text_addf(out, "[%zu]", index);
    return;
  }
  for (size_t i = 0; i < dimensions; i++) {
    stride /= shape[i];
    hone__text_addf(out, "%s%zu", i ? ", " : "[", index / stride);
    index %= stride;
  }
  hone__text_add(out, "]");
}

static void add_share(struct hone__text *out, const struct hone__difference *difference)
{
  hone__text_addf(out, "%zu of %zu elements differ (", difference->mismatched, difference->count);
  add_rough(out, 100 * (double)difference->mismatched / (double)difference->count);
  hone__text_add(out, " %, allowed ");
  add_rough(out, 100 * difference->ratio);
  hone__text_add(out, " %)");
}

/* How many elements are of one sort; nothing for a single mismatch, which is shown anyway. */
static void add_sort(struct hone__text *out, const struct hone__difference *difference,
                     size_t count, const char *sort)
{
  if (count == 0 || difference->mismatched == 1) return;
  if (count == difference->mismatched)
    hone__text_addf(out, "; all of them %s", sort);
  else
    hone__text_addf(out, "; %zu of them %s", count, sort);
}

/* What made the expected answer left the element as it was. */
static void add_expected(struct hone__text *out, const struct hone__difference *difference)
{
  enum hone__element element = difference->element;
  bool is_poison = hone__check_is_poison(element, &difference->first_expected_bits, 0);

  if (is_poison && hone__poison_is_certain(element)) {
    hone__text_add(out, ", expected to stay unwritten");
    return;
  }
  hone__text_add(out, ", expected ");
  add_value(out, element, difference->first_expected, difference->first_expected_bits);
  if (is_poison) hone__text_add(out, " (possibly to stay unwritten)");
}

static void add_first(struct hone__text *out, const struct hone__difference *difference,
                      const size_t *shape, size_t dimensions)
{
  enum hone__element element = difference->element;
  bool certain = hone__poison_is_certain(element);

  hone__text_add(out, "; ");
  if (difference->count > 1) {
    hone__text_add(out, "first at ");
    add_place(out, difference->first, shape, dimensions);
    hone__text_add(out, ": ");
  }
  if (difference->first_unwritten && certain) {
    hone__text_add(out, "never written");
  } else {
    hone__text_add(out, "got ");
    add_value(out, element, difference->first_got, difference->first_got_bits);
    if (difference->first_unwritten) hone__text_add(out, " (possibly never written)");
  }
  add_expected(out, difference);
}

static void add_greatest(struct hone__text *out, const struct hone__difference *difference)
{
  if (difference->greatest_abs == 0 || difference->element == HONE__ELEMENT_BOOL) return;
  hone__text_add(out, "; largest difference ");
  add_rough(out, difference->greatest_abs);
  hone__text_add(out, " absolute");
  if (difference->greatest_rel == 0) return;
  hone__text_add(out, ", ");
  add_rough(out, difference->greatest_rel);
  hone__text_add(out, " relative");
}

void hone__difference_message(const struct hone__difference *difference, const char *name,
                              const size_t *shape, size_t dimensions, struct hone__text *out)
{
  bool certain = hone__poison_is_certain(difference->element);

  hone__text_addf(out, "%s: ", name);
  if (difference->mismatched == 0) {
    hone__text_addf(out, "all %zu elements agree", difference->count);
  } else {
    add_share(out, difference);
    add_sort(out, difference, difference->unwritten,
             certain ? "never written" : "possibly never written");
    add_sort(out, difference, difference->unexpected, "where the expected answer is never written");
    add_sort(out, difference, difference->not_finite, "with a NaN or an infinity on one side");
    add_first(out, difference, shape, dimensions);
  }
  add_greatest(out, difference);
}
