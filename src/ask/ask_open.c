/* Opening a search: options first, then the spec, then a default. */
#include "ask/ask.h"

#include "base/allocators.h"
#include "base/options_size.h"
#include "space/why_not.h"

#include <math.h>
#include <stdlib.h>

enum { FINALISTS = 4, GROUPS = 3, ROWS = 6, MOST_FILTERED = 65536 };

void hone_search_options_fill(struct hone_search_options *options, size_t size)
{
  static const struct hone_search_options defaults = {
      .margin = 0.01, .finalists = FINALISTS, .groups = GROUPS, .rows = ROWS};

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

/* ---- Objectives ---- */

static void find_source(const struct hone_spec *spec, struct hone__ask_objective *objective)
{
  objective->source = HONE__ASK_TOLD;
  if (strcmp(objective->name, "time") == 0) objective->source = HONE__ASK_TIME;
  if (strcmp(objective->name, "energy") == 0) objective->source = HONE__ASK_ENERGY;
  for (size_t i = 0; i < spec->metric_count; i++) {
    if (strcmp(spec->metrics[i].name, objective->name) != 0) continue;
    objective->source = HONE__ASK_METRIC;
    objective->metric = &spec->metrics[i];
  }
}

static hone_status add_objective(struct hone_search *search, const char *name, bool maximise)
{
  struct hone__ask_objective *objective = &search->objectives[search->objective_count];

  if (!name || !*name) return hone__error(HONE_INVALID_ARGUMENT, "an objective has no name");
  for (size_t i = 0; i < search->objective_count; i++)
    if (strcmp(search->objectives[i].name, name) == 0)
      return hone__error(HONE_INVALID_ARGUMENT, "'%s' is already an objective", name);
  *objective = (struct hone__ask_objective){.name = hone__arena_strdup(&search->arena, name),
                                            .maximise = maximise};
  find_source(search->space->spec, objective);
  if (maximise && objective->source < HONE__ASK_METRIC)
    return hone__error(HONE_INVALID_ARGUMENT, "%s is minimised; it cannot be maximised", name);
  search->reference[search->objective_count++] = NAN;
  return NULL;
}

static hone_status settle_objectives(struct hone_search *search,
                                     const struct hone_search_options *options)
{
  const struct hone_spec *spec = search->space->spec;
  hone_status status = NULL;

  if (options->objective_count > HONE_MOST_OBJECTIVES)
    return hone__error(HONE_INVALID_ARGUMENT, "%zu objectives are too many: at most %d",
                       options->objective_count, HONE_MOST_OBJECTIVES);
  for (size_t i = 0; i < options->objective_count && !status; i++)
    status = add_objective(search, options->objectives[i].name, options->objectives[i].maximise);
  for (size_t i = 0; !options->objective_count && i < spec->objective_count && !status; i++)
    status = add_objective(search, spec->objectives[i].name, spec->objectives[i].maximise);
  if (!status && !search->objective_count) status = add_objective(search, "time", false);
  return status;
}

/* ---- Settings ---- */

static hone_status check(const struct hone_search_options *options)
{
  if (!(options->margin >= 0 && options->margin < 1))
    return hone__error(HONE_INVALID_ARGUMENT, "a margin of %g is not between 0 and 1",
                       options->margin);
  if (options->finalists < 1 || options->groups < 1 || options->rows < 1)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "a confirmation needs at least one finalist, one group and one row");
  if ((options->objective_count && !options->objectives) ||
      (options->seed_config_count && !options->seed_configs))
    return hone__error(HONE_INVALID_ARGUMENT, "a list of the options is announced but not given");
  return NULL;
}

static void settle_budget(struct hone_search *search, const struct hone_search_options *options)
{
  const struct hone__node *budget = hone__task_setting(&search->task, "search.budget");

  search->evaluations = options->evaluations;
  if (!search->evaluations && budget && budget->value.type == HONE_INT)
    search->evaluations = (uint64_t)budget->value.integer;
  if (!search->evaluations) search->evaluations = UINT64_MAX;
  hone__patience_open(&search->patience, options->patience, 0);
}

