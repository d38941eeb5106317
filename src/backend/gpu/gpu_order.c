/* The fields of orders and answers. */
#include "backend/gpu/gpu_order.h"

static const struct hone__field item_fields[] = {
    HONE__PACKED(struct hone__gpu_order_item, candidate, HONE__NEEDED),
    HONE__SIZE(struct hone__gpu_order_item, size, HONE__NEEDED),
};
static const struct hone__record_type item_type =
    HONE__RECORD_TYPE("candidate of an order", struct hone__gpu_order_item, item_fields);

static const struct hone__field order_fields[] = {
    HONE__BOOL(struct hone__gpu_order, is_trial, HONE__OPTIONAL),
    HONE__BOOL(struct hone__gpu_order, is_suspect, HONE__OPTIONAL),
    HONE__BOOL(struct hone__gpu_order, was_right, HONE__OPTIONAL),
    HONE__SIZE(struct hone__gpu_order, waiting, HONE__OPTIONAL),
    HONE__SIZE(struct hone__gpu_order, times, HONE__OPTIONAL),
    HONE__SIZE(struct hone__gpu_order, offset, HONE__OPTIONAL),
    HONE__RECORDS(struct hone__gpu_order, candidates, HONE__OPTIONAL, &item_type),
};
const struct hone__record_type hone__gpu_order_type =
    HONE__RECORD_TYPE("order", struct hone__gpu_order, order_fields);

static const struct hone__field opened_fields[] = {
    HONE__RECORD(struct hone__gpu_opened, facts, HONE__OPTIONAL, &hone__wire_device_facts_type),
    HONE__TEXT(struct hone__gpu_opened, error, HONE__OPTIONAL),
    HONE__INT(struct hone__gpu_opened, code, HONE__OPTIONAL, 0, 1000),
};
const struct hone__record_type hone__gpu_opened_type =
    HONE__RECORD_TYPE("opened device", struct hone__gpu_opened, opened_fields);
