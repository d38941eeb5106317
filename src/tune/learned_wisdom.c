#include "tune/learned_wisdom.h"

#include "hone_wisdom.h"
#include "session/wisdom_config.h"
#include "tune/carried_row.h"
#include "tune/first_rows.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether it is legal here, and there was room. */
static bool take_entry(struct hone__tuning *tuning, const struct hone_wisdom_entry *entry,
                       uint32_t *row)
{
  const struct hone_space *space = tuning->session.problem.space;
  char *config = hone__session_wisdom_config(entry);
  bool taken = config && hone__carried_row(space, config, row) && hone__first_rows_add(tuning, row);

  free(config);
  return taken;
}

hone_status hone__learned_wisdom(struct hone__tuning *tuning, const char *path, size_t *out_count)
{
  const char *name = tuning->session.problem.task.spec->name;
  struct hone_wisdom *wisdom;
  struct hone_wisdom_error error;
  const struct hone_wisdom_entry *entry;
  uint32_t *row;

  *out_count = 0;
  if (hone_wisdom_open(path, &wisdom, &error))
    return hone__error(HONE_INVALID_SPEC, "%s", error.message);
  row = hone__alloc(hone_space_width(tuning->session.problem.space) * sizeof *row);
  for (size_t i = 0; (entry = hone_wisdom_at(wisdom, i)); i++)
    if (strcmp(hone_wisdom_entry_kernel(entry), name) == 0)
      *out_count += take_entry(tuning, entry, row);
  free(row);
  hone_wisdom_free(wisdom);
  return NULL;
}
