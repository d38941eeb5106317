/* Any bytes as a compressed part: it is refused with a reason, or has the expected size. The size
 * is in the first two bytes. Bytes that are compressed come back the same. */
#include "base/compress.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refused(hone_status status, const struct hone__text *text)
{
  if (!*hone_status_message(status) || text->length) abort();
  hone_status_free(status);
}

static void check_again(const uint8_t *data, size_t size)
{
  struct hone__text packed = {0}, plain = {0};

  if (hone__compress(data, size, &packed)) {
    if (packed.length >= size) abort();
    if (hone__expand(packed.data, packed.length, size, &plain)) abort();
    if (plain.length != size || memcmp(plain.data, data, size) != 0) abort();
  }
  hone__text_release(&packed);
  hone__text_release(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__text plain = {0};
  hone_status status;
  size_t expected;

  check_again(data, size);
  if (size < 2) return 0;
  expected = data[0] + 256u * data[1];
  status = hone__expand(data + 2, size - 2, expected, &plain);
  if (status)
    check_refused(status, &plain);
  else if (plain.length != expected)
    abort();
  hone__text_release(&plain);
  return 0;
}
