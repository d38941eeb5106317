/* bignum.h - exact products and sums of counts, for printing. */
#ifndef HONE_BASE_BIGNUM_H
#define HONE_BASE_BIGNUM_H

#include <stdint.h>

struct hone__bignum { /* { 0 } is zero */
  uint32_t *digits;   /* base 10^9, lowest first */
  uint32_t count, capacity;
};
void hone__bignum_add(struct hone__bignum *number, const struct hone__bignum *other);
void hone__bignum_add_u64(struct hone__bignum *number, uint64_t other);
void hone__bignum_multiply(struct hone__bignum *number, uint64_t factor);
char *hone__bignum_text(const struct hone__bignum *number); /* the caller frees it */
double hone__bignum_real(const struct hone__bignum *number);
void hone__bignum_release(struct hone__bignum *number);

#endif
