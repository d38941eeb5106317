/* A table of digests for each host. Where it is full it is forgotten: then everything is sent once
 * more. */
#include "pool/sent.h"

#include "base/compress.h"
#include "base/hash.h"

#include <math.h>
#include <stdlib.h>

enum {
  TABLE_SIZE = 1 << 15, /* a power of two */
  MOST_KNOWN = TABLE_SIZE / 2
};
static const double LEAST_WAIT_S = 1, MOST_WAIT_S = 20, SLOW_LINK = 256 * 1024; /* bytes a second */

struct known {
  hone__sent_digest digest; /* "": none */
  bool is_coming, is_gone;
  size_t kept, kept_packed; /* bytes that are there, of a part with this packed_size */
};

struct hone__sent_host {
  struct hone__sent_host *next;
  struct hone__sent_hosts *all;
  char *name;
  struct known *table;
  size_t count;
};

struct hone__sent_host *hone__sent_host(struct hone__sent_hosts *hosts, const char *name)
{
  struct hone__sent_host *host = hosts->first;

  while (host && strcmp(host->name, name) != 0)
    host = host->next;
  if (host) return host;
  host = hone__alloc(sizeof *host);
  *host = (struct hone__sent_host){.next = hosts->first, .all = hosts, .name = hone__strdup(name)};
  return hosts->first = host;
}

void hone__sent_release(struct hone__sent_hosts *hosts)
{
  for (struct hone__sent_host *host = hosts->first, *next; host; host = next) {
    next = host->next;
    free(host->table);
    free(host->name);
    free(host);
  }
  hosts->first = NULL;
  hone__text_release(&hosts->packed);
}

/* ---- The table ---- */

static struct known *find(struct hone__sent_host *host, const char *digest)
{
  size_t at = hone__hash_bytes(0, digest, strlen(digest)) & (TABLE_SIZE - 1);

  while (host->table[at].digest[0] && strcmp(host->table[at].digest, digest) != 0)
    at = (at + 1) & (TABLE_SIZE - 1);
  return &host->table[at];
}

static bool is_known(const struct known *known)
{
  return known->digest[0] && !known->is_gone;
}

static void add(struct hone__sent_host *host, const char *digest)
{
  struct known *known = find(host, digest);

  if (!known->digest[0] && host->count == MOST_KNOWN) {
    memset(host->table, 0, TABLE_SIZE * sizeof *host->table);
    host->count = 0;
    known = find(host, digest);
  }
  if (!known->digest[0]) host->count++;
  memcpy(known->digest, digest, sizeof known->digest);
  known->is_coming = true;
  known->is_gone = false;
  known->kept = 0;
}

void hone__sent_settled(struct hone__sent_host *host, hone__sent_digest *digests, size_t count)
{
  for (size_t i = 0; i < count; i++)
    find(host, digests[i])->is_coming = false;
}

static void note_missed(struct known *known, const struct hone__want *want)
{
  if (!known->digest[0]) return;
  known->is_gone = true;
  known->kept = 0;
  for (size_t i = 0; want && i < want->partials_count; i++) {
    const struct hone__parcel_partial *partial = &want->partials[i];
    if (strcmp(partial->digest, known->digest) != 0) continue;
    known->kept = partial->size;
    known->kept_packed = partial->packed_size;
  }
}

void hone__sent_missed(struct hone__sent_host *host, const struct hone__sent_load *load,
                       const struct hone__want *want)
{
  const char *bytes = load->payload;
  hone__sent_digest digest;

  for (size_t i = 0; host->table && i < load->count; i++) {
    if (load->sizes[i] >= HONE__PARCEL_LEAST) {
      hone__digest(bytes, load->sizes[i], digest);
      note_missed(find(host, digest), want);
    }
    bytes += load->sizes[i];
  }
}

/* ---- Wrapping ---- */

static bool pays(const struct hone__sent_load *load)
{
  for (size_t i = 0; i < load->count; i++)
    if (load->sizes[i] >= HONE__PARCEL_LEAST) return true;
  return false;
}

