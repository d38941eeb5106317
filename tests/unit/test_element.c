/* Every value of the small floats goes there and back, and every midpoint between two neighbours is
 * rounded to the even one; what a bit pattern means is computed here from the definition. */
#include "base/element.h"
#include "base/hash.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct format {
  enum hone__element element;
  unsigned exponent_bits, mantissa_bits;
  bool has_infinity;
  uint32_t greatest; /* finite magnitude */
} formats[] = {
    {HONE__ELEMENT_F16, 5, 10, true, 0x7bff},
    {HONE__ELEMENT_BF16, 8, 7, true, 0x7f7f},
    {HONE__ELEMENT_F8E4M3, 4, 3, false, 0x7e},
    {HONE__ELEMENT_F8E5M2, 5, 2, true, 0x7b},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static double defined_value(const struct format *format, uint32_t magnitude)
{
  int bias = (1 << (format->exponent_bits - 1)) - 1;
  int exponent = (int)(magnitude >> format->mantissa_bits);
  double mantissa = magnitude & ((1u << format->mantissa_bits) - 1);

  if (exponent == 0) return ldexp(mantissa, 1 - bias - (int)format->mantissa_bits);
  mantissa += ldexp(1, (int)format->mantissa_bits);
  return ldexp(mantissa, exponent - bias - (int)format->mantissa_bits);
}

static uint32_t encoded(const struct format *format, double value)
{
  uint32_t bits = 0;

  hone__element_set(format->element, &bits, 0, value);
  return bits;
}

static double decoded(const struct format *format, uint32_t bits)
{
  return hone__element_get(format->element, &bits, 0);
}

static void round_trips(void **state)
{
  (void)state;
  for (size_t i = 0; i < FORMATS; i++) {
    const struct format *format = &formats[i];
    uint32_t sign = 1u << (format->exponent_bits + format->mantissa_bits);
    for (uint32_t magnitude = 0; magnitude <= format->greatest; magnitude++) {
      double value = defined_value(format, magnitude);
      assert_true(decoded(format, magnitude) == value);
      assert_true(decoded(format, magnitude | sign) == -value);
      assert_int_equal(encoded(format, value), magnitude);
      assert_int_equal(encoded(format, -value), magnitude | sign);
    }
    for (uint32_t magnitude = format->greatest + 1; magnitude < sign; magnitude++) {
      bool infinite = format->has_infinity && magnitude == format->greatest + 1;
      assert_true(infinite ? isinf(decoded(format, magnitude)) : isnan(decoded(format, magnitude)));
      assert_true(!infinite || decoded(format, magnitude | sign) < 0);
      assert_true(infinite || isnan(decoded(format, encoded(format, decoded(format, magnitude)))));
    }
  }
}

static void midpoints(void **state)
{
  (void)state;
  for (size_t i = 0; i < FORMATS; i++) {
    const struct format *format = &formats[i];
    for (uint32_t m = 0; m < format->greatest; m++) {
      double middle = (defined_value(format, m) + defined_value(format, m + 1)) / 2;
      assert_int_equal(encoded(format, middle), m & 1 ? m + 1 : m);
      assert_int_equal(encoded(format, nextafter(middle, 0)), m);
      assert_int_equal(encoded(format, nextafter(middle, (double)INFINITY)), m + 1);
    }
  }
}

static void overflow(void **state)
{
  (void)state;
  assert_int_equal(encoded(&formats[0], 65519.99), 0x7bff);
  assert_int_equal(encoded(&formats[0], 65520), 0x7c00);
  assert_int_equal(encoded(&formats[0], (double)-INFINITY), 0xfc00);
  assert_int_equal(encoded(&formats[1], 1e300), 0x7f80);
  assert_int_equal(encoded(&formats[2], 1e9), 0x7e);
  assert_int_equal(encoded(&formats[2], (double)-INFINITY), 0xfe);
  assert_int_equal(encoded(&formats[2], (double)NAN) & 0x7f, 0x7f);
  assert_int_equal(encoded(&formats[3], 1e9), 0x7b);
  assert_int_equal(encoded(&formats[3], (double)INFINITY), 0x7c);
  assert_int_equal(encoded(&formats[0], 1e-320), 0);
}

static void integers(void **state)
{
  static const struct {
    enum hone__element element;
    double value;
    double expected;
  } rows[] = {
      {HONE__ELEMENT_I8, 127.5, 127},       {HONE__ELEMENT_I8, -1e9, -128},
      {HONE__ELEMENT_I8, 2.5, 2},           {HONE__ELEMENT_I8, 3.5, 4},
      {HONE__ELEMENT_I8, -0.5, 0},          {HONE__ELEMENT_U8, -3, 0},
      {HONE__ELEMENT_U8, 255.4, 255},       {HONE__ELEMENT_U8, 1e300, 255},
      {HONE__ELEMENT_I16, 40000, 32767},    {HONE__ELEMENT_U16, 65535, 65535},
      {HONE__ELEMENT_I32, -3e9, -0x1p31},   {HONE__ELEMENT_I32, 2147483647, 2147483647},
      {HONE__ELEMENT_U32, 5e9, 4294967295}, {HONE__ELEMENT_I64, 1e30, 0x1p63},
      {HONE__ELEMENT_I64, -1e30, -0x1p63},  {HONE__ELEMENT_U64, 1e30, 0x1p64},
      {HONE__ELEMENT_U64, -1, 0},           {HONE__ELEMENT_I64, -0x1p53, -0x1p53},
      {HONE__ELEMENT_I32, (double)NAN, 0},  {HONE__ELEMENT_U64, (double)NAN, 0},
      {HONE__ELEMENT_BOOL, 0.25, 1},        {HONE__ELEMENT_BOOL, -0.0, 0},
      {HONE__ELEMENT_BOOL, (double)NAN, 1}, {HONE__ELEMENT_I16, (double)-INFINITY, -32768},
  };

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    unsigned char bytes[9];
    hone__element_set(rows[i].element, bytes + 1, 0, rows[i].value); /* not aligned */
    assert_true(hone__element_get(rows[i].element, bytes + 1, 0) == rows[i].expected);
  }
}

