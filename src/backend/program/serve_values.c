#include "backend/program/program_plan.h"
#include "wire/named.h"

static void list_params(const struct hone__program_case *one, struct hone__named_list *config,
                        struct hone__named_list *runtime)
{
  const struct hone_space *space = one->plan->task->space;
  size_t group = one->row[0];

  for (size_t i = 0; i < hone_space_param_count(space, group); i++) {
    bool is_runtime = hone_space_param_is_runtime(space, group, i);
    if (!hone__definition_stands_again(space, group, i))
      hone__named_set(is_runtime ? runtime : config, hone_space_param_name(space, group, i),
                      hone_space_value(space, group, i, one->row[1 + i]));
  }
}

static void list_derived(const struct hone__program_case *one, struct hone__named_list *derived)
{
  const struct hone_space *space = one->plan->task->space;
  struct hone_value value;

  for (size_t i = 0; i < hone_space_derived_count(space); i++)
    if (hone_space_derived(space, one->row, i, &value) && value.type != HONE_LIST)
      hone__named_set(derived, hone_space_derived_name(space, i), value);
}

void hone__serve_values(const struct hone__program_case *one, struct hone__arena *arena,
                        struct hone__program_candidate *candidate)
{
  struct hone__named_list config = {.arena = arena}, runtime = config, derived = config;

  list_params(one, &config, &runtime);
  list_derived(one, &derived);
  candidate->config = config.items;
  candidate->config_count = config.count;
  candidate->runtime = runtime.items;
  candidate->runtime_count = runtime.count;
  candidate->derived = derived.items;
  candidate->derived_count = derived.count;
}
