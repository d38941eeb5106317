/* Settings common to all sessions: from the options, else the spec, else a default. */
#include "session/session.h"

#include "base/options_size.h"
#include "spec/schema.h"

enum {
  INPUT_SEED = 42
}; /* separate from the search's seed: inputs, and measurements, stay the same */
enum { DEFAULT_SEED = 42, DEFAULT_SAMPLES = 3, DEFAULT_FINALISTS = 8 };
static const double BUILD_TIMEOUT_S = 60;
static const double NO_TIMEOUT_S = 1e8; /* JSON has no infinity */

void hone_program_options_fill(struct hone_program_options *options, size_t size)
{
  const struct hone_program_options defaults = {0};

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

void hone_tune_options_fill(struct hone_tune_options *options, size_t size)
{
  const struct hone_tune_options defaults = {.screen_samples = 3, .margin = 0.01};

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

static double duration_of(const struct hone__node *node, double otherwise)
{
  double seconds;

  if (!node || strcmp(node->text, "auto") == 0) return otherwise;
  if (hone__node_number(node, &seconds) || hone__duration_parse(node->text, &seconds))
    return seconds;
  return otherwise;
}

static void settle_timeouts(struct hone__session *session)
{
  const struct hone__task *task = &session->problem.task;
  double of_program = duration_of(hone__task_setting(task, "run.timeout"), 0);
  double own = duration_of(hone__task_setting(task, "measure.timeout"), of_program);

  if (session->settings.options->timeout_s > 0) own = session->settings.options->timeout_s;
  session->settings.timeout_given = own > 0;
  session->workers.call_timeout_s = fmin(own, NO_TIMEOUT_S);
  session->settings.build_timeout_s =
      duration_of(hone__task_setting(task, "build.timeout"), BUILD_TIMEOUT_S);
}

/* The initial number of samples in the options counts as none: the spec and the backend may have a
 * better one. */
static unsigned samples_wanted(const struct hone__session *session)
{
  const struct hone__node *repeat = hone__task_setting(&session->problem.task, "measure.repeat");
  unsigned given = session->settings.options->screen_samples,
           usual = session->problem.task.backend->screen_samples;

  if (given && given != DEFAULT_SAMPLES) return given;
  if (repeat && repeat->value.type == HONE_INT) return (unsigned)repeat->value.integer;
  return usual ? usual : DEFAULT_SAMPLES;
}

static void settle_measure(struct hone__session *session)
{
  const struct hone_tune_options *options = session->settings.options;

  session->settings.screen_samples = samples_wanted(session);
  session->settings.finalists = options->top ? options->top : DEFAULT_FINALISTS;
  session->settings.margin = options->margin;
  if (options->no_check) session->problem.task.check = false;
  session->problem.task.memory_bytes = options->memory_bytes;
  session->problem.task.lock_clocks = options->lock_clocks;
  session->problem.task.program = options->program;
}

static void settle_seeds(struct hone__session *session)
{
  const struct hone_tune_options *options = session->settings.options;
  const struct hone__node *seed = hone__task_setting(&session->problem.task, "search.seed");

  session->entry.run.seed = options->seed_given ? options->seed
                            : seed              ? (uint64_t)seed->value.integer
                                                : DEFAULT_SEED;
  session->problem.task.seed = INPUT_SEED;
}

void hone__session_settle(struct hone__session *session)
{
  settle_seeds(session);
  settle_timeouts(session);
  settle_measure(session);
  hone__objectives_settle(&session->objectives, session->problem.task.spec);
}
