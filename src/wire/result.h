/* result.h - the outcome of a job. The message also has the fields of build_reply.h or run_reply.h.
 */
#ifndef HONE_WIRE_RESULT_H
#define HONE_WIRE_RESULT_H

#include "base/outcome.h"
#include "wire/record.h"

struct hone__wire_result {
  int outcome;          /* enum hone_outcome; "class" */
  const char *evidence; /* readable text; NULL: none */
  double worked_s;      /* time spent on the job, without the transfer; NaN: not known */
  bool final;           /* the job is not retried, whatever the class */
};

extern const struct hone__record_type hone__wire_result_type;

/* The names of outcomes, for choice fields. */
const char *hone__wire_outcome_choice(int outcome);

#endif
