/* sorting.h - orders for qsort. */
#ifndef HONE_BASE_SORTING_H
#define HONE_BASE_SORTING_H

int hone__by_number(const void *a, const void *b); /* of double, the least first; no NaN */
int hone__by_text(const void *a, const void *b);   /* of char *, by bytes */

#endif
