/* attempt.h - one configuration that `hone run` tries: the findings, for its text and its JSON.
 *
 * try.c fills it in, stage by stage; attempt_text.c and attempt_json.c print it. Times are taken in
 * several runner processes, because layout and pages differ between them.
 */
#ifndef HONE_TUNE_ATTEMPT_H
#define HONE_TUNE_ATTEMPT_H

#include "stats/modes.h"
#include "stats/statistics.h"
#include "tune/tuning.h"

/* Fewer give no interval of their medians. */
enum { HONE__ATTEMPT_PROCESSES = 3 };

struct hone__attempt {
  struct hone__tuning tuning;
  struct hone__candidate *candidate; /* NULL: not started */
  size_t pending;
  bool is_legal;
  bool is_alone; /* there is no baseline to compare with */
  bool was_run;  /* otherwise it was only built */
  bool works;
  enum hone_outcome outcome;
  const char *evidence; /* of the run; "" if none */
  const char *doubt;    /* why its time is not plausible; NULL: it is */
  double cold_ns;
  /* Output of a program; NULL: none. */
  const char *stdout_text, *stderr_text;
  struct hone__packed *table; /* wire/table.h */
  struct hone__words notes;
  /* Pairs, in the order of measurement. */
  double *times_ns, *baseline_ns; /* baseline_ns: NaN if is_alone */
  uint32_t *processes;            /* 0, 1, ...: samples of one process are adjacent */
  size_t count, capacity;
  uint32_t process_count; /* processes that gave samples */
};

/* ---- try.c ---- */
/* Tries a configuration; NULL: the baseline. Release it even after a failure. */
hone_status hone__attempt_make(struct hone__attempt *attempt, const struct hone_spec *spec,
                               const struct hone_tune_options *options,
                               const struct hone__case *which, const char *config);
void hone__attempt_release(struct hone__attempt *attempt);

/* ---- attempt_samples.c ---- */
/* Adds the rows of a reply: the baseline's time, unless is_alone, and the candidate's. */
void hone__attempt_add(struct hone__attempt *attempt, const double *table, size_t rows);
void hone__attempt_release_samples(struct hone__attempt *attempt);

/* Its speed as a multiple of the baseline's. */
struct hone__attempt_speed {
  struct hone__estimate ratio; /* low and high are NaN if there are too few pairs */
  bool covers_restarts;        /* otherwise the interval is that of the first process */
};
struct hone__attempt_speed hone__attempt_speed(const struct hone__attempt *attempt);

/* ---- attempt_text.c, attempt_json.c ---- */
/* Both results are for free(). */
char *hone__attempt_text(const struct hone__attempt *attempt);
char *hone__attempt_json(const struct hone__attempt *attempt);
/* The compiler's command, and the command that runs the candidate; "" if there is none. */
void hone__attempt_commands(const struct hone__attempt *attempt, struct hone__text *build,
                            struct hone__text *run);

#endif
