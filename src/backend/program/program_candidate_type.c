#include "backend/program/program_candidate.h"

static const char *mode_name(int mode)
{
  static const char *const names[] = {"process", "library", "serve"};

  return mode >= 0 && mode < 3 ? names[mode] : NULL;
}

#define VALUES struct hone__program_values
static const struct hone__field values_fields[] = {
    HONE__PAIRS(VALUES, arguments, HONE__SENT),
    HONE__TEXTS(VALUES, run, HONE__OPTIONAL),
};
static const struct hone__record_type values_type =
    HONE__RECORD_TYPE("values of a program", VALUES, values_fields);

#define CANDIDATE struct hone__program_candidate
static const struct hone__field candidate_fields[] = {
    HONE__TEXT(CANDIDATE, source, HONE__NEEDED),
    HONE__TEXT(CANDIDATE, source_digest, HONE__NEEDED),
    HONE__TEXT(CANDIDATE, language, HONE__NEEDED),
    HONE__CHOICE(CANDIDATE, mode, HONE__NEEDED, mode_name),
    HONE__TEXT(CANDIDATE, name, HONE__NEEDED),
    HONE__TEXT(CANDIDATE, folder, HONE__OPTIONAL),
    HONE__TEXTS(CANDIDATE, build, HONE__OPTIONAL),
    HONE__TEXTS(CANDIDATE, run, HONE__OPTIONAL),
    HONE__BOOL(CANDIDATE, template, HONE__OPTIONAL),
    HONE__TEXT(CANDIDATE, wrapper, HONE__OPTIONAL),
    HONE__PAIRS(CANDIDATE, definitions, HONE__SENT),
    HONE__PAIRS(CANDIDATE, arguments, HONE__SENT),
    HONE__NAMED(CANDIDATE, config, HONE__OPTIONAL),
    HONE__NAMED(CANDIDATE, runtime, HONE__OPTIONAL),
    HONE__NAMED(CANDIDATE, derived, HONE__OPTIONAL),
    HONE__TEXTS(CANDIDATE, knobs, HONE__SENT),
    HONE__RECORD(CANDIDATE, values, HONE__OPTIONAL, &values_type),
    HONE__TEXT(CANDIDATE, build_key, HONE__OPTIONAL),
    HONE__TEXT(CANDIDATE, key, HONE__OPTIONAL),
};
const struct hone__record_type hone__program_candidate_type =
    HONE__RECORD_TYPE("candidate of programs", CANDIDATE, candidate_fields);
