/* Editing: pieces of the text replaced. Where something was cut out of a list, no comma is left
 * without an item, also if neighbours were cut together. */
#include "iree/mlir/mlir.h"

#include <ctype.h>
#include <stdlib.h>

static bool is_blank(const struct hone__mlir *mlir, size_t at)
{
  return at < mlir->size && isspace((unsigned char)mlir->text[at]);
}

static size_t skip_blanks(const struct hone__mlir *mlir, size_t at)
{
  while (is_blank(mlir, at))
    at++;
  return at;
}

struct hone__mlir_span hone__mlir_entry_span(const struct hone__mlir *mlir,
                                             const struct hone__mlir_entry *entry)
{
  struct hone__mlir_span span = entry->span;
  size_t next = skip_blanks(mlir, span.end), before = span.begin;

  if (next < mlir->size && mlir->text[next] == ',') {
    span.end = skip_blanks(mlir, next + 1);
    return span;
  }
  while (before && is_blank(mlir, before - 1))
    before--;
  if (before && mlir->text[before - 1] == ',') span.begin = before - 1;
  return span;
}

static int by_begin(const void *a, const void *b)
{
  const struct hone__mlir_edit *left = a, *right = b;

  return (left->span.begin > right->span.begin) - (left->span.begin < right->span.begin);
}

static size_t solid_length(const struct hone__text *text)
{
  size_t length = text->length;

  while (length && isspace((unsigned char)text->data[length - 1]))
    length--;
  return length;
}

/* After a cut: drops a comma that separates nothing. Returns where the text goes on. */
static size_t drop_comma(const struct hone__mlir *mlir, size_t at, struct hone__text *text)
{
  size_t length = solid_length(text), next = skip_blanks(mlir, at);
  char before = length ? text->data[length - 1] : 0;
  char behind = next < mlir->size ? mlir->text[next] : 0;

  if (!before || !behind) return at;
  if (strchr(",{[(<", before) && behind == ',') return skip_blanks(mlir, next + 1);
  if (before == ',' && strchr("}])>", behind)) {
    text->length = length - 1;
    text->data[text->length] = 0;
    return next;
  }
  return at;
}

void hone__mlir_edit(const struct hone__mlir *mlir, const struct hone__mlir_edit *edits,
                     size_t count, struct hone__text *out_text)
{
  struct hone__mlir_edit *sorted = hone__alloc((count + 1) * sizeof *sorted);
  size_t at = 0;

  if (count) memcpy(sorted, edits, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_begin);
  for (size_t i = 0; i < count; i++) {
    struct hone__mlir_span span = sorted[i].span;
    if (span.end > mlir->size) span.end = mlir->size;
    if (span.begin > at) hone__text_addn(out_text, mlir->text + at, span.begin - at);
    if (span.begin >= at) hone__text_add(out_text, sorted[i].text);
    if (span.end > at) at = span.end;
    if (!sorted[i].text[0]) at = drop_comma(mlir, at, out_text);
  }
  hone__text_addn(out_text, mlir->text + at, mlir->size - at);
  free(sorted);
}
