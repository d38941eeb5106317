#include "event_json.h"

#include "quote.h"

#include <inttypes.h>
#include <math.h>

static const char *const kinds[] = {
    [HONE_EVENT_PHASE] = "phase",   [HONE_EVENT_PROGRESS] = "progress",
    [HONE_EVENT_BEST] = "best",     [HONE_EVENT_FAILURE] = "failure",
    [HONE_EVENT_NOTE] = "note",     [HONE_EVENT_WARNING] = "warning",
    [HONE_EVENT_RESULT] = "result", [HONE_EVENT_END] = "end"};

enum member_type { TEXT, COUNT, NUMBER, ORDINAL }; /* ORDINAL: 0 is absent */
static const struct member {
  const char *name;
  enum member_type type;
  size_t offset;
} members[] = {
#define MEMBER(type, field)                                                                        \
  {                                                                                                \
#field, type, offsetof(struct hone_event, field)                                               \
  }
    MEMBER(TEXT, phase),
    MEMBER(TEXT, text),
    MEMBER(TEXT, config),
    MEMBER(TEXT, evidence),
    MEMBER(TEXT, command),
    MEMBER(NUMBER, time_ns),
    MEMBER(NUMBER, baseline_ns),
    MEMBER(NUMBER, speedup),
    MEMBER(COUNT, done),
    MEMBER(COUNT, total),
    MEMBER(COUNT, ok),
    MEMBER(COUNT, slow),
    MEMBER(COUNT, failed),
    MEMBER(COUNT, reused),
    MEMBER(COUNT, built),
    MEMBER(COUNT, building),
    MEMBER(COUNT, measuring),
    MEMBER(COUNT, workers),
    MEMBER(COUNT, workers_away),
    MEMBER(COUNT, patience),
    MEMBER(NUMBER, rate),
    MEMBER(NUMBER, elapsed_s),
    MEMBER(NUMBER, eta_s),
    MEMBER(NUMBER, idle),
    MEMBER(NUMBER, best_speedup),
    MEMBER(TEXT, best_config),
    MEMBER(ORDINAL, problem),
    MEMBER(ORDINAL, problem_count),
    MEMBER(ORDINAL, run),
#undef MEMBER
};

static void write_name(struct output *output, const char *name)
{
  output_format(output, ", \"%s\": ", name);
}

static void write_text(struct output *output, const char *name, const char *text)
{
  if (!text) return;
  write_name(output, name);
  quote_json_text(output, text);
}

static void write_count(struct output *output, const char *name, uint64_t count, bool with_zero)
{
  if (!count && !with_zero) return;
  write_name(output, name);
  output_format(output, "%" PRIu64, count);
}

static void write_number(struct output *output, const char *name, double number, bool with_zero)
{
  if (!isfinite(number) || (number == 0 && !with_zero)) return;
  write_name(output, name);
  quote_json_number(output, number);
}

static void write_member(struct output *output, const struct hone_event *event,
                         const struct member *member)
{
  const void *field = (const char *)event + member->offset;
  bool with_zero = event->kind == HONE_EVENT_PROGRESS;

  switch (member->type) {
  case TEXT: write_text(output, member->name, *(const char *const *)field); break;
  case COUNT: write_count(output, member->name, *(const uint64_t *)field, with_zero); break;
  case ORDINAL: write_count(output, member->name, *(const uint64_t *)field, false); break;
  case NUMBER: write_number(output, member->name, *(const double *)field, with_zero); break;
  }
}

/* The values of a candidate, for a reader that does not take its text apart. */
static void write_params(struct output *output, const char *name, const char *config)
{
  if (!config) return;
  write_name(output, name);
  quote_json_config(output, config);
}

static bool is_of_candidate(const struct hone_event *event)
{
  return event->kind == HONE_EVENT_BEST || event->kind == HONE_EVENT_FAILURE ||
         event->kind == HONE_EVENT_RESULT;
}

void event_json_write(struct output *output, const struct hone_event *event)
{
  output_format(output, "{\"kind\": \"%s\"", kinds[event->kind]);
  if (is_of_candidate(event)) {
    write_text(output, "outcome", hone_outcome_name(event->outcome));
    write_params(output, "params", event->config);
  }
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    write_member(output, event, &members[i]);
  write_params(output, "best_params", event->best_config);
  output_text(output, "}\n");
}
