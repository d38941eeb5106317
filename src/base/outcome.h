/* outcome.h - what became of a candidate: the one table of classes and what follows from them.
 *
 * The names are stored and shown as they are. A class says who is to blame; a candidate's failure
 * is data, never a status.
 */
#ifndef HONE_BASE_OUTCOME_H
#define HONE_BASE_OUTCOME_H

#include <stdbool.h>

enum hone__blame {
  HONE__BLAME_NOBODY,
  HONE__BLAME_CANDIDATE,
  HONE__BLAME_HOST,
  HONE__BLAME_DEVICE,
  HONE__BLAME_RUN
};

/*  id, name, how often it is tried again, who is to blame, in words */
#define HONE__OUTCOMES(X)                                                                          \
  X(OK, "ok", 0, NOBODY, "measured")                                                               \
  X(SLOW, "slow", 0, NOBODY, "slower than the cap: not timed to the end")                          \
  X(INVALID, "invalid", 0, CANDIDATE, "a constraint rejects it")                                   \
  X(COMPILE_ERROR, "compile_error", 0, CANDIDATE, "the compiler refused it")                       \
  X(COMPILE_TIMEOUT, "compile_timeout", 0, CANDIDATE, "the compiler took too long")                \
  X(COMPILE_CRASH, "compile_crash", 1, CANDIDATE, "the compiler died")                             \
  X(COMPILE_OOM, "compile_oom", 1, CANDIDATE, "the compiler ran out of memory")                    \
  X(NOT_APPLIED, "not_applied", 0, CANDIDATE, "its configuration did not take effect")             \
  X(LAUNCH_FAILURE, "launch_failure", 0, CANDIDATE, "it could not be loaded or launched")          \
  X(DEVICE_FAULT, "device_fault", 1, CANDIDATE, "it broke the device's context")                   \
  X(WRONG_RESULT, "wrong_result", 0, CANDIDATE, "its answer is wrong")                             \
  X(NONDETERMINISTIC, "nondeterministic", 0, CANDIDATE,                                            \
    "its answer is wrong, and not always the same")                                                \
  X(NO_RESULT, "no_result", 0, CANDIDATE, "it ended without saying how long it took")              \
  X(BAD_RESULT, "bad_result", 0, CANDIDATE, "what it said is no time")                             \
  X(HANG, "hang", 0, CANDIDATE, "it did not come back in time")                                    \
  X(OOM_DEVICE, "oom_device", 1, CANDIDATE, "it ran out of device memory")                         \
  X(OOM_HOST, "oom_host", 0, CANDIDATE, "it ran out of memory")                                    \
  X(CRASH, "crash", 1, CANDIDATE, "it died of a signal, or left without an answer")                \
  X(KILLED, "killed", 3, NOBODY, "somebody else killed it")                                        \
  X(WORKER_LOST, "worker_lost", 3, HOST, "its worker went away")                                   \
  X(NOT_BUILT, "not_built", 0, HOST, "nothing on this host can build it")                          \
  X(DEVICE_BAD, "device_bad", 0, DEVICE, "the baseline fails on this device")                      \
  X(PROTOCOL, "protocol", 1, CANDIDATE, "what came back was no answer")                            \
  X(DISK_FULL, "disk_full", 0, RUN, "no space was left")                                           \
  X(INTERRUPTED, "interrupted", 0, RUN, "the run was stopped first")

enum hone__outcome {
#define HONE__OUTCOME_ENUM(id, name, retries, blame, text) HONE__OUTCOME_##id,
  HONE__OUTCOMES(HONE__OUTCOME_ENUM)
#undef HONE__OUTCOME_ENUM
      HONE__OUTCOME_COUNT
};

const char *hone__outcome_name(enum hone__outcome outcome);
const char *hone__outcome_text(enum hone__outcome outcome);
int hone__outcome_retries(enum hone__outcome outcome);
enum hone__blame hone__outcome_blame(enum hone__outcome outcome);
/* False if no class has this name. */
bool hone__outcome_parse(const char *name, enum hone__outcome *out_outcome);

/* OK or SLOW: it works. */
static inline bool hone__outcome_works(enum hone__outcome outcome)
{
  return outcome <= HONE__OUTCOME_SLOW;
}

#endif
