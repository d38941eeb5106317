/* objectives.h - what a run is tuned for, where that is more than one thing.
 *
 * The verdict is about one objective, the first that can be timed again (hone__session_cost_ratio).
 * The searches see all of them, each its own, and one of them what all cost together.
 */
#ifndef HONE_TUNE_OBJECTIVES_H
#define HONE_TUNE_OBJECTIVES_H

#include "tune/tuning.h"

/* Once the baseline was measured: what takes joules is given up where there are none, and a person
 * is told. */
void hone__objectives_look_for_energy(struct hone__tuning *tuning);
/* The joules of a call as its metrics have them; NaN: they were not measured. */
struct hone__energy hone__evaluation_energy(const struct hone__evaluation *evaluation);
/* The value of each objective; less is better: what is maximised is negative. NaN: it has none. */
void hone__objectives_values(const struct hone__tuning *tuning, const uint32_t *row,
                             const struct hone__measured *measured, double *values);
/* What each search is told: costs relative to the baseline's. */
void hone__objectives_costs(const struct hone__tuning *tuning, const uint32_t *row,
                            const struct hone__evaluation *evaluation, double *costs);

/* Of the ranking, which is sorted: members of the Pareto set come first, `most` of them, spread
 * over it, the best by the first objective before all. They are marked. */
void hone__objectives_lead(struct hone__tuning *tuning, size_t most);

#endif
