/* iree_backend.h - dispatches of IREE: what the driver tells the workers.
 *
 * A candidate is a configuration of the dispatch's operation. It is built by iree-compile, which
 * gets it through a tuning spec, and timed by iree-benchmark-module; its answer is what
 * iree-run-module gets from the function @hone_answer of the same module
 * (iree/dispatch/dispatch.h).
 *
 * Setup:
 *   "backend", "spec_name", "seed", "memory_bytes", "folder" (of the spec), "args": [],
 * "inputs_key" "build": {"timeout_s"} "check": {"enabled", "rtol", "atol" (negative: by type),
 * "ratio"} "reference": {"kind": "object", "candidate"}: the baseline's answer is the right one; or
 * "none" "device": "iree:local-sync": the one to use if nobody says otherwise "unit_ns": 1, and
 * "clock": "cpu" or "wall"; "timing": "iree" or "rocprof" "iree": what the spec has under `iree`
 * (iree/task/iree_task.h), but paths: "digest", "identity", "target", "backend", "driver",
 * "function", "answer", "why_unchecked", "matcher_name", "matcher", "flags", "bindings":
 * [{"offset", "size", "type", "read", "written"}] "dispatch": path of the prepared text;
 * "iree_dir": where IREE's executables are; both of this host
 *
 * Candidate:
 *   "compilation_info", "decomposition_config": texts; without any it is the compiler's own choice,
 *     and built without a spec
 *   "dispatch_digest", "identity", "key", "build_key", "knobs"
 *
 * A build's head has also "costs": {"vgpr_count": 152, ...}: what of registers, memory and spills
 * the compiler told, by name.
 */
#ifndef HONE_IREE_BACKEND_IREE_BACKEND_H
#define HONE_IREE_BACKEND_IREE_BACKEND_H

#include "backend/backend.h"

/* iree_describe.c */
hone_status hone__iree_describe(const struct hone__task *task, struct hone__message *out_setup);
void hone__iree_explain_baseline(const struct hone__task *task, struct hone__text *out_text);

bool hone__iree_builds_here(const struct hone__task *task);

/* iree_candidate.c */
hone_status hone__iree_candidate(const struct hone__task *task, const uint32_t *row,
                                 json_t **out_candidate);
bool hone__iree_deps_are_current(const json_t *deps);

/* iree_devices.c */
hone_status hone__iree_devices(json_t *devices);

/* iree_commands.c */
hone_status hone__iree_build_command(const json_t *setup, const json_t *candidate,
                                     struct hone__text *out_command);
hone_status hone__iree_run_command(const json_t *setup, const json_t *candidate,
                                   struct hone__text *out_command);
/* Words behind the compiler's name, with these names of files; free by json_decref. */
json_t *hone__iree_build_words(const json_t *setup, const json_t *candidate, const char *object);
bool hone__iree_has_spec(const json_t *candidate);

/* iree_build.c */
void hone__iree_build(const json_t *setup, const json_t *job, struct hone__answer *answer);

/* iree_bench.c */
bool hone__iree_is_beside_cpu(const char *device);
hone_status hone__iree_open(const char *device, json_t *facts, void **out_device);
hone_status hone__iree_prepare(void *device, const json_t *setup, const void *payload,
                               size_t payload_size, json_t *facts, void **out_bench);
void hone__iree_bench_release(void *bench);
void hone__iree_close(void *device);

/* iree_job.c */
void hone__iree_bench_run(void *bench, const json_t *job, const void *payload, size_t payload_size,
                          struct hone__answer *answer);

#endif
