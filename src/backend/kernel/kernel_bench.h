/* kernel_bench.h - runs candidates: inputs, expected answers, an engine.
 *
 * A backend's `prepare` makes a bench for each setup, in this order:
 *   1. hone__alloc, hone__bench_make     arguments and inputs, in this process's memory
 *   2. the needs of its engine           bench->own
 *   3. hone__bench_expect                the reference's answer, which may use the engine
 *
 * and hone__bench_run is its `run`. Candidates only run in a separate process; see sampler.h. Setup
 * and job are described in backend.h and kernel.h; their offsets are into `payload`.
 */
#ifndef HONE_BACKEND_KERNEL_KERNEL_BENCH_H
#define HONE_BACKEND_KERNEL_KERNEL_BENCH_H

#include "backend/backend.h"
#include "backend/kernel/engine.h"
#include "wire/named.h"

/* Free it even after a failure. */
hone_status hone__bench_make(struct hone__bench *bench, const struct hone__engine *engine,
                             const struct hone__packed *setup, const void *payload,
                             size_t payload_size);
/* Adds "input_bytes" and "written_bytes" to the facts. */
hone_status hone__bench_expect(struct hone__bench *bench, const void *payload, size_t payload_size,
                               struct hone__named_list *facts);
void hone__bench_run(void *bench, const struct hone__packed *job, const void *payload,
                     size_t payload_size, struct hone__answer *answer);
void hone__bench_free(struct hone__bench *bench);

/* Whether caches are to be cold, by `measure.cache`, or else `otherwise`. */
bool hone__bench_is_cold(const struct hone__bench *bench, bool otherwise);

#endif
