/* parcels.h - a payload whose parts travel once to each host.
 *
 * A frame for a remote worker names the parts of its payload by their digests. Parts that its host
 * has from earlier frames, of this or of another worker there, are not in the payload. The worker
 * puts the payload together again from its cache; what is missing it asks for with a WANT, and gets
 * the frame with all parts. So it does not matter if the sender is wrong about what a host has.
 *
 * Of a part whose transfer was broken off, the host keeps the first bytes. The WANT tells how many,
 * and the next frame has the rest. If that does not give the part, another WANT asks for all of it.
 *
 * A part that becomes smaller by it is compressed, if the worker's HELLO says that it expands
 * parts.
 */
#ifndef HONE_WIRE_PARCELS_H
#define HONE_WIRE_PARCELS_H

#include "wire/record.h"

enum { HONE__PARCEL_LEAST = 4096 }; /* bytes; smaller parts are always sent */

enum hone__parcel_state {
  HONE__PARCEL_SENT,  /* its bytes are in the payload */
  HONE__PARCEL_THERE, /* the host has it */
  HONE__PARCEL_COMING /* another worker of the host is being sent it */
};

struct hone__parcel {
  const char *digest; /* of its bytes; "": a small part */
  size_t size;
  size_t packed_size; /* of a compressed part in the payload (base/compress.h); 0: it is not */
  size_t from;        /* first byte in the payload: those before it are on the host */
  int state;
};

struct hone__parcels { /* fields that are added to a head */
  struct hone__parcel *parcels;
  size_t parcels_count;
  double wait_s; /* how long to wait for what is coming */
};
extern const struct hone__record_type hone__parcels_type;

/* Of a part as it is sent, compressed or not. */
size_t hone__parcel_sent_size(const struct hone__parcel *parcel);
/* Its bytes in the payload; 0 if there are more before them than it has. */
size_t hone__parcel_in_payload(const struct hone__parcel *parcel);

struct hone__parcel_partial { /* what a host has of a part as it is sent */
  const char *digest;         /* of the whole part */
  size_t packed_size;         /* as in the parcel */
  size_t size;
};
struct hone__want { /* the head of a WANT */
  struct hone__parcel_partial *partials;
  size_t partials_count;
};
extern const struct hone__record_type hone__want_type;

#endif
