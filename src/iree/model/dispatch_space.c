#include "iree/model/dispatch_space.h"

#include "base/memory.h"
#include "hone_iree.h"

#include <stdlib.h>
#include <string.h>

hone_status hone__model_dispatch_space_open(struct hone__model_dispatch_space *space,
                                            const char *dump,
                                            const struct hone_iree_options *options,
                                            bool for_tuning)
{
  struct hone_iree_options iree = *options;
  struct hone_spec_options load;

  *space =
      (struct hone__model_dispatch_space){.dump = hone__strdup(dump), .for_tuning = for_tuning};
  hone_spec_options_init(&load);
  load.files = &dump;
  load.file_count = 1;
  load.iree = &iree;
  iree.target = NULL; /* the dump has it */
  iree.for_tuning = for_tuning;
  return hone_spec_load(&load, &space->spec);
}

hone_status hone__model_dispatch_space_solve(struct hone__model_dispatch_space *space)
{
  struct hone_space_options options;

  if (space->space) return NULL;
  hone_space_options_init(&options);
  return hone_space_build(space->spec, &options, &space->space);
}

uint64_t hone__model_dispatch_space_candidates(const struct hone__model_dispatch_space *space)
{
  return hone_space_count(space->space) - space->for_tuning;
}

void hone__model_dispatch_space_release(struct hone__model_dispatch_space *space)
{
  hone_space_free(space->space);
  hone_spec_free(space->spec);
  free(space->dump);
  *space = (struct hone__model_dispatch_space){0};
}

/* ---- Those of a model ---- */

void hone__model_dispatch_spaces_put(struct hone__model_dispatch_spaces *spaces,
                                     struct hone__model_dispatch_space *space)
{
  spaces->list = hone__realloc(spaces->list, (spaces->count + 1) * sizeof *spaces->list);
  spaces->list[spaces->count++] = *space;
  *space = (struct hone__model_dispatch_space){0};
}

struct hone__model_dispatch_space *
hone__model_dispatch_spaces_find(const struct hone__model_dispatch_spaces *spaces, const char *dump)
{
  for (size_t i = 0; i < spaces->count; i++)
    if (spaces->list[i].dump && strcmp(spaces->list[i].dump, dump) == 0) return &spaces->list[i];
  return NULL;
}

bool hone__model_dispatch_spaces_take(struct hone__model_dispatch_spaces *spaces, const char *dump,
                                      struct hone__model_dispatch_space *out_space)
{
  struct hone__model_dispatch_space *space = hone__model_dispatch_spaces_find(spaces, dump);

  if (!space) return false;
  *out_space = *space;
  *space = (struct hone__model_dispatch_space){0};
  return true;
}

void hone__model_dispatch_spaces_release(struct hone__model_dispatch_spaces *spaces)
{
  for (size_t i = 0; i < spaces->count; i++)
    hone__model_dispatch_space_release(&spaces->list[i]);
  free(spaces->list);
  *spaces = (struct hone__model_dispatch_spaces){0};
}
