/* A search that still gains after n evaluations justifies more of them: the evaluations it may use
 * until the next gain grow with n.
 */
#include "tune/patience.h"

static const double GAIN = 0.005;

void hone__patience_open(struct hone__patience *patience, uint64_t least, double share)
{
  *patience = (struct hone__patience){.least = least, .share = share};
  for (size_t i = 0; i < HONE__PATIENCE_COSTS; i++)
    patience->best[i] = 1;
}

void hone__patience_note(struct hone__patience *patience, const double *costs, size_t count)
{
  patience->evaluated++;
  for (size_t i = 0; i < count && i < HONE__PATIENCE_COSTS; i++) {
    if (!(costs[i] < (1 - GAIN) * patience->best[i])) continue;
    patience->best[i] = costs[i];
    patience->gained_at = patience->evaluated;
  }
}

uint64_t hone__patience_used(const struct hone__patience *patience)
{
  return patience->evaluated - patience->gained_at;
}

uint64_t hone__patience_left(const struct hone__patience *patience)
{
  uint64_t all = (uint64_t)(patience->share * (double)patience->evaluated);
  uint64_t limit = all > patience->least ? all : patience->least;
  uint64_t used = hone__patience_used(patience);

  if (!patience->least) return UINT64_MAX;
  return used < limit ? limit - used : 0;
}
