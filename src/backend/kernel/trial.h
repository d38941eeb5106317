/* trial.h - one job in one child process: what it is to do, and what it wrote down.
 *
 * The parent prepares everything that needs memory, forks, and reads the report when the child is
 * gone. Nothing in the report is believed unless its checksum is right, but for `active`, `stage`
 * and what was counted so far, which tell where a child that died was.
 */
#ifndef HONE_BACKEND_KERNEL_TRIAL_H
#define HONE_BACKEND_KERNEL_TRIAL_H

#include "backend/kernel/buffers.h"
#include "backend/c/call.h"
#include "exec/child.h"
#include "exec/compare.h"

#include <fenv.h>
#include <stdatomic.h>

/* What the runner keeps for one setup. */
struct hone_bench {
  json_t *setup;
  const char *folder; /* commands run here; in the setup */
  struct hone_buffers buffers;
  size_t memory_bytes; /* that a child may take; 0: no limit */
  bool check;          /* answers are compared */
  struct hone_tolerance tolerance;
  const json_t *judge;     /* check.command, words; NULL: none */
  char *judge_folder;      /* NULL: not needed yet */
  unsigned char *expected; /* as a snapshot; NULL: there is none */
  unsigned char *flush;    /* measure.cache is cold: what evicts everything else; else NULL */
  size_t flush_bytes;
  unsigned char *shared; /* memory for reports; NULL while a trial has it */
  size_t shared_bytes;
};

enum hone_trial_mode { HONE_TRIAL_SCREEN, HONE_TRIAL_ROWS };

struct hone_trial_plan {
  enum hone_trial_mode mode;
  bool check, late_check;
  size_t samples; /* screen */
  size_t rows;    /* rows */
  double budget_s;
  int warmup; /* calls after the first; -1: until they settle */
  double cap_ns, min_sample_ns;
  double call_timeout_s, timeout_s; /* 0: none */
  uint64_t seed;
};

struct hone_trial_candidate {
  const char *entry;
  int object;      /* a file in memory */
  bool is_mangled; /* it has the entry under a name of C++ */
  struct hone_c_call call;
  fenv_t floats; /* as loading it left them: -ffast-math makes all of its process flush to zero */
};

enum hone_trial_stage {
  HONE_TRIAL_BEGINNING,
  HONE_TRIAL_LOADING,
  HONE_TRIAL_FIRST_CALL,
  HONE_TRIAL_WARMING,
  HONE_TRIAL_TIMING,
  HONE_TRIAL_LATE_CALL,
  HONE_TRIAL_ENDED
};

enum hone_trial_fault {
  HONE_TRIAL_NO_FAULT,
  HONE_TRIAL_NOT_LOADED,
  HONE_TRIAL_BREACH,
  HONE_TRIAL_CAPPED
};

struct hone_record { /* of one candidate; no bool, which holds two values only */
  enum hone_trial_fault fault;
  uint8_t has_first, has_last; /* snapshots were taken */
  uint8_t last_is_first;       /* the last answer is the first one bit by bit: not copied */
  double cold_ns;
  uint64_t repeats, samples, calls;
  uint64_t changed; /* 1 + the first input that it writes to; 0: none */
  struct hone_breach breach;
  char message[256]; /* of the loader */
};

struct hone_trial_report { /* in memory that parent and child share */
  uint64_t checksum;       /* of all that follows but for the snapshots */
  _Atomic uint32_t active, stage;
  double stage_began; /* hone__clock */
  uint64_t rows;
  double cpu_ns; /* of the timed part, all threads */
  int64_t forced_switches;
  int cpu;
  struct hone_record records[];
};

struct hone_trial { /* { .bench, .plan } */
  struct hone_bench *bench;
  struct hone_trial_plan plan;
  struct hone_trial_candidate *candidates;
  size_t count, capacity;
  unsigned char *shared;
  size_t shared_bytes;
  uint32_t *order; /* room for the order of a row */
  struct hone_trial_report *report;
  double *times; /* row after row, or `samples` of each candidate */
  size_t time_count;
  unsigned char *snapshots; /* first and last of each candidate */
  struct hone_child_result end;
  double ended; /* hone__clock */
};

/* `candidate` is JSON with "entry" and "values". INVALID_SPEC: values do not fit the arguments. */
hone_status hone__trial_add(struct hone_trial *trial, const json_t *candidate, const void *object,
                            size_t object_size);
/* EXHAUSTED: no memory for what it must write down. Whatever the child does is in the trial. */
hone_status hone__trial_run(struct hone_trial *trial);
void hone__trial_release(struct hone_trial *trial);

/* The child came to its end and the report is whole. */
bool hone__trial_complete(const struct hone_trial *trial);
uint64_t hone__trial_checksum(const struct hone_trial *trial);

static inline unsigned char *hone__trial_snapshot(const struct hone_trial *trial, size_t candidate,
                                                  bool last)
{
  return trial->snapshots + (2 * candidate + last) * trial->bench->buffers.snapshot_bytes;
}

#endif
