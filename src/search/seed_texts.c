/* seed_texts.c - which configurations have these texts: all are printed once and compared. */
#include "search/seed_texts.h"

#include <stdlib.h>

enum { MOST_ROWS = 1000000 };

static size_t find_text(const struct hone_space *space, const char *name)
{
  for (size_t i = 0; i < hone_space_text_count(space); i++)
    if (!strcmp(hone_space_text_name(space, i), name)) return i;
  return SIZE_MAX;
}

bool hone__seed_is_texts(const struct hone_space *space, const struct hone__node *seed)
{
  for (size_t i = 0; i < seed->count; i++)
    if (find_text(space, seed->pairs[i].key->text) == SIZE_MAX) return false;
  return seed->count > 0;
}

struct finding {
  const struct hone_space *space;
  const struct hone__node *list;
  uint64_t *indices;
  uint64_t at;
  size_t missing;
  char *buffer;
  size_t size;
};

/* The row's text; NULL: it has none. */
static const char *print_text(struct finding *finding, const uint32_t *row, size_t text)
{
  size_t length = hone_space_print_text(finding->space, row, text, finding->buffer, finding->size);

  if (length == HONE_NO_TEXT) return NULL;
  if (length >= finding->size) {
    finding->size = 2 * length + 1;
    finding->buffer = hone__realloc(finding->buffer, finding->size);
    hone_space_print_text(finding->space, row, text, finding->buffer, finding->size);
  }
  return finding->buffer;
}

static bool has_texts(struct finding *finding, const uint32_t *row, const struct hone__node *seed)
{
  for (size_t i = 0; i < seed->count; i++) {
    size_t number = find_text(finding->space, seed->pairs[i].key->text);
    const char *text = print_text(finding, row, number);
    if (!text || strcmp(text, seed->pairs[i].value->text) != 0) return false;
  }
  return true;
}

static bool visit_row(void *data, const uint32_t *row)
{
  struct finding *finding = data;

  for (size_t i = 0; i < finding->list->count; i++) {
    const struct hone__node *seed = finding->list->items[i];
    if (finding->indices[i] != UINT64_MAX || !hone__seed_is_texts(finding->space, seed)) continue;
    if (!has_texts(finding, row, seed)) continue;
    finding->indices[i] = finding->at;
    finding->missing--;
  }
  finding->at++;
  return finding->missing && finding->at < MOST_ROWS;
}

void hone__seed_texts_find(const struct hone_space *space, const struct hone__node *list,
                           uint64_t *out_indices)
{
  struct finding finding = {.space = space, .list = list, .indices = out_indices, .size = 4096};

  finding.buffer = hone__alloc(finding.size);
  for (size_t i = 0; i < list->count; i++) {
    out_indices[i] = UINT64_MAX;
    finding.missing += hone__seed_is_texts(space, list->items[i]);
  }
  if (finding.missing) hone_space_each(space, 0, visit_row, &finding);
  free(finding.buffer);
}
