/* element.h - the types that an array's elements have, and their values as doubles.
 *
 * Addresses need no alignment, bytes are little endian as on every machine that Hone runs on.
 */
#ifndef HONE_BASE_ELEMENT_H
#define HONE_BASE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* constant, name, bytes, numpy's descr (bf16 and f8 have no dtype: opaque bytes), kind */
#define HONE_ELEMENTS(X)                                                                           \
  X(HONE_ELEMENT_F16, "f16", 2, "<f2", HONE_KIND_FLOAT)                                            \
  X(HONE_ELEMENT_BF16, "bf16", 2, "<V2", HONE_KIND_FLOAT)                                          \
  X(HONE_ELEMENT_F32, "f32", 4, "<f4", HONE_KIND_FLOAT)                                            \
  X(HONE_ELEMENT_F64, "f64", 8, "<f8", HONE_KIND_FLOAT)                                            \
  X(HONE_ELEMENT_I8, "i8", 1, "|i1", HONE_KIND_SIGNED)                                             \
  X(HONE_ELEMENT_I16, "i16", 2, "<i2", HONE_KIND_SIGNED)                                           \
  X(HONE_ELEMENT_I32, "i32", 4, "<i4", HONE_KIND_SIGNED)                                           \
  X(HONE_ELEMENT_I64, "i64", 8, "<i8", HONE_KIND_SIGNED)                                           \
  X(HONE_ELEMENT_U8, "u8", 1, "|u1", HONE_KIND_UNSIGNED)                                           \
  X(HONE_ELEMENT_U16, "u16", 2, "<u2", HONE_KIND_UNSIGNED)                                         \
  X(HONE_ELEMENT_U32, "u32", 4, "<u4", HONE_KIND_UNSIGNED)                                         \
  X(HONE_ELEMENT_U64, "u64", 8, "<u8", HONE_KIND_UNSIGNED)                                         \
  X(HONE_ELEMENT_BOOL, "bool", 1, "|b1", HONE_KIND_BOOL)                                           \
  X(HONE_ELEMENT_F8E4M3, "f8e4m3", 1, "|V1", HONE_KIND_FLOAT)                                      \
  X(HONE_ELEMENT_F8E5M2, "f8e5m2", 1, "|V1", HONE_KIND_FLOAT)

enum hone_element_kind { HONE_KIND_FLOAT, HONE_KIND_SIGNED, HONE_KIND_UNSIGNED, HONE_KIND_BOOL };

enum hone_element {
#define X(constant, name, size, descr, kind) constant,
  HONE_ELEMENTS(X)
#undef X
      HONE_ELEMENT_COUNT
};

struct hone_element_info {
  const char *name, *descr;
  size_t size; /* bytes */
  enum hone_element_kind kind;
  bool is_float;
};
const struct hone_element_info *hone__element_info(enum hone_element element);
const char *hone__element_name(enum hone_element element);
size_t hone__element_size(enum hone_element element);
bool hone__element_parse(const char *name, enum hone_element *out);
/* "f16, bf16, ..." for messages. */
const char *hone__element_names(void);

/* The element with this index as a double. Exact but for i64 and u64 beyond 2^53; a bool is 0 or 1
 * (any byte but 0 is true). */
double hone__element_get(enum hone_element element, const void *at, size_t index);

/* Rounds to nearest, ties to even.
 *   f16, bf16, f32, f64: what is too large becomes an infinity
 *   f8e4m3 (no infinities, NaN 0x7f): what is too large, also an infinity, becomes +-448
 *   f8e5m2: what is too large becomes +-57344; infinities stay infinities
 *   integers: saturate; NaN becomes 0
 *   bool: true unless it is 0 */
void hone__element_set(enum hone_element element, void *at, size_t index, double value);

/* The same for `count` elements from `at` on, fast. */
void hone__element_read(enum hone_element element, const void *at, size_t count, double *out);
void hone__element_write(enum hone_element element, void *at, size_t count, const double *values);

#endif
