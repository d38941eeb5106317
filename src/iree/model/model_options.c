/* The compiler's own options: what a user could have without any tuning.
 *
 * Each row of the table is one set of words for iree-compile. All of them are built and compete in
 * the model, against plain iree-compile: an ordinary run with one parameter, whose value 0 is the
 * plain compile. Outputs must equal those of the plain compile. The winner is the new base: from
 * there on the model is one that is compiled with these words, in its own folder.
 *
 * Data tiling fixes the tiles of the operations that it takes: little is left to tune then. In this
 * case the plain model is tuned, and the options are its rival: at the end both compete
 * (model_together.c). So do options that looked faster, but were not proved to be.
 *
 * LLVM's vectors of loops gain little with the compiler's own tiles, and much with others, where
 * the compiler itself makes no vectors (hone__iree_cpu_is_scalar). So they are the base of such a
 * model unless they make it slower; if nothing is proved with them at the end, the base is left
 * again.
 */
#include "iree/model/model_options.h"

#include "base/quoted_text.h"
#include "build/command.h"
#include "hone_iree.h"
#include "iree/knobs/knobs.h"
#include "report/report.h"
#include "report/sentence.h"
#include "store/store.h"
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>

#define CHANNELS_LAST                                                                              \
  "--iree-preprocessing-pass-pipeline=builtin.module(util.func("                                   \
  "iree-preprocessing-convert-conv-to-channels-last))"
#define DATA_TILING  "--iree-opt-data-tiling"
#define LOOP_VECTORS "--iree-llvmcpu-loop-vectorization", "--iree-llvmcpu-loop-unrolling"

enum { MOST_WORDS = 4 };
enum needs {
  NEEDS_NOTHING,
  NEEDS_CPU = 1,
  NEEDS_CONVOLUTION = 2,
  NEEDS_CONSENT = 4,
  NEEDS_SCALAR = 8
};

enum { LOOP_VECTORS_ROW }; /* of the table below */

/* In the order in which they are tried: those that gain most on most models come first. */
static const struct {
  const char *name, *words[MOST_WORDS + 1];
  unsigned needs;
} table[] = {
    [LOOP_VECTORS_ROW] = {"loop vectors", {LOOP_VECTORS}, NEEDS_CPU},
    {"channels last, data tiling, loop vectors",
     {CHANNELS_LAST, DATA_TILING, LOOP_VECTORS},
     NEEDS_CPU | NEEDS_CONVOLUTION | NEEDS_SCALAR},
    {"channels last, loop vectors",
     {CHANNELS_LAST, LOOP_VECTORS},
     NEEDS_CPU | NEEDS_CONVOLUTION | NEEDS_SCALAR},
    {"channels last", {CHANNELS_LAST}, NEEDS_CPU | NEEDS_CONVOLUTION},
    {"data tiling", {DATA_TILING}, NEEDS_CPU},
    {"channels last, data tiling", {CHANNELS_LAST, DATA_TILING}, NEEDS_CPU | NEEDS_CONVOLUTION},
    {"data tiling at dispatch creation", {"--iree-dispatch-creation-data-tiling"}, NEEDS_CPU},
    {"O3, data tiling", {"--iree-opt-level=O3", DATA_TILING}, NEEDS_CPU},
    {"O3", {"--iree-opt-level=O3"}, NEEDS_NOTHING},
    {"O2", {"--iree-opt-level=O2"}, NEEDS_NOTHING},
    {"f16 instead of f32", {"--iree-input-demote-f32-to-f16"}, NEEDS_CONSENT},
};
static const double LITTLE = 0.5;        /* of what can be tuned without options */
static const double least_of_base = 0.9; /* a speedup that may be noise */
/* For a new base, the times of its dispatches, its trial, a candidate. */
static const double base_compiles = 5, base_calls = 4;
enum { COUNT = sizeof table / sizeof *table, MOST_FINALISTS = 3 };

/* ---- Which apply ---- */

static bool has_convolution(const struct hone__model_state *state)
{
  for (size_t i = 0; i < state->dispatches_count; i++)
    if (strstr(state->dispatches[i].name, "conv")) return true;
  return false;
}

static bool is_scalar(const struct hone__model_dispatch *dispatch)
{
  struct hone__iree_operation operation = {0};
  struct hone__text why = {0};
  struct hone__mlir file = {0};
  hone_status status = hone__mlir_read(&file, dispatch->file);
  bool found = !status &&
               hone__iree_operation_find(&file, &operation, &why) == HONE__IREE_TUNABLE &&
               hone__iree_cpu_is_scalar(&operation);

  hone_status_free(status);
  hone__text_release(&why);
  hone__mlir_release(&file);
  return found;
}

