/* The contest in the model. One parameter per tuned dispatch: 0 is the compiler's own
 * configuration, 1 its best, 2 the next. The first parameter promises most: its share of the time
 * by its speedup. The search begins with all that are faster alone, then adds one entry after the
 * other where the model gets faster by it (search/greedy.c): an entry that fails or does not help
 * does not exclude others. It is an ordinary spec, tuned like others.
 *
 * Hosts that share the work must know the combinations before times are known: then they are
 * listed. All winners; each alone; all but one; each runner-up in place of its winner.
 */
#include "iree/model/model_tune.h"

#include "base/quoted_text.h"
#include "hone_iree.h"
#include "report/report.h"
#include "report/sentence.h"
#include "session/kept_output.h"
#include "space/space.h"
#include "store/store.h"
#include "tune/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_FINALISTS = 4, MOST_COMBINATIONS = 4096 };

struct places { /* dispatches that take part: their numbers */
  size_t *numbers;
  size_t count;
};

/* Within the model, all of its candidates are slower than the compiler's own choice. */
static bool is_slower_there(const struct hone__model_found *found)
{
  return found->is_profiled && found->candidates_count && found->candidates[0].speedup < 1;
}

static size_t candidate_count(const struct hone__model_tuning *tuning, size_t number)
{
  const struct hone__model_found *found = tuning->found[number];

  return found && (!is_slower_there(found) || tuning->options->tune->keep_slower)
             ? found->candidates_count
             : 0;
}

/* The part of the model's time that its best candidate would save. */
static double expected_gain(const struct hone__model_tuning *tuning, size_t number)
{
  double share = tuning->tuned->dispatches[number].group_share;
  double speedup = tuning->found[number]->candidates[0].speedup;

  return (isnan(share) ? 1 : share) * (isnan(speedup) ? 0 : 1 - 1 / speedup);
}

/* Those that promise most come first, others as they were. */
static struct places find_places(const struct hone__model_tuning *tuning)
{
  struct places places = {.numbers =
                              hone__alloc((tuning->tuned->count + 1) * sizeof *places.numbers)};

  for (size_t i = 0; i < tuning->tuned->count; i++) {
    size_t at = places.count;
    if (!candidate_count(tuning, i)) continue;
    for (; at > 0 && expected_gain(tuning, places.numbers[at - 1]) < expected_gain(tuning, i); at--)
      places.numbers[at] = places.numbers[at - 1];
    places.numbers[at] = i;
    places.count++;
  }
  return places;
}

static bool is_listed(const struct hone__model_tuning *tuning)
{
  return tuning->options->stop_after == HONE_IREE_STAGE_BUILD ||
         !tuning->tools.paths[HONE__IREE_COMPILE];
}

/* ---- Combinations ---- */

struct combinations {
  const struct places *places;
  size_t *values; /* a row for each, of a value for each place */
  size_t count, capacity;
};

static size_t *row_of(const struct combinations *all, size_t number)
{
  return all->values + number * all->places->count;
}

static bool is_known(const struct combinations *all, const size_t *row)
{
  for (size_t i = 0; i < all->count; i++)
    if (memcmp(row_of(all, i), row, all->places->count * sizeof *row) == 0) return true;
  return false;
}

/* All places have a value, but for one; SIZE_MAX: none. */
static void add_combination(struct combinations *all, size_t value, size_t place, size_t other)
{
  size_t width = all->places->count, *row;

  if (all->count >= MOST_COMBINATIONS) return;
  if (all->count == all->capacity) {
    all->capacity = all->capacity ? 2 * all->capacity : 8;
    all->values = hone__realloc(all->values, all->capacity * width * sizeof *all->values);
  }
  row = row_of(all, all->count);
  for (size_t i = 0; i < width; i++)
    row[i] = i == place ? other : value;
  if (!is_known(all, row)) all->count++;
}

