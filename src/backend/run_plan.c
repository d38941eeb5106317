/* Jobs come from a driver that may be of another version: whatever is in them, they are either
 * refused or have sane bounds. */
#include "backend/run_plan.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

enum { MOST_CANDIDATES = 4096 };
static const double margin_s = 3, shortest_s = 0.5;

static double number(const json_t *job, const char *key)
{
  return json_number_value(json_object_get(job, key));
}

static size_t count_of(const json_t *job, const char *key)
{
  double value = number(job, key);

  return value > 0 && value < 1e9 ? (size_t)value : 0;
}

hone_status hone__run_plan_read(const json_t *job, struct hone__run_plan *out_plan)
{
  const char *mode = json_string_value(json_object_get(job, "mode"));
  const json_t *candidates = json_object_get(job, "candidates");
  bool is_rows = mode && strcmp(mode, "rows") == 0;

  *out_plan = (struct hone__run_plan){
      .is_rows = is_rows,
      .check = !json_is_false(json_object_get(job, "check")),
      .late_check = json_is_true(json_object_get(job, "late_check")),
      .samples = count_of(job, "samples"),
      .rows = count_of(job, "rows"),
      .cap_ns = is_rows ? 0 : number(job, "cap_ns"),
      .cut_ns = is_rows ? 0 : number(job, "cut_ns"),
      .budget_s = number(job, "budget_s"),
      .call_timeout_s = number(job, "call_timeout_s"),
      .timeout_s = number(job, "timeout_s"),
      .seed = (uint64_t)json_integer_value(json_object_get(job, "seed")),
      .began = hone__clock(),
      .candidates = candidates,
      .count = json_array_size(candidates),
  };
  if (out_plan->count > 0 && out_plan->count <= MOST_CANDIDATES) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT, "a job has %zu candidates", out_plan->count);
}

hone_status hone__run_plan_object(const struct hone__run_plan *plan, size_t i, const void *payload,
                                  size_t payload_size, const void **out_object, size_t *out_size)
{
  const json_t *item = json_array_get(plan->candidates, i);
  size_t offset = (size_t)json_integer_value(json_object_get(item, "offset"));
  size_t size = (size_t)json_integer_value(json_object_get(item, "size"));

  if (offset > payload_size || size > payload_size - offset)
    return hone__error(HONE_INVALID_ARGUMENT, "an object is not in the payload");
  *out_object = size ? (const char *)payload + offset : NULL;
  *out_size = size;
  return NULL;
}

double hone__run_plan_left_s(const struct hone__run_plan *plan)
{
  if (!(plan->timeout_s > 0)) return INFINITY;
  return fmax(plan->timeout_s - margin_s - (hone__clock() - plan->began), shortest_s);
}

void hone__run_plan_shuffle(struct hone__random *random, size_t *order, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    size_t j = (size_t)hone__random_below(random, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
}

void hone__run_plan_slow(const struct hone__run_plan *plan, double ns, struct hone__text *evidence)
{
  bool is_long = plan->cap_ns >= 1e6;
  const char *unit = is_long ? "ms" : "us";
  double unit_ns = is_long ? 1e6 : 1e3;

  hone__text_addf(evidence, "%.3f %s, above the cap of %.3f %s", ns / unit_ns, unit,
                  plan->cap_ns / unit_ns, unit);
}

void hone__run_plan_refuse(struct hone__answer *answer, hone_status status)
{
  answer->outcome = HONE__OUTCOME_PROTOCOL;
  hone__text_add(&answer->evidence, hone_status_message(status));
  answer->head = json_object();
  hone_status_free(status);
}