/* The bytes as they are sent, and their number. */
static const char *pack(struct hone__sent_hosts *all, const char *bytes,
                        struct hone__parcel *parcel, size_t *out_size)
{
  if (strcmp(all->packed_digest, parcel->digest) != 0) {
    all->packed.length = 0;
    hone__compress(bytes, parcel->size, &all->packed);
    memcpy(all->packed_digest, parcel->digest, sizeof all->packed_digest);
  }
  parcel->packed_size = all->packed.length;
  *out_size = parcel->packed_size ? parcel->packed_size : parcel->size;
  return parcel->packed_size ? all->packed.data : bytes;
}

/* The bytes that need not be sent. */
static size_t kept_of(const struct known *known, const struct hone__parcel *parcel)
{
  if (known->kept > hone__parcel_sent_size(parcel)) return 0;
  return known->kept_packed == parcel->packed_size ? known->kept : 0;
}

static void send(struct hone__sent_host *host, const char *bytes, struct hone__parcel *parcel,
                 bool may_compress, struct hone__sent_wrapped *wrapped)
{
  size_t size = parcel->size;

  parcel->state = HONE__PARCEL_SENT;
  if (*parcel->digest && may_compress) bytes = pack(host->all, bytes, parcel, &size);
  if (*parcel->digest) parcel->from = kept_of(find(host, parcel->digest), parcel);
  hone__text_addn(&wrapped->bytes, bytes + parcel->from, size - parcel->from);
  if (!*parcel->digest) return;
  add(host, parcel->digest);
  memcpy(wrapped->coming[wrapped->coming_count++], parcel->digest, HONE__DIGEST_SIZE);
}

static void wrap_part(struct hone__sent_host *host, const char *bytes, struct hone__parcel *parcel,
                      char *digest, bool may_compress, struct hone__sent_wrapped *wrapped)
{
  const struct known *known = NULL;

  parcel->digest = digest;
  *digest = '\0';
  if (parcel->size >= HONE__PARCEL_LEAST) {
    hone__digest(bytes, parcel->size, digest);
    known = find(host, digest);
  }
  if (known && is_known(known))
    parcel->state = known->is_coming ? HONE__PARCEL_COMING : HONE__PARCEL_THERE;
  else
    send(host, bytes, parcel, may_compress, wrapped);
}

bool hone__sent_wrap(struct hone__sent_host *host, const struct hone__sent_load *load,
                     struct hone__sent_wrapped *out_wrapped)
{
  struct hone__parcels parcels = {
      .wait_s = fmin(LEAST_WAIT_S + (double)load->payload_size / SLOW_LINK, MOST_WAIT_S)};
  hone__sent_digest *digests;
  const char *bytes = load->payload;

  *out_wrapped = (struct hone__sent_wrapped){0};
  if (!pays(load)) return false;
  if (!host->table) host->table = hone__alloc(TABLE_SIZE * sizeof *host->table);
  parcels.parcels = hone__alloc(load->count * sizeof *parcels.parcels);
  digests = hone__alloc(load->count * sizeof *digests);
  out_wrapped->coming = hone__alloc(load->count * sizeof *out_wrapped->coming);
  for (; parcels.parcels_count < load->count; parcels.parcels_count++) {
    size_t i = parcels.parcels_count;
    parcels.parcels[i].size = load->sizes[i];
    wrap_part(host, bytes, &parcels.parcels[i], digests[i], load->may_compress, out_wrapped);
    bytes += load->sizes[i];
  }
  out_wrapped->head = load->head ? hone__packed_copy(load->head) : hone__packed_new();
  hone__packed_add(out_wrapped->head, &hone__parcels_type, &parcels);
  free(digests);
  free(parcels.parcels);
  return true;
}

void hone__sent_wrapped_release(struct hone__sent_wrapped *wrapped)
{
  hone__packed_drop(wrapped->head);
  hone__text_release(&wrapped->bytes);
  free(wrapped->coming);
  *wrapped = (struct hone__sent_wrapped){0};
}
