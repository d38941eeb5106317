/* yaml_mapping.h - keys and values become a mapping: merge keys are resolved, equal keys joined. */
#ifndef HONE_SPEC_YAML_MAPPING_H
#define HONE_SPEC_YAML_MAPPING_H

#include "spec/yaml.h"
#include "spec/yaml_keys.h"

extern const char hone__yaml_merge_key[]; /* the value of a merge key is this very text */

struct hone__yaml_mapper { /* { .text, .arena } is ready; for one mapping after the other */
  struct hone__yaml_text *text;
  struct hone__arena *arena;
  struct hone__yaml_keys keys;
  struct hone__yaml_merged_pair {
    struct hone__pair pair;
    bool is_explicit; /* written in the mapping itself */
  } * pairs;          /* by the index of the key */
  size_t capacity;
};

/* Fills in the mapping's pairs; `children` are key, value, key ... */
void hone__yaml_map(struct hone__yaml_mapper *mapper, struct hone__node *const *children,
                    size_t count, struct hone__node *mapping);
void hone__yaml_mapper_release(struct hone__yaml_mapper *mapper);

#endif
