#include "wire/run_kinds.h"

#include <math.h>

#define KIND struct hone__wire_kind
static const struct hone__field kind_fields[] = {HONE__INTS(KIND, devices, HONE__NEEDED)};
static const struct hone__record_type kind_type =
    HONE__RECORD_TYPE("devices of a kind", KIND, kind_fields);

#define KINDS struct hone__wire_run_kinds
static const struct hone__field kinds_fields[] = {
    HONE__TEXT(KINDS, kind, HONE__OPTIONAL),
    HONE__TEXT(KINDS, fingerprint, HONE__OPTIONAL),
    HONE__RECORDS(KINDS, apart, HONE__OPTIONAL, &kind_type),
};
const struct hone__record_type hone__wire_run_kinds_type =
    HONE__RECORD_TYPE("kinds of devices", KINDS, kinds_fields);

#define ELSEWHERE struct hone__wire_elsewhere
static const struct hone__field elsewhere_fields[] = {
    HONE__INT(ELSEWHERE, run, HONE__NEEDED, 0, 0x1p63),
    HONE__TEXT(ELSEWHERE, config, HONE__NEEDED),
    HONE__TEXT(ELSEWHERE, outcome, HONE__NEEDED),
    HONE__REAL(ELSEWHERE, speedup, HONE__SENT, 0, INFINITY),
};
static const struct hone__record_type elsewhere_type =
    HONE__RECORD_TYPE("best of other devices", ELSEWHERE, elsewhere_fields);

#define MATRIX struct hone__wire_matrix
static const struct hone__field matrix_fields[] = {
    HONE__RECORDS(MATRIX, elsewhere, HONE__OPTIONAL, &elsewhere_type),
};
const struct hone__record_type hone__wire_matrix_type =
    HONE__RECORD_TYPE("best of other devices", MATRIX, matrix_fields);
