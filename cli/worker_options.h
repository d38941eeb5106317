/* worker_options.h - options for workers: common to `hone tune`, `hone iree tune` and `hone sweep`.
 * The settings have the members `workers`, `clusters` and `host_builders`; for WORKER_OPTIONS also
 * `builders`, `overlap`, `store` and `no_wait`.
 */
#ifndef CLI_WORKER_OPTIONS_H
#define CLI_WORKER_OPTIONS_H

#include "options.h"

#define HOST_OPTIONS(type)                                                                         \
  OPTION(LIST, "worker", "PREFIX",                                                                 \
         "command prefix that starts workers on another host, such as 'ssh host'; repeatable",     \
         .target = offsetof(type, workers)),                                                       \
      OPTION(LIST, "cluster", "CLUSTER",                                                           \
             "workers of slurm[:OPTIONS], ssh:HOSTFILE or k8s:POD-TEMPLATE; repeatable",           \
             .target = offsetof(type, clusters))
#define HOST_BUILDERS_OPTION(type)                                                                 \
  OPTION(NUMBER, "host-builders", "N",                                                             \
         "build on the hosts of --cluster and --worker, N compilers on each, not on this one",     \
         .target = offsetof(type, host_builders))
/* `what` another process does. */
#define WAIT_OPTIONS(type, what)                                                                   \
  OPTION(FLAG, "no-wait", NULL,                                                                    \
         "exit with status 1 if another process " what ", instead of waiting",                     \
         .target = offsetof(type, no_wait)),                                                       \
      OPTION(FLAG, "wait", NULL, "wait for another process that " what " (default)",               \
             .target = offsetof(type, no_wait), .clears = true)

#define WORKER_OPTIONS(type)                                                                       \
  HOST_OPTIONS(type),                                                                              \
      OPTION(NUMBER, "builders", "N", "number of parallel compilers; default the number of CPUs",  \
             .alias = "max-cpu-workers", .target = offsetof(type, builders)),                      \
      HOST_BUILDERS_OPTION(type),                                                                  \
      OPTION(FLAG, "overlap", NULL, "build while measuring, even with few cores",                  \
             .target = offsetof(type, overlap)),                                                   \
      STORE_OPTION(type), WAIT_OPTIONS(type, "tunes the same problem")

#endif
