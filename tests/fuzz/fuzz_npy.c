/* Any bytes as a .npy file: an error says something; an array lies within the file. What is
 * written of it must be read back the same. */
#include "base/npy.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_array(const struct hone__npy *npy, size_t size)
{
  size_t count = 1, bytes;

  if (npy->element >= HONE__ELEMENT_COUNT || npy->dimensions > HONE__NPY_DIMENSIONS) abort();
  if (npy->offset > size) abort();
  for (size_t i = 0; i < npy->dimensions; i++)
    count *= npy->shape[i]; /* may wrap if one of them is 0, and is 0 then */
  if (count != npy->count) abort();
  if (__builtin_mul_overflow(count, hone__element_size(npy->element), &bytes)) abort();
  if (bytes > size - npy->offset) abort();
}

static void check_again(const struct hone__npy *npy, const uint8_t *data)
{
  struct hone__text text = {0};
  struct hone__npy again;
  hone_status status;

  hone__npy_header(npy->element, npy->shape, npy->dimensions, &text);
  hone__text_addn(&text, (const char *)data + npy->offset,
                  npy->count * hone__element_size(npy->element));
  status = hone__npy_parse(text.data, text.length, &again);
  if (status) abort();
  if (again.element != npy->element || again.count != npy->count) abort();
  if (again.dimensions != npy->dimensions) abort();
  if (memcmp(again.shape, npy->shape, sizeof again.shape) != 0) abort();
  hone__text_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__npy npy;
  hone_status status = hone__npy_parse(data, size, &npy);

  if (status) {
    if (!*hone_status_message(status)) abort();
    hone_status_free(status);
    return 0;
  }
  check_array(&npy, size);
  check_again(&npy, data);
  return 0;
}
