/* quote.h - texts in quotes, as JSON and YAML read them. */
#ifndef HONE_BASE_QUOTE_H
#define HONE_BASE_QUOTE_H

#include "base/text.h"

/* Adds "text" with its quotes; bytes that are no UTF-8 become '?'. */
void hone__quote(struct hone__text *out, const char *text);

#endif
