/* Merged pairs come first, then those that are written in the mapping: the first of equal keys
 * gives the place in the order, the last one the value. */
#include "spec/yaml_mapping.h"

#include <stdlib.h>

const char hone__yaml_merge_key[] = "<<";

static void join_pair(struct hone__yaml_mapper *mapper, struct hone__pair pair, bool is_explicit)
{
  size_t known = mapper->keys.count, i = hone__yaml_keys_add(&mapper->keys, pair.key->value);
  struct hone__yaml_merged_pair *merged;

  if (i == known) {
    HONE__GROW(mapper->pairs, i, mapper->capacity);
    mapper->pairs[i] = (struct hone__yaml_merged_pair){pair, is_explicit};
    return;
  }
  merged = &mapper->pairs[i];
  if (is_explicit && merged->is_explicit)
    hone__yaml_report(
        mapper->text, HONE__WARNING, pair.key->place,
        "duplicate key '%s' in this mapping (first on line %u); the last value counts",
        hone__yaml_excerpt(pair.key->text).text,
        hone__yaml_line(mapper->text, merged->pair.key->place));
  merged->is_explicit |= is_explicit;
  merged->pair.value = pair.value;
  /* True stays True where 1 comes after it, as in Python; else messages show the later key. */
  if (merged->pair.key->value.type == pair.key->value.type) merged->pair.key = pair.key;
}

static void merge_mapping(struct hone__yaml_mapper *mapper, const struct hone__node *mapping,
                          struct hone__place place)
{
  if (!hone__yaml_charge(mapper->text, mapping->count, place)) return;
  for (size_t i = 0; i < mapping->count; i++)
    join_pair(mapper, mapping->pairs[i], false);
}

/* What `<<` names; of a list the last is joined first, so that the earlier ones win. */
static void merge_node(struct hone__yaml_mapper *mapper, const struct hone__node *node,
                       struct hone__place place)
{
  if (node->kind == HONE__MAPPING) {
    merge_mapping(mapper, node, place);
    return;
  }
  if (node->kind != HONE__SEQUENCE)
    hone__yaml_report(mapper->text, HONE__ERROR, place,
                      "'<<' takes a mapping or a list of mappings, not %s",
                      hone__node_kind_name(node));
  for (size_t i = node->count; i-- > 0 && !mapper->text->stopped;) {
    const struct hone__node *item = node->items[i];
    if (item->kind == HONE__MAPPING)
      merge_mapping(mapper, item, place);
    else
      hone__yaml_report(mapper->text, HONE__ERROR, place,
                        "'<<' takes a list of mappings, but this list holds %s",
                        hone__node_kind_name(item));
  }
}

static bool is_merge_key(const struct hone__node *key)
{
  return key->kind == HONE__SCALAR && key->value.type == HONE_TEXT &&
         key->value.text == hone__yaml_merge_key;
}

void hone__yaml_map(struct hone__yaml_mapper *mapper, struct hone__node *const *children,
                    size_t count, struct hone__node *mapping)
{
  hone__yaml_keys_clear(&mapper->keys);
  for (size_t i = 0; i + 1 < count && !mapper->text->stopped; i += 2)
    if (is_merge_key(children[i])) merge_node(mapper, children[i + 1], children[i]->place);
  for (size_t i = 0; i + 1 < count && !mapper->text->stopped; i += 2)
    if (children[i]->kind == HONE__SCALAR && !is_merge_key(children[i]))
      join_pair(mapper, (struct hone__pair){children[i], children[i + 1]}, true);
  mapping->count = mapper->keys.count;
  mapping->pairs = hone__arena_alloc(mapper->arena, mapping->count * sizeof *mapping->pairs);
  for (size_t i = 0; i < mapping->count; i++)
    mapping->pairs[i] = mapper->pairs[i].pair;
  hone__yaml_keys_check(&mapper->keys, mapper->text, mapping->place);
}

void hone__yaml_mapper_release(struct hone__yaml_mapper *mapper)
{
  hone__yaml_keys_release(&mapper->keys);
  free(mapper->pairs);
}
