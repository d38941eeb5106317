/* Which of two entries for the same kernel, device and problem stays: a run before an entry of a
 * file that is about another source, a proved one before another, then the one whose interval
 * begins higher, then the later one. That the default is best is an interval from 1 to 1. */
#include "export/wisdom_merge.h"

#include "base/sorting.h"

#include <math.h>
#include <stdlib.h>

/* ---- Better ---- */

static double low_of(const struct hone__export_wisdom_draft *draft)
{
  if (draft->verdict == HONE_WISDOM_NO_IMPROVEMENT) return 1;
  return isnan(draft->low) ? (isnan(draft->speedup) ? 0 : draft->speedup) : draft->low;
}

static bool has_other_source(const struct hone__export_wisdom_draft *a,
                             const struct hone__export_wisdom_draft *b)
{
  const char *x = hone__export_wisdom_environment(a, "source"),
             *y = hone__export_wisdom_environment(b, "source");

  return *x && *y && strcmp(x, y) != 0;
}

/* Whether `a`, which comes later, stays instead of `b`. */
static bool is_better(const struct hone__export_wisdom_draft *a,
                      const struct hone__export_wisdom_draft *b)
{
  bool a_proved = a->verdict != HONE_WISDOM_UNPROVED, b_proved = b->verdict != HONE_WISDOM_UNPROVED;
  int order;

  if (a->is_run && !b->is_run && has_other_source(a, b)) return true;
  if (a_proved != b_proved) return a_proved;
  if (low_of(a) != low_of(b)) return low_of(a) > low_of(b);
  order = strcmp(hone__export_wisdom_environment(a, "date"),
                 hone__export_wisdom_environment(b, "date"));
  return order ? order > 0 : a->is_run && !b->is_run;
}

/* ---- Notes ---- */

static void add_claim(struct hone__text *text, const struct hone__export_wisdom_draft *draft)
{
  hone__text_addf(text, "%s has ", draft->origin);
  hone__export_wisdom_print_pairs(text, draft->config, draft->config_count);
  if (draft->verdict == HONE_WISDOM_NO_IMPROVEMENT)
    hone__text_add(text, " (the default)");
  else if (draft->verdict == HONE_WISDOM_UNPROVED)
    hone__text_add(text, " (not proved)");
  else
    hone__text_addf(text, " (%.3gx, %.3g to %.3g)", draft->speedup, draft->low, draft->high);
}

static bool has_same_config(const struct hone__export_wisdom_draft *a,
                            const struct hone__export_wisdom_draft *b)
{
  struct hone__text x = {0}, y = {0};
  bool same;

  hone__text_add(&x, "");
  hone__text_add(&y, "");
  hone__export_wisdom_print_pairs(&x, a->config, a->config_count);
  hone__export_wisdom_print_pairs(&y, b->config, b->config_count);
  same = strcmp(x.data, y.data) == 0;
  hone__text_release(&x);
  hone__text_release(&y);
  return same;
}

/* Speed-ups over different defaults are not comparable, and this says so. */
static void note_conflict(struct hone__export_wisdom_merging *merging,
                          const struct hone__export_wisdom_draft *kept,
                          const struct hone__export_wisdom_draft *dropped)
{
  const char *first = hone__export_wisdom_environment(kept, "baseline");
  const char *second = hone__export_wisdom_environment(dropped, "baseline");
  struct hone__text note = {0};

  if (has_same_config(kept, dropped)) return;
  hone__text_addf(&note, "'%s'", kept->kernel);
  if (kept->problem_count) hone__text_add(&note, " ");
  hone__export_wisdom_print_pairs(&note, kept->problem, kept->problem_count);
  hone__text_addf(&note, " on '%s': ", kept->device);
  add_claim(&note, kept);
  hone__text_add(&note, ", ");
  add_claim(&note, dropped);
  hone__text_addf(&note, ": kept the first of these%s",
                  has_other_source(kept, dropped) && kept->is_run && !dropped->is_run
                      ? ", since the kernel or its build has changed"
                  : strcmp(first, second) != 0 ? ", though their defaults differ"
                                               : "");
  hone__words_add(&merging->notes, note.data);
  hone__text_release(&note);
}

