/* worker_options.h - options for workers and the store: common to `hone tune` and `hone iree tune`.
 * The settings have the members `workers`, `clusters`, `builders`, `host_builders`, `overlap`,
 * `store` and `no_wait`.
 */
#ifndef CLI_WORKER_OPTIONS_H
#define CLI_WORKER_OPTIONS_H

#include "options.h"

#define WORKER_OPTIONS(type)                                                                       \
  OPTION(LIST, "worker", "PREFIX",                                                                 \
         "command prefix that starts workers on another host, such as 'ssh host'; repeatable",     \
         .target = offsetof(type, workers)),                                                       \
      OPTION(LIST, "cluster", "CLUSTER",                                                           \
             "workers of slurm[:OPTIONS], ssh:HOSTFILE or k8s:POD-TEMPLATE; repeatable",           \
             .target = offsetof(type, clusters)),                                                  \
      OPTION(NUMBER, "builders", "N", "number of parallel compilers; default the number of CPUs",  \
             .alias = "max-cpu-workers", .target = offsetof(type, builders)),                      \
      OPTION(NUMBER, "host-builders", "N",                                                         \
             "build on the hosts of --cluster and --worker, N compilers on each, not on this one", \
             .target = offsetof(type, host_builders)),                                             \
      OPTION(FLAG, "overlap", NULL, "build while measuring, even with few cores",                  \
             .target = offsetof(type, overlap)),                                                   \
      OPTION(TEXT, "store", "FILE",                                                                \
             "store with the results; default $HONE_STORE, else the user's store",                 \
             .target = offsetof(type, store), .takes_file = true),                                 \
      OPTION(FLAG, "no-wait", NULL,                                                                \
             "exit with status 1 if another process tunes the same problem, instead of waiting",   \
             .target = offsetof(type, no_wait)),                                                   \
      OPTION(FLAG, "wait", NULL, "wait for another process that tunes the same problem (default)", \
             .target = offsetof(type, no_wait), .clears = true)

#endif
