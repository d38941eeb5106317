#include "wire/parcels.h"

#include <math.h>

static const char *state_name(int state)
{
  static const char *const names[] = {"sent", "there", "coming"};

  return (size_t)state < sizeof names / sizeof *names ? names[state] : NULL;
}

static const struct hone__field parcel_fields[] = {
    HONE__TEXT(struct hone__parcel, digest, HONE__NEEDED),
    HONE__SIZE(struct hone__parcel, size, HONE__NEEDED),
    HONE__SIZE(struct hone__parcel, packed_size, HONE__OPTIONAL),
    HONE__SIZE(struct hone__parcel, from, HONE__OPTIONAL),
    HONE__CHOICE(struct hone__parcel, state, HONE__NEEDED, state_name),
};
static const struct hone__record_type parcel_type =
    HONE__RECORD_TYPE("parcel", struct hone__parcel, parcel_fields);

static const struct hone__field fields[] = {
    HONE__RECORDS(struct hone__parcels, parcels, HONE__OPTIONAL, &parcel_type),
    HONE__REAL(struct hone__parcels, wait_s, HONE__OPTIONAL, 0, INFINITY),
};
const struct hone__record_type hone__parcels_type =
    HONE__RECORD_TYPE("parcels", struct hone__parcels, fields);

size_t hone__parcel_sent_size(const struct hone__parcel *parcel)
{
  return parcel->packed_size ? parcel->packed_size : parcel->size;
}

size_t hone__parcel_in_payload(const struct hone__parcel *parcel)
{
  size_t size = hone__parcel_sent_size(parcel);

  return parcel->state == HONE__PARCEL_SENT && size > parcel->from ? size - parcel->from : 0;
}

static const struct hone__field partial_fields[] = {
    HONE__TEXT(struct hone__parcel_partial, digest, HONE__NEEDED),
    HONE__SIZE(struct hone__parcel_partial, packed_size, HONE__OPTIONAL),
    HONE__SIZE(struct hone__parcel_partial, size, HONE__NEEDED),
};
static const struct hone__record_type partial_type =
    HONE__RECORD_TYPE("partial", struct hone__parcel_partial, partial_fields);

static const struct hone__field want_fields[] = {
    HONE__RECORDS(struct hone__want, partials, HONE__OPTIONAL, &partial_type),
};
const struct hone__record_type hone__want_type =
    HONE__RECORD_TYPE("want", struct hone__want, want_fields);
