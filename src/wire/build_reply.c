/* The fields of a build reply. */
#include "wire/build_reply.h"

#include <math.h>

static const struct hone__field fields[] = {
    HONE__TEXT(struct hone__wire_build_reply, object, HONE__OPTIONAL),
    HONE__REAL(struct hone__wire_build_reply, compile_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__TEXT(struct hone__wire_build_reply, warnings, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_build_reply, output, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_build_reply, command, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_build_reply, unapplied, HONE__OPTIONAL),
    HONE__BOOL(struct hone__wire_build_reply, cached, HONE__SENT),
    HONE__PAIRS(struct hone__wire_build_reply, deps, HONE__OPTIONAL),
    HONE__NAMED(struct hone__wire_build_reply, costs, HONE__OPTIONAL),
};

const struct hone__record_type hone__wire_build_reply_type =
    HONE__RECORD_TYPE("build reply", struct hone__wire_build_reply, fields);
