/* Values are small, so that sums of products neither overflow nor hide a missing term; integers of
 * 32 and 64 bits are not negative, since they may be indices. */
#include "iree/dispatch/dispatch_element.h"

#include "check/fill.h"

#include <string.h>

enum { BLOCK_WORDS = 4093, WIDE_BLOCK_WORDS = 2039 }; /* primes */

static const struct hone__iree_element elements[] = {
    {.name = "f32", .element = HONE__ELEMENT_F32},
    {.name = "f16", .element = HONE__ELEMENT_F16},
    {.name = "bf16", .element = HONE__ELEMENT_BF16},
    {.name = "f64", .element = HONE__ELEMENT_F64},
    {.name = "f8E4M3FN", .element = HONE__ELEMENT_F8E4M3},
    {.name = "f8E5M2", .element = HONE__ELEMENT_F8E5M2},
    {.name = "f8E4M3FNUZ", .element = HONE__ELEMENT_F8E4M3, .has_no_minus_zero = true},
    {.name = "f8E5M2FNUZ", .element = HONE__ELEMENT_F8E5M2, .has_no_minus_zero = true},
    {.name = "f8E8M0FNU", .element = HONE__ELEMENT_U8, .low = 126, .high = 129}, /* 0.5, 1, 2 */
    {.name = "f4E2M1FN", .element = HONE__ELEMENT_U8, .is_bits = true},
    {.name = "i1", .element = HONE__ELEMENT_BOOL},
    {.name = "i4", .element = HONE__ELEMENT_U8, .is_bits = true},
    {.name = "i8", .element = HONE__ELEMENT_I8},
    {.name = "i16", .element = HONE__ELEMENT_I16},
    {.name = "i32", .element = HONE__ELEMENT_I32, .low = 0, .high = 3},
    {.name = "i64", .element = HONE__ELEMENT_I64, .low = 0, .high = 3},
    {.name = "index", .element = HONE__ELEMENT_I64, .low = 0, .high = 3},
    {.name = "complex<f32>", .element = HONE__ELEMENT_F32},
    {.name = "complex<f64>", .element = HONE__ELEMENT_F64},
    {.name = "", .element = HONE__ELEMENT_U8, .low = 0, .high = 3},
};
enum { ELEMENT_COUNT = sizeof elements / sizeof *elements };

const struct hone__iree_element *hone__iree_element(const char *name)
{
  for (size_t i = 0; i < ELEMENT_COUNT; i++)
    if (strcmp(elements[i].name, name) == 0) return &elements[i];
  return &elements[ELEMENT_COUNT - 1];
}

size_t hone__iree_element_block(const struct hone__iree_element *element)
{
  return hone__element_size(element->element) == 8 ? (size_t)8 * WIDE_BLOCK_WORDS
                                                   : (size_t)4 * BLOCK_WORDS;
}

void hone__iree_element_fill(const struct hone__iree_element *element, uint64_t seed, void *block)
{
  size_t size = hone__iree_element_block(element);
  struct hone__fill fill = {.seed = seed, .stream = (uint64_t)(element - elements)};
  unsigned char *bytes = block;

  if (element->low != element->high || element->is_bits) {
    fill.ranged = true;
    fill.low = element->is_bits ? 0 : element->low;
    fill.high = element->is_bits ? 256 : element->high;
  }
  hone__fill(&fill, element->element, block, 0, size / hone__element_size(element->element));
  for (size_t i = 0; i < size && element->has_no_minus_zero; i++)
    if (bytes[i] == 0x80) bytes[i] = 0;
}
