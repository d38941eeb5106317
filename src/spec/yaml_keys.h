/* yaml_keys.h - distinct values, each with its index: a mapping's keys, a file's anchors. */
#ifndef HONE_SPEC_YAML_KEYS_H
#define HONE_SPEC_YAML_KEYS_H

#include "spec/value.h"
#include "spec/yaml_text.h"

struct hone__yaml_keys { /* to be cleared before use */
  struct hone__yaml_key {
    struct hone_value value;
    uint64_t hash;
  } * items;
  size_t count, capacity;
  uint32_t *slots;                /* an index into items, plus 1; 0: free */
  size_t slot_count, slots_taken; /* in use, a power of two; allocated */
  size_t probes;                  /* since the first use, clearing does not forget them */
};

void hone__yaml_keys_clear(struct hone__yaml_keys *keys);
void hone__yaml_keys_release(struct hone__yaml_keys *keys);

/* The index of the value, or the count if it is not there. */
size_t hone__yaml_keys_find(struct hone__yaml_keys *keys, struct hone_value value);
/* The index of the value, which is new if it is the former count. */
size_t hone__yaml_keys_add(struct hone__yaml_keys *keys, struct hone_value value);

/* Stops where the keys collide so often that their indices cannot be trusted any more. */
void hone__yaml_keys_check(const struct hone__yaml_keys *keys, struct hone__yaml_text *text,
                           struct hone__place place);

#endif
