/* unroll.h - comprehensions over lists of known length, written out.
 *
 * any([A * k == B for k in (1, 2)]) is any([A * 1 == B, A * 2 == B]), which a program can hold
 * although A and B are parameters.
 */
#ifndef HONE_SPEC_UNROLL_H
#define HONE_SPEC_UNROLL_H

#include "spec/evaluate.h"

/* The comprehension that a function (any, all, sum, min, max) has as its argument, as a list;
 * elements that an `if` may leave out become ones that do not matter to the function. NULL: a list
 * is not known, it is too long, or the function cannot leave elements out. The lookup knows what is
 * constant. `nodes` counts those that were made for one program, which are bounded. */
const struct hone__expr *hone__unroll(struct hone__arena *arena, const struct hone__expr *call,
                                      hone__lookup *lookup, void *data, size_t *nodes);

#endif
