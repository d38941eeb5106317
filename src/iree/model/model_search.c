/* One dispatch: its dump is tuned as by `hone tune`, and the best in the store are written to a
 * file with their texts.
 */
#include "iree/model/model_tune.h"

#include "hone_iree.h"
#include "report/report.h"
#include "space/space.h"
#include "tune/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST_FINALISTS = 2, FEW = 8 };
static const double most_of_model = 0.5; /* a share of its time */

/* ---- The run ---- */

hone_status hone__model_search_space(struct hone__model_tuning *tuning, size_t number,
                                     struct hone__model_dispatch_space *out_space)
{
  const char *file = tuning->state->dispatches[number].file;

  if (hone__model_dispatch_spaces_take(&tuning->spaces, file, out_space)) return NULL;
  return hone__model_dispatch_space_open(out_space, file, tuning->options->model->iree, true);
}

static const enum hone_stage stages[] = {[HONE_IREE_STAGE_GENERATE] = HONE_STAGE_GENERATE,
                                         [HONE_IREE_STAGE_BUILD] = HONE_STAGE_BUILD,
                                         [HONE_IREE_STAGE_SCREEN] = HONE_STAGE_SCREEN,
                                         [HONE_IREE_STAGE_MODEL] = HONE_STAGE_ALL,
                                         [HONE_IREE_STAGE_MODEL_BUILD] = HONE_STAGE_ALL};

struct hone_tune_options hone__model_search_options(const struct hone__model_tuning *tuning,
                                                    double budget_s)
{
  const struct hone_iree_tune_options *options = tuning->options;
  struct hone_tune_options run = *options->tune;
  unsigned wanted = options->model_candidates;

  run.budget_s = budget_s;
  if (tuning->devices) run.devices = tuning->devices;
  run.top = wanted > LEAST_FINALISTS ? wanted : LEAST_FINALISTS;
  run.no_warm_start = true; /* hosts that share the work must search the same configurations */
  run.keep_slower = true;   /* a configuration that is slower alone may be faster in the model */
  run.stop_after = stages[options->stop_after];
  run.progress = hone__model_event;
  run.progress_data = (void *)(uintptr_t)tuning;
  return run;
}

/* A word of the spec's settings for IREE; NULL: there is none. */
static const char *setting(const struct hone_spec *spec, const char *key)
{
  const struct hone__node *iree = hone__node_get(spec->root, "iree"),
                          *node = iree ? hone__node_get(iree, key) : NULL;

  return node && node->kind == HONE__SCALAR ? node->text : NULL;
}

/* A part of the spec, whichever way it is written. */
static void add_node(struct hone__digester *digester, const struct hone__node *node)
{
  const size_t shape[] = {node ? (size_t)node->kind : 0, node ? node->count : 0};

  hone__digest_add(digester, shape, sizeof shape);
  if (!node) return;
  if (node->kind == HONE__SCALAR) hone__digest_add_text(digester, node->text);
  for (size_t i = 0; i < node->count; i++) {
    if (node->kind == HONE__MAPPING) add_node(digester, node->pairs[i].key);
    add_node(digester, node->kind == HONE__MAPPING ? node->pairs[i].value : node->items[i]);
  }
}

/* Everything that determines the result, except the machine and its paths: a host without a
 * compiler can continue with it. */
static void key_of(const struct hone_spec *spec, const struct hone_tune_options *run,
                   char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();
  const double numbers[] = {round(run->budget_s), run->top,    (double)run->evaluations,
                            (double)run->seed,    run->margin, run->screen_samples};

  hone__digest_add_text(digester, setting(spec, "digest"));
  hone__digest_add_text(digester, setting(spec, "identity"));
  hone__digest_add_text(digester, setting(spec, "driver"));
  hone__digest_add_text(digester, setting(spec, "threads"));
  add_node(digester, hone__node_get(spec->root, "alternatives"));
  add_node(digester, hone__node_get(spec->root, "baseline"));
  hone__digest_add_text(digester, run->strategy);
  hone__digest_add_text(digester, run->devices);
  hone__digest_add(digester, numbers, sizeof numbers);
  hone__digest_end(digester, key);
}

/* ---- What it found ---- */

struct finding { /* what lives while it is collected */
  struct hone__arena arena;
  struct hone__model_found found;
};

/* NULL: there is none. */
static const char *print_text(const struct hone_space *space, const uint32_t *row, size_t number,
                              struct hone__arena *arena)
{
  size_t length = hone_space_print_text(space, row, number, NULL, 0);
  char *text;

