/* Any bytes as a wisdom file: an error with a message and a place, or entries that are found by
 * their own names. */
#include "hone_wisdom.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_SIZES = 64 };

static void look_up(const struct hone_wisdom *wisdom, const struct hone_wisdom_entry *entry)
{
  struct hone_wisdom_pair sizes[MOST_SIZES];
  const struct hone_wisdom_entry *found;
  struct hone_wisdom_query query;
  size_t count = 0;
  double distance;

  while (count < MOST_SIZES && hone_wisdom_entry_size(entry, count)) {
    sizes[count] = *hone_wisdom_entry_size(entry, count);
    count++;
  }
  if (hone_wisdom_entry_size(entry, count)) return;
  hone_wisdom_query_init(&query);
  query.kernel = hone_wisdom_entry_kernel(entry);
  query.device = hone_wisdom_entry_device(entry);
  query.problem = sizes;
  query.problem_count = count;
  /* an alias of an earlier entry may be this one's name */
  if (hone_wisdom_find(wisdom, &query, &found, &distance) != HONE_WISDOM_EXACT || distance != 1)
    abort();
}

static void ask_entry(const struct hone_wisdom_entry *entry)
{
  for (size_t i = 0; hone_wisdom_entry_param(entry, i); i++) {
    const char *name = hone_wisdom_entry_param(entry, i)->name;
    if (!hone_wisdom_entry_value(entry, name)) abort();
    hone_wisdom_entry_integer(entry, name, 0);
    hone_wisdom_entry_text(entry, name, "");
  }
  for (size_t i = 0; hone_wisdom_entry_alias(entry, i); i++)
    if (strlen(hone_wisdom_entry_alias(entry, i)) > 1 << 20) return;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone_wisdom *wisdom;
  struct hone_wisdom_error error;
  enum hone_wisdom_code code = hone_wisdom_open_memory(data, size, "f", &wisdom, &error);

  if (code) {
    if (wisdom || error.code != code || !*error.message || !error.line) abort();
    return 0;
  }
  for (size_t i = 0; i < hone_wisdom_count(wisdom) && i < 100; i++) {
    ask_entry(hone_wisdom_at(wisdom, i));
    look_up(wisdom, hone_wisdom_at(wisdom, i));
  }
  hone_wisdom_free(wisdom);
  return 0;
}
