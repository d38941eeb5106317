#include "search/seeds.h"

#include "search/seed_texts.h"

#include <stdlib.h>
#include <string.h>

enum { ASTRAY_SHOWN = 3 };

static int by_index(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

  return (x > y) - (x < y);
}

/* "BM=64,ALGO='packed'" */
static char *seed_text(const struct hone__node *seed)
{
  struct hone__text text = {0};

  for (size_t i = 0; i < seed->count; i++) {
    hone__text_addf(&text, "%s%s=", i ? "," : "", seed->pairs[i].key->text);
    hone__value_repr(seed->pairs[i].value->value, &text);
  }
  return hone__text_take(&text);
}

/* *out_elsewhere: it is legal, but in another part of the space. */
static bool find_seed(const struct hone_space *space, const struct hone__node *seed, uint32_t *row,
                      uint64_t *out_index, bool *out_elsewhere)
{
  char *text = seed_text(seed);
  hone_status status = hone_space_parse(space, text, row);
  bool found = !status && hone_space_index_of(space, row, out_index);

  *out_elsewhere = !status && !found && hone__space_is_legal(space, row);
  hone_status_free(status);
  free(text);
  return found;
}

static void note_outside(struct hone__seeds *seeds, const struct hone__node *seed)
{
  char *text = seed_text(seed);

  if (seeds->missing < ASTRAY_SHOWN)
    hone__text_addf(&seeds->outside, "%s%s", seeds->outside.length ? ", " : "", text);
  else if (seeds->missing == ASTRAY_SHOWN)
    hone__text_add(&seeds->outside, ", ...");
  seeds->missing++;
  free(text);
}

static bool is_known(const struct hone__seeds *seeds, uint64_t index)
{
  return bsearch(&index, seeds->sorted, seeds->indexed, sizeof index, by_index) != NULL;
}

static void sort_in(struct hone__seeds *seeds, uint64_t index)
{
  size_t at = seeds->indexed++;

  for (; at > 0 && seeds->sorted[at - 1] > index; at--)
    seeds->sorted[at] = seeds->sorted[at - 1];
  seeds->sorted[at] = index;
}

static bool has_row(const struct hone__seeds *seeds, const uint32_t *row)
{
  size_t width = hone_space_width(seeds->space);
  size_t bytes = (1 + hone_space_param_count(seeds->space, row[0])) * sizeof *row;

  for (size_t i = 0; i < seeds->count; i++)
    if (memcmp(seeds->rows + i * width, row, bytes) == 0) return true;
  return false;
}

/* Beyond 2^64 there are no indices. */
static void add_seed(struct hone__seeds *seeds, const uint32_t *row, uint64_t index)
{
  size_t width = hone_space_width(seeds->space);
  bool has_index = index != UINT64_MAX;

  if (has_index ? is_known(seeds, index) : has_row(seeds, row)) return;
  if (has_index) sort_in(seeds, index);
  memcpy(seeds->rows + seeds->count++ * width, row, width * sizeof *row);
}

static void add_rows(struct hone__seeds *seeds, const uint32_t *rows, size_t count)
{
  size_t width = hone_space_width(seeds->space);
  uint64_t index;

  for (size_t i = 0; i < count; i++)
    if (hone_space_index_of(seeds->space, rows + i * width, &index))
      add_seed(seeds, rows + i * width, index);
}

void hone__seeds_open(struct hone__seeds *seeds, const struct hone__search_options *options)
{
  const struct hone_space *space = options->space;
  const struct hone__node *root = space->spec->root;
  const struct hone__node *search = root ? hone__node_get(root, "search") : NULL;
  const struct hone__node *list = search ? hone__node_get(search, "seeds") : NULL;
  size_t count = list && list->kind == HONE__SEQUENCE ? list->count : 0;
  uint32_t *row = hone__alloc(space->width * sizeof *row);
  uint64_t index, *by_texts = hone__alloc((count + 1) * sizeof *by_texts);
  size_t most = options->first_count + count + options->before_count + 1;
  bool is_elsewhere;

  *seeds = (struct hone__seeds){.space = space};
  seeds->sorted = hone__alloc(most * sizeof *seeds->sorted);
  seeds->rows = hone__alloc(most * space->width * sizeof *seeds->rows);
  add_rows(seeds, options->first, options->first_count);
  if (count) hone__seed_texts_find(space, list, by_texts);
  for (size_t i = 0; i < count; i++) {
    if (by_texts[i] != UINT64_MAX && hone_space_at(space, by_texts[i], row))
      add_seed(seeds, row, by_texts[i]);
    else if (hone__seed_is_texts(space, list->items[i]))
      seeds->missing++;
    else if (find_seed(space, list->items[i], row, &index, &is_elsewhere))
      add_seed(seeds, row, index);
    else if (!is_elsewhere)
      note_outside(seeds, list->items[i]);
  }
  add_rows(seeds, options->before, options->before_count);
  free(by_texts);
  free(row);
}

void hone__seeds_release(struct hone__seeds *seeds)
{
  hone__text_release(&seeds->outside);
  free(seeds->sorted);
  free(seeds->rows);
  *seeds = (struct hone__seeds){0};
}

size_t hone__seeds_ask(struct hone__seeds *seeds, size_t count, uint32_t *rows)
{
  size_t width = hone_space_width(seeds->space), given = 0;

  for (; given < count && seeds->next < seeds->count; given++)
    memcpy(rows + given * width, seeds->rows + seeds->next++ * width, width * sizeof *rows);
  return given;
}

bool hone__seeds_has(const struct hone__seeds *seeds, uint64_t index)
{
  return seeds->count && is_known(seeds, index);
}
