/* command.h - prints command lines for people, quoted for a shell. */
#ifndef HONE_BUILD_COMMAND_H
#define HONE_BUILD_COMMAND_H

#include "base/text.h"

/* Adds " word", quoted if a shell needs it; no blank before the first. */
void hone__build_command_add(struct hone__text *text, const char *word);
/* All words of a list that ends with NULL, or is NULL. */
void hone__build_command_print(struct hone__text *text, const char *const *words);

#endif
