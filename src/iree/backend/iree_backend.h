/* iree_backend.h - dispatches of IREE: the methods of driver, builder and runner.
 *
 * A candidate is a configuration of the dispatch's operation. It is built by iree-compile, which
 * gets it through a tuning spec, and timed by iree-benchmark-module; its answer is the result of
 * the function @hone_answer of the same module, run by iree-run-module (iree/dispatch/dispatch.h).
 *
 * Messages: iree_setup.h, iree_candidate.h. A build's reply also has costs: registers, memory and
 * spills that the compiler reports, by name.
 */
#ifndef HONE_IREE_BACKEND_IREE_BACKEND_H
#define HONE_IREE_BACKEND_IREE_BACKEND_H

#include "backend/backend.h"
#include "base/words.h"
#include "iree/backend/iree_candidate.h"
#include "iree/backend/iree_setup.h"

/* iree_describe.c */
hone_status hone__iree_describe(const struct hone__task *task, struct hone__message *out_setup);
void hone__iree_explain_baseline(const struct hone__task *task, struct hone__text *out_text);

bool hone__iree_builds_here(const struct hone__task *task);

/* iree_candidate.c */
hone_status hone__iree_candidate(const struct hone__task *task, const uint32_t *row,
                                 struct hone__packed **out_candidate);

/* iree_devices.c: names of devices, as iree-run-module lists them */
hone_status hone__iree_devices(struct hone__words *names);

/* iree_commands.c */
void hone__iree_build_command(const struct hone__iree_setup *setup,
                              const struct hone__iree_candidate *candidate,
                              struct hone__text *out_command);
void hone__iree_run_command(const struct hone__iree_setup *setup, struct hone__text *out_command);
/* Adds the words after the compiler's name, with these file names. */
void hone__iree_build_words(const struct hone__iree_setup *setup,
                            const struct hone__iree_candidate *candidate, const char *object,
                            struct hone__words *words);

/* iree_build.c */
void hone__iree_build(const struct hone__packed *setup, const struct hone__packed *job,
                      struct hone__answer *answer);

/* iree_bench.c */
bool hone__iree_is_beside_cpu(const char *device);
hone_status hone__iree_open(const char *device, void **out_device);
struct hone__iree_bench;
hone_status hone__iree_prepare(void *device, const struct hone__packed *setup, const void *payload,
                               size_t payload_size, struct hone__iree_bench **out_bench);
void hone__iree_bench_release(void *bench);
void hone__iree_close(void *device);

/* iree_job.c */
void hone__iree_bench_run(void *bench, const struct hone__packed *job, const void *payload,
                          size_t payload_size, struct hone__answer *answer);

#endif