static hone_status settle(struct hone_search *search, const struct hone_search_options *options)
{
  const struct hone__node *strategy = hone__task_setting(&search->task, "search.strategy");
  const char *name = options->strategy ? options->strategy : strategy ? strategy->text : NULL;

  search->margin = options->margin;
  search->finalists = options->finalists;
  search->groups = options->groups;
  search->rows = options->rows;
  search->seed = options->seed ? options->seed : search->task.seed;
  search->device = hone__arena_strdup(&search->arena, options->device ? options->device : "host");
  settle_budget(search, options);
  return hone__strategy_find(name, &search->strategy);
}

/* ---- Seeds ---- */

static hone_status refuse_seed(const struct hone_search *search, const char *config,
                               hone_status status)
{
  struct hone__text why = {0};
  hone_status refusal;

  if (status)
    hone__text_add(&why, hone_status_message(status));
  else
    hone__space_why_not(search->space, config, &why);
  refusal = hone__error(HONE_INVALID_ARGUMENT, "'%s' cannot be a starting configuration: %s",
                        config, why.length ? why.data : "it is not legal");
  hone__text_release(&why);
  hone_status_free(status);
  return refusal;
}

static hone_status read_seeds(struct hone_search *search, const struct hone_search_options *options)
{
  size_t count = options->seed_config_count;

  search->first =
      hone__arena_alloc(&search->arena, (count * search->width + 1) * sizeof *search->first);
  for (; search->first_count < count; search->first_count++) {
    const char *config = options->seed_configs[search->first_count];
    uint32_t *row = search->first + search->first_count * search->width;
    hone_status status;
    if (!config) return hone__error(HONE_INVALID_ARGUMENT, "a starting configuration is NULL");
    status = hone_space_parse(search->space, config, row);
    if (status || !hone_space_contains(search->space, row))
      return refuse_seed(search, config, status);
  }
  return NULL;
}

/* ---- What the host leaves out ---- */

static hone_status select_some(struct hone_search *search)
{
  struct hone__selection selection;
  struct hone__text note = {0};
  hone_status status = hone__stages_select(&search->stages, &selection);
  size_t bytes = selection.count * search->width * sizeof *selection.rows;

  if (status) return status;
  search->first = hone__arena_alloc(&search->arena, bytes + 1);
  memcpy(search->first, selection.rows, bytes);
  search->first_count = selection.count;
  search->admitted = selection.count;
  search->strategy = &hone__search_selected;
  hone__selection_describe(&selection, &note);
  search->note = hone__arena_strdup(&search->arena, note.data);
  hone__text_release(&note);
  free(selection.rows);
  return NULL;
}

/* Filters a small space at once, to know whether anything is left; `sole` is the first
 * configuration that is. */
static hone_status filter_all(struct hone_search *search, uint32_t *sole)
{
  uint64_t count = hone_space_count(search->space);
  uint32_t *row = hone__alloc(search->width * sizeof *row);
  struct hone__stage_subject subject = {.row = row, .time_ns = NAN, .baseline_ns = NAN};
  struct hone__text why = {0};

  search->admitted = 0;
  search->rejections =
      hone__arena_alloc(&search->arena, (size_t)(count + 1) * sizeof *search->rejections);
  for (uint64_t i = 0; i < count && hone_space_at(search->space, i, row); i++) {
    if (hone__stages_admit(&search->stages, HONE_STAGE_GENERATE, &subject, &why)) {
      if (!search->admitted++) memcpy(sole, row, search->width * sizeof *row);
      continue;
    }
    search->rejections[i] = hone__arena_strdup(&search->arena, why.data);
    hone__text_release(&why);
  }
  hone__text_release(&why);
  free(row);
  return search->admitted ? NULL : hone__stages_nothing_left(&search->stages, count);
}

