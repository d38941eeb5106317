/* A configuration: the backend's message for it, its keys, the cost of its times, and the command
 * that runs it alone.
 */
#include "session/session.h"

#include "base/digest.h"
#include "base/pareto.h"
#include "base/quote.h"
#include "wire/named.h"

#include <stdlib.h>

hone_status hone__candidate_take(struct hone__candidate *candidate, struct hone__packed *packed)
{
  hone__packed_drop(candidate->packed);
  candidate->packed = packed;
  return hone__unpack(packed, &hone__wire_candidate_head_type, &candidate->texts, &candidate->head);
}

static hone_status describe(struct hone__candidate *candidate)
{
  const struct hone__task *task = &candidate->session->problem.task;
  struct hone__packed *packed = NULL;
  hone_status status = task->backend->driver.candidate(task, candidate->row, &packed);

  if (!status) status = hone__candidate_take(candidate, packed);
  candidate->evaluation.candidate_key = candidate->head.key;
  return status;
}

hone_status hone__candidate_new(struct hone__session *session, const uint32_t *row,
                                struct hone__candidate **out_candidate)
{
  struct hone__candidate *candidate = hone__alloc(sizeof *candidate);
  size_t width = hone_space_width(session->problem.task.space);
  hone_status status;

  candidate->session = session;
  candidate->energy = HONE__NO_ENERGY;
  candidate->build_s = candidate->measure_s = NAN;
  candidate->site = HONE__NO_SITE;
  candidate->row = hone__alloc(width * sizeof *row);
  memcpy(candidate->row, row, width * sizeof *row);
  candidate->config = hone__task_config(&session->problem.task, row);
  candidate->evaluation = (struct hone__evaluation){.config = candidate->config,
                                                    .evidence = "",
                                                    .compile_s = NAN,
                                                    .time_ns = NAN,
                                                    .baseline_ns = NAN,
                                                    .cold_ns = NAN,
                                                    .cap_ns = NAN,
                                                    .mesh_idx = -1};
  status = describe(candidate);
  if (status) {
    hone__candidate_free(candidate);
    return status;
  }
  *out_candidate = candidate;
  return NULL;
}

void hone__candidate_free(struct hone__candidate *candidate)
{
  if (!candidate) return;
  hone__packed_drop(candidate->packed);
  hone__run_samples_release(&candidate->samples);
  hone__arena_release(&candidate->texts);
  free(candidate->bounds);
  free(candidate->bytes);
  free(candidate->config);
  free(candidate->row);
  free(candidate);
}

/* ---- What a time is worth ---- */

/* Lower is better; it may be negative. */
static double cost_of(const struct hone__session *session, const uint32_t *row, double time_ns)
{
  const struct hone__task_measured measured = {.time_ns = time_ns, .energy = HONE__NO_ENERGY};
  double value;

  if (!session->objectives.proven) return time_ns;
  if (!hone__task_metric(&session->problem.task, row, session->objectives.proven, &measured,
                         &value))
    return NAN;
  return session->objectives.maximise ? -value : value;
}

double hone__session_cost_ratio(const struct hone__session *session, const uint32_t *row,
                                double time_ns, double baseline_ns)
{
  double baseline = cost_of(session, session->problem.task.baseline, baseline_ns);

  return isnan(baseline) ? NAN : hone__cost_ratio(cost_of(session, row, time_ns), baseline);
}

static const char *keep_named(struct hone__arena *arena, const struct hone__named_list *list)
{
  return hone__record_text(arena, &hone__named_type,
                           &(struct hone__named_record){list->items, list->count});
}

/* With the work and the traffic of a call the report has a point of a roofline. */
static void add_counted(const struct hone__counted *counted, double time_ns,
                        struct hone__named_list *metrics)
{
  if (!(time_ns > 0)) return;
  if (counted->flop > 0) hone__named_real(metrics, "counted GFLOP/s", counted->flop / time_ns);
  if (counted->bytes > 0) hone__named_real(metrics, "counted GB/s", counted->bytes / time_ns);
}

const char *hone__candidate_metrics(struct hone__candidate *candidate, double time_ns)
{
  const struct hone__task *task = &candidate->session->problem.task;
  const struct hone__task_measured measured = {.time_ns = time_ns, .energy = candidate->energy};
  struct hone__named_list metrics = {.arena = &candidate->texts};

  for (size_t i = 0; i < task->spec->metric_count; i++) {
    double value;
    if (hone__task_metric(task, candidate->row, &task->spec->metrics[i], &measured, &value))
      hone__named_real(&metrics, task->spec->metrics[i].name, value);
  }
  if (isfinite(measured.energy.joules)) {
    hone__named_real(&metrics, "energy_j", measured.energy.joules);
    hone__named_real(&metrics, "power_w", measured.energy.watts);
  }
  add_counted(&candidate->counted, time_ns, &metrics);
  return keep_named(&candidate->texts, &metrics);
}

/* ---- The command that shows it alone ---- */

/* "M=256,N=512" */
static void add_sizes(struct hone__text *text, const struct hone__problem *sizes)
{
  for (size_t i = 0; i < sizes->count; i++) {
    hone__text_addf(text, "%s%s=", i ? "," : "", sizes->names[i]);
    hone__value_print(sizes->values[i], text);
  }
}

const char *hone__candidate_command(struct hone__candidate *candidate)
{
  const struct hone_tune_options *options = candidate->session->settings.options;
  const struct hone__task *task = &candidate->session->problem.task;
  struct hone__text text = {0}, sizes = {0};
  const char *command;

  hone__text_add(&text, "hone run ");
  hone__quote_shell(&text, task->spec->path);
  add_sizes(&sizes, &task->space->setup.sizes);
  if (sizes.length && (task->spec->problem_count > 1 || options->problem_sizes)) {
    hone__text_add(&text, " --problem ");
    hone__quote_shell(&text, sizes.data);
  }
  if (options->note && options->note->run_words) hone__text_add(&text, options->note->run_words);
  hone__text_add(&text, " --config ");
  hone__quote_shell(&text, candidate->config);
  command = hone__arena_strdup(&candidate->texts, text.data);
  hone__text_release(&text);
  hone__text_release(&sizes);
  return command;
}
