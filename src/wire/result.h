/* result.h - what became of a job. Beside these fields the message has those of build_reply.h or
 * run_reply.h. */
#ifndef HONE_WIRE_RESULT_H
#define HONE_WIRE_RESULT_H

#include "base/outcome.h"
#include "wire/record.h"

struct hone__result {
  int outcome;          /* enum hone_outcome; "class" */
  const char *evidence; /* for a person; NULL: nothing to say */
  double worked_s;      /* what it took, without the way there and back; NaN: not known */
  bool final;           /* whatever the class, it is not tried again */
};

extern const struct hone__record_type hone__result_type;

/* The names of outcomes, for fields that are choices. */
const char *hone__outcome_choice(int outcome);

#endif
