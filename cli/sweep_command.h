/* sweep_command.h - shared by the files of `hone sweep`. */
#ifndef CLI_SWEEP_COMMAND_H
#define CLI_SWEEP_COMMAND_H

#include "cluster_hosts.h"
#include "command.h"
#include "plot.h"
#include "program_options.h"
#include "source.h"

#define SWEEP_FOLDER "kbench-output" /* the default of --output-dir */

enum sweep_format { SWEEP_TEXT, SWEEP_JSON, SWEEP_CSV };

struct sweep_settings {
  struct common common;
  struct source source;
  struct program_settings program;
  const char *output, *output_dir, *yaml; /* NULL: not given */
  const char *store, *cache_dir;
  char *devices;
  struct cluster_hosts hosts; /* of `workers` and `clusters` */
  struct word_list workers, clusters;
  uint64_t host_builders;
  int profile, plot, format;
  bool build, run_only, dry_run, tune;
  bool cached, clear_cache, force, skip_clock_check, fresh, no_wait, no_check;
};

/* sweep_results.c: writes the files of each run and prints it. `is_one_of_several`: there are other
 * problems or shapes, so the names of a run's files include its own. */
enum exit_code sweep_results(const struct sweep_settings *settings,
                             const struct hone_tuning *tuning, bool is_one_of_several);

#endif
