/* budget.h - arrays that grow within a bound on memory, and fail with a status instead of ending
 * the process. */
#ifndef HONE_BASE_BUDGET_H
#define HONE_BASE_BUDGET_H

#include "base/status.h"

struct hone__budget {
  size_t used, limit; /* bytes */
};

/* Makes room for `need` items of `item` bytes in *array, whose capacity doubles as needed. */
hone_status hone__budget_reserve(struct hone__budget *budget, void *array, size_t *capacity,
                                 size_t need, size_t item);
/* The same for arrays that count in 32 bits. */
hone_status hone__budget_reserve32(struct hone__budget *budget, void *array, uint32_t *capacity,
                                   size_t need, size_t item);
/* Counts `bytes` more; EXHAUSTED if that is too much. */
hone_status hone__budget_take(struct hone__budget *budget, size_t bytes);
void hone__budget_give(struct hone__budget *budget, size_t bytes);

#endif
