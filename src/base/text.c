#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static void reserve(struct hone__text *text, size_t more)
{
  size_t need = text->length + more + 1;

  if (need <= text->capacity) return;
  text->capacity = need < 2 * text->capacity ? 2 * text->capacity : need < 64 ? 64 : need;
  text->data = hone__realloc(text->data, text->capacity);
}

void hone__text_addn(struct hone__text *text, const char *string, size_t length)
{
  reserve(text, length);
  if (length) memcpy(text->data + text->length, string, length);
  text->length += length;
  text->data[text->length] = 0;
}

void hone__text_add(struct hone__text *text, const char *string)
{
  hone__text_addn(text, string, strlen(string));
}

void hone__text_vaddf(struct hone__text *text, const char *format, va_list args)
{
  va_list again;
  int length;

  va_copy(again, args);
  length = vsnprintf(NULL, 0, format, args);
  reserve(text, (size_t)length);
  vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
  va_end(again);
  text->length += (size_t)length;
}

char *hone__text_path(const char *folder, const char *format, va_list args)
{
  struct hone__text path = {0};

  hone__text_addf(&path, "%s/", folder);
  hone__text_vaddf(&path, format, args);
  return hone__text_take(&path);
}

void hone__text_addf(struct hone__text *text, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  hone__text_vaddf(text, format, args);
  va_end(args);
}

char *hone__text_take(struct hone__text *text)
{
  char *data;

  reserve(text, 0);
  text->data[text->length] = 0;
  data = text->data;
  *text = (struct hone__text){0};
  return data;
}

void hone__text_release(struct hone__text *text)
{
  free(text->data);
  *text = (struct hone__text){0};
}

bool hone__starts_with(const char *string, const char *prefix)
{
  return strncmp(string, prefix, strlen(prefix)) == 0;
}

/* Optimal string alignment distance (one swap of neighbours counts one), case ignored. */
static size_t edit_distance(const char *a, const char *b)
{
  enum { MOST = 48 };
  size_t rows[3][MOST + 1];
  size_t n = strlen(a), m = strlen(b);

  if (n > MOST || m > MOST) return MOST;
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

/* How far apart two words may be for the one to be meant by the other. */
static size_t near_enough(size_t length)
{
  return length < 2 ? 0 : length < 6 ? 1 : length < 9 ? 2 : 3;
}

void hone__nearest_try(struct hone__nearest *nearest, const char *candidate)
{
  size_t distance = edit_distance(nearest->word, candidate);
  size_t length = strlen(nearest->word), other = strlen(candidate);

  if (distance > near_enough(length > other ? length : other)) return;
  if (nearest->best && distance >= nearest->distance) return;
  nearest->best = candidate;
  nearest->distance = distance;
}
