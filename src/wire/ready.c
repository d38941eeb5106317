/* The fields of a READY. */
#include "wire/ready.h"

static const struct hone__field fields[] = {
    HONE__BOOL(struct hone__ready, ok, HONE__NEEDED),
    HONE__TEXT(struct hone__ready, error, HONE__OPTIONAL),
    HONE__BOOL(struct hone__ready, wrong_spec, HONE__OPTIONAL),
    HONE__BOOL(struct hone__ready, reference_unloaded, HONE__OPTIONAL),
    HONE__TEXT(struct hone__ready, processor, HONE__OPTIONAL),
};

const struct hone__record_type hone__ready_type =
    HONE__RECORD_TYPE("ready", struct hone__ready, fields);
