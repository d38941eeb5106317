/* What would change, for a person. Lines that both texts begin and end with are set aside; of the
 * rest a longest common subsequence tells what stays. Where the rest is too large for that, all of
 * it counts as changed: correct, only longer. */
#include "export/region.h"

#include <stdint.h>
#include <stdlib.h>

enum { CONTEXT = 3, MOST_CELLS = 4 << 20 };

struct lines {
  struct line {
    const char *data;
    size_t length; /* with its line break */
  } * items;
  size_t count, capacity;
};

static struct lines split(const char *text)
{
  struct lines lines = {0};

  while (*text) {
    size_t length = strcspn(text, "\n");
    length += text[length] == '\n';
    HONE__GROW(lines.items, lines.count, lines.capacity);
    lines.items[lines.count++] = (struct line){text, length};
    text += length;
  }
  return lines;
}

static bool equal(const struct line *a, const struct line *b)
{
  return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

/* ---- What stays: pairs of equal lines ---- */

struct comparison {
  struct lines old_lines, new_lines;
  size_t head, tail; /* equal lines at both ends */
  bool *old_stays, *new_stays;
};

static void find_ends(struct comparison *comparison)
{
  const struct lines *a = &comparison->old_lines, *b = &comparison->new_lines;
  size_t least = a->count < b->count ? a->count : b->count;

  while (comparison->head < least &&
         equal(&a->items[comparison->head], &b->items[comparison->head]))
    comparison->head++;
  while (
      comparison->tail < least - comparison->head &&
      equal(&a->items[a->count - 1 - comparison->tail], &b->items[b->count - 1 - comparison->tail]))
    comparison->tail++;
}

static void keep_ends(struct comparison *comparison)
{
  for (size_t i = 0; i < comparison->head; i++)
    comparison->old_stays[i] = comparison->new_stays[i] = true;
  for (size_t i = 1; i <= comparison->tail; i++) {
    comparison->old_stays[comparison->old_lines.count - i] = true;
    comparison->new_stays[comparison->new_lines.count - i] = true;
  }
}

static uint32_t larger(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

/* lengths[i * (m + 1) + j] is that of the longest common subsequence of a[i..] and b[j..]. */
static void keep_common(struct comparison *comparison)
{
  size_t head = comparison->head, n = comparison->old_lines.count - head - comparison->tail;
  size_t m = comparison->new_lines.count - head - comparison->tail;
  const struct line *a, *b;
  uint32_t *lengths;

  if (!n || !m || n > MOST_CELLS / m) return;
  a = comparison->old_lines.items + head;
  b = comparison->new_lines.items + head;
  lengths = hone__alloc((n + 1) * (m + 1) * sizeof *lengths);
#define AT(i, j) lengths[(i) * (m + 1) + (j)]
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      AT(i, j) = equal(&a[i], &b[j]) ? AT(i + 1, j + 1) + 1 : larger(AT(i + 1, j), AT(i, j + 1));
  for (size_t i = 0, j = 0; i < n && j < m;) {
    if (equal(&a[i], &b[j]))
      comparison->old_stays[head + i++] = comparison->new_stays[head + j++] = true;
    else if (AT(i + 1, j) >= AT(i, j + 1))
      i++;
    else
      j++;
  }
#undef AT
  free(lengths);
}

/* ---- Hunks ---- */

struct cursor { /* lines before this one are printed or passed */
  size_t old_line, new_line;
};

static bool at_end(const struct comparison *comparison, struct cursor cursor)
{
  return cursor.old_line == comparison->old_lines.count &&
         cursor.new_line == comparison->new_lines.count;
}

static bool stays(const struct comparison *comparison, struct cursor cursor)
{
  return cursor.old_line < comparison->old_lines.count && comparison->old_stays[cursor.old_line] &&
         cursor.new_line < comparison->new_lines.count && comparison->new_stays[cursor.new_line];
}

/* Over one line that stays, or one change. */
static struct cursor step(const struct comparison *comparison, struct cursor cursor)
{
  if (stays(comparison, cursor)) return (struct cursor){cursor.old_line + 1, cursor.new_line + 1};
  if (cursor.old_line < comparison->old_lines.count && !comparison->old_stays[cursor.old_line])
    cursor.old_line++;
  else
    cursor.new_line++;
  return cursor;
}

static void print_line(char sign, const struct line *line, struct hone__text *out_diff)
{
  size_t length = line->length;
  bool is_whole = length && line->data[length - 1] == '\n';

  hone__text_addn(out_diff, &sign, 1);
  hone__text_addn(out_diff, line->data, length);
  if (!is_whole) hone__text_add(out_diff, "\n\\ No newline at end of file\n");
}

static void print_lines(const struct comparison *comparison, struct cursor from, struct cursor to,
                        struct hone__text *out_diff)
{
  while (from.old_line != to.old_line || from.new_line != to.new_line) {
    struct cursor next = step(comparison, from);
    if (next.old_line > from.old_line)
      print_line(next.new_line > from.new_line ? ' ' : '-',
                 &comparison->old_lines.items[from.old_line], out_diff);
    else
      print_line('+', &comparison->new_lines.items[from.new_line], out_diff);
    from = next;
  }
}

static void print_range(char sign, size_t from, size_t to, struct hone__text *out_diff)
{
  size_t count = to - from;

  hone__text_addf(out_diff, "%c%zu", sign, count ? from + 1 : from);
  if (count != 1) hone__text_addf(out_diff, ",%zu", count);
}

/* Where the hunk that begins at `from` ends: after the last change that has fewer than two
 * contexts of equal lines before it. */
static struct cursor find_hunk_end(const struct comparison *comparison, struct cursor from)
{
  struct cursor end = from;
  size_t equal_lines = 0;

  for (struct cursor at = from; !at_end(comparison, at) && equal_lines <= 2 * CONTEXT;) {
    bool is_same = stays(comparison, at);
    at = step(comparison, at);
    equal_lines = is_same ? equal_lines + 1 : 0;
    if (!is_same) end = at;
  }
  return end;
}

static void print_hunk(const struct comparison *comparison, struct cursor from, struct cursor to,
                       struct hone__text *out_diff)
{
  for (int i = 0; i < CONTEXT && !at_end(comparison, to) && stays(comparison, to); i++)
    to = step(comparison, to);
  hone__text_add(out_diff, "@@ ");
  print_range('-', from.old_line, to.old_line, out_diff);
  hone__text_add(out_diff, " ");
  print_range('+', from.new_line, to.new_line, out_diff);
  hone__text_add(out_diff, " @@\n");
  print_lines(comparison, from, to, out_diff);
}

static void print_hunks(const struct comparison *comparison, struct hone__text *out_diff)
{
  struct cursor at = {0, 0};
  size_t equal_lines = 0;

  while (!at_end(comparison, at)) {
    if (stays(comparison, at)) {
      at = step(comparison, at);
      equal_lines++;
      continue;
    }
    size_t before = equal_lines < CONTEXT ? equal_lines : CONTEXT;
    struct cursor from = {at.old_line - before, at.new_line - before};
    at = find_hunk_end(comparison, at);
    print_hunk(comparison, from, at, out_diff);
    equal_lines = 0;
  }
}

void hone__region_diff(const char *old_text, const char *new_text, const char *old_name,
                       const char *new_name, struct hone__text *out_diff)
{
  struct comparison comparison = {.old_lines = split(old_text), .new_lines = split(new_text)};

  comparison.old_stays = hone__alloc(comparison.old_lines.count + 1);
  comparison.new_stays = hone__alloc(comparison.new_lines.count + 1);
  find_ends(&comparison);
  keep_ends(&comparison);
  keep_common(&comparison);
  if (strcmp(old_text, new_text) != 0) {
    hone__text_addf(out_diff, "--- %s\n+++ %s\n", old_name, new_name);
    print_hunks(&comparison, out_diff);
  }
  free(comparison.old_stays);
  free(comparison.new_stays);
  free(comparison.old_lines.items);
  free(comparison.new_lines.items);
}
