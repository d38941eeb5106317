#include "session/deps_text.h"

#include "wire/record.h"

#include <string.h>

struct deps {
  struct hone__name_value *deps;
  size_t deps_count;
};
static const struct hone__field fields[] = {
    HONE__PAIRS(struct deps, deps, HONE__NEEDED),
};
static const struct hone__record_type deps_type = HONE__RECORD_TYPE("deps", struct deps, fields);

const char *hone__deps_print(const struct hone__name_value *deps, size_t count,
                             struct hone__arena *arena)
{
  struct deps record = {(struct hone__name_value *)(uintptr_t)deps, count};
  struct hone__text text = {0};
  const char *kept;

  hone__field_print(&deps_type, &record, "deps", HONE__BY_TABLE, &text);
  kept = hone__arena_strdup(arena, text.data ? text.data : "[]");
  hone__text_release(&text);
  return kept;
}

bool hone__deps_parse(const char *text, struct hone__pairs *deps)
{
  struct hone__text whole = {0};
  struct hone__arena arena = {0};
  struct deps record;
  struct hone__packed *packed;
  hone_status status;

  if (!text) return false;
  hone__text_addf(&whole, "{\"deps\":%s}", text);
  packed = hone__packed_parse(whole.data, whole.length);
  status = hone__unpack(packed, &deps_type, &arena, &record);
  if (!status) hone__pairs_add_all(deps, record.deps, record.deps_count);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
  hone__text_release(&whole);
  hone_status_free(status);
  return !status;
}
