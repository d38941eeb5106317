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
