/* plan.h - the planned steps of a run, shared by plan.c and plan_json.c. */
#ifndef HONE_TUNE_PLAN_H
#define HONE_TUNE_PLAN_H

#include "tune/tuning.h"

struct hone__tuning_plan_begin { /* how many configurations the search starts with, by origin */
  size_t given, spec, before;
};
struct hone__tuning_plan_begin hone__tuning_plan_begin(const struct hone__tuning *tuning);

struct hone__tuning_plan_command { /* lent */
  const char *config, *command;
  bool is_baseline;
};
/* Commands of the baseline, then of the first candidates. */
hone_status hone__tuning_plan_commands(
    struct hone__tuning *tuning,
    void (*take)(void *data, const struct hone__tuning_plan_command *command), void *data);

/* Adds one object. */
hone_status hone__tuning_plan_json(struct hone__tuning *tuning, struct hone__text *text);

#endif
