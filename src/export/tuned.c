#include "export/tuned.h"

#include "base/number.h"
#include "export/tuned_build.h"
#include "results/results.h"
#include "spec/spec_text.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* ---- The problem ---- */

/* Whether a name and `=` follow: a space within a value does not separate pairs. */
static bool begins_size(const char *at)
{
  size_t length = 0;

  if (*at == '$') at++;
  while (hone__is_word(at[length]) || at[length] == '.')
    length++;
  return length && at[length] == '=';
}

const struct hone__spec_param *hone__export_problem_params(struct hone__arena *arena,
                                                           const char *problem, size_t *out_count)
{
  char *config = hone__arena_strdup(arena, problem);

  for (char *at = config; *at; at++)
    if (*at == ' ' && begins_size(at + 1)) *at = ',';
  *out_count = 0;
  return *config ? hone__config_params(arena, config, out_count) : NULL;
}

/* ---- The device ---- */

static const char *text_of(struct hone__arena *arena, const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));

  return text ? hone__arena_strdup(arena, text) : "";
}

/* vLLM and others write it so. */
static const char *underscored(struct hone__arena *arena, const char *name)
{
  char *copy = hone__arena_strdup(arena, name);

  for (char *at = copy; *at; at++)
    if (*at == ' ') *at = '_';
  return copy;
}

static void describe_cpu(struct hone__arena *arena, const json_t *machine,
                         struct hone__tuned *tuned)
{
  long long count = json_integer_value(json_object_get(machine, "cpus"));

  tuned->family = text_of(arena, machine, "cpu");
  tuned->device = !*tuned->family ? "unknown"
                  : count > 0 ? hone__arena_printf(arena, "%s, %lld CPU%s", tuned->family, count,
                                                   count == 1 ? "" : "s")
                              : tuned->family;
}

static void describe_device(struct hone__arena *arena, const json_t *device,
                            struct hone__tuned *tuned)
{
  tuned->device = text_of(arena, device, "name");
  tuned->family = text_of(arena, device, "family");
  tuned->driver = text_of(arena, device, "driver");
  if (strchr(tuned->device, ' ')) tuned->alias = underscored(arena, tuned->device);
}

static void describe(struct hone__arena *arena, const struct hone__store_run_stored *run,
                     struct hone__tuned *tuned)
{
  json_t *machine = run->record.environment ? json_loads(run->record.environment, 0, NULL) : NULL;
  json_t *devices = run->result.devices ? json_loads(run->result.devices, 0, NULL) : NULL;
  json_t *first = json_array_get(json_object_get(devices, "devices"), 0);

  if (first)
    describe_device(arena, first, tuned);
  else
    describe_cpu(arena, machine, tuned);
  tuned->compiler = text_of(arena, devices, "compiler");
  tuned->hone = text_of(arena, machine, "hone");
  json_decref(devices);
  json_decref(machine);
}

/* ---- The configuration ---- */

struct finding {
  const char *config;
  bool found;
  const char *source;     /* of the baseline; in the arena */
  const char *suspicious; /* why; in the arena */
  struct hone__arena *arena;
};

static bool find_evaluation(void *data, const struct hone__evaluation *evaluation)
{
  struct finding *finding = data;

  if (evaluation->is_baseline && evaluation->candidate_key && !finding->source)
    finding->source = hone__arena_strdup(finding->arena, evaluation->candidate_key);
  if (!evaluation->config || strcmp(evaluation->config, finding->config) != 0) return true;
  if (!hone__outcome_works(evaluation->outcome)) return true;
  finding->found = true;
  if (evaluation->suspicious)
    finding->suspicious = hone__arena_strdup(finding->arena, evaluation->suspicious);
  return true;
}

/* Without a verdict: the first in the order that every table has. */
static hone_status find_first(struct hone_store *store, int64_t run, struct finding *finding)
{
  struct hone_results *results = NULL;
  size_t *order = NULL;
  hone_status status = hone_results_load(store, run, &results);

  if (status) return status;
  if (results->aim_column != SIZE_MAX &&
      hone_results_order(results, results->aim_column, results->maximise[results->aim_column],
                         &order))
    finding->config = hone__arena_strdup(finding->arena, results->rows[order[0]].config);
  free(order);
  hone_results_free(results);
  return NULL;
}

/* What was given, the winner, or the best that there is. */
static hone_status choose_config(struct hone_store *store, const struct hone__store_run_stored *run,
                                 const char *given, struct hone__arena *arena,
                                 struct hone__tuned *tuned)
{
  struct finding finding = {.arena = arena};
  hone_status status = NULL;

