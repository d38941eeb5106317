/* Jobs come from a driver that may have another version: they are either refused or given sane
 * bounds.
 */
#include "backend/run_plan.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

enum { MOST_CANDIDATES = 4096, MOST_TIMES = 1000000000 };
static const double margin_s = 3, shortest_s = 0.5;

static double known(double number)
{
  return number > 0 ? number : 0;
}

static size_t bounded(size_t count)
{
  return count < MOST_TIMES ? count : 0;
}

static void fill(struct hone__backend_run_plan *plan)
{
  const struct hone__wire_run_job *job = &plan->job;

  plan->is_rows = job->mode == HONE__RUN_ROWS;
  plan->check = job->check.type != HONE_BOOL || job->check.integer;
  plan->late_check = job->late_check;
  plan->first_is_known = plan->is_rows && job->first_is_known;
  plan->samples = bounded(job->samples);
  plan->rows = bounded(job->rows);
  plan->cap_ns = plan->is_rows ? 0 : known(job->cap_ns);
  plan->cut_ns = plan->is_rows ? 0 : known(job->cut_ns);
  plan->budget_s = known(job->budget_s);
  plan->call_timeout_s = known(job->call_timeout_s);
  plan->timeout_s = known(job->timeout_s);
  plan->seed = (uint64_t)job->seed;
  plan->items = job->candidates;
  plan->count = job->candidates_count;
}

hone_status hone__backend_run_plan_read(const struct hone__packed *job,
                                        struct hone__backend_run_plan *out_plan)
{
  hone_status status;

  *out_plan = (struct hone__backend_run_plan){.began = hone__clock()};
  status = hone__unpack(job, &hone__wire_run_job_type, &out_plan->arena, &out_plan->job);
  if (status) return status;
  fill(out_plan);
  if (out_plan->count > 0 && out_plan->count <= MOST_CANDIDATES) return NULL;
  status = hone__error(HONE_INVALID_ARGUMENT, "a job has %zu candidates", out_plan->count);
  out_plan->count = 0;
  return status;
}

void hone__backend_run_plan_release(struct hone__backend_run_plan *plan)
{
  hone__arena_release(&plan->arena);
}

hone_status hone__backend_run_plan_object(const struct hone__backend_run_plan *plan, size_t i,
                                          const void *payload, size_t payload_size,
                                          const void **out_object, size_t *out_size)
{
  size_t offset = plan->items[i].offset, size = plan->items[i].size;

  if (offset > payload_size || size > payload_size - offset)
    return hone__error(HONE_INVALID_ARGUMENT, "an object is not in the payload");
  *out_object = size ? (const char *)payload + offset : NULL;
  *out_size = size;
  return NULL;
}

double hone__backend_run_plan_left_s(const struct hone__backend_run_plan *plan)
{
  if (!(plan->timeout_s > 0)) return INFINITY;
  return fmax(plan->timeout_s - margin_s - (hone__clock() - plan->began), shortest_s);
}

void hone__backend_run_plan_shuffle(struct hone__random *random, size_t *order, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    size_t j = (size_t)hone__random_below(random, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
}

void hone__backend_run_plan_slow(const struct hone__backend_run_plan *plan, double ns,
                                 struct hone__text *evidence)
{
  bool is_long = plan->cap_ns >= 1e6;
  const char *unit = is_long ? "ms" : "us";
  double unit_ns = is_long ? 1e6 : 1e3;

  hone__text_addf(evidence, "%.3f %s, above the cap of %.3f %s", ns / unit_ns, unit,
                  plan->cap_ns / unit_ns, unit);
}

void hone__backend_run_plan_refuse(struct hone__answer *answer, hone_status status)
{
  answer->outcome = HONE_OUTCOME_PROTOCOL;
  hone__text_add(&answer->evidence, hone_status_message(status));
  answer->head = hone__packed_new();
  hone_status_free(status);
}
