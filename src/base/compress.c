/* One zstd frame for each part: its header has the size of the content, which is compared with what
 * the receiver expects before anything is expanded. */
#include "base/compress.h"

#include "base/memory.h"

#include <stdlib.h>
#include <zstd.h>

enum { LEVEL = 3, LOOKED_AT = 64 * 1024, LEAST_LOOKED_AT = 4 * LOOKED_AT };

static bool pays(size_t packed, size_t size)
{
  return packed < size - size / 10;
}

/* Inputs of random numbers are large, and do not get smaller: their beginning tells. */
static bool looks_dense(const void *bytes, size_t size)
{
  char packed[ZSTD_COMPRESSBOUND(LOOKED_AT)];
  size_t count;

  if (size < LEAST_LOOKED_AT) return false;
  count = ZSTD_compress(packed, sizeof packed, bytes, LOOKED_AT, 1);
  return ZSTD_isError(count) || !pays(count, LOOKED_AT);
}

bool hone__compress(const void *bytes, size_t size, struct hone__text *text)
{
  size_t room = ZSTD_compressBound(size), count;
  char *packed;

  if (!size || looks_dense(bytes, size)) return false;
  packed = hone__alloc(room);
  count = ZSTD_compress(packed, room, bytes, size, LEVEL);
  if (!ZSTD_isError(count) && pays(count, size)) hone__text_addn(text, packed, count);
  free(packed);
  return !ZSTD_isError(count) && pays(count, size);
}

static hone_status refuse(const char *why)
{
  return hone__error(HONE_INVALID_ARGUMENT, "compressed bytes are refused: %s", why);
}

hone_status hone__expand(const void *bytes, size_t size, size_t expected, struct hone__text *text)
{
  unsigned long long told = ZSTD_getFrameContentSize(bytes, size);
  size_t whole = ZSTD_findFrameCompressedSize(bytes, size), count;
  char *plain;

  if (told == ZSTD_CONTENTSIZE_ERROR) return refuse("they are not a frame of zstd");
  if (told != expected) return refuse("they do not have the expected size");
  if (ZSTD_isError(whole)) return refuse("they are damaged or truncated");
  if (whole != size) return refuse("there are more bytes after them");
  plain = hone__alloc(expected + 1);
  count = ZSTD_decompress(plain, expected, bytes, size);
  if (!ZSTD_isError(count) && count == expected) hone__text_addn(text, plain, expected);
  free(plain);
  if (ZSTD_isError(count) || count != expected) return refuse("they are damaged or truncated");
  return NULL;
}
