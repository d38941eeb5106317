/* candidate_head.h - the fields common to candidates of all backends: the driver reads these, the
 * backend reads the whole message.
 */
#ifndef HONE_WIRE_CANDIDATE_HEAD_H
#define HONE_WIRE_CANDIDATE_HEAD_H

#include "base/digest.h"
#include "wire/record.h"

struct hone__wire_candidate_head {
  /* Digest of everything that changes the built object and its call, except files that the source
   * includes: those are the build's `deps`. */
  const char *key;
  const char *build_key; /* digest of what changes the object alone; NULL: it has to be computed */
  const char **knobs;    /* names of the parameters passed to the build; none: not known */
  size_t knobs_count;
};

extern const struct hone__record_type hone__wire_candidate_head_type;

/* Adds what the call depends on besides the object: values, launch, entry. */
void hone__wire_candidate_digest_call(const struct hone__packed *candidate,
                                      struct hone__digester *digester);
/* The candidate's build key, or a digest of all of it except its key and the values of the call. */
void hone__wire_candidate_build_key(const struct hone__packed *candidate,
                                    char key[HONE__DIGEST_SIZE]);

#endif
