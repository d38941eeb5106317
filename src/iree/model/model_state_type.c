#include "iree/model/model_state.h"

#include <math.h>

#define DISPATCH struct hone__model_dispatch
static const struct hone__field dispatch_fields[] = {
    HONE__TEXT(DISPATCH, name, HONE__NEEDED),
    HONE__TEXT(DISPATCH, executable, HONE__NEEDED),
    HONE__TEXT(DISPATCH, operation, HONE__NEEDED),
    HONE__TEXT(DISPATCH, why_not, HONE__NEEDED),
    HONE__TEXT(DISPATCH, file, HONE__NEEDED),
    HONE__TEXT(DISPATCH, matcher, HONE__OPTIONAL),
    HONE__REAL(DISPATCH, share, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(DISPATCH, time_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(DISPATCH, flops, HONE__OPTIONAL, 0, INFINITY),
    HONE__INT(DISPATCH, calls, HONE__SENT, 0, 0x1p53),
};
static const struct hone__record_type dispatch_type =
    HONE__RECORD_TYPE("dispatch of a model", DISPATCH, dispatch_fields);

#define STATE struct hone__model_state
static const struct hone__field state_fields[] = {
    HONE__TEXT(STATE, digest, HONE__NEEDED),
    HONE__TEXT(STATE, identity, HONE__NEEDED),
    HONE__TEXT(STATE, key, HONE__NEEDED),
    HONE__TEXT(STATE, source, HONE__NEEDED),
    HONE__TEXTS(STATE, words, HONE__SENT),
    HONE__TEXT(STATE, backend, HONE__NEEDED),
    HONE__TEXT(STATE, driver, HONE__NEEDED),
    HONE__TEXT(STATE, device, HONE__NEEDED),
    HONE__TEXT(STATE, target, HONE__NEEDED),
    HONE__TEXT(STATE, function, HONE__NEEDED),
    HONE__TEXTS(STATE, call, HONE__SENT),
    HONE__TEXT(STATE, inputs_digest, HONE__NEEDED),
    HONE__TEXTS(STATE, outputs, HONE__SENT),
    HONE__REAL(STATE, time_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__TEXT(STATE, why_untimed, HONE__NEEDED),
    HONE__RECORDS(STATE, dispatches, HONE__NEEDED, &dispatch_type),
};
const struct hone__record_type hone__model_state_type =
    HONE__RECORD_TYPE("hone.json", STATE, state_fields);

#define CANDIDATE struct hone__model_candidate
static const struct hone__field candidate_fields[] = {
    HONE__TEXT(CANDIDATE, config, HONE__NEEDED),
    HONE__REAL(CANDIDATE, speedup, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(CANDIDATE, time_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__TEXT(CANDIDATE, compilation_info, HONE__NEEDED),
    HONE__TEXT(CANDIDATE, decomposition_config, HONE__OPTIONAL),
};
static const struct hone__record_type candidate_type =
    HONE__RECORD_TYPE("candidate of a model", CANDIDATE, candidate_fields);

#define FOUND struct hone__model_found
static const struct hone__field found_fields[] = {
    HONE__TEXT(FOUND, key, HONE__NEEDED),
    HONE__TEXT(FOUND, verdict, HONE__NEEDED),
    HONE__TEXT(FOUND, sentence, HONE__OPTIONAL),
    HONE__REAL(FOUND, before_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(FOUND, after_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(FOUND, speedup, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(FOUND, low, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(FOUND, high, HONE__OPTIONAL, 0, INFINITY),
    HONE__TEXT(FOUND, matcher, HONE__NEEDED),
    HONE__TEXT(FOUND, matcher_name, HONE__NEEDED),
    HONE__TEXT(FOUND, operation, HONE__NEEDED),
    HONE__TEXT(FOUND, backend, HONE__NEEDED),
    HONE__RECORDS(FOUND, candidates, HONE__NEEDED, &candidate_type),
    HONE__INT(FOUND, run, HONE__NEEDED, 0, 0x1p62),
};
const struct hone__record_type hone__model_found_type =
    HONE__RECORD_TYPE("what was found for a dispatch", FOUND, found_fields);
