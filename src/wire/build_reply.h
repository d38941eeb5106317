/* build_reply.h - what a builder answers. The payload that comes with it is the object's bytes; the
 * outcome and its evidence are the frame's ("class", "evidence"). */
#ifndef HONE_WIRE_BUILD_REPLY_H
#define HONE_WIRE_BUILD_REPLY_H

#include "wire/record.h"

struct hone__build_reply {
  const char *object;            /* digest; NULL: nothing was built */
  double compile_s;              /* NaN: nothing was compiled */
  const char *warnings;          /* what the compiler said though it built */
  const char *output;            /* what it said where it failed */
  const char *command;           /* for a person to paste */
  const char *unapplied;         /* the entry of a tuning spec that had no effect; NULL: none */
  bool cached;                   /* that is an earlier build's, or its failure */
  struct hone__name_value *deps; /* files that were read, and their digests */
  struct hone__named *costs;     /* registers and memory that the object takes */
  size_t deps_count, costs_count;
};

extern const struct hone__record_type hone__build_reply_type;

#endif
