/* c_backend.h - C and C++ sources: what the driver tells the workers.
 *
 * Setup:
 *   "backend", "spec_name", "seed", "memory_bytes", "folder" (of the spec), "entry", "cache",
 *   "build": {"timeout_s"}
 *   "check": {"enabled", "rtol", "atol", "ratio", "command" (words; not always)}
 *   "args": [{"name", "type", "scalar": true} or {"name", "type", "role", "shape", "fill", "rtol",
 *     "atol"}]; "fill" is there for inputs: {"kind", "low", "high", "value", "file": {"offset",
 *     "size", "format": "npy" or "bin", "digest"}}, without what the kind does not need; tolerances
 *     are those of outputs
 *   "reference": as backend.h says; "files" are [{"offset", "size", "digest"}], one an output
 *   "inputs_key": digest of all that determines the inputs
 *
 * Candidate:
 *   "source" (absolute), "language" ("c" or "c++"), "compiler" (words), "flags", "includes",
 *   "defines": [["BM", "64"], ...], "given_defines": how many of them, at the end, are from
 *   `build.defines`, "command" (a template's words; not always), "entry", "values" (of the scalar
 *   arguments in order: numbers, or a text for u64 beyond 2^63), "source_digest", "key"
 */
#ifndef HONE_BACKEND_C_C_BACKEND_H
#define HONE_BACKEND_C_C_BACKEND_H

#include "backend/backend.h"

/* c_describe.c */
hone_status hone__c_describe(const struct hone_task *task, struct hone_message *out_setup);

/* c_candidate.c */
hone_status hone__c_candidate(const struct hone_task *task, const uint32_t *row,
                              json_t **out_candidate);
/* Built from another file, without knobs and derived values, with the baseline's arguments. */
hone_status hone__c_reference(const struct hone_task *task, const struct hone_node *file,
                              const char *entry, json_t **out_candidate);

/* c_build.c */
hone_status hone__c_build_command(const json_t *setup, const json_t *candidate,
                                  struct hone_text *out_command);
void hone__c_build(const json_t *setup, const json_t *job, struct hone_answer *answer);
bool hone__c_deps_are_current(const json_t *deps);

#endif
