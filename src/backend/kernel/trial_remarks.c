/* The fields of remarks. */
#include "backend/kernel/trial_remarks.h"

static const struct hone__field fields[] = {
    HONE__RECORDS(struct hone__trial_remarks, kernels, HONE__OPTIONAL, &hone__named_type),
    HONE__TEXTS(struct hone__trial_remarks, notes, HONE__OPTIONAL),
    HONE__RECORD(struct hone__trial_remarks, state, HONE__OPTIONAL, &hone__wire_device_state_type),
};
const struct hone__record_type hone__trial_remarks_type =
    HONE__RECORD_TYPE("remarks", struct hone__trial_remarks, fields);