/* The first is the untuned model. */
static void combine(const struct hone__model_tuning *tuning, struct combinations *all)
{
  const struct places *places = all->places;

  add_combination(all, 0, SIZE_MAX, 0);
  add_combination(all, 1, SIZE_MAX, 0);
  for (size_t i = 0; i < places->count; i++)
    add_combination(all, 0, i, 1);
  for (size_t i = 0; i < places->count; i++)
    add_combination(all, 1, i, 0);
  for (size_t i = 0; i < places->count; i++)
    for (size_t k = 2; k <= candidate_count(tuning, places->numbers[i]); k++)
      add_combination(all, 1, i, k);
}

/* ---- The spec: texts, lists and mappings as JSON, which YAML contains ---- */

static void add_text(struct hone__text *yaml, const char *key, const char *text)
{
  hone__text_addf(yaml, "%s: ", key);
  hone__quote_text(yaml, text);
  hone__text_add(yaml, "\n");
}

static void add_texts(struct hone__text *yaml, const char *key, const char *const *texts,
                      size_t count)
{
  hone__text_addf(yaml, "%s: [", key);
  for (size_t i = 0; i < count; i++) {
    hone__text_add(yaml, i ? ", " : "");
    hone__quote_text(yaml, texts[i]);
  }
  hone__text_add(yaml, "]\n");
}

static void add_member(struct hone__text *yaml, const char *key, const char *text)
{
  hone__text_addf(yaml, ", \"%s\": ", key);
  hone__quote_text(yaml, text);
}

void hone__model_print_entry(const struct hone__model_found *found,
                             const struct hone__model_candidate *candidate, struct hone__text *yaml)
{
  add_member(yaml, "name", found->matcher_name);
  add_member(yaml, "matcher", found->matcher);
  add_member(yaml, "compilation_info", candidate->compilation_info);
  if (candidate->decomposition_config)
    add_member(yaml, "decomposition_config", candidate->decomposition_config);
  hone__text_add(yaml, "}");
}

static void add_entry(struct hone__text *yaml, const struct hone__model_found *found,
                      const struct hone__model_candidate *candidate, size_t place, size_t value)
{
  hone__text_addf(yaml, "{\"param\": \"d%zu\", \"value\": %zu", place, value);
  hone__model_print_entry(found, candidate, yaml);
}

static void add_entries(struct hone__text *yaml, const struct hone__model_tuning *tuning,
                        const struct places *places)
{
  hone__text_add(yaml, "  entries: [");
  for (size_t i = 0; i < places->count; i++) {
    const struct hone__model_found *found = tuning->found[places->numbers[i]];
    for (size_t k = 0; k < found->candidates_count; k++) {
      hone__text_add(yaml, i || k ? ", " : "");
      add_entry(yaml, found, &found->candidates[k], i, k + 1);
    }
  }
  hone__text_add(yaml, "]\n");
}

static void add_config(struct hone__text *yaml, const struct combinations *all, size_t number)
{
  hone__text_add(yaml, "{");
  for (size_t i = 0; i < all->places->count; i++)
    hone__text_addf(yaml, "%s\"d%zu\": %zu", i ? ", " : "", i, row_of(all, number)[i]);
  hone__text_add(yaml, "}");
}

static void add_configs(struct hone__text *yaml, const struct hone__model_tuning *tuning,
                        const struct places *places)
{
  struct combinations all = {.places = places};

  combine(tuning, &all);
  hone__text_add(yaml, "configs: [");
  for (size_t i = 0; i < all.count; i++) {
    hone__text_add(yaml, i ? ", " : "");
    add_config(yaml, &all, i);
  }
  hone__text_add(yaml, "]\nbaseline: ");
  add_config(yaml, &all, 0);
  hone__text_add(yaml, "\n");
  free(all.values);
}

static void add_params(struct hone__text *yaml, const struct hone__model_tuning *tuning,
                       const struct places *places)
{
  hone__text_add(yaml, "params: {");
  for (size_t i = 0; i < places->count; i++) {
    hone__text_addf(yaml, "%s\"d%zu\": [0", i ? ", " : "", i);
    for (size_t k = 1; k <= candidate_count(tuning, places->numbers[i]); k++)
      hone__text_addf(yaml, ", %zu", k);
    hone__text_add(yaml, "]");
  }
  hone__text_add(yaml, "}\nbaseline: {");
  for (size_t i = 0; i < places->count; i++)
    hone__text_addf(yaml, "%s\"d%zu\": 0", i ? ", " : "", i);
  hone__text_add(yaml, "}\n");
}

