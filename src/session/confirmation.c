#include "session/confirmation.h"

struct hone__confirmation hone__session_confirmation(const struct hone__standings *standings,
                                                     size_t finalist)
{
  const struct hone__entrant *entrant = &standings->entrants[finalist];
  struct hone__estimate speedup = hone__standings_speedup(standings, finalist);

  return (struct hone__confirmation){.verdict = hone__entrant_verdict(entrant),
                                     .speedup = speedup.value,
                                     .low = speedup.low,
                                     .high = speedup.high,
                                     .pairs = (int64_t)entrant->count,
                                     .restarts =
                                         (int64_t)hone__standings_groups(standings, finalist)};
}
