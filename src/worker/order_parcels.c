#include "worker/order_parcels.h"

#include "base/clock.h"
#include "base/compress.h"
#include "base/digest.h"
#include "store/cache.h"
#include "worker/partial_parcels.h"

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

/* The sent parts are the payload, and all of them expanded are no longer than a payload may be. */
static bool fits(const struct hone__parcels *parcels, size_t payload_size)
{
  size_t sum = 0, whole = 0;

  for (size_t i = 0; i < parcels->parcels_count; i++) {
    const struct hone__parcel *parcel = &parcels->parcels[i];
    if (parcel->size > HONE__FRAME_LONGEST_PAYLOAD - whole) return false;
    if (hone__parcel_in_payload(parcel) > payload_size - sum) return false;
    whole += parcel->size;
    sum += hone__parcel_in_payload(parcel);
  }
  return sum == payload_size;
}

static hone_status expand(const struct hone__parcel *parcel, const char *bytes,
                          struct hone__text *payload)
{
  hone_status status = hone__expand(bytes, parcel->packed_size, parcel->size, payload);

  if (status || has_digest(parcel, payload->data + payload->length - parcel->size)) return status;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "compressed bytes are refused: they do not have the expected digest");
}

static bool is_plain(const struct hone__parcel *parcel, const struct hone__text *sent)
{
  return sent->length == parcel->size && has_digest(parcel, sent->data);
}

/* A part whose beginning came before. One that cannot be put together is missing: it is asked for.
 */
static void resume(struct hone__parcel *parcel, const char *rest, struct hone__text *payload)
{
  struct hone__text sent = {0};
  hone_status status = NULL;
  bool is_right = *parcel->digest && hone__partial_join(parcel, rest, &sent);

  if (is_right && parcel->packed_size) status = expand(parcel, sent.data, payload);
  is_right = is_right && (parcel->packed_size ? !status : is_plain(parcel, &sent));
  if (is_right && !parcel->packed_size) hone__text_addn(payload, sent.data, sent.length);
  if (!is_right) parcel->state = HONE__PARCEL_THERE;
  if (!is_right) hone__partial_drop(parcel);
  hone_status_free(status);
  hone__text_release(&sent);
}

/* The sent parts, whole and as they were before they were compressed. */
static hone_status expand_sent(struct hone__parcels *parcels, const char *bytes,
                               struct hone__text *payload)
{
  hone_status status = NULL;

  for (size_t i = 0; i < parcels->parcels_count && !status; i++) {
    struct hone__parcel *parcel = &parcels->parcels[i];
    size_t size = hone__parcel_in_payload(parcel);
    if (parcel->state == HONE__PARCEL_SENT && parcel->from)
      resume(parcel, bytes, payload);
    else if (parcel->state == HONE__PARCEL_SENT && parcel->packed_size)
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
    if (*parcel->digest && has_digest(parcel, bytes)) {
      hone_status_free(hone__cache_put("objects", parcel->digest, bytes, parcel->size));
      hone__partial_drop(parcel);
    }
    bytes += parcel->size;
  }
}

bool hone__supervisor_take_parcels(struct hone__supervisor_order *order,
                                   const struct hone__frame *frame, bool *out_is_wrong)
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

size_t hone__supervisor_parcel_bytes(const struct hone__supervisor_order *order)
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

bool hone__supervisor_assemble(struct hone__supervisor_order *order)
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

void hone__supervisor_tell_partials(const struct hone__supervisor_order *order,
                                    struct hone__want *out_want)
{
  struct hone__supervisor_wrap *wrap = order->wrap;

  *out_want =
      (struct hone__want){hone__arena_alloc(&wrap->arena, (wrap->parcels.parcels_count + 1) *
                                                              sizeof *out_want->partials),
                          0};
  for (size_t i = 0; i < wrap->parcels.parcels_count; i++) {
    const struct hone__parcel *parcel = &wrap->parcels.parcels[i];
    if (parcel->state == HONE__PARCEL_SENT || !*parcel->digest) continue;
    if (hone__partial_find(parcel->digest, &out_want->partials[out_want->partials_count]))
      out_want->partials_count++;
  }
}

bool hone__supervisor_may_wait(const struct hone__supervisor_order *order)
{
  const struct hone__parcels *parcels = &order->wrap->parcels;

  for (size_t i = 0; i < parcels->parcels_count; i++)
    if (parcels->parcels[i].state == HONE__PARCEL_COMING) return hone__clock() < order->wrap->until;
  return false;
}

void hone__supervisor_drop_parcels(struct hone__supervisor_order *order)
{
  if (!order->wrap) return;
  hone__packed_drop(order->wrap->head);
  hone__text_release(&order->wrap->payload);
  hone__arena_release(&order->wrap->arena);
  free(order->wrap);
  order->wrap = NULL;
}