static void add_name(struct hone__text *yaml, const char *path)
{
  const char *base = strrchr(path, '/');
  struct hone__text name = {0};

  base = base ? base + 1 : path;
  hone__text_addn(&name, base, strcspn(base, "."));
  add_text(yaml, "name", name.data ? name.data : "");
  hone__text_release(&name);
}

static void add_settings(struct hone__text *yaml, const struct hone__model_tuning *tuning)
{
  const struct hone__model_state *state = tuning->state;
  const char *dir = tuning->options->model->iree->iree_dir;

  add_text(yaml, "  digest", state->digest);
  add_text(yaml, "  identity", state->identity);
  add_text(yaml, "  target", state->target);
  add_text(yaml, "  backend", state->backend);
  add_text(yaml, "  driver", state->driver);
  if (strcmp(state->driver, "local-task") == 0)
    hone__text_addf(yaml, "  threads: %u\n", tuning->options->model->iree->threads);
  add_text(yaml, "  function", state->function);
  add_texts(yaml, "  flags", state->words, state->words_count);
  add_texts(yaml, "  inputs", state->call, state->call_count);
  add_text(yaml, "  inputs_digest", state->inputs_digest);
  add_texts(yaml, "  outputs", state->outputs, state->outputs_count);
  if (dir) add_text(yaml, "  iree_dir", dir);
}

void hone__model_print_head(const struct hone__model_tuning *tuning, struct hone__text *yaml)
{
  char *source = hone__model_source(tuning);

  add_name(yaml, tuning->path);
  hone__text_add(yaml, "file: ");
  hone__quote_path(yaml, source);
  hone__text_add(yaml, "\n");
  hone__text_add(yaml, "backend: iree\niree:\n");
  add_text(yaml, "  model", source);
  add_settings(yaml, tuning);
  free(source);
}

static void print_spec(const struct hone__model_tuning *tuning, const struct places *places,
                       struct hone__text *yaml)
{
  hone__model_print_head(tuning, yaml);
  add_entries(yaml, tuning, places);
  if (is_listed(tuning))
    add_configs(yaml, tuning, places);
  else
    add_params(yaml, tuning, places);
}

hone_status hone__model_load_spec(struct hone__model_tuning *tuning, const char *name,
                                  const struct hone__text *yaml, struct hone_spec **out_spec)
{
  char *path = hone__model_work_path(tuning, "%s", name);
  const char *file = path;
  struct hone_spec_options options;
  hone_status status = hone__model_work_write_text(tuning, name, yaml->data);

  hone_spec_options_init(&options);
  options.files = &file;
  options.file_count = 1;
  if (!status) status = hone_spec_load(&options, out_spec);
  free(path);
  return status;
}

static hone_status load_spec(struct hone__model_tuning *tuning, const struct places *places,
                             struct hone_spec **out_spec)
{
  struct hone__text yaml = {0};
  hone_status status;

  print_spec(tuning, places, &yaml);
  status = hone__model_load_spec(tuning, "model.yaml", &yaml, out_spec);
  hone__text_release(&yaml);
  return status;
}

/* ---- The result ---- */

/* The winner's, or else, if requested, the best of all. */
static const struct hone_report_row *choose_row(const struct hone__model_tuning *tuning,
                                                const struct hone_report *report)
{
  const struct hone_report_row *best = NULL;

  for (size_t i = 0; i < report->row_count; i++) {
    if (report->rows[i].is_winner) return &report->rows[i];
    if (!best && !report->rows[i].is_baseline) best = &report->rows[i];
  }
  return tuning->options->tune->keep_slower ? best : NULL;
}

static void take_times(struct hone_iree_tuned *tuned, const struct hone_report *report)
{
  const struct hone_report_row *best = NULL;

  for (size_t i = 0; i < report->row_count; i++) {
    const struct hone_report_row *row = &report->rows[i];
    if (row->is_baseline) tuned->before_ns = row->time_ns;
    if (!row->is_baseline && (!best || (row->is_winner && !best->is_winner))) best = row;
  }
  if (!best) return;
  tuned->after_ns = best->time_ns;
  tuned->speedup = best->speedup;
  tuned->low = best->low;
  tuned->high = best->high;
}

