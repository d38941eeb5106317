/* Faults as one table: each is a thing that real kernels and compilers do. */
#include "backend/sim/sim_fault.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { EXIT_OF_FAULT = 3, BLOCK = 1 << 20 };

static void die(void)
{
  abort();
}

static void leave(void)
{
  _exit(EXIT_OF_FAULT);
}

static void be_killed(void)
{
  kill(getpid(), SIGKILL);
  for (;;)
    pause();
}

static void loop(void)
{
  for (volatile unsigned i = 0;; i++) {}
}

/* By pages, not by malloc, which may have its own view of limits. */
static void fill_memory(void)
{
  for (;;) {
    void *block = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) abort();
    memset(block, 1, BLOCK);
  }
}

static void refuse(void)
{
  static const char words[] = "error: this configuration is scripted not to compile\n";

  if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(2);
  _exit(1);
}

static const struct hone__sim_fault faults[] = {
    {"compile_error", HONE__SIM_BUILDING, refuse, HONE_OUTCOME_COMPILE_ERROR},
    {"compile_timeout", HONE__SIM_BUILDING, loop, HONE_OUTCOME_COMPILE_TIMEOUT},
    {"compile_crash", HONE__SIM_BUILDING, die, HONE_OUTCOME_COMPILE_CRASH},
    {"compile_oom", HONE__SIM_BUILDING, fill_memory, HONE_OUTCOME_COMPILE_OOM},
    {"not_applied", HONE__SIM_BUILDING, NULL, HONE_OUTCOME_NOT_APPLIED},
    {"launch_failure", HONE__SIM_CALLING, NULL, HONE_OUTCOME_LAUNCH_FAILURE},
    {"device_fault", HONE__SIM_CALLING, NULL, HONE_OUTCOME_DEVICE_FAULT},
    {"oom_device", HONE__SIM_CALLING, NULL, HONE_OUTCOME_OOM_DEVICE},
    {"oom_host", HONE__SIM_CALLING, fill_memory, HONE_OUTCOME_OOM_HOST},
    {"crash", HONE__SIM_CALLING, die, HONE_OUTCOME_CRASH},
    {"exit", HONE__SIM_CALLING, leave, HONE_OUTCOME_CRASH},
    {"hang", HONE__SIM_CALLING, loop, HONE_OUTCOME_HANG},
    {"killed", HONE__SIM_CALLING, be_killed, HONE_OUTCOME_KILLED},
    {"wrong_result", HONE__SIM_ANSWERING, NULL, HONE_OUTCOME_WRONG_RESULT},
    {"nondeterministic", HONE__SIM_ANSWERING, NULL, HONE_OUTCOME_NONDETERMINISTIC},
    {"no_result", HONE__SIM_ANSWERING, NULL, HONE_OUTCOME_NO_RESULT},
    {"bad_result", HONE__SIM_ANSWERING, NULL, HONE_OUTCOME_BAD_RESULT},
    {"slow", HONE__SIM_ANSWERING, NULL, HONE_OUTCOME_SLOW},
    {"runner_exit", HONE__SIM_RUNNING, NULL, HONE_OUTCOME_CRASH},
};

const struct hone__sim_fault *hone__sim_fault_at(size_t i)
{
  return i < sizeof faults / sizeof *faults ? &faults[i] : NULL;
}

const struct hone__sim_fault *hone__sim_fault_find(const char *name)
{
  for (size_t i = 0; hone__sim_fault_at(i); i++)
    if (strcmp(faults[i].name, name) == 0) return &faults[i];
  return NULL;
}

/* A job without a phase was requested by the user: it counts as screening. */
static enum hone_phase no_earlier_than_screening(enum hone_phase phase)
{
  return phase < HONE_PHASE_SCREEN ? HONE_PHASE_SCREEN : phase;
}

bool hone__sim_fault_is_due(enum hone_phase from, enum hone_phase phase)
{
  return no_earlier_than_screening(phase) >= no_earlier_than_screening(from);
}
