/* sim_backend.h - a recording in place of a kernel: times are recorded, not measured, and faults
 * are scripted. Everything else is as for other kernels: builders, runners, time-outs.
 *
 * Messages are in sim_setup.h; the object of a candidate is its record (sim_object.h).
 */
#ifndef HONE_BACKEND_SIM_SIM_BACKEND_H
#define HONE_BACKEND_SIM_SIM_BACKEND_H

#include "backend/backend.h"
#include "backend/sim/sim_setup.h"

/* ---- Specs ---- */

/* Whether a file given in place of a spec is a recording. */
bool hone__sim_is_recording(const char *path);
/* The text of a spec for this recording. */
void hone__sim_spec(const char *path, struct hone__text *out_yaml);
/* Gives a spec without parameters those of its recording, and only its configurations. */
hone_status hone__sim_lend(struct hone_spec *spec, struct hone__spec_group *out_group);

/* ---- Driver ---- */

hone_status hone__sim_describe(const struct hone__task *task, struct hone__message *out_setup);
hone_status hone__sim_candidate(const struct hone__task *task, const uint32_t *row,
                                struct hone__packed **out_candidate);
/* Real seconds for a recorded one: `sim.pace`. */
double hone__sim_pace(const struct hone__task *task);
/* Of `sim.space`, as written; NULL: there is none. free(). */
char *hone__sim_space_path(const struct hone_spec *spec);

/* ---- Workers ---- */

void hone__sim_build(const struct hone__packed *setup, const struct hone__packed *job,
                     struct hone__answer *answer);
struct hone__sim_bench;
/* Of the device with this name. */
hone_status hone__sim_prepare(const struct hone__packed *setup, const char *device,
                              struct hone__sim_bench **out_bench);
void hone__sim_run(void *bench, const struct hone__packed *job, const void *payload,
                   size_t payload_size, struct hone__answer *answer);
void hone__sim_release(void *bench);

#endif
