#include "session/stages.h"

#include "base/options_size.h"
#include "wire/named.h"

#include <stdlib.h>

enum { MOST_RANKED = 1000000 };

void hone_stages_fill(struct hone_stages *stages, size_t size)
{
  static const struct hone_stages defaults;

  hone__options_fill(stages, size, &defaults, sizeof defaults);
}

static hone_status check(const struct hone_stages *own)
{
  bool keeps = own->keep || own->keep_share != 0;

  if (keeps && !own->rank)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "stages keep the best configurations, but have no rank to find them");
  if (own->keep && own->keep_share != 0)
    return hone__error(HONE_INVALID_ARGUMENT, "stages have both 'keep' and 'keep_share'");
  if (!(own->keep_share >= 0 && own->keep_share <= 1))
    return hone__error(HONE_INVALID_ARGUMENT, "'keep_share' of stages is %g, not between 0 and 1",
                       own->keep_share);
  return NULL;
}

hone_status hone__stages_open(struct hone__stages *stages, const struct hone_stages *given,
                              const struct hone__task *task)
{
  hone_status status;

  *stages = (struct hone__stages){.task = task};
  hone_stages_init(&stages->own);
  if (!given) return NULL;
  status = hone__options_take(&stages->own, sizeof stages->own, given, "hone_stages");
  return status ? status : check(&stages->own);
}

/* ---- Candidates ---- */

struct hone_candidate {
  const struct hone__task *task;
  const struct hone__stage_subject *subject;
  const char *config;
};

const char *hone_candidate_config(const struct hone_candidate *candidate)
{
  return candidate->config;
}

const struct hone_space *hone_candidate_space(const struct hone_candidate *candidate)
{
  return candidate->task->space;
}

const uint32_t *hone_candidate_row(const struct hone_candidate *candidate)
{
  return candidate->subject->row;
}

double hone_candidate_time_ns(const struct hone_candidate *candidate)
{
  return candidate->subject->time_ns;
}

double hone_candidate_baseline_ns(const struct hone_candidate *candidate)
{
  return candidate->subject->baseline_ns;
}

bool hone_candidate_value(const struct hone_candidate *candidate, const char *name,
                          struct hone_value *out_value)
{
  static const char prefix[] = "built.";
  const struct hone__stage_subject *subject = candidate->subject;
  const struct hone_value *cost;

  *out_value = (struct hone_value){.type = HONE_NONE};
  if (!name) return false;
  if (hone__task_lookup(candidate->task, subject->row, name, out_value)) return true;
  if (!hone__starts_with(name, prefix)) return false;
  cost = hone__named_find(subject->costs, subject->cost_count, name + strlen(prefix));
  if (!cost || cost->type == HONE_NONE) return false;
  *out_value = *cost;
  return true;
}

/* *out_config is made here and freed by the caller; NULL: the subject has its own. */
static struct hone_candidate candidate_of(const struct hone__stages *stages,
                                          const struct hone__stage_subject *subject,
                                          char **out_config)
{
  *out_config = subject->config ? NULL : hone__task_config(stages->task, subject->row);
  return (struct hone_candidate){.task = stages->task,
                                 .subject = subject,
                                 .config = subject->config ? subject->config : *out_config};
}

bool hone__stages_admit(struct hone__stages *stages, enum hone_stage stage,
                        const struct hone__stage_subject *subject, struct hone__text *why)
{
  struct hone_candidate candidate;
  const char *reason = NULL;
  bool is_admitted;
  char *config;

  if (!stages->own.filter) return true;
  candidate = candidate_of(stages, subject, &config);
  is_admitted = stages->own.filter(stages->own.data, stage, &candidate, &reason);
  if (!is_admitted) {
    stages->rejected[stage]++;
    hone__text_addf(why, "the host's filter rejects it%s%s", reason && *reason ? ": " : "",
                    reason ? reason : "");
  }
  free(config);
  return is_admitted;
}

double hone__stages_rank(const struct hone__stages *stages, enum hone_stage stage,
                         const struct hone__stage_subject *subject)
{
  struct hone_candidate candidate;
  double rank;
  char *config;

  if (!stages->own.rank) return NAN;
  candidate = candidate_of(stages, subject, &config);
  rank = stages->own.rank(stages->own.data, stage, &candidate);
  free(config);
  return rank;
}