/* ---- Adding ---- */

static bool has_alias(const struct hone__export_wisdom_draft *draft, const char *alias)
{
  for (size_t i = 0; i < draft->alias_count; i++)
    if (strcmp(draft->aliases[i], alias) == 0) return true;
  return false;
}

/* The device has all names that either file gives it. */
static void join_aliases(struct hone__export_wisdom_merging *merging,
                         struct hone__export_wisdom_draft *draft,
                         const struct hone__export_wisdom_draft *other)
{
  size_t most = draft->alias_count + other->alias_count;
  const char **aliases = hone__arena_alloc(&merging->arena, (most + 1) * sizeof *aliases);

  if (draft->alias_count) memcpy(aliases, draft->aliases, draft->alias_count * sizeof *aliases);
  draft->aliases = aliases;
  for (size_t i = 0; i < other->alias_count; i++)
    if (!has_alias(draft, other->aliases[i])) aliases[draft->alias_count++] = other->aliases[i];
  if (draft->alias_count) qsort(aliases, draft->alias_count, sizeof *aliases, hone__by_text);
}

void hone__export_wisdom_merge_add(struct hone__export_wisdom_merging *merging,
                                   const struct hone__export_wisdom_draft *draft)
{
  for (size_t i = 0; i < merging->count; i++) {
    struct hone__export_wisdom_draft *there = &merging->drafts[i];
    if (hone__export_wisdom_compare(there, draft) != 0) continue;
    if (is_better(draft, there)) {
      struct hone__export_wisdom_draft old = *there;
      note_conflict(merging, draft, there);
      *there = *draft;
      join_aliases(merging, there, &old);
    } else {
      note_conflict(merging, there, draft);
      join_aliases(merging, there, draft);
    }
    return;
  }
  HONE__GROW(merging->drafts, merging->count, merging->capacity);
  merging->drafts[merging->count++] = *draft;
}

/* ---- Several of something ---- */

static void add_once(struct hone__words *words, const char *word)
{
  if (!*word) return;
  for (size_t i = 0; i < words->count; i++)
    if (strcmp(words->data[i], word) == 0) return;
  hone__words_add(words, word);
}

static void note_several(struct hone__export_wisdom_merging *merging, const char *what,
                         const struct hone__words *words)
{
  struct hone__text note = {0};

  if (words->count < 2) return;
  hone__text_addf(&note, "the entries have several %s: ", what);
  for (size_t i = 0; i < words->count; i++)
    hone__text_addf(&note, "%s'%s'", i ? ", " : "", words->data[i]);
  hone__words_add(&merging->notes, note.data);
  hone__text_release(&note);
}

void hone__export_wisdom_merge_remark(struct hone__export_wisdom_merging *merging)
{
  static const struct {
    const char *key, *what;
  } facts[] = {{"hone", "versions of hone"}, {"compiler", "compilers"}, {"driver", "drivers"}};
  struct hone__words devices = {0};

  for (size_t i = 0; i < merging->count; i++)
    add_once(&devices, merging->drafts[i].device);
  note_several(merging, "devices", &devices);
  hone__words_release(&devices);
  for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
    struct hone__words words = {0};
    for (size_t i = 0; i < merging->count; i++)
      add_once(&words, hone__export_wisdom_environment(&merging->drafts[i], facts[k].key));
    note_several(merging, facts[k].what, &words);
    hone__words_release(&words);
  }
}

void hone__export_wisdom_merging_release(struct hone__export_wisdom_merging *merging)
{
  free(merging->drafts);
  hone__words_release(&merging->notes);
  hone__arena_release(&merging->arena);
  *merging = (struct hone__export_wisdom_merging){0};
}
