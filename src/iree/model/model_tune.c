/* From a model to a tuning spec: list its dispatches, tune those that matter, let the best of them
 * compete in the model, check the result.
 */
#include "iree/model/model_tune.h"

#include "base/allocators.h"
#include "base/names.h"
#include "base/options_size.h"
#include "build/command.h"

#include <math.h>
#include <stdlib.h>

static const double least_budget_s = 5;

/* ---- Options ---- */

static const struct hone_iree_tune_options defaults = {.share = 0.05, .model_candidates = 3};

void hone_iree_tune_options_fill(struct hone_iree_tune_options *options, size_t size)
{
  hone__options_fill(options, size, &defaults, sizeof defaults);
}

hone_status hone__iree_tune_take(struct hone__iree_tune_given *given,
                                 const struct hone_iree_tune_options *options)
{
  hone_status status;

  given->options = defaults;
  status =
      hone__options_take(&given->options, sizeof given->options, options, "hone_iree_tune_options");
  if (!status) status = hone__iree_model_take(&given->model, given->options.model);
  if (status) return status;
  hone_tune_options_init(&given->tune);
  if (given->options.tune) given->tune = *given->options.tune;
  given->options.model = &given->model.options;
  given->options.tune = &given->tune;
  return NULL;
}

void hone__model_set(char **text, const char *value)
{
  char *copy = hone__strdup(value ? value : "");

  free(*text);
  *text = copy;
}

/* ---- Talking ---- */

void hone__model_note(struct hone__model_tuning *tuning, const char *format, ...)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone__text text = {0};
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  tuned->notes = hone__realloc(tuned->notes, (tuned->note_count + 1) * sizeof *tuned->notes);
  tuned->notes[tuned->note_count++] = hone__text_take(&text);
}

static bool send(const struct hone__model_tuning *tuning, const struct hone_event *event)
{
  const struct hone_tune_options *tune = tuning->options->tune;

  return !tune->progress || tune->progress(tune->progress_data, event);
}

void hone__model_title(const struct hone__model_tuning *tuning, const char *title)
{
  const struct hone_event event = {
      .kind = HONE_EVENT_PHASE, .text = "start", .config = title, .phase_id = HONE_PHASE_START};

  send(tuning, &event);
}

void hone__model_warn(const struct hone__model_tuning *tuning, const char *text)
{
  const struct hone_event event = {.kind = HONE_EVENT_WARNING, .text = text};

  send(tuning, &event);
}

/* Its end is that of all stages. */
bool hone__model_event(void *data, const struct hone_event *event)
{
  const struct hone__model_tuning *tuning = data;
  bool is_title = event->kind == HONE_EVENT_PHASE && event->text && !strcmp(event->text, "start");
  struct hone_event whole = *event;

  if (hone__model_budget(tuning) > 0) whole.eta_s = hone__model_time_left(tuning);
  return is_title || send(tuning, &whole);
}

/* ---- Which dispatches ---- */

static void take_dispatch(struct hone_iree_tuned_dispatch *dispatch,
                          const struct hone__model_dispatch *from)
{
  *dispatch = (struct hone_iree_tuned_dispatch){.share = from->share,
                                                .before_ns = NAN,
                                                .after_ns = NAN,
                                                .speedup = NAN,
                                                .low = NAN,
                                                .high = NAN,
                                                .calls = (uint64_t)from->calls};
  hone__model_set(&dispatch->name, from->name);
  hone__model_set(&dispatch->executable, from->executable);
  hone__model_set(&dispatch->operation, from->operation);
  hone__model_set(&dispatch->why_not, from->why_not);
  hone__model_set(&dispatch->file, from->file);
  hone__model_set(&dispatch->configuration, "");
  hone__model_set(&dispatch->compilation_info, "");
}

