/* packed_json.h - a packed message as its JSON, for this folder and for tests. Both functions are
 * casts: reference counts do not change.
 */
#ifndef HONE_WIRE_PACKED_JSON_H
#define HONE_WIRE_PACKED_JSON_H

#include "wire/record.h"

#include <jansson.h>

json_t *hone__packed_json(const struct hone__packed *packed);
struct hone__packed *hone__wire_json_packed(const json_t *json);

/* Adds it on one line; `flags` are those of jansson. */
void hone__wire_json_print(const json_t *json, size_t flags, struct hone__text *text);

#endif
