/* A file of the cache, named by the digest of the whole part: its packed_size, in the order of this
 * host's bytes, then the first bytes of the part as it is sent. */
#include "worker/partial_parcels.h"

#include "store/cache.h"

#include <stdlib.h>

static const char kind[] = "partial";

struct kept {
  char *file; /* NULL: there is none */
  uint64_t packed_size;
  const char *bytes; /* in the file */
  size_t size;
};

static struct kept read_kept(const char *digest)
{
  struct kept kept = {0};
  size_t size = 0;

  hone_status_free(hone__cache_get(kind, digest, &kept.file, &size));
  if (kept.file && size <= sizeof kept.packed_size) {
    free(kept.file);
    kept.file = NULL;
  }
  if (!kept.file) return kept;
  memcpy(&kept.packed_size, kept.file, sizeof kept.packed_size);
  kept.bytes = kept.file + sizeof kept.packed_size;
  kept.size = size - sizeof kept.packed_size;
  return kept;
}

bool hone__partial_find(const char *digest, struct hone__parcel_partial *out_partial)
{
  struct kept kept = read_kept(digest);
  bool is_found = kept.file != NULL;

  *out_partial = (struct hone__parcel_partial){digest, (size_t)kept.packed_size, kept.size};
  free(kept.file);
  return is_found;
}

static bool add_first(const struct hone__parcel *parcel, struct hone__text *text)
{
  struct kept kept = {0};
  bool is_kept;

  if (!parcel->from) return true;
  kept = read_kept(parcel->digest);
  is_kept = kept.file && kept.packed_size == parcel->packed_size && kept.size >= parcel->from;
  if (is_kept) hone__text_addn(text, kept.bytes, parcel->from);
  free(kept.file);
  return is_kept;
}

bool hone__partial_join(const struct hone__parcel *parcel, const char *rest,
                        struct hone__text *text)
{
  if (parcel->from > hone__parcel_sent_size(parcel) || !add_first(parcel, text)) return false;
  hone__text_addn(text, rest, hone__parcel_in_payload(parcel));
  return true;
}

void hone__partial_drop(const struct hone__parcel *parcel)
{
  hone__cache_remove(kind, parcel->digest);
}

static void keep(const struct hone__parcel *parcel, const char *bytes, size_t size)
{
  uint64_t packed_size = parcel->packed_size;
  struct hone__text text = {0};

  hone__text_addn(&text, (const char *)&packed_size, sizeof packed_size);
  if (add_first(parcel, &text)) {
    hone__text_addn(&text, bytes, size);
    hone_status_free(hone__cache_put(kind, parcel->digest, text.data, text.length));
  }
  hone__text_release(&text);
}

static void keep_all(const struct hone__parcels *parcels, const char *bytes, size_t left)
{
  for (size_t i = 0; i < parcels->parcels_count && left; i++) {
    const struct hone__parcel *parcel = &parcels->parcels[i];
    size_t size = hone__parcel_in_payload(parcel), here = size < left ? size : left;
    if (*parcel->digest && here >= HONE__PARCEL_LEAST) keep(parcel, bytes, here);
    bytes += here;
    left -= here;
  }
}

void hone__partial_keep(const struct hone__frame *unfinished)
{
  struct hone__arena arena = {0};
  struct hone__parcels parcels = {0};
  hone_status status = hone__unpack(unfinished->head, &hone__parcels_type, &arena, &parcels);

  if (!status) keep_all(&parcels, unfinished->payload, unfinished->payload_size);
  hone_status_free(status);
  hone__arena_release(&arena);
}