/* Without times, all of them matter. */
static void choose(struct hone__model_tuning *tuning)
{
  const struct hone_iree_tune_options *options = tuning->options;
  size_t chosen = 0;

  for (size_t i = 0; i < tuning->tuned->count; i++) {
    struct hone_iree_tuned_dispatch *dispatch = &tuning->tuned->dispatches[i];
    if (*dispatch->why_not) continue;
    if (dispatch->group_share < options->share)
      hone__model_set(&dispatch->why_not, "it takes too little of the time");
    else if (options->top_dispatches && chosen >= options->top_dispatches)
      hone__model_set(&dispatch->why_not, "others take more of the time");
    else
      dispatch->is_tuned = ++chosen > 0;
  }
}

void hone__model_take_list(struct hone__model_tuning *tuning)
{
  const struct hone__model_state *state = tuning->state;
  size_t count = state->dispatches_count;

  tuning->tuned->dispatches = hone__alloc((count + 1) * sizeof *tuning->tuned->dispatches);
  tuning->found = hone__alloc((count + 1) * sizeof *tuning->found);
  for (size_t i = 0; i < count; i++)
    take_dispatch(&tuning->tuned->dispatches[i], &state->dispatches[i]);
  tuning->tuned->count = count;
  if (isnan(tuning->tuned->before_ns)) tuning->tuned->before_ns = state->time_ns;
  if (*state->why_untimed)
    hone__model_note(tuning, "dispatches were not timed: %s", state->why_untimed);
  hone__model_group(tuning);
  choose(tuning);
}

/* ---- Searching ---- */

static double weight(const struct hone_iree_tuned_dispatch *dispatch)
{
  return dispatch->is_tuned ? isnan(dispatch->group_share) ? 1 : dispatch->group_share : 0;
}

/* Of all from this one on. */
static double share_of_rest(const struct hone__model_tuning *tuning, size_t number)
{
  const struct hone_iree_tuned *tuned = tuning->tuned;
  double sum = 0;

  for (size_t i = number; i < tuned->count; i++)
    sum += weight(&tuned->dispatches[i]);
  return weight(&tuned->dispatches[number]) / sum;
}

/* What its run is known by: a part of the budget, however much time is left. */
static double budget_of(const struct hone__model_tuning *tuning, size_t number)
{
  const struct hone_iree_tuned *tuned = tuning->tuned;
  double given = hone__model_budget(tuning), sum = 0;

  if (!given) return 0; /* so many, however long it takes */
  for (size_t i = 0; i < tuned->count; i++)
    sum += weight(&tuned->dispatches[i]);
  return fmax(round(given * weight(&tuned->dispatches[number]) / sum), least_budget_s);
}

static void take_found(struct hone_iree_tuned_dispatch *dispatch,
                       const struct hone__model_found *found)
{
  dispatch->before_ns = found->before_ns;
  dispatch->after_ns = found->after_ns;
  dispatch->speedup = found->speedup;
  dispatch->low = found->low;
  dispatch->high = found->high;
  if (!hone__verdict_parse(found->verdict, &dispatch->verdict))
    dispatch->verdict = HONE_VERDICT_NONE; /* a file that was changed */
  if (!*dispatch->operation) hone__model_set(&dispatch->operation, found->operation);
}

/* Operations of the same matcher have one configuration: that of the first, which takes most time.
 */
static bool is_double(const struct hone__model_tuning *tuning, size_t number)
{
  const char *matcher = tuning->found[number]->matcher;

  for (size_t i = 0; i < number; i++)
    if (tuning->found[i] && strcmp(tuning->found[i]->matcher, matcher) == 0) return true;
  return false;
}

static void drop(struct hone__model_tuning *tuning, size_t number, const char *why)
{
  hone__model_set(&tuning->tuned->dispatches[number].why_not, why);
  tuning->found[number] = NULL;
}

/* A dispatch that cannot be tuned does not stop the others. Nor does one that cannot be measured,
 * if the model could be. */
