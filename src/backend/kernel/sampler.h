/* sampler.h - what happens in the process of the candidates: they are loaded, called, watched and
 * timed, each step by an engine (engine.h).
 *
 * All candidates are loaded; then, of each in order:
 *   first calls one with each content of the inputs, on poisoned outputs; the first is timed as
 *               cold_ns, none is a sample; answers are copied for the runner, guard zones are
 *               looked at; then the last set of arguments once more, with the other content at
 *               the same addresses and the old answer left there: answers that are kept by address
 *               are wrong then
 *   warm-up     until two calls in a row differ by less than 10 %, three calls, or 50 ms; calls of
 *               before count in C
 *   repeats     as many calls a sample as the engine finds right: in C so many that it takes
 *               min_sample_ns; one if something must be done before each call
 *   samples     screen: here, calls that ended the warm-up among them; rows: when all candidates
 *               have come so far
 *   last look   guard zones, and the answer once more
 * Around every sample, warm-up included, outputs are poisoned and answers compared (checker.h);
 * what calls find there changes from one sample, or row, to the next.
 * A sample above the cap ends a screening once it is certain: the next one is above it too, or it
 * took so long that no interruption can be the cause.
 */
#ifndef HONE_BACKEND_KERNEL_SAMPLER_H
#define HONE_BACKEND_KERNEL_SAMPLER_H

/* `trial` is a struct hone__trial. */
void hone__sampler_run(void *trial);

#endif
