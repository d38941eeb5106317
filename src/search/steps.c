/* A step may be as long as half a list, so that its end is never far. */
#include "search/steps.h"

uint32_t hone__step_length(const struct hone__domain *domain, unsigned halvings)
{
  uint32_t length = halvings < 32 ? (domain->count / 2) >> halvings : 0;

  return length ? length : 1;
}

bool hone__steps_are_smallest(const struct hone__solved_group *group, unsigned halvings)
{
  for (size_t i = 0; i < group->count; i++)
    if (hone__step_length(&group->domains[i], halvings) > 1) return false;
  return true;
}

bool hone__step_make(const struct hone__solved_group *group, uint32_t *row, size_t knob, bool up,
                     uint32_t length)
{
  uint32_t *value = &row[1 + knob], old = *value, last = group->domains[knob].count - 1;

  if (up)
    *value = length < last - old ? old + length : last;
  else
    *value = length < old ? old - length : 0;
  return *value != old;
}
