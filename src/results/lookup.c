/* hone_store_lookup: what the store proves to be best, with typed values. */
#include "hone_results.h"

#include "base/text.h"
#include "spec/params.h"
#include "spec/spec_text.h"
#include "spec/word_kind.h"
#include "store/stored.h"

#include <math.h>
#include <stdlib.h>

struct hone_found {
  struct hone__arena arena;
  struct hone__proved proved;
  const struct hone__spec_param *params;
  size_t param_count;
};

/* ---- Looking ---- */

static hone_status explain(const char *kernel, const char *problem, const char *device,
                           const struct hone__proved_seen *seen)
{
  struct hone__text why = {0};
  hone_status status;

  if (!seen->runs)
    hone__text_addf(&why, "the store has no finished run of '%s'", kernel);
  else if (!seen->of_problem)
    hone__text_addf(&why, "no finished run of '%s' is for the problem '%s'", kernel, problem);
  else if (!seen->of_device)
    hone__text_addf(&why, "no finished run of '%s' was made on '%s'", kernel, device);
  else
    hone__text_addf(&why, "no run of '%s' proves anything%s", kernel,
                    seen->suspicious     ? ": the time of its winner is suspicious"
                    : seen->inconclusive ? ": its verdict is INCONCLUSIVE"
                                         : "");
  status = hone__error(HONE_NOT_FOUND, "no proved configuration: %s", why.data);
  hone__text_release(&why);
  return status;
}

hone_status hone_store_lookup(struct hone_store *store, const char *kernel, const char *problem,
                              const char *device, struct hone_found **out_found)
{
  struct hone_found *found = hone__alloc(sizeof *found);
  struct hone__proved_seen seen;
  hone_status status = NULL;

  *out_found = NULL;
  if (!kernel) status = hone__error(HONE_INVALID_ARGUMENT, "a lookup needs the name of a kernel");
  if (!status)
    status = hone__store_proved(store, kernel, problem ? problem : "", device, &found->arena,
                                &found->proved, &seen);
  if (!status && !found->proved.config)
    status = explain(kernel, problem ? problem : "", device, &seen);
  if (status) {
    hone_found_free(found);
    return status;
  }
  found->params = hone__config_params(&found->arena, found->proved.config, &found->param_count);
  *out_found = found;
  return NULL;
}

void hone_found_free(struct hone_found *found)
{
  if (!found) return;
  hone__arena_release(&found->arena);
  free(found);
}

/* ---- Accessors ---- */

int64_t hone_found_run(const struct hone_found *found)
{
  return found->proved.run;
}

enum hone_verdict hone_found_verdict(const struct hone_found *found)
{
  return found->proved.verdict;
}

double hone_found_speedup(const struct hone_found *found, double *out_low, double *out_high)
{
  if (out_low) *out_low = found->proved.low;
  if (out_high) *out_high = found->proved.high;
  return found->proved.speedup;
}

const char *hone_found_device(const struct hone_found *found)
{
  return found->proved.device;
}

const char *hone_found_config(const struct hone_found *found)
{
  return found->proved.config;
}

size_t hone_found_param_count(const struct hone_found *found)
{
  return found->param_count;
}

const char *hone_found_param_name(const struct hone_found *found, size_t param)
{
  return param < found->param_count ? found->params[param].name : NULL;
}

struct hone_value hone_found_param(const struct hone_found *found, size_t param)
{
  if (param >= found->param_count) return (struct hone_value){.type = HONE_NONE};
  return hone__word_value(found->params[param].value);
}

bool hone_found_value(const struct hone_found *found, const char *name,
                      struct hone_value *out_value)
{
  *out_value = (struct hone_value){.type = HONE_NONE};
  for (size_t i = 0; name && i < found->param_count; i++) {
    if (strcmp(found->params[i].name, name) != 0) continue;
    *out_value = hone__word_value(found->params[i].value);
    return true;
  }
  return false;
}
