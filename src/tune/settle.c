/* Settings: what the options say, else the spec, else a default. */
#include "tune/tuning.h"

#include "spec/schema.h"
#include "tune/effort.h"
#include "tune/first_rows.h"
#include "tune/objectives.h"

enum { INPUT_SEED = 42 }; /* the search's seed is another: inputs stay, and so do measurements */
enum { DEFAULT_SEED = 42, DEFAULT_SAMPLES = 3, DEFAULT_FINALISTS = 8 };
enum { LONGEST_NAME = 224, HASH_DIGITS = 8 }; /* of a folder: kbench's bound */
static const double SWEEP_TIMEOUT_S = 120, BUILD_TIMEOUT_S = 60;
static const double NO_TIMEOUT_S = 1e8; /* JSON has no infinity */

/* Its name alone: a sweep asks nobody what comes next. */
static const struct hone__strategy sweep_strategy = {.name = "sweep",
                                                     .summary = "every configuration once"};

/* An effort that is asked for counts before what the spec has. */
static void settle_budget(struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->options;
  const struct hone__node *budget = hone__task_setting(&tuning->task, "search.budget");
  double budget_s = options->budget_s;

  tuning->evaluations = options->evaluations;
  if (budget && !budget_s && !tuning->evaluations && !options->effort) {
    if (budget->value.type == HONE_INT)
      tuning->evaluations = (uint64_t)budget->value.integer;
    else
      hone__duration_parse(budget->text, &budget_s);
  }
  tuning->budget_s = budget_s;
}

static void settle_first_rows(struct hone__tuning *tuning)
{
  const struct hone__node *warm = hone__task_setting(&tuning->task, "search.warm_start");
  bool is_off = warm && warm->value.type == HONE_BOOL && !warm->value.integer;

  tuning->warm_start = !tuning->options->no_warm_start && !is_off;
}

/* One host only builds, and so learns nothing; another builds nothing, and measures what the first
 * has built: both go through the same list. */
static bool is_half(const struct hone__tuning *tuning)
{
  const struct hone__backend *backend = tuning->task.backend;

  return tuning->options->stop_after == HONE_STAGE_BUILD ||
         (backend->builds_here && !backend->builds_here(&tuning->task));
}

static hone_status find_strategy(struct hone__tuning *tuning, const char *name)
{
  hone_status status = hone__strategy_find(name, &tuning->strategy);

  if (status || !tuning->strategy->learns || !is_half(tuning)) return status;
  return hone__strategy_find("random", &tuning->strategy);
}

static hone_status settle_search(struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->options;
  const struct hone__node *seed = hone__task_setting(&tuning->task, "search.seed");
  const struct hone__node *strategy = hone__task_setting(&tuning->task, "search.strategy");
  const char *name = options->strategy ? options->strategy : strategy ? strategy->text : NULL;
  hone_status status;

  tuning->run.seed = options->seed_given ? options->seed
                     : seed              ? (uint64_t)seed->value.integer
                                         : DEFAULT_SEED;
  tuning->task.seed = INPUT_SEED;
  tuning->stop_at = INFINITY;
  tuning->strategy = &sweep_strategy;
  if (tuning->which.is_sweep) return NULL; /* all of them, however long it takes */
  status = find_strategy(tuning, name);
  if (status) return status;
  settle_budget(tuning);
  hone__effort_settle(tuning);
  if (tuning->budget_s > 0) tuning->stop_at = tuning->started + tuning->budget_s;
  settle_first_rows(tuning);
  return hone__first_rows_read(tuning);
}

static double duration_of(const struct hone__node *node, double otherwise)
{
  double seconds;

  if (!node || strcmp(node->text, "auto") == 0) return otherwise;
  if (hone__node_number(node, &seconds) || hone__duration_parse(node->text, &seconds))
    return seconds;
  return otherwise;
}

static void settle_timeouts(struct hone__tuning *tuning)
{
  const struct hone__task *task = &tuning->task;
  double own = duration_of(hone__task_setting(task, "measure.timeout"), 0);

  if (tuning->options->timeout_s > 0) own = tuning->options->timeout_s;
  if (!(own > 0) && tuning->which.is_sweep) own = SWEEP_TIMEOUT_S;
  tuning->timeout_given = own > 0;
  tuning->call_timeout_s = fmin(own, NO_TIMEOUT_S);
  tuning->build_timeout_s = duration_of(hone__task_setting(task, "build.timeout"), BUILD_TIMEOUT_S);
}

/* The number of samples that the options begin with counts as none: the spec and the backend may
 * say better. */
static unsigned samples_wanted(const struct hone__tuning *tuning)
{
  const struct hone__node *repeat = hone__task_setting(&tuning->task, "measure.repeat");
  unsigned given = tuning->options->screen_samples, usual = tuning->task.backend->screen_samples;

  if (given && given != DEFAULT_SAMPLES) return given;
  if (repeat && repeat->value.type == HONE_INT) return (unsigned)repeat->value.integer;
  return usual ? usual : DEFAULT_SAMPLES;
}

/* Programs of several runs do not meet in a folder: each has one with kbench's name of the shape,
 * "stem_M-1_N-3". */
static const char *work_folder(struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->options;
  const struct hone_spec *spec = tuning->task.spec;
  size_t problems = options->problems ? options->problem_count : spec->problem_count;
  struct hone__text name = {0};
  char digest[HONE__DIGEST_SIZE];
  const char *folder;

  if (!options->output_dir || (!spec->shapes && problems < 2)) return options->output_dir;
  hone__text_addf(&name, "%s_", spec->stem);
  for (const char *p = tuning->task.problem; *p; p++)
    if (*p != '$') hone__text_addn(&name, *p == '=' ? "-" : strchr(" /", *p) ? "_" : p, 1);
  if (name.length >= LONGEST_NAME) {
    hone__digest(name.data, name.length, digest);
    name.length = LONGEST_NAME - HASH_DIGITS;
    while (name.length && (name.data[name.length] & 0xc0) == 0x80)
      name.length--; /* not within a character */
    hone__text_addf(&name, "%.*s", HASH_DIGITS, digest);
  }
  folder = hone__arena_printf(&tuning->arena, "%s/%s", options->output_dir, name.data);
  hone__text_release(&name);
  return folder;
}

static void settle_measure(struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->options;

  tuning->screen_samples = samples_wanted(tuning);
  tuning->finalists = options->top ? options->top : DEFAULT_FINALISTS;
  tuning->margin = options->margin;
  if (options->no_check) tuning->task.check = false;
  tuning->task.memory_bytes = options->memory_bytes;
  tuning->task.program = &options->program;
  if (tuning->which.is_sweep) tuning->task.output_dir = work_folder(tuning);
}

hone_status hone__tuning_settle(struct hone__tuning *tuning)
{
  hone_status status = settle_search(tuning);

  settle_timeouts(tuning);
  settle_measure(tuning);
  hone__objectives_settle(tuning);
  return status;
}
