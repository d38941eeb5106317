#include "stats/standings.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

void hone__standings_init(struct hone__standings *standings, size_t count, double margin)
{
  *standings = (struct hone__standings){
      .margin = margin, .alpha = 0.05, .count = count, .groups_wanted = 1, .share = 0.5};
  standings->capacity = count + 1;
  standings->entrants = hone__alloc(standings->capacity * sizeof *standings->entrants);
  for (size_t i = 0; i < count; i++)
    standings->entrants[i].chance = standings->alpha / (double)count;
}

size_t hone__standings_enter(struct hone__standings *standings, double chance)
{
  HONE__ASSERT(chance >= 0 && chance <= standings->alpha);
  HONE__GROW(standings->entrants, standings->count, standings->capacity);
  standings->entrants[standings->count] = (struct hone__entrant){.chance = chance};
  return standings->count++;
}

void hone__standings_release(struct hone__standings *standings)
{
  for (size_t i = 0; i < standings->count; i++) {
    free(standings->entrants[i].logs);
    free(standings->entrants[i].groups);
    free(standings->entrants[i].costs);
  }
  free(standings->entrants);
  standings->entrants = NULL;
}

static void grow(struct hone__entrant *entrant)
{
  if (entrant->count < entrant->capacity) return;
  entrant->capacity = entrant->capacity ? 2 * entrant->capacity : 32;
  entrant->logs = hone__realloc(entrant->logs, entrant->capacity * sizeof *entrant->logs);
  entrant->costs = hone__realloc(entrant->costs, entrant->capacity * sizeof *entrant->costs);
  entrant->groups = hone__realloc(entrant->groups, entrant->capacity * sizeof *entrant->groups);
}

void hone__standings_add(struct hone__standings *standings, size_t entrant, uint32_t group,
                         double reference, double cost)
{
  struct hone__entrant *e = &standings->entrants[entrant];

  HONE__ASSERT(entrant < standings->count);
  grow(e);
  e->logs[e->count] = log(reference / cost);
  e->costs[e->count] = cost;
  e->groups[e->count++] = group;
  if (reference > cost * (1 + standings->margin))
    e->wins++;
  else if (reference < cost * (1 + standings->margin))
    e->losses++;
  HONE__ASSERT(e->wins + e->losses <= e->count);
}

/* The median of each group; the caller frees them. */
static double *group_medians(const struct hone__entrant *entrant, size_t *out_count)
{
  double *logs = hone__alloc((entrant->count + 1) * sizeof *logs);
  double *medians = hone__alloc((entrant->count + 1) * sizeof *medians);
  size_t groups = 0;
  uint32_t highest = 0;

  for (size_t i = 0; i < entrant->count; i++)
    if (entrant->groups[i] > highest) highest = entrant->groups[i];
  for (uint32_t group = 0; group <= highest; group++) {
    size_t count = 0;
    for (size_t i = 0; i < entrant->count; i++)
      if (entrant->groups[i] == group) logs[count++] = entrant->logs[i];
    if (count) medians[groups++] = hone__median(logs, count);
  }
  free(logs);
  *out_count = groups;
  return medians;
}

/* The groups are evaluated after each new one: the probability of a wrong claim is spread over the
 * evaluations, and 1/2 + 1/6 + 1/12 + ... from the second or third group on is 1. */
static double share_of_look(size_t groups, size_t wanted)
{
  size_t before = wanted == 2 ? 1 : 2;
  double looks = (double)groups - (double)before;

  return groups > before ? 1 / (looks * (looks + 1)) : 1;
}

static enum hone__claim judge(const struct hone__standings *standings,
                              const struct hone__entrant *e)
{
  double faster = hone__sign_evidence(e->wins, e->wins + e->losses),
         slower = hone__sign_evidence(e->losses, e->wins + e->losses);
  enum hone__claim claim = HONE__CLAIM_OPEN;
  size_t groups;
  double *medians = group_medians(e, &groups);

  if (groups >= standings->groups_wanted) {
    if (faster >= -log(e->chance) &&
        hone__mean_bound(medians, groups,
                         e->chance * share_of_look(groups, standings->groups_wanted), -1) > 0)
      claim = HONE__CLAIM_FASTER;
    if (slower >= -log(standings->alpha) &&
        hone__mean_bound(medians, groups, standings->alpha, 1) < 2 * log1p(standings->margin))
      claim = HONE__CLAIM_NOT_FASTER;
  }
  free(medians);
  return claim;
}

void hone__standings_judge(struct hone__standings *standings)
{
  for (size_t i = 0; i < standings->count; i++)
    standings->entrants[i].claim = judge(standings, &standings->entrants[i]);
}

/* Groups may differ slightly, or have one of two times by chance: Student's t covers the first
 * case, order statistics cover the second. Those have few ranks to choose from, and the number of
 * groups depends on what they show: half of alpha is spare. */
