#include "nearest.h"

#include <string.h>

enum { LONGEST_WORD = 31 };

/* Edits (insert, drop, change, swap neighbours) that make one word of the other. */
static size_t distance_of(const char *a, const char *b)
{
  size_t rows[3][LONGEST_WORD + 1], *before = rows[0], *last = rows[1], *now = rows[2], *spare;
  size_t length = strlen(b);

  for (size_t j = 0; j <= length; j++)
    last[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    now[0] = i;
    for (size_t j = 1; j <= length; j++) {
      size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);
      now[j] = change < last[j] + 1 ? change : last[j] + 1;
      if (now[j - 1] + 1 < now[j]) now[j] = now[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          before[j - 2] + 1 < now[j])
        now[j] = before[j - 2] + 1;
    }
    spare = before, before = last, last = now, now = spare;
  }
  return last[length];
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
  size_t length = strlen(nearest->word), distance;

  if (length > LONGEST_WORD || strlen(candidate) > LONGEST_WORD) return;
  distance = distance_of(nearest->word, candidate);
  if (length >= 2 && strncmp(nearest->word, candidate, length) == 0) distance = 1;
  if (distance > 2 && distance > length / 3) return;
  if (distance >= length) return;
  if (nearest->best && nearest->distance <= distance) return;
  nearest->best = candidate;
  nearest->distance = distance;
}
