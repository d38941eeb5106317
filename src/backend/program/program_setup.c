#include "backend/program/program_setup.h"

#include <math.h>

#define CHECK struct hone__program_check
static const struct hone__field check_fields[] = {
    HONE__BOOL(CHECK, enabled, HONE__NEEDED),
    HONE__TEXTS(CHECK, command, HONE__OPTIONAL),
    HONE__BOOL(CHECK, by_program, HONE__OPTIONAL),
};
const struct hone__record_type hone__program_check_type =
    HONE__RECORD_TYPE("check of programs", CHECK, check_fields);

#define LIMITS struct hone__program_build_limits
static const struct hone__field limit_fields[] = {
    HONE__REAL(LIMITS, timeout_s, HONE__NEEDED, 0, INFINITY),
};
static const struct hone__record_type limits_type =
    HONE__RECORD_TYPE("build of programs", LIMITS, limit_fields);

#define REFERENCE struct hone__program_reference
static const struct hone__field reference_fields[] = {
    HONE__TEXT(REFERENCE, kind, HONE__NEEDED),
};
static const struct hone__record_type reference_type =
    HONE__RECORD_TYPE("reference of programs", REFERENCE, reference_fields);

#define SERVE struct hone__program_serve
static const struct hone__field serve_fields[] = {
    HONE__TEXTS(SERVE, command, HONE__NEEDED),
    HONE__NAMED(SERVE, problem, HONE__SENT),
    HONE__RECORDS(SERVE, params, HONE__SENT, &hone__serve_param_type),
    HONE__BOOL(SERVE, has_builders, HONE__SENT),
    HONE__REAL(SERVE, start_timeout_s, HONE__NEEDED, 0, INFINITY),
    HONE__REAL(SERVE, build_timeout_s, HONE__NEEDED, 0, INFINITY),
};
static const struct hone__record_type serve_type =
    HONE__RECORD_TYPE("served program", SERVE, serve_fields);

#define SETUP struct hone__program_setup
static const struct hone__field setup_fields[] = {
    HONE__TEXT(SETUP, folder, HONE__NEEDED),
    HONE__TEXT(SETUP, directory, HONE__NEEDED),
    HONE__RECORD(SETUP, check, HONE__NEEDED, &hone__program_check_type),
    HONE__TEXT(SETUP, backend, HONE__OPTIONAL),
    HONE__TEXT(SETUP, spec_name, HONE__OPTIONAL),
    HONE__INT(SETUP, seed, HONE__SENT, -0x1p63, 0x1p63),
    HONE__SIZE(SETUP, memory_bytes, HONE__SENT),
    HONE__TEXTS(SETUP, args, HONE__SENT),
    HONE__RECORD(SETUP, reference, HONE__OPTIONAL, &reference_type),
    HONE__RECORD(SETUP, build, HONE__NEEDED, &limits_type),
    HONE__REAL(SETUP, unit_ns, HONE__NEEDED, 0, INFINITY),
    HONE__TEXT(SETUP, time, HONE__OPTIONAL),
    HONE__TEXTS(SETUP, prepare, HONE__OPTIONAL),
    HONE__INT(SETUP, warmup, HONE__OPTIONAL, 0, 0x1p31),
    HONE__RECORD(SETUP, serve, HONE__OPTIONAL, &serve_type),
    HONE__REAL(SETUP, start_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__TEXT(SETUP, device_variable, HONE__NEEDED),
    HONE__TEXT(SETUP, inputs_key, HONE__OPTIONAL),
};
const struct hone__record_type hone__program_setup_type =
    HONE__RECORD_TYPE("setup of programs", SETUP, setup_fields);
