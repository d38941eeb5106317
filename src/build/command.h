/* command.h - command lines in settings and messages, as JSON lists of words. */
#ifndef HONE_BUILD_COMMAND_H
#define HONE_BUILD_COMMAND_H

#include "base/status.h"
#include "base/text.h"

#include <jansson.h>

/* Adds the words of a line to the list; INVALID_ARGUMENT: a quote is not closed. */
hone_status hone__command_split(const char *line, json_t *words);

/* Adds " word", in quotes if a shell needs them; no blank in front of the first. */
void hone__command_add(struct hone__text *text, const char *word);
/* All words of the list. */
void hone__command_print(struct hone__text *text, const json_t *words);

/* For exec: lends the texts of the list; the caller frees the array. */
const char **hone__command_argv(const json_t *words);

#endif
