/* trial.h - one job in a process beside the runner: its plan and its report.
 *
 * The runner prepares everything that needs memory, has an engine execute the trial, and reads the
 * report. The report is used only if its checksum is right, except `active`, `stage` and the counts
 * so far, which show where a dead process was.
 */
#ifndef HONE_BACKEND_KERNEL_TRIAL_H
#define HONE_BACKEND_KERNEL_TRIAL_H

#include "backend/kernel/kernel_candidate.h"
#include "backend/kernel/pipeline.h"
#include "backend/kernel/kernel_setup.h"
#include "backend/kernel/spots.h"
#include "proc/child.h"
#include "check/compare.h"
#include "base/outcome.h"

#include <stdatomic.h>

struct hone__engine;

struct hone__trial_memory { /* a file in memory, mapped: { 0 } is empty */
  unsigned char *bytes;
  size_t size, offset; /* a trial begins there */
  int file;
  uint64_t number; /* unique, wherever it is mapped */
};

/* What the runner keeps for one setup. */
struct hone__bench {
  const struct hone__engine *engine;
  void *own; /* of the engine */
  struct hone__kernel_setup setup;
  struct hone__packed *packed; /* that it was unpacked from */
  struct hone__arena arena;    /* into this one */
  const char *folder;          /* commands run here; in the setup */
  struct hone__buffers buffers;
  size_t memory_bytes; /* that candidates in C may take; 0: no limit */
  bool check;          /* answers are compared */
  struct hone__tolerance tolerance;
  void *reduce_room;                       /* for outputs that are reduced (check/reduce.h) */
  const struct hone__kernel_check *judge;  /* that has a command or a function; NULL: none */
  void *judge_object;                      /* of the function */
  char *judge_folders[HONE__CONTENTS];     /* NULL: not needed yet */
  unsigned char *expected[HONE__CONTENTS]; /* as snapshots; NULL: there is none */
  size_t contents;                         /* of inputs that candidates are called with: 1 or 2 */
  unsigned char *flush; /* measure.cache is cold: memory that evicts the caches; otherwise NULL */
  size_t flush_bytes;
  bool is_reference_unloaded;       /* it cannot be loaded, and was never called */
  bool has_helper;                  /* this process has a child that must survive cleanups */
  bool was_right;                   /* the first candidate of the last trial: its answers are */
  struct hone__trial_memory memory; /* for reports; empty while a trial has it */
};

enum hone__trial_mode { HONE__TRIAL_SCREEN, HONE__TRIAL_ROWS };

/* Which answers are compared, besides the first and the last. */
#define HONE__CHECKINGS(X)                                                                         \
  X(HONE__CHECK_FIRST, "first")     /* none */                                                     \
  X(HONE__CHECK_SAMPLED, "sampled") /* that of every sample: random elements, or in whole */       \
  X(HONE__CHECK_EVERY, "every")     /* that of every call, in whole; calls are timed one by one */

enum hone__checking {
#define X(constant, name) constant,
  HONE__CHECKINGS(X)
#undef X
};

struct hone__trial_plan {
  enum hone__trial_mode mode;
  bool check, late_check, first_is_known;
  enum hone__checking checking;
  size_t samples; /* screen */
  size_t rows;    /* rows */
  double budget_s;
  int warmup; /* calls after the first; -1: until they settle */
  double cap_ns, cut_ns, min_sample_ns;
  double call_timeout_s, timeout_s; /* 0: none */
  uint64_t seed;
};

struct hone__trial_candidate {
  struct hone__kernel_candidate candidate;
  struct hone__pipeline pipeline;    /* of it: what a call is */
  struct hone__arena arena;          /* of what they point to */
  const struct hone__packed *packed; /* that it was unpacked from; lent, as is the object */
  const void *object;
  size_t object_size;
  void *own; /* of the engine */
};

enum hone__trial_stage {
  HONE__TRIAL_BEGINNING,
  HONE__TRIAL_LOADING,
  HONE__TRIAL_FIRST_CALL,
  HONE__TRIAL_WARMING,
  HONE__TRIAL_TIMING,
  HONE__TRIAL_LATE_CALL,
  HONE__TRIAL_ENDED
};

enum hone__trial_fault {
  HONE__TRIAL_NO_FAULT,
  HONE__TRIAL_CAPPED,
  HONE__TRIAL_BREACH,
  HONE__TRIAL_WRONG, /* the last answer is, and has been copied */
  HONE__TRIAL_FAILED /* described by `outcome` and `message` */
};

#define HONE__TRIAL_KNOWN UINT32_MAX

