/* tune_options.h - the options of `hone tune`.
 *
 *   tune_settings_init, then command_open with tune_options
 *   tune_settings_check, tune_settings_fill
 */
#ifndef CLI_TUNE_OPTIONS_H
#define CLI_TUNE_OPTIONS_H

#include "cluster_hosts.h"
#include "command.h"
#include "problems.h"
#include "program_options.h"
#include "source.h"

enum tune_format { TUNE_TEXT, TUNE_JSON };

struct tune_settings {
  struct common common;
  struct source source;
  struct program_settings program;
  const char *store, *strategy, *yaml, *output, *wisdom, *deadline;
  char *devices;
  struct cluster_hosts hosts; /* of `workers` and `clusters` */
  struct word_list workers, clusters, seed_configs, learn_from;
  uint64_t builders, host_builders, evaluations, patience, seed, top, screen_samples;
  const struct option *seed_option; /* which of the two was given, or NULL */
  struct budget budget;
  double margin, timeout_s;
  size_t memory_bytes;
  int effort;     /* which of the words; -1: none was given */
  int per_device; /* which of the words */
  int stop_after, format;
  const char *web; /* where to serve the page; "": anywhere on this machine */
  const char *save_baseline, *against;
  double fail_if_slower; /* a share; NaN: not given */
  bool random_seed, overlap, no_wait, lookup, fresh, no_check, keep_slower, keep_going, no_confirm,
      counters, no_cap, no_warm_start, lock_clocks;
  bool dry_run, require_improvement, check_wisdom, tune;
};

extern const struct option tune_options[];

/* Sets the library's defaults. */
void tune_settings_init(struct tune_settings *settings);
/* False after a message. */
bool tune_settings_check(const struct tune_settings *settings, const struct word_list *files);
/* Stores the given options in those of a run, except those of programs; lent. */
void tune_settings_fill(const struct tune_settings *settings, const struct problems *problems,
                        struct hone_tune_options *options);

/* Whether the files are a dispatch of IREE: the result is a tuning spec. */
bool tune_files_are_mlir(const struct word_list *files);

#endif
