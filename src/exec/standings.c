#include "exec/standings.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void hone__standings_init(struct hone_standings *standings, size_t count, double margin)
{
  *standings = (struct hone_standings){
      .margin = margin, .alpha = 0.05, .count = count, .groups_wanted = 1, .share = 0.5};
  standings->entrants = hone__alloc((count + 1) * sizeof *standings->entrants);
}

void hone__standings_release(struct hone_standings *standings)
{
  for (size_t i = 0; i < standings->count; i++) {
    free(standings->entrants[i].logs);
    free(standings->entrants[i].groups);
    free(standings->entrants[i].costs);
  }
  free(standings->entrants);
  standings->entrants = NULL;
}

static void grow(struct hone_entrant *entrant)
{
  if (entrant->count < entrant->capacity) return;
  entrant->capacity = entrant->capacity ? 2 * entrant->capacity : 32;
  entrant->logs = hone__realloc(entrant->logs, entrant->capacity * sizeof *entrant->logs);
  entrant->costs = hone__realloc(entrant->costs, entrant->capacity * sizeof *entrant->costs);
  entrant->groups = hone__realloc(entrant->groups, entrant->capacity * sizeof *entrant->groups);
}

void hone__standings_add(struct hone_standings *standings, size_t entrant, uint32_t group,
                         double reference, double cost)
{
  struct hone_entrant *e = &standings->entrants[entrant];

  grow(e);
  e->logs[e->count] = log(reference / cost);
  e->costs[e->count] = cost;
  e->groups[e->count++] = group;
  if (reference > cost * (1 + standings->margin))
    e->wins++;
  else if (reference < cost * (1 + standings->margin))
    e->losses++;
}

/* What each group says. */
struct group_summary {
  size_t groups;
  double low, high; /* of the groups' medians */
  bool contradicts; /* a group in which the candidate is slower, beyond chance */
};

static size_t logs_of_group(const struct hone_entrant *entrant, uint32_t group, double *out_logs)
{
  size_t count = 0;

  for (size_t i = 0; i < entrant->count; i++)
    if (entrant->groups[i] == group) out_logs[count++] = entrant->logs[i];
  return count;
}

static bool is_slower(const double *logs, size_t count, double chance)
{
  size_t wins = 0;

  for (size_t i = 0; i < count; i++)
    wins += logs[i] > 0;
  return hone__sign_chance(wins, count) <= chance;
}

static struct group_summary look_at_groups(const struct hone_standings *standings,
                                           const struct hone_entrant *entrant)
{
  struct group_summary summary = {.low = INFINITY, .high = -INFINITY};
  double *logs = hone__alloc((entrant->count + 1) * sizeof *logs);
  uint32_t highest = 0;

  for (size_t i = 0; i < entrant->count; i++)
    if (entrant->groups[i] > highest) highest = entrant->groups[i];
  for (uint32_t group = 0; group <= highest && entrant->count; group++) {
    size_t count = logs_of_group(entrant, group, logs);
    double median = hone__median(logs, count);
    if (!count) continue;
    summary.groups++;
    summary.low = fmin(summary.low, median);
    summary.high = fmax(summary.high, median);
    if (is_slower(logs, count, standings->alpha / (highest + 1))) summary.contradicts = true;
  }
  free(logs);
  return summary;
}

static enum hone_claim judge(const struct hone_standings *standings, const struct hone_entrant *e)
{
  double enough = log((double)standings->count / standings->alpha);
  double evidence = hone__sign_evidence(e->wins, e->wins + e->losses);
  struct group_summary groups = look_at_groups(standings, e);

  if (groups.groups < standings->groups_wanted) return HONE_CLAIM_OPEN;
  if (e->wins > e->losses && evidence >= enough)
    return groups.contradicts ? HONE_CLAIM_MIXED : HONE_CLAIM_FASTER;
  if (e->losses > e->wins && evidence >= log(1 / standings->alpha)) return HONE_CLAIM_NOT_FASTER;
  return HONE_CLAIM_OPEN;
}

void hone__standings_judge(struct hone_standings *standings)
{
  for (size_t i = 0; i < standings->count; i++)
    standings->entrants[i].claim = judge(standings, &standings->entrants[i]);
}

struct hone_estimate hone__standings_speedup(const struct hone_standings *standings, size_t entrant)
{
  const struct hone_entrant *e = &standings->entrants[entrant];
  double confidence = 1 - standings->alpha / (double)standings->count;
  struct hone_estimate log_ratio = hone__median_interval(e->logs, e->count, confidence);
  struct group_summary groups = look_at_groups(standings, e);

  if (isinf(log_ratio.low)) return (struct hone_estimate){exp(log_ratio.value), NAN, NAN};
  return (struct hone_estimate){exp(log_ratio.value), exp(fmin(log_ratio.low, groups.low)),
                                exp(fmax(log_ratio.high, groups.high))};
}

static double score(const struct hone_standings *standings, const struct hone_entrant *entrant)
{
  return hone__quantile(entrant->logs, entrant->count, standings->share);
}

int hone__standings_leader(const struct hone_standings *standings, int claim)
{
  double best = -INFINITY;
  int leader = -1;

  for (size_t i = 0; i < standings->count; i++) {
    const struct hone_entrant *e = &standings->entrants[i];
    double own = score(standings, e);
    if (e->out || !e->count || (claim >= 0 && (int)e->claim != claim) || !(own > best)) continue;
    best = own;
    leader = (int)i;
  }
  return leader;
}

static bool lost_every_row(const struct hone_entrant *e, const struct hone_entrant *leader,
                           size_t rows, double margin)
{
  size_t common = e->count < leader->count ? e->count : leader->count;

  if (common < rows) return false;
  for (size_t i = 1; i <= common; i++)
    if (e->costs[e->count - i] < leader->costs[leader->count - i] * (1 + margin)) return false;
  return true;
}

void hone__standings_drop_beaten(struct hone_standings *standings, size_t rows)
{
  int leader = hone__standings_leader(standings, -1);

  for (size_t i = 0; leader >= 0 && i < standings->count; i++) {
    struct hone_entrant *e = &standings->entrants[i];
    if ((int)i != leader && !e->out)
      e->out = lost_every_row(e, &standings->entrants[leader], rows, standings->margin);
  }
}

size_t hone__standings_left(const struct hone_standings *standings)
{
  size_t left = 0;

  for (size_t i = 0; i < standings->count; i++)
    left += !standings->entrants[i].out;
  return left;
}

void hone__standings_halve(struct hone_standings *standings, size_t least)
{
  size_t left = hone__standings_left(standings), keep = (left + 1) / 2, used = 0;
  double *scores = hone__alloc((left + 1) * sizeof *scores), worst;

  if (keep < least) keep = least;
  for (size_t i = 0; i < standings->count; i++)
    if (!standings->entrants[i].out) scores[used++] = score(standings, &standings->entrants[i]);
  if (keep < left) {
    worst = hone__quantile(scores, left, (double)(left - keep) / (double)(left - 1));
    for (size_t i = 0; i < standings->count; i++) {
      struct hone_entrant *e = &standings->entrants[i];
      if (!e->out) e->out = !(score(standings, e) >= worst - 1e-12);
    }
  }
  free(scores);
}