static void cover_groups(struct hone__estimate *logs, const double *medians, size_t groups,
                         double alpha)
{
  struct hone__estimate ranks = hone__median_interval(medians, groups, 1 - alpha / 2);

  logs->low = fmin(logs->low, hone__mean_bound(medians, groups, alpha / 2, -1));
  logs->high = fmax(logs->high, hone__mean_bound(medians, groups, alpha / 2, 1));
  if (isinf(ranks.low)) return; /* too few for ranks */
  logs->low = fmin(logs->low, ranks.low);
  logs->high = fmax(logs->high, ranks.high);
}

struct hone__estimate hone__standings_speedup(const struct hone__standings *standings,
                                              size_t entrant)
{
  const struct hone__entrant *e = &standings->entrants[entrant];
  struct hone__estimate logs = hone__median_interval(e->logs, e->count, 1 - e->chance);
  size_t groups;
  double *medians = group_medians(e, &groups);

  cover_groups(&logs, medians, groups, standings->alpha);
  free(medians);
  if (isinf(logs.low)) return (struct hone__estimate){exp(logs.value), NAN, NAN};
  return (struct hone__estimate){exp(logs.value), exp(logs.low), exp(logs.high)};
}

static double score(const struct hone__standings *standings, const struct hone__entrant *entrant)
{
  return hone__quantile(entrant->logs, entrant->count, standings->share);
}

static bool may_lead(const struct hone__entrant *entrant, int claim)
{
  if (!entrant->count || entrant->failed) return false;
  return claim < 0 ? !entrant->out : (int)entrant->claim == claim;
}

int hone__standings_leader(const struct hone__standings *standings, int claim)
{
  double best = -INFINITY;
  int leader = -1;

  for (size_t i = 0; i < standings->count; i++) {
    const struct hone__entrant *e = &standings->entrants[i];
    double own = score(standings, e);
    if (!may_lead(e, claim) || !(own > best)) continue;
    best = own;
    leader = (int)i;
  }
  return leader;
}

static size_t common_rows(const struct hone__entrant *e, const struct hone__entrant *other)
{
  return e->count < other->count ? e->count : other->count;
}

static bool lost_every_row(const struct hone__entrant *e, const struct hone__entrant *leader,
                           double by)
{
  size_t common = common_rows(e, leader);

  for (size_t i = 1; i <= common; i++)
    if (e->costs[e->count - i] < leader->costs[leader->count - i] * (1 + by)) return false;
  return true;
}

static size_t group_count(const struct hone__entrant *entrant)
{
  size_t count;

  free(group_medians(entrant, &count));
  return count;
}

size_t hone__standings_groups(const struct hone__standings *standings, size_t entrant)
{
  return group_count(&standings->entrants[entrant]);
}

void hone__standings_drop_beaten(struct hone__standings *standings, double by, size_t groups,
                                 size_t rows)
{
  int leader = hone__standings_leader(standings, -1);

  for (size_t i = 0; leader >= 0 && i < standings->count; i++) {
    struct hone__entrant *e = &standings->entrants[i];
    if ((int)i == leader || e->out || e->count < rows || group_count(e) < groups) continue;
    e->out = lost_every_row(e, &standings->entrants[leader], by);
  }
}

size_t hone__standings_left(const struct hone__standings *standings)
{
  size_t left = 0;

  for (size_t i = 0; i < standings->count; i++)
    left += !standings->entrants[i].out;
  return left;
}

size_t hone__standings_close(const struct hone__standings *standings)
{
  int leader = hone__standings_leader(standings, -1);
  double best = leader < 0 ? 0 : hone__standings_speedup(standings, (size_t)leader).value;
  size_t close = 0;

  for (size_t i = 0; i < standings->count; i++)
    close += !standings->entrants[i].out &&
             !(hone__standings_speedup(standings, i).value * (1 + standings->margin) < best);
  return close;
}

static bool takes_part(const struct hone__entrant *entrant)
{
  return !entrant->out && entrant->count > 0;
}

void hone__standings_halve(struct hone__standings *standings, size_t least)
{
  double *scores = hone__alloc((standings->count + 1) * sizeof *scores), worst;
  size_t used = 0, keep;

  for (size_t i = 0; i < standings->count; i++)
    if (takes_part(&standings->entrants[i]))
      scores[used++] = score(standings, &standings->entrants[i]);
  keep = (used + 1) / 2 > least + least / 2 ? (used + 1) / 2 : least;
  if (keep < used) {
    worst = hone__quantile(scores, used, (double)(used - keep) / (double)(used - 1));
    for (size_t i = 0; i < standings->count; i++) {
      struct hone__entrant *e = &standings->entrants[i];
      if (takes_part(e)) e->out = score(standings, e) < worst - 1e-12;
    }
  }
  free(scores);
}

/* ---- Verdicts ---- */

bool hone__entrant_is_decided(const struct hone__entrant *entrant)
{
  return entrant->out || entrant->claim != HONE__CLAIM_OPEN || entrant->count >= HONE__MOST_PAIRS;
}

enum { DOZEN = 12 };

/* Wins and losses so many times over: what the sign test would say of them. Twice, but a few pairs
 * count as if they were a dozen: a slow kernel has only these when time is over. */
