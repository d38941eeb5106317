#include "backend/sim/sim_setup.h"

#include <math.h>

#define STEP struct hone__sim_step
static const struct hone__field step_fields[] = {
    HONE__REAL(STEP, from, HONE__NEEDED, 0, INFINITY),
    HONE__REAL(STEP, factor, HONE__NEEDED, 0, INFINITY),
};
static const struct hone__record_type step_type =
    HONE__RECORD_TYPE("drift of a recording", STEP, step_fields);

#define DEVICE struct hone__sim_device
static const struct hone__field device_fields[] = {
    HONE__TEXT(DEVICE, device, HONE__NEEDED),
    HONE__TEXT(DEVICE, model, HONE__NEEDED),
};
static const struct hone__record_type device_type =
    HONE__RECORD_TYPE("device of a recording", DEVICE, device_fields);

#define REFERENCE struct hone__sim_reference
static const struct hone__field reference_fields[] = {HONE__TEXT(REFERENCE, kind, HONE__NEEDED)};
static const struct hone__record_type reference_type =
    HONE__RECORD_TYPE("reference of a recording", REFERENCE, reference_fields);

#define CHECK struct hone__sim_check
static const struct hone__field check_fields[] = {HONE__BOOL(CHECK, enabled, HONE__NEEDED)};
static const struct hone__record_type check_type =
    HONE__RECORD_TYPE("check of a recording", CHECK, check_fields);

#define LIMITS struct hone__sim_build_limits
static const struct hone__field limit_fields[] = {
    HONE__REAL(LIMITS, timeout_s, HONE__NEEDED, 0, INFINITY),
};
static const struct hone__record_type limits_type =
    HONE__RECORD_TYPE("build of a recording", LIMITS, limit_fields);

#define SETUP struct hone__sim_setup
static const struct hone__field setup_fields[] = {
    HONE__TEXT(SETUP, backend, HONE__OPTIONAL),
    HONE__TEXT(SETUP, recording, HONE__NEEDED),
    HONE__TEXT(SETUP, space, HONE__OPTIONAL),
    HONE__TEXT(SETUP, digest, HONE__NEEDED),
    HONE__REAL(SETUP, noise, HONE__NEEDED, 0, INFINITY),
    HONE__REAL(SETUP, pace, HONE__NEEDED, 0, INFINITY),
    HONE__INT(SETUP, seed, HONE__NEEDED, -0x1p63, 0x1p63),
    HONE__SIZE(SETUP, memory_bytes, HONE__SENT),
    HONE__TEXTS(SETUP, args, HONE__SENT),
    HONE__RECORD(SETUP, reference, HONE__OPTIONAL, &reference_type),
    HONE__RECORD(SETUP, check, HONE__NEEDED, &check_type),
    HONE__RECORD(SETUP, build, HONE__NEEDED, &limits_type),
    HONE__TEXT(SETUP, name, HONE__NEEDED),
    HONE__RECORDS(SETUP, drift, HONE__SENT, &step_type),
    HONE__RECORDS(SETUP, devices, HONE__OPTIONAL, &device_type),
    HONE__TEXT(SETUP, inputs_key, HONE__OPTIONAL),
};
const struct hone__record_type hone__sim_setup_type =
    HONE__RECORD_TYPE("setup of a recording", SETUP, setup_fields);

#define CANDIDATE struct hone__sim_candidate
static const struct hone__field candidate_fields[] = {
    HONE__TEXT(CANDIDATE, config, HONE__NEEDED),  HONE__TEXT(CANDIDATE, digest, HONE__NEEDED),
    HONE__TEXT(CANDIDATE, fault, HONE__OPTIONAL), HONE__TEXT(CANDIDATE, fault_from, HONE__OPTIONAL),
    HONE__TEXT(CANDIDATE, key, HONE__OPTIONAL),   HONE__REALS(CANDIDATE, factors, HONE__OPTIONAL),
};
const struct hone__record_type hone__sim_candidate_type =
    HONE__RECORD_TYPE("candidate of a recording", CANDIDATE, candidate_fields);
