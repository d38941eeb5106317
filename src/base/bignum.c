#include "base/bignum.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>

static const uint32_t BASE = 1000000000;

static void push(struct hone__bignum *number, uint32_t digit)
{
  HONE__GROW(number->digits, number->count, number->capacity);
  number->digits[number->count++] = digit;
}

void hone__bignum_add(struct hone__bignum *number, const struct hone__bignum *other)
{
  uint32_t carry = 0;

  for (uint32_t i = 0; i < other->count || carry; i++) {
    uint32_t sum = carry + (i < other->count ? other->digits[i] : 0);
    if (i == number->count) push(number, 0);
    sum += number->digits[i];
    carry = sum >= BASE;
    number->digits[i] = carry ? sum - BASE : sum;
  }
}

void hone__bignum_add_u64(struct hone__bignum *number, uint64_t other)
{
  uint32_t digits[3];
  struct hone__bignum small = {.digits = digits};

  for (; other; other /= BASE)
    digits[small.count++] = (uint32_t)(other % BASE);
  hone__bignum_add(number, &small);
}

void hone__bignum_multiply(struct hone__bignum *number, uint64_t factor)
{
  unsigned __int128 carry = 0;

  if (factor == 0) number->count = 0;
  for (uint32_t i = 0; i < number->count; i++) {
    carry += (unsigned __int128)number->digits[i] * factor;
    number->digits[i] = (uint32_t)(carry % BASE);
    carry /= BASE;
  }
  for (; carry; carry /= BASE)
    push(number, (uint32_t)(carry % BASE));
}

char *hone__bignum_text(const struct hone__bignum *number)
{
  struct hone__text text = {0};

  if (number->count == 0) hone__text_add(&text, "0");
  for (uint32_t i = number->count; i-- > 0;)
    hone__text_addf(&text, i + 1 == number->count ? "%u" : "%09u", number->digits[i]);
  return hone__text_take(&text);
}

double hone__bignum_real(const struct hone__bignum *number)
{
  double real = 0;

  for (uint32_t i = number->count; i-- > 0;)
    real = real * BASE + number->digits[i];
  return real;
}

void hone__bignum_release(struct hone__bignum *number)
{
  free(number->digits);
  *number = (struct hone__bignum){0};
}
