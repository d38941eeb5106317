/* xxHash's XXH3, which needs no more than its own small library. */
#include "base/digest.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

struct hone__digester {
  XXH3_state_t *state;
};

struct hone__digester *hone__digest_begin(void)
{
  struct hone__digester *digester = hone__alloc(sizeof *digester);

  digester->state = hone__or_die(XXH3_createState());
  XXH3_128bits_reset(digester->state);
  return digester;
}

void hone__digest_add(struct hone__digester *digester, const void *data, size_t size)
{
  if (size) XXH3_128bits_update(digester->state, data, size);
}

void hone__digest_add_text(struct hone__digester *digester, const char *text)
{
  uint64_t length = text ? strlen(text) : UINT64_MAX;

  hone__digest_add(digester, &length, sizeof length);
  if (text) hone__digest_add(digester, text, (size_t)length);
}

static void print(XXH128_hash_t hash, char out_digest[HONE__DIGEST_SIZE])
{
  snprintf(out_digest, HONE__DIGEST_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
           (unsigned long long)hash.low64);
}

void hone__digest_end(struct hone__digester *digester, char out_digest[HONE__DIGEST_SIZE])
{
  print(XXH3_128bits_digest(digester->state), out_digest);
  XXH3_freeState(digester->state);
  free(digester);
}

void hone__digest(const void *data, size_t size, char out_digest[HONE__DIGEST_SIZE])
{
  print(XXH3_128bits(data, size), out_digest);
}

uint64_t hone__checksum(uint64_t seed, const void *data, size_t size)
{
  return XXH3_64bits_withSeed(data, size, seed);
}
