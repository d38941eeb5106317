/* report.h - one run in full; accessors are in hone_results.h. */
#ifndef HONE_REPORT_REPORT_H
#define HONE_REPORT_REPORT_H

#include "report/report_timeline.h"
#include "results/pareto_set.h"
#include "spec/params.h"
#include "wire/run_reply.h"

struct hone_report_row {
  const char *config;
  bool is_baseline, is_winner, confirmed;
  bool is_tied; /* with the proved winner */
  enum hone_outcome outcome;
  const char *device;
  enum hone_verdict verdict; /* of itself */
  double time_ns, speedup, low, high, screen_speedup;
  double least_ns, greatest_ns; /* of the samples that time_ns is of; NaN: unknown */
  uint64_t pairs, restarts, samples;
  double compile_s;
  const char *command, *suspicious;
  struct hone__wire_stage_share *stages; /* of a pipeline */
  size_t stage_count;
  const char **metric_values; /* as texts, one for each of the report's metric_names */
  size_t metric_count;
};

struct hone_report_failure {
  enum hone_outcome outcome;
  const char *text;
  uint64_t count;
  const char *config, *evidence, *command; /* of one example */
};

struct hone__report_failed { /* any of them */
  const char *config;
  enum hone_outcome outcome;
};

struct hone_report_elsewhere { /* the winner of another run */
  int64_t run;
  const char *config, *outcome;
  double speedup;
};

/* The pairs of the confirmation of one candidate. */
struct hone__report_pairs {
  double *times_ns, *baseline_ns;
  uint32_t *restarts; /* the process of each */
  size_t count;
};

struct hone_report {
  int64_t run;
  enum hone_run_state state;
  enum hone_verdict verdict;
  bool is_sweep;
  const char *name, *problem, *spec, *sentence;
  const char *baseline, *winner;
  struct hone_params baseline_params, winner_params;
  double speedup, low, high;
  const char *command, *environment, *fingerprint, *space, *part, *strategy, *started;
  const char *kind; /* of its devices; "": there was only one */
  struct hone_report_elsewhere *elsewhere;
  size_t elsewhere_count;
  uint64_t seed;
  bool unconfirmed;
  enum hone_answers answers;
  const char *answers_text;
  double wall_s, drift, confidence;
  struct hone_report_row *rows; /* baseline first, then the best first */
  size_t row_count;
  const char **metric_names;
  size_t metric_count;
  struct hone_report_failure *failures; /* most frequent first */
  size_t failure_count;
  struct hone__report_failed *failed_rows;
  size_t failed_row_count;
  uint64_t evaluations, ok, slow, failed, reused, same_object, compiled, cached;
  const char **notes;
  size_t note_count;
  const char **log;
  size_t log_count;
  struct hone__report_pairs pairs; /* of the winner, or of the best that was confirmed */
  struct hone__report_timeline timeline;
  const struct hone_pareto *pareto; /* NULL: there was one objective */
};

#endif
