/* guard.h - marks that tell what a kernel wrote.
 *
 * Poison lies in an output before the kernel runs: what still has it afterwards was never written.
 * It is a NaN with its own payload in floats, 0xA5 in every byte of the others. A guard zone
 * lies before and behind an array: a changed byte in it is a write out of bounds.
 */
#ifndef HONE_CHECK_GUARD_H
#define HONE_CHECK_GUARD_H

#include "base/element.h"

/* Fills `bytes` bytes; a part of an element at the end has the front of its poison. */
void hone__poison(enum hone__element element, void *out, size_t bytes);
bool hone__is_poison(enum hone__element element, const void *at, size_t index);
/* Whether no ordinary result is equal to the poison by its bits: so for bool and floats of 16 bits
 * and more. An integer may be 0xA5...A5 by chance, an f8 has few NaNs. */
bool hone__poison_is_certain(enum hone__element element);

void hone__guard_fill(void *zone, size_t size);
/* The offset of the first changed byte, or `size` if none is. */
size_t hone__guard_broken(const void *zone, size_t size);

#endif
