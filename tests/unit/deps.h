/* deps.h - asks a backend about the files in a build's reply. */
#ifndef HONE_TESTS_UNIT_DEPS_H
#define HONE_TESTS_UNIT_DEPS_H

#include "base/pairs.h"
#include "wire/packed_json.h"

static inline bool deps_are_current(bool (*method)(const struct hone__pairs *deps),
                                    const json_t *list)
{
  struct hone__pairs deps = {0};
  bool current;

  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *pair = json_array_get(list, i);
    hone__pairs_add(&deps, json_string_value(json_array_get(pair, 0)),
                    json_string_value(json_array_get(pair, 1)));
  }
  current = method(&deps);
  hone__pairs_release(&deps);
  return current;
}

#endif
