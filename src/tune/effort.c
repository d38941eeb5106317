/* An effort is a row of a table: a budget, or a patience without one. A given budget takes
 * precedence, and a small space is always searched completely.
 */
#include "tune/effort.h"

#include "search/search_set.h"
#include "tune/patience.h"

#include <math.h>

enum { SMALL_SPACE = 300, QUICK_FINALISTS = 3 };
static const double MISSING_MARGIN = 0.01;

static const struct {
  const char *name;
  const char *more; /* how to continue */
  uint64_t evaluations;
  double budget_s;
  uint64_t patience; /* evaluations without a gain */
  double share;      /* or this share of all, if that is more */
} efforts[] = {
    [HONE_EFFORT_AUTO] = {.name = "", .more = ""},
    [HONE_EFFORT_QUICK] = {"quick", "--effort normal", 50, 60, 20, 0},
    [HONE_EFFORT_NORMAL] = {"normal", "--effort thorough", 0, 0, 150, 0.5},
    [HONE_EFFORT_THOROUGH] = {"thorough", "--budget", 0, 0, 1000, 1},
};

const char *hone__effort_name(const struct hone__tuning *tuning)
{
  return efforts[tuning->session.settings.effort].name;
}

static enum hone_search_effort effort_given(const struct hone__tuning *tuning)
{
  const struct hone__node *node =
      hone__task_setting(&tuning->session.problem.task, "search.effort");

  if (tuning->session.settings.options->effort) return tuning->session.settings.options->effort;
  for (int i = HONE_EFFORT_QUICK; node && i <= HONE_EFFORT_THOROUGH; i++)
    if (strcmp(efforts[i].name, node->text) == 0) return (enum hone_search_effort)i;
  return HONE_EFFORT_AUTO;
}

/* The whole space is worth searching. */
static bool covers_space(const struct hone__tuning *tuning)
{
  uint64_t count = hone_space_count(tuning->session.problem.space);

  if (tuning->session.settings.effort == HONE_EFFORT_QUICK) return false;
  return count <= SMALL_SPACE || count <= efforts[tuning->session.settings.effort].patience;
}

void hone__effort_settle(struct hone__tuning *tuning)
{
  struct hone__session_settings *settings = &tuning->session.settings;
  enum hone_search_effort given = effort_given(tuning);
  bool may_end = given || settings->strategy->learns;

  settings->budget_given = settings->evaluations || settings->budget_s > 0;
  settings->effort = given || settings->budget_given ? given : HONE_EFFORT_NORMAL;
  if (!settings->budget_given) {
    settings->evaluations = efforts[settings->effort].evaluations;
    settings->budget_s = efforts[settings->effort].budget_s;
  }
  if (settings->effort == HONE_EFFORT_QUICK && !settings->options->top)
    settings->finalists = QUICK_FINALISTS;
  if (settings->options->patience)
    settings->patience.least = settings->options->patience;
  else if (may_end && settings->options->stop_after != HONE_STAGE_BUILD && !covers_space(tuning))
    settings->patience = (struct hone__session_patience){efforts[settings->effort].patience,
                                                         efforts[settings->effort].share};
}

/* The budget does not end the search before it has seen all, nor does anything else. */
static bool measures_all(const struct hone__tuning *tuning)
{
  const struct hone__session_settings *settings = &tuning->session.settings;
  uint64_t count = hone_space_count(tuning->session.problem.space);

  return settings->budget_given && settings->evaluations >= count && !settings->patience.least &&
         !(settings->budget_s > 0);
}

void hone__effort_report_cover(struct hone__tuning *tuning)
{
  uint64_t count = hone_space_count(tuning->session.problem.space);

  if (!measures_all(tuning) || tuning->session.entry.resumed) return;
  hone__session_say(&tuning->session, HONE_EVENT_NOTE,
                    "the budget covers the whole space: all %llu configurations are measured",
                    (unsigned long long)count);
}

static void add_share(const struct hone__session_patience *patience, struct hone__text *text)
{
  if (patience->share >= 1)
    hone__text_add(text, ", or as many as were measured before");
  else if (patience->share > 0)
    hone__text_addf(text, ", or %.0f %% of all", 100 * patience->share);
}

void hone__effort_describe(const struct hone__tuning *tuning, struct hone__text *text)
{
  const struct hone__session_patience *patience = &tuning->session.settings.patience;

  if (!patience->least) return;
  hone__text_addf(text, ": ends after %llu configurations without improvement",
                  (unsigned long long)patience->least);
  add_share(patience, text);
  hone__text_add(text, " (--patience)");
}

/* ---- The end ---- */

static void add_reason(const struct hone__tuning *tuning, enum hone__effort_end end,
                       struct hone__text *text)
{
  switch (end) {
  case HONE__END_BY_PATIENCE:
    hone__text_addf(text, "%llu candidates without improvement (patience %llu",
                    (unsigned long long)hone__patience_used(&tuning->search.patience),
                    (unsigned long long)tuning->session.settings.patience.least);
    add_share(&tuning->session.settings.patience, text);
    hone__text_add(text, "); --patience N");
    break;
  case HONE__END_BY_COUNT:
    hone__text_addf(text, "the limit of %llu configurations for a %s search is reached;",
                    (unsigned long long)tuning->session.settings.evaluations,
                    hone__effort_name(tuning));
    break;
  case HONE__END_BY_TIME:
    hone__text_addf(text, "the limit of %.0f s for a %s search is reached;",
                    tuning->session.settings.budget_s, hone__effort_name(tuning));
    break;
  }
}

/* The user knows the budget and the deadline; a caller who divides the time itself reports it. */
static bool is_expected(const struct hone__tuning *tuning, enum hone__effort_end end)
{
  const struct hone__session_settings *settings = &tuning->session.settings;

  if (end == HONE__END_BY_PATIENCE) return false;
  return settings->budget_given || settings->options->search_limit_s > 0 ||
         (end == HONE__END_BY_TIME && !(settings->budget_s > 0));
}

static void say_and_keep(struct hone__tuning *tuning, const struct hone__text *text)
{
  hone__session_say(&tuning->session, HONE_EVENT_NOTE, "%s", text->data);
  hone__words_add(&tuning->session.entry.notes, text->data);
}

/* What the search expects to have left; nothing if it cannot tell. */
static void report_missing(struct hone__tuning *tuning)
{
  double chance =
      tuning->search.set ? hone__search_set_missing(tuning->search.set, MISSING_MARGIN) : NAN;
  struct hone__text text = {0};

  if (!isfinite(chance)) return;
  hone__text_addf(&text,
                  "a configuration that was not measured is better by more than %.0f %% with a "
                  "probability of %.0f %%",
                  100 * MISSING_MARGIN, 100 * chance);
  say_and_keep(tuning, &text);
  hone__text_release(&text);
}

void hone__effort_report_end(struct hone__tuning *tuning, enum hone__effort_end end)
{
  const char *more = efforts[tuning->session.settings.effort].more;
  struct hone__text text = {0};

  if (is_expected(tuning, end)) return;
  hone__text_add(&text, "the search ended: ");
  add_reason(tuning, end, &text);
  if (*more) hone__text_addf(&text, "%s %s", end == HONE__END_BY_PATIENCE ? " or" : "", more);
  hone__text_add(&text, " continues it");
  say_and_keep(tuning, &text);
  hone__text_release(&text);
  report_missing(tuning);
}
