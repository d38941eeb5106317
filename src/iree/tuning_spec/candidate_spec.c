/* candidate_spec.c - one configuration of a space as a tuning spec: the matcher stands in the
 * settings of the spec that was made of the MLIR file, the rest among the configuration's texts. */
#include "hone.h"
#include "hone_iree.h"

#include "iree/tuning_spec/tuning_spec.h"
#include "space/space.h"
#include "spec/spec.h"

#include <stdlib.h>

static const char *setting_of(const struct hone_spec *spec, const char *key)
{
  const struct hone__node *root = spec->root, *iree, *node;

  iree = root && root->kind == HONE__MAPPING ? hone__node_get(root, "iree") : NULL;
  node = iree && iree->kind == HONE__MAPPING ? hone__node_get(iree, key) : NULL;
  return node && node->kind == HONE__SCALAR ? node->text : NULL;
}

/* NULL: the configuration has no such text. */
static char *text_of(const struct hone_space *space, const uint32_t *row, const char *name)
{
  char *text;
  size_t length, number = 0;

  while (number < hone_space_text_count(space) &&
         strcmp(hone_space_text_name(space, number), name) != 0)
    number++;
  if (number == hone_space_text_count(space)) return NULL;
  length = hone_space_print_text(space, row, number, NULL, 0);
  if (length == HONE_NO_TEXT) return NULL;
  text = hone__alloc(length + 1);
  hone_space_print_text(space, row, number, text, length + 1);
  return text;
}

hone_status hone_iree_candidate_spec(const struct hone_space *space, const uint32_t *row,
                                     char **out_text)
{
  struct hone__iree_tuning_entry entry = {.name = setting_of(space->spec, "matcher_name"),
                                          .matcher = setting_of(space->spec, "matcher")};
  struct hone__text text = {0};
  char *info, *decomposition;

  *out_text = NULL;
  if (!entry.matcher)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'%s' is not an IREE operation: it has no tuning specs", space->spec->name);
  entry.compilation_info = info = text_of(space, row, "compilation_info");
  entry.decomposition_config = decomposition = text_of(space, row, "decomposition_config");
  hone__iree_tuning_spec_print(&entry, info || decomposition ? 1 : 0, &text);
  *out_text = hone__text_take(&text);
  free(decomposition);
  free(info);
  return NULL;
}
