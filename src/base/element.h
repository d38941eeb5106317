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
#define HONE__ELEMENTS(X)                                                                          \
  X(HONE__ELEMENT_F16, "f16", 2, "<f2", HONE__KIND_FLOAT)                                          \
  X(HONE__ELEMENT_BF16, "bf16", 2, "<V2", HONE__KIND_FLOAT)                                        \
  X(HONE__ELEMENT_F32, "f32", 4, "<f4", HONE__KIND_FLOAT)                                          \
  X(HONE__ELEMENT_F64, "f64", 8, "<f8", HONE__KIND_FLOAT)                                          \
  X(HONE__ELEMENT_I8, "i8", 1, "|i1", HONE__KIND_SIGNED)                                           \
  X(HONE__ELEMENT_I16, "i16", 2, "<i2", HONE__KIND_SIGNED)                                         \
  X(HONE__ELEMENT_I32, "i32", 4, "<i4", HONE__KIND_SIGNED)                                         \
  X(HONE__ELEMENT_I64, "i64", 8, "<i8", HONE__KIND_SIGNED)                                         \
  X(HONE__ELEMENT_U8, "u8", 1, "|u1", HONE__KIND_UNSIGNED)                                         \
  X(HONE__ELEMENT_U16, "u16", 2, "<u2", HONE__KIND_UNSIGNED)                                       \
  X(HONE__ELEMENT_U32, "u32", 4, "<u4", HONE__KIND_UNSIGNED)                                       \
  X(HONE__ELEMENT_U64, "u64", 8, "<u8", HONE__KIND_UNSIGNED)                                       \
  X(HONE__ELEMENT_BOOL, "bool", 1, "|b1", HONE__KIND_BOOL)                                         \
  X(HONE__ELEMENT_F8E4M3, "f8e4m3", 1, "|V1", HONE__KIND_FLOAT)                                    \
  X(HONE__ELEMENT_F8E5M2, "f8e5m2", 1, "|V1", HONE__KIND_FLOAT)

enum hone__element_kind {
  HONE__KIND_FLOAT,
  HONE__KIND_SIGNED,
  HONE__KIND_UNSIGNED,
  HONE__KIND_BOOL
};

enum hone__element {
#define X(constant, name, size, descr, kind) constant,
  HONE__ELEMENTS(X)
#undef X
      HONE__ELEMENT_COUNT
};

struct hone__element_info {
  const char *name, *descr;
  size_t size; /* bytes */
  enum hone__element_kind kind;
  bool is_float;
};
const struct hone__element_info *hone__element_info(enum hone__element element);
const char *hone__element_name(enum hone__element element);
size_t hone__element_size(enum hone__element element);
bool hone__element_parse(const char *name, enum hone__element *out);
/* "f16, bf16, ..." for messages. */
const char *hone__element_names(void);

/* The element with this index as a double. Exact but for i64 and u64 beyond 2^53; a bool is 0 or 1
 * (any byte but 0 is true). */
double hone__element_get(enum hone__element element, const void *at, size_t index);

/* Rounds to nearest, ties to even.
 *   f16, bf16, f32, f64: what is too large becomes an infinity
 *   f8e4m3 (no infinities, NaN 0x7f): what is too large, also an infinity, becomes +-448
 *   f8e5m2: what is too large becomes +-57344; infinities stay infinities
 *   integers: saturate; NaN becomes 0
 *   bool: true unless it is 0 */
void hone__element_set(enum hone__element element, void *at, size_t index, double value);

/* The same for `count` elements from `at` on, fast. */
void hone__element_read(enum hone__element element, const void *at, size_t count, double *out);
void hone__element_write(enum hone__element element, void *at, size_t count, const double *values);

#endif
