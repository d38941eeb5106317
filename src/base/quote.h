/* quote.h - words for a shell. hone.h declares hone_shell_word. */
#ifndef HONE_BASE_QUOTE_H
#define HONE_BASE_QUOTE_H

#include "base/text.h"

/* Adds the word as hone_shell_word writes it. */
void hone__quote_shell(struct hone__text *text, const char *word);

#endif
