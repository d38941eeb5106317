#include "session/objective_set.h"

#include "wire/frame.h"

#include <string.h>

static const struct hone__objective only_time = {.name = "time", .metric = SIZE_MAX};

static void settle_proof(struct hone__objectives *objectives, const struct hone_spec *spec)
{
  const struct hone__objective *proven = &objectives->all[0];

  for (size_t i = objectives->count; i-- > 0;)
    if (!objectives->all[i].is_energy) proven = &objectives->all[i];
  objectives->proven = proven->metric == SIZE_MAX ? NULL : &spec->metrics[proven->metric];
  objectives->maximise = proven->maximise;
}

void hone__objectives_settle(struct hone__objectives *objectives, const struct hone_spec *spec)
{
  objectives->all[0] = only_time;
  objectives->count = spec->objective_count ? spec->objective_count : 1;
  if (spec->objective_count) memcpy(objectives->all, spec->objectives, sizeof objectives->all);
  settle_proof(objectives, spec);
}

size_t hone__objectives_search_count(const struct hone__objectives *objectives)
{
  return objectives->count > 1 ? objectives->count + 1 : 1;
}
