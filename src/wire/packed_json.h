/* packed_json.h - a packed message as the JSON that it is, for this folder and for tests. Both are
 * casts: references stay as they are. */
#ifndef HONE_WIRE_PACKED_JSON_H
#define HONE_WIRE_PACKED_JSON_H

#include "wire/record.h"

#include <jansson.h>

json_t *hone__packed_json(const struct hone__packed *packed);
struct hone__packed *hone__json_packed(const json_t *json);

/* Adds it on one line; `flags` as jansson has them. */
void hone__json_print(const json_t *json, size_t flags, struct hone__text *text);

#endif