  if (length == HONE_NO_TEXT || !length) return NULL;
  text = hone__arena_alloc(arena, length + 1);
  hone_space_print_text(space, row, number, text, length + 1);
  return text;
}

static void add_texts(const struct hone_space *space, const uint32_t *row,
                      struct hone__arena *arena, struct hone__model_candidate *candidate)
{
  for (size_t i = 0; i < hone_space_text_count(space); i++) {
    const char *name = hone_space_text_name(space, i);
    if (strcmp(name, "compilation_info") == 0)
      candidate->compilation_info = print_text(space, row, i, arena);
    if (strcmp(name, "decomposition_config") == 0)
      candidate->decomposition_config = print_text(space, row, i, arena);
  }
}

/* Of screening, if time was over before it was confirmed. */
static double speedup_of(const struct hone_report_row *row)
{
  return isnan(row->speedup) ? row->screen_speedup : row->speedup;
}

static hone_status add_candidate(const struct hone_space *space, const struct hone_report_row *from,
                                 struct finding *finding)
{
  uint32_t *row = hone__alloc(hone_space_width(space) * sizeof *row);
  struct hone__model_found *found = &finding->found;
  struct hone__model_candidate candidate = {
      .config = from->config, .speedup = speedup_of(from), .time_ns = from->time_ns};
  hone_status status = hone_space_parse(space, from->config, row);

  if (!status) {
    add_texts(space, row, &finding->arena, &candidate);
    if (candidate.compilation_info) found->candidates[found->candidates_count++] = candidate;
  }
  free(row);
  return status;
}

/* Confirmed ones first; they are ordered, and so are the others. */
static hone_status add_candidates(const struct hone_space *space, const struct hone_report *report,
                                  size_t most, struct finding *finding)
{
  struct hone__model_found *found = &finding->found;
  hone_status status = NULL;

  found->candidates =
      hone__arena_alloc(&finding->arena, (report->row_count + 1) * sizeof *found->candidates);
  for (int confirmed = 1; confirmed >= 0; confirmed--)
    for (size_t i = 0; !status && i < report->row_count && found->candidates_count < most; i++) {
      const struct hone_report_row *row = &report->rows[i];
      if (!row->is_baseline && row->confirmed == (confirmed != 0))
        status = add_candidate(space, row, finding);
    }
  return status;
}

static const struct hone_report_row *find_row(const struct hone_report *report, bool is_baseline)
{
  for (size_t i = 0; i < report->row_count; i++)
    if (is_baseline ? report->rows[i].is_baseline : !report->rows[i].is_baseline)
      return &report->rows[i];
  return NULL;
}

static void add_figures(const struct hone_report *report, struct hone__model_found *found)
{
  const struct hone_report_row *before = find_row(report, true), *best = find_row(report, false);

  found->verdict = hone_verdict_name(report->verdict);
  found->sentence = report->sentence;
  found->before_ns = before ? before->time_ns : NAN;
  found->after_ns = best ? best->time_ns : NAN;
  found->speedup = best ? speedup_of(best) : NAN;
  found->low = best ? best->low : NAN;
  found->high = best ? best->high : NAN;
}

static const char *setting_or_empty(const struct hone_spec *spec, const char *key)
{
  const char *text = setting(spec, key);

  return text ? text : "";
}

static void add_matcher(const struct hone_spec *spec, struct hone__model_found *found)
{
  found->matcher = setting_or_empty(spec, "matcher");
  found->matcher_name = setting_or_empty(spec, "matcher_name");
  found->operation = setting_or_empty(spec, "operation");
  found->backend = setting_or_empty(spec, "backend");
}

static hone_status read_report(const struct hone__model_tuning *tuning,
                               const struct hone__model_dispatch_space *space,
                               const struct hone_report *report, struct finding *finding)
{
  hone_status status =
      add_candidates(space->space, report, tuning->options->model_candidates, finding);

  add_figures(report, &finding->found);
  add_matcher(space->spec, &finding->found);
  return status;
}

/* Reads the report of the run, and keeps what is found in the file `name`. */
static hone_status collect(struct hone__model_tuning *tuning,
                           const struct hone__model_dispatch_space *space, size_t number,
                           const char *name, struct hone__model_found start)
{
  struct finding finding = {.found = start};
  struct hone_store *store = NULL;
  struct hone_report *report = NULL;
  void *copy = NULL;
  hone_status status = hone_store_open(tuning->options->tune->store, &store);

  if (!status) status = hone_report_load(store, start.run, &report);
  if (!status) status = read_report(tuning, space, report, &finding);
  if (!status)
    status = hone__model_work_keep(tuning, name, &hone__model_found_type, &finding.found, &copy);
  if (!status) tuning->found[number] = copy;
  hone__arena_release(&finding.arena);
  hone_report_free(report);
  hone_store_free(store);
  return status;
}

