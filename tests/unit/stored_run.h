/* stored_run.h - a run that a test puts into a store by hand, in folder.h's folder. */
#ifndef HONE_TESTS_UNIT_STORED_RUN_H
#define HONE_TESTS_UNIT_STORED_RUN_H

#include "folder.h"
#include "store/store.h"

#include <math.h>

struct stored_run {
  struct hone_store *store;
  int64_t run;
};

/* A test changes what it is about. */
static inline struct hone__store_run_record stored_record(void)
{
  return (struct hone__store_run_record){.key = "k",
                                         .name = "sgemm",
                                         .spec = "/a/sgemm.yaml",
                                         .problem = "M=256 N=512",
                                         .command = "hone tune sgemm.yaml",
                                         .options = "{\"margin\": 0.025}",
                                         .environment = "{\"cpu\": \"x\"}",
                                         .fingerprint = "f00",
                                         .space = "1024",
                                         .strategy = "random",
                                         .seed = UINT64_MAX,
                                         .checked = true};
}

/* Begins another run of an open store too. */
static inline void begin_stored(struct stored_run *stored, struct hone__store_run_record run)
{
  bool resumed;

  if (!stored->store) assert_null(hone__store_open(path_of("hone.db"), false, &stored->store));
  assert_null(hone__store_run_begin(stored->store, &run, &resumed));
  stored->run = run.id;
}

static inline void close_stored(struct stored_run *stored)
{
  hone__store_close(stored->store);
  stored->store = NULL;
}

/* A configuration on c:0 whose baseline took 1000 ns. One that does not work has `evidence`. */
static inline struct hone__evaluation evaluated(const char *config, enum hone_outcome outcome,
                                                double time_ns, const char *evidence)
{
  bool works = hone__outcome_works(outcome);

  return (struct hone__evaluation){.config = config,
                                   .outcome = outcome,
                                   .device = "c:0",
                                   .evidence = works ? NULL : evidence,
                                   .command = "hone run sgemm.yaml",
                                   .tries = 1,
                                   .compile_s = 0.5,
                                   .time_ns = works ? time_ns : NAN,
                                   .baseline_ns = 1000,
                                   .cold_ns = NAN,
                                   .cap_ns = NAN};
}

/* Returns its number. */
static inline int64_t put_stored(struct stored_run *stored, struct hone__evaluation evaluation)
{
  assert_null(hone__store_evaluation_put(stored->store, stored->run, &evaluation));
  return evaluation.id;
}

static inline void finish_stored(struct stored_run *stored,
                                 const struct hone__store_run_result *result)
{
  assert_null(hone__store_run_finish(stored->store, stored->run, result));
}

#endif
