/* The backend for programs: anything that measures itself and says how long it took. One run says
 * what many calls took, so that few runs are enough. */
#include "backend/program/program_backend.h"

#include "backend/program/program_plan.h"

const struct hone__backend hone__backend_program = {
    .name = "program",
    .suffixes = hone__language_suffixes,
    .screen_samples = 1,
    .first_samples = 3,
    .reading_samples = 1,
    .sample_is_run = true,
    .describe = hone__program_describe,
    .candidate = hone__program_candidate,
    .deps_are_current = hone__program_deps_are_current,
    .build_command = hone__program_build_command,
    .run_command = hone__program_run_command,
    .is_beside_cpu = hone__program_is_beside_cpu,
    .why_no_devices = "it has no devices: a program selects its device itself",
    .open = hone__program_open,
    .build = hone__program_build,
    .prepare = hone__program_prepare,
    .run = hone__program_bench_run,
    .release = hone__program_bench_release,
    .close = hone__program_close,
};
