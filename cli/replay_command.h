/* replay_command.h - shared by the files of `hone replay`. */
#ifndef CLI_REPLAY_COMMAND_H
#define CLI_REPLAY_COMMAND_H

#include "hone_replay.h"
#include "command.h"

#include <signal.h>

struct replay_settings {
  struct common common;
  char *strategies, *compare; /* lists with commas; NULL: not given */
  const char *budget, *space, *runs_dir;
  uint64_t repeats, seed, outstanding, threads;
  int format;
  struct word_list learn_from;
};

/* replay_progress.c: a status line if it takes long, and signals that end it cleanly. */
struct replay_progress {
  bool has_line, is_shown;
  double begun_s, shown_s;
  struct sigaction before[3];
};
void replay_progress_open(struct replay_progress *progress, const struct common *common);
/* The progress of struct hone_replay_options. */
bool replay_progress_report(void *progress, uint64_t done, uint64_t total);
void replay_progress_close(struct replay_progress *progress);

/* The totals of a strategy over all recordings; NaN: not known. */
struct replay_total {
  double p_mean, p_worst, budget_mean, budget_worst, work_mean, work_worst;
  double final_mean, optimum_mean;
  double overhead_ms, overhead_late_ms, overhead_share; /* the maximum over the recordings */
  double rate;                                          /* the minimum */
};
struct replay_total replay_total(const struct hone_replay_result *result, size_t strategy);

struct replay_view {
  const struct hone_replay_options *options;
  const struct hone_replay_result *result;
  struct output *output;
  size_t width;
  bool is_comparison;
};
void replay_print_text(const struct replay_view *view);
void replay_print_json(const struct replay_view *view);
void replay_print_csv(const struct replay_view *view);
void replay_print_html(const struct replay_view *view); /* replay_html.c */

#endif
