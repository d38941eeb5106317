/* The backend for C and C++: shared objects, called in a separate process. */
#include "backend/c/c_backend.h"
#include "backend/kernel/signature.h"

#include "backend/c/c_bench.h"
#include "backend/kernel/kernel_bench.h"
#include "backend/kernel/kernel_build.h"

static const char *const suffixes[] = {".c", ".cc",  ".cpp", ".cxx", ".C",
                                       ".h", ".hpp", ".hh",  ".hxx", NULL};

const struct hone__backend hone__backend_c = {
    .name = "c",
    .suffixes = suffixes,
    .device_is_host = true,
    .host = &hone__host_c,
    .driver =
        {
            .describe = hone__c_describe,
            .candidate = hone__c_candidate,
            .deps_are_current = hone__c_deps_are_current,
            .build_files = hone__kernel_build_files,
            .build_command = hone__c_build_command,
            .explain_call = hone__signature_explain,
            .devices = hone__c_devices,
        },
    .worker =
        {
            .open = hone__c_open,
            .build = hone__c_build,
            .prepare = hone__c_prepare,
            .run = hone__bench_run,
            .release = hone__c_release,
            .close = hone__c_close,
        },
};
