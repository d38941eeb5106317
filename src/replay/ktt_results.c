/* Results as KTT saves them in JSON. Its total overhead is compiling, moving data, checking and the
 * searcher; the searcher's part does not count, since another one is replayed. */
#include "replay/recording_draft.h"

#include <math.h>

static const struct hone__recording_word statuses[] = {
    {"Ok", HONE_OUTCOME_OK},
    {"CompilationFailed", HONE_OUTCOME_COMPILE_ERROR},
    {"ComputationFailed", HONE_OUTCOME_LAUNCH_FAILURE},
    {"DeviceLimitsExceeded", HONE_OUTCOME_LAUNCH_FAILURE},
    {"ValidationFailed", HONE_OUTCOME_WRONG_RESULT},
};

static hone_status read_head(struct hone__draft *draft, const struct hone__replay_json_text *text,
                             const struct hone__replay_json_members *members,
                             struct hone__recording_head *head)
{
  json_t *metadata;
  hone_status status = hone__replay_json_member(text, members, "Metadata", &metadata);
  const char *device = json_string_value(json_object_get(metadata, "Device"));

  head->unit_ms = 1;
  if (!status) status = hone__unit_read(text->path, metadata, "TimeUnit", &head->unit_ms);
  if (device && *device) head->device = hone__arena_strdup(draft->arena, device);
  json_decref(metadata);
  return status;
}

/* [{"Name": "X", "Value": 16}, ...] by name; json_decref. */
static json_t *by_name(const json_t *list)
{
  json_t *configuration = json_object();

  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *pair = json_array_get(list, i);
    const char *name = json_string_value(json_object_get(pair, "Name"));
    if (name) json_object_set(configuration, name, json_object_get(pair, "Value"));
  }
  return configuration;
}

static enum hone_outcome outcome_of(const json_t *result)
{
  const char *word = json_string_value(json_object_get(result, "Status"));

  return hone__replay_outcome_of_word(statuses, sizeof statuses / sizeof *statuses, word);
}

/* Of the computations, where the result itself does not say. */
static double sum_of(const json_t *result, const char *total, const char *part)
{
  const json_t *computations = json_object_get(result, "ComputationResults");
  double sum = 0;

  if (json_is_number(json_object_get(result, total)))
    return hone__replay_json_number(result, total);
  for (size_t i = 0; i < json_array_size(computations); i++)
    sum += hone__replay_json_number(json_array_get(computations, i), part);
  return sum;
}

static void take_kernel(struct hone__draft *draft, struct hone__recording_head *head,
                        const json_t *result)
{
  const char *kernel = json_string_value(json_object_get(result, "KernelName"));

  if (kernel && *kernel && !head->kernel) head->kernel = hone__arena_strdup(draft->arena, kernel);
}

static hone_status read_result(struct hone__draft *draft, struct hone__recording_head *head,
                               const struct hone__replay_json_span *span, const json_t *result)
{
  json_t *configuration = by_name(json_object_get(result, "Configuration"));
  double duration = sum_of(result, "TotalDuration", "Duration");
  double overhead = sum_of(result, "TotalOverhead", "Overhead");
  struct hone__recorded recorded = {.time_ms = NAN, .outcome = outcome_of(result)};
  uint32_t *row;
  hone_status status = hone__draft_row(draft, configuration, &row);

  (void)span;
  json_decref(configuration);
  if (status) return status;
  take_kernel(draft, head, result);
  if (recorded.outcome == HONE_OUTCOME_OK) hone__draft_time(duration * head->unit_ms, &recorded);
  recorded.cost_s = (duration + overhead - hone__replay_json_number(result, "SearcherOverhead")) *
                    head->unit_ms / 1e3;
  return hone__draft_push(draft, row, &recorded);
}

const struct hone__recording_format hone__format_ktt = {
    .id = HONE_RECORDING_KTT,
    .key = "Results",
    .bracket = '[',
    .head = read_head,
    .element = read_result,
};
