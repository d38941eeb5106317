/* sim_backend.h - a recording in the place of a kernel: times are recorded, not measured, and
 * faults are scripted. Everything else is as with other kernels: builders, runners, time-outs.
 *
 * A candidate is {"config": "BM=64,...", "digest" (of the recording), "fault" (optional), "key"}.
 * Its object is what was recorded of it (sim_object.h).
 */
#ifndef HONE_BACKEND_SIM_SIM_BACKEND_H
#define HONE_BACKEND_SIM_SIM_BACKEND_H

#include "backend/backend.h"

/* ---- Specs ---- */

/* Whether a file that is given in the place of a spec is a recording. */
bool hone__sim_is_recording(const char *path);
/* The spec that means it; text. */
void hone__sim_spec(const char *path, struct hone__text *out_yaml);
/* Parameters of a spec that has none: those of its recording, and no other configurations. */
hone_status hone__sim_lend(struct hone_spec *spec, struct hone__group *out_group);

/* ---- Driver ---- */

hone_status hone__sim_describe(const struct hone__task *task, struct hone__message *out_setup);
hone_status hone__sim_candidate(const struct hone__task *task, const uint32_t *row,
                                json_t **out_candidate);
/* Of `sim.space`, as written; NULL: there is none. free(). */
char *hone__sim_space_path(const struct hone_spec *spec);

/* ---- Workers ---- */

void hone__sim_build(const json_t *setup, const json_t *job, struct hone__answer *answer);
hone_status hone__sim_prepare(void *device, const json_t *setup, const void *payload,
                              size_t payload_size, json_t *facts, void **out_bench);
void hone__sim_run(void *bench, const json_t *job, const void *payload, size_t payload_size,
                   struct hone__answer *answer);
void hone__sim_release(void *bench);

#endif
