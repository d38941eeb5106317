/* Every type has a pair of loops, to doubles and from them; a single element is a loop of one. The
 * small floats share one decoder and one encoder that work on the bits of a double, so that nothing
 * is rounded twice and no mode of the processor (flushing subnormal floats) changes a value. */
#include "base/element.h"

#include <math.h>
#include <string.h>

/* ---- Floats of 16 and 8 bits ---- */

struct small_float {
  unsigned mantissa_bits;
  int bias;
  uint32_t sign, infinity, nan; /* magnitudes; f8e4m3's "infinity" is its NaN */
  uint32_t greatest;            /* finite */
  bool saturates;               /* too large a number becomes the greatest */
};
static const struct small_float f16_format = {10, 15, 0x8000, 0x7c00, 0x7e00, 0x7bff, false};
static const struct small_float bf16_format = {7, 127, 0x8000, 0x7f80, 0x7fc0, 0x7f7f, false};
static const struct small_float f8e4m3_format = {3, 7, 0x80, 0x7f, 0x7f, 0x7e, true};
static const struct small_float f8e5m2_format = {2, 15, 0x80, 0x7c, 0x7e, 0x7b, true};

static inline double from_bits(uint64_t bits)
{
  double value;

  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint64_t to_bits(double value)
{
  uint64_t bits;

  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline double power_of_two(int exponent)
{
  return from_bits((uint64_t)(1023 + exponent) << 52);
}

static inline double decode(const struct small_float *format, uint32_t bits)
{
  uint32_t magnitude = bits & (format->sign - 1);
  bool has_infinity = format->infinity != format->nan;
  double value;

  if (magnitude >= format->infinity)
    value = has_infinity && magnitude == format->infinity ? (double)INFINITY : (double)NAN;
  else if (magnitude >> format->mantissa_bits)
    value = from_bits(((uint64_t)magnitude << (52 - format->mantissa_bits)) +
                      ((uint64_t)(1023 - format->bias) << 52));
  else
    value = magnitude * power_of_two(1 - format->bias - (int)format->mantissa_bits);
  return bits & format->sign ? -value : value;
}

/* The magnitude of a number of at least the least normal one; the carry of the rounding may run
 * into the exponent, as it should. */
static inline uint64_t round_normal(const struct small_float *format, uint64_t bits)
{
  unsigned shift = 52 - format->mantissa_bits;

  bits -= (uint64_t)(1023 - format->bias) << 52;
  bits += ((uint64_t)1 << (shift - 1)) - 1 + ((bits >> shift) & 1);
  return bits >> shift;
}

static inline uint32_t encode(const struct small_float *format, double value)
{
  uint32_t sign = signbit(value) ? format->sign : 0;
  double size = fabs(value);
  uint64_t magnitude;

  if (isnan(value)) return sign | format->nan;
  if (isinf(value) && format->infinity != format->nan) return sign | format->infinity;
  if (size >= power_of_two(1 - format->bias))
    magnitude = round_normal(format, to_bits(size));
  else
    magnitude = (uint64_t)rint(size * power_of_two(format->bias - 1 + (int)format->mantissa_bits));
  if (magnitude > format->greatest)
    return sign | (format->saturates ? format->greatest : format->infinity);
  return sign | (uint32_t)magnitude;
}

/* ---- One element ---- */

#define SMALL_FLOAT(name, bits_type)                                                               \
  static inline double from_##name(bits_type bits)                                                 \
  {                                                                                                \
    return decode(&name##_format, bits);                                                           \
  }                                                                                                \
  static inline bits_type to_##name(double value)                                                  \
  {                                                                                                \
    return (bits_type)encode(&name##_format, value);                                               \
  }
SMALL_FLOAT(f16, uint16_t)
SMALL_FLOAT(bf16, uint16_t)
SMALL_FLOAT(f8e4m3, uint8_t)
SMALL_FLOAT(f8e5m2, uint8_t)

/* `above` is the first power of two that the type does not hold. */
#define INTEGER(name, type, least, greatest, above)                                                \
  static inline double from_##name(type value)                                                     \
  {                                                                                                \
    return (double)value;                                                                          \
  }                                                                                                \
  static inline type to_##name(double value)                                                       \
  {                                                                                                \
    double whole = rint(value);                                                                    \
    if (isnan(whole)) return 0;                                                                    \
    if (whole >= above) return greatest;                                                           \
    return whole <= (double)least ? least : (type)whole;                                           \
  }
INTEGER(i8, int8_t, INT8_MIN, INT8_MAX, 0x1p7)
INTEGER(i16, int16_t, INT16_MIN, INT16_MAX, 0x1p15)
INTEGER(i32, int32_t, INT32_MIN, INT32_MAX, 0x1p31)
INTEGER(i64, int64_t, INT64_MIN, INT64_MAX, 0x1p63)
INTEGER(u8, uint8_t, 0, UINT8_MAX, 0x1p8)
INTEGER(u16, uint16_t, 0, UINT16_MAX, 0x1p16)
INTEGER(u32, uint32_t, 0, UINT32_MAX, 0x1p32)
INTEGER(u64, uint64_t, 0, UINT64_MAX, 0x1p64)

static inline double from_truth(uint8_t byte)
{
  return byte != 0;
}

static inline uint8_t to_truth(double value)
{
  return value != 0;
}

static inline double from_f32(float value)
{
  return (double)value;
}

static inline float to_f32(double value)
{
  return (float)value;
}

static inline double from_f64(double value)
{
  return value;
}

static inline double to_f64(double value)
{
  return value;
}

/* ---- Many ---- */

#define LOOPS(name, type)                                                                          \
  static void read_##name(const unsigned char *at, size_t count, double *out)                      \
  {                                                                                                \
    for (size_t i = 0; i < count; i++) {                                                           \
      type element;                                                                                \
      memcpy(&element, at + i * sizeof element, sizeof element);                                   \
      out[i] = from_##name(element);                                                               \
    }                                                                                              \
  }                                                                                                \
  static void write_##name(unsigned char *at, size_t count, const double *values)                  \
  {                                                                                                \
    for (size_t i = 0; i < count; i++) {                                                           \
      type element = to_##name(values[i]);                                                         \
      memcpy(at + i * sizeof element, &element, sizeof element);                                   \
    }                                                                                              \
  }
LOOPS(f16, uint16_t)
LOOPS(bf16, uint16_t)
LOOPS(f32, float)
LOOPS(f64, double)
LOOPS(i8, int8_t)
LOOPS(i16, int16_t)
LOOPS(i32, int32_t)
LOOPS(i64, int64_t)
LOOPS(u8, uint8_t)
LOOPS(u16, uint16_t)
LOOPS(u32, uint32_t)
LOOPS(u64, uint64_t)
LOOPS(truth, uint8_t)
LOOPS(f8e4m3, uint8_t)
LOOPS(f8e5m2, uint8_t)

static const struct loops {
  void (*read)(const unsigned char *at, size_t count, double *out);
  void (*write)(unsigned char *at, size_t count, const double *values);
} loops[HONE__ELEMENT_COUNT] = {
    [HONE__ELEMENT_F16] = {read_f16, write_f16},
    [HONE__ELEMENT_BF16] = {read_bf16, write_bf16},
    [HONE__ELEMENT_F32] = {read_f32, write_f32},
    [HONE__ELEMENT_F64] = {read_f64, write_f64},
    [HONE__ELEMENT_I8] = {read_i8, write_i8},
    [HONE__ELEMENT_I16] = {read_i16, write_i16},
    [HONE__ELEMENT_I32] = {read_i32, write_i32},
    [HONE__ELEMENT_I64] = {read_i64, write_i64},
    [HONE__ELEMENT_U8] = {read_u8, write_u8},
    [HONE__ELEMENT_U16] = {read_u16, write_u16},
    [HONE__ELEMENT_U32] = {read_u32, write_u32},
    [HONE__ELEMENT_U64] = {read_u64, write_u64},
    [HONE__ELEMENT_BOOL] = {read_truth, write_truth},
    [HONE__ELEMENT_F8E4M3] = {read_f8e4m3, write_f8e4m3},
    [HONE__ELEMENT_F8E5M2] = {read_f8e5m2, write_f8e5m2},
};

void hone__element_read(enum hone__element element, const void *at, size_t count, double *out)
{
  loops[element].read(at, count, out);
}

void hone__element_write(enum hone__element element, void *at, size_t count, const double *values)
{
  loops[element].write(at, count, values);
}

double hone__element_get(enum hone__element element, const void *at, size_t index)
{
  double value;

  loops[element].read((const unsigned char *)at + index * hone__element_size(element), 1, &value);
  return value;
}

void hone__element_set(enum hone__element element, void *at, size_t index, double value)
{
  loops[element].write((unsigned char *)at + index * hone__element_size(element), 1, &value);
}

/* ---- What there is ---- */

static const struct hone__element_info infos[HONE__ELEMENT_COUNT] = {
#define X(constant, name, size, descr, kind) {name, descr, size, kind, (kind) == HONE__KIND_FLOAT},
    HONE__ELEMENTS(X)
#undef X
};

const struct hone__element_info *hone__element_info(enum hone__element element)
{
  return &infos[element];
}

const char *hone__element_name(enum hone__element element)
{
  return infos[element].name;
}

size_t hone__element_size(enum hone__element element)
{
  return infos[element].size;
}

bool hone__element_parse(const char *name, enum hone__element *out)
{
  for (int i = 0; i < HONE__ELEMENT_COUNT; i++) {
    if (strcmp(name, infos[i].name) != 0) continue;
    *out = (enum hone__element)i;
    return true;
  }
  return false;
}

const char *hone__element_names(void)
{
#define X(constant, name, size, descr, kind) ", " name
  static const char names[] = HONE__ELEMENTS(X);
#undef X

  return names + 2;
}
