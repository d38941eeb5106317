/* checker.h - whether the answers of a sample are right; in the process of the candidates.
 *
 * Around every checked sample:
 *   1. hone__checker_extent   how much of its outputs is poisoned before it and compared after it
 *   2. the engine arranges and takes the sample
 *   3. hone__checker_look     false: the answer is wrong, which the record has
 *
 * An answer equal, bit by bit, to the candidate's first answer to the same content needs no more:
 * the runner compares first answers itself. Any other answer is compared here with the expected
 * one; a wrong one is copied for the runner, which decides.
 */
#ifndef HONE_BACKEND_KERNEL_CHECKER_H
#define HONE_BACKEND_KERNEL_CHECKER_H

#include "backend/kernel/engine.h"

/* In whole if that is cheap compared with a sample; otherwise for a random share of samples that
 * keeps it cheap. `must` forces it for this one. */
enum hone__extent hone__checker_extent(const struct hone__trial *trial, size_t index,
                                       struct hone__random *random, bool must);
bool hone__checker_look(struct hone__trial *trial, size_t index, uint64_t repeats,
                        enum hone__extent extent);

#endif
