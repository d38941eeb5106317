/* accessor.h - the accessors of opaque structs, one line for each property:
 *
 *   HONE__GET(double, hone_report, speedup, speedup)
 *   HONE__GET_AT(const char *, hone_report, note, notes, note_count, NULL)
 *   HONE__LEND_AT(hone_report_row, hone_report, row, rows, row_count)
 *
 * are hone_report_speedup(report), hone_report_note(report, i) and hone_report_row(report, i); the
 * last two give `none` and NULL where there are not that many.
 */
#ifndef HONE_BASE_ACCESSOR_H
#define HONE_BASE_ACCESSOR_H

#include <stddef.h>

#define HONE__GET(type, thing, property, field)                                                    \
  type thing##_##property(const struct thing *it)                                                  \
  {                                                                                                \
    return it->field;                                                                              \
  }

#define HONE__GET_AT(type, thing, property, array, count, none)                                    \
  type thing##_##property(const struct thing *it, size_t i)                                        \
  {                                                                                                \
    return i < it->count ? it->array[i] : none;                                                    \
  }

/* A field of the elements of an array. */
#define HONE__GET_IN(type, thing, property, array, field, count, none)                             \
  type thing##_##property(const struct thing *it, size_t i)                                        \
  {                                                                                                \
    return i < it->count ? it->array[i].field : none;                                              \
  }

/* A struct within it. */
#define HONE__LEND(part, thing, property, field)                                                   \
  const struct part *thing##_##property(const struct thing *it)                                    \
  {                                                                                                \
    return &it->field;                                                                             \
  }

#define HONE__LEND_AT(element, thing, property, array, count)                                      \
  const struct element *thing##_##property(const struct thing *it, size_t i)                       \
  {                                                                                                \
    return i < it->count ? &it->array[i] : NULL;                                                   \
  }

#endif
