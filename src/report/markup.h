/* markup.h - others' text in HTML and SVG: it can never become markup. */
#ifndef HONE_REPORT_MARKUP_H
#define HONE_REPORT_MARKUP_H

#include "base/text.h"

/* Adds the text with & < > " ' escaped; bytes that are not UTF-8 and control characters but line
 * breaks and tabs become U+FFFD. `most` bytes at most, then an ellipsis; 0: all. */
void hone__markup_add(struct hone__text *text, const char *string, size_t most);
/* Characters, as a width. */
size_t hone__markup_width(const char *string, size_t length);
/* With at most `precision` digits after the point and at least one: "10.6", "4.0"; more where a
 * number would become 0. */
void hone__markup_number(struct hone__text *text, double number, unsigned precision);

/* With that many digits always, for columns of a table; more where a number would become 0. */
void hone__markup_fixed(struct hone__text *text, double number, unsigned precision);
/* "1.30x"; a dash where there is none. */
void hone__markup_ratio(struct hone__text *text, double ratio);

#endif