static hone_status continue_after(struct hone__model_tuning *tuning, size_t number,
                                  hone_status status)
{
  bool is_its_own = hone_status_code(status) == HONE_INVALID_SPEC ||
                    (hone_status_code(status) == HONE_UNAVAILABLE && tuning->tuned->run);

  if (!is_its_own) return status;
  drop(tuning, number, hone_status_message(status));
  hone__model_note(tuning, "%s is not tuned: %s", tuning->tuned->dispatches[number].executable,
                   hone_status_message(status));
  hone_status_free(status);
  return NULL;
}

static hone_status search(struct hone__model_tuning *tuning, size_t number, size_t at, size_t all)
{
  struct hone_iree_tuned_dispatch *dispatch = &tuning->tuned->dispatches[number];
  struct hone__text title = {0};
  hone_status status;

  hone__text_addf(&title, "dispatch %zu of %zu: %s", at, all, dispatch->executable);
  if (!isnan(dispatch->share))
    hone__text_addf(&title, " (%.0f %% of the time", 100 * dispatch->group_share);
  if (!isnan(dispatch->share) && dispatch->group_size > 1)
    hone__text_addf(&title, " with %zu equal one%s", dispatch->group_size - 1,
                    dispatch->group_size == 2 ? "" : "s");
  if (!isnan(dispatch->share)) hone__text_add(&title, ")");
  status = hone__model_search(tuning, number, budget_of(tuning, number),
                              share_of_rest(tuning, number), title.data);
  if (status) status = continue_after(tuning, number, status);
  if (tuning->found[number]) {
    take_found(dispatch, tuning->found[number]);
    if (is_double(tuning, number))
      drop(tuning, number, "its operation equals that of an earlier dispatch and shares its entry");
  }
  hone__text_release(&title);
  return status;
}

hone_status hone__model_search_all(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  size_t all = 0, at = 0;
  hone_status status = NULL;

  for (size_t i = 0; i < tuned->count; i++)
    all += tuned->dispatches[i].is_tuned;
  if (!all && tuned->option_count) {
    hone__model_note(tuning, "no dispatch can be tuned: 'hone iree dispatches' shows why");
    return NULL;
  }
  if (!all)
    return hone__error(HONE_INVALID_SPEC,
                       "'%s' has no dispatch that can be tuned: 'hone iree dispatches' shows why",
                       tuning->path);
  for (size_t i = 0; i < tuned->count && !status && !tuned->interrupted; i++)
    if (tuned->dispatches[i].is_tuned) status = search(tuning, i, ++at, all);
  return status;
}

/* ---- All of it ---- */

/* After a stage of the dispatches alone there is nothing for the model, unless they were tuned in
 * full before: then that stage is the model's. */
static bool is_ready(const struct hone__model_tuning *tuning)
{
  for (size_t i = 0; i < tuning->tuned->count; i++)
    if (tuning->found[i]) return true;
  return false;
}

static bool is_any_tuned(const struct hone_iree_tuned *tuned)
{
  for (size_t i = 0; i < tuned->count; i++)
    if (tuned->dispatches[i].is_tuned) return true;
  return false;
}

/* The trial left nothing to search. */
static hone_status end_early(struct hone__model_tuning *tuning)
{
  tuning->tuned->verdict = HONE_VERDICT_NO_IMPROVEMENT;
  hone__model_set(&tuning->tuned->sentence,
                  "a tuning spec has no effect on the dispatches that matter");
  return NULL;
}

static hone_status run_stages(struct hone__model_tuning *tuning)
{
  enum hone_iree_stage last = tuning->options->stop_after;
  bool was_tunable;
  hone_status status = hone__model_state_open(tuning);

  if (!status) status = hone__model_options(tuning);
  if (status) return status;
  hone__model_take_list(tuning);
  if (last == HONE_IREE_STAGE_DISPATCHES || tuning->tuned->interrupted ||
      tuning->options->options_only)
    return NULL;
  was_tunable = is_any_tuned(tuning->tuned);
  status = hone__model_trial(tuning);
  if (!status && was_tunable && !is_any_tuned(tuning->tuned) && !tuning->base)
    return end_early(tuning);
  if (!status && is_any_tuned(tuning->tuned) == was_tunable)
    status = hone__model_search_all(tuning);
  if (!status && !tuning->tuned->interrupted && is_ready(tuning))
    status = hone__model_contest(tuning);
  if (!status) hone__model_share_entries(tuning);
  if (!status && !tuning->tuned->interrupted) status = hone__model_together(tuning);
  if (status || tuning->tuned->interrupted || last != HONE_IREE_STAGE_ALL) return status;
  return hone__model_spec(tuning);
}

