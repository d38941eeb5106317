/* program_backend.h - any program that measures itself: the methods of driver, builder and runner.
 *
 * A program is built (or not), called as `PROGRAM --x=0 ... -o FILE.csv`, and reports its time: in
 * a CSV file of kbench, a JSON line, or a number. Or it is a shared library with `int32_t
 * benchmark_entry(void)`, called in a persistent process, with KBENCH_ARG_x and KBENCH_OUTFILE in
 * the environment.
 *
 * Messages: program_setup.h, program_candidate.h.
 */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_BACKEND_H
#define HONE_BACKEND_PROGRAM_PROGRAM_BACKEND_H

#include "backend/backend.h"
#include "backend/program/program_candidate.h"
#include "backend/program/program_setup.h"

/* program_describe.c */
hone_status hone__program_describe(const struct hone__task *task, struct hone__message *out_setup);

/* program_candidate.c */
hone_status hone__program_candidate(const struct hone__task *task, const uint32_t *row,
                                    struct hone__packed **out_candidate);

/* program_files.c */
hone_status hone__program_build_files(const struct hone__packed *setup,
                                      const struct hone__packed *candidate,
                                      struct hone__pairs *out_files);

/* program_commands.c */
void hone__program_build_command(const struct hone__program_setup *setup,
                                 const struct hone__program_candidate *candidate,
                                 struct hone__text *out_command);
void hone__program_run_command(const struct hone__program_candidate *candidate,
                               struct hone__text *out_command);

/* serve_command.c: starts a served program and asks for one sample. */
void hone__serve_run_command(const struct hone__program_setup *setup,
                             const struct hone__program_candidate *candidate,
                             struct hone__text *out_command);

/* program_build.c */
void hone__program_build(const struct hone__packed *setup, const struct hone__packed *job,
                         struct hone__answer *answer);

/* program_bench.c */
bool hone__program_is_beside_cpu(const char *device);
/* `*out_gpu`: its number or name; NULL: programs run on the CPUs alone. Lent of `device`. */
hone_status hone__program_open(const char *device, const char **out_gpu, void **out_device);
hone_status hone__program_prepare(void *device, const struct hone__packed *setup, void **out_bench);
/* program_job.c (hone__spec_program_run and _release are those of spec/program.h) */
void hone__program_bench_run(void *bench, const struct hone__packed *job, const void *payload,
                             size_t payload_size, struct hone__answer *answer);
void hone__program_bench_release(void *bench);
void hone__program_close(void *device);

#endif