  finding.config = given ? given : hone__measured_best(run);
  if (!finding.config) status = find_first(store, run->record.id, &finding);
  if (!status && finding.config)
    status = hone__store_evaluations(store, run->record.id, find_evaluation, &finding);
  if (status) return status;
  if (!finding.config || !finding.found)
    return hone__error(HONE_NOT_FOUND, "run %" PRId64 " has no working configuration%s%s%s",
                       run->record.id, given ? " '" : "", given ? given : "", given ? "'" : "");
  tuned->config = hone__arena_strdup(arena, finding.config);
  tuned->source = finding.source;
  if (finding.suspicious)
    tuned->unproved =
        hone__arena_printf(arena, "its configuration is SUSPICIOUS: %s", finding.suspicious);
  return NULL;
}

/* ---- The proof ---- */

static const char *find_doubt(const struct hone__store_run_stored *run,
                              const struct hone__tuned *tuned, struct hone__arena *arena)
{
  const char *winner = run->result.winner, *baseline = run->result.baseline;
  bool is_default = run->result.verdict == HONE_VERDICT_NO_IMPROVEMENT;
  const char *proved = is_default ? baseline : winner;

  if (tuned->unproved) return tuned->unproved;
  if (run->record.imported)
    return hone__arena_printf(arena, "it was imported from '%s'", run->record.imported);
  if (run->result.state != HONE_RUN_FINISHED)
    return hone__arena_printf(arena, "it is %s", hone_run_state_name(run->result.state));
  if (run->result.verdict == HONE_VERDICT_NONE) return "it has no verdict";
  if (run->result.verdict == HONE_VERDICT_INCONCLUSIVE) return "its verdict is INCONCLUSIVE";
  if (!proved || strcmp(proved, tuned->config) != 0)
    return hone__arena_printf(arena, "'%s' is not its winner", tuned->config);
  return NULL;
}

hone_status hone__tuned_check(const struct hone__tuned *tuned)
{
  if (!tuned->unproved) return NULL;
  return hone__error(HONE_NOT_FOUND,
                     "run %" PRId64 " proves nothing: %s; '--force' exports it and says so in the "
                     "output",
                     tuned->run, tuned->unproved);
}

/* ---- The whole ---- */

static const char *given(const char *text)
{
  return text ? text : "";
}

static void fill(const struct hone__store_run_stored *run, struct hone__tuned *tuned)
{
  const struct hone__store_run_result *result = &run->result;
  bool is_winner = result->winner && strcmp(result->winner, tuned->config) == 0;

  tuned->verdict = result->verdict;
  tuned->speedup = is_winner ? result->speedup : NAN;
  tuned->low = is_winner ? result->low : NAN;
  tuned->high = is_winner ? result->high : NAN;
  tuned->confidence = result->confidence;
  tuned->date = run->ended ? run->ended : given(run->started);
}

static hone_status load(struct hone_store *store, const struct hone__store_run_stored *run,
                        const char *config, struct hone__arena *arena, struct hone__tuned *tuned)
{
  hone_status status;

  *tuned = (struct hone__tuned){.run = run->record.id,
                                .kernel = given(run->record.name),
                                .problem = given(run->record.problem),
                                .baseline = given(run->result.baseline),
                                .alias = "",
                                .prefix = "",
                                .driver = ""};
  describe(arena, run, tuned);
  status = choose_config(store, run, config, arena, tuned);
  if (status) return status;
  tuned->sizes = hone__export_problem_params(arena, tuned->problem, &tuned->size_count);
  tuned->params = hone__config_params(arena, tuned->config, &tuned->param_count);
  hone__tuned_read_build(arena, run->record.options, tuned);
  fill(run, tuned);
  tuned->unproved = find_doubt(run, tuned, arena);
  return NULL;
}

hone_status hone__tuned_load(struct hone_store *store, int64_t run, const char *config,
                             struct hone__arena *arena, struct hone__tuned *out_tuned)
{
  struct hone__store_run_stored stored;
  hone_status status = hone__store_run(store, run, arena, &stored);

  return status ? status : load(store, &stored, config, arena, out_tuned);
}

static void add_ratio(struct hone__text *text, double ratio)
{
  char number[64];

  hone__print_real(number, sizeof number, 'f', 2, ratio);
  hone__text_add(text, number);
}

void hone__tuned_print_speedup(const struct hone__tuned *tuned, struct hone__text *text)
{
  if (isnan(tuned->speedup)) {
    hone__text_add(text, tuned->verdict == HONE_VERDICT_NO_IMPROVEMENT
                             ? "none: no candidate is proved to be faster"
                             : "not measured");
    return;
  }
  add_ratio(text, tuned->speedup);
  hone__text_add(text, "x");
  if (isnan(tuned->low) || isnan(tuned->high)) return;
  hone__text_addf(text, " (%d %% interval ", (int)lround(tuned->confidence * 100));
  add_ratio(text, tuned->low);
  hone__text_add(text, " to ");
  add_ratio(text, tuned->high);
  hone__text_add(text, ")");
}
