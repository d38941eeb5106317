/* The stages of a pipeline, from the spec to what is launched: loops are unrolled, stages that
 * `when` excludes are left out, and equal launches are one stage. `swap` exchanges two arguments in
 * every second turn of its loop.
 */
#include "backend/kernel/kernel_values.h"

#include "backend/kernel/pipeline.h"
#include "backend/setting.h"
#include "base/memory.h"

#include <stdlib.h>

struct staging {
  const struct hone__task *task;
  const uint32_t *row;
  const struct hone__kernel_kind *kind;
  struct hone__arena *arena;
  const struct hone__node *args; /* of the spec */
  int64_t *numbers;              /* for each of them, the one that stands for it now */
  bool *is_there;                /* for each of them: this configuration has it */
  struct hone__kernel_stage *stages;
  const char **texts; /* of the stages, to find equal ones */
  size_t stage_count;
  int64_t *order;
  size_t order_count;
};

/* ---- One launch ---- */

static size_t find_arg(const struct staging *s, const char *name)
{
  size_t count = s->args ? s->args->count : 0, i = 0;

  while (i < count && strcmp(hone__node_get(s->args->items[i], "name")->text, name) != 0)
    i++;
  return i;
}

/* `names` NULL: all arguments. */
static bool has_arg(const struct hone__kernel_stage *stage, int64_t number)
{
  for (size_t i = 0; i < stage->args_count; i++)
    if (stage->args[i] == number) return true;
  return false;
}

/* A kernel sees all symbols of its module, whether its stage names them or not. */
static void add_symbols(struct staging *s, struct hone__kernel_stage *stage)
{
  for (size_t i = 0; s->args && i < s->args->count; i++)
    if (hone__node_get(s->args->items[i], "symbol") && !has_arg(stage, s->numbers[i]))
      stage->args[stage->args_count++] = s->numbers[i];
}

static void take_args(struct staging *s, const struct hone__node *names,
                      struct hone__kernel_stage *stage)
{
  size_t all = s->args ? s->args->count : 0, count = names ? names->count : all;

  stage->args = hone__arena_alloc(s->arena, (count + all + 1) * sizeof *stage->args);
  for (size_t i = 0; i < count; i++) {
    size_t number = names ? find_arg(s, names->items[i]->text) : i;
    if (number < all && s->is_there[number]) stage->args[stage->args_count++] = s->numbers[number];
  }
  if (!stage->host) add_symbols(s, stage);
}

static hone_status take_values(struct staging *s, const struct hone__node *node,
                               struct hone__kernel_stage *stage)
{
  const struct hone__node *values = hone__node_get(node, "values");
  hone_status status = NULL;

  stage->values = hone__arena_alloc(s->arena, (stage->args_count + 1) * sizeof *stage->values);
  for (size_t i = 0; i < stage->args_count && !status; i++) {
    const struct hone__node *arg = s->args->items[stage->args[i]];
    const char *name = hone__node_get(arg, "name")->text;
    bool has_value;
    status = hone__kernel_value(s->task, s->row, s->kind, arg,
                                values ? hone__node_get(values, name) : NULL, s->arena,
                                &stage->values[stage->values_count], &has_value);
    stage->values_count += has_value;
  }
  return status;
}

static hone_status take_launch(struct staging *s, const struct hone__node *node,
                               struct hone__kernel_stage *stage)
{
  const struct hone__node *launch = hone__node_get(node, "launch");
  hone_status status = launch ? hone__kernel_check_launch(s->task, s->kind, launch) : NULL;

  if (status || !s->kind->launch || stage->host) return status;
  if (!launch)
    return hone__backend_spec_error(s->task->spec, node,
                                    "a stage on a GPU needs 'launch': how many threads run it, as "
                                    "in 'launch: {grid: N // 256, block: 256}'");
  return s->kind->launch(s->task, s->row, launch, s->arena, &stage->launch);
}

/* ---- The list ---- */

