/* What is best for most: it begins in the middle, where the author of a list expects the best (of
 * the lower and the upper middle of lists of even length, and of each group), with a row far away
 * in between, since authors err. Then a model of what was seen so far is asked for the best of its
 * prospects: in turn the one that would be best if the model were wrong, and the one with the
 * largest gain; towards the end of a budget only the latter. Where nothing was gained for very
 * long, requests go to pattern searches from random rows, which see nothing of the rest, until one
 * gains: a model says little about what no other result resembles.
 *
 * Where other devices and sizes have taught something (lessons.h), it begins with what was best
 * there instead, and the model with what to expect. If all of that is worse than the middle, it
 * begins again as if nothing had been taught.
 *
 * What a model may cost is counted in its own unit of work, so that it does not matter how long
 * anything takes: where an evaluation would need more than its allowance, the plain pattern search
 * is asked as often as needed to keep to it. */
#include "search/learner.h"
#include "search/member.h"
#include "search/middles.h"
#include "search/moves.h"

#include "base/memory.h"
#include "search/chosen.h"

#include <stdlib.h>
#include <string.h>

static const double LAST_PART = 0.2;          /* of a budget: no time for what is only new */
static const double WORK_AN_EVALUATION = 4e6; /* of the model, on average: two milliseconds */

struct automatic {
  struct hone__trail trail;
  struct hone__learner learner; /* opened when it is needed first */
  bool has_learner;
  uint64_t seed;
  const struct hone__strategy *plain;
  void *plain_state;
  struct hone__member elsewhere;       /* pattern searches of its own */
  double evaluations;                  /* INFINITY: not known */
  struct hone__middles middles;        /* found when they are needed first */
  const struct hone__lessons *lessons; /* or NULL */
  bool has_checked;                    /* the lessons, by the rows that they begin with */
  bool begun;
  uint32_t arbitrary;  /* rows that it was told, and nobody chose */
  unsigned drawn;      /* rows far away, at the beginning */
  uint32_t last_drawn; /* trial */
  unsigned turn;       /* of the model */
};

static void close_auto(void *state)
{
  struct automatic *search = state;

  if (search->plain_state) search->plain->close(search->plain_state);
  if (search->has_learner) hone__learner_release(&search->learner);
  hone__member_release(&search->elsewhere);
  hone__trail_release(&search->trail);
  hone__middles_release(&search->middles);
  free(search);
}

static hone_status open_auto(const struct hone__search_options *options, void **out_state)
{
  struct automatic *search = hone__alloc(sizeof *search);
  hone_status status;

  search->plain = &hone__search_pattern;
  hone__trail_open(&search->trail, options);
  status = search->plain->open(options, &search->plain_state);
  if (!status)
    status = hone__member_open(&search->elsewhere, search->plain, options, &search->trail);
  if (status) {
    close_auto(search);
    return status;
  }
  search->evaluations = options->evaluations ? (double)options->evaluations : INFINITY;
  search->seed = options->seed;
  search->lessons = options->lessons && options->lessons->count ? options->lessons : NULL;
  *out_state = search;
  return NULL;
}

/* ---- What to request ---- */

static bool can_afford_model(const struct automatic *search)
{
  const struct hone__trail *trail = &search->trail;
  const struct hone__learner *learner = &search->learner;
  uint64_t work = search->has_learner ? learner->model.work + hone__learner_next_work(learner)
                                      : hone__learner_first_work(trail);

  return (double)work <= WORK_AN_EVALUATION * (trail->told + 1.0);
}

static void follow(struct automatic *search)
{
  if (!search->has_learner)
    hone__learner_open(&search->learner, &search->trail, search->seed, search->lessons);
  search->has_learner = true;
  hone__learner_follow(&search->learner);
}

/* By the evaluations, or by the time that they took: whichever ends first. */
static double share_left(const struct automatic *search)
{
  const struct hone__trail *trail = &search->trail;

  return 1 - fmax(trail->told / search->evaluations, trail->spent);
}

static enum hone__learner_aim next_aim(struct automatic *search)
{
  bool is_late = share_left(search) <= LAST_PART;

  return search->turn++ % 2 == 0 && !is_late ? HONE__LEARNER_NOVELTY : HONE__LEARNER_GAIN;
}

/* What the plain search wants and is not known. It requests nothing twice, so this ends. */
static bool ask_plain(struct automatic *search, uint32_t *row)
{
  while (search->plain->ask(search->plain_state, 1, row))
    if (hone__trail_find(&search->trail, row) == HONE__NO_TRIAL) return true;
  return false;
}

/* Where lessons say where to begin, nothing is drawn. */
static void find_beginning(struct automatic *search)
{
  if (search->lessons) hone__middles_learn(&search->middles, search->lessons);
  if (search->middles.count) {
    search->drawn = HONE__MOST_DRAWN;
    return;
  }
  hone__middles_release(&search->middles);
  hone__middles_find(&search->middles, &search->trail);
}

