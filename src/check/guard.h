/* guard.h - patterns that show what a kernel wrote.
 *
 * An output holds poison before the kernel runs: an element that still has it afterwards was never
 * written. Poison is a NaN with a distinct payload in floats, and 0xA5 in every byte of other
 * types. Guard zones lie before and after an array: a changed byte in one is an out-of-bounds
 * write.
 */
#ifndef HONE_CHECK_GUARD_H
#define HONE_CHECK_GUARD_H

#include "base/element.h"

/* Fills `bytes` bytes; a partial element at the end gets the first bytes of its poison. */
void hone__poison(enum hone__element element, void *out, size_t bytes);
bool hone__check_is_poison(enum hone__element element, const void *at, size_t index);
/* Whether no ordinary result has the bits of the poison: true for bool and for floats of 16 bits
 * and more. An integer may be 0xA5...A5 by chance, and an f8 has few NaNs. */
bool hone__poison_is_certain(enum hone__element element);

void hone__guard_fill(void *zone, size_t size);
/* The offset of the first changed byte, or `size` if none is. */
size_t hone__guard_broken(const void *zone, size_t size);

#endif