/* Whether such operations take enough of the time. */
static bool has_scalar(const struct hone__model_tuning *tuning)
{
  const struct hone__model_state *state = tuning->state;
  double share = 0;

  for (size_t i = 0; i < state->dispatches_count; i++) {
    const struct hone__model_dispatch *dispatch = &state->dispatches[i];
    if (!*dispatch->why_not && dispatch->share > 0 && is_scalar(dispatch)) share += dispatch->share;
  }
  return share > 0 && share >= tuning->options->share;
}

/* NULL: it is tried. */
static const char *why_not(const struct hone__model_tuning *tuning, size_t number)
{
  const struct hone__model_state *state = tuning->state;
  unsigned needs = table[number].needs;

  if ((needs & NEEDS_CPU) && strcmp(state->backend, "llvm-cpu") != 0) return "it is for CPUs";
  if ((needs & NEEDS_CONVOLUTION) && !has_convolution(state)) return "there is no convolution";
  if ((needs & NEEDS_SCALAR) && !has_scalar(tuning)) return "the compiler makes vectors of all";
  if ((needs & NEEDS_CONSENT) && !tuning->options->allow_f16) return "it needs '--allow-f16'";
  return NULL;
}

static void add_row(struct hone__model_tuning *tuning, size_t number)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone_iree_tuned_option *option;
  struct hone__text words = {0};

  tuned->options =
      hone__realloc(tuned->options, (tuned->option_count + 1) * sizeof *tuned->options);
  option = &tuned->options[tuned->option_count++];
  *option = (struct hone_iree_tuned_option){
      .time_ns = NAN, .speedup = NAN, .low = NAN, .high = NAN, .outcome = HONE_OUTCOME_OK};
  hone__build_command_print(&words, table[number].words);
  hone__model_set(&option->name, table[number].name);
  hone__model_set(&option->why_not, why_not(tuning, number));
  option->words = hone__text_take(&words);
}

/* ---- The run ---- */

void hone__model_option_flags(struct hone__text *yaml, size_t number)
{
  const char *const *words = table[number].words;

  hone__text_add(yaml, "\"flags\": [");
  for (size_t i = 0; words[i]; i++) {
    hone__text_add(yaml, i ? ", " : "");
    hone__quote_text(yaml, words[i]);
  }
  hone__text_add(yaml, "]");
}

/* Value n + 1 is row n; false: there is nothing to try. */
static bool print_spec(const struct hone__model_tuning *tuning, struct hone__text *yaml)
{
  struct hone__text values = {0};
  bool has_some = false;

  hone__model_print_head(tuning, yaml);
  hone__text_add(yaml, "  variants: [");
  for (size_t i = 0; i < COUNT; i++) {
    if (*tuning->tuned->options[i].why_not) continue;
    hone__text_addf(yaml, "%s{\"param\": \"o\", \"value\": %zu, ", has_some ? ", " : "", i + 1);
    hone__model_option_flags(yaml, i);
    hone__text_add(yaml, "}");
    hone__text_addf(&values, ", %zu", i + 1);
    has_some = true;
  }
  hone__text_addf(yaml, "]\nparams: {o: [0%s]}\nbaseline: {o: 0}\n", has_some ? values.data : "");
  hone__text_release(&values);
  return has_some;
}

static struct hone_tune_options options_of(const struct hone__model_tuning *tuning,
                                           const struct hone__model_bout *bout)
{
  double known_by_s = bout->share < 1 ? round(bout->share * hone__model_budget(tuning)) : 0;
  struct hone_tune_options run = hone__model_search_options(tuning, known_by_s);

  run.top = MOST_FINALISTS;
  if (tuning->state->time_ns > HONE__MODEL_SLOW_NS) run.screen_samples = 1;
  run.evaluations = 0;
  run.strategy = "exhaustive";
  run.keep_slower = false;
  run.keep_going = true; /* words that the compiler does not know fail alike */
  run.stop_after = HONE_STAGE_ALL;
  hone__model_limit(tuning, bout->part, bout->share, &run);
  return run;
}

static size_t row_of(const char *config)
{
  size_t value = hone__starts_with(config, "o=") ? strtoul(config + 2, NULL, 10) : 0;

  return value <= COUNT ? value : 0;
}

