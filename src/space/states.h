/* states.h - distinct vectors of values, numbered in the order in which they were added. */
#ifndef HONE_SPACE_STATES_H
#define HONE_SPACE_STATES_H

#include "base/budget.h"
#include "spec/program.h"

struct hone__states { /* { .width = n } is empty */
  struct hone_value *values;
  uint32_t width;
  size_t count, capacity;
  uint32_t *table;
  size_t table_size;
};

/* The number of an equal state, or of a new one; *out_new says which. */
hone_status hone__states_find(struct hone__states *states, struct hone__budget *budget,
                              const struct hone_value *values, uint32_t *out_number, bool *out_new);
void hone__states_release(struct hone__states *states, struct hone__budget *budget);

static inline const struct hone_value *hone__state(const struct hone__states *states, size_t number)
{
  return states->values + number * states->width;
}

#endif
