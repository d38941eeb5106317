/* The fields that all setups have. */
#include "wire/setup_head.h"

#include <math.h>

static const struct hone__field check_fields[] = {
    HONE__BOOL(struct hone__wire_setup_check, enabled, HONE__SENT),
    HONE__TEXTS(struct hone__wire_setup_check, command, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_setup_check, entry, HONE__OPTIONAL),
    HONE__REAL(struct hone__wire_setup_check, limit_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__BOOL(struct hone__wire_setup_check, by_program, HONE__OPTIONAL),
};
static const struct hone__record_type check_type =
    HONE__RECORD_TYPE("check", struct hone__wire_setup_check, check_fields);

static const struct hone__field build_fields[] = {
    HONE__REAL(struct hone__wire_setup_build, timeout_s, HONE__OPTIONAL, 0, INFINITY),
};
static const struct hone__record_type build_type =
    HONE__RECORD_TYPE("build", struct hone__wire_setup_build, build_fields);

static const struct hone__field reference_fields[] = {
    HONE__TEXT(struct hone__wire_setup_reference, kind, HONE__NEEDED),
    HONE__PACKED(struct hone__wire_setup_reference, candidate, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_setup_reference, key, HONE__OPTIONAL),
    HONE__SIZE(struct hone__wire_setup_reference, offset, HONE__OPTIONAL),
    HONE__SIZE(struct hone__wire_setup_reference, size, HONE__OPTIONAL),
};
static const struct hone__record_type reference_type =
    HONE__RECORD_TYPE("reference", struct hone__wire_setup_reference, reference_fields);

static const struct hone__field fields[] = {
    HONE__TEXT(struct hone__wire_setup_head, backend, HONE__NEEDED),
    HONE__REAL(struct hone__wire_setup_head, timeout_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__wire_setup_head, start_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__wire_setup_head, arguments_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__TEXT(struct hone__wire_setup_head, device, HONE__OPTIONAL),
    HONE__BOOL(struct hone__wire_setup_head, energy, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_setup_head, inputs_key, HONE__OPTIONAL),
    HONE__RECORD(struct hone__wire_setup_head, check, HONE__OPTIONAL, &check_type),
    HONE__RECORD(struct hone__wire_setup_head, build, HONE__OPTIONAL, &build_type),
    HONE__RECORD(struct hone__wire_setup_head, reference, HONE__OPTIONAL, &reference_type),
};

const struct hone__record_type hone__wire_setup_head_type =
    HONE__RECORD_TYPE("setup", struct hone__wire_setup_head, fields);

struct reference_alone {
  const struct hone__wire_setup_reference *reference;
};
static const struct hone__field alone_fields[] = {
    HONE__RECORD(struct reference_alone, reference, HONE__NEEDED, &reference_type),
};
static const struct hone__record_type alone_type =
    HONE__RECORD_TYPE("setup", struct reference_alone, alone_fields);

void hone__wire_setup_set_reference(struct hone__packed *setup,
                                    const struct hone__wire_setup_reference *reference)
{
  struct reference_alone alone = {reference};

  hone__packed_add(setup, &alone_type, &alone);
}
