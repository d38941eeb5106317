/* Any bytes as a YAML file. A tree that comes back is walked as if aliases were copies, which must
 * stay within the bounds that yaml.h promises. */
#include "spec/yaml.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t walk(const struct hone__node *node, size_t depth)
{
  size_t nodes = 1;

  if (depth > 100) abort();
  if (node->kind == HONE__SCALAR) {
    if (!node->text || (node->value.type == HONE_TEXT && !node->value.text)) abort();
    return nodes;
  }
  for (size_t i = 0; i < node->count; i++) {
    if (node->kind == HONE__SEQUENCE) {
      nodes += walk(node->items[i], depth + 1);
    } else {
      if (node->pairs[i].key->kind != HONE__SCALAR) abort();
      nodes += 1 + walk(node->pairs[i].value, depth + 1);
    }
  }
  return nodes;
}

static void check_places(const struct hone__diagnostics *diagnostics, size_t size)
{
  for (size_t i = 0; i < diagnostics->count; i++)
    if (diagnostics->items[i].place.line > size + 1 ||
        diagnostics->items[i].place.column > size + 1)
      abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__source source = {.path = "fuzz", .text = (const char *)data, .size = size};
  struct hone__diagnostics diagnostics = {0};
  struct hone__arena arena = {0};
  struct hone__node *root;

  hone__yaml_parse(source.text, size, &source, &arena, &diagnostics, &root);
  if (root && diagnostics.errors) abort();
  if (root && walk(root, 0) > 2000000) abort();
  check_places(&diagnostics, size);
  free(hone__diagnostics_text(&diagnostics, HONE__ERROR));
  free(hone__diagnostics_text(&diagnostics, HONE__WARNING));
  hone__diagnostics_release(&diagnostics);
  hone__arena_release(&arena);
  return 0;
}
