/* Every growth is counted before it is requested. */
#include "base/budget.h"

#include <stdlib.h>

static hone_status exhausted(const struct hone__budget *budget)
{
  return hone__error(HONE_EXHAUSTED,
                     "the memory limit of %zu MiB is reached; raise it, or add constraints",
                     budget->limit >> 20);
}

hone_status hone__budget_take(struct hone__budget *budget, size_t bytes)
{
  if (bytes > budget->limit - budget->used) return exhausted(budget);
  budget->used += bytes;
  return NULL;
}

void hone__budget_give(struct hone__budget *budget, size_t bytes)
{
  budget->used -= bytes;
}

hone_status hone__budget_reserve(struct hone__budget *budget, void *array, size_t *capacity,
                                 size_t need, size_t item)
{
  void **pointer = array, *grown;
  size_t size = *capacity ? *capacity : 64, more;
  hone_status status;

  if (need <= *capacity) return NULL;
  while (size < need)
    size *= 2;
  more = (size - *capacity) * item;
  if (size > UINT32_MAX - 1) return exhausted(budget);
  status = hone__budget_take(budget, more);
  if (status) return status;
  grown = realloc(*pointer, size * item);
  if (!grown) {
    hone__budget_give(budget, more);
    return exhausted(budget);
  }
  *pointer = grown;
  *capacity = size;
  return NULL;
}

hone_status hone__budget_reserve32(struct hone__budget *budget, void *array, uint32_t *capacity,
                                   size_t need, size_t item)
{
  size_t wide = *capacity;
  hone_status status = hone__budget_reserve(budget, array, &wide, need, item);

  *capacity = (uint32_t)wide;
  return status;
}
