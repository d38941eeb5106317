/* yaml.h - a YAML file as a tree of nodes with places.
 *
 * The meaning is PyYAML's safe_load (YAML 1.1), because kbench's files are written for it:
 *   - plain scalars are resolved to bool, int, float or None (yes, on, 010, 0x10, 1_000, 1:30);
 *     dates and integers beyond 64 bits stay text, as Python prints them (see yaml_scalar.h);
 *   - !!str, !!int, !!float, !!bool and !!null on scalars, !!map and !!seq are honoured, other tags
 *     are errors; keys are scalars;
 *   - merge keys: merged pairs come first, an explicit key keeps the merged place and gives its own
 *     value; `<<` takes a mapping or a list of mappings (earlier ones win); a mapping is merged
 *     into the element of a list only if written so;
 *   - a key that occurs twice: the first place, the last value, and a warning;
 *   - an anchor that occurs twice is an error.
 * Where PyYAML resolves a plain scalar but cannot construct it (2024-13-01, 0x_, = and << as
 * values), it is text here.
 * Tabs may stand between words, which PyYAML refuses.
 *
 * Aliases share the node, they are not copied. Strangers' files are safe to load, and to walk
 * without marking visited nodes: depth (100) and node count (2 million) are bounded as if every
 * alias were a copy; an alias to a node that is not complete yet is an error.
 *
 * Columns count bytes, lines end with \n. The place of a scalar is that of its text, after an
 * anchor or tag on the same line.
 */
#ifndef HONE_SPEC_YAML_H
#define HONE_SPEC_YAML_H

#include "base/diagnostics.h"
#include "spec/value.h"

enum hone__node_kind { HONE__SCALAR, HONE__SEQUENCE, HONE__MAPPING };

struct hone__node {
  enum hone__node_kind kind;
  struct hone__place place;
  bool anchored;           /* this node carries an anchor (&name) */
  bool plain;              /* a scalar without quotes, not a block scalar */
  const char *text;        /* scalar: as written, after unquoting; never NULL for scalars */
  struct hone_value value; /* scalar: resolved; a quoted one is text */
  size_t count;
  struct hone__node **items; /* sequence */
  struct hone__pair {
    struct hone__node *key, *value;
  } * pairs; /* mapping, merged */
};

/* Parses `size` bytes. Errors go to `diagnostics` with their places; *out_root is NULL if there
 * were any, or if the file holds nothing. More than one document is an error. */
void hone__yaml_parse(const char *text, size_t size, const struct hone__source *source,
                      struct hone__arena *arena, struct hone__diagnostics *diagnostics,
                      struct hone__node **out_root);

/* The value of a mapping's key, or NULL. */
struct hone__node *hone__node_get(const struct hone__node *mapping, const char *key);

/* "a mapping", "a list", "text", "an integer" ...: for messages. */
const char *hone__node_kind_name(const struct hone__node *node);

#endif
