/* command.h - command lines for people: words as a shell reads them. */
#ifndef HONE_BUILD_COMMAND_H
#define HONE_BUILD_COMMAND_H

#include "base/text.h"

/* Adds " word", in quotes if a shell needs them; no blank in front of the first. */
void hone__command_add(struct hone__text *text, const char *word);
/* All words of a list that ends with NULL, or is NULL. */
void hone__command_print(struct hone__text *text, const char *const *words);

#endif
