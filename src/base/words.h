/* words.h - a list of words, and a line split into words as sh does it.
 *
 * Blanks separate; '...' takes everything as it is; in "..." a backslash quotes only $ ` " \ and
 * the end of a line; elsewhere it quotes any character. Nothing is expanded.
 */
#ifndef HONE_BASE_WORDS_H
#define HONE_BASE_WORDS_H

#include "base/status.h"

struct hone__words { /* { 0 } is an empty list */
  char **data;       /* ends with a NULL once anything was added: an argv */
  size_t count, capacity;
};
void hone__words_add(struct hone__words *words, const char *word);
/* All of a list that ends with NULL, or is NULL. */
void hone__words_add_all(struct hone__words *words, const char *const *more);
/* Appends the words of the line; INVALID_ARGUMENT for an open quote, then nothing is added. */
hone_status hone__words_split(struct hone__words *words, const char *line);
void hone__words_release(struct hone__words *words);
/* To read: ends with NULL, or is NULL. */
static inline const char *const *hone__words_list(const struct hone__words *words)
{
  return (const char *const *)words->data;
}

#endif
