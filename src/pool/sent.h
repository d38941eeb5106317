/* sent.h - what each host was sent, so that workers of a host share it.
 *
 *   host = hone__sent_host(&hosts, "gpu7");               when a worker says HELLO
 *   hone__sent_wrap(host, &load, &wrapped)                a frame without what the host has
 *   hone__sent_settled(host, wrapped.coming, count)       when it is answered or lost
 *
 * This is a guess: a worker may be lost before all has come, a host may have lost its cache, or two
 * hosts may have one name. A worker asks for what it lacks, and tells what it has of it
 * (wire/parcels.h).
 */
#ifndef HONE_POOL_SENT_H
#define HONE_POOL_SENT_H

#include "base/digest.h"
#include "wire/frame.h"
#include "wire/parcels.h"

struct hone__sent_host;
typedef char hone__sent_digest[HONE__DIGEST_SIZE];
struct hone__sent_hosts { /* { 0 } */
  struct hone__sent_host *first;
  hone__sent_digest
      packed_digest;        /* the part that was compressed last: the next host gets it, too */
  struct hone__text packed; /* empty: it does not pay */
};
struct hone__sent_host *hone__sent_host(struct hone__sent_hosts *hosts, const char *name);
void hone__sent_release(struct hone__sent_hosts *hosts);

struct hone__sent_load { /* the payload of a frame; its parts one after the other */
  const struct hone__packed *head;
  const void *payload;
  size_t payload_size;
  const size_t *sizes; /* of the parts; their sum is payload_size */
  size_t count;
  bool may_compress; /* the worker expands parts */
};

struct hone__sent_wrapped {
  struct hone__packed *head; /* with hone__parcels */
  struct hone__text bytes;   /* the payload that is sent */
  hone__sent_digest *coming; /* what the host gets by this frame; from malloc */
  size_t coming_count;
};
/* False: the frame is sent as it is. */
bool hone__sent_wrap(struct hone__sent_host *host, const struct hone__sent_load *load,
                     struct hone__sent_wrapped *out_wrapped);
void hone__sent_wrapped_release(struct hone__sent_wrapped *wrapped);

void hone__sent_settled(struct hone__sent_host *host, hone__sent_digest *digests, size_t count);
/* A worker did not find what was said to be there: the next frame has all parts, without what the
 * host has of them. `want` may be NULL: it has nothing. */
void hone__sent_missed(struct hone__sent_host *host, const struct hone__sent_load *load,
                       const struct hone__want *want);

#endif