static bool take_failure(void *data, const struct hone__evaluation *evaluation)
{
  struct hone_iree_tuned *tuned = data;
  size_t value = row_of(evaluation->config);
  struct hone__text why = {0};

  if (!value || hone__outcome_works(evaluation->outcome)) return true;
  hone__text_addf(&why, "%s: %.*s", hone_outcome_name(evaluation->outcome),
                  (int)strcspn(evaluation->evidence ? evaluation->evidence : "", "\n"),
                  evaluation->evidence ? evaluation->evidence : "");
  tuned->options[value - 1].outcome = evaluation->outcome;
  free(tuned->options[value - 1].why_not);
  tuned->options[value - 1].why_not = hone__text_take(&why);
  return true;
}

static void take_rows(struct hone_iree_tuned *tuned, const struct hone_report *report)
{
  for (size_t i = 0; i < report->row_count; i++) {
    const struct hone_report_row *row = &report->rows[i];
    size_t value = row_of(row->config);
    struct hone_iree_tuned_option *option;
    if (row->is_baseline) tuned->before_ns = row->time_ns;
    if (!value || row->is_baseline) continue;
    option = &tuned->options[value - 1];
    option->time_ns = row->time_ns;
    option->speedup = isnan(row->speedup) ? row->screen_speedup : row->speedup;
    option->low = row->low;
    option->high = row->high;
    option->verdict = row->verdict;
    option->is_used = row->is_winner && report->verdict == HONE_VERDICT_IMPROVED;
    if (!option->is_used)
      hone__model_set(&option->why_not, !(option->speedup > 1) ? "the model is not faster with it"
                                        : report->verdict == HONE_VERDICT_IMPROVED
                                            ? "another is faster"
                                            : "not proved to be faster");
  }
}

/* The budget's part of this stage was over. */
static void note_untried(struct hone_iree_tuned *tuned)
{
  for (size_t i = 0; i < tuned->option_count; i++) {
    struct hone_iree_tuned_option *option = &tuned->options[i];
    if (isnan(option->speedup) && !*option->why_not)
      hone__model_set(&option->why_not, "no time was left to try it: a larger --budget does");
  }
}

/* Of the whole model, as the run has them. */
static void take_figures(struct hone_iree_tuned *tuned, const struct hone_report *report,
                         const char *subject)
{
  tuned->run = report->run;
  tuned->verdict = report->verdict;
  tuned->speedup = report->speedup;
  tuned->low = report->low;
  tuned->high = report->high;
  free(tuned->sentence);
  tuned->sentence = hone__report_sentence_about(report, subject);
  for (size_t i = 0; i < report->row_count; i++) {
    if (report->rows[i].is_baseline) tuned->before_ns = report->rows[i].time_ns;
    if (report->rows[i].is_winner) tuned->after_ns = report->rows[i].time_ns;
  }
}

/* What is faster. Options that are not the base, or rivals of the spec, have value 1, entries
 * value 2.
 */
static const char *subject_of(const struct hone__model_tuning *tuning, bool is_options,
                              size_t winner)
{
  bool is_rival = !tuning->base || tuning->base->is_rival;

  if (is_options || (is_rival && winner == 1)) return "the model with these options";
  return is_rival ? "the model with the tuning spec"
                  : "the model with these options and the tuning spec";
}

static void take_gains(struct hone__model_bout *bout, const struct hone_report *report)
{
  for (size_t i = 0; i < report->row_count; i++) {
    const struct hone_report_row *row = &report->rows[i];
    size_t value = row_of(row->config);
    if (row->is_winner && report->verdict == HONE_VERDICT_IMPROVED) bout->winner = value;
    if (!value || value >= HONE__MODEL_BOUT_VALUES || row->is_baseline) continue;
    bout->times_ns[value] = row->time_ns;
    bout->gains[value] = (struct hone__model_gain){
        .speedup = isnan(row->speedup) ? row->screen_speedup : row->speedup,
        .low = row->low,
        .high = row->high,
        .is_proved = row->verdict == HONE_VERDICT_IMPROVED};
  }
}

static hone_status read_run(struct hone__model_tuning *tuning, int64_t run,
                            struct hone__model_bout *bout)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  bool is_options = bout->part == HONE__MODEL_OPTIONS;
  struct hone_store *store = NULL;
  struct hone_report *report = NULL;
  hone_status status = hone_store_open(tuning->options->tune->store, &store);

  if (!status) status = hone_report_load(store, run, &report);
  if (!status) {
    take_gains(bout, report);
    take_figures(tuned, report, subject_of(tuning, is_options, bout->winner));
    if (is_options) take_rows(tuned, report);
    if (is_options) status = hone__store_evaluations(store, run, take_failure, tuned);
    if (is_options) note_untried(tuned);
  }
  hone_report_free(report);
  hone_store_free(store);
  return status;
}

