/* tune_against.h - `hone tune --against NAME` and `--save-baseline NAME`: new runs beside saved
 * ones.
 *
 *   tune_against_open   before anything is measured: the name is there, and has runs of this kernel
 *   tune_against_judge  after it: prints the comparison of each run
 *   tune_against_save   gives the runs a name
 */
#ifndef CLI_TUNE_AGAINST_H
#define CLI_TUNE_AGAINST_H

#include "problems.h"
#include "saved_baselines.h"
#include "tune_options.h"

struct tune_against { /* tune_against_close */
  const struct tune_settings *settings;
  struct saved_runs saved; /* none without '--against' */
};

/* False after a message. */
bool tune_against_open(struct tune_against *against, const struct tune_settings *settings,
                       const struct problems *problems);
/* CLI_NOT_IMPROVED: '--fail-if-slower' says so. With '--format json' nothing is printed. */
enum exit_code tune_against_judge(const struct tune_against *against,
                                  const struct hone_tuning *tuning);
enum exit_code tune_against_save(const struct tune_settings *settings,
                                 const struct hone_tuning *tuning);
void tune_against_close(struct tune_against *against);

#endif
