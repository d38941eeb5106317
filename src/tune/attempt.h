/* attempt.h - one configuration that `hone run` tries: what was found, for its text and its JSON.
 *
 * try.c fills it in, stage by stage; attempt_text.c and attempt_json.c print what is there. Times
 * are taken in several runner processes, since layout and pages differ between them.
 */
#ifndef HONE_TUNE_ATTEMPT_H
#define HONE_TUNE_ATTEMPT_H

#include "stats/modes.h"
#include "stats/statistics.h"
#include "tune/tuning.h"

struct hone__attempt {
  struct hone__tuning tuning;
  struct hone__candidate *candidate; /* NULL: nothing was begun */
  size_t pending;
  bool is_legal;
  bool is_alone; /* there is no baseline to compare it with */
  bool was_run;  /* else building is all there is to tell */
  bool works;
  enum hone_outcome outcome;
  const char *evidence; /* of the run; "" */
  const char *doubt;    /* why its time cannot be believed; NULL: it can */
  double cold_ns;
  /* What a program said; NULL: nothing. */
  const char *stdout_text, *stderr_text;
  struct hone__packed *table; /* wire/table.h */
  struct hone__words notes;
  /* Pairs, in the order in which they were taken. */
  double *times_ns, *baseline_ns; /* baseline_ns: NaN where it is alone */
  uint32_t *processes;            /* 0, 1, ...: those of one process are next to each other */
  size_t count, capacity;
  uint32_t process_count; /* that gave samples */
};

/* ---- attempt_samples.c ---- */
/* Rows of a reply: the time of the baseline, unless it is alone, and its own. */
void hone__attempt_add(struct hone__attempt *attempt, const double *table, size_t rows);
void hone__attempt_release_samples(struct hone__attempt *attempt);

/* How fast it is, as a multiple of the baseline's speed. */
struct hone__attempt_speed {
  struct hone__estimate ratio; /* low and high are NaN where there are too few pairs */
  bool covers_restarts;        /* else the interval is that of the first process */
};
struct hone__attempt_speed hone__attempt_speed(const struct hone__attempt *attempt);

/* ---- attempt_text.c, attempt_json.c ---- */
/* Both are for free(). */
char *hone__attempt_text(const struct hone__attempt *attempt);
char *hone__attempt_json(const struct hone__attempt *attempt);
/* The compiler's command, and the one that runs it; "" where there is none. */
void hone__attempt_commands(const struct hone__attempt *attempt, struct hone__text *build,
                            struct hone__text *run);

#endif
