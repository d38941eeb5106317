#include "backend/program/library_order.h"

#define ORDER struct hone__library_order
static const struct hone__field order_fields[] = {
    HONE__TEXT(ORDER, path, HONE__NEEDED),
    HONE__TEXT(ORDER, key, HONE__NEEDED),
    HONE__TEXTS(ORDER, variables, HONE__OPTIONAL),
    HONE__TEXT(ORDER, directory, HONE__OPTIONAL),
};
const struct hone__record_type hone__library_order_type =
    HONE__RECORD_TYPE("call of a library", ORDER, order_fields);

#define REPLY struct hone__library_reply
static const struct hone__field reply_fields[] = {
    HONE__INT(REPLY, value, HONE__OPTIONAL, INT32_MIN, INT32_MAX),
    HONE__TEXT(REPLY, refusal, HONE__OPTIONAL),
};
const struct hone__record_type hone__library_reply_type =
    HONE__RECORD_TYPE("reply of a library", REPLY, reply_fields);
