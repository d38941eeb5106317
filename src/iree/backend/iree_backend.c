/* The backend for dispatches of IREE. A process measures many calls by itself: few samples are
 * enough, and each costs more than its time. */
#include "iree/backend/iree_backend.h"

static const char *const suffixes[] = {".mlir", NULL};

const struct hone__backend hone__backend_iree = {
    .name = "iree",
    .suffixes = suffixes,
    .screen_samples = 3,
    .first_samples = 5,
    .reading_samples = 3,
    .sample_is_run = true,
    .describe = hone__iree_describe,
    .explain_baseline = hone__iree_explain_baseline,
    .candidate = hone__iree_candidate,
    .deps_are_current = hone__iree_deps_are_current,
    .builds_here = hone__iree_builds_here,
    .build_command = hone__iree_build_command,
    .run_command = hone__iree_run_command,
    .is_beside_cpu = hone__iree_is_beside_cpu,
    .devices = hone__iree_devices,
    .device_is_host = true,
    .open = hone__iree_open,
    .build = hone__iree_build,
    .prepare = hone__iree_prepare,
    .run = hone__iree_bench_run,
    .release = hone__iree_bench_release,
    .close = hone__iree_close,
};
