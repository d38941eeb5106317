/* program_candidate.h - a program's candidate: what one configuration is built from and run with.
 */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_CANDIDATE_H
#define HONE_BACKEND_PROGRAM_PROGRAM_CANDIDATE_H

#include "wire/record.h"

enum hone__program_mode {
  HONE__PROGRAM_PROCESS, /* started for each run */
  HONE__PROGRAM_LIBRARY, /* called in a process that stays */
  HONE__PROGRAM_SERVE    /* stays, and answers requests */
};

/* What differs from one run of an object to another, for the measure key. */
struct hone__program_values {
  struct hone__name_value *arguments;
  const char **run;
  size_t arguments_count, run_count;
};

struct hone__program_candidate {
  const char *source, *source_digest; /* the source is absolute */
  const char *language;               /* a row of the table of languages */
  int mode;                           /* enum hone__program_mode */
  const char *name;                   /* kbench's name of the binary, at most 224 bytes */
  const char *folder;  /* where it works, as the user wrote it ("kbench-output/out_3"); NULL: in a
                        * folder of the runner's own that is removed afterwards */
  const char **build;  /* words, in which {out} is the file to make, {source} the source and, in
                        * library mode, {wrapper} a file with `wrapper` in it; NULL: nothing is
                        * built, the object is empty */
  const char **run;    /* words, in which {bin} is the program, {csv} the results file and {dir} the
                        * folder it works in; NULL in library mode */
  bool template;       /* `build` is a command of the spec, which runs in the spec's folder */
  const char *wrapper; /* text; or NULL */
  /* What the build and what the run gets, as text: {"BM", "64"}; of a program that is not compiled
   * both are arguments. */
  struct hone__name_value *definitions, *arguments;
  /* The same for a served program, with their types: parameters, those with a $, derived values. */
  struct hone__named *config, *runtime, *derived;
  const char **knobs; /* parameters that the build gets */
  const struct hone__program_values *values;
  const char *build_key, *key; /* see backend.h */
  size_t build_count, run_count, definitions_count, arguments_count, knobs_count;
  size_t config_count, runtime_count, derived_count;
};

extern const struct hone__record_type hone__program_candidate_type;

#endif
