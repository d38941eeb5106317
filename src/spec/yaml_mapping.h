/* yaml_mapping.h - keys and values become a mapping: merge keys are resolved, equal keys joined. */
#ifndef HONE_SPEC_YAML_MAPPING_H
#define HONE_SPEC_YAML_MAPPING_H

#include "spec/yaml.h"
#include "spec/yaml_keys.h"

extern const char hone__yaml_merge_key[]; /* the value of a merge key is this very text */

struct hone_yaml_mapper { /* { .text, .arena } is ready; for one mapping after the other */
  struct hone_yaml_text *text;
  struct hone_arena *arena;
  struct hone_yaml_keys keys;
  struct hone_yaml_merged_pair {
    struct hone_pair pair;
    bool is_explicit; /* written in the mapping itself */
  } * pairs;          /* by the index of the key */
  size_t capacity;
};

/* Fills in the mapping's pairs; `children` are key, value, key ... */
void hone__yaml_map(struct hone_yaml_mapper *mapper, struct hone_node *const *children,
                    size_t count, struct hone_node *mapping);
void hone__yaml_mapper_release(struct hone_yaml_mapper *mapper);

#endif
