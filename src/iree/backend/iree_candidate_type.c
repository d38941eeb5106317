#include "iree/backend/iree_candidate.h"

#define ENTRY struct hone__iree_entry
static const struct hone__field entry_fields[] = {
    HONE__TEXT(ENTRY, name, HONE__NEEDED),
    HONE__TEXT(ENTRY, matcher, HONE__NEEDED),
    HONE__TEXT(ENTRY, compilation_info, HONE__OPTIONAL),
    HONE__TEXT(ENTRY, decomposition_config, HONE__OPTIONAL),
};
static const struct hone__record_type entry_type =
    HONE__RECORD_TYPE("entry of a tuning spec", ENTRY, entry_fields);

#define CANDIDATE struct hone__iree_candidate
static const struct hone__field candidate_fields[] = {
    HONE__TEXT(CANDIDATE, compilation_info, HONE__OPTIONAL),
    HONE__TEXT(CANDIDATE, decomposition_config, HONE__OPTIONAL),
    HONE__RECORDS(CANDIDATE, entries, HONE__OPTIONAL, &entry_type),
    HONE__TEXTS(CANDIDATE, flags, HONE__OPTIONAL),
    HONE__TEXT(CANDIDATE, dispatch_digest, HONE__NEEDED),
    HONE__TEXT(CANDIDATE, identity, HONE__NEEDED),
    HONE__TEXTS(CANDIDATE, knobs, HONE__SENT),
    HONE__TEXT(CANDIDATE, build_key, HONE__NEEDED),
    HONE__TEXT(CANDIDATE, key, HONE__OPTIONAL),
};
const struct hone__record_type hone__iree_candidate_type =
    HONE__RECORD_TYPE("candidate of IREE", CANDIDATE, candidate_fields);

bool hone__iree_has_spec(const struct hone__iree_candidate *candidate)
{
  return candidate->compilation_info || candidate->decomposition_config || candidate->entries_count;
}
