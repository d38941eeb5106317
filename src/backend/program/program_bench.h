/* program_bench.h - what the files of the runner's side share: a device, a bench, a candidate of a
 * job, and one attempt to run it.
 */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_BENCH_H
#define HONE_BACKEND_PROGRAM_PROGRAM_BENCH_H

#include "backend/program/library_host.h"
#include "backend/program/program_backend.h"
#include "backend/program/program_result.h"
#include "backend/program/serve_host.h"
#include "base/digest.h"
#include "base/pairs.h"

struct hone__program_device {
  char *gpu;                 /* "1"; NULL: programs run on the CPUs alone */
  char *name;                /* "program:gpu1" */
  struct hone__helper *host; /* NULL: none was needed yet, or the last one ended */
  struct hone__serve_host serve;
};

struct hone__program_bench {
  struct hone__program_device *device;
  struct hone__packed *message; /* the setup's, which lives as long as the bench */
  struct hone__arena arena;
  struct hone__program_setup setup;
  const char *directory;    /* that the driver was started in; NULL: it is not here */
  const char *const *check; /* words; NULL: nothing is checked */
  const char *variable;     /* "CUDA_VISIBLE_DEVICES=1"; NULL: none */
  struct hone__text texts;  /* of `variable` */
  double unit_ns;
  char *root;                 /* folder of those that have none of their own; NULL: not made yet */
  struct hone__pairs written; /* paths, and digests of the objects there */
  struct hone__pairs shared;  /* digests, and paths of the first objects that have them ... */
  struct hone__pairs named;   /* ... which commands name like this */
};

/* ---- Where a candidate works (program_place.c) ---- */

struct hone__program_place {
  char *path;                     /* of the folder */
  char *shown;                    /* the same, as its command names it */
  char *binary, *csv;             /* as its command names them; `binary` may be the source */
  char digest[HONE__DIGEST_SIZE]; /* of the object */
};

struct hone__program_entrant { /* a candidate of a job */
  const struct hone__program_candidate *candidate;
  const void *object; /* of what was built; 0 bytes: nothing was */
  size_t object_size;
  struct hone__program_place place;
  bool is_library;
};

/* `slot`: distinguishes those of one job. EXHAUSTED: no space is left. */
hone_status hone__program_place_open(struct hone__program_bench *bench,
                                     struct hone__program_entrant *entrant, size_t slot);
void hone__program_place_release(struct hone__program_place *place);

/* ---- One run (program_run.c) ---- */

struct hone__program_attempt {
  enum hone_outcome outcome;
  struct hone__text evidence;
  double seconds, cpu_seconds;
  struct hone__text output, errors;
  struct hone__program_result result;
};

/* `timeout_s` 0: none. */
void hone__program_attempt(struct hone__program_bench *bench,
                           const struct hone__program_entrant *entrant, double timeout_s,
                           struct hone__program_attempt *out_attempt);
/* Runs check.command on the files of the attempt: WRONG_RESULT if it fails. */
void hone__program_check(struct hone__program_bench *bench,
                         const struct hone__program_entrant *entrant, double timeout_s,
                         struct hone__program_attempt *attempt);
void hone__program_attempt_release(struct hone__program_attempt *attempt);

/* ": " and the most informative of the last lines; nothing if there are none. */
void hone__program_add_last_output(const struct hone__text *output, const struct hone__text *errors,
                                   struct hone__text *evidence);
enum hone_outcome hone__program_class_of_end(const struct hone__child_result *child);

#endif
