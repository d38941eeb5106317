/* A list that somebody else has chosen: the rows of the options' `first`, in their order, and no
 * others. It is not in the table of strategies. */
#include "search/search.h"

#include "base/memory.h"

#include <stdlib.h>

struct selected {
  uint32_t *rows;
  size_t width, count, next;
};

static hone_status open_selected(const struct hone__search_options *options, void **out_state)
{
  struct selected *list = hone__alloc(sizeof *list);
  size_t bytes;

  list->width = hone_space_width(options->space);
  list->count = options->first_count;
  bytes = list->count * list->width * sizeof *list->rows;
  list->rows = hone__alloc(bytes + 1);
  if (bytes) memcpy(list->rows, options->first, bytes);
  *out_state = list;
  return NULL;
}

static size_t ask_selected(void *state, size_t count, uint32_t *rows)
{
  struct selected *list = state;
  size_t left = list->count - list->next, given = count < left ? count : left;

  if (given)
    memcpy(rows, list->rows + list->next * list->width, given * list->width * sizeof *rows);
  list->next += given;
  return given;
}

static void close_selected(void *state)
{
  struct selected *list = state;

  free(list->rows);
  free(list);
}

const struct hone__strategy hone__search_selected = {.name = "selected",
                                                     .summary = "what the host has chosen",
                                                     .open = open_selected,
                                                     .ask = ask_selected,
                                                     .close = close_selected};
