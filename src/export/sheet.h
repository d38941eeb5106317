/* sheet.h - a table of texts, aligned to the right as pandas prints one without an index. */
#ifndef HONE_EXPORT_SHEET_H
#define HONE_EXPORT_SHEET_H

#include "base/memory.h"
#include "base/text.h"

struct hone__sheet { /* { .row_count = n } */
  size_t row_count;
  struct hone__sheet_column {
    const char *name;
    bool is_number;
    const char *const *cells;
  } * columns;
  size_t count, capacity;
};
/* Everything is lent. Headers of numbers are one wider. */
void hone__sheet_add(struct hone__sheet *sheet, const char *name, bool is_number,
                     const char *const *cells);
/* Lines with a line's end each; rows in the order of `order`, which may be NULL. */
void hone__sheet_print(const struct hone__sheet *sheet, const size_t *order,
                       struct hone__text *text);
void hone__sheet_release(struct hone__sheet *sheet);

#endif
