#include "worker/order_parcels.h"

#include "base/clock.h"
#include "base/compress.h"
#include "base/digest.h"
#include "store/cache.h"
#include "wire/parcels.h"

#include <stdio.h>
#include <stdlib.h>

struct hone__supervisor_wrap {
  struct hone__arena arena;
  struct hone__parcels parcels;
  struct hone__packed *head;
  struct hone__text payload;
  double until; /* when waiting for parts ends */
};

static bool has_digest(const struct hone__parcel *parcel, const void *bytes)
{
  char digest[HONE__DIGEST_SIZE];

  hone__digest(bytes, parcel->size, digest);
  return strcmp(digest, parcel->digest) == 0;
}

/* ---- Taking ---- */

static size_t size_in_payload(const struct hone__parcel *parcel)
{
  if (parcel->state != HONE__PARCEL_SENT) return 0;
  return parcel->packed_size ? parcel->packed_size : parcel->size;
}

/* The sent parts are the payload, and all of them expanded are no longer than a payload may be. */
static bool fits(const struct hone__parcels *parcels, size_t payload_size)
{
  size_t sum = 0, whole = 0;

  for (size_t i = 0; i < parcels->parcels_count; i++) {
    const struct hone__parcel *parcel = &parcels->parcels[i];
    if (parcel->size > HONE__FRAME_LONGEST_PAYLOAD - whole) return false;
    if (size_in_payload(parcel) > payload_size - sum) return false;
    whole += parcel->size;
    sum += size_in_payload(parcel);
  }
  return sum == payload_size;
}

static hone_status expand(const struct hone__parcel *parcel, const char *bytes,
                          struct hone__text *payload)
{
  hone_status status = hone__expand(bytes, parcel->packed_size, parcel->size, payload);

  if (status || has_digest(parcel, payload->data + payload->length - parcel->size)) return status;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "compressed bytes are refused: they do not have the digest that was told");
}

/* The sent parts as they were before they were compressed. */
static hone_status expand_sent(const struct hone__parcels *parcels, const char *bytes,
                               struct hone__text *payload)
{
  hone_status status = NULL;

  for (size_t i = 0; i < parcels->parcels_count && !status; i++) {
    const struct hone__parcel *parcel = &parcels->parcels[i];
    size_t size = size_in_payload(parcel);
    if (parcel->state == HONE__PARCEL_SENT && parcel->packed_size)
      status = expand(parcel, bytes, payload);
    else
      hone__text_addn(payload, bytes, size);
    bytes += size;
  }
  return status;
}

/* What cannot be kept is asked for again when it is needed. */
static void keep_sent(const struct hone__parcels *parcels, const char *bytes)
{
  for (size_t i = 0; i < parcels->parcels_count; i++) {
    const struct hone__parcel *parcel = &parcels->parcels[i];
    if (parcel->state != HONE__PARCEL_SENT) continue;
    if (*parcel->digest && has_digest(parcel, bytes))
      hone_status_free(hone__cache_put("objects", parcel->digest, bytes, parcel->size));
    bytes += parcel->size;
  }
}

bool hone__supervisor_take_parcels(struct hone__order *order, const struct hone__frame *frame,
                                   bool *out_is_wrong)
{
  struct hone__arena arena = {0};
  struct hone__parcels parcels = {0};
  struct hone__text payload = {0};
  hone_status status = hone__unpack(frame->head, &hone__parcels_type, &arena, &parcels);

  if (!status && !fits(&parcels, parcels.parcels_count ? frame->payload_size : 0))
    status = hone__error(HONE_INVALID_ARGUMENT, "the parts of a payload do not fit it");
  if (!status) status = expand_sent(&parcels, frame->payload, &payload);
  *out_is_wrong = status != NULL;
  if (status || !parcels.parcels_count) {
    if (status) fprintf(stderr, "hone worker: %s\n", hone_status_message(status));
    hone_status_free(status);
    hone__text_release(&payload);
    hone__arena_release(&arena);
    return false;
  }
  keep_sent(&parcels, payload.data);
  order->wrap = hone__alloc(sizeof *order->wrap);
  *order->wrap = (struct hone__supervisor_wrap){.arena = arena,
                                                .parcels = parcels,
                                                .head = hone__packed_hold(frame->head),
                                                .payload = payload,
                                                .until = hone__clock() + parcels.wait_s};
  return true;
}

size_t hone__supervisor_parcel_bytes(const struct hone__order *order)
{
  return order->wrap->payload.length;
}

/* ---- Assembling ---- */

static bool add_kept(const struct hone__parcel *parcel, struct hone__text *payload)
{
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = hone__cache_get("objects", parcel->digest, &bytes, &size);
  bool is_here = !status && size == parcel->size && has_digest(parcel, bytes);

  hone_status_free(status);
  if (is_here) hone__text_addn(payload, bytes, size);
  free(bytes);
  return is_here;
}

static bool add_all(const struct hone__supervisor_wrap *wrap, struct hone__text *payload)
{
  const char *sent = wrap->payload.data;

  for (size_t i = 0; i < wrap->parcels.parcels_count; i++) {
    const struct hone__parcel *parcel = &wrap->parcels.parcels[i];
    if (parcel->state == HONE__PARCEL_SENT) {
      hone__text_addn(payload, sent, parcel->size);
      sent += parcel->size;
    } else if (!add_kept(parcel, payload)) {
      return false;
    }
  }
  return true;
}

bool hone__supervisor_assemble(struct hone__order *order)
{
  struct hone__text payload = {0};
  bool is_whole = add_all(order->wrap, &payload);

  if (is_whole)
    hone__frame_encode(&(struct hone__frame){.kind = order->kind,
                                             .epoch = order->epoch,
                                             .job = order->job,
                                             .head = order->wrap->head,
                                             .payload = payload.data,
                                             .payload_size = payload.length},
                       &order->bytes);
  hone__text_release(&payload);
  if (is_whole) hone__supervisor_drop_parcels(order);
  return is_whole;
}

bool hone__supervisor_may_wait(const struct hone__order *order)
{
  const struct hone__parcels *parcels = &order->wrap->parcels;

  for (size_t i = 0; i < parcels->parcels_count; i++)
    if (parcels->parcels[i].state == HONE__PARCEL_COMING) return hone__clock() < order->wrap->until;
  return false;
}

void hone__supervisor_drop_parcels(struct hone__order *order)
{
  if (!order->wrap) return;
  hone__packed_drop(order->wrap->head);
  hone__text_release(&order->wrap->payload);
  hone__arena_release(&order->wrap->arena);
  free(order->wrap);
  order->wrap = NULL;
}