struct hone__kernel_record { /* of one candidate; no bool: a candidate may write any value */
  enum hone__trial_fault fault;
  uint8_t has_first[HONE__CONTENTS], has_last; /* snapshots were taken */
  /* 0: the snapshot was copied. HONE__TRIAL_KNOWN: it equals, bit by bit, an answer that the runner
   * has accepted in an earlier trial. Otherwise 1 + the candidate of this trial that it equals. */
  uint32_t first_like[HONE__CONTENTS];
  uint8_t last_is_first; /* the last answer is the first one bit by bit: not copied */
  uint8_t last_content;
  uint8_t is_again; /* the last answer is that of a set that was called before with other content */
  double cold_ns;
  uint64_t repeats, samples, calls;
  uint64_t compared, compared_whole; /* answers that were, after the first ones */
  double sample_ns;                  /* the last sample, all calls of it */
  double whole_ns;                   /* time for poisoning and comparing an answer in whole */
  uint64_t unwritten_arg,
      unwritten;    /* 1 + the output, and its element, that a call left as it was */
  uint64_t changed; /* 1 + the first input that it writes to; 0: none */
  double stage_ns[HONE__PIPELINE_MOST_NAMES]; /* of a pipeline: of the stages with each name */
  struct hone__breach breach;
  enum hone_outcome outcome;
  char message[256];
};

struct hone__trial_report { /* in memory that both processes share */
  uint64_t checksum;        /* of all that follows but for the snapshots */
  _Atomic uint32_t active, stage;
  double stage_began; /* hone__clock */
  uint64_t rows;
  double cpu_ns; /* of the timed part, all threads */
  int64_t forced_switches;
  int cpu;
  uint32_t broken; /* the process cannot continue: candidates after the active one were not tried */
  char remarks[8192]; /* struct hone__trial_remarks as text, or "" */
  struct hone__kernel_record records[];
};

struct hone__trial { /* { .bench, .engine, .plan } */
  struct hone__bench *bench;
  const struct hone__engine *engine;
  struct hone__trial_plan plan;
  struct hone__trial_candidate *candidates;
  size_t count, capacity;
  const struct hone__trial *lender; /* it has memory to spare; NULL: none */
  struct hone__trial_memory memory;
  size_t used;   /* bytes of it */
  size_t *order; /* room for the order of a row */
  struct hone__trial_report *report;
  double *times; /* row after row, or `samples` of each candidate */
  size_t time_count;
  unsigned char *snapshots; /* of each candidate: first answers to each content, and the last */
  struct hone__spots spots;
  double spot_ns; /* what poisoning one takes; 0: not known yet */
  uint64_t turn;
  size_t first_place;     /* of a sample's calls, which alternate */
  double swapped, swap_s; /* when contents were swapped last, and how long that took */
  bool restores_inputs; /* inputs are restored before every sample, because some candidate writes to
                           them */
  struct hone__child_result end;
  double ended; /* hone__clock */
};

/* `candidate` is a struct hone__kernel_candidate. INVALID_ARGUMENT: a field of it is wrong.
 * INVALID_SPEC: values do not fit the arguments. Both are lent until the trial is released. */
hone_status hone__trial_add(struct hone__trial *trial, const struct hone__packed *candidate,
                            const void *object, size_t object_size);
/* Computes the layout of the memory: returns the bytes needed. `base` NULL: only that. */
size_t hone__trial_lay_out(struct hone__trial *trial, unsigned char *base);
/* EXHAUSTED: no memory for the report. The result of the process is in the trial. */
hone_status hone__trial_run(struct hone__trial *trial);
void hone__trial_release(struct hone__trial *trial);

bool hone__trial_memory_make(struct hone__trial_memory *memory, size_t size); /* false: errno */
void hone__trial_memory_release(struct hone__trial_memory *memory);

/* Whether the process finished the trial and the report is complete. */
bool hone__trial_complete(const struct hone__trial *trial);
uint64_t hone__trial_checksum(const struct hone__trial *trial);

static inline struct hone__kernel_record *hone__trial_record(const struct hone__trial *trial,
                                                             size_t index)
{
  return &trial->report->records[index];
}

/* One turn of four leaves outputs unchanged except for some elements, to detect candidates that
 * fail when an answer is already there. In another one contents change. */
static inline bool hone__turn_leaves_answers(uint64_t turn)
{
  return turn % 4 == 0;
}

static inline bool hone__turn_swaps_contents(uint64_t turn)
{
  return turn % 4 == 1;
}

enum { HONE__TURN_OF_LAST_SET = 1 }; /* the second set is called, and contents change */

enum { HONE__LAST_ANSWER = HONE__CONTENTS, HONE__SNAPSHOTS };

/* `which`: the content that it is the first answer to, or HONE__LAST_ANSWER. */
static inline unsigned char *hone__trial_snapshot(const struct hone__trial *trial, size_t candidate,
                                                  size_t which)
{
  return trial->snapshots +
         (HONE__SNAPSHOTS * candidate + which) * trial->bench->buffers.snapshot_bytes;
}

/* record->first_like, or 0 if that cannot be true: a candidate may write to its report. */
uint32_t hone__trial_first_like(const struct hone__trial *trial, size_t candidate, size_t content);
/* The first answer to a content, wherever it was copied; NULL: it is known to be right. */
const unsigned char *hone__trial_first(const struct hone__trial *trial, size_t candidate,
                                       size_t content);

#endif
