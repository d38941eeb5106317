/* Poison is a quiet NaN, so that copying it keeps its bits. A guard zone also reveals reads: its
 * bytes 7f 7f ff 7f are NaNs as f16, f32, f64 and f8, and as every other bf16, the rest being 3e38.
 * The byte next to the array is 7f on both sides, because the values written by mistake are most
 * often 0 and -1.
 */
#include "check/guard.h"

#include <string.h>

static uint64_t poison_of(enum hone__element element)
{
  switch (element) {
  case HONE__ELEMENT_F16: return 0x7ea5;
  case HONE__ELEMENT_BF16: return 0x7fe5;
  case HONE__ELEMENT_F32: return 0x7fe5a5a5;
  case HONE__ELEMENT_F64: return 0x7ffda5a5a5a5a5a5;
  case HONE__ELEMENT_F8E4M3: return 0xff;
  case HONE__ELEMENT_F8E5M2: return 0xfd;
  default: return 0xa5a5a5a5a5a5a5a5;
  }
}

void hone__poison(enum hone__element element, void *out, size_t bytes)
{
  uint64_t poison = poison_of(element), word = 0;
  size_t size = hone__element_size(element);
  unsigned char *at = out;

  for (size_t i = 0; i < sizeof word; i += size)
    memcpy((unsigned char *)&word + i, &poison, size);
  for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word)
    memcpy(at, &word, sizeof word);
  memcpy(at, &word, bytes);
}

bool hone__check_is_poison(enum hone__element element, const void *at, size_t index)
{
  uint64_t poison = poison_of(element);
  size_t size = hone__element_size(element);

  return memcmp((const unsigned char *)at + index * size, &poison, size) == 0;
}

bool hone__poison_is_certain(enum hone__element element)
{
  const struct hone__element_info *info = hone__element_info(element);

  return info->kind == HONE__KIND_BOOL || (info->is_float && info->size > 1);
}

/* ---- Guard zones ---- */

static const unsigned char guard_word[8] = {0x7f, 0x7f, 0xff, 0x7f, 0x7f, 0x7f, 0xff, 0x7f};

void hone__guard_fill(void *zone, size_t size)
{
  unsigned char *at = zone;

  for (; size >= sizeof guard_word; at += sizeof guard_word, size -= sizeof guard_word)
    memcpy(at, guard_word, sizeof guard_word);
  memcpy(at, guard_word, size);
}

/* Zones are usually intact: compares words, then finds the byte. */
size_t hone__guard_broken(const void *zone, size_t size)
{
  const unsigned char *bytes = zone;
  size_t i = 0;

  while (i + sizeof guard_word <= size && memcmp(bytes + i, guard_word, sizeof guard_word) == 0)
    i += sizeof guard_word;
  while (i < size && bytes[i] == guard_word[i % sizeof guard_word])
    i++;
  return i;
}
