/* Structs in, JSON to the function that is meant. */
#include "backend/typed_build.h"

#include "build/build_includes.h"
#include "wire/packed_json.h"

/* ---- Includes ---- */

struct included_from { /* what hone__build_includes reads of a candidate */
  const char *source;
  const char **flags, **includes;
  size_t flags_count, includes_count;
};
static const struct hone__field included_fields[] = {
    HONE__TEXT(struct included_from, source, HONE__NEEDED),
    HONE__TEXTS(struct included_from, flags, HONE__OPTIONAL),
    HONE__TEXTS(struct included_from, includes, HONE__OPTIONAL),
};
static const struct hone__record_type included_type =
    HONE__RECORD_TYPE("source", struct included_from, included_fields);

static size_t count_of(const char *const *words)
{
  size_t count = 0;

  while (words && words[count])
    count++;
  return count;
}

bool hone__pairs_add_includes(struct hone__pairs *deps, const char *source,
                              const char *const *flags, const char *const *includes,
                              const char *folder)
{
  struct included_from from = {.source = source,
                               .flags = (const char **)(uintptr_t)flags,
                               .includes = (const char **)(uintptr_t)includes,
                               .flags_count = count_of(flags),
                               .includes_count = count_of(includes)};
  struct hone__packed *packed = hone__pack(&included_type, &from);
  json_t *found = json_array();
  bool are_all = hone__build_includes(hone__packed_json(packed), folder, found);

  for (size_t i = 0; i < json_array_size(found); i++) {
    const json_t *pair = json_array_get(found, i);
    hone__pairs_add(deps, json_string_value(json_array_get(pair, 0)),
                    json_string_value(json_array_get(pair, 1)));
  }
  json_decref(found);
  hone__packed_drop(packed);
  return are_all;
}

/* ---- Answers ---- */

static const struct hone__field notes_fields[] = {
    HONE__TEXT(struct hone__build_notes, command, HONE__OPTIONAL),
    HONE__NAMED(struct hone__build_notes, costs, HONE__OPTIONAL),
};
static const struct hone__record_type notes_type =
    HONE__RECORD_TYPE("notes", struct hone__build_notes, notes_fields);

void hone__answer_note(struct hone__answer *answer, const struct hone__build_notes *notes)
{
  if (!answer->head) answer->head = json_object();
  hone__json_add(answer->head, &notes_type, notes);
}