static void arrays(void **state)
{
  enum { COUNT = 100 };
  double values[COUNT], again[COUNT];

  (void)state;
  for (int element = 0; element < HONE__ELEMENT_COUNT; element++) {
    unsigned char bytes[COUNT * 8 + 1];
    size_t size = hone__element_size((enum hone__element)element);
    for (int i = 0; i < COUNT; i++)
      values[i] = element == HONE__ELEMENT_BOOL ? i % 2 : i % 7;
    memset(bytes, 0x77, sizeof bytes);
    hone__element_write((enum hone__element)element, bytes, COUNT, values);
    assert_int_equal(bytes[COUNT * size], 0x77);
    hone__element_read((enum hone__element)element, bytes, COUNT, again);
    assert_memory_equal(values, again, sizeof values);
    hone__element_set((enum hone__element)element, bytes, 50, 1);
    assert_true(hone__element_get((enum hone__element)element, bytes, 50) == 1);
    assert_true(hone__element_get((enum hone__element)element, bytes, 51) == values[51]);
  }
}

static void names(void **state)
{
  enum hone__element element;

  (void)state;
  for (int i = 0; i < HONE__ELEMENT_COUNT; i++) {
    const struct hone__element_info *info = hone__element_info((enum hone__element)i);
    assert_true(hone__element_parse(info->name, &element));
    assert_int_equal(element, i);
    assert_int_equal(info->descr[2] - '0', info->size);
    assert_int_equal(info->is_float, info->kind == HONE__KIND_FLOAT);
    assert_non_null(strstr(hone__element_names(), info->name));
  }
  assert_false(hone__element_parse("float", &element));
  assert_false(hone__element_parse("", &element));
  assert_int_equal(strncmp(hone__element_names(), "f16, bf16, ", 11), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trips), cmocka_unit_test(midpoints), cmocka_unit_test(overflow),
      cmocka_unit_test(integers),    cmocka_unit_test(arrays),    cmocka_unit_test(names),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
