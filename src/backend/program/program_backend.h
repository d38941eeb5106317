/* program_backend.h - any program that measures itself: what the driver tells the workers.
 *
 * A program is built (or not), called as `PROGRAM --x=0 ... -o FILE.csv`, and says how long it
 * took: a CSV file of kbench's, a JSON line, or a number. Or it is a shared library with `int32_t
 * benchmark_entry(void)`, called in a process that stays, with KBENCH_ARG_x and KBENCH_OUTFILE in
 * the environment.
 *
 * Setup:
 *   "backend", "spec_name", "seed", "memory_bytes", "folder" (of the spec), "directory" (where the
 *   driver was started: programs run there), "inputs_key", "args": [], "reference": {"kind":
 *   "none"}, "build": {"timeout_s"}
 *   "check": {"enabled", "command" (words; not always)}: run after the first run of a candidate, in
 *     "directory"; {csv}, {bin}, {dir} and {NAME} are replaced; a status other than 0 is
 *     `wrong_result`
 *   "unit_ns": of a bare number (`run.unit`; default ms)
 *   "device_variable": "CUDA_VISIBLE_DEVICES" or "ROCR_VISIBLE_DEVICES"
 *
 * Candidate:
 *   "source" (absolute), "source_digest", "language" (a row of the table of languages), "mode"
 *   ("process" or "library"), "name" (kbench's name of the binary, at most 224 bytes)
 *   "definitions": [["BM", "64"], ...] and "arguments": [["x", "0"], ...]: what the build and what
 *     the run gets, as text; of a program that is not compiled both are arguments
 *   "build": words, in which {out} is the file to make, {source} the source and, in library mode,
 *     {wrapper} a file with "wrapper" (text) in it; absent: nothing is built, the object is empty
 *   "run": words, in which {bin} is the program, {csv} the results file and {dir} the folder it
 *     works in; in library mode absent
 *   "template": true where "build" is a command of the spec, which runs in the spec's folder
 *   "folder": where it works, as the user wrote it ("kbench-output/out_3"); absent: in a folder of
 *     the runner's own that is removed afterwards
 *   "values" (the arguments, for the measure key), "key", "build_key", "knobs"
 */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_BACKEND_H
#define HONE_BACKEND_PROGRAM_PROGRAM_BACKEND_H

#include "backend/backend.h"

/* program_describe.c */
hone_status hone__program_describe(const struct hone__task *task, struct hone__message *out_setup);

/* program_candidate.c */
hone_status hone__program_candidate(const struct hone__task *task, const uint32_t *row,
                                    json_t **out_candidate);

/* program_commands.c */
hone_status hone__program_build_command(const json_t *setup, const json_t *candidate,
                                        struct hone__text *out_command);
hone_status hone__program_run_command(const json_t *setup, const json_t *candidate,
                                      struct hone__text *out_command);

/* program_build.c */
void hone__program_build(const json_t *setup, const json_t *job, struct hone__answer *answer);

/* program_bench.c */
bool hone__program_is_beside_cpu(const char *device);
hone_status hone__program_open(const char *device, json_t *facts, void **out_device);
hone_status hone__program_prepare(void *device, const json_t *setup, const void *payload,
                                  size_t payload_size, json_t *facts, void **out_bench);
/* (hone__program_run and _release are those of spec/program.h) */
void hone__program_bench_run(void *bench, const json_t *job, const void *payload,
                             size_t payload_size, struct hone__answer *answer);
void hone__program_bench_release(void *bench);
void hone__program_close(void *device);

#endif