/* "d0=1,d1=0" */
static size_t value_in(const char *config, size_t place)
{
  struct hone__text name = {0};
  const char *at;
  size_t value = 0;

  hone__text_addf(&name, "d%zu=", place);
  for (at = config; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (hone__starts_with(at, name.data)) value = strtoul(at + name.length, NULL, 10);
  hone__text_release(&name);
  return value;
}

/* Why entries of dispatches had no effect in the model: from the first evaluation of each. */
static bool note_unapplied(void *data, const struct hone__evaluation *evaluation)
{
  struct hone__pairs *reasons = data;
  struct hone__kept_output output;

  if (evaluation->outcome != HONE_OUTCOME_NOT_APPLIED) return true;
  hone__kept_output_read(evaluation->output, &output);
  if (output.unapplied) hone__pairs_add(reasons, output.unapplied, evaluation->evidence);
  hone__kept_output_release(&output);
  return true;
}

/* Its result in the model. */
static void explain(struct hone__model_tuning *tuning, size_t number,
                    const struct hone__pairs *reasons)
{
  const char *why = hone__pairs_find(reasons, tuning->found[number]->matcher_name);

  hone__model_set(&tuning->tuned->dispatches[number].why_not,
                  why ? why : "the model is not faster with it");
}

static void use(struct hone__model_tuning *tuning, const struct places *places, size_t place,
                size_t value, const struct hone__pairs *reasons)
{
  size_t number = places->numbers[place];
  struct hone_iree_tuned_dispatch *dispatch = &tuning->tuned->dispatches[number];
  struct hone__model_found *found = tuning->found[number];
  const struct hone__model_candidate *candidate =
      value && value <= found->candidates_count ? &found->candidates[value - 1] : NULL;

  if (!candidate) {
    explain(tuning, number, reasons);
    return;
  }
  dispatch->is_used = true;
  hone__model_set(&dispatch->configuration, candidate->config);
  hone__model_set(&dispatch->compilation_info, candidate->compilation_info);
  found->used = candidate;
}

/* Names of combinations are meaningless to the user. */
static void take_sentence(struct hone_iree_tuned *tuned, const struct hone_report *report)
{
  free(tuned->sentence);
  tuned->sentence = hone__report_sentence_about(report, "the model with the tuning spec");
}

/* The budget ended before a candidate was measured. */
static bool is_empty(const struct hone_report *report)
{
  for (size_t i = 0; i < report->row_count; i++)
    if (!report->rows[i].is_baseline) return false;
  return report->verdict == HONE_VERDICT_INCONCLUSIVE;
}

/* What is known of the model stays the result. */
static void note_untried(struct hone__model_tuning *tuning, const struct places *places)
{
  for (size_t i = 0; i < places->count; i++)
    hone__model_set(&tuning->tuned->dispatches[places->numbers[i]].why_not,
                    "the budget was spent before it was tried in the model");
}

static void take_report(struct hone__model_tuning *tuning, const struct places *places,
                        const struct hone_report *report, const struct hone__pairs *reasons)
{
  const struct hone_report_row *row = choose_row(tuning, report);

  tuning->tuned->run = report->run;
  tuning->tuned->verdict = report->verdict;
  take_times(tuning->tuned, report);
  take_sentence(tuning->tuned, report);
  for (size_t i = 0; i < places->count; i++)
    use(tuning, places, i, row ? value_in(row->config, i) : 0, reasons);
}

static hone_status take_result(struct hone__model_tuning *tuning, const struct places *places,
                               int64_t run)
{
  struct hone_store *store = NULL;
  struct hone_report *report = NULL;
  struct hone__pairs reasons = {0};
  hone_status status = hone_store_open(tuning->options->tune->store, &store);

  if (!status) status = hone_report_load(store, run, &report);
  if (!status) status = hone__store_evaluations(store, run, note_unapplied, &reasons);
  if (!status && tuning->tuned->verdict != HONE_VERDICT_NONE && is_empty(report))
    note_untried(tuning, places);
  else if (!status)
    take_report(tuning, places, report, &reasons);
  hone__pairs_release(&reasons);
  hone_report_free(report);
  hone_store_free(store);
  return status;
}

/* ---- All of it ---- */

static struct hone_tune_options options_of(const struct hone__model_tuning *tuning)
{
  struct hone_tune_options run =
      hone__model_search_options(tuning, tuning->options->model_budget_s);

  if (tuning->options->stop_after == HONE_IREE_STAGE_MODEL_BUILD) run.stop_after = HONE_STAGE_BUILD;
  run.top = MOST_FINALISTS;
  if (tuning->state->time_ns > HONE__MODEL_SLOW_NS) run.screen_samples = 1;
  run.evaluations = 0;
  run.strategy = is_listed(tuning) ? "exhaustive" : "greedy";
  run.keep_slower = tuning->options->tune->keep_slower;
  hone__model_limit(tuning, HONE__MODEL_CONTEST, 1, &run);
  return run;
}

/* All that are faster alone: often the best, and a single compile. "" if they are fewer than two.
 */
static void print_all(const struct hone__model_tuning *tuning, const struct places *places,
                      struct hone__text *config)
{
  size_t count = 0;

  for (size_t i = 0; i < places->count; i++) {
    bool is_faster = expected_gain(tuning, places->numbers[i]) > 0;
    hone__text_addf(config, "%sd%zu=%d", i ? "," : "", i, is_faster);
    count += is_faster;
  }
  if (count < 2) hone__text_release(config);
}

static hone_status contest(struct hone__model_tuning *tuning, const struct places *places)
{
  struct hone_tune_options run = options_of(tuning);
  struct hone__session_result result = {0};
  struct hone_spec *spec = NULL;
  struct hone__text all = {0};
  const char *first;
  hone_status status = load_spec(tuning, places, &spec);

  print_all(tuning, places, &all);
  first = all.data;
  if (all.length && !is_listed(tuning)) {
    run.seed_configs = &first;
    run.seed_config_count = 1;
  }
  hone__model_title(tuning, "the model");
  if (!status) status = hone__tune_solved(spec, NULL, &run, &result);
  tuning->tuned->interrupted = tuning->tuned->interrupted || result.interrupted;
  if (status && !tuning->tools.paths[HONE__IREE_COMPILE])
    status = hone__annotate(status,
                            "the model's candidates are not built yet: copy the store and the "
                            "cache back to the host with the compiler, run the same command there "
                            "with --stop-after build, then copy them here and run it again");
  if (!status && result.run_count && run.stop_after == HONE_STAGE_ALL)
    status = take_result(tuning, places, result.runs[0]);
  free(result.runs);
  hone__text_release(&all);
  hone_spec_free(spec);
  return status;
}

/* False: nothing was measured in the model. */
static bool end_slower(struct hone__model_tuning *tuning)
{
  bool is_any = false;

  for (size_t i = 0; i < tuning->tuned->count; i++)
    is_any |= tuning->found[i] && is_slower_there(tuning->found[i]);
  if (!is_any) return false;
  tuning->tuned->verdict = HONE_VERDICT_NO_IMPROVEMENT;
  hone__model_set(&tuning->tuned->sentence,
                  "no configuration that was found makes a dispatch faster within the model");
  return true;
}

static void explain_slower(struct hone__model_tuning *tuning)
{
  for (size_t i = 0; i < tuning->tuned->count; i++)
    if (tuning->found[i] && !candidate_count(tuning, i))
      hone__model_set(&tuning->tuned->dispatches[i].why_not, "it is slower within the model");
}

hone_status hone__model_contest(struct hone__model_tuning *tuning)
{
  hone_status status = hone__model_profile(tuning);
  struct places places = find_places(tuning);

  explain_slower(tuning);
  if (!status && places.count)
    status = contest(tuning, &places);
  else if (!status && !end_slower(tuning))
    hone__model_note(tuning, "no configuration was found to try in the model");
  free(places.numbers);
  return status;
}
