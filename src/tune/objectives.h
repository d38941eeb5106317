/* objectives.h - runs with more than one objective.
 *
 * The verdict is about one objective, the first that can be timed again (hone__session_cost_ratio).
 * Each search sees one objective, and one search sees the combined cost.
 */
#ifndef HONE_TUNE_OBJECTIVES_H
#define HONE_TUNE_OBJECTIVES_H

#include "tune/tuning.h"

/* After the baseline was measured: drops objectives that need energy if none was measured, and
 * informs the user. */
void hone__tuning_objectives_look_for_energy(struct hone__tuning *tuning);
/* The energy of a call from its metrics; NaN: not measured. */
struct hone__task_energy hone__tuning_evaluation_energy(const struct hone__evaluation *evaluation);
/* The value of each objective. Lower is better: maximised values are negated. NaN: none. */
void hone__tuning_objectives_values(const struct hone__tuning *tuning, const uint32_t *row,
                                    const struct hone__task_measured *measured, double *values);
/* The costs passed to each search, relative to the baseline's. */
void hone__tuning_objectives_costs(const struct hone__tuning *tuning, const uint32_t *row,
                                   const struct hone__evaluation *evaluation, double *costs);

/* For the sorted ranking: moves members of the Pareto set to the front, `most` of them, spread over
 * the set, the best by the first objective first, and marks them. */
void hone__tuning_objectives_lead(struct hone__tuning *tuning, size_t most);

#endif