hone_status hone__model_compete(struct hone__model_tuning *tuning, struct hone__model_bout *bout)
{
  struct hone_tune_options run = options_of(tuning, bout);
  struct hone__session_result result = {0};
  struct hone_spec *spec = NULL;
  hone_status status = hone__model_load_spec(tuning, bout->name, &bout->yaml, &spec);

  for (size_t i = 0; i < HONE__MODEL_BOUT_VALUES; i++) {
    bout->gains[i] = (struct hone__model_gain){.speedup = NAN, .low = NAN, .high = NAN};
    bout->times_ns[i] = NAN;
  }
  bout->winner = 0;
  if (!status) status = hone__tune_solved(spec, NULL, &run, &result);
  tuning->tuned->interrupted = tuning->tuned->interrupted || result.interrupted;
  if (!status && result.run_count && !result.interrupted)
    status = read_run(tuning, result.runs[0], bout);
  hone_spec_free(spec);
  free(result.runs);
  return status;
}

/* ---- The new base ---- */

struct hone__model_figures hone__model_figures_of(const struct hone_iree_tuned *tuned)
{
  return (struct hone__model_figures){.run = tuned->run,
                                      .verdict = tuned->verdict,
                                      .before_ns = tuned->before_ns,
                                      .after_ns = tuned->after_ns,
                                      .speedup = tuned->speedup,
                                      .low = tuned->low,
                                      .high = tuned->high,
                                      .sentence = hone__strdup(tuned->sentence)};
}

void hone__model_figures_release(struct hone__model_figures *figures)
{
  free(figures->sentence);
  figures->sentence = NULL;
}

void hone__model_figures_free(struct hone__model_figures *figures)
{
  if (figures) hone__model_figures_release(figures);
  free(figures);
}

struct hone__model_gain hone__model_gain_of_figures(const struct hone__model_figures *figures)
{
  return hone__model_gain_of_result(figures->verdict, figures->speedup, figures->low,
                                    figures->high);
}

const char *const *hone__model_option_words(size_t number)
{
  return table[number].words;
}

size_t hone__model_option_used(const struct hone_iree_tuned *tuned)
{
  size_t i = 0;

  while (i < tuned->option_count && !tuned->options[i].is_used)
    i++;
  return i;
}

void hone__model_base_free(struct hone__model_base *base)
{
  if (!base) return;
  hone__words_release(&base->flags);
  hone__model_figures_release(&base->kept);
  free(base->other.folder);
  free(base);
}

static hone_status rebase(struct hone__model_tuning *tuning, const char *const *words)
{
  struct hone__model_base *base = hone__alloc(sizeof *base);
  const struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone__text place = {0};
  char *top = tuning->folder;
  hone_status status;

  *base = (struct hone__model_base){.kept = hone__model_figures_of(tuned),
                                    .tune = *tuning->options,
                                    .model = *tuning->options->model,
                                    .iree = *tuning->options->model->iree};
  for (size_t i = 0; i < base->iree.flag_count; i++)
    hone__words_add(&base->flags, base->iree.flags[i]);
  hone__words_add_all(&base->flags, words);
  base->iree.flags = hone__words_list(&base->flags);
  base->iree.flag_count = base->flags.count;
  base->model.iree = &base->iree;
  base->tune.model = &base->model;
  tuning->base = base;
  base->other =
      (struct hone__model_place){.options = tuning->options, .state = tuning->state, .folder = top};
  memcpy(base->other.key, tuning->key, sizeof tuning->key);
  tuning->options = &base->tune;
  tuning->state = NULL;
  hone__text_addf(&place, "%s/base-%zu", top, hone__model_option_used(tuned) + 1);
  base->model.folder = place.data;
  tuning->folder = NULL;
  status = hone__model_work_open(tuning);
  base->model.folder = NULL;
  hone__text_release(&place);
  return status ? status : hone__model_state_open(tuning);
}

void hone__model_change_places(struct hone__model_tuning *tuning)
{
  struct hone__model_place *other = &tuning->base->other, here = {.options = tuning->options,
                                                                  .state = tuning->state,
                                                                  .folder = tuning->folder};

  memcpy(here.key, tuning->key, sizeof here.key);
  tuning->options = other->options;
  tuning->state = other->state;
  tuning->folder = other->folder;
  memcpy(tuning->key, other->key, sizeof tuning->key);
  *other = here;
}

