/* build_reply.h - the reply of a builder. Its payload is the object's bytes; the outcome and its
 * evidence are in the frame ("class", "evidence").
 */
#ifndef HONE_WIRE_BUILD_REPLY_H
#define HONE_WIRE_BUILD_REPLY_H

#include "wire/record.h"

struct hone__wire_build_reply {
  const char *object;            /* digest; NULL: nothing was built */
  double compile_s;              /* NaN: nothing was compiled */
  const char *warnings;          /* compiler output of a successful build */
  const char *output;            /* compiler output of a failed build */
  const char *command;           /* for the user to paste */
  const char *unapplied;         /* the entry of a tuning spec that had no effect; NULL: none */
  bool cached;                   /* the result, or the failure, comes from an earlier build */
  struct hone__name_value *deps; /* files that were read, and their digests */
  struct hone__named *costs;     /* registers and memory that the object uses */
  size_t deps_count, costs_count;
};

extern const struct hone__record_type hone__wire_build_reply_type;

#endif
