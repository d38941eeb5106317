/* session.h - one process's work at one run: what tuning, sweeps and `hone run` share.
 *
 * Each part belongs to the files that its own header names. Everything that was learned is in the
 * store before the next reply is looked at.
 */
#ifndef HONE_SESSION_SESSION_H
#define HONE_SESSION_SESSION_H

#include "base/memory.h"
#include "session/builds.h"
#include "session/control.h"
#include "session/objective_set.h"
#include "session/problem_setup.h"
#include "session/progress.h"
#include "session/run_entry.h"
#include "session/settings.h"
#include "session/workers.h"

struct hone__session {
  struct hone__settings settings;
  struct hone__problem_setup problem;
  struct hone__objectives objectives;
  struct hone__control control;
  struct hone__workers workers;
  struct hone__builds builds;
  struct hone__run_entry entry;
  struct hone__progress progress;
  struct hone__arena arena; /* texts that live as long as the session */
};

#endif