/* The part of the time that can be tuned. */
static double tunable(const struct hone__model_tuning *tuning,
                      const struct hone__model_state *state)
{
  double sum = 0;

  for (size_t i = 0; i < state->dispatches_count; i++) {
    const struct hone__model_dispatch *dispatch = &state->dispatches[i];
    if (!*dispatch->why_not && dispatch->share >= tuning->options->share) sum += dispatch->share;
  }
  return sum;
}

/* ---- The stage ---- */

/* They are not slower, as far as it is known, and tiles can be found for them. */
static bool is_base_for_tiles(const struct hone__model_tuning *tuning)
{
  const struct hone_iree_tuned_option *option = &tuning->tuned->options[LOOP_VECTORS_ROW];

  return option->outcome == HONE_OUTCOME_OK && option->speedup > least_of_base &&
         !(option->high < 1) && !tuning->options->options_only &&
         hone__model_has_compiles(tuning, base_compiles, base_calls) && has_scalar(tuning);
}

static hone_status rebase_for_tiles(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned_option *option = &tuning->tuned->options[LOOP_VECTORS_ROW];
  hone_status status;

  option->is_used = true;
  hone__model_set(&option->why_not, "");
  status = rebase(tuning, table[LOOP_VECTORS_ROW].words);
  tuning->base->is_unproved = true;
  return status;
}

/* Times are needed. */
static bool is_wanted(const struct hone__model_tuning *tuning)
{
  const struct hone_iree_tune_options *options = tuning->options;
  const struct hone__model_state *state = tuning->state;

  if (options->no_options || *state->why_untimed) return false;
  if (!tuning->tools.paths[HONE__IREE_COMPILE]) return false;
  return options->stop_after == HONE_IREE_STAGE_ALL || options->stop_after == HONE_IREE_STAGE_MODEL;
}

/* The winner is the base of all that follows. If it gains less than a new base costs, the plain
 * model is tuned, and the winner meets what is found there. */
static hone_status use_winner(struct hone__model_tuning *tuning, size_t used)
{
  const struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone__model_gain gain = hone__model_gain_of_option(&tuned->options[used]);
  double cost = hone__model_cost(tuning, base_compiles, base_calls);

  if (hone__model_has_compiles(tuning, base_compiles, base_calls) &&
      (tuning->unproved || tuning->options->options_only ||
       hone__model_gain_is_worth_base(&gain, cost)))
    return rebase(tuning, table[used].words);
  tuning->option_words = table[used].words;
  if (!hone__model_has_rest(tuning)) return NULL;
  tuning->aside = hone__alloc(sizeof *tuning->aside);
  *tuning->aside = hone__model_figures_of(tuned);
  tuning->unproved = used + 1;
  return NULL;
}

static hone_status choose_base(struct hone__model_tuning *tuning)
{
  const struct hone_iree_tuned *tuned = tuning->tuned;
  hone_status status;
  size_t used;

  tuning->unproved = hone__model_choice_rival(tuned);
  status = hone__model_prove_options(tuning);
  used = hone__model_option_used(tuned);
  if (status || tuned->interrupted) return status;
  if (used < tuned->option_count) return use_winner(tuning, used);
  return is_base_for_tiles(tuning) ? rebase_for_tiles(tuning) : NULL;
}

hone_status hone__model_options(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone__model_bout bout = {.name = "options.yaml", .part = HONE__MODEL_OPTIONS, .share = 1};
  hone_status status = NULL;

  if (!is_wanted(tuning)) return NULL;
  for (size_t i = 0; i < COUNT; i++)
    add_row(tuning, i);
  if (!hone__model_has_time(tuning, HONE__MODEL_OPTIONS)) {
    note_untried(tuned);
    return NULL;
  }
  hone__model_title(tuning, "the compiler's own options");
  if (print_spec(tuning, &bout.yaml)) status = hone__model_compete(tuning, &bout);
  if (!status && !tuned->interrupted) status = choose_base(tuning);
  if (!status && tuning->base && !tuning->base->is_unproved && !tuning->options->options_only &&
      tunable(tuning, tuning->state) < LITTLE * tunable(tuning, tuning->base->other.state)) {
    tuning->base->is_rival = true;
    hone__model_change_places(tuning);
  }
  hone__text_release(&bout.yaml);
  return status;
}
