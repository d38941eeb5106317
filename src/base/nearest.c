/* "did you mean": hone.h declares it. */
#include "hone.h"
#include "hone_text.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_WORD = 48, SHORTEST_BEGINNING = 2 };

/* Optimal string alignment distance (one swap of neighbours counts one), case ignored. */
static size_t edit_distance(const char *a, const char *b)
{
  size_t rows[3][LONGEST_WORD + 1];
  size_t n = strlen(a), m = strlen(b);

  if (n > LONGEST_WORD || m > LONGEST_WORD) return LONGEST_WORD;
  for (size_t j = 0; j <= m; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *now = rows[i % 3], *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= m; j++) {
      int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
      size_t best = last[j - 1] + (x != y);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
          y == tolower((unsigned char)a[i - 2]) && before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      now[j] = best;
    }
  }
  return rows[n % 3][m];
}

/* The greatest distance at which one word may be meant by another. */
static size_t near_enough(size_t length)
{
  return length < 2 ? 0 : length < 6 ? 1 : length < 9 ? 2 : 3;
}

void hone_nearest_try(struct hone_nearest *nearest, const char *known)
{
  size_t distance = edit_distance(nearest->word, known);
  size_t length = strlen(nearest->word), other = strlen(known);
  bool is_beginning = length >= SHORTEST_BEGINNING && strncmp(nearest->word, known, length) == 0;

  if (!is_beginning && distance > near_enough(length > other ? length : other)) return;
  if (nearest->best && distance >= nearest->distance) return;
  nearest->best = known;
  nearest->distance = distance;
}