bool hone__entrant_is_on_course(const struct hone__entrant *entrant)
{
  const size_t pairs = entrant->wins + entrant->losses;
  const size_t times = pairs && pairs < DOZEN / 2 ? (DOZEN + pairs - 1) / pairs : 2;

  return !entrant->failed && entrant->claim == HONE__CLAIM_OPEN && entrant->chance > 0 &&
         entrant->wins > entrant->losses &&
         hone__sign_evidence(times * entrant->wins, times * pairs) >= -log(entrant->chance);
}

static const double CLEAR_BY = 0.1;

static bool is_clear(const struct hone__entrant *entrant)
{
  for (size_t i = 0; i < entrant->count; i++)
    if (!(entrant->logs[i] > log1p(CLEAR_BY))) return false;
  return entrant->chance > 0 &&
         hone__sign_evidence(entrant->wins, entrant->wins + entrant->losses) >=
             -log(entrant->chance);
}

bool hone__standings_are_clear(const struct hone__standings *standings)
{
  for (size_t i = 0; i < standings->count; i++)
    if (!standings->entrants[i].out && !is_clear(&standings->entrants[i])) return false;
  return hone__standings_left(standings) > 0;
}

bool hone__standings_are_decided(const struct hone__standings *standings)
{
  for (size_t i = 0; i < standings->count; i++)
    if (!hone__entrant_is_decided(&standings->entrants[i])) return false;
  return true;
}

/* Over the rows that both were in. */
static bool may_be_better(const struct hone__standings *standings, const struct hone__entrant *e,
                          const struct hone__entrant *leader)
{
  size_t common = common_rows(e, leader);
  double *gains = hone__alloc((common + 1) * sizeof *gains), most;

  for (size_t i = 0; i < common; i++)
    gains[i] = log(leader->costs[leader->count - 1 - i] / e->costs[e->count - 1 - i]);
  most = hone__median_interval(gains, common, 1 - standings->alpha).high;
  free(gains);
  return !(most <= log1p(standings->margin));
}

void hone__standings_drop_ties(struct hone__standings *standings, size_t groups)
{
  int leader = hone__standings_leader(standings, -1);

  if (leader < 0 || !is_clear(&standings->entrants[leader])) return;
  for (size_t i = 0; i < standings->count; i++) {
    struct hone__entrant *e = &standings->entrants[i];
    if ((int)i == leader || !takes_part(e) || group_count(e) < groups) continue;
    e->out = !may_be_better(standings, e, &standings->entrants[leader]);
  }
}

void hone__standings_readmit(struct hone__standings *standings)
{
  for (size_t i = 0; i < standings->count; i++) {
    struct hone__entrant *e = &standings->entrants[i];
    if (e->count && !e->failed && !e->is_open && e->claim == HONE__CLAIM_OPEN) e->out = false;
  }
}

bool hone__standings_are_settled(const struct hone__standings *standings)
{
  int at = hone__standings_leader(standings, -1);
  const struct hone__entrant *leader = at < 0 ? NULL : &standings->entrants[at];

  if (!leader || leader->claim != HONE__CLAIM_FASTER) return hone__standings_are_decided(standings);
  for (size_t i = 0; i < standings->count; i++) {
    const struct hone__entrant *e = &standings->entrants[i];
    if (!hone__entrant_is_decided(e) && may_be_better(standings, e, leader)) return false;
  }
  return true;
}

bool hone__entrant_is_confirmed(const struct hone__entrant *entrant)
{
  return entrant->count && !entrant->failed;
}

enum hone_verdict hone__entrant_verdict(const struct hone__entrant *entrant)
{
  return entrant->claim == HONE__CLAIM_FASTER       ? HONE_VERDICT_IMPROVED
         : entrant->claim == HONE__CLAIM_NOT_FASTER ? HONE_VERDICT_NO_IMPROVEMENT
                                                    : HONE_VERDICT_INCONCLUSIVE;
}

/* One that was beaten by a candidate still in adds nothing to that candidate's result. */
static bool is_undecided(const struct hone__entrant *entrant)
{
  return !entrant->failed && entrant->claim == HONE__CLAIM_OPEN &&
         (!entrant->out || entrant->is_open);
}

bool hone__standings_none_is_faster(const struct hone__standings *standings)
{
  size_t proved = 0;

  for (size_t i = 0; i < standings->count; i++) {
    const struct hone__entrant *e = &standings->entrants[i];
    if (is_undecided(e)) return false;
    proved += !e->failed && e->claim == HONE__CLAIM_NOT_FASTER;
  }
  return proved > 0;
}

bool hone__standings_are_within_noise(const struct hone__standings *standings)
{
  int leader = hone__standings_leader(standings, HONE__CLAIM_OPEN);
  struct hone__estimate speedup;

  if (leader < 0 || hone__entrant_is_on_course(&standings->entrants[leader])) return false;
  speedup = hone__standings_speedup(standings, (size_t)leader);
  return speedup.low <= 1 + standings->margin && speedup.high >= 1 + standings->margin;
}

int hone__standings_best(const struct hone__standings *standings)
{
  int leader = hone__standings_leader(standings, -1);

  return leader >= 0 ? leader : hone__standings_leader(standings, HONE__CLAIM_NOT_FASTER);
}