/* "..., for BM=64" */
static hone_status refuse(const struct staging *s, const struct hone__node *node, const char *what)
{
  char *config = hone__task_config(s->task, s->row);
  hone_status status = hone__backend_spec_error(s->task->spec, node, "%s%s%s", what,
                                                *config ? ", for " : "", config);

  free(config);
  return status;
}

static hone_status add_launch(struct staging *s, const struct hone__node *node, int64_t stage)
{
  if (s->order_count == HONE__PIPELINE_MOST_LAUNCHES)
    return refuse(s, node, "a pipeline has at most 10000 launches: this one has more");
  s->order[s->order_count++] = stage;
  return NULL;
}

static hone_status add_stage(struct staging *s, const struct hone__node *node,
                             const struct hone__kernel_stage *stage)
{
  const char *text = hone__record_text(s->arena, &hone__kernel_stage_type, stage);
  size_t at = 0;

  while (at < s->stage_count && strcmp(s->texts[at], text) != 0)
    at++;
  if (at == HONE__PIPELINE_MOST_STAGES)
    return refuse(s, node, "a pipeline has at most 1000 different launches: this one has more");
  if (at == s->stage_count) {
    s->stages[at] = *stage;
    s->texts[at] = text;
    s->stage_count++;
  }
  return add_launch(s, node, (int64_t)at);
}

static hone_status add_kernel(struct staging *s, const struct hone__node *node)
{
  const struct hone__node *entry = hone__node_get(node, "entry"), *name, *host;
  struct hone__kernel_stage stage = {.entry = entry->text};
  hone_status status;

  name = hone__node_get(node, "name");
  host = hone__node_get(node, "host");
  stage.name = name ? name->text : entry->text;
  stage.host = host ? host->text : NULL;
  status = host ? hone__kernel_check_host(s->task, s->kind, host, entry)
                : hone__kernel_check_entry(s->task, s->kind, entry, entry->text);
  take_args(s, hone__node_get(node, "args"), &stage);
  if (!status) status = take_values(s, node, &stage);
  if (!status) status = take_launch(s, node, &stage);
  return status ? status : add_stage(s, node, &stage);
}

/* ---- Loops ---- */

static hone_status add_list(struct staging *s, const struct hone__node *list);

static void swap(struct staging *s, const struct hone__node *names)
{
  size_t one = find_arg(s, names->items[0]->text), other = find_arg(s, names->items[1]->text);
  int64_t number = s->numbers[one];

  s->numbers[one] = s->numbers[other];
  s->numbers[other] = number;
}

/* Launches as in an earlier turn. */
static hone_status add_again(struct staging *s, const struct hone__node *loop, size_t begin,
                             size_t end)
{
  hone_status status = NULL;

  for (size_t i = begin; i < end && !status; i++)
    status = add_launch(s, loop, s->order[i]);
  return status;
}

static hone_status add_turn(struct staging *s, const struct hone__node *loop, int64_t turn)
{
  const struct hone__node *names = hone__node_get(loop, "swap");
  bool is_swapped = names && turn % 2;
  hone_status status;

  if (is_swapped) swap(s, names);
  status = add_list(s, hone__node_get(loop, "stages"));
  if (is_swapped) swap(s, names);
  return status;
}

/* Turns differ by the index, or in pairs. */
static hone_status add_turns(struct staging *s, const struct hone__node *loop, int64_t turns)
{
  const struct hone__node *index = hone__node_get(loop, "index");
  struct hone__task_local local = {.name = index ? index->text : "", .outer = s->task->locals};
  size_t ends[3] = {s->order_count, 0, 0};
  hone_status status = NULL;

  hone__task_enter(s->task, &local);
  for (int64_t turn = 0; turn < turns && !status; turn++) {
    local.value = turn;
    status = index || turn < 2 ? add_turn(s, loop, turn)
                               : add_again(s, loop, ends[turn % 2], ends[turn % 2 + 1]);
    if (turn < 2) ends[turn + 1] = s->order_count;
    if (turn == 1 && s->order_count == ends[0]) break; /* every stage is left out */
  }
  hone__task_enter(s->task, local.outer);
  return status;
}