/* ---- Selection ---- */

bool hone__stages_keep_some(const struct hone__stages *stages)
{
  return stages->own.rank && (stages->own.keep || stages->own.keep_share > 0);
}

struct ranked_index {
  uint64_t index;
  double rank;
};

/* Without a rank last; of equal ranks the first of the space first. */
static int by_rank(const void *a, const void *b)
{
  const struct ranked_index *x = a, *y = b;

  if (isnan(x->rank) != isnan(y->rank)) return isnan(x->rank) ? 1 : -1;
  if (x->rank < y->rank) return -1;
  if (x->rank > y->rank) return 1;
  return (x->index > y->index) - (x->index < y->index);
}

hone_status hone__stages_nothing_left(const struct hone__stages *stages, uint64_t count)
{
  return hone__error(HONE_NOT_FOUND,
                     "no configuration is left: the host's filter rejects all %llu of '%s'%s%s",
                     (unsigned long long)count, stages->task->spec->name,
                     *stages->task->problem ? " for " : "", stages->task->problem);
}

static void rank_all(struct hone__stages *stages, uint64_t count, struct ranked_index *ranked,
                     struct hone__selection *selection)
{
  uint32_t *row = hone__alloc(hone_space_width(stages->task->space) * sizeof *row);
  struct hone__stage_subject subject = {.row = row, .time_ns = NAN, .baseline_ns = NAN};
  struct hone__text why = {0};

  for (uint64_t i = 0; i < count && hone_space_at(stages->task->space, i, row); i++) {
    if (!hone__stages_admit(stages, HONE_STAGE_GENERATE, &subject, &why)) {
      selection->rejected++;
      continue;
    }
    ranked[selection->admitted++] =
        (struct ranked_index){i, hone__stages_rank(stages, HONE_STAGE_GENERATE, &subject)};
  }
  hone__text_release(&why);
  free(row);
}

static size_t kept_count(const struct hone_stages *own, uint64_t admitted)
{
  uint64_t wanted = own->keep ? own->keep : (uint64_t)(own->keep_share * (double)admitted);

  if (wanted < 1) wanted = 1;
  return (size_t)(wanted < admitted ? wanted : admitted);
}

static void take_rows(struct hone__stages *stages, const struct ranked_index *ranked,
                      struct hone__selection *selection)
{
  size_t width = hone_space_width(stages->task->space);

  selection->count = kept_count(&stages->own, selection->admitted);
  selection->rows = hone__alloc(selection->count * width * sizeof *selection->rows);
  for (size_t i = 0; i < selection->count; i++)
    hone_space_at(stages->task->space, ranked[i].index, selection->rows + i * width);
  hone__digest(selection->rows, selection->count * width * sizeof *selection->rows,
               stages->selection);
}

hone_status hone__stages_select(struct hone__stages *stages, struct hone__selection *out_selection)
{
  uint64_t count = hone_space_count(stages->task->space);
  struct ranked_index *ranked;

  *out_selection = (struct hone__selection){0};
  if (count > MOST_RANKED)
    return hone__error(HONE_EXHAUSTED,
                       "%s configurations are too many to be ranked: at most %d; use constraints, "
                       "or a filter without 'keep'",
                       hone_space_count_text(stages->task->space), MOST_RANKED);
  ranked = hone__alloc((size_t)(count + 1) * sizeof *ranked);
  rank_all(stages, count, ranked, out_selection);
  if (out_selection->admitted) {
    qsort(ranked, (size_t)out_selection->admitted, sizeof *ranked, by_rank);
    take_rows(stages, ranked, out_selection);
  }
  free(ranked);
  return out_selection->admitted ? NULL : hone__stages_nothing_left(stages, count);
}

void hone__selection_describe(const struct hone__selection *selection, struct hone__text *text)
{
  hone__text_addf(text, "the host's ranking kept %zu of %llu configurations", selection->count,
                  (unsigned long long)selection->admitted);
  if (selection->rejected)
    hone__text_addf(text, "; its filter rejected %llu", (unsigned long long)selection->rejected);
}
