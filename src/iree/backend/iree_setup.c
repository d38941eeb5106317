#include "iree/backend/iree_setup.h"

#include <math.h>

#define BINDING struct hone__iree_setup_binding
static const struct hone__field binding_fields[] = {
    HONE__SIZE(BINDING, offset, HONE__NEEDED), HONE__SIZE(BINDING, size, HONE__NEEDED),
    HONE__TEXT(BINDING, type, HONE__NEEDED),   HONE__BOOL(BINDING, read, HONE__SENT),
    HONE__BOOL(BINDING, written, HONE__SENT),
};
static const struct hone__record_type binding_type =
    HONE__RECORD_TYPE("binding of a dispatch", BINDING, binding_fields);

#define SUBJECT struct hone__iree_subject
static const struct hone__field subject_fields[] = {
    HONE__TEXT(SUBJECT, digest, HONE__NEEDED),
    HONE__TEXT(SUBJECT, identity, HONE__OPTIONAL),
    HONE__TEXT(SUBJECT, target, HONE__OPTIONAL),
    HONE__TEXT(SUBJECT, backend, HONE__OPTIONAL),
    HONE__TEXT(SUBJECT, driver, HONE__NEEDED),
    HONE__TEXT(SUBJECT, function, HONE__NEEDED),
    HONE__TEXT(SUBJECT, answer, HONE__OPTIONAL),
    HONE__TEXT(SUBJECT, why_unchecked, HONE__OPTIONAL),
    HONE__TEXT(SUBJECT, matcher_name, HONE__OPTIONAL),
    HONE__TEXT(SUBJECT, matcher, HONE__OPTIONAL),
    HONE__TEXTS(SUBJECT, flags, HONE__SENT),
    HONE__RECORDS(SUBJECT, bindings, HONE__SENT, &binding_type),
    HONE__BOOL(SUBJECT, is_model, HONE__OPTIONAL),
    HONE__INT(SUBJECT, threads, HONE__OPTIONAL, 0, 4096),
    HONE__TEXTS(SUBJECT, inputs, HONE__OPTIONAL),
    HONE__TEXTS(SUBJECT, outputs, HONE__OPTIONAL),
};
static const struct hone__record_type subject_type =
    HONE__RECORD_TYPE("dispatch of IREE", SUBJECT, subject_fields);

#define CHECK struct hone__iree_check_terms
static const struct hone__field check_fields[] = {
    HONE__BOOL(CHECK, enabled, HONE__NEEDED),
    HONE__REAL(CHECK, rtol, HONE__NEEDED, -1, INFINITY),
    HONE__REAL(CHECK, atol, HONE__NEEDED, -1, INFINITY),
    HONE__REAL(CHECK, ratio, HONE__NEEDED, 0, 1),
};
static const struct hone__record_type check_type =
    HONE__RECORD_TYPE("check of IREE", CHECK, check_fields);

#define REFERENCE struct hone__iree_reference
static const struct hone__field reference_fields[] = {
    HONE__TEXT(REFERENCE, kind, HONE__NEEDED),
    HONE__PACKED(REFERENCE, candidate, HONE__OPTIONAL),
    HONE__SIZE(REFERENCE, offset, HONE__OPTIONAL),
    HONE__SIZE(REFERENCE, size, HONE__OPTIONAL),
};
static const struct hone__record_type reference_type =
    HONE__RECORD_TYPE("reference of IREE", REFERENCE, reference_fields);

#define LIMITS struct hone__iree_build_limits
static const struct hone__field limit_fields[] = {
    HONE__REAL(LIMITS, timeout_s, HONE__NEEDED, 0, INFINITY),
};
static const struct hone__record_type limits_type =
    HONE__RECORD_TYPE("build of IREE", LIMITS, limit_fields);

#define SETUP struct hone__iree_setup
static const struct hone__field setup_fields[] = {
    HONE__RECORD(SETUP, iree, HONE__NEEDED, &subject_type),
    HONE__TEXT(SETUP, dispatch, HONE__OPTIONAL),
    HONE__TEXT(SETUP, iree_dir, HONE__OPTIONAL),
    HONE__RECORD(SETUP, check, HONE__NEEDED, &check_type),
    HONE__RECORD(SETUP, reference, HONE__NEEDED, &reference_type),
    HONE__TEXT(SETUP, device, HONE__OPTIONAL),
    HONE__TEXT(SETUP, clock, HONE__NEEDED),
    HONE__TEXT(SETUP, timing, HONE__NEEDED),
    HONE__REAL(SETUP, unit_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__TEXT(SETUP, backend, HONE__OPTIONAL),
    HONE__TEXT(SETUP, spec_name, HONE__OPTIONAL),
    HONE__TEXT(SETUP, folder, HONE__OPTIONAL),
    HONE__INT(SETUP, seed, HONE__SENT, -0x1p63, 0x1p63),
    HONE__SIZE(SETUP, memory_bytes, HONE__SENT),
    HONE__TEXTS(SETUP, args, HONE__SENT),
    HONE__RECORD(SETUP, build, HONE__NEEDED, &limits_type),
    HONE__TEXT(SETUP, inputs_key, HONE__OPTIONAL),
};
const struct hone__record_type hone__iree_setup_type =
    HONE__RECORD_TYPE("setup of IREE", SETUP, setup_fields);
