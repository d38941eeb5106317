/* iree_candidate.h - a candidate of IREE: the compiler's input for one configuration. */
#ifndef HONE_IREE_BACKEND_IREE_CANDIDATE_H
#define HONE_IREE_BACKEND_IREE_CANDIDATE_H

#include "wire/record.h"

struct hone__iree_entry { /* of a model's tuning spec */
  const char *name, *matcher;
  const char *compilation_info, *decomposition_config; /* or NULL */
};

struct hone__iree_candidate {
  /* Without any of these it is the compiler's own choice, and built without a spec. */
  const char *compilation_info, *decomposition_config; /* of a dispatch; or NULL */
  struct hone__iree_entry *entries;                    /* of a model */
  const char **flags;                                  /* of a model: more words for the compiler */
  const char *dispatch_digest;
  const char *identity; /* of the compiler; "": any */
  const char **knobs;
  const char *build_key, *key;
  size_t entries_count, knobs_count, flags_count;
};

extern const struct hone__record_type hone__iree_candidate_type;

bool hone__iree_has_spec(const struct hone__iree_candidate *candidate);

#endif