static hone_status add_loop(struct staging *s, const struct hone__node *loop)
{
  int64_t turns = 0;
  hone_status status =
      hone__kernel_whole(s->task, s->row, hone__node_get(loop, "repeat"), "'repeat'", &turns);

  return status ? status : add_turns(s, loop, turns);
}

/* ---- All of them ---- */

static hone_status add_list(struct staging *s, const struct hone__node *list)
{
  hone_status status = NULL;

  for (size_t i = 0; i < list->count && !status; i++) {
    bool is_used;
    status = hone__kernel_applies(s->task, s->row, list->items[i], &is_used);
    if (status || !is_used) continue;
    status = hone__node_get(list->items[i], "repeat") ? add_loop(s, list->items[i])
                                                      : add_kernel(s, list->items[i]);
  }
  return status;
}

static hone_status open_staging(struct staging *s)
{
  size_t count = s->args ? s->args->count : 0;
  hone_status status = NULL;

  s->numbers = hone__arena_alloc(s->arena, (count + 1) * sizeof *s->numbers);
  s->is_there = hone__arena_alloc(s->arena, count + 1);
  for (size_t i = 0; i < count && !status; i++) {
    s->numbers[i] = (int64_t)i;
    status = hone__kernel_applies(s->task, s->row, s->args->items[i], &s->is_there[i]);
  }
  s->stages = hone__arena_alloc(s->arena, HONE__PIPELINE_MOST_STAGES * sizeof *s->stages);
  s->texts = hone__arena_alloc(s->arena, HONE__PIPELINE_MOST_STAGES * sizeof *s->texts);
  s->order = hone__arena_alloc(s->arena, HONE__PIPELINE_MOST_LAUNCHES * sizeof *s->order);
  return status;
}

/* The first kernel of a call; NULL: there is none. */
static const char *first_kernel(const struct staging *s)
{
  for (size_t i = 0; i < s->order_count; i++)
    if (!s->stages[s->order[i]].host) return s->stages[s->order[i]].entry;
  return NULL;
}

static hone_status check_rest(const struct staging *s, const struct hone__node *list)
{
  if (!s->order_count)
    return refuse(s, list, "the pipeline has no stage left: 'when' excludes all of them");
  if (!first_kernel(s))
    return refuse(s, list, "the pipeline has no kernel left, but functions on the host");
  return NULL;
}

hone_status hone__kernel_stages(const struct hone__task *task, const uint32_t *row,
                                const struct hone__kernel_kind *kind, struct hone__arena *arena,
                                struct hone__kernel_candidate *candidate)
{
  const struct hone__node *list = hone__task_setting(task, "stages");
  struct staging s = {.task = task,
                      .row = row,
                      .kind = kind,
                      .arena = arena,
                      .args = hone__task_setting(task, "args")};
  hone_status status = open_staging(&s);

  if (!status) status = add_list(&s, list);
  if (!status) status = check_rest(&s, list);
  if (status) return status;
  candidate->stages = s.stages;
  candidate->stages_count = s.stage_count;
  candidate->order = s.order;
  candidate->order_count = s.order_count;
  candidate->entry = first_kernel(&s);
  return NULL;
}

/* ---- What the spec has ---- */

bool hone__kernel_is_pipeline(const struct hone__task *task)
{
  return hone__task_setting(task, "stages") != NULL;
}

static const struct hone__node *first_entry(const struct hone__node *list)
{
  const struct hone__node *found = NULL;

  for (size_t i = 0; list && i < list->count && !found; i++) {
    bool is_kernel = !hone__node_get(list->items[i], "host");
    found = is_kernel ? hone__node_get(list->items[i], "entry") : NULL;
    if (is_kernel && !found) found = first_entry(hone__node_get(list->items[i], "stages"));
  }
  return found;
}

const struct hone__node *hone__kernel_first_entry(const struct hone__task *task)
{
  return first_entry(hone__task_setting(task, "stages"));
}
