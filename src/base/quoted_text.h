/* quoted_text.h - texts in quotes, as JSON and YAML read them. */
#ifndef HONE_BASE_QUOTED_TEXT_H
#define HONE_BASE_QUOTED_TEXT_H

#include "base/text.h"
#include "base/words.h"

/* Adds "text" with its quotes; bytes that are not UTF-8 become '?'. */
void hone__quote_text(struct hone__text *out, const char *text);
/* The same for a path in a spec, in which $NAME stands for a variable: "$$" is "$". */
void hone__quote_path(struct hone__text *out, const char *path);
/* Adds ["word", ...]. */
void hone__quote_words(struct hone__text *out, const struct hone__words *words);

#endif
