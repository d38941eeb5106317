/* cases.h - the runs of a command: each requested problem, with each shape. */
#ifndef HONE_SESSION_CASES_H
#define HONE_SESSION_CASES_H

#include "session/problem_setup.h"
#include "store/store.h"

struct hone__session_result {
  int64_t *runs; /* their numbers in the store, one a case; free() */
  size_t run_count, run_capacity;
  bool interrupted; /* by a request; what was measured is kept */
  double worked_s;  /* in all of them */
  size_t worked;    /* how many were not answered from the store */
  bool answered;    /* all came from the store: nothing was measured */
};

struct hone__cases {
  const struct hone_spec *spec;
  const struct hone_tune_options *options;
  struct hone_space *space; /* solved, for a single case; NULL: each session solves its own */
  uint64_t shapes;
  size_t count; /* 0: a partition without shapes */
};

hone_status hone__cases_init(struct hone__cases *cases, const struct hone_spec *spec,
                             const struct hone_tune_options *options);
struct hone__case hone__cases_at(const struct hone__cases *cases, size_t i);

struct hone__session;
/* Makes one run. */
typedef hone_status hone__case_work(const struct hone__cases *cases, const struct hone__case *which,
                                    struct hone_store *store, struct hone__session_result *result);
/* Adds the outcome of its run to the result of the command. Returns the status, with the name of
 * the case if there are several. */
hone_status hone__cases_take(const struct hone__cases *cases, const struct hone__session *session,
                             hone_status status, struct hone__session_result *result);
/* Makes the runs of all cases, one after the other, until a signal interrupts them. `space`: the
 * solved space of a spec with one case; NULL: each session solves its own. */
hone_status hone__cases_work(const struct hone_spec *spec, struct hone_space *space,
                             const struct hone_tune_options *options, hone__case_work *work,
                             struct hone__session_result *out_result);

#endif
