/* From a model to a tuning spec: list its dispatches, tune those that matter, let the best of them
 * compete in the model, check the result.
 */
#include "iree/model/model_choice.h"
#include "iree/model/model_tune.h"

#include "base/allocators.h"
#include "base/options_size.h"
#include "build/command.h"
#include "iree/backend/iree_tool.h"

#include <math.h>
#include <stdlib.h>

static const double most_speedup = 20; /* of the dispatches that are searched first */
static const double trial_compiles = 2, trial_calls = 1;

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
  given->model.iree.threads = hone__model_threads(&given->model.options);
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

/* Without times, those matter that compute most. */
static void choose(struct hone__model_tuning *tuning)
{
  const struct hone_iree_tune_options *options = tuning->options;
  size_t chosen = 0;

  for (size_t i = 0; i < tuning->tuned->count; i++) {
    struct hone_iree_tuned_dispatch *dispatch = &tuning->tuned->dispatches[i];
    if (*dispatch->why_not) continue;
    if (dispatch->group_share < options->share) {
      hone__model_set(&dispatch->why_not,
                      isnan(dispatch->share) ? "its share of the arithmetic operations is too small"
                                             : "its share of the time is too small");
      dispatch->is_later =
          !options->top_dispatches && dispatch->group_share >= options->share / most_speedup;
    } else if (options->top_dispatches && chosen >= options->top_dispatches)
      hone__model_set(&dispatch->why_not, "others have larger shares of the time");
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
    hone__model_note(tuning,
                     "dispatches were not timed, and are chosen by the number of their arithmetic "
                     "operations: %s",
                     state->why_untimed);
  hone__model_group(tuning);
  choose(tuning);
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
  return hone__model_together(tuning);
}

static const char spent[] = "the budget was spent before its turn";

/* What the next steps need is known only if the model was compiled now. */
static void say_spent(struct hone__model_tuning *tuning)
{
  double left_s = hone__model_time_left(tuning);
  struct hone__text text = {0};

  hone__text_add(&text, "the budget was spent before a dispatch was searched: try a larger one");
  if (tuning->compile_s > 0 && left_s >= 1)
    hone__text_addf(&text, "; a compile of the model takes %.0f s here, and %.0f s were left",
                    tuning->compile_s, left_s);
  free(tuning->tuned->sentence);
  tuning->tuned->sentence = hone__text_take(&text);
}

/* What the options gained is the result; without it, there is none. Options that were not proved
 * need no compile: what is left of the time is theirs. */
static hone_status end_spent(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;

  for (size_t i = 0; i < tuned->count; i++) {
    if (!tuned->dispatches[i].is_tuned) continue;
    tuned->dispatches[i].is_tuned = false;
    hone__model_set(&tuned->dispatches[i].why_not, spent);
  }
  if (tuned->verdict != HONE_VERDICT_NONE) return hone__model_together(tuning);
  tuned->verdict = HONE_VERDICT_INCONCLUSIVE;
  say_spent(tuning);
  return NULL;
}

/* Options that look so much faster are worth more than entries that nothing is known of. */
static bool is_promising(const struct hone__model_tuning *tuning)
{
  struct hone__model_gain gain;

  if (!tuning->unproved) return false;
  gain = hone__model_gain_of_option(&tuning->tuned->options[tuning->unproved - 1]);
  return hone__model_gain_is_promising(&gain);
}

static bool is_spent(const struct hone__model_tuning *tuning)
{
  if (is_promising(tuning) && !hone__model_has_rest(tuning)) return true;
  return (tuning->option_words && !tuning->aside) ||
         !hone__model_has_compiles(tuning, trial_compiles, trial_calls);
}

static hone_status run_stages(struct hone__model_tuning *tuning)
{
  enum hone_iree_stage last = tuning->options->stop_after;
  bool was_tunable;
  hone_status status = hone__model_state_open(tuning);

  if (!status) status = hone__model_options(tuning);
  if (status) return status;
  hone__model_take_list(tuning);
  if (last == HONE_IREE_STAGE_DISPATCHES || tuning->tuned->interrupted) return NULL;
  if (tuning->options->options_only) return hone__model_together(tuning);
  was_tunable = is_any_tuned(tuning->tuned);
  if (was_tunable && is_spent(tuning)) return end_spent(tuning);
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

/* The call that was measured, for iree-run-module and iree-benchmark-module. */
static void describe_run(struct hone__model_tuning *tuning)
{
  const struct hone__model_state *state = tuning->state;
  struct hone__words words = {0};
  struct hone__text text = {0};

  hone__iree_word(&words, "--device=%s", state->device);
  hone__iree_thread_words(tuning->options->model->iree->threads, state->device, &words);
  hone__iree_word(&words, "--function=%s", state->function);
  for (size_t i = 0; i < state->call_count; i++)
    hone__words_add(&words, state->call[i]);
  hone__build_command_print(&text, hone__words_list(&words));
  hone__model_set(&tuning->tuned->run_words, text.data);
  hone__text_release(&text);
  hone__words_release(&words);
}

static void describe_use(struct hone__model_tuning *tuning)
{
  struct hone__text text = {0};

  for (size_t i = 0; i < tuning->state->words_count; i++)
    hone__build_command_add(&text, tuning->state->words[i]);
  for (size_t i = 0; tuning->option_words && tuning->option_words[i]; i++)
    hone__build_command_add(&text, tuning->option_words[i]);
  hone__model_set(&tuning->tuned->compile_words, text.data);
  hone__model_set(&tuning->tuned->source,
                  *tuning->state->source ? tuning->state->source : tuning->path);
  hone__model_set(&tuning->tuned->spec_flag, hone__model_spec_flag(tuning->state->backend));
  describe_run(tuning);
  hone__text_release(&text);
}

void hone__model_result_open(struct hone_iree_tuned *tuned)
{
  char **texts[] = {&tuned->sentence,      &tuned->spec,   &tuned->spec_path, &tuned->spec_flag,
                    &tuned->compile_words, &tuned->folder, &tuned->source,    &tuned->run_words};

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
  hone__model_dispatch_spaces_release(&tuning->spaces);
  hone__model_work_forget(tuning);
  hone__model_base_free(tuning->base);
  hone__model_figures_free(tuning->aside);
  free(tuning->devices);
  free(tuning->folder);
}

static hone_status tune_model(const char *model, struct hone__iree_tune_given *given,
                              struct hone_iree_tuned *tuned)
{
  const struct hone_iree_tune_options *options = &given->options;
  struct hone__model_tuning tuning = {
      .path = model, .options = options, .tuned = tuned, .began = hone__clock()};
  hone_status status;

  if (hone__iree_model_default_target(&given->model, model))
    hone__model_note(&tuning, "compiled for llvm-cpu, because no target is given");
  hone__model_choose_device(&tuning);
  hone__iree_toolset_find(options->model->iree->iree_dir, &tuning.tools);
  status = hone__model_work_open(&tuning);
  if (!status) {
    hone__model_set(&tuned->folder, tuning.folder);
    tuned->stage = options->stop_after;
    hone__model_warn_if_busy(&tuning);
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
  return status ? status : tune_model(model, &given, *out_tuned);
}