/* ---- Both ---- */

static bool stops_early(const struct hone__model_tuning *tuning)
{
  enum hone_iree_stage stage = tuning->options->stop_after;

  return stage != HONE_IREE_STAGE_ALL && stage != HONE_IREE_STAGE_MODEL &&
         stage != HONE_IREE_STAGE_MODEL_BUILD;
}

static hone_status tune(struct hone__model_tuning *tuning, struct hone__model_dispatch_space *space,
                        size_t number, struct hone_tune_options *run, const char *name,
                        const char *key)
{
  struct hone__session_result result = {0};
  struct hone__words seeds = {0};
  hone_status status = hone__model_dispatch_space_solve(space);
  bool is_done;

  if (!status) hone__model_similar_seeds(tuning, number, space->space, &seeds);
  run->seed_configs = hone__words_list(&seeds);
  run->seed_config_count = seeds.count;
  if (!status) status = hone__tune_solved(space->spec, space->space, run, &result);
  is_done = !status && !result.interrupted && result.run_count;
  tuning->tuned->interrupted = tuning->tuned->interrupted || result.interrupted;
  if (result.run_count) tuning->tuned->dispatches[number].run = result.runs[0];
  if (is_done && !stops_early(tuning))
    status = collect(tuning, space, number, name,
                     (struct hone__model_found){.key = key, .run = result.runs[0]});
  hone__words_release(&seeds);
  free(result.runs);
  return status;
}

/* Its share alone is not worth a search: those of its kind have shown what to try. */
static bool is_small(struct hone__model_tuning *tuning, size_t number)
{
  return tuning->tuned->dispatches[number].group_share < tuning->options->share &&
         hone__model_is_similar(tuning, number);
}

/* A proof of its own would take the time of the proof in the model: so it is where both are slow,
 * where the dispatches are timed within the model, and where it is most of the model. */
static bool is_proved_by_model(const struct hone__model_tuning *tuning, size_t number)
{
  if (!(hone__model_budget(tuning) > 0)) return false;
  return tuning->state->dispatches[number].time_ns > HONE__MODEL_SLOW_NS ||
         tuning->tuned->dispatches[number].group_share > most_of_model ||
         hone__model_has_profile(tuning);
}

hone_status hone__model_search(struct hone__model_tuning *tuning, size_t number, double budget_s,
                               double share, const char *title)
{
  const char *executable = tuning->state->dispatches[number].executable;
  struct hone_tune_options run = hone__model_search_options(tuning, budget_s);
  struct hone__text name = {0};
  struct hone__model_dispatch_space space;
  char key[HONE__DIGEST_SIZE];
  struct hone__model_found *known;
  bool is_few = hone__model_budget(tuning) > 0 && is_small(tuning, number);
  hone_status status = hone__model_search_space(tuning, number, &space);

  if (status) goto done;
  if (tuning->state->dispatches[number].time_ns > HONE__MODEL_SLOW_NS) run.screen_samples = 1;
  if (is_few) run.evaluations = FEW;
  hone__model_title(tuning, title);
  hone__text_addf(&name, "tuned-%s.json", executable);
  key_of(space.spec, &run, key);
  known = run.fresh ? NULL : hone__model_work_read(tuning, name.data, &hone__model_found_type);
  if (known && strcmp(known->key, key) == 0) {
    tuning->found[number] = known;
    tuning->tuned->dispatches[number].run = known->run;
  } else if (!hone__model_has_time(tuning, HONE__MODEL_SEARCHES)) {
    hone__model_set(&tuning->tuned->dispatches[number].why_not,
                    "the budget was spent before its turn");
  } else {
    if (run.stop_after == HONE_STAGE_ALL && is_proved_by_model(tuning, number))
      run.stop_after = HONE_STAGE_SCREEN;
    hone__model_limit(tuning, HONE__MODEL_SEARCHES, share, &run);
    status = tune(tuning, &space, number, &run, name.data, key);
  }
done:
  if (!status && space.dump)
    hone__model_dispatch_spaces_put(&tuning->spaces, &space); /* for others of its kind */
  hone__model_dispatch_space_release(&space);
  hone__text_release(&name);
  return status;
}
