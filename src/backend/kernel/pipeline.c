#include "backend/kernel/pipeline.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

/* ---- Stages ---- */

static hone_status broken(const char *what)
{
  return hone__error(HONE_INVALID_ARGUMENT, "candidate: '%s' is out of range", what);
}

static bool are_below(const int64_t *numbers, size_t count, size_t bound)
{
  for (size_t i = 0; i < count; i++)
    if (numbers[i] < 0 || (uint64_t)numbers[i] >= bound) return false;
  return true;
}

static hone_status check(const struct hone__kernel_candidate *candidate, size_t args)
{
  if (!are_below(candidate->args, candidate->args_count, args)) return broken("args");
  if (candidate->stages_count > HONE__PIPELINE_MOST_STAGES) return broken("stages");
  for (size_t i = 0; i < candidate->stages_count; i++)
    if (!are_below(candidate->stages[i].args, candidate->stages[i].args_count, args))
      return broken("stages.args");
  if (candidate->order_count > HONE__PIPELINE_MOST_LAUNCHES ||
      !are_below(candidate->order, candidate->order_count, candidate->stages_count) ||
      (candidate->stages_count && !candidate->order_count))
    return broken("order");
  return NULL;
}

/* A kernel as the only stage. */
static void take_single(const struct hone__kernel_candidate *candidate, struct hone__arena *arena,
                        struct hone__pipeline *pipeline)
{
  struct hone__kernel_stage *stage = hone__arena_alloc(arena, sizeof *stage);

  *stage = (struct hone__kernel_stage){.name = candidate->entry,
                                       .entry = candidate->entry,
                                       .args = candidate->args,
                                       .args_count = candidate->args_count,
                                       .values = candidate->values,
                                       .values_count = candidate->values_count,
                                       .launch = candidate->launch};
  pipeline->stages = stage;
  pipeline->stage_count = pipeline->order_count = 1;
  pipeline->order = hone__arena_alloc(arena, sizeof *pipeline->order);
}

static void take_stages(const struct hone__kernel_candidate *candidate, struct hone__arena *arena,
                        struct hone__pipeline *pipeline)
{
  size_t *order = hone__arena_alloc(arena, (candidate->order_count + 1) * sizeof *order);

  for (size_t i = 0; i < candidate->order_count; i++)
    order[i] = (size_t)candidate->order[i];
  pipeline->stages = candidate->stages;
  pipeline->stage_count = candidate->stages_count;
  pipeline->order = order;
  pipeline->order_count = candidate->order_count;
}

/* ---- Names ---- */

static bool have_one_name(const struct hone__kernel_stage *a, const struct hone__kernel_stage *b)
{
  return a->name && b->name && strcmp(a->name, b->name) == 0;
}

static size_t number_of(struct hone__pipeline *pipeline, size_t stage)
{
  for (size_t i = 0; i < stage; i++)
    if (have_one_name(&pipeline->stages[i], &pipeline->stages[stage])) return pipeline->names[i];
  if (pipeline->name_count < HONE__PIPELINE_MOST_NAMES) return pipeline->name_count++;
  pipeline->has_others = true;
  return pipeline->name_count - 1;
}

const char *hone__pipeline_name(const struct hone__pipeline *pipeline, size_t number)
{
  size_t stage = 0;

  if (pipeline->has_others && number + 1 == pipeline->name_count) return "others";
  while (stage + 1 < pipeline->stage_count && pipeline->names[stage] != number)
    stage++;
  return pipeline->stages[stage].name ? pipeline->stages[stage].name : "";
}

bool hone__pipeline_is_many(const struct hone__pipeline *pipeline)
{
  return pipeline->name_count > 1;
}

/* ---- The whole ---- */

static bool have_one_entry(const struct hone__kernel_stage *a, const struct hone__kernel_stage *b)
{
  return !a->host && !b->host && strcmp(a->entry, b->entry) == 0;
}

size_t hone__pipeline_first_with_entry(const struct hone__pipeline *pipeline, size_t stage)
{
  size_t first = 0;

  while (first < stage && !have_one_entry(&pipeline->stages[first], &pipeline->stages[stage]))
    first++;
  return first;
}

hone_status hone__pipeline_read(const struct hone__kernel_candidate *candidate, size_t args,
                                struct hone__arena *arena, struct hone__pipeline *out_pipeline)
{
  hone_status status = check(candidate, args);

  *out_pipeline = (struct hone__pipeline){0};
  if (status) return status;
  if (candidate->stages_count)
    take_stages(candidate, arena, out_pipeline);
  else
    take_single(candidate, arena, out_pipeline);
  out_pipeline->names =
      hone__arena_alloc(arena, out_pipeline->stage_count * sizeof *out_pipeline->names);
  for (size_t i = 0; i < out_pipeline->stage_count; i++)
    out_pipeline->names[i] = number_of(out_pipeline, i);
  return NULL;
}

/* ---- Entries ---- */

static bool stands_before(const struct hone__kernel_candidate *candidate, size_t stage)
{
  for (size_t i = 0; i < stage; i++)
    if (have_one_entry(&candidate->stages[i], &candidate->stages[stage])) return true;
  return false;
}

void hone__pipeline_entries(const struct hone__kernel_candidate *candidate,
                            struct hone__text *out_entries)
{
  if (!candidate->stages_count)
    hone__text_add(out_entries, candidate->entry ? candidate->entry : "");
  for (size_t i = 0; i < candidate->stages_count; i++)
    if (!candidate->stages[i].host && !stands_before(candidate, i))
      hone__text_addf(out_entries, "%s%s", out_entries->length ? "\n" : "",
                      candidate->stages[i].entry);
}

bool hone__pipeline_next_entry(const char **at, struct hone__text *out_entry)
{
  size_t length = strcspn(*at, "\n");

  out_entry->length = 0;
  if (!length) return false;
  hone__text_addn(out_entry, *at, length);
  *at += length + ((*at)[length] == '\n');
  return true;
}

/* ---- Costs ---- */

/* Limits are those of the kernel with the lowest. */
static double joined(const char *name, double one, double other)
{
  static const char *const least[] = {"occupancy", "max_threads", "max_work_group"};

  if (strcmp(name, "spills") == 0) return one + other;
  for (size_t i = 0; i < sizeof least / sizeof *least; i++)
    if (strcmp(name, least[i]) == 0) return fmin(one, other);
  return fmax(one, other);
}

static void join(struct hone__named_list *costs, const struct hone__named *more)
{
  const struct hone_value *known = hone__named_find(costs->items, costs->count, more->name);

  if (!known)
    hone__named_add(costs, more, 1);
  else if (known->type == HONE_FLOAT && more->value.type == HONE_FLOAT)
    hone__named_real(costs, more->name, joined(more->name, known->real, more->value.real));
  else if (known->type == HONE_INT && more->value.type == HONE_INT)
    hone__named_int(
        costs, more->name,
        (int64_t)joined(more->name, (double)known->integer, (double)more->value.integer));
}

void hone__pipeline_join_costs(struct hone__named_list *costs, const struct hone__named_list *more)
{
  for (size_t i = 0; i < more->count; i++)
    join(costs, &more->items[i]);
}