/* The only configuration that is left needs no measurement. */
static void take_only(struct hone_search *search, const uint32_t *row)
{
  char *config = hone__task_config(&search->task, row);
  int64_t known;

  if (hone__key_map_find(&search->by_config, config, &known))
    search->only = (uint32_t)known;
  else
    search->only = hone__ask_add_trial(search, row, config);
  free(config);
}

static hone_status leave_out(struct hone_search *search)
{
  uint64_t count = hone_space_count(search->space);
  uint32_t *sole = hone__alloc(search->width * sizeof *sole);
  hone_status status = NULL;

  search->admitted = count;
  if (hone__stages_keep_some(&search->stages)) {
    status = select_some(search);
    if (!status) memcpy(sole, search->first, search->width * sizeof *sole);
  } else if (search->stages.own.filter && count <= MOST_FILTERED) {
    status = filter_all(search, sole);
  } else if (search->stages.own.filter) {
    search->admitted = UINT64_MAX;
  } else if (count == 1) {
    hone_space_at(search->space, 0, sole);
  }
  if (!status && search->admitted == 1) take_only(search, sole);
  free(sole);
  return status;
}

/* ---- Opening ---- */

static void add_baseline(struct hone_search *search)
{
  char *config = hone__task_config(&search->task, search->task.baseline);

  hone__ask_add_trial(search, search->task.baseline, config);
  free(config);
}

static hone_status open_strategy(struct hone_search *search)
{
  const struct hone__search_options options = {
      .space = search->space,
      .seed = search->seed,
      .evaluations = search->evaluations == UINT64_MAX ? 0 : search->evaluations,
      .first = search->first,
      .first_count = search->first_count};
  size_t count = search->objective_count > 1 ? search->objective_count + 1 : 1;

  return hone__search_set_open(search->strategy, &options, count, &search->set);
}

static hone_status open_search(struct hone_search *search,
                               const struct hone_search_options *options)
{
  hone_status status = check(options);

  if (!status) status = hone__task_init_host(&search->task, search->space, options->baseline);
  if (!status) status = settle_objectives(search, options);
  if (!status) status = settle(search, options);
  if (!status) status = read_seeds(search, options);
  if (!status) status = hone__stages_open(&search->stages, options->stages, &search->task);
  if (status) return status;
  add_baseline(search);
  status = leave_out(search);
  if (!status) status = open_strategy(search);
  return status ? status : hone__ask_store_open(search, options);
}

hone_status hone_search_open(const struct hone_space *space,
                             const struct hone_search_options *options,
                             struct hone_search **out_search)
{
  struct hone_search_options own;
  struct hone_search *search;
  hone_status status;

  hone__allocators_install();
  *out_search = NULL;
  hone_search_options_init(&own);
  status = hone__options_take(&own, sizeof own, options, "hone_search_options");
  if (status) return status;
  search = hone__alloc(sizeof *search);
  search->space = space;
  search->width = hone_space_width(space);
  search->only = HONE__ASK_NO_TRIAL;
  pthread_mutex_init(&search->lock, NULL);
  pthread_cond_init(&search->changed, NULL);
  hone__ask_confirm_release(search);
  status = open_search(search, &own);
  if (status)
    hone_search_free(search);
  else
    *out_search = search;
  return status;
}

void hone_search_free(struct hone_search *search)
{
  if (!search) return;
  hone__ask_store_release(search);
  hone__ask_confirm_release(search);
  hone__search_set_close(search->set);
  hone__key_map_release(&search->by_config);
  hone__task_release(&search->task);
  pthread_cond_destroy(&search->changed);
  pthread_mutex_destroy(&search->lock);
  hone__arena_release(&search->arena);
  free(search->trials);
  free(search->tickets);
  free(search->told);
  free(search);
}