const char *hone__model_spec_flag(const char *backend)
{
  return strcmp(backend, "cuda") == 0 ? "--iree-codegen-transform-dialect-library="
                                      : "--iree-codegen-tuning-spec-path=";
}

static void describe_use(struct hone__model_tuning *tuning)
{
  struct hone__text text = {0};

  for (size_t i = 0; i < tuning->state->words_count; i++)
    hone__command_add(&text, tuning->state->words[i]);
  hone__model_set(&tuning->tuned->compile_words, text.data);
  hone__model_set(&tuning->tuned->source,
                  *tuning->state->source ? tuning->state->source : tuning->path);
  hone__model_set(&tuning->tuned->spec_flag, hone__model_spec_flag(tuning->state->backend));
  hone__text_release(&text);
}

void hone__model_result_open(struct hone_iree_tuned *tuned)
{
  char **texts[] = {&tuned->sentence,      &tuned->spec,   &tuned->spec_path, &tuned->spec_flag,
                    &tuned->compile_words, &tuned->folder, &tuned->source};

  *tuned = (struct hone_iree_tuned){.before_ns = NAN,
                                    .after_ns = NAN,
                                    .speedup = NAN,
                                    .low = NAN,
                                    .high = NAN,
                                    .spec_speedup = NAN,
                                    .spec_low = NAN,
                                    .spec_high = NAN};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    hone__model_set(texts[i], "");
}

/* The backend's name of the device that the model runs on. */
void hone__model_choose_device(struct hone__model_tuning *tuning)
{
  const struct hone_iree_tune_options *options = tuning->options;
  struct hone__text text = {0};

  if (options->tune->devices || !options->model->device) return;
  hone__text_addf(&text, "iree:%s", options->model->device);
  tuning->devices = hone__text_take(&text);
}

void hone__model_close(struct hone__model_tuning *tuning)
{
  free(tuning->found);
  hone__dispatch_spaces_release(&tuning->spaces);
  hone__model_work_forget(tuning);
  hone__model_base_free(tuning->base);
  free(tuning->devices);
  free(tuning->folder);
}

static hone_status tune_model(const char *model, const struct hone_iree_tune_options *options,
                              struct hone_iree_tuned *tuned)
{
  struct hone__model_tuning tuning = {
      .path = model, .options = options, .tuned = tuned, .began = hone__clock()};
  hone_status status;

  hone__model_choose_device(&tuning);
  hone__iree_toolset_find(options->model->iree->iree_dir, &tuning.tools);
  status = hone__model_work_open(&tuning);
  if (!status) {
    hone__model_set(&tuned->folder, tuning.folder);
    tuned->stage = options->stop_after;
    status = run_stages(&tuning);
  }
  if (tuning.state) describe_use(&tuning);
  tuned->wall_s = hone__clock() - tuning.began;
  hone__model_close(&tuning);
  hone__iree_toolset_release(&tuning.tools);
  return status;
}

hone_status hone_iree_tune(const char *model, const struct hone_iree_tune_options *options,
                           struct hone_iree_tuned **out_tuned)
{
  struct hone__iree_tune_given given;
  hone_status status;

  hone__allocators_install();
  *out_tuned = hone__alloc(sizeof **out_tuned);
  hone__model_result_open(*out_tuned);
  status = hone__iree_tune_take(&given, options);
  return status ? status : tune_model(model, &given.options, *out_tuned);
}