/* One row, and another one as long as the last is the best so far: then the middle is not where the
 * author of the lists expects the best, and chance is better. */
static bool wants_draw(const struct automatic *search)
{
  if (!search->begun || search->drawn >= HONE__MOST_DRAWN) return false;
  return !search->drawn || search->trail.best == search->last_drawn;
}

static bool begin(struct automatic *search, uint32_t *row)
{
  bool draws = wants_draw(search);

  if (!search->middles.rows) find_beginning(search);
  search->begun = true;
  if (!draws) return hone__middles_next(&search->middles, &search->trail, row);
  search->drawn++;
  search->last_drawn = search->trail.count; /* what it is when it is requested */
  return hone__trail_draw_far(&search->trail, HONE__DRAWS, row);
}

/* Of the rows that lessons begin with, or of the middle among them; NaN: not all are told. */
static double best_first_cost(const struct automatic *search, bool of_middle)
{
  const struct hone__middles *middles = &search->middles;
  double best = INFINITY;

  for (size_t i = 0; i < middles->count; i++) {
    uint32_t trial = hone__trail_find(&search->trail, middles->rows + i * middles->width);
    if (trial == HONE__NO_TRIAL || search->trail.trials[trial].state == HONE__TRAIL_ASKED)
      return NAN;
    if (hone__middles_is_own(middles, i) == of_middle)
      best = fmin(best, hone__trail_cost(&search->trail, trial));
  }
  return best;
}

/* What lessons requested is set aside with them. The sources think it alike good and it is alike
 * bad, so a model makes of it that what these rows share is bad: on a device where the best shares
 * it, too, that costs far more than the evaluations did. */
static void set_aside_learned(struct automatic *search)
{
  const struct hone__middles *middles = &search->middles;

  for (size_t i = 0; i < middles->count; i++) {
    uint32_t trial = hone__trail_find(&search->trail, middles->rows + i * middles->width);
    if (!hone__middles_is_own(middles, i)) search->trail.trials[trial].is_aside = true;
  }
}

static void forget_lessons(struct automatic *search)
{
  set_aside_learned(search);
  if (search->has_learner) hone__learner_release(&search->learner);
  search->has_learner = false;
  search->lessons = NULL;
  search->drawn = 0;
  hone__middles_release(&search->middles); /* they are found anew */
}

/* A row that is worse than the middle is not a good start, and a source that names it does not fit
 * this device: the sources are not asked again. */
static void check_lessons(struct automatic *search)
{
  double middle, taught;

  if (!search->middles.is_learned || search->has_checked) return;
  middle = best_first_cost(search, true);
  taught = best_first_cost(search, false);
  search->has_checked = !isnan(taught);
  if (middle < taught) forget_lessons(search);
}

/* A baseline that nobody chose is mostly a corner of the space, and its neighbours are, too. While
 * it alone is known, and what was requested first is under way, far rows say more. */
static bool knows_nothing(const struct automatic *search)
{
  return search->trail.told <= search->arbitrary;
}

/* The best is that old, in requests. */
static bool is_out_of_patience(const struct automatic *search)
{
  const struct hone__trail *trail = &search->trail;
  double patience = HONE__ELSEWHERE_FROM + HONE__ELSEWHERE_PART * trail->count;

  return trail->best != HONE__NO_TRIAL && trail->count - trail->best >= patience;
}

static bool propose(void *state, uint32_t *row)
{
  struct automatic *search = state;

  check_lessons(search);
  if (begin(search, row)) return true;
  if (knows_nothing(search)) return hone__trail_draw_far(&search->trail, HONE__DRAWS, row);
  if (!can_afford_model(search)) return ask_plain(search, row);
  follow(search);
  if (is_out_of_patience(search) && hone__member_ask(&search->elsewhere, row)) return true;
  return hone__learner_best(&search->learner, next_aim(search), row);
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct automatic *search = state;

  return hone__moves_ask(&search->trail, propose, search, count, rows);
}

static void tell(void *state, const uint32_t *row, const struct hone__observation *observation)
{
  struct automatic *search = state;

  search->arbitrary += observation->is_arbitrary;
  hone__member_tell(&search->elsewhere, hone__trail_tell(&search->trail, row, observation));
  search->plain->tell(search->plain_state, row, observation);
}

static double missing(void *state, double margin)
{
  struct automatic *search = state;

  if (hone__trail_is_complete(&search->trail)) return 0;
  if (!search->has_learner || search->trail.best == HONE__NO_TRIAL) return NAN;
  hone__learner_follow(&search->learner);
  return hone__learner_missing(&search->learner, margin);
}

const struct hone__strategy hone__search_auto = {
    .name = "auto",
    .summary = "from the middle, a model selects the next candidate; pattern steps where it costs "
               "too much",
    .learns = true,
    .uses_lessons = true,
    .open = open_auto,
    .ask = ask,
    .tell = tell,
    .missing = missing,
    .close = close_auto,
};
