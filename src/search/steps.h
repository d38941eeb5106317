/* steps.h - steps of single knobs, which the searches that go by steps share: half of a knob's list
 * at first, halved until all are one value long. */
#ifndef HONE_SEARCH_STEPS_H
#define HONE_SEARCH_STEPS_H

#include "space/space.h"

/* At least 1. */
uint32_t hone__step_length(const struct hone__domain *domain, unsigned halvings);
bool hone__steps_are_smallest(const struct hone__solved_group *group, unsigned halvings);
/* Moves a knob of the row by a step, or to the end of its list; false: it is there. */
bool hone__step_make(const struct hone__solved_group *group, uint32_t *row, size_t knob, bool up,
                     uint32_t length);

#endif
