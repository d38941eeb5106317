/* worker_options.h - who builds and measures, and where results are kept: what `hone tune` and
 * `hone iree tune` share. The settings have the members `workers`, `builders`, `overlap`, `store`
 * and `no_wait`. */
#ifndef CLI_WORKER_OPTIONS_H
#define CLI_WORKER_OPTIONS_H

#include "options.h"

#define WORKER_OPTIONS(type)                                                                       \
  OPTION(LIST, "worker", "PREFIX",                                                                 \
         "a command that runs workers elsewhere, such as 'ssh host'; repeatable",                  \
         .target = offsetof(type, workers)),                                                       \
      OPTION(NUMBER, "builders", "N", "compilers at once; default as many as CPUs",                \
             .alias = "max-cpu-workers", .target = offsetof(type, builders)),                      \
      OPTION(FLAG, "overlap", NULL, "build while measuring, even where cores are few",             \
             .target = offsetof(type, overlap)),                                                   \
      OPTION(TEXT, "store", "FILE",                                                                \
             "where results are kept; default $HONE_STORE, else the user's",                       \
             .target = offsetof(type, store), .takes_file = true),                                 \
      OPTION(FLAG, "no-wait", NULL,                                                                \
             "end with status 1 if another process is tuning the same, instead of waiting for it", \
             .target = offsetof(type, no_wait))

#endif
