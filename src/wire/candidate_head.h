/* candidate_head.h - what candidates of all backends have in common: the driver reads this, the
 * backend that wrote it the whole. */
#ifndef HONE_WIRE_CANDIDATE_HEAD_H
#define HONE_WIRE_CANDIDATE_HEAD_H

#include "base/digest.h"
#include "wire/record.h"

struct hone__candidate_head {
  /* Digest of everything that changes the built object and its call, but for files that the source
   * includes: those are the build's `deps`. */
  const char *key;
  const char *build_key; /* of what changes the object alone; NULL: it has to be made */
  const char **knobs;    /* names of the parameters that the build gets; none: not known */
  size_t knobs_count;
};

extern const struct hone__record_type hone__candidate_head_type;

/* Adds what the call depends on beside the object: values, launch, entry. */
void hone__candidate_digest_call(const struct hone__packed *candidate,
                                 struct hone__digester *digester);
/* The candidate's own build key, or a digest of all of it but for its key and the call's values. */
void hone__candidate_build_key(const struct hone__packed *candidate, char key[HONE__DIGEST_SIZE]);

#endif
